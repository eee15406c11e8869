"""Signatures of files in the format of `minisign`: made by the operator's own program, checked here or by anybody.

A secret key never passes through Dohyo: `sign` starts `minisign`, which asks for the key's password itself, on the
terminal if there is one. To check a signature, `cryptography` serves (Ed25519) where it is installed, otherwise
`minisign`. Only hashed signatures (`ED`, what minisign has made by default since 0.10) are read: an older one needs
the whole file in memory.

A signature file has four lines: a comment that nothing covers; base64 of algorithm, key number and the signature of
the file's BLAKE2b-512; a trusted comment; base64 of the signature of that signature and the trusted comment.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import subprocess
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from dohyo.core.errors import OperatorError
from dohyo.match.files import read_bounded
from dohyo.system import search_path

ENDING = ".minisig"
LARGEST = 16 << 10  # bytes of a key or a signature file
PIECE = 1 << 20
HASHED, KEYS = b"ED", b"Ed"  # the algorithms of a signature, and of a public key
COMMENT, TRUSTED = "untrusted comment: ", "trusted comment: "
KEY_BYTES, SIGNATURE_BYTES, NUMBER_BYTES = 32, 64, 8


class PublicKey(NamedTuple):
    """A key's number, and the key."""

    number: bytes
    key: bytes

    @property
    def shown(self) -> str:
        """The key's number, as minisign prints it."""
        return self.number[::-1].hex().upper()


class Signature(NamedTuple):
    """A signature file: of the file's hash, and over that signature with the trusted comment."""

    number: bytes
    signature: bytes
    trusted: str
    outer: bytes


def sign(path: Path, secret: str, comment: str) -> Path:
    """Sign a file with the operator's `minisign`, which may ask for a password; the signature's path.

    What it asks goes to our terminal, and to its error output rather than among results.

    Raises `OperatorError` where the program is missing or fails.
    """
    program = search_path.which("minisign")
    signature = path.with_name(path.name + ENDING)
    if program is None:
        raise OperatorError("minisign-missing", path=path, key=secret)
    words = [program, "-S", "-H", "-s", secret, "-m", str(path), "-x", str(signature), "-t", comment]
    own = search_path.environment()
    if (terminal := _terminal()) is not None:
        with _echo_restored():
            done = subprocess.run(words, env=own, stdout=terminal, stderr=terminal, check=False)
        if done.returncode:
            raise OperatorError("minisign-failed", path=path, key=secret, status=done.returncode)
        return signature
    captured = subprocess.run(words, env=own, capture_output=True, text=True, errors="replace", check=False)
    if captured.returncode:
        said = (captured.stderr or captured.stdout).strip().splitlines()
        raise OperatorError("minisign-fails", path=path, reason=said[-1] if said else str(captured.returncode))
    return signature


def _terminal() -> int | None:
    """Where a person sees what minisign asks: standard error, or the output, if either is a terminal."""
    return next((number for number in (2, 1) if os.isatty(number)), None)


@contextmanager
def _echo_restored() -> Iterator[None]:
    """Whoever ends minisign while it asks for the password finds a terminal that shows again what is typed."""
    try:
        before = termios.tcgetattr(0)
    except (termios.error, OSError):  # the input is no terminal
        yield
        return
    try:
        yield
    finally:
        with suppress(termios.error):
            termios.tcsetattr(0, termios.TCSANOW, before)


class Signed(NamedTuple):
    """What was signed: the trusted comment, and the file as it was: BLAKE2b-512 of its bytes, when it was changed."""

    trusted: str
    digest: bytes
    changed: int

    def check_again(self, path: Path, file: BinaryIO, digest: bytes) -> None:
        """Raise `OperatorError` unless `digest` is of the signed bytes: what was read after the check, from `file`.

        Whoever may write to the file could change it in between.
        """
        if (digest, _changed(file)) != (self.digest, self.changed):
            raise OperatorError("signature-changed", path=path)


class Hashed:
    """A file that is read from its beginning, with BLAKE2b-512 of what was read so far."""

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        self._file, self._hash = file, hashlib.blake2b()

    def read(self, size: int) -> bytes:
        """At most so many bytes."""
        piece = self._file.read(size)
        self._hash.update(piece)
        return piece

    def digest(self) -> bytes:
        """Of all bytes that were read."""
        return self._hash.digest()


