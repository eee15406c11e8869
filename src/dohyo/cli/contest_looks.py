"""`dohyo contest show|standings|matches|export|replay`: what a store holds about a contest."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean, doors
from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.options import Force, Language
from dohyo.cli.replay import Pgn
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.series.rulings import Book
    from dohyo.series.session import ContestView
    from dohyo.series.standings import Standings
    from dohyo.terminal.faults import KeptReplay

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
COUNTING = ("ordo", "markdown")  # formats that cannot say of a result that it does not count
MAX_DIGITS = 9  # of a match's number
UNSEEN_WIDTH = 100  # columns of a drawing that goes to a file
OWN = ("csv", "json", "jsonl", "headers", "pgn", "ordo", "parquet")
FORMATS = ", ".join([*OWN, *doors.brought("exports"), "markdown"])
MOST = 50  # matches in a list, if no number is given


def mount(app: typer.Typer) -> None:
    """Make these commands of `app`."""
    for command in (show, standings, matches, export, replay):
        app.command()(command)


def show(store: StoreWord, name: Name = None, as_json: AsJson = False, lang: Language = None) -> None:
    """What is played, how far it is, who takes part, what went wrong."""
    from dohyo.series.rulings import Book, waiting
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console
    from dohyo.terminal.standings import (
        asides,
        entrant_names,
        facts,
        how_far,
        left_open,
        passed_over,
        shortened,
        words_again,
    )

    language = str(lang)
    with open_store(store) as opened:
        view = look(opened, name, results=as_json)
        if as_json:
            print_document(view, view.contest.state)
            return
        out, book = console(), Book(view)
        lines = [
            (say("contest.fact.contest", language), view.contest.name),
            *facts(view.game, view.spec, language),
            (say("contest.fact.state", language), say(f"contest.state.{view.contest.state}", language)),
            (say("contest.fact.matches", language), how_far(view, language)),
            (say("contest.fact.bots", language), ", ".join(entrant_names(view.entrants, language, book.out))),
        ]
        for heading, fact in lines:
            out.print(f"{heading + ':':<10} {clean.line(fact)}")
        for each in view.spec.left_out:
            out.print(say("contest.left-out-line", language, bot=each.name, why=each.reason(language)))
            for line in map(clean.line, each.log):
                out.print(f"  {line}", soft_wrap=True)
        alike = [say("contest.alike", language, bots=", ".join(map(shortened, names))) for names in view.spec.alike]
        for sentence in (*alike, *asides(view.asides()[0], language)):
            out.print(clean.line(sentence))
        _print_reasons(view, book, out, language)
        again = words_again(opened, store, view.contest, view.spec)
        open_ = left_open(view, again, language), passed_over(view, again, language), waiting(book, language)
        out.print(*map(clean.line, filter(None, open_)), sep="\n", end="\n" if any(open_) else "")


def _print_reasons(view: ContestView, book: Book, out: Console, language: str) -> None:
    """Why bots fail, and what was ruled."""
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.versions import shown_names
    from dohyo.terminal.standings import audit_lines, reason_lines, shortened

    called = shown_names(((each.number, each.name) for each in view.entrants), language, shortened)
    reasons = reason_lines(fault_reasons(view), view, called, language)
    for line in (*reasons, *map(clean.line, audit_lines(book, language))):
        out.print(line, soft_wrap=True)


def standings(
    store: StoreWord,
    name: Name = None,
    as_json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table in Markdown, for a forum.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV: a row for each bot.")] = False,
    lang: Language = None,
) -> None:
    """The table: places, ratings with 95 % intervals, results, faults."""
    from dohyo.series.exports.export import standings_as_csv
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    if as_json + markdown + csv > 1:
        raise OperatorError("markdown-or-json")
    with open_store(store) as opened:
        view = look(opened, name)
        if as_json:
            print_document(view, view.contest.state)
        elif markdown:
            _write_markdown(view, None, str(lang))
        elif csv:
            reasons = {each.entrant: (each.say(view.game, "en"), each.match) for each in fault_reasons(view)}
            sys.stdout.writelines(standings_as_csv(view.standings(), reasons))
        else:
            print_standing(view, str(lang))


def matches(
    store: StoreWord,
    name: Name = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Only matches of this bot.")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches in which somebody misbehaved.")] = False,
    last: Annotated[int, typer.Option(metavar="N", help="The last N of them; 0 for all.")] = MOST,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """The matches that were played: who sat where, what came of it. Matches and batches are numbered from 0.

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
        found = list(lines(view, bot, faults, max(0, last), everything=True))
        if faults and bot is not None:  # its own faults first
            found.sort(key=lambda line: not _is_of(line, bot))
        if as_json:
            sys.stdout.writelines(document(found))
        else:
            show_table(_match_table(found, view, str(lang), bot if faults else None), console())


