"""What an organiser does with a ladder for a class: who sees it, and what is announced there."""

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
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.talk import announcements

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


def _shown(ask: Asking, ladder: Ladder, text: str = "") -> dict[str, Any]:
    told = announcements.last(ask.database, ask.person, ladder)
    return {"ladder": ladder, "groups": roster.all_of(ask.database), "told": told, "text": text}


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


@post("/ladders/{slug:str}/teaching/pseudonyms", sync_to_thread=True)
def hide_authors(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Show pseudonyms instead of authors' names, or the names again."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    ladders.hide_authors(ask.database, ask.organiser, ladder, hidden=text(data, "hidden", 5) == "yes")
    return going(f"/ladders/{slug}/teaching")


@post("/ladders/{slug:str}/teaching/announce", sync_to_thread=True)
def announce(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Tell everybody something at a ladder."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    words = text(data, "text", 2 * announcements.LONGEST)
    try:
        announcements.announce(ask.database, ask.organiser, ladder, words)
    except OperatorError as error:
        return ask.problem("teaching", error, **_shown(ask, ladder, words))
    return going(f"/ladders/{slug}")


@post("/ladders/{slug:str}/teaching/announcements/{number:int}/withdraw", sync_to_thread=True)
def withdraw(ask: Asking, slug: str, number: int) -> Response[Any]:
    """Take an announcement away."""
    ladder = taught(ask, slug)
    if ladder is None or not 0 <= number <= MAX_NUMBER:
        return organisers_only(ask) or ask.nothing()
    there = announcements.withdraw(ask.database, ask.organiser, ladder, number)
    return going(f"/ladders/{slug}/teaching") if there else ask.nothing()


HANDLERS = [show_teaching, give_to, hide_authors, announce, withdraw]
