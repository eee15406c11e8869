"""`dohyo profile`: how long a bot thinks, turn by turn, and where its time goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, find_game, sandbox_for
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.asked import says
from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.request_fields import (
    NO_SETUP,
    AsJson,
    ClockWord,
    Force,
    GameWord,
    Interpreter,
    SandboxWord,
    Seed,
    Setup,
    Trust,
)
from dohyo.i18n import Speaker
from dohyo.terminal.screen import Progress, console, show, table

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.bots import Bot
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.guests.profile.measure import Profile, Wanted
    from dohyo.guests.profile.profilers import Found
    from dohyo.sandbox import Sandbox

app = application()

PROFILER = "Under a profiler"  # the heading of options

SLOWEST = 5  # turns that are printed; the page and --json have more
FUNCTIONS = 12
EXAMPLES = """\b
Examples:
  dohyo profile drop-block mybot.py
  dohyo profile wondev-woman mybot.cpp sensei --matches 10 --clock finals --save slow/
  dohyo profile drop-block mybot.py --with cprofile --html profile.html

Without opponents: the sample bot 'random'. 'dohyo help docs/profile.md' has more."""


@asks(app, epilog=EXAMPLES, usual="matches html save")
def profile(
    game: GameWord,
    bot: Annotated[str, says("The bot to measure.", "BOT", is_bare=True)],
    opponents: Annotated[
        list[str] | None, says("Who plays on the other seats.", "[OPPONENT]...", is_bare=True)
    ] = None,
    matches: Annotated[int, says("How many matches to play.", "N")] = 4,
    seed: Seed = None,
    setup: Setup = NO_SETUP,
    clock: ClockWord = None,
    with_: Annotated[
        str | None,
        says("Run the slowest match again under a profiler.", "cprofile|py-spy|perf", group=PROFILER),
    ] = None,
    stacks: Annotated[
        str | None, says("With --with: write the stacks, for speedscope and others.", "FILE", group=PROFILER)
    ] = None,
    python: Interpreter = None,
    save: Annotated[str | None, says("Write the replays there, so that slow turns can be looked at.", "DIR")] = None,
    html: Annotated[str | None, says("Write a page with charts.", "FILE")] = None,
    as_json: AsJson = False,
    force: Force = False,
    sandbox: SandboxWord = "auto",
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Measure a bot's turns: time, processor, memory, the slowest ones.

    With --with, the slowest match is run again under a profiler.
    """
    from dohyo.guests.profile.measure import Wanted
    from dohyo.match.play import new_seed

    chosen = find_game("profile", game, [bot, *(opponents or ())])
    files = Files(html, stacks, save)
    _check(with_, files, matches, force)
    dice = new_seed() if seed is None else seed
    wanted = Wanted(dice, matches, setup, clock, python)
    box = sandbox_for(sandbox, trust, speaker)
    again = {"python": python, "trust": trust or sandbox == "none"}
    _run(ProfileOrder(chosen, bot, tuple(opponents or ()), wanted, box, with_, files, as_json, speaker, again))


class Files(NamedTuple):
    """The page, the stacks, and the folder for replays, each only if it is asked for."""

    html: str | None
    stacks: str | None
    folder: str | None

    def replay(self, number: int) -> str:
        """The file of a match's replay."""
        return os.path.join(self.folder or "", f"profile-{number}.replay")


class ProfileOrder(NamedTuple):
    """What is asked for: `bot` and `opponents` are the operator's words, `tool` is a profiler."""

    game: Game
    bot: str
    opponents: tuple[str, ...]
    wanted: Wanted
    sandbox: Sandbox
    tool: str | None
    files: Files
    as_json: bool
    speaker: Speaker
    again: Mapping[str, Any]  # how the bot is run: in printed commands


def _run(asked: ProfileOrder) -> None:
    """Play, look into the slowest match, print, write; what could not be written or found is told last.

    Whatever ends this early, what was measured by then is printed and written first.
    """
    from dohyo.guests.profile.measure import Stopped

    failed: list[OperatorError] = []
    found: Profile | None = None
    looked: Found | None = None
    ended: BaseException | None = None
    try:
        found, own, replays = _measured(asked, failed)
        looked = _looked_into(asked, found, own, replays, failed)
    except Stopped as stopped:
        found, ended = stopped.known[0], stopped.__cause__
    except BaseException as error:
        ended = error
        if found is None:
            raise
    _tell(found, looked, asked, interrupted=ended is not None)
    for path in _write(found, looked, asked):
        if not asked.as_json:
            console().print(asked.speaker.say("profile.written", path=path), soft_wrap=True)
    if isinstance(ended, KeyboardInterrupt):
        raise Ended(exit_status(ended)) from ended
    if ended is not None:
        raise ended
    if failed:
        raise failed[0]


def _tell(found: Profile, looked: Found | None, asked: ProfileOrder, interrupted: bool) -> None:
    """Print everything: for a person, or as one JSON document."""
    if asked.as_json:
        _print_json(found, looked, interrupted)
        return
    out = console()
    print_profile(found, asked.game, out, asked.speaker)
    print_slowest(found, asked, out)
    if looked is not None:
        print_functions(looked, out, asked.speaker)


def _write(found: Profile, looked: Found | None, asked: ProfileOrder) -> list[str]:
    """Write the files that were asked for; their names."""
    from dohyo.match.files import write_whole

    html, stacks, _ = asked.files
    written = []
    if html is not None:
        from dohyo.guests.profile.page import page

        write_whole(html, page(found, asked.game, looked, asked.bot, asked.speaker, **asked.again).encode())
        written.append(html)
    if stacks is not None and looked is not None:
        write_whole(stacks, looked.folded().encode())
        written.append(stacks)
    return written


