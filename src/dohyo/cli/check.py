"""`dohyo check`: what is wrong with a bot, in words; or a table of many."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dohyo import clean
from dohyo.bench.check.request import FOLDERS, CheckRequest
from dohyo.cli.asking import asks
from dohyo.cli.options import Outputs, application, find_game, is_debug, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.request_fields import OUTPUT, AsJson, Force, Trust
from dohyo.i18n import Speaker
from dohyo.terminal.screen import NAME, Progress, console

if TYPE_CHECKING:
    from dohyo.bench.check.findings import CheckReport
    from dohyo.core.game import Game
    from dohyo.terminal.author_texts import Records

app = application()

MORE = "More tests"  # the heading of options

Table = Annotated[bool, says("Print a table for spreadsheets; implies --each.", option="--csv", group=FOLDERS)]
Saved = Annotated[str | None, says("Write the replay of the first match that goes wrong.", "FILE", group=OUTPUT)]
Fuzz = Annotated[
    int | None,
    says("Then play so many matches from rare setups and positions.", "N", at_least=1, at_most=100_000, group=MORE),
]
Positions = Annotated[
    list[str] | None,
    says("With --fuzz: also from recorded matches; a replay, or a folder of them.", "PATH", group=MORE),
]

Puzzles = Annotated[
    str | None,
    says("Only this: how many puzzles of a file ('dohyo puzzles') does it solve in its time?", "FILE", group=MORE),
]
Feedback = Annotated[
    str | None,
    says("Write a text for each bot's author there, and failing replays in replays/.", "DIR", group=FOLDERS),
]
Workers = Annotated[
    int | None,
    says("Hand-ins examined at once. Without it: one for two cores.", "N", at_least=1, at_most=64, group=FOLDERS),
]
Rate = Annotated[bool, says("With --puzzles: add what it solved to the file, for the ratings.", group=MORE)]

EXAMPLES = """\b
Examples:
  dohyo check drop-block mybot.py
  dohyo check wondev-woman "./mybot --fast" --setup league=wood2
  dohyo check drop-block mybot.py --fuzz 500 --positions replays/
  dohyo check chess ./mybot --puzzles chess.jsonl
  dohyo check drop-block hand-ins/ --each
  dohyo check drop-block hand-ins/ --csv > table.csv
  dohyo check drop-block hand-ins/ --each --feedback texts/

Exit status: 0 all are fit; 1 a bot is not, or one of several does not build;
2 nothing was examined: the command is wrong, or the one bot does not build."""

SEVERAL = ("bot-several-mains", "bot-several-languages", "bot-folder-no-source")
FURTHER = ("name", "digest", "same_as")  # columns of the CSV


@asks(app, CheckRequest, epilog=EXAMPLES, usual="seed clock")
def check(
    asked: CheckRequest,
    as_csv: Table = False,
    as_json: AsJson = False,
    feedback: Feedback = None,
    save: Saved = None,
    fuzz: Fuzz = None,
    positions: Positions = None,
    puzzles: Puzzles = None,
    rate: Rate = False,
    workers: Workers = None,
    force: Force = False,
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Examine a bot, or a folder of them: what goes wrong at which line.

    The bot is walked through the protocol alone, step by step, and then played against 'random'.
    """
    if as_csv and as_json:
        raise OperatorError("csv-with-json")
    alone = not (as_csv or as_json or asked.each or feedback or asked.names is not None)
    _check_fuzz(fuzz, positions, alone)
    chosen = find_game("check", asked.game, [asked.bot])
    Outputs(save, None, speaker, force).check()
    options = {
        "seed": asked.seed or 0,
        "setup": asked.setup,
        "clock": asked.clock,
        "python": asked.python,
        "sandbox": sandbox_for(asked.sandbox, trust, speaker),
        "debug": is_debug(asked.build, asked.clock, speaker),
    }
    if puzzles is not None or rate:
        from dohyo.cli import check_puzzles

        beside = fuzz is not None or as_csv or asked.each or feedback or save or asked.names
        check_puzzles.run(chosen, asked.bot, options, check_puzzles.file_of(puzzles, beside), rate, as_json, speaker)
        return
    each = asked.each or asked.names is not None
    wanted = Wanted(each, as_csv, as_json, feedback, save, asked.names, force, workers, asked.sandbox)
    _run(chosen, asked.bot, dict(options), wanted, speaker)
    if fuzz is not None:
        from dohyo.cli import check_rare

        looked = check_rare.look(chosen, asked.bot, options, fuzz, positions or (), speaker)
        check_rare.tell(looked, chosen, asked.bot, fuzz, speaker)
        if looked.found:
            raise typer.Exit(1)