def export(
    store: StoreWord,
    name: Name = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"What to write: {FORMATS}. Without it: csv.")
    ] = "csv",
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Where to. Without it: the output.")] = None,
    sign: Annotated[
        str | None, typer.Option(metavar="KEY", help="Of a bundle: sign it by 'minisign' with this secret key.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is no such export.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Results that do not count, too; they say so.")] = False,
    lang: Language = None,
) -> None:
    """All matches for other programs: tables, JSON, PGN headers, games for ordo; a bundle; a table in Markdown."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match.files import write_pieces, written_whole
    from dohyo.series.exports import export as texts
    from dohyo.series.exports import parquet
    from dohyo.series.exports.pgn import as_pgn
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    if format_ not in (*OWN, "markdown") and (whole := doors.brought("exports").get(format_)) is not None:
        doors.load(whole.write)(store, name, out, sign, force, str(lang))
        return
    _check_export(format_, sign, everything)
    if format_ == "parquet":
        parquet.chosen()
        if out is None:
            raise OperatorError("parquet-without-file")
    check_outputs([("--out", out)], force, fits=lambda path: texts.may_replace(path, format_))
    with open_store(store) as opened:
        view = look(opened, name, results=format_ == "markdown")
        if format_ == "markdown":
            _write_markdown(view, out, str(lang))
            return
        found = texts.Counted(texts.lines(view, everything=everything))
        if format_ == "parquet":
            with written_whole(str(out)) as place:
                parquet.write(place, found)
        else:
            pieces = as_pgn(opened, view.game, found) if format_ == "pgn" else texts.FORMATS[format_](found)
            if out is None:
                sys.stdout.writelines(pieces)
                return
            write_pieces(out, pieces)
    key = "contest.wrote" if found.count == found.matches else "contest.wrote-results"
    typer.echo(clean.line(say(key, str(lang), count=found.matches, results=found.count, path=out)))


def _check_export(format_: str, sign: str | None, everything: bool) -> None:
    if sign is not None:
        raise OperatorError("sign-without-bundle")
    if everything and format_ in COUNTING:
        raise OperatorError("export-all", format=format_)
    if format_ not in FORMATS.split(", "):
        raise OperatorError("contest-value", key="--format", value=format_, takes=FORMATS)


def _write_markdown(view: ContestView, out: str | None, language: str) -> None:
    """The standings in Markdown, to a file or the output."""
    from dohyo.cli.contest_markdown import standings as table
    from dohyo.match.files import write_pieces

    text = table(view, language)
    if out is None:
        sys.stdout.write(text)
    else:
        write_pieces(out, [text])
        typer.echo(clean.line(say("contest.wrote-table", language, path=out)))


RulingNumber = Annotated[
    int | None,
    typer.Option(metavar="N", help="Of a match that was played again: what ruling N asked for; 0: the first result."),
]


def replay(
    store: StoreWord,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match's number, from 0 on.")],
    name: Name = None,
    ruling: RulingNumber = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Play the moves again and compare every state and the result.")
    ] = False,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a page to watch in a browser.")] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Write the replay to a file of its own.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch the board in the terminal.")] = False,
    faults: Annotated[bool, typer.Option("--faults", help="Show each fault with the input that caused it.")] = False,
    as_json: AsJson = False,
    pgn: Pgn = None,
    force: Force = False,
    lang: Language = None,
) -> None:
    """Look at a match of a contest, as 'dohyo replay' does."""
    from dohyo.cli.contest_results import notes_on, result_of
    from dohyo.cli.options import Outputs
    from dohyo.cli.replay import look_at, write_pgn
    from dohyo.core import replay_format as replays
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = (view := look(opened, name, results=False)).contest
        result, known = result_of(opened, view, _number(match), ruling)
        if result.replay is None:
            raise OperatorError("contest-no-replay", number=match, name=contest.name)
        content = opened.files.get(result.replay)
    is_refereed = contest.spec.get("referee") is not None
    if pgn is not None:
        if verify or watch or faults or as_json or html is not None or save is not None:
            raise OperatorError("pgn-alone")
        if is_refereed:
            raise OperatorError("pgn-none", game=clean.line(contest.game))
        write_pgn(replays.decode(content), pgn, force, str(lang))
        return
    (outputs := Outputs(save, html, str(lang), force)).check()
    if is_refereed:
        from dohyo.cli.contest_record import show_record

        show_record(content, save, as_json, html is not None or watch or faults or verify)
        return
    sys.stderr.writelines(f"{note}\n" for note in notes_on(known, result, str(lang)))
    recorded = replays.decode(content)
    kept = _kept(store, match, name, ruling)
    called = f"{contest.name} {match}"
    look_at(recorded, called, outputs, verify=verify, watch=watch, faults=faults, as_json=as_json, kept=kept)


def _kept(store: str, match: str, name: str | None, ruling: int | None) -> KeptReplay:
    """Where a match's replay will lie, and by which command."""
    from dohyo.terminal.faults import KeptReplay

    return KeptReplay(f"match-{_number(match)}.replay", saving_command(store, match, name, ruling))


