"""`dohyo rerun`: a bot is fed what a seat was sent in a match; where its answers differ; under a debugger."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.options import (
    CLOCK,
    CLOCK_KEYS,
    Build,
    Interpreter,
    Language,
    SandboxOption,
    Trust,
    application,
    read_build,
    sandbox_for,
)
from dohyo.core.errors import OperatorError
from dohyo.i18n import say
from dohyo.terminal.screen import console

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.bench.rerun import Compared, Rerun
    from dohyo.bots import Bot
    from dohyo.core.faults import Fault
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.match.replays.last import Typed
    from dohyo.sandbox import Sandbox

app = application()

Pace = Annotated[bool, typer.Option("--pace", help="Ask no sooner than in the match. Without it: at once.")]

ClockOfMatch = Annotated[
    str | None, typer.Option(metavar=CLOCK, help=f"Time for a turn. Without it: the match's. {CLOCK_KEYS}")
]

EXAMPLES = """\b
Examples:
  dohyo rerun m.replay 0
  dohyo rerun m.replay 0 mybot.py --until 31
  dohyo rerun m.replay 0 mybot.py --until 31 --debugger pdb
  dohyo rerun m.replay 0 ./mybot --debugger 'gdb --args'

Without BOT: the bot named in the replay, looked for here, beside the replay and among the sample bots. Once its
answers differ, the bot is still sent what was recorded. docs/debugging.md has more."""


@app.command(epilog=EXAMPLES)
def rerun(
    file: Annotated[str, typer.Argument(metavar="REPLAY", help="A replay ('dohyo play --save'), or the word last.")],
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="Whose input: a seat's number, or its bot's name.")],
    bot: Annotated[
        str | None, typer.Argument(metavar="[BOT]", help="The bot to feed. Without it: the one that played.")
    ] = None,
    until: Annotated[int | None, typer.Option(metavar="T", help="Stop after this turn.")] = None,
    pace: Pace = False,
    debugger: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Run the bot under pdb, 'gdb --args' or another: no clock, no sandbox."),
    ] = None,
    clock: ClockOfMatch = None,
    build: Build = None,
    python: Interpreter = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 if an answer differs or the bot misbehaves.")
    ] = False,
    sandbox: SandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> None:
    """Feed a bot what a seat was sent in a match, and show where its answers differ."""
    from dohyo import games
    from dohyo.bench.rerun import Rerun
    from dohyo.core import recorded
    from dohyo.core.replay import DEBUG
    from dohyo.match.replays import last, replays

    language = str(lang)
    check_order([word for word in (file, seat, bot) if word is not None])
    replay, typed = last.load(file) if last.is_meant(file) else (replays.load(file), None)
    game, number = games.find(replay.header.game), recorded.seat_of(seat, replay.header)
    check_asked(game, replay, number, until)
    if debugger is not None and sandbox == "require":
        raise OperatorError("debugger-with-sandbox")
    box = sandbox_for(sandbox, trust, language)
    played = replay.header.seats[number].build  # where that is a debug build, the match's clock is slow already
    debug = read_build(build, debugger or clock or played or None, language) or (played == DEBUG and bot is None)
    # A debugger has no sandbox: what somebody put beside the replay is only run so if it is named.
    found = _bot(replay, number, None if debugger else file, bot, python, box, game, debug, typed)
    with Rerun(game, replay, number, found, box, clock) as again:
        if debugger is not None:
            raise typer.Exit(_debug(again, debugger, until, trust, language))
        shown = _Shown(again, console(), language)
        shown.begin(file, found)
        compared = again.feed(until, pace, shown.turn)
        shown.end(compared, until)
    if strict and any(each.differs or any(not fault.note for fault in each.now.faults) for each in compared):
        raise typer.Exit(1)


def check_asked(game: Game, replay: Replay, seat: int, until: int | None) -> None:
    """Raise `OperatorError` if the seat was never asked, or `until` is a turn before the first."""
    from dohyo.core import recorded

    if until is not None and until < replay.header.first:
        raise OperatorError("rerun-until", first=replay.header.first, given=until)
    if not any(True for _ in recorded.asked(game, replay, seat)):
        raise OperatorError("never-asked", seat=seat)


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
        raise OperatorError("rerun-order", right=clean.line(shlex.join(["dohyo", "rerun", *right])))


def _bot(
    replay: Replay,
    seat: int,
    path: str | None,
    word: str | None,
    python: str | None,
    box: Sandbox,
    game: Game,
    debug: bool,
    typed: Typed | None,
) -> Bot:
    """The bot to be fed; `typed` is what was typed for the match, if that is known."""
    from dohyo.bench.rerun import bot_of
    from dohyo.bots.resolution import revision
    from dohyo.match.named_bots import find_named

    if word is not None:
        return find_named(game, [word], python, box, debug=debug)[0]
    if typed is None:
        return bot_of(replay, seat, path, python, box, debug=debug)
    meant = typed.bots[seat] if seat < len(typed.bots) else ""
    is_known = bool(meant) and typed.folder == os.getcwd() and revision(meant) is None
    place = None if path is None else os.path.join(typed.folder, path)
    return bot_of(replay, seat, place, python, box, (meant,) if is_known else (), debug)


def _debug(again: Rerun, debugger: str, until: int | None, trust: bool, language: str) -> int:
    """Run the bot under a debugger; one that lives for a turn plays the turns before it as in the match."""
    from pathlib import Path

    from dohyo.bench import debugger as debuggers
    from dohyo.match.sandboxing import sandbox_of
    from dohyo.system import disk, temporary

    if again.bot.url:
        raise OperatorError("bot-is-server", bot=again.bot.name)
    launch = again.launch(sandbox_of("none"))
    if launch.protocol:
        typer.echo(say("inputs-engine", language, seat=again.seat), err=True)
    a_turn = launch.a_turn
    sent = debuggers.input_of(again, until, a_turn)
    if a_turn and until is not None:
        again.feed(until - 1)
    if not trust:
        typer.echo(say("debugger-no-sandbox", language), err=True)
    folder = Path(temporary.make("rerun"))
    try:
        typer.echo(say("debugger-input", language, path=folder / "in.txt", folder=launch.folder), err=True)
        return debuggers.run(debugger, launch, sent, folder, until or 0)
    finally:
        disk.remove(folder)


class _Shown:
    """Prints what comes of it, turn by turn."""

    def __init__(self, again: Rerun, out: Console, language: str) -> None:
        self._again, self._out, self._language = again, out, language
        self._has_differed = False
        self._replay = "REPLAY"  # for the replay, as it can be typed

    def begin(self, path: str, bot: Bot) -> None:
        """Who is fed with what, whether it is what played, and how turns are counted."""
        from dohyo.core import recorded
        from dohyo.core.replay import DEBUG
        from dohyo.core.sent import protocol_of
        from dohyo.match.play import spoken_by

        again, header = self._again, self._again.replay.header
        who = header.seats[again.seat]
        self._replay = clean.line(shlex.quote(path))
        self._say("rerun-begin", bot=clean.line(bot.name), path=path, seat=again.seat, name=clean.line(who.name))
        if who.digest:
            self._say("rerun-same-bot" if bot.digest == who.digest else "rerun-other-bot")
        if who.build == DEBUG:
            self._say("rerun-debug-too" if bot.debug else "rerun-debug-then", seat=again.seat)
        if (spoke := protocol_of(again.game, again.replay, again.seat)) != (speaks := spoken_by(bot)[0]):
            self._say("rerun-other-protocol", then=self._spoken(spoke), now=self._spoken(speaks))
        if header.sandbox and header.sandbox != again.sandbox.name:
            self._say("rerun-other-sandbox", then=clean.line(header.sandbox), now=again.sandbox.name)
        asked = sum(1 for _ in recorded.asked(again.game, again.replay, again.seat))
        self._say("rerun-turns", asked=asked, of=again.replay.played)
        self._out.print()

    def turn(self, turn: Compared) -> None:
        """What is worth telling of one turn: another answer, a fault, standard error."""
        from dohyo.bench.rerun import said
        from dohyo.terminal.faults import print_block

        before, now = said(turn.before), said(turn.now)
        is_first = turn.differs and not self._has_differed
        if turn.differs:
            style = None if self._has_differed else "bold"
            self._say("rerun-differs", style, turn=turn.turn, before=self._word(before), now=self._word(now))
        elif turn.now.faults or turn.now.stderr or turn.now.comments:
            self._say("rerun-as-recorded", turn=turn.turn, now=self._word(now))
        self._said(turn.now.faults, turn.now.stderr, turn.now.comments)
        if is_first or turn.now.faults:
            print_block("fault-input", turn.prompt.decode("utf-8", "replace"), self._out, self._language, whole=True)
        if is_first:
            self._has_differed = True
            self._say("rerun-still-recorded")

    def _said(self, faults: Sequence[Fault], stderr: str, comments: str) -> None:
        """Faults, and what else the bot wrote."""
        from dohyo.terminal.faults import is_unexplained, print_block, print_errors, print_verdict

        again, out, language = self._again, self._out, self._language
        for fault in faults:
            print_verdict(fault, again.game, out, language)
        print_errors(stderr, faults, again.bot.language, out, language)
        if not again.bot.debug and any(is_unexplained(fault, stderr, again.bot.language) for fault in faults):
            out.print("  " + say("fault-debug", language, replay=self._replay, seat=again.seat), soft_wrap=True)
        print_block("fault-comments", comments, out, language)

    def end(self, compared: list[Compared], until: int | None) -> None:
        """What it wrote after its last turn, and the summary."""
        from dohyo.core import recorded

        again = self._again
        last = again.last
        if last.faults or last.stderr or last.comments:
            self._say("rerun-after")
            self._said(last.faults, last.stderr, last.comments)
            if last.stderr and not last.faults:
                self._say("rerun-input-over")
        asked = [found.turn for found in recorded.asked(again.game, again.replay, again.seat)]
        due = len([turn for turn in asked if until is None or turn <= until])
        if len(compared) < due:
            self._say("rerun-cut", turn=compared[-1].turn if compared else 0, left=due - len(compared))
        differing = [turn.turn for turn in compared if turn.differs]
        reworded = sum(turn.is_reworded for turn in compared)
        faults = sum(not fault.note for turn in compared for fault in turn.now.faults)
        self._out.print()
        key = "rerun-summary-differs" if differing else "rerun-summary-same"
        self._say(key, "bold", turns=len(compared), differ=len(differing), first=differing[0] if differing else 0)
        if reworded:
            self._say("rerun-reworded", count=reworded)
        if faults:
            self._say("rerun-faults", count=faults)

    def _spoken(self, protocol: str) -> str:
        return {"uci": "UCI", "http": "HTTP"}.get(protocol) or say("rerun-own-protocol", self._language)

    def _word(self, text: str | None) -> str:
        return say("rerun-nothing", self._language) if text is None else clean.line(repr(text))

    def _say(self, key: str, style: str | None = None, **details: object) -> None:
        self._out.print(say(key, self._language, **details), style=style, soft_wrap=True)
