"""A person's webhooks: registered, their secret shown once, listed, removed."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import Asking, going, text
from dohyo.guests.site.hooks import webhooks
from dohyo.guests.site.tables import MAX_NUMBER

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/webhooks", sync_to_thread=True)
def show_webhooks(ask: Asking) -> Response[Any]:
    """The person's webhooks, and the form for a new one."""
    return ask.needs_account() if ask.person is None else ask.page("webhooks", **_shown(ask))


@post("/webhooks", sync_to_thread=True)
def make_webhook(ask: Asking, data: Form) -> Response[Any]:
    """Register an address, and show its secret this once."""
    if ask.person is None:
        return ask.needs_account()
    url = text(data, "url", 1000)
    try:
        secret = webhooks.make(ask.database, ask.person, url)
    except OperatorError as error:
        return ask.problem("webhooks", error, **{**_shown(ask), "url": url})
    return ask.page("webhooks", **{**_shown(ask), "secret": secret})


@post("/webhooks/{number:int}/remove", sync_to_thread=True)
def remove_webhook(ask: Asking, number: int) -> Response[Any]:
    """Remove a webhook."""
    if ask.person is None:
        return ask.needs_account()
    if not 0 <= number <= MAX_NUMBER or not webhooks.remove(ask.database, ask.person, number):
        return ask.nothing()
    return going("/webhooks")


def _shown(ask: Asking) -> dict[str, Any]:
    assert ask.person is not None
    return {"webhooks": webhooks.of_person(ask.database, ask.person), "secret": "", "url": ""}


HANDLERS = [show_webhooks, make_webhook, remove_webhook]
