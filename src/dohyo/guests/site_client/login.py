"""Which site is meant, and the token for it: kept in this user's settings, or told by the environment."""

from __future__ import annotations

import ipaddress
import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from dohyo.core.errors import MachineError, OperatorError
from dohyo.system import settings

SITE, TOKEN = "DOHYO_SITE", "DOHYO_TOKEN"
MAX_KEPT = 1 << 14  # bytes
LONGEST_URL = 500
_TOKEN = re.compile(r"[\x21-\x7e]{1,200}")


class Login(msgspec.Struct, frozen=True):
    """A site's address, without a slash at its end, and a token for it."""

    site: str
    token: str


def address_of(url: str, plain_http: bool = False) -> str:
    """The address of a site as it was typed, without a slash at its end.

    Raises `OperatorError` for what is no address, and for one that others on the way could read along.
    """
    told = url.rstrip("/")
    try:
        parts = urlsplit(told)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or len(told) > LONGEST_URL or not re.fullmatch(r"https?://[\w.\-:\[\]%/~]+", told, re.ASCII):
        raise OperatorError("site-no-address", url=url)
    if parts.scheme == "http" and not plain_http and not is_here(told):
        raise OperatorError("site-plain", url=told)
    return told


def is_here(url: str) -> bool:
    """Whether an address is one of this machine's own, which nobody else can listen to."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_of(word: str) -> str:
    """A token as it was typed. Raises `OperatorError` for what is none."""
    told = word.strip()
    if not _TOKEN.fullmatch(told):
        raise OperatorError("site-no-token")
    return told


def known() -> Login:
    """The site and the token that commands use: those of the environment, otherwise those that are kept.

    Raises `OperatorError` where there are none, or where others on this machine can read the kept ones.
    """
    site, token = os.environ.get(SITE, ""), os.environ.get(TOKEN, "")
    if site and token:
        return Login(address_of(site), token_of(token))
    if site or token:  # a token is never sent to another site than it was meant for
        raise OperatorError("site-half", given=SITE if site else TOKEN, missing=TOKEN if site else SITE)
    try:
        place = _place()
        with open(place, "rb") as file:
            is_open = bool(stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077)
            content = file.read(MAX_KEPT)
    except FileNotFoundError as error:
        raise OperatorError("site-not-signed-in", site=SITE, token=TOKEN) from error
    except OSError as error:
        raise OperatorError("cannot-read", path=settings.USUAL, reason=error) from error
    if is_open:
        raise OperatorError("site-readable", path=place)
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        kept = msgspec.json.decode(content, type=Login)
        return Login(address_of(kept.site, plain_http=True), token_of(kept.token))
    raise OperatorError("site-not-signed-in", site=SITE, token=TOKEN)


def keep(login: Login) -> Path:
    """Keep a site and a token for later commands, for this user alone; where. Raises `OperatorError`."""
    try:
        place = _place()
        place.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=place.parent)  # which nobody else may read
        try:
            with open(descriptor, "wb") as file:
                file.write(msgspec.json.encode(login))
            os.replace(name, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise MachineError("cannot-write", path=settings.USUAL, reason=error) from error
    return place


def _place() -> Path:
    return settings.folder() / "site.json"
