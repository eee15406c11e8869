"""`dohyo check`: what is wrong with a bot, in words; or a table of many."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dohyo import clean
from dohyo.cli.options import (
    Build,
    ClockWord,
    Force,
    Language,
    Outputs,
    SandboxOption,
    Trust,
    application,
    find_game,
    read_build,
    read_seed,
    read_setup,
    sandbox_for,
)
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.i18n import Speaker, duration, say
from dohyo.terminal.screen import NAME, Progress, console, console_to, show, table

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.bench.check.check import KeepReplay
    from dohyo.bench.check.findings import CheckReport, Finding
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.i18n.speaker import Speaker

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

MARKS = {"fine": ("\u2713", "green"), "warning": ("!", "yellow"), "wrong": ("\u2717", "bold red")}
LINES_SHOWN = 30  # of an input
ERRORS_SHOWN = 250  # of a compiler's words, and of standard error, which a crash report is shown whole of
COMPILER_LINES = 3  # of a bot that does not build, in one line
LONGEST = 300  # characters of these
QUOTED = re.compile(r"\d* *\|")  # the quoted source line, and the mark below it
ERROR = re.compile(r"(?i)\berror\b|エラー")
DEBUG = "check.killed.debug"  # a remedy that names a command
SEVERAL = ("bot-several-mains", "bot-several-languages", "bot-folder-no-source")
TEXT, REPLAY = ".txt", ".replay.zst"  # how the files of '--feedback' end
LONGEST_TEXT = 16 << 20  # bytes of a text that is there already
COLUMNS = ("bot", "language", "fit", "wrong", "warnings", "turns", "median", "longest", "limit", "share")
FURTHER = ("name", "digest", "same_as")  # columns of the CSV
NUMBERS = (4, 5, 6, 7)  # columns of the table that are aligned to the right


@app.command(epilog=EXAMPLES)
def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot, or a folder of bots.")],
    seed: Annotated[str | None, typer.Option(metavar="N", help="Decides the dice. Without it: 0.")] = None,
    setup: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A setup option of the game. May be repeated.")
    ] = None,
    clock: ClockWord = None,
    build: Build = None,
    python: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="The interpreter for bots in Python. Without it: python3.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="BOT is a folder: examine every bot in it.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a table for spreadsheets; implies --each.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    feedback: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a text for each bot's author there, and failing replays.")
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Who handed in what: a CSV or TOML file of hand-ins and names."),
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the replay of the first match that goes wrong.")
    ] = None,
    force: Force = False,
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
    Outputs(save, None, language, force).check()
    options = {
        "seed": 0 if seed is None else read_seed(seed),
        "setup": read_setup(setup or ()),
        "clock": clock,
        "python": python,
        "sandbox": sandbox_for(sandbox, trust, language),
        "debug": read_build(build, clock, language),
    }
    wanted = Wanted(each or names is not None, as_csv, as_json, feedback, save, names, force)
    _run(chosen, bot, options, wanted, language)


class Wanted(NamedTuple):
    """What is printed and written about the reports: options of the command line."""

    each: bool
    as_csv: bool
    as_json: bool
    feedback: str | None
    save: str | None
    names: str | None = None
    force: bool = False


def _run(chosen: Game, bot: str, options: dict[str, Any], wanted: Wanted, language: str) -> None:
    """Check one bot or a folder of them, and print what was found."""
    each, as_csv, as_json, feedback, save, names, force = wanted
    if names is not None and not os.path.isdir(bot):
        raise OperatorError("check-names-without-folder", bot=bot)
    notes: list[str] = []
    above = bot if os.path.isdir(bot) else str(Path(bot).parent)
    speaker = chosen.speaker(language)
    records = Records(chosen, _command_again(chosen, options), speaker, feedback, save, above, force)
    options["keep"] = records.keeper
    found = None
    if not ((each or as_csv) and os.path.isdir(bot)):
        records.typed = bot
        found = _check_one(chosen, bot, options, language, records)
        records.typed = "" if found is None else bot
    if found is None and save is not None:
        raise OperatorError("save-of-several")
    if found is not None and not as_csv:
        records.name_commands(found)
        reports = [found]
        _print_json(found, speaker) if as_json else print_report(found, chosen, console(), speaker)
        told = records.write(found)
        if not as_json:
            typer.echo("\n".join(told), nl=bool(told))
    else:
        rows = (
            iter([found]) if found is not None else _check_each(chosen, Path(bot), options, wanted, notes, language)
        )
        reports = _print_rows(_recorded(rows, records), chosen, speaker, as_csv, as_json)
        for note in notes + _alike(reports, language):
            typer.echo(clean.line(note), err=as_csv or as_json)
    if not all(one.fit for one in reports):
        raise typer.Exit(1)


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


def _check_one(game: Game, bot: str, options: dict[str, Any], language: str, records: Records) -> CheckReport | None:
    """The report on a bot; none if it is a folder of several.

    If the bot cannot be checked, its author still gets a text, and the error is raised again.
    """
    from dohyo.bench.check.check import check_bot, check_options
    from dohyo.bench.check.hand_ins import bots_in, unusable_bot
    from dohyo.bots.aside import is_aside

    is_folder = os.path.isdir(bot)
    # Mistakes of the operator come first: they are no author's.
    check_options(game, options["seed"], options["setup"], options["clock"])
    try:
        with Progress(language):
            found = check_bot(game, bot, **options)
        beside = (
            [path for path in bots_in(Path(bot)) if not is_aside(f"{path.stem}/{path.name}")] if is_folder else []
        )
        if len(beside) > 1:  # a class may have a hand-in called main.py
            typer.echo(say("check.taken-as-one", language, folder=clean.line(bot)), err=True)
        return found
    except OperatorError as error:
        if error.key in SEVERAL and is_folder:
            return None
        if os.path.lexists(bot) and (unusable := unusable_bot(game, Path(bot), error)):
            for sentence in records.write_text(unusable):
                typer.echo(sentence, err=True)
        if isinstance(error, HandInError) and is_folder:
            typer.echo(say("check.taken-as-one", language, folder=clean.line(bot)), err=True)
        raise


def _alike(reports: Sequence[CheckReport], language: str) -> list[str]:
    """Which hand-ins hold the very same files: a sentence for each group."""
    from dohyo.bench.check.hand_ins import alike_among

    groups = [", ".join(clean.line(each.called, NAME) for each in group) for group in alike_among(reports)]
    return [say("contest.alike", language, bots=bots) for bots in groups]


def _check_each(
    game: Game, folder: Path, options: dict[str, Any], wanted: Wanted, notes: list[str], language: str
) -> Iterator[CheckReport]:
    """The reports on a folder's bots; progress goes to standard error, also to a file, but not for scripts.

    CSV shows its rows as they come. At the end `notes` get sentences: what is no bot, which names belong to nobody.
    """
    from dohyo.bench.check.hand_ins import check_all, hand_ins, no_hand_ins, of_nobody, read_names
    from dohyo.bots.content import listed

    paths = hand_ins(folder)  # always a folder of hand-ins: one called bot.toml must not make it a single bot
    others, names, for_scripts = no_hand_ins(folder), None, wanted.as_csv or wanted.as_json
    if wanted.names is not None:
        names = read_names(wanted.names, paths)
        others = [path for path in others if path.resolve() != Path(wanted.names).resolve()]
    with Progress(language) as progress:
        done = iter(range(1, len(paths) + 1))

        def start(path: Path) -> None:
            note = progress.show if for_scripts else progress.step
            note(say("check.progress", language, bot=path.name, number=next(done), total=len(paths)))

        for found in check_all(game, paths, on_start=start, names=names, **options):
            progress.show("")
            yield found
    if names is not None:
        for found in of_nobody(game, others, names):
            others = [path for path in others if path.name != found.name]
            yield found
        names.tell(lambda key, **details: notes.append(say(key, language, **details)))
    if others:
        notes.append(say("left-out.no-hand-in.all", language, names=listed([path.name for path in others], 20)))


# --- one bot, for a person


def print_report(found: CheckReport, game: Game, out: Console, speaker: Speaker) -> None:
    """The report on one bot, for a person."""
    title = f"{game.title}: {clean.line(found.called)}"
    out.print(f"{title} ({found.language})" if found.language else title, style="bold", end="\n\n")
    shown = ""
    for finding in found.findings:
        sent = finding.input or ""
        _print_finding(finding, "" if sent == shown else sent, out, speaker)  # the same input is not shown twice
        shown = sent or shown
    if found.findings and found.findings[-1].severity == "fine":
        out.print()
    if found.turns:
        out.print(_times(found, speaker))
    wrong = sum(finding.severity == "wrong" for finding in found.findings)
    key = "check.fit" if found.fit else "check.not-fit" if wrong > 1 else "check.not-fit-one"
    out.print(speaker.say(key, wrong=wrong), style="bold green" if found.fit else "bold red")
    for failed in found.failed:
        sentence = speaker.say("check.again", number=failed.match, seed=failed.seed, command=failed.command)
        out.print(sentence, soft_wrap=True)


def _times(found: CheckReport, speaker: Speaker) -> str:
    return speaker.say(
        "check.times" if found.limit else "check.times-free",
        turns=found.turns,
        median=duration(found.median),
        longest=duration(found.longest),
        first=duration(found.first),
        limit=duration(found.limit),
        first_limit=duration(found.first_limit),
        share=share(found),
    )


def share(found: CheckReport) -> str:
    """The greatest part of its limit that any turn took."""
    return "-" if found.share is None else f"{found.share:.0%}" if found.share >= 0.1 else f"{found.share:.1%}"


def _print_finding(finding: Finding, sent: str, out: Console, speaker: Speaker) -> None:
    """One finding: what was seen, where, the remedy, and what was written and sent."""
    from rich.table import Table
    from rich.text import Text

    mark, style = MARKS[finding.severity]
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_row(Text(f" {mark}", style), finding.say(speaker))
    seen = speaker.say("check.times-seen", count=finding.count) if finding.count > 1 else ""
    if where := ", ".join(filter(None, (finding.where(speaker), seen))):
        lines.add_row("", Text(where, "dim"))
    if advice := finding.advice(speaker):
        lines.add_row("", Text(f"\u2192 {advice}"))
    show(lines, out)
    if finding.severity == "fine":
        return
    errors = "check.compiler" if finding.key == "check.unusable" else "fault-stderr"
    for name, text in ((errors, finding.errors), ("fault-input", sent)):
        if text:
            out.print(f"      {speaker.say(name)}:", style="dim")
            most = LINES_SHOWN if text is sent else ERRORS_SHOWN
            _print_lines(clean.block(text).splitlines(), out, speaker, most)
    out.print()


def _print_lines(lines: Sequence[str], out: Console, speaker: Speaker, most: int) -> None:
    for line in lines[:most]:
        out.print(f"        {line}", soft_wrap=True)
    if len(lines) > most:
        out.print("        " + speaker.say("check.more-lines", lines=len(lines) - most), style="dim")


# --- many


def _print_rows(
    rows: Iterator[CheckReport], game: Game, speaker: Speaker, as_csv: bool, as_json: bool
) -> list[CheckReport]:
    """Print one line for each bot; in CSV each as soon as it is known."""
    reports: list[CheckReport] = []
    if as_csv:
        for found in rows:
            if not reports:  # after a mistake of the operator this would have ended before
                sys.stdout.write(clean.csv_row((*COLUMNS, *FURTHER)))
            same = (each.called for each in reports if found.likeness and each.likeness == found.likeness)
            further = [found.person or None, found.digest or None, next(same, None)]
            reports.append(found)
            sys.stdout.write(clean.csv_row([*_csv_row(found, speaker), *further]))
            sys.stdout.flush()
        return reports
    reports += rows
    if as_json:
        _print_json(reports, speaker)
    else:
        _print_table(reports, game, speaker)
    return reports


def _csv_row(found: CheckReport, speaker: Speaker) -> list[object]:
    """Times in seconds, the share as a number; empty where nothing is known. `fit` is in English, for programs."""
    times = [None if number is None else round(number, 6) for number in (found.median, found.longest)]
    share = None if found.share is None else round(found.share, 4)
    fit = "yes" if found.fit else "no"
    limit = found.limit or None
    said = [_in_short(found, severity, speaker) for severity in ("wrong", "warning")]
    return [found.name, found.language, fit, *said, found.turns, *times, limit, share]


def _in_short(found: CheckReport, severity: str, speaker: Speaker) -> str:
    """Errors and warnings in one line."""
    said = []
    for finding in found.findings:
        if finding.severity == severity:
            where = finding.where(speaker)
            sentence = finding.say(speaker) + _compiler_words(finding)
            said.append(f"{where}: {sentence}" if where else sentence)
    return " / ".join(said)


def _compiler_words(finding: Finding) -> str:
    """What the compiler says about a bot that does not build, in one line, from its first error on."""
    if finding.key != "check.unusable":
        return ""
    lines = [line.strip() for line in clean.block(finding.errors).splitlines()]
    lines = [line for line in lines if line and not QUOTED.match(line)]
    first = next((at for at, line in enumerate(lines) if ERROR.search(line)), 0)
    said = " | ".join(lines[first : first + COMPILER_LINES])
    return f" [{clean.line(said, LONGEST)}]" if said else ""


def _worst(found: CheckReport, speaker: Speaker) -> str:
    """Errors; if there are none, the warnings in brackets."""
    warned = _in_short(found, "warning", speaker)
    return _in_short(found, "wrong", speaker) or (f"({warned})" if warned else "-")


def _print_table(reports: Sequence[CheckReport], game: Game, speaker: Speaker) -> None:
    out = console()
    rows = [
        (
            clean.line(found.called, NAME),
            found.language,
            speaker.say("check.yes" if found.fit else "check.no"),
            _worst(found, speaker),
            str(found.turns),
            duration(found.median),
            duration(found.longest),
            share(found),
        )
        for found in reports
    ]
    headings = [speaker.say(f"check.column.{name}") for name in COLUMNS if name not in ("limit", "warnings")]
    show(table(headings, rows, right=NUMBERS, named=0), out)
    out.print()
    fit = sum(found.fit for found in reports)
    out.print(speaker.say("check.how-many", game=game.title, fit=fit, total=len(reports)), style="bold")


def _print_json(found: Any, speaker: Speaker) -> None:
    """A report, or a list of them, as one JSON document, with the sentences."""
    document = [_document(one, speaker) for one in found] if isinstance(found, list) else _document(found, speaker)
    sys.stdout.write(clean.document(document, default=str))


def _document(found: CheckReport, speaker: Speaker) -> dict[str, Any]:
    import msgspec

    findings = [
        {
            **{name: value for name, value in msgspec.structs.asdict(finding).items() if value not in (None, "")},
            "says": finding.say(speaker),
            "remedy": finding.advice(speaker),
        }
        for finding in found.findings
    ]
    failed = [msgspec.structs.asdict(each) for each in found.failed]
    return {**msgspec.structs.asdict(found), "findings": findings, "failed": failed, "fit": found.fit}


# --- files


def _is_text(content: bytes) -> bool:
    """Whether a file is empty, or ends as the texts for authors do: with the command that checks the bot again."""
    return not content.strip() or b"dohyo check " in content.rstrip().rpartition(b"\n")[2]


class Records:
    """What `check` writes to files: a text for the author of each bot, replays of matches that went wrong."""

    def __init__(
        self,
        game: Game,
        again: str,
        speaker: Speaker,
        folder: str | None,
        path: str | None,
        above: str,
        force: bool = False,
    ) -> None:
        """Texts and replays go to `folder`, which is made, the first replay to `path`; `again` checks the bot `{}`.

        `above` is the folder of the hand-ins, which is removed from all texts.

        Raises `OperatorError` if these cannot be written.
        """
        from dohyo.match.files import check_place

        self._folder = None if folder is None else Path(folder)
        self._path, self._force = path, force
        self._game, self._command_again, self._speaker = game, again, speaker
        self._replay: Replay | None = None
        self._names: set[str] = set()
        self._above = f"{os.path.abspath(above)}/"
        self.typed = ""  # what was typed for the one bot
        if path is not None:
            check_place(path)
        try:
            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MachineError("cannot-write", path=folder, reason=error) from error

    @property
    def keeper(self) -> KeepReplay:
        """What is called with replays of matches that went wrong; nothing keeps them if none is to be written."""
        from dohyo.bench.check.check import discard

        return discard if self._folder is None and self._path is None else self.keep

    def keep(self, replay: Replay) -> None:
        """Keep the replay of a match that went wrong: the first one of each bot."""
        self._replay = self._replay or replay

    def name_commands(self, found: CheckReport) -> None:
        """Say the whole command where a finding names one that checks the bot in another way."""
        for finding in found.findings:
            if finding.remedy == DEBUG:
                finding.details["command"] = f"{self._again(found)} --build debug"

    def _again(self, found: CheckReport) -> str:
        """The command that checks this bot again."""
        return self._command_again.replace("{}", shlex.quote(clean.line(self.typed or found.name)))

    def write(self, found: CheckReport) -> list[str]:
        """Write what is known about a bot; returns sentences that say where. Raises `OperatorError`."""
        from dohyo.match.replays.replays import save

        replay, self._replay = self._replay, None
        told = self.write_text(found, replay)
        if self._path is not None:
            if replay is not None:
                save(replay, self._path)
                told.append(self._saved(found, self._path))
            else:
                told.append(self._speaker.say("check.nothing-saved"))
        return told

    def write_text(self, found: CheckReport, replay: Replay | None = None) -> list[str]:
        """Write the text for a bot's author, if wanted, and the replay beside it; sentences that say where."""
        from dohyo.match.files import write_whole
        from dohyo.match.replays.replays import save

        if (folder := self._folder) is None:
            return []
        name, text = self._name_for(found.called), io.StringIO()
        print_report(found, self._game, console_to(text), self._speaker)
        if replay is not None:
            save(replay, folder / f"{name}{REPLAY}")
            text.write(self._saved(found, f"{name}{REPLAY}") + "\n")
        text.write(self._speaker.say("check.examine-again", command=self._again(found)) + "\n")
        content = text.getvalue().replace(self._above, "")  # the teacher's folder is private
        path = write_whole(folder / f"{name}{TEXT}", content.encode())
        return [self._speaker.say("check.feedback", path=path)]

    def _saved(self, found: CheckReport, path: str) -> str:
        number = found.failed[0].match if found.failed else 1
        return self._speaker.say("check.saved", number=number, path=path)

    def _may_write(self, name: str) -> bool:
        """Whether a text and a replay of this name replace only earlier ones, unless by force."""
        from dohyo.match.files import read_bounded
        from dohyo.match.replays.replays import is_replay

        text, replay = (Path(self._folder or "", f"{name}{ending}") for ending in (TEXT, REPLAY))
        if self._force:
            return True
        if text.exists() and not (text.is_file() and _is_text(read_bounded(text, LONGEST_TEXT))):
            return False
        return not replay.exists() or (replay.is_file() and is_replay(str(replay)))

    def _name_for(self, bot: str) -> str:
        """A file name for a bot of this name, which no other bot has: a hand-in may be called anything.

        What is there already and is no such text or replay stays; the name gets a number then.
        """
        plain = clean.file_name(clean.line(bot)) or "bot"
        name, number = plain, 1
        while name.casefold() in self._names or not self._may_write(name):
            number += 1
            name = f"{plain}-{number}"
        self._names.add(name.casefold())
        return name