def saving_command(store: str, match: str, name: str | None, ruling: int | None) -> str:
    """The command that writes a match's replay to a file, as it can be typed here."""
    import shlex

    words = ["dohyo", "contest", "replay", store, match]
    words += [] if name is None else ["--name", name]
    words += [] if ruling is None else ["--ruling", str(ruling)]
    return clean.line(shlex.join([*words, "--save", f"match-{_number(match)}.replay"]))


def _number(word: str) -> int:
    """A match's number. Raises `OperatorError` for any other word."""
    if not word.isdecimal() or len(word) > MAX_DIGITS:
        raise OperatorError("contest-match-number", given=word)
    return int(word)


# --- what `run` prints too


def print_standing(view: ContestView, language: str) -> None:
    """Print the table, with notes for reading it."""
    from dohyo.series.best import who_won
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.formats import BY_SHARE
    from dohyo.series.ratings.ratings import MAX_PLAIN
    from dohyo.series.standings import matches_of, share_note, why_not_by_elo
    from dohyo.terminal.screen import console
    from dohyo.terminal.screen import show as show_table
    from dohyo.terminal.standings import (
        FAILS,
        how_far,
        reason_lines,
        ruling_lines,
        shortened,
        standing_table,
        table_names,
    )

    out = console()
    table = view.standings()
    show_table(standing_table(table, language, width=out.width if sys.stdout.isatty() else None), out)
    if any(row.fails and row.holds_place for row in table.rows):
        out.print(say("contest.fails", language, mark=FAILS))
    for line in ruling_lines(view, language):
        out.print(line, soft_wrap=True)
    names = table_names(table, language)
    for line in reason_lines(fault_reasons(view), view, names, language):
        out.print(line, soft_wrap=True)
    out.print()
    total = matches_of(view.format, view.progress, view.contest.state == "over")
    out.print(how_far(view, language))
    if table.placed_by == BY_SHARE:
        out.print(say(share_note(view.format), language))
    played = sum(batch.played + batch.set_aside for batch in view.progress)
    uneven = len({row.matches for row in table.rows if row.state == "playing"}) > 1
    if uneven and view.format.info.evens_out and total is not None and played < total:
        out.print(say("contest.uneven", language))
    if not table.rated and any(row.matches for row in table.rows):
        out.print(say("contest.points-only", language, most=MAX_PLAIN))
    for line in who_won(view.bracket(), names, language):
        out.print(line)
    _print_ratings(table, names, out, language)
    if order := why_not_by_elo(table, names, language):
        out.print(order)
    if table.groups:
        groups = "; ".join(", ".join(map(shortened, group)) for group in table.groups)
        out.print(say("ratings-not-connected", language, groups=groups))
    _print_drawing(view, names, out, language)


def _print_ratings(table: Standings, names: dict[int, str], out: Console, language: str) -> None:
    """Print who may be best, and what the columns of ratings mean, where there are any."""
    from dohyo.series.best import who_is_best
    from dohyo.series.formats import BY_RATING
    from dohyo.series.standings import GONE, TOLD, has_untold

    if not table.rated:
        return
    for line in (*who_is_best(table.rows, names, language), say("contest.columns", language)):
        out.print(line)
    if any(row.state in GONE and row.holds_place for row in table.rows):
        out.print(say("contest.columns-gone", language))
    if table.placed_by == BY_RATING:
        out.print(say("contest.points-low", language))
    if has_untold(table):
        out.print(say("contest.untold", language, far=TOLD))


