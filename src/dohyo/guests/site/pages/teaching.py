"""What an organiser does with a ladder for a class: who sees it."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, going, organisers_only, text
from dohyo.guests.site.groups import roster

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


def taught(ask: Asking, slug: str) -> Ladder | None:
    """The ladder of this name, for an organiser; none for everybody else."""
    is_one = ask.person is not None and ask.person.is_organiser
    return ladders.find(ask.database, slug, ask.person) if is_one else None


def chosen(data: dict[str, Any], name: str = "group") -> int | None:
    """The class that was chosen in a form; none for everybody."""
    given = text(data, name, 10)
    return int(given) if given.isdecimal() else None


@get("/ladders/{slug:str}/teaching", sync_to_thread=True)
def show_teaching(ask: Asking, slug: str) -> Response[Any]:
    """What can be done with a ladder for a class."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    return ask.page("teaching", **_shown(ask, ladder))


def _shown(ask: Asking, ladder: Ladder) -> dict[str, Any]:
    return {"ladder": ladder, "groups": roster.all_of(ask.database)}


@post("/ladders/{slug:str}/teaching/class", sync_to_thread=True)
def give_to(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Let a ladder be for a class alone, or for everybody."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    try:
        ladders.give_to(ask.database, ask.organiser, ladder, chosen(data))
    except OperatorError as error:
        return ask.problem("teaching", error, **_shown(ask, ladder))
    return going(f"/ladders/{slug}/teaching")


HANDLERS = [show_teaching, give_to]
