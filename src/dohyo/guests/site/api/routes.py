"""All that programs can ask for, in one router, and its description: as OpenAPI 3.1, and as a page."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Response, Router, get
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Server

from dohyo import __version__
from dohyo.guests.site.api import hand_ins, ladders, matches
from dohyo.guests.site.api.calling import MIDDLEWARE, calling
from dohyo.guests.site.api.problems import MEDIA_TYPE, SAYS, Problem
from dohyo.guests.site.api.values import HandInSource
from dohyo.guests.site.edge.asking import AnyRequest, Asking
from dohyo.i18n import ENGLISH

PLACE = "/api/v1"
DESCRIBED = (400, 401, 403, 404, 413, 415, 422, 429, 503)
FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
FORM = {
    "type": "object",
    "required": ["bot", "file"],
    "properties": {"bot": {"type": "string", "minLength": 1}, "file": FILE, "word": {"type": "string"}},
}
HAND_IN_PATH = f"{PLACE}/ladders/{{slug}}/hand-ins"


@get("/openapi.json", include_in_schema=False, media_type="application/json", sync_to_thread=True)
def show_document(request: AnyRequest) -> Response[bytes]:
    """The description, as OpenAPI 3.1, with the path below which browsers reach the site."""
    here = [{"url": request.app.state.outside.base or "/"}]
    return Response(msgspec.json.encode({**document(), "servers": here}), media_type="application/json")


@get(PLACE, sync_to_thread=True)
def show_page(ask: Asking) -> Response[Any]:
    """The description, as a page for people."""
    return ask.page("api", operations=_operations())


def router() -> Router:
    """The router of all calls: no forms' marks, no cookies, and problems instead of pages."""
    return Router(
        path=PLACE,
        route_handlers=[*ladders.HANDLERS, *matches.HANDLERS, *hand_ins.HANDLERS, show_document],
        dependencies={"call": Provide(calling, sync_to_thread=False)},
        middleware=MIDDLEWARE,
        before_request=_nothing_before,
        opt={"exclude_from_csrf": True},
    )


async def _nothing_before(request: object) -> None:
    """What forms are looked at for does not apply: a browser adds no token by itself."""


@cache
def document() -> dict[str, Any]:
    """The description of all calls, as OpenAPI 3.1."""
    about = OpenAPIConfig(
        title="Dohyo",
        version=__version__,
        description=ENGLISH.say("serve.api-lead"),
        servers=[Server(url="/")],
        components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
        use_handler_docstrings=True,
    )
    made = Litestar([router()], openapi_config=about).openapi_schema.to_schema()
    (source, problem), schemas = msgspec.json.schema_components(
        [HandInSource, Problem], ref_template="#/components/schemas/{name}"
    )
    made["components"]["schemas"].update(schemas)
    for calls in made["paths"].values():
        for call in calls.values():
            call["responses"].update(_problems(problem))
            call["summary"] = ENGLISH.say(f"serve.api.{call['operationId']}")
    made["paths"][HAND_IN_PATH]["post"]["requestBody"] = {
        "required": True,
        "content": {hand_ins.MULTIPART: {"schema": FORM}, hand_ins.JSON: {"schema": source}},
    }
    return made


def _problems(schema: Any) -> dict[str, Any]:
    """The answers to what goes wrong, as OpenAPI has them."""
    return {
        str(status): {
            "description": ENGLISH.say(SAYS.get(status, "serve.api-bad-request")),
            "content": {MEDIA_TYPE: {"schema": schema}},
        }
        for status in DESCRIBED
    }


def _operations() -> list[dict[str, Any]]:
    """What the page lists: every call with what it takes."""
    return [
        {"method": method.upper(), "path": path, **call}
        for path, calls in document()["paths"].items()
        for method, call in calls.items()
    ]
