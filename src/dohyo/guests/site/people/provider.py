"""Sign-in by somebody else: a provider of OpenID Connect, whom the operator has named in a file.

    issuer = "https://login.example.edu"
    client = "dohyo"
    title = "Example University"
    secret_file = "/etc/dohyo/provider.secret"    # or $DOHYO_PROVIDER_SECRET; a public client has none
    only = true                                   # nobody signs in by a password

What the provider answers is a stranger's: it is bounded in size and time, and no redirect is followed. A token counts
if its signature, issuer, audience, time and nonce do. Whoever it is about is known by issuer and subject alone: an
address of mail or a name may pass to somebody else.
"""

from __future__ import annotations

import ipaddress
import os
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, time
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
import msgspec
from authlib.oauth2.rfc7636 import create_s256_code_challenge  # type: ignore[import-untyped]
from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site.secret_files import read_secret

SECRET = "DOHYO_PROVIDER_SECRET"
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
SCOPE = "openid profile"
MAX_FILE = 1 << 16
MAX_ANSWER = 1 << 18  # bytes
WHOLE = 10.0  # seconds for one answer, from its first byte to its last
KNOWN = 3600.0  # seconds for which addresses and keys of the provider are used again
AGAIN = 30.0  # seconds in which they are not asked for again because of an unknown key
SKEW = 120  # seconds by which its clock may differ
LONGEST_SUBJECT = 255
LONGEST_TITLE = 60
HTTPS, LOCAL = "https", ("localhost",)


class Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the operator says of the provider."""

    issuer: str
    client: str
    title: str
    secret_file: str = ""
    only: bool = False
    secret: str = ""


class Visitor(msgspec.Struct, frozen=True):
    """Whom the provider has named: who it is for the provider, and how that may be called."""

    issuer: str
    subject: str
    name: str


class Endpoints(msgspec.Struct, frozen=True):
    """Where the provider answers, as it says itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class Tokens(msgspec.Struct, frozen=True):
    """What is given for a code."""

    id_token: str
    access_token: str = ""


class AwayError(Exception):
    """The provider does not answer as it has to; the text is for the operator's log."""


def read_provider(path: str) -> Provider:
    """What a file says. Raises `OperatorError` for one that cannot be read or is wrong, and for a missing secret."""
    try:
        with Path(path).open("rb") as file:
            told = tomllib.loads(file.read(MAX_FILE).decode())
        found = msgspec.convert({**told, "secret": ""} if "secret" not in told else told, Provider)
    except OSError as error:
        raise OperatorError("cannot-read", path=path, reason=error) from error
    except (ValueError, msgspec.ValidationError) as error:
        raise OperatorError("serve-provider-file", path=path, reason=clean.line(str(error))) from error
    wrong = [
        name
        for name, fits in (
            ("secret", not found.secret),  # not in a file that others may read
            ("issuer", _is_safe(found.issuer) and not found.issuer.endswith("/")),
            ("client", 0 < len(found.client) <= LONGEST_SUBJECT and found.client.isprintable()),
            ("title", 0 < len(clean.line(found.title)) <= LONGEST_TITLE),
        )
        if not fits
    ]
    if wrong:
        raise OperatorError("serve-provider-file", path=path, reason=", ".join(wrong))
    secret = read_secret(found.secret_file) if found.secret_file else os.environ.get(SECRET, "")
    return msgspec.structs.replace(found, secret=secret, title=clean.line(found.title))


