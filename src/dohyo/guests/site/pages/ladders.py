"""The first page, a ladder, and how an organiser makes a ladder."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import bots, games
from dohyo.core.descriptions import about_in
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.contest_form import shown_value
from dohyo.guests.site.arena.highlights import best_match
from dohyo.guests.site.arena.house import clock_of
from dohyo.guests.site.arena.own_faults import faults_of
from dohyo.guests.site.arena.resting import ladder_rests
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import LadderPage, Line, first_lines, how_sure, ladder_page
from dohyo.guests.site.arena.uploads import MAX_BYTES, MAX_FILES
from dohyo.guests.site.edge.asking import Asking, going, text
from dohyo.guests.site.groups import roster
from dohyo.guests.site.pages.contests import contest_card, show_contest
from dohyo.guests.site.pages.playable import playable
from dohyo.guests.site.pages.rules_text import as_markup
from dohyo.guests.site.pages.teaching import chosen
from dohyo.guests.site.people.accounts import LONGEST_NAME
from dohyo.guests.site.talk import announcements, questions
from dohyo.match.clocks import read_clock

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/", sync_to_thread=True)
def front(ask: Asking) -> Response[Any]:
    """The first page: every ladder, and how to begin."""
    shown = []
    for ladder in ladders.all_of(ask.database, ask.person):
        with seen(ask.arena, ladder, ask.person) as store:
            page = first_lines(store, ladder.slug)
        card = {"ladder": ladder, "game": games.find(ladder.game).title, "page": page}
        shown.append({**card, "contest": contest_card(ask, ladder) if ladder.terms is not None else None})
    best = best_match(ask.arena, ladders.all_of(ask.database, None))
    return ask.page("front", ladders=shown, best=best, told=announcements.last(ask.database, ask.person))


@get("/ladders/new", sync_to_thread=True)
def new_ladder_page(ask: Asking) -> Response[Any]:
    """The form for a new ladder."""
    if ask.person is None:
        return ask.needs_account()
    if not ask.person.is_organiser:
        return ask.page(
            "message", status=403, title=ask.say("serve.new-ladder"), text=ask.say("serve.organisers-only")
        )
    return ask.page("new-ladder", **_new(ask))


@post("/ladders/new", sync_to_thread=True)
def new_ladder(ask: Asking, data: Form) -> Response[Any]:
    """Make a ladder."""
    if ask.person is None:
        return ask.needs_account()
    if not ask.person.is_organiser:
        return ask.page(
            "message", status=403, title=ask.say("serve.new-ladder"), text=ask.say("serve.organisers-only")
        )
    game, title, group = text(data, "game", 100), text(data, "title", 200), chosen(data)
    try:
        if game not in {one["name"] for one in playable(ask)}:
            raise OperatorError("serve-no-game")
        ladder = ladders.make(ask.database, ask.person, game, title, group)
    except OperatorError as error:
        return ask.problem("new-ladder", error, **_new(ask, game, title, group))
    return going(f"/ladders/{ladder.slug}")


def _new(ask: Asking, game: str = "", title: str = "", group: int | None = None) -> dict[str, Any]:
    """What the form for a new ladder shows."""
    groups = roster.all_of(ask.database)
    return {"games": playable(ask), "groups": groups, "game": game, "title": title, "group": group}


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
    table = standings(ask, ladder, page)
    own = [] if person is None else hand_ins.bots_of(ask.database, person, ladder)
    with seen(ask.arena, ladder, person) as store:
        faults = faults_of(store, ladder.slug, own)
        resting = sight(ladder, person).is_whole and ladder_rests(store, ladder.slug)
    return {
        "told": announcements.last(ask.database, person, ladder),
        "waiting": questions.count_open(ask.database, ladder) if is_organiser else 0,
        "ladder": ladder,
        "sight": sight(ladder, person),
        "paused": {name: one for name, one in faults.items() if one.paused is not None},
        "resting": resting,
        "game": games.find(ladder.game).title,
        "page": table,
        "sure": how_sure(table.best, ask.speaker),
        "mine": [] if person is None else hand_ins.of_person(ask.database, person, ladder),
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
    return msgspec.structs.replace(found, **parts)


def with_authors(ask: Asking, ladder: ladders.Ladder, lines: list[Line]) -> list[Line]:
    """These lines, with the names of those who handed the bots in."""
    authors = hand_ins.authors(ask.database, ladder, [line.bot for line in lines], ask.person)
    return [msgspec.structs.replace(line, author=authors.get(line.bot, "")) for line in lines]


@get("/ladders/{slug:str}/rules", sync_to_thread=True)
def show_rules(ask: Asking, slug: str) -> Response[Any]:
    """A game's rules as its text says them, its time for a turn, and the source of a sample bot to begin from."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    game = games.find(ladder.game)
    folder = Path(game.folder)
    names = (f"README.{ask.speaker.language}.md", "README.md")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    sample = dict(bots.samples_of(game)).get("random.py")
    setup = {} if ladder.terms is None else ladder.terms.setup
    return ask.page(
        "rules",
        ladder=ladder,
        text="" if found is None else as_markup(found.read_text(encoding="utf-8")),
        about=about_in(game, ask.speaker),
        time=_time(ask, ladder, game),
        setup=[(each, shown_value(value)) for each, value in setup.items()],
        sample="" if sample is None else sample.name,
        source="" if sample is None else sample.read_text(encoding="utf-8"),
    )


def _time(ask: Asking, ladder: ladders.Ladder, game: Game) -> str:
    """How long a turn may take, in words; a contest's as it was typed, where it is not for single turns alone."""
    own = "" if ladder.terms is None else ladder.terms.clock
    if not own:
        seconds = float(clock_of(game.name) or game.usual_clock(()).limit(is_first=False))
        return ask.say("serve.turn-seconds", seconds=f"{seconds:g}")
    try:
        clock = read_clock(game, own)
    except OperatorError:  # as one whose time this machine cannot measure
        return own
    limit = clock.limit(is_first=False)
    return own if clock.has_reserve else ask.say("serve.turn-seconds", seconds=f"{limit:g}")


@get("/ladders/{slug:str}/standings", sync_to_thread=True)
def standings_part(ask: Asking, slug: str, page: int = 1) -> Response[Any]:
    """The part of a ladder's page that moves, for its script."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    table = standings(ask, ladder, page)
    return ask.page("standings", ladder=ladder, page=table, sure=how_sure(table.best, ask.speaker))


HANDLERS = [front, new_ladder_page, new_ladder, show_ladder, show_rules, standings_part]
