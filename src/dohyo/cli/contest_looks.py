"""`dohyo contest show|standings|matches|export|replay|files`: what a store holds about a contest."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dohyo import clean, doors
from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.replay import Copy, Pgn
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson, Faults, Force, Page, VerifyMoves, Watch
from dohyo.i18n import ENGLISH, Speaker

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.executors.refereed import RefereeKind
    from dohyo.series.rulings import Book
    from dohyo.series.session import ContestView
    from dohyo.terminal.faults import KeptReplay

MAX_DIGITS = 9  # of a match's number
FORMATS = ", ".join(doors.brought("exports"))
MOST = 50  # matches in a list, if no number is given


def show(store: StoreWord, name: Name = None, as_json: AsJson = False, *, speaker: Speaker) -> None:
    """What is played, how far it is, who takes part, what went wrong."""
    from dohyo.series.rulings import Book, waiting
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.series.telling.cells import shortened
    from dohyo.series.telling.words import asides, entrant_names, facts, how_far, left_open, passed_over
    from dohyo.series.typed_again import words_again
    from dohyo.terminal.screen import console, side_by_side

    with open_store(store) as opened:
        view = look(opened, name, results=as_json)
        if as_json:
            from dohyo.series.telling.document import document

            sys.stdout.write(clean.document(document(view, view.contest.state)))
            return
        out, book = console(), Book(view)
        lines = [
            (speaker.say("contest.fact.contest"), view.contest.name),
            *facts(view.game, view.spec, speaker),
            (speaker.say("contest.fact.state"), speaker.say(f"contest.state.{view.contest.state}")),
            (speaker.say("contest.fact.matches"), how_far(view, speaker)),
            (speaker.say("contest.fact.bots"), speaker.listed(entrant_names(view.entrants, speaker, book.out))),
        ]
        for line in side_by_side(lines, speaker):
            out.print(line)
        for each in view.spec.left_out:
            out.print(speaker.say("contest.left-out-line", bot=each.name, why=each.reason(speaker)))
            for line in map(clean.line, each.log):
                out.print(f"  {line}", soft_wrap=True)
        alike = [
            speaker.say("contest.alike", bots=speaker.listed(map(shortened, names))) for names in view.spec.alike
        ]
        for sentence in (*alike, *asides(view.asides()[0], speaker)):
            out.print(clean.line(sentence))
        _print_reasons(view, book, out, speaker)
        again = words_again(opened, store, view.contest, view.spec)
        open_ = left_open(view, again, speaker), passed_over(view, again, speaker), waiting(book, speaker)
        out.print(*map(clean.line, filter(None, open_)), sep="\n", end="\n" if any(open_) else "")


def _print_reasons(view: ContestView, book: Book, out: Console, speaker: Speaker) -> None:
    """Why bots fail, and what was ruled."""
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.telling.cells import shortened
    from dohyo.series.telling.words import audit_lines, reason_lines
    from dohyo.series.versions import shown_names

    called = shown_names(((each.number, each.name) for each in view.entrants), speaker, shortened)
    reasons = reason_lines(fault_reasons(view), view, called, speaker)
    for line in (*reasons, *map(clean.line, audit_lines(book, speaker))):
        out.print(line, soft_wrap=True)


def standings(
    store: StoreWord,
    name: Name = None,
    as_json: AsJson = False,
    markdown: Annotated[bool, says("Print the table in Markdown, for a forum.")] = False,
    csv: Annotated[bool, says("Print the table as CSV: a row for each bot.")] = False,
    *,
    speaker: Speaker,
) -> None:
    """The table: places, ratings with 95 % intervals, results, faults."""
    from dohyo.cli.spreadsheets import csv_begin
    from dohyo.series.exports.export import standings_as_csv
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    if as_json + markdown + csv > 1:
        raise OperatorError("markdown-or-json")
    with open_store(store) as opened:
        view = look(opened, name)
        if as_json:
            from dohyo.series.telling.document import document

            sys.stdout.write(clean.document(document(view, view.contest.state)))
        elif markdown:
            from dohyo.series.telling.markdown import standings as table

            sys.stdout.write(table(view, speaker))
        elif csv:
            reasons = {each.entrant: (each.say(view.game, ENGLISH), each.match) for each in fault_reasons(view)}
            sys.stdout.write(csv_begin(speaker))
            sys.stdout.writelines(standings_as_csv(view.standings(), reasons))
        else:
            from dohyo.terminal.standings import print_standing

            print_standing(view, speaker)


def matches(
    store: StoreWord,
    name: Name = None,
    bot: Annotated[str | None, says("Only matches of this bot.", "BOT")] = None,
    faults: Annotated[bool, says("Only matches in which somebody misbehaved.")] = False,
    last: Annotated[int, says("The last N of them; 0 for all.", "N", at_least=0)] = MOST,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """The matches that were played: who sat where, what came of it.

    Matches and batches are numbered from 0. For a spreadsheet: 'dohyo contest export'.

    With --bot and --faults, those in which the bot itself had a fault come first.
    """
    from dohyo.series.exports.export import as_json as document
    from dohyo.series.exports.export import lines
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console
    from dohyo.terminal.screen import show as show_table

    with open_store(store) as opened:
        view = look(opened, name, results=False)
        found = list(lines(view, bot, faults, last, everything=True))
        if faults and bot is not None:  # its own faults first
            found.sort(
                key=lambda line: (
                    not any(seated == bot and kinds for seated, kinds in zip(line.bots, line.faults, strict=True))
                )
            )
        if as_json:
            sys.stdout.writelines(document(found))
        else:
            from dohyo.terminal.standings import match_table

            show_table(match_table(found, view, speaker, bot if faults else None), console())


def export(
    store: StoreWord,
    name: Name = None,
    format_: Annotated[str, says(f"What to write: {FORMATS}. Without it: csv.", "FORMAT")] = "csv",
    out: Annotated[str | None, says("Where to. Without it: the output.", "FILE")] = None,
    sign: Annotated[str | None, says("Of a bundle: sign it by 'minisign' with this secret key.", "KEY")] = None,
    force: Annotated[bool, says("Overwrite a file that is no such export.")] = False,
    everything: Annotated[bool, says("Results that do not count, too; they say so.", option="--all")] = False,
    *,
    speaker: Speaker,
) -> None:
    """All matches for other programs, in a form that they read.

    There are tables, JSON, PGN headers, games for ordo, a bundle, a table in Markdown. To look at them here:
    'dohyo contest matches'.
    """
    if FORMATS and format_ not in doors.brought("exports"):
        raise OperatorError("contest-value", key="--format", value=format_, takes=FORMATS)
    write = doors.load(doors.find("exports", format_).write)
    write(doors.ExportRequest(store, name, format_, out, sign, force, everything), speaker)


RulingNumber = Annotated[
    int | None,
    says("Of a match that was played again: what ruling N asked for; 0: the first result.", "N"),
]


def replay(
    store: StoreWord,
    match: Annotated[str, says("A match's number, from 0 on.", "MATCH", is_bare=True)],
    name: Name = None,
    ruling: RulingNumber = None,
    verify: VerifyMoves = False,
    html: Page = None,
    save: Copy = None,
    watch: Watch = False,
    faults: Faults = False,
    as_json: AsJson = False,
    pgn: Pgn = None,
    force: Force = False,
    *,
    speaker: Speaker,
) -> None:
    """Look at a match of a contest, as 'dohyo replay' does."""
    from dohyo.cli.options import Outputs
    from dohyo.cli.replay import look_at, write_pgn
    from dohyo.core import replay_format as replays
    from dohyo.series.renaming import under_names
    from dohyo.series.rulings import notes_on, result_of
    from dohyo.series.session import look
    from dohyo.series.spec import referee_kind_of
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = (view := look(opened, name, results=False)).contest
        result, known = result_of(view, _number(match), ruling)
        if result.replay is None:
            raise OperatorError("contest-no-replay", number=match, name=contest.name)
        content, called = opened.files.get(result.replay), [view.name(each) for each in result.fixture.seats]
    by = referee_kind_of(contest)
    if pgn is not None:
        if verify or watch or faults or as_json or html is not None or save is not None:
            raise OperatorError("option-alone", option="--pgn")
        if by is not None:
            raise OperatorError("pgn-none", game=clean.line(contest.game))
        write_pgn(under_names(replays.decode(content), called), pgn, force, speaker, result.at)
        return
    (outputs := Outputs(save, html, speaker, force)).check()
    if by is not None:
        if html is not None or watch or faults or verify:
            raise OperatorError("contest.no-page-of-record")
        _show_record(by, content, called, save, as_json)
        return
    sys.stderr.writelines(f"{note}\n" for note in notes_on(known, result, speaker))
    recorded, title = under_names(replays.decode(content), called), f"{contest.name} {match}"
    kept = kept_replay(store, _number(match), name, ruling)
    look_at(recorded, title, outputs, verify=verify, watch=watch, faults=faults, as_json=as_json, kept=kept)


def kept_replay(store: str, match: int, name: str | None, ruling: int | None) -> KeptReplay:
    """Where a match's replay will lie, and the command that writes it there, as it can be typed here."""
    import shlex

    from dohyo.terminal.faults import KeptReplay

    file = f"match-{match}.replay"
    words = ["dohyo", "contest", "replay", store, str(match)]
    words += [] if name is None else ["--name", name]
    words += [] if ruling is None else ["--ruling", str(ruling)]
    return KeptReplay(file, clean.line(shlex.join([*words, "--save", file])))


