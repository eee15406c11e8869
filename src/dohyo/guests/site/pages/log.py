"""What organisers have done, for organisers: a page to read, and a file to keep. Nothing here changes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import Parameter
from litestar.response import Stream

from dohyo import clean
from dohyo.guests.site.edge.asking import Asking, organisers_only
from dohyo.guests.site.edge.moments import moment
from dohyo.guests.site.people import audit
from dohyo.guests.site.people.audit import Deed
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.i18n import Message

Before = Annotated[int | None, Parameter(ge=1, le=MAX_NUMBER)]


@get("/log", sync_to_thread=True)
def show_log(ask: Asking, before: Before = None) -> Response[Any]:
    """What was done last, or `before` a number."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    found = audit.deeds(ask.database, before=before)
    rows = [(deed, told(ask, deed)) for deed in found]
    older = found[-1].id if len(found) == audit.SHOWN else None
    return ask.page("log", rows=rows, older=older)


def told(ask: Asking, deed: Deed) -> str:
    """What was done, in words."""
    return ask.speaker.say_any(Message(f"serve.audit.{deed.what}", deed.about))


@get("/log/csv", sync_to_thread=True)
def save_log(ask: Asking) -> Response[Any]:
    """All of it as a table."""
    if (refused := organisers_only(ask)) is not None:
        return refused

    def rows() -> Iterator[str]:
        names = ("at", "who", "what", "ladder")
        yield clean.CSV_MARK + clean.csv_row(ask.say(f"serve.log-{name}") for name in names)
        for deed in audit.every(ask.database):
            who = deed.person or ask.say("serve.log-itself")
            yield clean.csv_row((moment(deed.at), who, told(ask, deed), deed.ladder))

    headers = {"Content-Disposition": 'attachment; filename="log.csv"'}
    return Stream(rows, media_type="text/csv", headers=headers)


HANDLERS = [show_log, save_log]
