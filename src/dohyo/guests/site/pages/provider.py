"""Sign-in by a provider of OpenID Connect: to it, back from it, and a name or an account for whoever is new."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body
from litestar.response import Redirect

from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import AnyRequest, Asking, cookie, going, inside, signed_in, text
from dohyo.guests.site.people import accounts, identities
from dohyo.guests.site.people.identities import Visit
from dohyo.guests.site.people.provider import AwayError, Client, Visitor
from dohyo.guests.site.upkeep import logs

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
VISIT = "dohyo_visit"
LONGEST = 4096  # characters of a code


@get("/sign-in/provider", sync_to_thread=True)
def set_out(ask: Asking, next: str = "/") -> Response[Any]:  # noqa: A002
    """To the provider, with what proves afterwards that this browser has set out here."""
    client = _client(ask)
    if client is None:
        return ask.nothing()
    try:
        secret, visit = identities.begin(ask.database, inside(next[:300]), ask.origin)
        to = client.address(secret, visit.nonce, visit.verifier)
    except OperatorError as error:
        return ask.problem("sign-in", error, name="", next=inside(next[:300]))
    except AwayError as error:
        return _away(ask, client, error)
    return Redirect(to, status_code=303, cookies=[_kept(ask, secret)])


@get("/sign-in/back", sync_to_thread=True)
def come_back(request: AnyRequest, ask: Asking, code: str = "", iss: str = "") -> Response[Any]:
    """Back from the provider: the account that belongs to whoever it names; otherwise what is to be done."""
    client = _client(ask)
    secret, state = request.cookies.get(VISIT, ""), str(request.query_params.get("state", ""))
    visit = identities.find(ask.database, secret) if secret else None
    if client is None:
        return ask.nothing()
    is_ours = visit is not None and not visit.subject and secrets.compare_digest(state.encode(), secret.encode())
    if visit is None or not is_ours or not 0 < len(code) <= LONGEST or iss not in ("", client.provider.issuer):
        return _message(ask, client, "serve.provider-refused", 400)
    try:
        visitor = client.redeem(code, visit.nonce, visit.verifier)
        person = identities.owner(ask.database, visitor)
    except AwayError as error:
        identities.end(ask.database, secret)
        return _away(ask, client, error)
    except OperatorError as error:
        identities.end(ask.database, secret)
        return ask.problem("sign-in", error, name="", next="/")
    if person is not None:
        identities.end(ask.database, secret)
        return signed_in(request, ask.database, person, visit.next)
    new = identities.come_back(ask.database, secret, visitor)
    page = _new(ask, client, visitor.name)
    page.set_cookie(_kept(ask, new))
    return page


def _new(ask: Asking, client: Client, name: str, error: OperatorError | None = None) -> Response[Any]:
    """The page for whoever has no account yet: a name for a new one, or the one of this session."""
    values: dict[str, Any] = {"title": client.provider.title, "name": name[: accounts.LONGEST_NAME]}
    return ask.page("provider", **values) if error is None else ask.problem("provider", error, **values)


@post("/sign-in/new", sync_to_thread=True)
def make_account(request: AnyRequest, ask: Asking, data: Form) -> Response[Any]:
    """Make an account for whoever has come back, or tie what the provider says to the account of this session."""
    client = _client(ask)
    secret = request.cookies.get(VISIT, "")
    visit = identities.find(ask.database, secret) if secret else None
    if client is None:
        return ask.nothing()
    if visit is None or not visit.subject:
        return _message(ask, client, "serve.provider-refused", 400)
    name = text(data, "name", 100)
    try:
        answer = _made(request, ask, visit, name)
    except OperatorError as error:
        return _new(ask, client, name, error)
    identities.end(ask.database, secret)
    return answer


def _made(request: AnyRequest, ask: Asking, visit: Visit, name: str) -> Response[Any]:
    if ask.person is not None:
        identities.tie(ask.database, ask.person, visit)
        return going(visit.next)
    visitor = Visitor(visit.issuer, visit.subject, visit.name)
    person = identities.owner(ask.database, visitor) or identities.sign_up(ask.database, name, visit, ask.origin)
    return signed_in(request, ask.database, person, visit.next)


def _client(ask: Asking) -> Client | None:
    client: Client | None = ask.request.app.state.provider
    return client


def _kept(ask: Asking, secret: str) -> Any:
    return cookie(ask.request, VISIT, secret, int(identities.VISIT))


def _away(ask: Asking, client: Client, error: AwayError) -> Response[Any]:
    logs.trouble(f"{client.provider.issuer}: {error}")
    return _message(ask, client, "serve.provider-away", 502)


def _message(ask: Asking, client: Client, key: str, status: int) -> Response[Any]:
    said = ask.say(key, title=client.provider.title)
    return ask.page("message", status=status, title=ask.say("serve.sign-in"), text=said)


HANDLERS = [set_out, come_back, make_account]