def check(path: Path, file: BinaryIO, signature: Path, key: str) -> Signed:
    """Check the signature of an opened file against a public key, a file or the key itself.

    `path` is the file's name. Whoever reads it afterwards reads the same opened file by `Hashed`, and asks the result
    whether it was the same (`Signed.check_again`). Raises `OperatorError` where the signature is not of this file and
    key, or cannot be checked here.
    """
    public, signed = read_key(key), read_signature(signature)
    if public.number != signed.number:
        raise OperatorError("signature-other-key", signature=signature, key=public.shown)
    changed = _changed(file)
    digest = _hash(path, file)
    if not _is_signed(path, file, digest, signed, public):
        raise OperatorError("signature-wrong", path=path, signature=signature, key=public.shown)
    return Signed(signed.trusted, digest, changed)


def _changed(file: BinaryIO) -> int:
    """When the file was last written to, which no program can set."""
    return os.fstat(file.fileno()).st_ctime_ns


def read_key(word: str) -> PublicKey:
    """The public key in a file, or in the word itself. Raises `OperatorError`."""
    content = _decoded(word)
    if content is None or len(content) != 2 + NUMBER_BYTES + KEY_BYTES:
        lines = _text(Path(word)).split("\n")
        content = _decoded(lines[1].strip()) if len(lines) > 1 and lines[0].startswith(COMMENT) else None
    if content is None or len(content) != 2 + NUMBER_BYTES + KEY_BYTES or content[:2] != KEYS:
        raise OperatorError("key-unreadable", key=word[:200])
    return PublicKey(content[2 : 2 + NUMBER_BYTES], content[2 + NUMBER_BYTES :])


def read_signature(path: Path) -> Signature:
    """The signature in a file. Raises `OperatorError`."""
    lines = _text(path).splitlines()
    if len(lines) == 4 and lines[0].startswith(COMMENT) and lines[2].startswith(TRUSTED):
        inner, outer = _decoded(lines[1]), _decoded(lines[3])
        if inner is not None and outer is not None and inner[:2] == HASHED:
            number, signature = inner[2 : 2 + NUMBER_BYTES], inner[2 + NUMBER_BYTES :]
            if len(signature) == len(outer) == SIGNATURE_BYTES:
                return Signature(number, signature, lines[2].removeprefix(TRUSTED), outer)
    raise OperatorError("signature-unreadable", signature=path)


def is_signature(path: str) -> bool:
    """Whether a file may be replaced by a signature: it is one, or is empty."""
    start = read_bounded(path, LARGEST)
    return not start or start.decode(errors="replace").startswith(COMMENT)


def _text(path: Path) -> str:
    """A small file's text; what is not UTF-8 in it matches nothing."""
    return read_bounded(path, LARGEST).decode(errors="replace")


def _decoded(text: str) -> bytes | None:
    """Bytes of base64; None for anything else."""
    try:
        return base64.b64decode(text.encode(), validate=True)
    except (binascii.Error, ValueError):
        return None


def _is_signed(path: Path, file: BinaryIO, digest: bytes, signed: Signature, public: PublicKey) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return _by_program(path, file, signed, public)
    key = Ed25519PublicKey.from_public_bytes(public.key)
    try:
        key.verify(signed.signature, digest)
        key.verify(signed.outer, signed.signature + signed.trusted.encode())
    except InvalidSignature:
        return False
    return True


def _hash(path: Path, file: BinaryIO) -> bytes:
    """BLAKE2b-512 of a file."""
    found = Hashed(file)
    try:
        while found.read(PIECE):
            pass
    except OSError as error:
        raise OperatorError("cannot-read", path=path, reason=error) from error
    return found.digest()


def _by_program(path: Path, file: BinaryIO, signed: Signature, public: PublicKey) -> bool:
    """The same by `minisign`, from a signature file of our own: it reads exactly what was read here."""
    program = search_path.which("minisign")
    if program is None:
        raise OperatorError("needs-signatures", path=path)
    inner = base64.b64encode(HASHED + signed.number + signed.signature).decode()
    outer = base64.b64encode(signed.outer).decode()
    with tempfile.TemporaryDirectory(prefix="dohyo-") as folder:
        copy = Path(folder) / "signature"
        copy.write_text(f"{COMMENT}-\n{inner}\n{TRUSTED}{signed.trusted}\n{outer}\n", encoding="utf-8")
        key = base64.b64encode(KEYS + public.number + public.key).decode()
        # Of the file that is open here, whatever its name leads to by now. On macOS it is read from where we stand.
        words = [program, "-V", "-q", "-m", f"/dev/fd/{file.fileno()}", "-x", str(copy), "-P", key]
        own, nowhere, number = search_path.environment(), subprocess.DEVNULL, file.fileno()
        os.lseek(number, 0, os.SEEK_SET)
        try:
            done = subprocess.run(words, env=own, pass_fds=[number], stdout=nowhere, stderr=nowhere, check=False)
        finally:
            os.lseek(number, 0, os.SEEK_END)  # where the hash has left it: `file` need not know
        return done.returncode == 0
