"""Ladders and their standings, and whose token asks."""

from __future__ import annotations

from time import time

import msgspec
from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.guests.site.api.calling import NEEDED, OPEN, Called
from dohyo.guests.site.api.problems import ScopeError
from dohyo.guests.site.api.values import (
    USUAL_PAGE,
    After,
    BotName,
    ContestOut,
    LadderOut,
    Ladders,
    Limit,
    Me,
    NewLadder,
    Slug,
    Standing,
    Standings,
    TokenOut,
)
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.contest_page import contest_lines, contest_page, is_over
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.outs import outs
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import LadderPage, Line, bot_page, some_lines
from dohyo.guests.site.people import tokens


@get("/me", operation_id="me", security=NEEDED, sync_to_thread=False)
def me(call: Called) -> Me:
    """Whose token it is, what it may do, and when it ends."""
    person = call.needs(*tokens.SCOPES)
    assert call.token is not None
    own = TokenOut(call.token.name, [*call.token.scopes], call.token.until)
    return Me(person.name, "organiser" if person.is_organiser else "author", own)


@get("/ladders", operation_id="list-ladders", security=OPEN, sync_to_thread=True)
def list_ladders(call: Called, after: After = 0, limit: Limit = USUAL_PAGE) -> Ladders:
    """All ladders and contests, the oldest first."""
    left = [ladder for ladder in ladders.all_of(call.database, call.person) if ladder.id > after]
    last = left[limit - 1].id if len(left) > limit else None
    return Ladders([shown(call, ladder) for ladder in left[:limit]], last)


@post("/ladders", operation_id="make-ladder", security=NEEDED, sync_to_thread=True)
def make_ladder(call: Called, data: JSONBody[NewLadder]) -> LadderOut:
    """Make a ladder of a game: for organisers."""
    person = call.needs(tokens.ORGANISE)
    if not person.is_organiser:
        raise ScopeError(tokens.ORGANISE)
    try:
        games.find(data.game)
    except OperatorError as error:
        raise OperatorError("serve-no-game") from error
    return shown(call, ladders.make(call.database, person, data.game, data.title))


@get("/ladders/{slug:str}", operation_id="ladder", security=OPEN, sync_to_thread=True)
def show_ladder(call: Called, slug: Slug) -> LadderOut:
    """A ladder or a contest."""
    return shown(call, found(call, slug))


@get("/ladders/{slug:str}/standings", operation_id="standings", security=OPEN, sync_to_thread=True)
def show_standings(call: Called, slug: Slug, after: After = 0, limit: Limit = USUAL_PAGE) -> Standings:
    """Who stands where, the best first; in a contest by its format's places."""
    ladder, end = found(call, slug), after + limit
    if ladder.terms is not None:
        lines = contest_lines(call.arena, call.database, ladder, call.person)
        page = LadderPage(lines=lines[after:end], bots=len(lines))
        page.played = contest_page(call.arena, call.database, ladder, call.person).played
    else:
        with seen(call.arena, ladder, call.person) as store:
            page = some_lines(store, ladder.slug, after, limit)
    return Standings(_standings(call, ladder, page.lines), page.played, end if end < page.bots else None)


@get("/ladders/{slug:str}/bots/{name:str}", operation_id="bot", security=OPEN, sync_to_thread=True)
def show_bot(call: Called, slug: Slug, name: BotName) -> Standing:
    """How a bot stands."""
    ladder = found(call, slug)
    with seen(call.arena, ladder, call.person) as store:
        page = bot_page(store, ladder.slug, name)
    line = None if page is None else page.line
    if (
        line is not None and ladder.terms is not None and name not in outs(call.arena, ladder, call.person)
    ):  # there places follow from the format
        lines = contest_lines(call.arena, call.database, ladder, call.person)
        line = next((each for each in lines if each.bot == name), None)
    if line is None:
        raise NotFoundException
    return _standings(call, ladder, [line])[0]


def found(call: Called, slug: str) -> Ladder:
    """The ladder of this name. Raises `NotFoundException` where there is none for whoever calls."""
    ladder = ladders.find(call.database, slug, call.person)
    if ladder is None:
        raise NotFoundException
    return ladder


def shown(call: Called, ladder: Ladder) -> LadderOut:
    """A ladder as it is answered."""
    now, contest = time(), None
    if (terms := ladder.terms) is not None:
        same = (terms.opens, terms.closes, terms.starts, terms.ends, terms.format, terms.rounds)
        contest = ContestOut(terms.phase(now, is_over(call.arena, ladder, call.person)), *same)
    frozen = ladder.frozen if ladder.is_frozen(now) else None
    return LadderOut(ladder.slug, ladder.title, ladder.game, not ladder.trouble, frozen, contest)


def _standings(call: Called, ladder: Ladder, lines: list[Line]) -> list[Standing]:
    """These lines as they are answered, with the names of those who handed the bots in."""
    authors = hand_ins.authors(call.database, ladder, [line.bot for line in lines], call.person)
    out = {name: ruling.because for name, ruling in outs(call.arena, ladder, call.person).items()}
    found = []
    for line in lines:
        more = {"author": authors.get(line.bot, ""), "disqualified": out.get(line.bot, "")}
        found.append(msgspec.convert({**msgspec.structs.asdict(line), **more}, Standing))
    return found


HANDLERS = [me, list_ladders, make_ladder, show_ladder, show_standings, show_bot]
