"""Sends a message to an address that a stranger has named: never to one inside, and bounded in time and size.

The name is resolved once, and the connection goes to the address that was found then, so that no second answer
leads inside. Every address of the name has to be one of the whole internet's. No redirection is followed, no proxy is
asked, and of the answer only its status is read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from dohyo.core.errors import OperatorError

CONNECT = 5.0  # seconds for each piece of the connection
WHOLE = 15.0  # seconds for all of it
LONGEST_URL = 500
SECRET = "whsec_"  # how a secret begins, after the rules of standardwebhooks.com
_URL = re.compile(r"https://[A-Za-z0-9.\-:\[\]]+(?:[/?][\x21-\x7e]*)?")
# Ranges that hold addresses of the older kind, which may be inside.
_WRAPPING = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")))


_PROTOCOLS = ipaddress.IPv4Network("192.0.0.0/24")  # of which some count as global, and are nobody's


class ForbiddenError(Exception):
    """An address that nothing is sent to."""


def checked(url: str) -> str:
    """The address of a webhook as it was typed. Raises `OperatorError` for what can be none."""
    told = url.strip()
    try:
        parts = urlsplit(told)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise OperatorError("serve-hook-url") from error
    if len(told) > LONGEST_URL or not _URL.fullmatch(told) or not host or port == 0:
        raise OperatorError("serve-hook-url")
    try:
        is_inside = not is_outside(host)
    except ValueError:  # a name, which is looked at whenever something is sent
        is_inside = host == "localhost" or "." not in host or host.endswith((".localhost", ".local", ".internal"))
    if is_inside:
        raise OperatorError("serve-hook-inside")
    return told


def is_outside(address: str) -> bool:
    """Whether an address is one of the whole internet's. Raises `ValueError` for what is no address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_outside(str(found.ipv4_mapped))
        if any(found in network for network in _WRAPPING):
            return False
    return (
        found.is_global
        and found not in _PROTOCOLS
        and not getattr(found, "is_site_local", False)
        and not found.is_multicast
        and not found.is_reserved
    )


def resolved(host: str, port: int) -> str:
    """The address that a name has. Raises `ForbiddenError` if any of them is inside, and `OSError` if it has none."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not found or not all(map(is_outside, found)):
        raise ForbiddenError
    return found[0]


def signature(secret: str, number: str, at: int, body: bytes) -> str:
    """The signature of a message, as standardwebhooks.com says."""
    key = base64.b64decode(secret.removeprefix(SECRET))
    made = hmac.new(key, f"{number}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


class _Connection(http.client.HTTPSConnection):
    """A connection to an address that was looked at before, in the name of a host."""

    def __init__(self, parts: SplitResult, context: ssl.SSLContext, resolve: Callable[[str, int], str]) -> None:
        super().__init__(parts.hostname or "", parts.port or 443, timeout=CONNECT, context=context)
        self._own_context, self._resolve, self._is_over = context, resolve, False

    def connect(self) -> None:
        """Connect to the address, and check that it is the host's."""
        address = self._resolve(self.host, self.port)
        plain = socket.create_connection((address, self.port), CONNECT)
        self.sock = self._own_context.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self._is_over:  # a name server, or the way there, took all the time
            raise TimeoutError
        self.sock.do_handshake()

    def cut(self) -> None:
        """End it, whatever waits for it, also before it has begun."""
        self._is_over = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def send(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    context: ssl.SSLContext | None = None,
    resolve: Callable[[str, int], str] = resolved,
) -> str:
    """Send a message; empty if it was taken, otherwise a word for why not."""
    parts = urlsplit(url)
    connection = _Connection(parts, context or ssl.create_default_context(), resolve)
    end = Timer(WHOLE, connection.cut)
    end.daemon = True
    end.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, dict(headers))
        status = connection.getresponse().status
        return "" if 200 <= status < 300 else str(status)
    except ForbiddenError:
        return "inside"
    except ssl.SSLError:
        return "tls"
    except (OSError, http.client.HTTPException, ValueError, AttributeError):
        return "unreachable"
    finally:
        end.cancel()
        connection.close()
