"""The web server's application: its pages, what they may do, and what it answers when something is wrong."""

from __future__ import annotations

import secrets
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, StrictUndefined
from litestar import Litestar, Request, Response, Router, get
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template.config import TemplateConfig
from markupsafe import Markup, escape
from sqlalchemy import Connection, insert, select

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.api import problems, routes
from dohyo.guests.site.arena import distant as bots_at_home
from dohyo.guests.site.arena.contest_form import written_moment
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.quota import USUAL, Quota
from dohyo.guests.site.arena.sittings import Sittings
from dohyo.guests.site.distant.switchboard import Switchboard
from dohyo.guests.site.edge.asking import Asking, asking, first_language, language_of
from dohyo.guests.site.edge.moments import moment
from dohyo.guests.site.edge.outside import Outside, Rooted, rooted
from dohyo.guests.site.edge.security import guard_headers, refuse_foreign
from dohyo.guests.site.edge.senders import API
from dohyo.guests.site.edge.weight import Compressed, Templates, static_routers
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.pages import (
    accounts,
    alike,
    boards,
    bots,
    broadcast,
    contests,
    distant,
    exports,
    feedback,
    feeds,
    groups,
    hand_ins,
    ladders,
    live,
    log,
    matches,
    operating,
    organising,
    own_account,
    own_bots,
    own_matches,
    people,
    playing,
    points,
    puzzles,
    questions,
    revealing,
    rules,
    search,
    teaching,
    tokens,
    webhooks,
)
from dohyo.guests.site.pages import provider as provider_page
from dohyo.guests.site.pages.names import named
from dohyo.guests.site.pages.rules_text import coded
from dohyo.guests.site.people.provider import Client
from dohyo.guests.site.talk import announcements
from dohyo.guests.site.upkeep import logs
from dohyo.guests.site.upkeep.metrics import Metrics, SiteFigures
from dohyo.i18n import Speaker
from dohyo.series.store.database import Database
from dohyo.series.store.errors import FULL
from dohyo.web import page as viewer

PAGES: tuple[Any, ...] = (
    *(accounts, alike, contests, groups, hand_ins, ladders, log, matches, organising),
    *(operating, provider_page),
    *(boards, bots, broadcast, distant, exports, feedback, feeds, live, search),
    *(own_account, own_bots, own_matches, people, playing, points, puzzles, questions, revealing, rules, teaching),
    *(tokens, webhooks),
)
HERE = Path(__file__).parent
MAX_UPLOAD = 10 << 20  # bytes of a request: a hand-in and the rest of its form


def application(
    site: SiteFolder,
    database: Database,
    arena: Arena,
    place: Outside,
    metrics: Metrics,
    metrics_token: str = "",
    provider: Client | None = None,
    quota: Quota = USUAL,
    sittings: Sittings | None = None,
    signing_key: str = "",
) -> Litestar:
    """The site in this folder, as browsers reach it at this address: where that is by https, cookies say so.

    Its own addresses begin with /; `AtAddress` makes them what browsers use. Without `sittings` nobody plays here.
    With the `signing_key`, a file of minisign's, what organisers export is signed.
    """
    environment = _environment(place, provider)
    metrics.registry.register(SiteFigures(site, database, arena))
    handlers = [handler for each in PAGES for handler in each.HANDLERS]
    switchboard = Switchboard(site.home, partial(bots_at_home.admit, database))
    here: dict[str, Any] = {"site": site, "database": database, "arena": arena, "switchboard": switchboard}
    told = {"outside": place, "metrics": metrics, "metrics_token": metrics_token, "signing_key": signing_key}
    known = {**here, **told, "provider": provider, "quota": quota, "sittings": sittings}
    return Litestar(
        route_handlers=[
            # In one router: of handlers that Litestar 2.25 meets one by one, the second of a path is wrapped twice.
            Router(path="/", route_handlers=[*handlers, module, routes.show_page, routes.router()]),
            *static_routers(),
        ],
        dependencies={"ask": Provide(asking, sync_to_thread=True)},
        before_request=refuse_foreign,
        before_send=[guard_headers],
        csrf_config=_marks_of_forms(database, place),
        middleware=[Compressed],
        exception_handlers={Exception: refuse},
        request_max_body_size=MAX_UPLOAD,
        lifespan=[lambda _: switchboard.running()],
        state=State(known),
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(environment)),
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def _marks_of_forms(database: Database, place: Outside) -> CSRFConfig:
    """How forms are signed."""
    return CSRFConfig(
        secret=_secret(database),
        cookie_name="dohyo_form",
        cookie_httponly=True,
        cookie_secure=place.is_secure,
    )