def _print_drawing(view: ContestView, names: dict[int, str], out: Console, language: str) -> None:
    """Print the bracket of a knock-out, or who held the hill."""
    from dohyo.terminal.brackets import bracket_lines, hill_notes, hill_rows
    from dohyo.terminal.screen import show as show_table
    from dohyo.terminal.screen import table

    bracket, hill = view.bracket(), view.hill()
    if bracket is not None:
        out.print()
        width = out.width if sys.stdout.isatty() else UNSEEN_WIDTH
        for line in bracket_lines(bracket, names, width, language):
            out.print(line)
    if hill is not None and hill.reigns:
        out.print()
        out.print(say("hill", language))
        show_table(table(*hill_rows(hill, names, language), right=(0, 1)), out)
        playing = [entrant.number for entrant in view.entrants if entrant.until is None]
        for line in hill_notes(hill, names, playing, language):
            out.print(line)


def print_document(view: ContestView, state: str) -> None:
    """Print the contest and its standings as one JSON document (docs/contests.md)."""
    import msgspec

    from dohyo.series.fault_reasons import fault_reasons

    table = view.standings()
    asides, missed = view.asides()
    document: dict[str, Any] = {
        "contest": view.contest.name,
        "store": view.store.database.address.shown,
        "game": view.game.name,
        "format": view.spec.format,
        "rounds": view.spec.rounds,
        "seed": view.spec.seed,
        "state": state,
        "scheduled": sum(batch.size for batch in view.progress),
        "played": view.played,
        "set_aside": [
            {"match": each.fixture.number, "attempts": each.attempts, "error": each.error} for each in asides
        ],
        "passed_over": [each.fixture.number for each in missed],
        "voided": view.store.voided(view.contest.id),
        "rulings": [msgspec.to_builtins(each) for each in view.store.rulings(view.contest.id)],
        "left_out": [{"name": each.name, "why": each.reason("en")} for each in view.spec.left_out],
        "alike": view.spec.alike,
        "rated": table.rated,
        "groups": table.groups,
        "placed_by": table.placed_by,
        "fault_is_last": view.spec.fault_is_last,
        "standings": [
            msgspec.to_builtins(row) | {"low": row.told_low, "high": row.told_high, "fails": row.fails}
            for row in table.rows
        ],
        "reasons": [
            {
                "bot": view.name(each.entrant),
                "entrant": each.entrant,
                "match": each.match,
                "fault": each.fault.kind,
                "reason": each.say(view.game, "en"),
            }
            for each in fault_reasons(view)
        ],
    }
    sys.stdout.write(clean.document(document))


def _is_of(line: Any, bot: str | None) -> bool:
    """Whether a bot itself had a fault in a match."""
    return any(name == bot and kinds for name, kinds in zip(line.bots, line.faults, strict=True))


def _match_table(found: list[Any], view: ContestView, language: str, bot: str | None = None) -> Any:
    """The matches as a table; of each, the faults of `bot` come first.

    Where somebody ruled about one of them, each has the number that `replay --ruling` takes, and whether it counts.
    """
    from dohyo.series.versions import shown_names
    from dohyo.terminal.screen import table
    from dohyo.terminal.standings import shortened
    from dohyo.terminal.summary import counted

    called = shown_names(((each.number, each.name) for each in view.entrants), language, shortened)
    names = {(each.name, each.version.digest): called[each.number] for each in view.entrants}
    ruled = any(line.ruling or not line.counts for line in found)
    columns = ["match", "batch", "seed", "result", "faults", *(["ruling", "counts"] if ruled else [])]
    rows = []
    for line in found:
        shown = [names[version] for version in zip(line.bots, line.versions, strict=True)]
        faults = sorted(
            zip(line.bots, shown, line.faults, strict=True), key=lambda each: bot is not None and each[0] != bot
        )
        rows.append(
            (
                str(line.match),
                str(line.batch),
                str(line.seed),
                ", ".join(f"{name} {place}" for name, place in zip(shown, line.places, strict=True)),
                " / ".join(f"{name}: {counted(kinds, language)}" for _, name, kinds in faults if kinds),
                *(_ruled(line, language) if ruled else ()),
            )
        )
    right = (0, 1, 2, *((5,) if ruled else ()))
    return table([say(f"contest.column.{column}", language) for column in columns], rows, right=right)


def _ruled(line: Any, language: str) -> tuple[str, str]:
    """What was ruled about a result: the ruling that asked for it, and whether it counts, and why."""
    from dohyo.series.rulings import in_words

    told = in_words(line.counts, line.why, line.by, line.because, language)
    return str(line.ruling), clean.line(told)
