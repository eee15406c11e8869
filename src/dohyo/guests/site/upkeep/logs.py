"""What the site says of itself on standard error: sentences for a person, or lines of JSON for a program.

As sentences only what is wrong is said. As JSON every request has a line, too: when, which page (the address's form,
never the address, which may hold the secret of a link), its status and its time; where it came from only if the
operator has asked for that.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site.request import JSON

_SITE = logging.getLogger("dohyo.site")


class _Lines(logging.Formatter):
    """A line of JSON for each event."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"at": at, "level": record.levelname.lower(), **record.__dict__.get("event", {})}
        if message := record.getMessage():
            told["message"] = message
        return msgspec.json.encode(told).decode()


def begin(form: str) -> None:
    """Write in this form from now on."""
    handler = logging.StreamHandler(sys.stderr)
    if form == JSON:
        handler.setFormatter(_Lines())
    _SITE.handlers = [handler]
    _SITE.propagate = False
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it notes every request, with its address
    _SITE.setLevel(logging.INFO if form == JSON else logging.WARNING)


def trouble(text: str) -> None:
    """Tell whoever runs the site that something is wrong."""
    _SITE.error("%s", clean.block(text.rstrip()))


@contextmanager
def telling() -> Iterator[None]:
    """A block that ends where something goes wrong in it, of whatever kind; whoever runs the site is told."""
    try:
        yield
    except OperatorError as error:
        trouble(error.say())
    except Exception:  # a defect of ours, which must not stop what comes after it
        trouble(traceback.format_exc())


def asked(method: str, route: str, status: int, seconds: float, address: str | None) -> None:
    """Note a request that was answered."""
    if _SITE.isEnabledFor(logging.INFO):
        event = {"event": "request", "method": method, "route": route, "status": status}
        event |= {"ms": round(seconds * 1000, 1), **({} if address is None else {"address": address})}
        _SITE.info("", extra={"event": event})