def _environment(place: Outside, provider: Client | None) -> Environment:
    """What pages are made with: their templates, and what these may say."""
    environment = Environment(
        loader=Templates(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Rooted],
    )
    environment.filters["moment"] = moment
    environment.filters["named"] = named
    environment.filters["coded"] = coded
    environment.filters["announced"] = lambda words: Markup(announcements.html(words))  # which escapes all else
    environment.filters["utc"] = written_moment
    environment.globals["base"] = place.base
    environment.globals["provider"] = None if provider is None else provider.provider
    return environment


def compile_templates(site: Litestar) -> None:
    """Compile what all pages are made with, which their first views would wait for. Another thread may do it."""
    assert site.template_engine is not None
    environment: Environment = site.template_engine.engine
    for name in environment.list_templates():
        environment.get_template(name)


@get("/modules/{game:str}/{name:path}", sync_to_thread=True)
def module(ask: Asking, game: str, name: str) -> Response[Any]:
    """A module of the viewer, for a game: what draws a match that is played now."""
    try:
        found = viewer.modules(games.find(game))
    except OperatorError:
        return ask.nothing()
    path = found.get(name.lstrip("/"))
    if path is None:
        return ask.nothing()
    return Response(Path(path).read_bytes(), media_type="text/javascript", headers={"Cache-Control": "max-age=300"})


def _secret(database: Database) -> str:
    """What forms are signed with: made once, so that a form stays good when the server starts again."""

    def act(connection: Connection) -> str:
        settings = tables.settings
        found = connection.execute(select(settings.c.value).where(settings.c.name == "secret")).scalar()
        if found is None:
            found = secrets.token_hex(32)
            connection.execute(insert(settings).values(name="secret", value=found))
        return str(found)

    return database.write(act)


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The answer to what went wrong, and nothing of how the server is made.

    It is a page with one sentence; for a program, a problem.
    """
    is_api = request.url.path.startswith(API)
    told = ""
    if isinstance(error, HTTPException):
        status = error.status_code
    elif isinstance(error, OperatorError) or (isinstance(error, OSError) and error.errno in FULL):
        status = problems.status_of(error) if is_api else 503
        if isinstance(error, OperatorError) and error.key in problems.STATUSES:
            told = error.say(Speaker(language_of(request)))
        elif status == 503:  # a full disk, a locked or lost database: its sentence is the operator's
            logs.trouble(str(error))
    else:
        status = 500
        logs.trouble(traceback.format_exc())
    if is_api:
        return problems.answer(error, Speaker(first_language(request.headers.get("accept-language", ""))))
    if status == 404:
        with suppress(Exception):  # who asks is looked up in the database, which may be away: then the plain page
            return asking(request).nothing()
    headers = {"Retry-After": "10"} if status == 503 else {}
    kind, page = refused(
        status, request.url.path, Speaker(language_of(request)), request.app.state.outside.base, told
    )
    return Response(page, status_code=status, media_type=kind, headers=headers)


REASONS = {
    403: "serve.refused",
    404: "serve.nothing-here",
    413: "serve.too-large",
    500: "serve.broken",
    503: "serve.out-of-order",
}


def refused(status: int, path: str, speaker: Speaker, base: str, told: str = "") -> tuple[str, str]:
    """What says that something was not done, at an address: its type and its text.

    It is a page, for a program a problem; it needs neither the database nor the request. `base` is
    what stands before the site's addresses, and `told` a sentence that says more than the status.
    """
    if path.startswith(API):
        return problems.MEDIA_TYPE, msgspec.json.encode(problems.problem(status, speaker)).decode()
    page = rooted((HERE / "templates" / "refused.html").read_text(encoding="utf-8"), base)
    text = str(escape(told)) or speaker.say(REASONS.get(status, "serve.bad-request"))
    for name, value in {"title": speaker.say("serve.title"), "text": text, "language": speaker.language}.items():
        page = page.replace("{" + name + "}", value)
    return "text/html; charset=utf-8", page
