"""`dohyo profile`: how long a bot thinks, turn by turn, and where its time goes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean
from dohyo.cli.options import (
    ClockWord,
    Force,
    Interpreter,
    Language,
    Outputs,
    SandboxOption,
    Setup,
    Trust,
    application,
    find_game,
    read_seed,
    read_setup,
    sandbox_for,
)
from dohyo.cli.screen import Progress, console, show, table
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.app.profile import Profile, Wanted
    from dohyo.app.profilers import Found
    from dohyo.bots import Bot
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.sandbox import Sandbox

app = application()

SLOWEST = 5  # turns that are printed; the page and --json have more
FUNCTIONS = 12
EXAMPLES = """\b
Examples:
  dohyo profile drop-block mybot.py
  dohyo profile wondev-woman mybot.cpp sensei --matches 10 --clock finals --save slow/
  dohyo profile drop-block mybot.py --with cprofile --html profile.html

Without opponents: the sample bot 'random'. docs/profile.md has more."""


@app.command(epilog=EXAMPLES)
def profile(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot to measure.")],
    opponents: Annotated[
        list[str] | None, typer.Argument(metavar="[OPPONENT]...", help="Who plays on the other seats.")
    ] = None,
    matches: Annotated[int, typer.Option(metavar="N", help="How many matches to play.")] = 4,
    seed: Annotated[str | None, typer.Option(metavar="N", help="Decides the dice. Without it: 0.")] = None,
    setup: Setup = None,
    clock: ClockWord = None,
    with_: Annotated[
        str | None,
        typer.Option("--with", metavar="cprofile|py-spy|perf", help="Run the slowest match again under a profiler."),
    ] = None,
    stacks: Annotated[
        str | None, typer.Option(metavar="FILE", help="With --with: write the stacks, for speedscope and others.")
    ] = None,
    python: Interpreter = None,
    save: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write the replays there, so that slow turns can be looked at.")
    ] = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a page with charts.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    force: Force = False,
    sandbox: SandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> None:
    """Measure a bot's turns: time, processor, memory, the slowest ones; or under a profiler."""
    from dohyo.app.profile import Wanted

    language = str(lang)
    chosen = find_game("profile", game, [bot, *(opponents or ())])
    _check(with_, stacks, html, save, force)
    seed_number = 0 if seed is None else read_seed(seed)
    wanted = Wanted(seed_number, matches, read_setup(setup or ()), clock, python)
    box = sandbox_for(sandbox, trust, language)
    found, own, replays = _measured(chosen, bot, opponents or [], wanted, box, save, language)
    looked, failed = _looked_into(with_, chosen, found, own, replays, box, language)
    if as_json:
        _print_json(found, looked)
    else:
        _tell(found, chosen, bot, looked, language)
    written = _write(found, chosen, bot, looked, html, stacks, language)
    for path in () if as_json else written:
        console().print(say("profile.written", language, path=path), soft_wrap=True)
    if failed is not None:
        raise failed


def _tell(found: Profile, game: Game, word: str, looked: Found | None, language: str) -> None:
    """Print everything for a person."""
    out = console()
    print_profile(found, game, out, language)
    print_slowest(found, word, out, language)
    if looked is not None:
        print_functions(looked, out, language)


def _write(
    found: Profile, game: Game, word: str, looked: Found | None, html: str | None, stacks: str | None, language: str
) -> list[str]:
    """Write the files that were asked for; their names."""
    from dohyo.app.files import write_whole

    if html is not None:
        from dohyo.web.profile import page

        write_whole(html, page(found, game, looked, word, language).encode())
    if stacks is not None and looked is not None:
        write_whole(stacks, looked.folded().encode())
    return [path for path, is_there in ((html, True), (stacks, looked)) if path is not None and is_there]


def _check(tool: str | None, stacks: str | None, html: str | None, save: str | None, force: bool) -> None:
    """Raise `OperatorError` for what could not be done or written later, before any match."""
    from dohyo.app.files import check_place
    from dohyo.web.page import is_page

    if tool is not None:
        from dohyo.app.profilers import check_tool

        check_tool(tool)
    if stacks is not None and tool is None:
        raise OperatorError("profile-stacks-alone")
    for path, may in ((html, is_page), (stacks, None)):
        if path is None:
            continue
        check_place(path)
        if not force and os.path.exists(path) and not (may is not None and may(path)):
            raise OperatorError("profile-over-other", path=path)
    if save is not None:
        try:
            Path(save).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OperatorError("cannot-write", path=save, reason=error.strerror) from error


