"""What every handler knows of a request: who asks, in which language, and how its page is made."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any
from urllib.parse import quote

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import Cookie
from litestar.response import Redirect, Stream, Template

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import own_faults
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.quota import Quota
from dohyo.guests.site.edge.outside import Outside
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import accounts, browsers
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.talk import questions
from dohyo.i18n import LANGUAGES, Speaker
from dohyo.series.fault_reasons import FaultReason
from dohyo.series.store.database import Database

SESSION = "dohyo_session"
BROWSER = "dohyo_browser"  # that somebody has signed in here before: see `people/browsers.py`
LANGUAGE = "dohyo_language"
YEAR = 365 * 86_400
PIECE = 1 << 16  # bytes of a file that are sent at once
NAMES = {"en": "English", "ja": "日本語"}  # of languages, each in its own

AnyRequest = Request[Any, Any, Any]


class Asking(msgspec.Struct):
    """One request: the site, the person (none: a visitor), and who says the page's sentences."""

    request: AnyRequest
    site: SiteFolder
    database: Database
    arena: Arena
    person: Person | None
    speaker: Speaker

    def say(self, key: str, **values: object) -> str:
        """A sentence of the page."""
        return self.speaker.say(key, **values)

    def fault_told(self, reason: FaultReason, game: str) -> str:
        """What a bot of a game did wrong, in a sentence."""
        return own_faults.told(reason, game, self.speaker)

    def waiting_talk(self) -> questions.Waiting | None:
        """What waits to be read or answered by whoever asks."""
        return None if self.person is None else questions.waiting(self.database, self.person)

    def page(self, template: str, /, *, status: int = 200, **values: Any) -> Template:
        """A page by its template."""
        known = {
            "say": self.say,
            "person": self.person,
            "language": self.speaker.language,
            "languages": {one: NAMES.get(one, one) for one in LANGUAGES},
            "path": self.request.url.path,
            "address": self.address,
            "fault_told": self.fault_told,
            "waiting_talk": self.waiting_talk,
        }
        return Template(f"{template}.html", context={**known, **values}, status_code=status, media_type="text/html")

    def problem(self, template: str, error: OperatorError, /, **values: Any) -> Template:
        """A page whose form was not taken, with the sentence that says why.

        An error that is not about the form is raised again: its sentence is for whoever runs the site.
        """
        if not error.key.startswith("serve-"):
            raise error
        status = {"serve-too-often": 429, "serve-no-room": 503}.get(error.key, 422)
        page = self.page(template, status=status, problem=error.say(self.speaker), **values)
        if status == 503:
            page.headers["Retry-After"] = "10"
        return page

    def nothing(self) -> Template:
        """The page for an address that leads nowhere, or to what this person may not see.

        A visitor is offered to sign in and to be led there, whether or not there is anything: nobody learns which.
        """
        told = {"title": self.say("serve.nothing"), "text": self.say("serve.nothing-here"), "back": ""}
        if self.person is None and self.request.method == "GET":
            url = self.request.url
            told["back"] = f"{url.path}?{url.query}" if url.query else url.path
        return self.page("message", status=404, **told)

    def needs_account(self) -> Template:
        """The page for a visitor who has to sign in first."""
        return self.page(
            "sign-in", status=401, problem=self.say("serve.needs-account"), name="", next=self.request.url.path
        )

    @property
    def quota(self) -> Quota:
        """How much one person may keep here."""
        found: Quota = self.request.app.state.quota
        return found

    @property
    def organiser(self) -> Person:
        """The person, where `organisers_only` has let him through."""
        assert self.person is not None
        assert self.person.is_organiser
        return self.person

    def address(self, path: str) -> str:
        """The whole address of a page of ours, for somebody to be given it."""
        return whole_address(self.request, path)

    @property
    def has_no_passwords(self) -> bool:
        """Whether everybody signs in by the provider that the operator has named."""
        provider = self.request.app.state.provider
        return provider is not None and provider.provider.only

    @property
    def origin(self) -> str:
        """Where the request comes from, to count tries by."""
        client = self.request.client
        return place_of(None if client is None else client.host)


def whole_address(request: AnyRequest, path: str) -> str:
    """The whole address of a page of ours: where nobody has told the site its address, as this request reaches it."""
    place: Outside = request.app.state.outside
    return place.address(path) if place.is_told else f"{str(request.base_url).rstrip('/')}{path}"


def organisers_only(ask: Asking) -> Response[Any] | None:
    """The answer to whoever is no organiser, on a page that is organisers' alone; none for an organiser.

    A visitor is asked to sign in; for others the page is not there.
    """
    if ask.person is None:
        return ask.needs_account()
    return None if ask.person.is_organiser else ask.nothing()


