"""The first page, a ladder, and how an organiser makes a ladder."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.guests.site.arena import distant, hand_ins, ladders
from dohyo.guests.site.arena.contest_form import read_played
from dohyo.guests.site.arena.highlights import best_match
from dohyo.guests.site.arena.house import begins_alike, clock_of, is_doubled, table_of
from dohyo.guests.site.arena.outs import outs, with_outs
from dohyo.guests.site.arena.own_faults import faults_of
from dohyo.guests.site.arena.resting import ladder_rests
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import LadderPage, Line, first_lines, how_sure, ladder_page
from dohyo.guests.site.arena.uploads import MAX_BYTES, MAX_FILES
from dohyo.guests.site.edge.asking import Asking, going, text
from dohyo.guests.site.groups import roster
from dohyo.guests.site.pages.contests import MAX_FIELDS, contest_card, setup_fields, show_contest
from dohyo.guests.site.pages.playable import playable
from dohyo.guests.site.pages.teaching import chosen
from dohyo.guests.site.people.accounts import LONGEST_NAME
from dohyo.guests.site.talk import announcements, questions

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/", sync_to_thread=True)
def front(ask: Asking) -> Response[Any]:
    """The first page: every ladder, and how to begin."""
    every = ladders.all_of(ask.database, ask.person)
    there = [_card(ask, ladder) for ladder in every if ladder.retired is None]
    retired = [(ladder, games.find(ladder.game).title) for ladder in every if ladder.retired is not None]
    best = best_match(ask.arena, ladders.all_of(ask.database, None))
    told = announcements.last(ask.database, ask.person)
    return ask.page("front", ladders=there, retired=retired, best=best, told=told)


def _card(ask: Asking, ladder: ladders.Ladder) -> dict[str, Any]:
    """What the first page shows of a ladder or a contest that is not retired: of a retired one it has the name."""
    with seen(ask.arena, ladder, ask.person) as store:
        page = first_lines(store, ladder.slug)
    contest = contest_card(ask, ladder) if ladder.terms is not None else None
    return {"ladder": ladder, "game": games.find(ladder.game).title, "page": page, "contest": contest}


@get("/ladders/new", sync_to_thread=True)
def new_ladder_page(ask: Asking) -> Response[Any]:
    """The form for a new ladder."""
    if ask.person is None:
        return ask.needs_account()
    if not ask.person.is_organiser:
        return ask.page(
            "message", status=403, title=ask.say("serve.new-ladder"), text=ask.say("serve.organisers-only")
        )
    return ask.page("new-ladder", **_new(ask, {}))


@post("/ladders/new", sync_to_thread=True)
def new_ladder(ask: Asking, data: Form) -> Response[Any]:
    """Make a ladder."""
    if ask.person is None:
        return ask.needs_account()
    if not ask.person.is_organiser:
        return ask.page(
            "message", status=403, title=ask.say("serve.new-ladder"), text=ask.say("serve.organisers-only")
        )
    written = {key: text(data, key) for key in list(data)[:MAX_FIELDS]}
    name = written.get("game", "")
    if name not in {one["name"] for one in playable(ask)}:
        return ask.problem("new-ladder", OperatorError("serve-no-game"), **_new(ask, written))
    game = games.find(name)
    played, errors = read_played(game, written)
    if written.get("more") == "yes":  # the setup and the time are chosen next: they depend on the game
        return ask.page("new-ladder", **_new(ask, written, game))
    if errors:
        return ask.page("new-ladder", status=422, **_new(ask, written, game, errors))
    try:
        ladder = ladders.make(ask.database, ask.person, name, written.get("title", ""), chosen(data), played)
    except OperatorError as error:
        has_more = any(key == "clock" or key.startswith("setup.") for key in written)
        return ask.problem("new-ladder", error, **_new(ask, written, game if has_more else None))
    return going(f"/ladders/{ladder.slug}")


def _new(
    ask: Asking,
    written: Mapping[str, str],
    game: Game | None = None,
    errors: Mapping[str, OperatorError] | None = None,
) -> dict[str, Any]:
    """What the form for a new ladder shows: all games, or what can be chosen of one, with what was written."""
    shown: dict[str, Any] = {
        "games": playable(ask),
        "groups": roster.all_of(ask.database),
        "game": written.get("game", ""),
        "title": written.get("title", ""),
        "group": chosen(dict(written)),
        "written": written,
        "chosen": game,
        "errors": {},
    }
    if game is not None:
        speaker = ask.speaker.knowing(game.catalogue)
        shown["errors"] = {name: error.say(speaker) for name, error in (errors or {}).items()}
        shown |= {
            "clock": clock_of(game.name) or "",
            "setup": setup_fields(ask, game, written),
            "is_alike": begins_alike(game),
        }
    return shown


@get("/ladders/{slug:str}", sync_to_thread=True)
def show_ladder(ask: Asking, slug: str, page: int = 1, bot: str = "") -> Response[Any]:
    """A ladder: standings, the last matches, and where to hand in, with the name of a `bot` in its field."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ladder.terms is not None:
        return show_contest(ask, ladder, bot=bot[:LONGEST_NAME])
    typed: dict[str, Any] = {"bot": bot[:LONGEST_NAME], "source": "", "filename": "bot.py", "wrong": ""}
    return ask.page("ladder", **shown(ask, ladder, page), **typed)


