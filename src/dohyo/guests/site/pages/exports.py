"""An organiser downloads a ladder or a contest, in a form that other programs read, or that others can check."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, organisers_only, streamed, text
from dohyo.guests.site.pages.teaching import taught
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.upkeep import exporting
from dohyo.i18n.catalogue import has

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/ladders/{slug:str}/export", sync_to_thread=True)
def show_export(ask: Asking, slug: str) -> Response[Any]:
    """In which forms it can be had."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    return ask.page("export", **_shown(ask, ladder))


def _shown(ask: Asking, ladder: Ladder, chosen: str = "") -> dict[str, Any]:
    forms = [(form, _said(ask, form)) for form in exporting.forms()]
    return {"ladder": ladder, "forms": forms, "chosen": chosen, "is_signed": bool(ask.request.app.state.signing_key)}


def _said(ask: Asking, form: str) -> str:
    """What a form is for, in our words; of one that a guest has brought, its name."""
    key = f"serve.export.{form}"
    return ask.say(key) if has(key, {}) else form


@post("/ladders/{slug:str}/export", sync_to_thread=True)
def export(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """The file, or why there is none."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    form = text(data, "form", 40)
    key: str = ask.request.app.state.signing_key
    try:
        with ask.arena.opened() as store:
            if store is None or slug not in {contest.name for contest in store.contests()}:
                raise OperatorError("serve-export-empty")
        name, file = exporting.export(ask.site, ladder, form, key, ask.speaker.language)
    except OperatorError as error:
        return ask.problem("export", error, **_shown(ask, ladder, form))
    about = {"ladder": ladder.slug, "form": form}
    try:
        ask.database.write(lambda connection: audit(connection, ask.organiser, "export", about))
    except BaseException:
        file.close()
        raise
    return streamed(file, name)


HANDLERS = [show_export, export]
