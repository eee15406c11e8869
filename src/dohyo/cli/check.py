"""`dohyo check`: what is wrong with a bot, in words; or a table of many."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dohyo import clean
from dohyo.cli.application import application
from dohyo.cli.check_telling import Records, share, tell
from dohyo.cli.game_word import find_game
from dohyo.cli.language import Language
from dohyo.cli.play import ClockWord, read_seed, read_setup
from dohyo.cli.sandboxes import SandboxOption, Trust, sandbox_for
from dohyo.cli.screen import NAME, Progress, console, duration, show, table
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.app.findings import Examination, Finding
    from dohyo.core.game import Game

app = application()

EXAMPLES = """\b
Examples:
  dohyo check drop-block mybot.py
  dohyo check wondev-woman "./mybot --fast" --setup league=wood2
  dohyo check drop-block hand-ins/ --each
  dohyo check drop-block hand-ins/ --csv > table.csv
  dohyo check drop-block hand-ins/ --each --feedback texts/

Exit status: 0 all are fit; 1 a bot is not, or one of several does not build;
2 nothing was examined: the command is wrong, or the one bot does not build."""

COMPILER_LINES = 3  # of a bot that does not build, in one line
LONGEST = 300  # characters of these
QUOTED = re.compile(r"\d* *\|")  # the source's own line, and the mark below it
ERROR = re.compile(r"(?i)\berror\b|エラー")
SEVERAL = ("bot-several-mains", "bot-several-languages", "bot-folder-no-source")
COLUMNS = ("bot", "language", "fit", "wrong", "warnings", "turns", "median", "longest", "limit", "share")
NUMBERS = (4, 5, 6, 7)  # columns of the table that stand to the right


@app.command(epilog=EXAMPLES)
def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot, or a folder of bots.")],
    seed: Annotated[str | None, typer.Option(metavar="N", help="Decides the dice. Without it: 0.")] = None,
    setup: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A setup option of the game. May be repeated.")
    ] = None,
    clock: ClockWord = None,
    python: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="The interpreter for bots in Python. Without it: python3.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="BOT is a folder: examine every bot in it.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a table for spreadsheets; implies --each.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    feedback: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a text for each bot's author there, and failing replays.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the replay of the first match that goes wrong.")
    ] = None,
    sandbox: SandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> None:
    """Examine a bot, or a folder of them: what goes wrong at which line, how long its turns take.

    The bot is walked through the protocol alone, step by step, and then played against 'random'.
    """
    language = str(lang)
    if as_csv and as_json:
        raise OperatorError("csv-with-json")
    chosen = find_game("check", game, [bot])
    options = {
        "seed": 0 if seed is None else read_seed(seed),
        "setup": read_setup(setup or ()),
        "clock": clock,
        "python": python,
        "sandbox": sandbox_for(sandbox, trust, language),
    }
    _examine(chosen, bot, options, Wanted(each, as_csv, as_json, feedback, save), language)


class Wanted(NamedTuple):
    """What is to be told, and written, of what was examined: the words of the command line."""

    each: bool
    as_csv: bool
    as_json: bool
    feedback: str | None
    save: str | None


def _examine(chosen: Game, bot: str, options: dict[str, Any], wanted: Wanted, language: str) -> None:
    """Examine one bot or a folder of them, and tell what came of it."""
    each, as_csv, as_json, feedback, save = wanted
    above = bot if os.path.isdir(bot) else str(Path(bot).parent)
    records = Records(chosen, _again(chosen, options), language, feedback, save, above)
    found = None
    if not ((each or as_csv) and os.path.isdir(bot)):
        found = _examine_one(chosen, bot, {**options, "keep": records.keep}, language, records)
    if found is None and save is not None:
        raise OperatorError("save-of-several")
    if found is not None and not as_csv:
        examined = [found]
        _print_json(found, language) if as_json else tell(found, chosen, console(), language)
        told = records.write(found)
        if not as_json:
            typer.echo("\n".join(told), nl=bool(told))
    else:
        rows = (
            iter([found])
            if found is not None
            else _examine_each(chosen, Path(bot), options, records, language, as_csv or as_json)
        )
        examined = _print_rows(_recorded(rows, records), chosen, language, as_csv, as_json)
    if not all(one.fit for one in examined):
        raise typer.Exit(1)


def _again(game: Game, options: dict[str, Any]) -> str:
    """The command that examines the bot `{}` as it is examined now."""
    words = ["dohyo", "check", game.name, "BOT", "--seed", str(options["seed"])]
    for key, value in options["setup"].items():
        words += ["--setup", f"{key}={value}"]
    for key in ("clock", "python"):
        words += [f"--{key}", options[key]] if options[key] is not None else []
    return shlex.join(words).replace(" BOT ", " {} ", 1)


def _recorded(rows: Iterator[Examination], records: Records) -> Iterator[Examination]:
    """The same, each written down as it comes by."""
    for found in rows:
        records.write(found)
        yield found


def _examine_one(
    game: Game, bot: str, options: dict[str, Any], language: str, records: Records
) -> Examination | None:
    """The examination of a bot; none if it is a folder of several.

    Where it cannot be examined, its author still has a text, and the error goes on.
    """
    from dohyo.app.examine import check_words, examine
    from dohyo.app.hand_ins import unusable

    check_words(game, options["seed"], options["setup"], options["clock"])  # the operator's mistakes, no author's
    try:
        with Progress(language):
            return examine(game, bot, **options)
    except OperatorError as error:
        if error.key in SEVERAL and os.path.isdir(bot):
            return None
        if os.path.lexists(bot) and (found := unusable(game, Path(bot), error)):
            for sentence in records.write_text(found):
                typer.echo(sentence, err=True)
        raise


def _examine_each(
    game: Game, folder: Path, options: dict[str, Any], records: Records, language: str, for_scripts: bool
) -> Iterator[Examination]:
    """The examinations of a folder's bots; how far they are is told on standard error.

    Where that is a file, too, but `for_scripts`: CSV shows its rows as they come.
    """
    from dohyo.app.hand_ins import examine_all, hand_ins

    paths = hand_ins(folder)  # whatever lies in it: a hand-in called bot.toml makes no bot of a whole class
    with Progress(language) as progress:
        done = iter(range(1, len(paths) + 1))

        def start(path: Path) -> None:
            note = progress.show if for_scripts else progress.step
            note(say("check.progress", language, bot=path.name, number=next(done), total=len(paths)))

        for found in examine_all(game, paths, on_start=start, keep=records.keep, **options):
            progress.show("")
            yield found


# --- many


def _print_rows(
    rows: Iterator[Examination], game: Game, language: str, as_csv: bool, as_json: bool
) -> list[Examination]:
    """Print one line a bot; in CSV each as soon as it is known."""
    examined: list[Examination] = []
    if as_csv:
        for found in rows:
            if not examined:  # a mistake of the operator's has been told by now, and nothing else
                sys.stdout.write(clean.csv_row(COLUMNS))
            examined.append(found)
            sys.stdout.write(clean.csv_row(_csv_row(found, language)))
            sys.stdout.flush()
        return examined
    examined += rows
    if as_json:
        _print_json(examined, language)
    else:
        _notetable(examined, game, language)
    return examined


def _csv_row(found: Examination, language: str) -> list[object]:
    """Times in seconds, the share as a number; empty where nothing is known. `fit` is in English, for programs."""
    times = [None if number is None else round(number, 6) for number in (found.median, found.longest)]
    share = None if found.share is None else round(found.share, 4)
    fit = "yes" if found.fit else "no"
    limit = found.limit or None
    said = [_in_short(found, severity, language) for severity in ("wrong", "warning")]
    return [found.name, found.language, fit, *said, found.turns, *times, limit, share]


def _in_short(found: Examination, severity: str, language: str) -> str:
    """What is wrong, or worth a warning, in one line."""
    said = []
    for finding in found.findings:
        if finding.severity == severity:
            where = finding.where(language)
            sentence = finding.say(language) + _compiler_words(finding)
            said.append(f"{where}: {sentence}" if where else sentence)
    return " / ".join(said)


def _compiler_words(finding: Finding) -> str:
    """What the compiler says of a bot that does not build, in one line, from its first error on."""
    if finding.key != "check.unusable":
        return ""
    lines = [line.strip() for line in clean.block(finding.errors).splitlines()]
    lines = [line for line in lines if line and not QUOTED.match(line)]
    first = next((at for at, line in enumerate(lines) if ERROR.search(line)), 0)
    said = " | ".join(lines[first : first + COMPILER_LINES])
    return f" [{clean.line(said, LONGEST)}]" if said else ""


def _worst(found: Examination, language: str) -> str:
    """What is wrong; where nothing is, the warnings in brackets."""
    warned = _in_short(found, "warning", language)
    return _in_short(found, "wrong", language) or (f"({warned})" if warned else "-")


def _notetable(examined: Sequence[Examination], game: Game, language: str) -> None:
    out = console()
    rows = [
        (
            clean.line(found.name, NAME),
            found.language,
            say("check.yes" if found.fit else "check.no", language),
            _worst(found, language),
            str(found.turns),
            duration(found.median),
            duration(found.longest),
            share(found),
        )
        for found in examined
    ]
    headings = [say(f"check.column.{name}", language) for name in COLUMNS if name not in ("limit", "warnings")]
    show(table(headings, rows, right=NUMBERS, named=0), out)
    out.print()
    fit = sum(found.fit for found in examined)
    out.print(say("check.how-many", language, game=game.title, fit=fit, total=len(examined)), style="bold")


def _print_json(found: Any, language: str) -> None:
    """An examination, or a list of them, as one JSON document, with the sentences."""
    document = [_document(one, language) for one in found] if isinstance(found, list) else _document(found, language)
    sys.stdout.write(clean.document(document, default=str))


def _document(found: Examination, language: str) -> dict[str, Any]:
    import msgspec

    findings = [
        {
            **{name: value for name, value in msgspec.structs.asdict(finding).items() if value not in (None, "")},
            "says": finding.say(language),
            "remedy": finding.advice(language),
        }
        for finding in found.findings
    ]
    failed = [msgspec.structs.asdict(each) for each in found.failed]
    return {**msgspec.structs.asdict(found), "findings": findings, "failed": failed, "fit": found.fit}
