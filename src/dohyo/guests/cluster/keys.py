"""Who may use a cluster: whoever has its keys, or anybody, if the operator says so.

Theory of operation
-------------------
A cluster has a certificate authority of its own, which signs one certificate and is then forgotten: its private key
is never stored, so nobody can sign another certificate. Scheduler, workers and contests all show that certificate and
require it (TLS on both sides). Whoever has the folder with the three files is a member; nobody else can send even one
message of Dask's protocol. Host names are not checked, so the same keys work wherever the scheduler moves.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from dohyo import clean
from dohyo.core.errors import MachineError, OperatorError

ADDRESS = re.compile(r"(tcp|tls)://(.+):(\d+)")
AUTHORITY, CERTIFICATE, KEY = FILES = "authority.pem", "member.pem", "member-key.pem"
YEARS = 10
FROM_DASK = "-"  # instead of a folder: use Dask's own settings
ANSWERING = 3.0  # seconds for a scheduler to show its certificate; one that is not there yet is waited for elsewhere


class ClusterAccess(NamedTuple):
    """A cluster as an operator names it: where it is, and the folder with its keys; none for plain TCP."""

    address: str
    keys: str | None

    @property
    def words(self) -> str:
        """Its form on a command line."""
        if self.keys is None:
            return f"{self.address} --plain-tcp"
        return self.address if self.keys in (FROM_DASK, str(usual_folder())) else f"{self.address} --keys {self.keys}"


def cluster_access(address: str, keys: str | None, plain: bool) -> ClusterAccess:
    """What an address and the words with it mean.

    `keys` is a folder, if not the usual one; `plain` says that the operator allows TCP without keys.
    Raises `OperatorError` if it is no address, there are no keys, or plain TCP was not allowed or does not fit.
    """
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise OperatorError("cluster-address", address=address)
    if found[1] == "tls":
        if plain:
            raise OperatorError("cluster-not-plain", address=address)
        return ClusterAccess(address, existing_keys(keys))
    if not plain:
        raise OperatorError("cluster-plain", address=address)
    if keys is not None:
        raise OperatorError("cluster-keys-or-plain")
    return ClusterAccess(address, None)


def usual_folder() -> Path:
    """The usual folder for keys."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(base if os.path.isabs(base) else os.path.expanduser("~/.config"), "dohyo", "cluster")


def existing_keys(named: str | None) -> str:
    """The folder with the keys: the one that is named, or the usual one, or Dask's settings, where they have any.

    Raises `OperatorError` where no keys can be read.
    """
    if named is None and _dask_has_keys():
        return FROM_DASK
    folder = _folder(named)
    if all(os.access(folder / name, os.R_OK) for name in FILES):
        return str(folder)
    raise OperatorError("cluster-no-keys", folder=folder)


def made_keys(named: str | None) -> str:
    """The folder with the keys, which are made if there are none.

    Raises `OperatorError` if something else is there, or the folder cannot be written.
    """
    folder = _folder(named)
    try:
        if folder.is_dir() and any(name not in FILES for name in os.listdir(folder) if name[:1] != "."):
            raise OperatorError("cluster-keys-taken", folder=folder)
        if not folder.is_dir() or not os.listdir(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".keys-", dir=folder.parent) as attempt:
                new = Path(attempt, "new")
                new.mkdir(mode=0o700)
                _write(new)
                _move(new, folder)
    except OSError as error:
        raise MachineError("cannot-write", path=folder, reason=error) from error
    return existing_keys(str(folder))


def scheduler_keys(named: str | None, plain: bool) -> str | None:
    """The keys that a scheduler requires, which are made if there are none; none for plain TCP.

    Raises `OperatorError`, as `made` does, and if a folder is named although plain TCP uses no keys.
    """
    if plain:
        if named is not None:
            raise OperatorError("cluster-keys-or-plain")
        return None
    return FROM_DASK if named is None and _dask_has_keys() else made_keys(named)


def _folder(named: str | None) -> Path:
    if named is None:
        return usual_folder()
    try:
        if "\0" not in named and clean.storable(named) == named:
            return Path(os.path.abspath(os.path.expanduser(named)))
    except OSError:  # the current folder is gone
        pass
    raise MachineError("cannot-write", path=named, reason=os.strerror(errno.ENOENT))


def _move(new: Path, folder: Path) -> None:
    """Move it to its place, unless another process was faster."""
    try:
        new.rename(folder)
    except OSError:
        if not (folder / KEY).exists():
            raise


def _write(folder: Path) -> None:
    """Make an authority, have it sign a certificate, and write what members need."""
    for name, content in _signed().items():
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(content)


def _signed() -> dict[str, bytes]:
    """The content of the three files."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        raise OperatorError("needs-cluster") from error
    pem = serialization.Encoding.PEM
    signer, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = _certificate("Dohyo cluster authority", signer, signer, authority=True)
    member = _certificate("Dohyo cluster member", key, signer, authority=False)
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return {AUTHORITY: authority.public_bytes(pem), CERTIFICATE: member.public_bytes(pem), KEY: private}


def _certificate(name: str, key: Any, signer: Any, *, authority: bool) -> Any:
    """A certificate for the holder of `key`."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    def called(common: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])

    now = datetime.now(UTC)
    usage = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only"), False
    )
    usage |= {"digital_signature": not authority, "key_cert_sign": authority, "crl_sign": authority}
    built = (
        x509.CertificateBuilder()
        .subject_name(called(name))
        .issuer_name(called("Dohyo cluster authority"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # clocks of machines differ
        .not_valid_after(now + timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=0 if authority else None), critical=True)
        .add_extension(x509.KeyUsage(**usage, decipher_only=False), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if not authority:
        purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        built = built.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
        built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName("dohyo-cluster")]), critical=False)
    return built.sign(signer, hashes.SHA256())


def _dask_has_keys() -> bool:
    try:
        import dask
        import distributed  # noqa: F401  # which brings the settings
    except ImportError:
        return False
    return bool(dask.config.get("distributed.comm.tls.ca-file"))


def dask_security(keys: str | None) -> Any:
    """Dask's `Security` for a process that has these keys; none for plain TCP."""
    if keys is None:
        return None
    from distributed import Security

    if keys == FROM_DASK:
        return Security(require_encryption=True)  # type: ignore[no-untyped-call]
    authority, certificate, key = (os.path.join(keys, name) for name in FILES)
    pairs = {f"tls_{role}_cert": certificate for role in ("client", "scheduler", "worker")}
    pairs |= {f"tls_{role}_key": key for role in ("client", "scheduler", "worker")}
    return Security(require_encryption=True, tls_ca_file=authority, **pairs)  # type: ignore[no-untyped-call]


def check_keys(to: ClusterAccess) -> None:
    """Check whether the scheduler, if there is one, has the same keys.

    Raises `OperatorError` if it has other keys or none, and if our own files are not keys.
    """
    found = ADDRESS.fullmatch(to.address)
    if found is None or to.keys is None:
        return
    try:
        context = dask_security(to.keys).get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        raise OperatorError("cluster-no-keys", folder=to.keys) from error
    try:
        with socket.create_connection((found[2].strip("[]"), int(found[3])), timeout=ANSWERING) as plain:
            context.wrap_socket(plain).close()
    except ssl.SSLError as error:
        raise OperatorError("cluster-other-keys", address=to.address, folder=to.keys) from error
    except OSError:
        return  # no scheduler is there, or not yet
    except ValueError as error:  # no name of a machine
        raise OperatorError("cluster-address", address=to.address) from error
