"""Handing in by a program, and what becomes of it: for its author, and for organisers."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import UploadFile
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.params import Parameter

from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import Ruling
from dohyo.guests.site.api.calling import NEEDED, Called
from dohyo.guests.site.api.values import (
    SLUG,
    USUAL_PAGE,
    After,
    ExaminedHandIn,
    FindingOut,
    HandInOut,
    HandIns,
    HandInSource,
    Limit,
    Number,
    Slug,
)
from dohyo.guests.site.arena import contests, hand_ins, ladders
from dohyo.guests.site.arena.contest_form import LONGEST_WORD
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.outs import with_outs
from dohyo.guests.site.arena.own_bots import refuse_out
from dohyo.guests.site.arena.replays import MAX_REPLAY
from dohyo.guests.site.edge.asking import AnyRequest, download, whole_address
from dohyo.guests.site.judging.examine import Examined, Said, Told
from dohyo.guests.site.people import tokens
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.upkeep.room import need_room

JSON, MULTIPART = "application/json", "multipart/form-data"
OfLadder = Annotated[str | None, Parameter(pattern=SLUG, description="Only those of this ladder.")]


@post("/ladders/{slug:str}/hand-ins", operation_id="hand-in", security=NEEDED)
async def hand_in(call: Called, request: AnyRequest, slug: Slug) -> HandInOut:
    """Hand in a file, as multipart/form-data with `bot` and `file`, or a source as JSON.

    The file is a source in any of the languages that are built here, or a zip of a folder. It waits for the judge:
    `GET /api/v1/hand-ins/{number}` says what becomes of it. Where a contest is entered by a word, `word` says it.
    """
    person = call.needs(tokens.HAND_IN)
    ladder = await sync_to_thread(_ladder, call, slug, person)
    asked = await _read(request)
    try:
        return await sync_to_thread(_hand_in, call, ladder, person, asked)
    except OperatorError as error:
        if error.key == "serve-word-needed":  # its page as this program reaches the site
            page = whole_address(request, f"/ladders/{slug}#hand-in")
            raise OperatorError(error.key, page=page) from error
        raise


def _ladder(call: Called, slug: str, person: Person) -> Ladder:
    ladder = ladders.find(call.database, slug, person)
    if ladder is None:
        raise NotFoundException
    return ladder


class Asked(msgspec.Struct):
    """What is handed in: for which bot, the file, and the word for a contest; empty: none was said."""

    bot: str
    filename: str
    content: bytes
    word: str


async def _read(request: AnyRequest) -> Asked:
    """What is handed in. Raises `HTTPException` for what is no hand-in."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == JSON:
        try:
            asked = msgspec.json.decode(await request.body(), type=HandInSource)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _wrong("body", str(error)) from error
        return Asked(asked.bot, asked.filename, asked.source.encode("utf-8", "replace"), asked.word)
    if kind != MULTIPART:
        raise HTTPException(status_code=415)
    form = await request.form()
    word = str(form.get("word", ""))[:LONGEST_WORD]
    match form.getall("bot", []), form.getall("file", []):
        case [str(bot)], [UploadFile(filename=str(filename)) as file] if bot and filename:
            return Asked(bot, filename, await file.read(), word)
    raise _wrong("body", "it needs one field bot with a name, and one field file with a file")


def _wrong(name: str, why: str) -> ValidationException:
    return ValidationException(extra=[{"key": name, "source": "body", "message": why}])


def _hand_in(call: Called, ladder: Ladder, person: Person, asked: Asked) -> HandInOut:
    need_room(call.site.home)
    refuse_out(call.database, call.arena, ladder, person, asked.bot)
    if asked.word and not contests.may_enter(call.database, ladder, person):
        contests.join(call.database, ladder, person, asked.word)
    files, of = call.site.files(), (asked.bot, asked.filename, asked.content)
    number = hand_ins.hand_in(call.database, files, ladder, person, *of, call.quota)
    row = hand_ins.find(call.database, number)
    assert row is not None
    return HandInOut(**_values(row))


@get("/hand-ins", operation_id="hand-ins", security=NEEDED, sync_to_thread=True)
def list_hand_ins(call: Called, ladder: OfLadder = None, after: After = 0, limit: Limit = USUAL_PAGE) -> HandIns:
    """One's own hand-ins, the newest first."""
    person = call.needs(tokens.READ, tokens.HAND_IN)
    within = None if ladder is None else _ladder(call, ladder, person)
    rows = with_outs(call.arena, hand_ins.of_person(call.database, person, within, limit + 1, after or None), person)
    last = rows[limit - 1].id if len(rows) > limit else None
    return HandIns([HandInOut(**_values(row)) for row in rows[:limit]], last)


@get("/hand-ins/{number:int}", operation_id="hand-in-found", security=NEEDED, sync_to_thread=True)
def show_hand_in(call: Called, number: Number) -> ExaminedHandIn:
    """What became of a hand-in: its state, and what the check found."""
    row = _seen(call, number)
    examined = msgspec.json.decode(row.found, type=Examined) if row.found else Examined(False)

    def said(words: Said) -> str:
        return words.get(call.speaker.language) or next(iter(words.values()), "")

    def finding(told: Told) -> FindingOut:
        words = said(told.said), said(told.where), said(told.advice)
        return FindingOut(told.severity, *words, told.count, told.input, told.written, told.errors)

    return ExaminedHandIn(
        **_values(row),
        language=examined.language,
        reason=said(examined.reason),
        log=examined.log,
        findings=[*map(finding, examined.findings)],
        match=row.replay is not None,
    )


@get(
    "/hand-ins/{number:int}/replay",
    operation_id="hand-in-replay",
    security=NEEDED,
    media_type="application/octet-stream",
    sync_to_thread=True,
)
def show_replay(call: Called, number: Number) -> Response[bytes]:
    """The replay of a hand-in's check match, with what the bot wrote to standard error."""
    row = _seen(call, number)
    if row.replay is None:
        raise NotFoundException
    return download(call.site.files().get(row.replay, MAX_REPLAY), f"hand-in-{row.id}.replay")


def _seen(call: Called, number: int) -> HandInRow:
    """A hand-in that this person may see. Raises `NotFoundException` otherwise: nobody learns which there are."""
    person = call.needs(tokens.READ, tokens.HAND_IN)
    row = hand_ins.find(call.database, number) if 0 <= number <= MAX_NUMBER else None
    if row is None or (row.person != person.id and not person.is_organiser):
        raise NotFoundException
    return with_outs(call.arena, [row], person)[0]


def _values(row: HandInRow) -> dict[str, Any]:
    """What is answered of every hand-in."""
    same = ("id", "bot", "version", "author", "filename", "at")
    state = "checking" if row.shown == "examined" else row.shown
    return {
        **{name: getattr(row, name) for name in same},
        "ladder": row.ladder.slug,
        "state": state,
        "disqualified": _why(row.out),
    }


def _why(out: Ruling | None) -> str:
    """Why a bot is disqualified; empty if it is not."""
    return "" if out is None else out.because


HANDLERS = [hand_in, list_hand_ins, show_hand_in, show_replay]
