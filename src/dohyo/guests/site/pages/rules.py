"""A ladder's rules: what its text says, what is played here, what a program reads and writes, bots to begin from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litestar import Response, get

from dohyo import bots, games
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.contest_form import shown_value
from dohyo.guests.site.arena.house import clock_of, table_of
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, download
from dohyo.guests.site.pages.input_text import first_input, input_parts, spoken
from dohyo.guests.site.pages.rules_text import as_markup, for_players
from dohyo.match.clocks import read_clock

LONGEST_SAMPLE = 200_000  # bytes of a sample bot's source that the page shows
LANGUAGES = "python, c, cpp, csharp, go, java, javascript, kotlin, rust"  # of `dohyo new bot`


@get("/ladders/{slug:str}/rules", sync_to_thread=True)
def show_rules(ask: Asking, slug: str) -> Response[Any]:
    """A game's rules, what this ladder plays, what a program reads and writes, and sample bots to begin from."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    game = games.find(ladder.game)
    speaker = ask.speaker.knowing(game.catalogue)
    samples = _samples(game)
    shown = next((path for name, path in samples.items() if name.startswith("random.")), None)
    about = about_in(game, ask.speaker)
    setup = resolve(game.options, ladder.played.setup, game.catalogue)
    return ask.page(
        "rules",
        ladder=ladder,
        game=game,
        text=_text(ask, game),
        about=about[:1].upper() + about[1:],
        time=time_of(ask, ladder, game),
        first_time=_first_time(ask, ladder, game),
        setup=_setup(ask, game, setup),
        parts=input_parts(game, setup, speaker),
        spoken=spoken(game, speaker),
        example=first_input(game, setup, table_of(game)),
        samples=list(samples),
        sample="" if shown is None else shown.name,
        source="" if shown is None else shown.read_bytes()[:LONGEST_SAMPLE].decode("utf-8", "replace"),
        new_bot=_new_bot(game, ladder),
        starters=LANGUAGES,
    )


def _text(ask: Asking, game: Game) -> Any:
    """The game's own text as markup, as far as it is for players; empty if it has none."""
    folder = Path(game.folder)
    names = (f"README.{ask.speaker.language}.md", "README.md")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    return "" if found is None else as_markup(for_players(found.read_text(encoding="utf-8")))


def _samples(game: Game) -> dict[str, Path]:
    """The sources of the sample bots, by their files' names, those to begin from first."""
    found = {path.name: path for path in bots.samples_of(game).values() if path.is_file()}
    order = sorted(found, key=lambda name: (not name.startswith("random."), not name.endswith(".py"), name))
    return {name: found[name] for name in order}


def _setup(ask: Asking, game: Game, setup: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Each choice of the setup that has a value: its name, what is played here, and what it means."""
    options = [option_in(game, option, ask.speaker) for option in game.options]
    told = [(option, shown_value(setup.get(option.name))) for option in options]
    return [(option.name, _worded(ask, value), option.about) for option, value in told if value]


def _worded(ask: Asking, value: str) -> str:
    return ask.say(f"serve.{value}") if value in ("yes", "no") else value


def _new_bot(game: Game, ladder: Ladder) -> str:
    """What makes a bot to begin from at home, for what is played here: what bots are told of the setup."""
    told = {option.name for option in game.options if option.told}
    words = [f" --setup {name}={shown_value(value)}" for name, value in ladder.played.setup.items() if name in told]
    return f"dohyo new bot {game.name} --lang python" + "".join(words)


def time_of(ask: Asking, ladder: Ladder, game: Game) -> str:
    """How long a turn may take, in words; as it was typed, where it is not for single turns alone."""
    own = ladder.played.clock
    if not own:
        seconds = float(clock_of(game.name) or game.usual_clock(()).limit(is_first=False))
        return ask.say("serve.turn-seconds", seconds=f"{seconds:g}")
    try:
        clock = read_clock(game, own)
    except OperatorError:  # as one whose time this machine cannot measure
        return own
    limit = clock.limit(is_first=False)
    return own if clock.has_reserve else ask.say("serve.turn-seconds", seconds=f"{limit:g}")


def _first_time(ask: Asking, ladder: Ladder, game: Game) -> str:
    """How long the first turn may take, where that is something else."""
    try:
        clock = read_clock(game, clock_of(game.name, ladder.played.clock) or "") if ladder.played.clock else None
    except OperatorError:
        return ""
    clock = clock or (game.usual_clock(()) if clock_of(game.name) is None else None)
    if clock is None or clock.has_reserve or clock.limit(is_first=True) == clock.limit(is_first=False):
        return ""
    return ask.say("serve.first-turn-seconds", seconds=f"{clock.limit(is_first=True):g}")


@get("/ladders/{slug:str}/samples/{name:str}", sync_to_thread=True)
def load_sample(ask: Asking, slug: str, name: str) -> Response[Any]:
    """The source of a sample bot."""
    ladder = ladders.find(ask.database, slug, ask.person)
    path = None if ladder is None else _samples(games.find(ladder.game)).get(name)
    if path is None or not re.fullmatch(r"[\w.+-]+", name):
        return ask.nothing()
    return download(path.read_bytes(), name)


HANDLERS = [show_rules, load_sample]