def place_of(host: str | None) -> str:
    """What stands for an address where tries are counted: of IPv6 the network of one house, which has 64 bits."""
    try:
        found = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        plain = found.ipv4_mapped
        return str(plain) if plain is not None else str(ipaddress.ip_network((int(found), 64), strict=False))
    return str(found)


def asking(request: AnyRequest) -> Asking:
    """What is known of a request."""
    state = request.app.state
    secret = request.cookies.get(SESSION, "")
    person = accounts.of_session(state.database, secret) if secret else None
    return Asking(request, state.site, state.database, state.arena, person, Speaker(language_of(request)))


def language_of(request: AnyRequest) -> str:
    """The language that was chosen; otherwise the first one that the browser wants and there is."""
    if (chosen := request.cookies.get(LANGUAGE, "")) in LANGUAGES:
        return chosen
    return first_language(request.headers.get("accept-language", ""))


def first_language(header: str) -> str:
    """The first language of a browser's header that there is; English otherwise."""
    wanted: list[tuple[float, str]] = []
    for part in header[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), name.partition("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, name in sorted(wanted, key=lambda one: one[0]) if name in LANGUAGES), "en")


def signed_in(request: AnyRequest, database: Database, person: Person, to: str) -> Redirect:
    """The answer that begins a session, always a new one: an older one of this browser ends."""
    if older := request.cookies.get(SESSION, ""):
        accounts.end_session(database, older)
    secret = accounts.begin_session(database, person, request.headers.get("user-agent", ""))
    return going(to, [cookie(request, SESSION, secret, int(accounts.SESSION)), marked(request, database, person)])


def marked(request: AnyRequest, database: Database, person: Person) -> Cookie:
    """The cookie that says that this person has signed in in this browser, with the password of now."""
    return cookie(request, BROWSER, browsers.mark_of(database, person.id), YEAR)


def signed_out(request: AnyRequest) -> Redirect:
    """The answer that ends a session."""
    return going("/", [cookie(request, SESSION, "", 0)])


def in_language(request: AnyRequest, language: str, to: str) -> Redirect:
    """The answer that changes the language of this browser."""
    return going(to, [cookie(request, LANGUAGE, language, YEAR)])


def going(to: str, cookies: list[Cookie] | None = None) -> Redirect:
    """On to another page of ours, after a form."""
    return Redirect(inside(to), status_code=303, cookies=cookies)


def inside(path: str) -> str:
    """The path, if it is one of this site; the first page otherwise."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


def cookie(request: AnyRequest, name: str, value: str, seconds: int) -> Cookie:
    """A cookie of ours, for so long: it is sent to this site alone, and no script reads it."""
    secure = bool(request.app.state.outside.is_secure)
    return Cookie(key=name, value=value, path="/", max_age=seconds, httponly=True, samesite="lax", secure=secure)


def text(form: Mapping[str, Any], name: str, most: int = 500) -> str:
    """What was written into a field of a form; empty if nothing was."""
    value = form.get(name, "")
    return value[:most] if isinstance(value, str) else ""


def html(content: str, policy: str) -> Response[str]:
    """A whole page that was made elsewhere, with its own policy beside ours."""
    return Response(content, media_type="text/html", headers={"Content-Security-Policy": policy})


def streamed(file: IO[bytes], filename: str, kind: str = "application/octet-stream") -> Response[Any]:
    """A file to be kept, sent piece by piece, and closed at its end, also where somebody hangs up before."""

    def pieces() -> Iterator[bytes]:
        with file:
            while piece := file.read(PIECE):
                yield piece

    return in_pieces(pieces(), file.close, filename, kind)


def in_pieces(pieces: Iterator[bytes], close: Callable[[], None], filename: str, kind: str) -> Response[Any]:
    """A file to be kept, of these pieces; `close` ends them where somebody hangs up before their end.

    Without it they would stay until Python looks for cycles: what sends an iterator refers to itself.
    """
    headers = _named(filename)
    return Stream(pieces, status_code=200, media_type=kind, headers=headers, background=BackgroundTask(close))


def download(content: bytes, filename: str) -> Response[bytes]:
    """A file to be kept, never shown by the browser; its name has letters, digits and . _ + - alone."""
    return Response(content, media_type="application/octet-stream", headers=_named(filename))


def _named(filename: str) -> dict[str, str]:
    """The header by which a browser keeps a file under a name: as it is, or percent-encoded (RFC 6266)."""
    told = f'="{filename}"' if filename.isascii() else f"*=UTF-8''{quote(filename)}"
    return {"Content-Disposition": f"attachment; filename{told}"}