def _show_record(by: RefereeKind, content: bytes, called: list[str], save: str | None, as_json: bool) -> None:
    """Print what another program wrote about a match that it refereed, or save it as it is kept.

    By seat, bots are `called` so now.
    """
    from dohyo.executors.refereed import read_record
    from dohyo.match.files import write_whole

    record = read_record(by, content)
    if save is not None:
        write_whole(save, content)
    if as_json:
        sys.stdout.write(clean.document(msgspec.to_builtins(record)))
        return
    outcome = record.outcome()
    faults = outcome.faults or ((),) * len(record.bots)
    for bot, place, own in zip(called, outcome.places, faults, strict=True):
        sys.stdout.write(f"{place}  {clean.line(bot)}{'  !' if own else ''}\n")
    for text in record.texts:
        if text.strip():
            sys.stdout.write("\n" + clean.block(text.rstrip("\n")) + "\n")


def _number(word: str) -> int:
    """A match's number. Raises `OperatorError` for any other word."""
    if not word.isdecimal() or len(word) > MAX_DIGITS:
        raise OperatorError("contest-match-number", given=word)
    return int(word)


def files(
    store: StoreWord,
    folder: Annotated[str, says("The folder with its files.", "DIR", is_bare=True)],
    *,
    speaker: Speaker,
) -> None:
    """Say where the files of a store in PostgreSQL are.

    This machine remembers it.
    """
    from dohyo.series.store.address import read_address
    from dohyo.series.store.files_folder import name_folder

    named = name_folder(store, folder)
    typer.echo(speaker.say("store-files-named", store=read_address(store).shown, folder=named))