def _is_safe(address: str) -> bool:
    """Whether secrets may be sent there: by https, or to this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.username or parts.fragment or not address.isprintable() or not host:
        return False
    return parts.scheme == HTTPS or (parts.scheme == "http" and _is_local(host))


def _is_local(host: str) -> bool:
    try:
        return host in LOCAL or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Client:
    """The site as a client of the provider. Every method that asks it raises `AwayError` where that fails."""

    def __init__(self, provider: Provider, callback: str) -> None:
        self.provider = provider
        self._callback = callback
        self._lock = threading.Lock()
        self._endpoints: Endpoints | None = None
        self._keys: KeySet | None = None
        self._asked = 0.0  # when both were asked for

    def address(self, state: str, nonce: str, verifier: str) -> str:
        """Where a browser goes to sign in there."""
        endpoint = self._known().authorization_endpoint
        asked = {
            "response_type": "code",
            "client_id": self.provider.client,
            "redirect_uri": self._callback,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"

    def redeem(self, code: str, nonce: str, verifier: str) -> Visitor:
        """Whom a code is about that a browser has brought back."""
        endpoints = self._known()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._callback,
            "code_verifier": verifier,
        }
        auth: httpx.BasicAuth | None = None
        if not self.provider.secret:
            form["client_id"] = self.provider.client
        elif "client_secret_basic" in endpoints.token_endpoint_auth_methods_supported:
            auth = httpx.BasicAuth(quote(self.provider.client, safe=""), quote(self.provider.secret, safe=""))
        else:
            form |= {"client_id": self.provider.client, "client_secret": self.provider.secret}
        answer = _ask("POST", endpoints.token_endpoint, data=form, auth=auth)
        try:
            return self._checked(msgspec.json.decode(answer, type=Tokens), nonce)
        except (msgspec.DecodeError, JoseError, ValueError, TypeError, KeyError) as error:
            raise AwayError(f"its token does not count: {error!r}") from error

    def _checked(self, tokens: Tokens, nonce: str) -> Visitor:
        token = self._decoded(tokens.id_token)
        own = {"iss": {"essential": True, "value": self.provider.issuer}}
        own["aud"] = {"essential": True, "value": self.provider.client}
        params = {"nonce": nonce, "client_id": self.provider.client, "access_token": tokens.access_token}
        claims: Any = CodeIDToken(token.claims, token.header, own, params)
        claims.validate(time(), SKEW)
        subject = token.claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
            raise ValueError("its subject")
        names = (token.claims.get(key) for key in ("preferred_username", "nickname", "name"))
        name = next((one for one in names if isinstance(one, str) and one.strip()), "")
        return Visitor(self.provider.issuer, subject, clean.line(name, 100))

    def _decoded(self, token: str) -> Any:
        """A token whose signature is the provider's; once its keys are asked for anew, as it may have others now."""
        keys = self._keys
        assert keys is not None
        try:
            return jwt.decode(token, keys, algorithms=ALGORITHMS)
        except (JoseError, ValueError):
            with self._lock:
                if monotonic() - self._asked < AGAIN:
                    raise
                self._look()
            return jwt.decode(token, self._keys or keys, algorithms=ALGORITHMS)

    def _known(self) -> Endpoints:
        with self._lock:
            if self._endpoints is None or monotonic() - self._asked > KNOWN:
                self._look()
            assert self._endpoints is not None
            return self._endpoints

    def _look(self) -> None:
        try:
            found = msgspec.json.decode(
                _ask("GET", f"{self.provider.issuer}/.well-known/openid-configuration"), type=Endpoints
            )
            places = (found.authorization_endpoint, found.token_endpoint, found.jwks_uri)
            if found.issuer.rstrip("/") != self.provider.issuer or not all(map(_is_safe, places)):
                raise AwayError("it says that it is somebody else, or has an address that is not safe")
            keys = KeySet.import_key_set(msgspec.json.decode(_ask("GET", found.jwks_uri)))
        except (msgspec.DecodeError, JoseError, ValueError, TypeError, KeyError) as error:
            raise AwayError(f"it does not say what it is: {error!r}") from error
        self._endpoints, self._keys, self._asked = found, keys, monotonic()


def _ask(method: str, url: str, **more: Any) -> bytes:
    """An answer of the provider. Raises `AwayError` for none, a late or a large one, and one that is no success."""
    end = monotonic() + WHOLE
    try:
        with (
            httpx.Client(timeout=WHOLE, follow_redirects=False, trust_env=False) as client,
            client.stream(method, url, headers={"Accept": "application/json"}, **more) as answer,
        ):
            content = b"".join(_bounded(answer.iter_bytes(), end))
            if answer.status_code != httpx.codes.OK:
                raise AwayError(
                    f"{method} {url}: {answer.status_code} {clean.line(content.decode('utf-8', 'replace'), 300)}"
                )
            return content
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise AwayError(f"{method} {url}: {error!r}") from error


def _bounded(pieces: Iterator[bytes], end: float) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_ANSWER or monotonic() > end:
            raise AwayError("its answer is too large, or too slow")
        yield piece
