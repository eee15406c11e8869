"""`dohyo play`: one match, its closing table, its replay."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo.cli.application import application
from dohyo.cli.boxes import Sandbox, Trust, box_for
from dohyo.cli.game_word import find_game
from dohyo.cli.language import Language
from dohyo.cli.outputs import Outputs
from dohyo.cli.screen import Onlooker, Progress, print_json
from dohyo.cli.signals import Ended, exit_status
from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.app.summary import Summary
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay

app = application()

NEW_SEEDS = seeds.MOST + 1  # so many that nobody guesses one
MOST_DIGITS = 18  # of a number that stands for a turn or a match
CLOCK = "PRESET|SECONDS[,KEY=VALUE]"
CLOCK_KEYS = "Keys: mode=wall|fair|cpu, bank=S, grace=S, strikes=N, wall=S (docs/clocks.md)."
Interpreter = Annotated[
    str | None, typer.Option(metavar="PROGRAM", help="The interpreter for bots in Python. Without it: python3.")
]
ClockWord = Annotated[
    str | None,
    typer.Option(metavar=CLOCK, help=f"Time for a turn. Without it: the game's usual one. {CLOCK_KEYS}"),
]
Pondering = Annotated[
    bool, typer.Option("--pondering/--no-pondering", help="Whether bots run on while they are not to move.")
]

Saved = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the replay; compressed when the name ends in .zst.")
]
Setup = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="A setup option of the game. May be repeated.")
]

EXAMPLES = """\b
Examples:
  dohyo play drop-block hunter random random random --watch
  dohyo play drop-block mine.cpp hunter random "python3 old.py" --seed 7 --save m.replay
  dohyo play drop-block hunter hunter mine.cpp random --from m.replay@120

A bot is a source file (built by itself), an executable, a folder with a bot.toml or command.txt, a quoted command
line, or the name of a sample bot ('dohyo games' lists them)."""


@app.command(epilog=EXAMPLES)
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")],
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help="One bot a seat.")],
    seed: Annotated[str | None, typer.Option(metavar="N", help="Decides the dice. Without it: a new one.")] = None,
    setup: Setup = None,
    clock: ClockWord = None,
    python: Interpreter = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="FILE@TURN", help="Begin with the state of a replay's turn.")
    ] = None,
    save: Saved = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a page to watch in a browser.")] = None,
    pondering: Pondering = True,
    watch: Annotated[bool, typer.Option("--watch", help="Watch the board in the terminal.")] = False,
    faults: Annotated[bool, typer.Option("--faults", help="Show each fault with the input that caused it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if any bot misbehaved.")] = False,
    sandbox: Sandbox = None,
    trust: Trust = False,
    lang: Language = None,
) -> None:
    """Play one match between bots."""
    from dohyo.app.summary import summarise

    language = str(lang)
    if watch and as_json:
        raise OperatorError("watch-with-json")
    chosen = find_game("play", game, bots)
    options = {
        "seed": secrets.randbelow(NEW_SEEDS) if seed is None else read_seed(seed),
        "setup": read_setup(setup or ()),
        "clock": clock,
        "python": python,
        "pondering": pondering,
        "resume": None if start is None else read_start(start, chosen),
    }
    outputs = Outputs(save, html, language)
    outputs.check()
    options["sandbox"] = box_for(sandbox, trust, language)
    replay = _play(chosen, bots, options, outputs, watch)
    summary = summarise(replay, with_inputs=faults)
    if as_json:
        print_json(summary, {"saved": save, "html": html})
    else:
        _tell(summary, chosen, outputs, faults)
    if strict and summary.has_faults:
        raise typer.Exit(1)


def _play(game: Game, bots: Sequence[str], options: dict[str, Any], outputs: Outputs, watch: bool) -> Replay:
    """Play the match under an onlooker's eyes, and write its files; when a signal ends it, what there is of it."""
    from dohyo.app.play import Interrupted, play_match

    onlooker: AbstractContextManager[Onlooker]
    if watch:
        from dohyo.cli.watch import watching

        onlooker = watching(game, outputs.language)
    else:
        onlooker = Progress(outputs.language)
    try:
        with onlooker as looks:
            on_turn, on_progress = (looks.on_turn, None) if watch else (None, looks.on_turn)
            replay = play_match(game, bots, on_turn=on_turn, on_progress=on_progress, **options)
            outputs.write(replay)
            looks.finish(replay)
            return replay
    except Interrupted as interrupt:
        paths = outputs.write(interrupt.replay)
        sentence = ""
        if paths:
            played = interrupt.replay.played
            sentence = say("interrupted-saved", outputs.language, turns=played, paths=", ".join(paths))
        raise Ended(exit_status(interrupt), sentence) from interrupt


def _tell(summary: Summary, game: Game, outputs: Outputs, faults: bool) -> None:
    """Print the closing table and where the files are."""
    from dohyo.cli.closing import is_silent, print_closing, print_faults, unheard
    from dohyo.cli.screen import console

    out, language = console(), outputs.language
    print_closing(summary, game, out, language)
    out.print()
    if faults:
        print_faults(summary, game, out, language)
        out.print()
    elif summary.has_faults:
        key = "see-faults" if outputs.save else "see-faults-unsaved"
        out.print(say(key, language, path=outputs.save))
    for seat in summary.seats:
        if seat.stopped is not None and is_silent(seat):
            out.print(unheard(seat, game, language), soft_wrap=True)
    out.print(say("repeat-with-seed", language, seed=summary.seed))
    if outputs.save:
        out.print(say("saved", language, path=outputs.save))
    if outputs.html:
        out.print(say("saved-html", language, path=outputs.html))


def read_seed(word: str) -> int:
    """A seed as the operator wrote it."""
    try:
        return int(word)
    except ValueError as error:
        raise OperatorError("seed-not-a-number", given=word) from error


def read_setup(words: Sequence[str]) -> dict[str, str]:
    """Options of a setup as the operator wrote them, KEY=VALUE each."""
    setup: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise OperatorError("setup-not-key-value", given=word)
        if key in setup:
            raise OperatorError("setup-twice", key=key)
        setup[key] = value
    return setup


def read_start(word: str, game: Game) -> tuple[Replay, int]:
    """A replay of `game` and one of its turns, from FILE@TURN."""
    from dohyo.app.replays import load

    path, _, turn = word.rpartition("@")
    if not path or not turn.isdecimal() or len(turn) > MOST_DIGITS:
        raise OperatorError("from-not-file-turn", given=word)
    replay = load(path)
    if replay.header.game != game.name:
        raise OperatorError("from-other-game", path=path, found=replay.header.game, game=game.name)
    return replay, int(turn)
