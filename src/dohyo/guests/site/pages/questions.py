"""Questions at a ladder, and their answers."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, going, organisers_only, text
from dohyo.guests.site.pages.teaching import taught
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.talk import questions

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/ladders/{slug:str}/questions", sync_to_thread=True)
def show_questions(ask: Asking, slug: str) -> Response[Any]:
    """What was asked and answered, as far as it is for who asks; a form for a new question, or for answers."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ask.person is not None:
        questions.note_read(ask.database, ask.person, ladder)
    return ask.page("questions", **_shown(ask, ladder))


def _shown(ask: Asking, ladder: Ladder, words: str = "") -> dict[str, Any]:
    found = questions.shown(ask.database, ask.person, ladder)
    return {"ladder": ladder, "questions": found, "text": words, "most": questions.LONGEST}


@post("/ladders/{slug:str}/questions", sync_to_thread=True)
def put_question(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Ask the organisers something."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    words = text(data, "text", 2 * questions.LONGEST)
    try:
        questions.ask(ask.database, ask.person, ladder, words)
    except OperatorError as error:
        return ask.problem("questions", error, **_shown(ask, ladder, words))
    return going(f"/ladders/{slug}/questions")


@post("/ladders/{slug:str}/questions/{number:int}/answer", sync_to_thread=True)
def put_answer(ask: Asking, slug: str, number: int, data: Form) -> Response[Any]:
    """Answer a question, to its author alone or to all."""
    ladder = taught(ask, slug)
    if ladder is None or not 0 <= number <= MAX_NUMBER:
        return organisers_only(ask) or ask.nothing()
    words, public = text(data, "text", 2 * questions.LONGEST), text(data, "public", 5) == "yes"
    try:
        there = questions.answer(ask.database, ask.organiser, ladder, number, words, public=public)
    except OperatorError as error:
        return ask.problem("questions", error, **_shown(ask, ladder))
    return going(f"/ladders/{slug}/questions") if there else ask.nothing()


HANDLERS = [show_questions, put_question, put_answer]