def _measured(
    game: Game, bot: str, opponents: list[str], wanted: Wanted, box: Sandbox, save: str | None, language: str
) -> tuple[Profile, Bot, list[Replay]]:
    """Play the matches, and keep their replays in the folder, if there is one."""
    from dohyo.app.profile import profile as measure
    from dohyo.app.replays import save as write

    def keep(number: int, replay: Replay) -> str | None:
        if save is None:
            return None
        path = os.path.join(save, f"profile-{number}.replay")
        Outputs(path, None, language).check()
        write(replay, path)
        return path

    with Progress(language) as progress:
        told = lambda number: progress.show(  # noqa: E731
            say("profile.progress", language, number=number, of=wanted.matches)
        )
        return measure(game, bot, opponents, wanted, box, keep, told)


def _looked_into(
    tool: str | None, game: Game, found: Profile, own: Bot, replays: list[Replay], box: Sandbox, language: str
) -> tuple[Found | None, OperatorError | None]:
    """Run the match with the longest thinking again under a profiler, if one is asked for.

    Returns what it found, and why it found nothing, which is told when all that is known has been printed.
    """
    from dohyo.app.profilers import run

    if tool is None:
        return None, None
    spent = {match.number: 0.0 for match in found.matches}
    for turn in found.turns:
        spent[turn.match] += turn.wall
    match = max(found.matches, key=lambda one: spent[one.number])
    with Progress(language) as progress:
        progress.show(say("profile.under", language, tool=tool, number=match.number))
        try:
            return run(tool, game, replays[match.number - 1], match.seat, own, box), None
        except OperatorError as error:
            return None, error


def print_profile(found: Profile, game: Game, out: Console, language: str) -> None:
    """The table of times, and how near the bot is to a time-out."""
    from dohyo.app.profile_words import SPREAD, headings, sentences, spread_rows
    from dohyo.cli.games import clock_name

    title = f"{game.title}: {clean.line(found.bot)}"
    out.print(f"{title} ({found.language})" if found.language else title, style="bold")
    measured = {"matches": len(found.matches), "turns": len(found.turns), "clock": clock_name(found.clock, language)}
    out.print(say("profile.measured", language, **measured), soft_wrap=True, end="\n\n")
    rows = spread_rows(found, language)
    show(table(headings(SPREAD, language), rows, right=range(1, len(SPREAD))), out)
    out.print()
    for sentence in sentences(found, language):
        out.print(sentence, soft_wrap=True)


def print_slowest(found: Profile, word: str, out: Console, language: str) -> None:
    """The slowest turns, and how to look at them."""
    from dohyo.app.profile_words import SLOW, commands, headings, slow_rows

    if not (rows := slow_rows(found, SLOWEST, language)):
        return
    out.print("\n" + say("profile.slowest", language), style="bold")
    show(table(headings(SLOW, language), rows, right=range(len(SLOW))), out)
    out.print()
    told = [say(key, language, command=command) for key, command in commands(found, word)]
    for sentence in told or [say("profile.save", language)]:
        out.print(sentence, soft_wrap=True)


def print_functions(looked: Found, out: Console, language: str) -> None:
    """In which functions the time went."""
    from dohyo.app.profile_words import headings, percent

    out.print("\n" + say("profile.functions", language, tool=looked.tool), style="bold")
    rows = [[percent(own), percent(whole), clean.line(name)] for name, own, whole in looked.functions(FUNCTIONS)]
    show(table(headings(("own", "with", "function"), language), rows, right=(0, 1), named=2), out)
    if looked.is_rebuilt:
        out.print(say("profile.rebuilt", language), style="dim", soft_wrap=True)


def _print_json(found: Profile, looked: Found | None) -> None:
    """Everything as one JSON document; times in seconds."""
    import msgspec

    document: dict[str, Any] = msgspec.to_builtins(found)
    if looked is not None:
        rows = [{"function": name, "own": own, "with": whole} for name, own, whole in looked.functions(1000)]
        document["profiler"] = {"tool": looked.tool, "functions": rows}
    sys.stdout.write(clean.document(document))
