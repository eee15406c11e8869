"""A real provider of OpenID Connect: Debian's glewlwyd, with one client and people with passwords."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.skips import program

TABLES = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
PATIENCE = 60.0  # seconds
PASSWORD = "a long password"
CLIENT, SECRET = "dohyo", "the-secret-of-the-client"


class Glewlwyd:
    """A running one: its address, its issuer, and what a browser does at it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.issuer = f"{url}/api/oidc"
        self._clients: list[httpx.Client] = []
        self.boss = self._client()
        self._do(self.boss, "POST", "/auth/", {"username": "admin", "password": "password"})

    def _client(self) -> httpx.Client:
        self._clients.append(httpx.Client(base_url=f"{self.url}/api", timeout=PATIENCE))
        return self._clients[-1]

    def close(self) -> None:
        """Close every browser."""
        for client in self._clients:
            client.close()

    @staticmethod
    def _do(client: httpx.Client, method: str, path: str, content: Any) -> None:
        answer = client.request(method, path, json=content)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)

    def set_up(self, callback: str) -> None:
        """Make it a provider for the site whose browsers come back to `callback`."""
        key = rsa.generate_private_key(65537, 2048)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        parameters = {
            "iss": self.issuer,
            "jwt-type": "rsa",
            "jwt-key-size": "256",
            "key": private.decode(),
            "cert": public.decode(),
            "access-token-duration": 3600,
            "refresh-token-duration": 3600,
            "code-duration": 600,
            "refresh-token-rolling": True,
            "allow-non-oidc": False,
            "auth-type-code-enabled": True,
            "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True,
            "auth-type-none-enabled": False,
            "auth-type-password-enabled": False,
            "auth-type-client-enabled": False,
            "auth-type-device-enabled": False,
            "auth-type-refresh-enabled": False,
            "pkce-allowed": True,
            "pkce-method-plain-allowed": False,
            "pkce-required": True,
            "subject-type": "public",
            "name-claim": "on-demand",
        }
        module = {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": parameters}
        self._do(self.boss, "POST", "/mod/plugin/", module)
        client = {
            "client_id": CLIENT,
            "name": "A contest site",
            "confidential": True,
            "client_secret": SECRET,
            "redirect_uri": [callback],
            "authorization_type": ["code"],
            "token_endpoint_auth_method": ["client_secret_basic"],
            "scope": [],
            "enabled": True,
        }
        self._do(self.boss, "POST", "/client/", client)

    def add(self, username: str) -> httpx.Client:
        """Somebody with an account there; a browser that is signed in there, and lets the site know who that is."""
        user = {"username": username, "name": username, "password": PASSWORD, "scope": ["openid", "g_profile"]}
        self._do(self.boss, "POST", "/user/", {**user, "enabled": True})
        browser = self._client()
        self._do(browser, "POST", "/auth/", {"username": username, "password": PASSWORD})
        self._do(browser, "PUT", f"/auth/grant/{CLIENT}", {"scope": "openid"})
        return browser

    def send_back(self, browser: httpx.Client, address: str) -> str:
        """Open what the site has sent a browser to; where the provider sends it."""
        assert address.startswith(self.issuer)
        answer = browser.get(f"{address}&g_continue")
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])


@contextmanager
def running(folder: Path, port: int) -> Iterator[Glewlwyd]:
    """Run one, with a database of its own."""
    order = program("glewlwyd")
    database = sqlite3.connect(folder / "glewlwyd.db")
    database.executescript(TABLES.read_text(encoding="utf-8"))
    database.close()
    modules = {"user_module_path": "user", "client_module_path": "client", "plugin_module_path": "plugin"}
    modules["user_auth_scheme_module_path"] = "scheme"
    lines = [
        f"port={port}",
        'bind_address="127.0.0.1"',
        f'external_url="http://localhost:{port}"',
        'login_url="login.html"',
        'api_prefix="api"',
        'log_mode="console"',
        'log_level="ERROR"',
        "cookie_secure=0",
        'session_key="GLEWLWYD2_SESSION_ID"',
        'admin_scope="g_admin"',
        'profile_scope="g_profile"',
        'hash_algorithm="SHA512"',
        *(f'{name}="/usr/lib/glewlwyd/{below}"' for name, below in modules.items()),
        f'database = {{ type = "sqlite3"; path = "{folder / "glewlwyd.db"}"; }};',
    ]
    (folder / "glewlwyd.conf").write_text("\n".join(lines) + "\n")
    with (folder / "glewlwyd.log").open("wb") as log:
        process = subprocess.Popen(
            [order, "--config-file", os.fspath(folder / "glewlwyd.conf")], stdout=log, stderr=log
        )
    end = monotonic() + PATIENCE
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1.0).close()
                break
            except OSError:
                assert process.poll() is None, (folder / "glewlwyd.log").read_text()
                assert monotonic() < end
                sleep(0.05)
        with closing(Glewlwyd(f"http://localhost:{port}")) as found:
            yield found
    finally:
        process.terminate()
        process.wait(PATIENCE)
