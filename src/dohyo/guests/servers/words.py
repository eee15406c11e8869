"""Bots that are servers: an address in the place of a program. They are not started, built or contained here."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from dohyo.bots.bot import Bot
from dohyo.bots.content import printable
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.errors import OperatorError
from dohyo.guests.servers.messages import LANGUAGE

SCHEMES = ("http://", "https://")
LONGEST = 300  # characters of an address


def bot_at(server: Elsewhere) -> Bot:
    """The server at its address. Raises `OperatorError` for one that is not plain: with a password, say."""
    spec = server.address
    try:
        parts = urlsplit(spec)
        port = parts.port
        (parts.hostname or "").encode("idna")  # as it is looked up: no part of it is empty or too long
    except ValueError as error:
        raise OperatorError("bot-address", bot=printable(spec)) from error
    is_plain = spec.isascii() and spec.isprintable() and " " not in spec and len(spec) <= LONGEST
    if not is_plain or not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        raise OperatorError("bot-address", bot=printable(spec))
    address = spec.rstrip("/")
    name = f"{parts.hostname}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
    digest = hashlib.sha256(address.encode()).hexdigest()
    return Bot(name=name, command=(), folder="", digest=digest, language=LANGUAGE, address=address, spec=server)
