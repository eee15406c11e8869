"""Everybody with an account, for organisers: roles, closed accounts, and links for other organisers."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body, Parameter

from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import Asking, going, organisers_only, text
from dohyo.guests.site.people import accounts, directory
from dohyo.guests.site.tables import MAX_NUMBER

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
MAX_PAGE = 100_000

Page = Annotated[int, Parameter(ge=1, le=MAX_PAGE)]


@get("/people", sync_to_thread=True)
def show_people(ask: Asking, search: str = "", page: Page = 1) -> Response[Any]:
    """Everybody whose name contains what is searched for."""
    return organisers_only(ask) or ask.page("people", **shown(ask, search, page))


@post("/people/invite", sync_to_thread=True)
def invite(ask: Asking) -> Response[Any]:
    """A link that makes somebody an organiser, once: shown here and never again."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    link = ask.address(f"/organise/{directory.invite(ask.database, ask.organiser)}")
    return ask.page("people", **shown(ask, "", link=link, told=ask.say("serve.invite-link")))


@post("/people/{number:int}/{what:str}", sync_to_thread=True)
def change(ask: Asking, number: int, what: str, data: Form) -> Response[Any]:
    """Give somebody another role, or close or open an account."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    if not 0 <= number <= MAX_NUMBER or what not in get_args(directory.Change):
        return ask.nothing()
    try:
        found = directory.change(ask.database, ask.organiser, number, what)  # type: ignore[arg-type]
    except OperatorError as error:
        return ask.problem("people", error, **shown(ask, text(data, "search", 100), 1))
    return ask.nothing() if found is None else going(text(data, "back", 300) or "/people")


def shown(ask: Asking, search: str, page: int = 1, link: str = "", told: str = "") -> dict[str, Any]:
    """What the page shows; a `link` that was made, and what is `told` of it."""
    wanted = search[: 2 * accounts.LONGEST_NAME]
    return {"search": wanted, "found": directory.everybody(ask.database, wanted, page), "link": link, "told": told}


HANDLERS = [show_people, invite, change]
