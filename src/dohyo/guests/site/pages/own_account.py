"""One's own account: password, browsers that are signed in, all one's data, and its end."""

from __future__ import annotations

from threading import RLock
from typing import IO, Annotated, Any, ClassVar

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import own_bots, personal_export
from dohyo.guests.site.edge.asking import (
    PIECE,
    SESSION,
    AnyRequest,
    Asking,
    going,
    in_pieces,
    marked,
    signed_out,
    text,
)
from dohyo.guests.site.pages import people
from dohyo.guests.site.people import identities, leaving, limits, own_account
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.upkeep.room import need_room

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/account", sync_to_thread=True)
def show_account(request: AnyRequest, ask: Asking, done: str = "") -> Response[Any]:
    """One's own account."""
    if ask.person is None:
        return ask.needs_account()
    return ask.page("account", **{**_shown(ask, ask.person), "done": "password" if done == "password" else ""})


def _shown(ask: Asking, person: Person) -> dict[str, Any]:
    secret = ask.request.cookies.get(SESSION, "")
    provider = ask.request.app.state.provider
    return {
        "sessions": own_account.sessions_of(ask.database, person, secret),
        "has_password": own_account.has_password(ask.database, person),
        "is_tied": provider is not None and identities.is_tied(ask.database, person, provider.provider.issuer),
        "wrong": "",
        "done": "",
    }


def _problem(ask: Asking, person: Person, error: OperatorError, wrong: str, **values: Any) -> Response[Any]:
    """The page with a sentence beside the form that was not taken."""
    return ask.problem("account", error, **{**_shown(ask, person), "wrong": wrong, **values})


@post("/account/password", sync_to_thread=True)
def change_password(ask: Asking, data: Form) -> Response[Any]:
    """Choose another password; every other browser is signed out."""
    if ask.person is None:
        return ask.needs_account()
    try:
        if own_account.has_password(ask.database, ask.person):
            own_account.check_password(ask.database, ask.person, text(data, "old", 1000))
        secret = ask.request.cookies.get(SESSION, "")
        own_account.change_password(ask.database, ask.person, text(data, "new", 1000), secret)
    except OperatorError as error:
        return _problem(ask, ask.person, error, "password")
    return going("/account?done=password", [marked(ask.request, ask.database, ask.person)])


@post("/account/sessions", sync_to_thread=True)
def end_sessions(ask: Asking, data: Form) -> Response[Any]:
    """Sign one browser out, or all others."""
    if ask.person is None:
        return ask.needs_account()
    if name := text(data, "name", 100):
        own_account.end_session(ask.database, ask.person, name)
    else:
        own_account.end_others(ask.database, ask.person, ask.request.cookies.get(SESSION, ""))
    return going("/account")


@post("/account/export", sync_to_thread=True)
def export(ask: Asking) -> Response[Any]:
    """All one's own data, as a zip."""
    if ask.person is None:
        return ask.needs_account()
    try:
        need_room(ask.site.home)
        limits.take(ask.database, limits.EXPORT, str(ask.person.id))
        sent = Sent(ask.person.id)
    except OperatorError as error:
        return _problem(ask, ask.person, error, "export")
    try:
        sent.file = personal_export.export(ask.site, ask.database, ask.arena, ask.person)
    except BaseException:
        sent.close()
        raise
    return in_pieces(sent, sent.close, "dohyo-export.zip", "application/zip")


class Sent:
    """A person's export as it is made and sent, one at a time; the file ends with it, also where nobody reads on."""

    _busy: ClassVar[set[int]] = set()  # whose exports are on their way
    _lock: ClassVar[RLock] = RLock()  # Python may throw another one away, which takes it, while it is held

    def __init__(self, person: int) -> None:
        """Raises `OperatorError` while another one is on its way."""
        self.file: IO[bytes] | None = None
        self._person: int | None = None
        with self._lock:
            is_busy = person in self._busy
            self._busy.add(person)
        if is_busy:
            raise OperatorError("serve-own-export-runs")
        self._person = person

    def __iter__(self) -> Sent:
        """Its pieces."""
        return self

    def __next__(self) -> bytes:
        """The next piece."""
        file = self.file
        try:
            piece = b"" if file is None else file.read(PIECE)
        except BaseException:
            self.close()
            raise
        if piece:
            return piece
        self.close()
        raise StopIteration

    def close(self) -> None:
        """End it."""
        file, self.file = self.file, None
        if file is not None:
            file.close()
        with self._lock:
            if self._person is not None:
                self._busy.discard(self._person)
            self._person = None

    def __del__(self) -> None:
        self.close()


@post("/account/delete", sync_to_thread=True)
def delete_account(request: AnyRequest, ask: Asking, data: Form) -> Response[Any]:
    """Delete one's own account: name, code and logs."""
    if ask.person is None:
        return ask.needs_account()
    try:
        if own_account.has_password(ask.database, ask.person):
            own_account.check_password(ask.database, ask.person, text(data, "password", 1000))
        elif text(data, "name", 100).strip() != ask.person.name:
            raise OperatorError("serve-type-name", name=ask.person.name)
        leaving.check_may_leave(ask.database, ask.person)
        for bot in own_bots.of_person(ask.database, ask.person):
            own_bots.retire(ask.database, ask.arena, bot, for_good=True)
        gone = leaving.leave(ask.database, ask.person)
        if sittings := ask.request.app.state.sittings:
            sittings.leave(ask.person)  # what is played now is kept for nobody
    except OperatorError as error:
        return _problem(ask, ask.person, error, "delete")
    leaving.remove_files(ask.database, ask.site.files(), gone)
    return signed_out(request)


# --- a password that somebody has forgotten


@post("/account/reset-link", sync_to_thread=True)
def make_reset(ask: Asking, data: Form) -> Response[Any]:
    """An organiser makes a link by which somebody chooses another password."""
    if ask.person is None or not ask.person.is_organiser:
        return ask.nothing()
    called = text(data, "name", 100)
    try:
        secret, person = own_account.make_reset(ask.database, ask.person, called)
    except OperatorError as error:
        return ask.problem("people", error, **people.shown(ask, called))
    link = ask.address(f"/reset/{secret}")
    told = ask.say("serve.reset-link", name=person.name)
    return ask.page("people", **people.shown(ask, person.name, link=link, told=told))


@get("/reset/{secret:str}", sync_to_thread=True)
def reset_page(ask: Asking, secret: str) -> Response[Any]:
    """The form for another password."""
    person = own_account.of_reset(ask.database, secret)
    if person is None:
        error = OperatorError("serve-reset-over")
        return ask.page("message", status=410, title=ask.say("serve.new-password"), text=error.say(ask.speaker))
    return ask.page("reset", secret=secret, name=person.name)


@post("/reset/{secret:str}", sync_to_thread=True)
def reset(ask: Asking, secret: str, data: Form) -> Response[Any]:
    """Choose another password by such a link."""
    person = own_account.of_reset(ask.database, secret)
    try:
        own_account.use_reset(ask.database, secret, text(data, "new", 1000))
    except OperatorError as error:
        if person is None or error.key == "serve-reset-over":
            return ask.page("message", status=410, title=ask.say("serve.new-password"), text=error.say(ask.speaker))
        return ask.problem("reset", error, secret=secret, name=person.name)
    return going("/sign-in")


HANDLERS = [
    show_account,
    change_password,
    end_sessions,
    export,
    delete_account,
    make_reset,
    reset_page,
    reset,
]
