"""`dohyo rerun`: a bot is fed what a seat was sent in a match; where its answers differ; under a debugger."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, is_debug, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import CLOCK, CLOCK_KEYS, OUTPUT, AsJson, Build, Interpreter, SandboxWord, Trust
from dohyo.i18n import Speaker
from dohyo.terminal.screen import console

if TYPE_CHECKING:
    from dohyo.bench.rerun import Compared, Rerun
    from dohyo.bots import Bot

app = application()

Pace = Annotated[bool, says("Ask no sooner than in the match. Without it: at once.")]

Debugger = Annotated[
    str | None, says("Run the bot under pdb, 'gdb --args' or another: no clock, no sandbox.", "COMMAND")
]
ClockOfMatch = Annotated[str | None, says(f"Time for a turn. Without it: the match's. {CLOCK_KEYS}", CLOCK)]

EXAMPLES = """\b
Examples:
  dohyo rerun m.replay 0
  dohyo rerun m.replay 0 mybot.py --until 31
  dohyo rerun m.replay 0 mybot.py --until 31 --debugger pdb
  dohyo rerun m.replay 0 ./mybot --debugger 'gdb --args'

Without BOT: the bot named in the replay, looked for here, beside the replay and among the sample bots. Once its
answers differ, the bot is still sent what was recorded. 'dohyo help docs/debugging.md' has more."""


@asks(app, epilog=EXAMPLES, usual="until debugger pace clock")
def rerun(
    file: Annotated[str, says("A replay ('dohyo play --save'), or the word last.", "REPLAY", is_bare=True)],
    seat: Annotated[str, says("Whose input: a seat's number, or its bot's name.", "SEAT", is_bare=True)],
    bot: Annotated[
        str | None, says("The bot to feed. Without it: the one that played.", "[BOT]", is_bare=True)
    ] = None,
    until: Annotated[int | None, says("Stop after this turn.", "T")] = None,
    pace: Pace = False,
    debugger: Debugger = None,
    clock: ClockOfMatch = None,
    build: Build = None,
    python: Interpreter = None,
    strict: Annotated[
        bool, says("Exit with status 1 if an answer differs or the bot misbehaves.", group=OUTPUT)
    ] = False,
    sandbox: SandboxWord = "auto",
    as_json: AsJson = False,
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Feed a bot the input of a recorded match: does it answer the same?"""
    from dohyo.bench.rerun import Rerun, bot_that_played
    from dohyo.core.replay import DEBUG
    from dohyo.match import own_games
    from dohyo.match.found_bots import find_named
    from dohyo.match.replays import last, recorded, replays

    check_order([word for word in (file, seat, bot) if word is not None])
    replay, typed = last.load(file) if last.is_meant(file) else (replays.load(file), None)
    game, number = own_games.find(replay.header.game), recorded.seat_of(seat, replay.header)
    if until is not None and until < replay.header.first:
        raise OperatorError("rerun-until", first=replay.header.first, given=until)
    if not any(True for _ in recorded.asked(game, replay, number)):
        raise OperatorError("never-asked", seat=number)
    _check_debugger(debugger, as_json, sandbox)
    box = sandbox_for(sandbox, trust, speaker)
    played = replay.header.seats[number].build  # where that is a debug build, the match's clock is slow already
    debug = is_debug(build, debugger or clock or played or None, speaker) or (played == DEBUG and bot is None)
    # A debugger has no sandbox: what somebody put beside the replay is only run so if it is named.
    played_by = (replay, number, None if debugger else file, python, box, debug, typed)
    found = bot_that_played(*played_by) if bot is None else find_named(game, [bot], python, box, debug=debug)[0]
    with Rerun(game, replay, number, found, box, clock) as again:
        if debugger is not None:
            raise typer.Exit(_debug(again, debugger, until, trust, speaker))
        compared = (_told if as_json else _fed)(again, file, found, until, pace, speaker)
    if strict and any(each.differs or any(not fault.note for fault in each.now.faults) for each in compared):
        raise typer.Exit(1)


def _check_debugger(debugger: str | None, as_json: bool, sandbox: str) -> None:
    """Raise `OperatorError` for a debugger with what it cannot have: it talks to a person, outside of a sandbox."""
    if debugger is not None and as_json:
        raise OperatorError("rerun-debugger-json")
    if debugger is not None and sandbox == "require":
        raise OperatorError("debugger-with-sandbox")


def _told(again: Rerun, file: str, bot: Bot, until: int | None, pace: bool, speaker: Speaker) -> list[Compared]:
    """Feed the bot, and print what came of it as one document."""
    from dohyo.guests.rerun.shown import document

    compared = again.feed(until, pace, lambda turn: None)
    sys.stdout.write(clean.document(document(again, compared)))
    return compared


def _fed(again: Rerun, file: str, bot: Bot, until: int | None, pace: bool, speaker: Speaker) -> list[Compared]:
    """Feed the bot, and show what comes of it."""
    from dohyo.guests.rerun.shown import Shown

    shown = Shown(again, console(), speaker)
    shown.begin(file, bot)
    compared = again.feed(until, pace, shown.turn)
    shown.end(compared, until)
    return compared


def check_order(words: Sequence[str]) -> None:
    """Raise `OperatorError` for a replay, a seat and a bot that were typed in another order, if one can tell."""
    from dohyo.match.replays.last import is_meant
    from dohyo.match.replays.replays import is_replay

    def looks_like_a_replay(word: str) -> bool:
        return is_meant(word) or (os.path.isfile(word) and os.path.getsize(word) > 0 and is_replay(word))

    if looks_like_a_replay(words[0]) and (words[1].isdecimal() or len(words) < 3 or not words[2].isdecimal()):
        return
    replay = next((word for word in words if looks_like_a_replay(word)), None)
    rest = [word for word in words if word != replay]
    seat = next((word for word in rest if word.isdecimal()), None)
    if replay is None or seat is None or len(rest) != len(words) - 1:
        return  # what is wrong with these words is said where they are read
    right = [replay, seat, *(word for word in rest if word != seat)]
    if right != list(words):
        import shlex

        raise OperatorError("rerun-order", right=clean.line(shlex.join(["dohyo", "rerun", *right])))


def _debug(again: Rerun, debugger: str, until: int | None, trust: bool, speaker: Speaker) -> int:
    """Run the bot under a debugger; one that lives for a turn plays the turns before it as in the match."""
    from pathlib import Path

    from dohyo.guests.rerun import debugger as debuggers
    from dohyo.match.replays.sent import kind_that_spoke
    from dohyo.match.sandboxing import sandbox_of
    from dohyo.system import disk, temporary

    if again.bot.address:
        raise OperatorError("bot-is-server", bot=again.bot.name)
    launch = again.launch(sandbox_of("none"))
    kind = kind_that_spoke(launch.protocol)
    if kind is not None and kind.unsaid:
        typer.echo(speaker.say(kind.unsaid, seat=again.seat), err=True)
    a_turn = launch.a_turn
    sent = debuggers.input_of(again, until, a_turn)
    if a_turn and until is not None:
        again.feed(until - 1)
    if not trust:
        typer.echo(speaker.say("debugger-no-sandbox"), err=True)
    folder = Path(temporary.make("rerun"))
    try:
        typer.echo(speaker.say("debugger-input", path=folder / "in.txt", folder=launch.folder), err=True)
        return debuggers.run(debugger, launch, sent, folder, until or 0)
    finally:
        disk.remove(folder)