def _check_fuzz(fuzz: int | None, positions: list[str] | None, alone: bool) -> None:
    """Raise the `OperatorError` for options that do not go with --fuzz; `alone`: nothing that it cannot do."""
    if positions and fuzz is None:
        raise OperatorError("positions-without-fuzz")
    if fuzz is not None and not alone:
        raise OperatorError("fuzz-alone")


class Wanted(NamedTuple):
    """What is printed and written about the reports: options of the command line."""

    each: bool
    as_csv: bool
    as_json: bool
    feedback: str | None
    save: str | None
    names: str | None = None
    force: bool = False
    workers: int | None = None
    sandbox: str = "auto"


def _run(chosen: Game, bot: str, options: dict[str, Any], wanted: Wanted, speaker: Speaker) -> None:
    """Check one bot or a folder of them, and print what was found."""
    each, as_csv, as_json, feedback, save, names, force, *_ = wanted
    if names is not None and not os.path.isdir(bot):
        raise OperatorError("check-names-without-folder", bot=bot)
    several = (each or as_csv) and os.path.isdir(bot)
    if several:
        _check_feedback(feedback, bot)
    from dohyo.bench.check.hand_ins import alike_among
    from dohyo.terminal.author_texts import Records
    from dohyo.terminal.check import print_report

    notes: list[str] = []
    above = bot if os.path.isdir(bot) else str(Path(bot).parent)
    speaker = speaker.knowing(chosen.catalogue)
    records = Records(chosen, _command_again(chosen, options), speaker, feedback, save, above, force)
    options["keep"] = records.keeper
    found = None
    if not several:
        records.typed = bot
        found = _check_one(chosen, bot, options, speaker, records)
        records.typed = "" if found is None else bot
    if found is None:
        _check_feedback(feedback, bot)
        if save is not None:
            raise OperatorError("save-of-several")
    if found is not None and not as_csv:
        records.name_commands(found)
        reports = [found]
        _print_json(found, speaker) if as_json else print_report(found, chosen, console(), speaker)
        told = records.write(found)
        if not as_json:
            typer.echo("\n".join(told), nl=bool(told))
    else:
        rows = iter([found]) if found is not None else _check_each(chosen, Path(bot), options, wanted, notes, speaker)
        reports = _print_rows(_recorded(rows, records), chosen, speaker, as_csv, as_json)
        for group in alike_among(reports):  # hand-ins that hold the very same files
            bots = ", ".join(clean.line(each.called, NAME) for each in group)
            notes.append(speaker.say("contest.alike", bots=bots))
        for note in notes:
            typer.echo(note, err=as_csv or as_json)
    if not all(one.fit for one in reports):
        raise typer.Exit(1)


def _check_feedback(feedback: str | None, folder: str) -> None:
    """Raise the `OperatorError` for texts that would lie among the hand-ins of a folder."""
    if feedback is not None and Path(feedback).resolve().is_relative_to(Path(folder).resolve()):
        raise OperatorError("check-feedback-inside", path=feedback, folder=folder)


def _command_again(game: Game, options: dict[str, Any]) -> str:
    """The command that checks the bot `{}` in the same way."""
    from dohyo.match.command_lines import command

    repeated = {key: options[key] for key in ("setup", "clock", "python", "debug")}
    return command("check", game.name, "BOT", "--seed", str(options["seed"]), **repeated).replace(" BOT ", " {} ", 1)


def _recorded(rows: Iterator[CheckReport], records: Records) -> Iterator[CheckReport]:
    """The same reports; each is also written to its files."""
    for found in rows:
        records.name_commands(found)
        records.write(found)
        yield found


def _check_one(
    game: Game, bot: str, options: dict[str, Any], speaker: Speaker, records: Records
) -> CheckReport | None:
    """The report on a bot; none if it is a folder of several.

    If the bot cannot be checked, its author still gets a text, and the error is raised again.
    """
    from dohyo.bench.check.check import check_bot, check_options
    from dohyo.bench.check.hand_ins import unusable_bot

    is_folder = os.path.isdir(bot)
    # Mistakes of the operator come first: they are no author's.
    check_options(game, options["seed"], options["setup"], options["clock"])
    try:
        with Progress(speaker):
            return check_bot(game, bot, **options)
    except OperatorError as error:
        if error.key in SEVERAL and is_folder:
            return None
        if os.path.lexists(bot) and (unusable := unusable_bot(game, Path(bot), error)):
            for sentence in records.write_text(unusable):
                typer.echo(sentence, err=True)
        if isinstance(error, HandInError) and is_folder:
            typer.echo(speaker.say("check.built-as-one", folder=clean.line(bot)), err=True)
        raise