def _check(tool: str | None, files: Files, matches: int, force: bool) -> None:
    """Raise `OperatorError` for what could not be done or written later, before any match; make the folder."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.guests.profile.measure import MAX_MATCHES

    if tool is not None:
        from dohyo.guests.profile.profilers import check_tool

        check_tool(tool)
    if files.stacks is not None and tool is None:
        raise OperatorError("profile-stacks-alone")
    replays = [] if files.folder is None else [files.replay(at) for at in range(1, min(matches, MAX_MATCHES) + 1)]
    there = {path: os.path.exists(path) for path in replays}
    outputs = [
        ("--html", files.html),
        ("--stacks", files.stacks),
        *(("--save", path) for path in replays if there[path]),
    ]
    check_outputs(outputs, force, [("--save", path) for path in replays if not there[path]])
    if files.folder is None:
        return
    try:
        Path(files.folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError("cannot-write", path=files.folder, reason=error) from error


def _measured(asked: ProfileOrder, failed: list[OperatorError]) -> tuple[Profile, Bot, list[Replay]]:
    """Play the matches, and keep their replays, if that is asked for; `failed` gets why one was not written."""
    from dohyo.guests.profile.measure import profile as measure
    from dohyo.match.replays.replays import save

    def keep(number: int, replay: Replay) -> str | None:
        if asked.files.folder is None:
            return None
        path = asked.files.replay(number)
        try:
            save(replay, path)
        except OperatorError as error:
            failed.append(error)
            return None
        return path

    with Progress(asked.speaker) as progress:

        def tell(number: int) -> None:
            progress.show(asked.speaker.say("profile.progress", number=number, of=asked.wanted.matches))

        return measure(asked.game, asked.bot, asked.opponents, asked.wanted, asked.sandbox, keep, tell)


def _looked_into(
    asked: ProfileOrder, found: Profile, own: Bot, replays: list[Replay], failed: list[OperatorError]
) -> Found | None:
    """Run the match with the longest thinking again under a profiler, if one is asked for.

    `failed` gets why it found nothing.
    """
    from dohyo.guests.profile.profilers import run

    if asked.tool is None:
        return None
    spent = {match.number: 0.0 for match in found.matches}
    for turn in found.turns:
        spent[turn.match] += turn.wall
    match = max(found.matches, key=lambda one: spent[one.number])
    with Progress(asked.speaker) as progress:
        progress.show(asked.speaker.say("profile.under", tool=asked.tool, number=match.number))
        try:
            return run(asked.tool, asked.game, replays[match.number - 1], match.seat, own, asked.sandbox)
        except OperatorError as error:
            failed.append(error)
            return None


def print_profile(found: Profile, game: Game, out: Console, speaker: Speaker) -> None:
    """The table of times, and how near the bot is to a time-out."""
    from dohyo.core.game import title_in
    from dohyo.guests.profile.sentences import SPREAD, headings, sentences, spread_rows
    from dohyo.match.telling.words import clock_name

    title = f"{title_in(game, speaker)}: {clean.line(found.bot)}"
    out.print(f"{title} ({found.language})" if found.language else title, style="bold")
    measured = {
        "matches": len(found.matches),
        "turns": len(found.turns),
        "clock": clock_name(found.clock, speaker),
    }
    out.print(speaker.say("profile.measured", **measured))
    out.print(speaker.say("profile.seed", seed=found.seed), end="\n\n")
    rows = spread_rows(found, speaker)
    show(table(headings(SPREAD, speaker), rows, right=range(1, len(SPREAD))), out)
    out.print()
    for sentence in sentences(found, speaker):
        out.print(sentence)


def print_slowest(found: Profile, asked: ProfileOrder, out: Console) -> None:
    """The slowest turns, and how to look at them."""
    from dohyo.guests.profile.sentences import SLOW, commands, headings, slow_rows

    speaker = asked.speaker
    if not (rows := slow_rows(found, SLOWEST, speaker)):
        return
    out.print("\n" + speaker.say("profile.slowest"), style="bold")
    show(table(headings(SLOW, speaker), rows, right=range(len(SLOW))), out)
    out.print()
    told = commands(found, asked.bot, **asked.again)
    for key, command in told:
        out.print(speaker.say(key, command=command), soft_wrap=True)
    if not told:
        out.print(speaker.say("profile.save"))


def print_functions(looked: Found, out: Console, speaker: Speaker) -> None:
    """In which functions the time went."""
    from dohyo.guests.profile.sentences import headings, notes, percent

    out.print("\n" + speaker.say("profile.functions", tool=looked.tool), style="bold")
    rows = [[percent(own), percent(whole), clean.line(name)] for name, own, whole in looked.functions(FUNCTIONS)]
    show(table(headings(("own", "with", "function"), speaker), rows, right=(0, 1), named=2), out)
    for sentence in notes(looked, speaker):
        out.print(sentence, style="dim")


def _print_json(found: Profile, looked: Found | None, interrupted: bool) -> None:
    """Everything as one JSON document; times in seconds."""
    import msgspec

    document: dict[str, Any] = {"interrupted": interrupted, **msgspec.to_builtins(found)}
    if looked is not None:
        rows = [{"function": name, "own": own, "with": whole} for name, own, whole in looked.functions(1000)]
        document["profiler"] = {"tool": looked.tool, "startup": looked.startup, "functions": rows}
    sys.stdout.write(clean.document(document))
