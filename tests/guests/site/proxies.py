"""Real proxies before a site: nginx and Caddy as `packaging/proxy` sets them up, with a certificate of their own."""

from __future__ import annotations

import datetime
import ipaddress
import os
import pwd
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.skips import program

SHIPPED = Path(__file__).parents[3] / "packaging" / "proxy"
PATIENCE = 60.0  # seconds for a proxy to listen


def free_port() -> int:
    """A port at which nobody listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        return int(one.getsockname()[1])


def certificate(folder: Path) -> Path:
    """A certificate for localhost that nobody else vouches for, with its key in the same file; where it is."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = (
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    whole = folder / "localhost.pem"
    whole.write_bytes(made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(*form))
    return whole


def trusting(certificate: Path) -> ssl.SSLContext:
    """What a visitor trusts: this certificate alone."""
    return ssl.create_default_context(cafile=os.fspath(certificate))


@contextmanager
def nginx(folder: Path, port: int, site: int, certificate: Path) -> Iterator[None]:
    """Run nginx at `port` as we ship its file, before a site at the port `site`."""
    told = (SHIPPED / "nginx.conf").read_text(encoding="utf-8")
    told = told.replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{site}")
    told = re.sub(r"/etc/ssl/club\.example\.\w+", os.fspath(certificate), told).replace("club.example", "localhost")
    temporary = "".join(
        f"{kind}_temp_path {folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    user = pwd.getpwuid(os.geteuid()).pw_name
    whole.write_text(
        f"user {user}; daemon off; pid {folder / 'nginx.pid'}; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{ access_log off;\n{temporary}{told}}}\n"
    )
    with _running([program("nginx"), "-p", os.fspath(folder), "-c", os.fspath(whole), "-e", "stderr"], port):
        yield


@contextmanager
def caddy(folder: Path, port: int, site: int, certificate: Path) -> Iterator[None]:
    """Run Caddy at `port` as we ship its file, before a site at the port `site`."""
    told = (SHIPPED / "Caddyfile").read_text(encoding="utf-8").replace("127.0.0.1:8080", f"127.0.0.1:{site}")
    tls = f"https://localhost:{port} {{\n\ttls {certificate} {certificate}\n"
    told = told.replace("club.example {\n", tls)
    whole = folder / "Caddyfile"
    whole.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + told)
    home = {"HOME": os.fspath(folder), "XDG_DATA_HOME": os.fspath(folder), "XDG_CONFIG_HOME": os.fspath(folder)}
    order = [program("caddy"), "run", "--config", os.fspath(whole), "--adapter", "caddyfile"]
    with _running(order, port, {**os.environ, **home}):
        yield


@contextmanager
def _running(order: list[str], port: int, environment: dict[str, str] | None = None) -> Iterator[None]:
    process = subprocess.Popen(order, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    end = monotonic() + PATIENCE
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1.0).close()
                break
            except OSError:
                assert process.stderr is not None
                assert process.poll() is None, process.stderr.read().decode()
                assert monotonic() < end, order
                sleep(0.05)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
