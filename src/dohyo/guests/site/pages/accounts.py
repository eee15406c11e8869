"""Accounts: sign up, sign in, sign out; the link that makes an organiser; the language of the pages."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import (
    BROWSER,
    SESSION,
    AnyRequest,
    Asking,
    going,
    in_language,
    inside,
    signed_in,
    signed_out,
    text,
)
from dohyo.guests.site.people import accounts
from dohyo.i18n import LANGUAGES

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/sign-up", sync_to_thread=True)
def sign_up_page(ask: Asking) -> Response[Any]:
    """The form for a new account."""
    if ask.person is None and ask.has_no_passwords:
        return going("/sign-in")
    return going("/") if ask.person else ask.page("sign-up", name="", invitation="")


@post("/sign-up", sync_to_thread=True)
def sign_up(request: AnyRequest, ask: Asking, data: Form) -> Response[Any]:
    """Make an account, and begin its session."""
    if ask.has_no_passwords:
        return going("/sign-in")
    name, invitation = text(data, "name", 100), text(data, "invitation", 100)
    try:
        person = accounts.sign_up(ask.database, name, text(data, "password", 1000), ask.origin, invitation)
    except OperatorError as error:
        return ask.problem("sign-up", error, name=name, invitation=invitation)
    return signed_in(request, ask.database, person, "/ladders/new" if person.is_organiser else "/")


@get("/sign-in", sync_to_thread=True)
def sign_in_page(ask: Asking, next: str = "/") -> Response[Any]:  # noqa: A002
    """The form for somebody with an account; then on to where the link says, if that is on this site."""
    to = inside(next[:300])
    return going(to) if ask.person else ask.page("sign-in", name="", next=to)


@post("/sign-in", sync_to_thread=True)
def sign_in(request: AnyRequest, ask: Asking, data: Form) -> Response[Any]:
    """Begin a session."""
    if ask.has_no_passwords:
        return going("/sign-in")
    name, to = text(data, "name", 100), text(data, "next", 300)
    mark = request.cookies.get(BROWSER, "")
    try:
        person = accounts.sign_in(ask.database, name, text(data, "password", 1000), ask.origin, mark)
    except OperatorError as error:
        return ask.problem("sign-in", error, name=name, next=to)
    return signed_in(request, ask.database, person, to)


@post("/sign-out", sync_to_thread=True)
def sign_out(request: AnyRequest, ask: Asking) -> Response[Any]:
    """End the session."""
    if secret := request.cookies.get(SESSION, ""):
        accounts.end_session(ask.database, secret)
    return signed_out(request)


@get("/organise/{secret:str}", sync_to_thread=True)
def invitation_page(ask: Asking, secret: str) -> Response[Any]:
    """What an invitation leads to: a new organiser's account, or a button for somebody with an account."""
    if not accounts.is_open(ask.database, secret):
        error = OperatorError("serve-invitation-over")
        return ask.page("message", status=410, title=ask.say("serve.organise"), text=error.say(ask.speaker))
    if ask.person is None and ask.has_no_passwords:
        return ask.page("sign-in", name="", next=f"/organise/{secret}")
    if ask.person is None:
        return ask.page("sign-up", name="", invitation=secret)
    return ask.page("organise", secret=secret)


@post("/organise/{secret:str}", sync_to_thread=True)
def become_organiser(ask: Asking, secret: str) -> Response[Any]:
    """Make somebody with an account an organiser."""
    if ask.person is None:
        return ask.needs_account()
    try:
        accounts.promote(ask.database, ask.person, secret)
    except OperatorError as error:
        return ask.page("message", status=410, title=ask.say("serve.organise"), text=error.say(ask.speaker))
    return going("/ladders/new")


@post("/language", sync_to_thread=False)
def choose_language(request: AnyRequest, ask: Asking, data: Form) -> Response[Any]:
    """Choose the language of the pages."""
    chosen = text(data, "language", 10)
    to = text(data, "path", 300)
    return in_language(request, chosen, to) if chosen in LANGUAGES else going(to)


HANDLERS = [
    sign_up_page,
    sign_up,
    sign_in_page,
    sign_in,
    sign_out,
    invitation_page,
    become_organiser,
    choose_language,
]
