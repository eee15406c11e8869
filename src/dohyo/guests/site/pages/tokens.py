"""A person's tokens: made, shown once, listed, revoked."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import Asking, going, text
from dohyo.guests.site.people import tokens
from dohyo.guests.site.tables import MAX_NUMBER

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/tokens", sync_to_thread=True)
def show_tokens(ask: Asking) -> Response[Any]:
    """The person's tokens, and the form for a new one."""
    return ask.needs_account() if ask.person is None else ask.page("tokens", **_shown(ask))


@post("/tokens", sync_to_thread=True)
def make_token(ask: Asking, data: Form) -> Response[Any]:
    """Make a token, and show its secret this once."""
    if ask.person is None:
        return ask.needs_account()
    name, until = text(data, "name", 200), text(data, "until", 20)
    scopes = [scope for scope in tokens.SCOPES if text(data, scope)]
    try:
        secret = tokens.make(ask.database, ask.person, name, scopes, _days_to(until))
    except OperatorError as error:
        return ask.problem("tokens", error, **{**_shown(ask), "name": name, "until": until, "chosen": scopes})
    return ask.page("tokens", **{**_shown(ask), "secret": secret})


@post("/tokens/{number:int}/revoke", sync_to_thread=True)
def revoke_token(ask: Asking, number: int) -> Response[Any]:
    """Revoke a token."""
    if ask.person is None:
        return ask.needs_account()
    if not 0 <= number <= MAX_NUMBER or not tokens.revoke(ask.database, ask.person, number):
        return ask.nothing()
    return going("/tokens")


def _shown(ask: Asking) -> dict[str, Any]:
    assert ask.person is not None
    today = _today()
    return {
        "tokens": tokens.of_person(ask.database, ask.person),
        "secret": "",
        "name": "",
        "until": today + datetime.timedelta(days=tokens.USUAL_DAYS),
        "first": today + datetime.timedelta(days=1),
        "last": today + datetime.timedelta(days=tokens.LONGEST_DAYS),
        "chosen": [tokens.READ, tokens.HAND_IN],
        "scopes": [scope for scope in tokens.SCOPES if scope != tokens.ORGANISE or ask.person.is_organiser],
        "day": _day,
    }


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def _day(moment: float) -> str:
    """A moment as a day (UTC)."""
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).date().isoformat()


def _days_to(day: str) -> int:
    """How many days there are to a day as a browser writes it; none for what is no day."""
    try:
        return (datetime.date.fromisoformat(day) - _today()).days
    except ValueError:
        return 0


HANDLERS = [show_tokens, make_token, revoke_token]