def _check_each(
    game: Game, folder: Path, options: dict[str, Any], wanted: Wanted, notes: list[str], speaker: Speaker
) -> Iterator[CheckReport]:
    """The reports on a folder's bots; progress goes to standard error, also to a file, but not for scripts.

    CSV shows its rows as they come. At the end `notes` get sentences: what is no bot, which names belong to nobody.
    """
    from dohyo.bench.check.hand_ins import check_all, hand_ins, no_hand_ins, of_nobody, read_names
    from dohyo.bots.bot import COMMANDS, TOML
    from dohyo.bots.content import listed

    paths = hand_ins(folder)  # always a folder of hand-ins: one called bot.toml must not make it a single bot
    if wanted.names is None and (file := next((name for name in (TOML, COMMANDS) if (folder / name).is_file()), "")):
        notes.append(speaker.say("check.taken-apart", folder=clean.line(str(folder)), file=file))
    others, names, for_scripts = no_hand_ins(folder), None, wanted.as_csv or wanted.as_json
    if wanted.names is not None:
        others = [path for path in others if path.resolve() != Path(wanted.names).resolve()]
        names = read_names(wanted.names, paths, others)
    with Progress(speaker) as progress:
        done = iter(range(1, len(paths) + 1))

        def start(path: Path) -> None:
            note = progress.show if for_scripts else progress.step
            note(speaker.say("check.progress", bot=path.name, number=next(done), total=len(paths)))

        with ExitStack() as stack:
            examine = _beside(stack, game, paths, options, wanted)
            for found in check_all(game, paths, on_start=start, names=names, examine=examine, **options):
                progress.show("")
                yield found
    if names is not None:
        for found in of_nobody(game, others, names):
            others = [path for path in others if path.name != found.name]
            yield found
        names.tell(lambda key, **details: notes.append(speaker.say(key, **details)))
    if others:
        notes.append(speaker.say("left-out.no-hand-in.all", names=listed([path.name for path in others], 20)))


def _beside(
    stack: ExitStack, game: Game, paths: list[Path], options: dict[str, Any], wanted: Wanted
) -> Callable[[Path], CheckReport] | None:
    """What examines hand-ins several at once, until `stack` ends; none where they are examined one by one."""
    from dohyo.bench.check.hand_ins import examined
    from dohyo.cli.check_beside import Beside, usual_workers

    workers = min(usual_workers() if wanted.workers is None else wanted.workers, len(paths))
    if workers < 2:
        return None
    from dohyo.cli.check_worker import CheckOrder
    from dohyo.sandbox import as_chosen

    known = {name: options[name] for name in ("seed", "clock", "python", "debug")}
    order = CheckOrder(
        game.name,
        "",
        setup=dict(options["setup"]),
        sandbox="none" if options["sandbox"].is_none else as_chosen(wanted.sandbox),
        keeps=options["keep"] is not None,
        **known,
    )
    here = lambda path: examined(game, path, **options)  # noqa: E731
    return stack.enter_context(Beside(paths, workers, order, here, options["keep"])).examine


def _print_rows(
    rows: Iterator[CheckReport], game: Game, speaker: Speaker, as_csv: bool, as_json: bool
) -> list[CheckReport]:
    """Print one line for each bot; in CSV each as soon as it is known."""
    from dohyo.bench.check.in_short import COLUMNS, csv_row
    from dohyo.terminal.check import print_table

    reports: list[CheckReport] = []
    if as_csv:
        from dohyo.cli.spreadsheets import csv_begin

        for found in rows:
            if not reports:  # after a mistake of the operator this would have ended before
                sys.stdout.write(csv_begin(speaker) + clean.csv_row((*COLUMNS, *FURTHER)))
            same = (each.called for each in reports if found.likeness and each.likeness == found.likeness)
            further = [found.person or None, found.digest or None, next(same, None)]
            reports.append(found)
            sys.stdout.write(clean.csv_row([*csv_row(found, speaker), *further]))
            sys.stdout.flush()
        return reports
    reports += rows
    if as_json:
        _print_json(reports, speaker)
    else:
        print_table(reports, game, speaker)
    return reports


def _print_json(found: Any, speaker: Speaker) -> None:
    """A report, or a list of them, as one JSON document, with the sentences."""
    from dohyo.bench.check.in_short import document

    told = [document(one, speaker) for one in found] if isinstance(found, list) else document(found, speaker)
    sys.stdout.write(clean.document(told, default=str))