def shown(ask: Asking, ladder: ladders.Ladder, page: int = 1) -> dict[str, Any]:
    """What a ladder's page shows besides the form."""
    person = ask.person
    is_organiser = person is not None and person.is_organiser
    game = games.find(ladder.game)
    table = standings(ask, ladder, page)
    own = [] if person is None else hand_ins.bots_of(ask.database, person, ladder)
    with seen(ask.arena, ladder, person) as store:
        faults = faults_of(store, ladder.slug, own)
        resting = sight(ladder, person).is_whole and ladder_rests(store, ladder.slug, ask.site.home)
    return {
        "told": announcements.last(ask.database, person, ladder),
        "waiting": questions.count_open(ask.database, ladder) if is_organiser else 0,
        "ladder": ladder,
        "sight": sight(ladder, person),
        "paused": {name: one for name, one in faults.items() if one.paused is not None},
        "resting": resting,
        "game": game.title,
        "is_doubled": is_doubled(game),
        "seats": table_of(game),
        "page": table,
        "sure": how_sure(table.best, ask.speaker),
        "mine": []
        if person is None
        else with_outs(ask.arena, hand_ins.of_person(ask.database, person, ladder), person),
        "everybody": hand_ins.of_ladder(ask.database, ladder) if is_organiser else [],
        "most_files": MAX_FILES,
        "most_bytes": MAX_BYTES,
    }


def standings(ask: Asking, ladder: ladders.Ladder, page: int = 1) -> LadderPage:
    """A page of a ladder's standings as who asks sees them: with authors, and with his own bots."""
    own = [] if ask.person is None else hand_ins.bots_of(ask.database, ask.person, ladder)
    with seen(ask.arena, ladder, ask.person) as store:
        found = ladder_page(store, ladder.slug, page, own)
    lines = iter(with_authors(ask, ladder, [*found.lines, *found.own, *found.paused]))
    parts = {name: [*islice(lines, len(getattr(found, name)))] for name in ("lines", "own", "paused")}
    return msgspec.structs.replace(found, **parts, out=dict(outs(ask.arena, ladder, ask.person)))


def with_authors(ask: Asking, ladder: ladders.Ladder, lines: list[Line]) -> list[Line]:
    """These lines, with the names of those whose bots they are, and which of these stay at home."""
    authors = hand_ins.authors(ask.database, ladder, [line.bot for line in lines], ask.person)
    home = {*distant.of_ladder(ask.database, ladder).values()}
    return [
        msgspec.structs.replace(line, author=authors.get(line.bot, ""), at_home=line.bot in home) for line in lines
    ]


@get("/ladders/{slug:str}/standings", sync_to_thread=True)
def standings_part(ask: Asking, slug: str, page: int = 1) -> Response[Any]:
    """The part of a ladder's page that moves, for its script."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    table = standings(ask, ladder, page)
    return ask.page("standings", ladder=ladder, page=table, sure=how_sure(table.best, ask.speaker))


HANDLERS = [front, new_ladder_page, new_ladder, show_ladder, standings_part]
