"""A contest in one of this guest's forms, for `dohyo contest export`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import typer

from dohyo.core.errors import OperatorError
from dohyo.guests.exports.texts import as_json_lines, as_ordo
from dohyo.series.exports.export import Counted, ResultLine, as_csv, as_headers, as_json, lines

if TYPE_CHECKING:
    from dohyo.doors import ExportRequest
    from dohyo.i18n import Speaker
    from dohyo.series.session import ContestView

COUNTING = ("ordo", "markdown")  # forms that cannot say of a result that it does not count
Pieces = Callable[[Iterable[ResultLine]], Iterator[str]]
TEXTS: Mapping[str, Pieces] = {
    "csv": as_csv,
    "json": as_json,
    "jsonl": as_json_lines,
    "headers": as_headers,
    "ordo": as_ordo,
}

# How a file of each form begins, so that an older export is recognised, which a new one may replace.
BEGINNINGS = {
    "csv": re.compile(rb"(\xef\xbb\xbf)?contest,game,match,"),
    "json": re.compile(rb'\[\s*(\{\s*"contest"|\])'),
    "jsonl": re.compile(rb'\{"contest"'),
    "headers": re.compile(rb'(?s)\[Event .*\[Replay "'),
    "pgn": re.compile(rb'(?s)\[Event .*\[Replay "'),
    "ordo": re.compile(rb"\[White "),
    "markdown": re.compile(rb"`[^`\n]+`: [^\n]+\n\n\|"),
    "parquet": re.compile(rb"PAR1"),
}


def write(asked: ExportRequest, speaker: Speaker) -> None:
    """Write a contest in the form that is asked for."""
    from dohyo.cli.overwriting import begins, check_outputs
    from dohyo.cli.spreadsheets import csv_begin
    from dohyo.guests.exports import parquet
    from dohyo.match.files import write_pieces, written_whole
    from dohyo.series.exports.pgn import as_pgn
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    form, out = asked.form, asked.out
    _check(asked)
    check_outputs([("--out", out)], asked.force, fits=lambda path: begins(path, BEGINNINGS[form]))
    with open_store(asked.store, files=asked.files) as opened:
        view = look(opened, asked.name, results=form == "markdown")
        if form == "markdown":
            _write_markdown(view, out, speaker)
            return
        found = Counted(lines(view, everything=asked.everything))
        if form == "parquet":
            with written_whole(str(out)) as place:
                parquet.write(place, found)
        else:
            pieces = as_pgn(opened, view.game, found) if form == "pgn" else TEXTS[form](found)
            if form == "csv":
                pieces = chain([csv_begin(speaker, is_file=out is not None)], pieces)
            if out is None:
                sys.stdout.writelines(pieces)
                return
            write_pieces(out, pieces)
    key = "contest.wrote" if found.count == found.matches else "contest.wrote-results"
    typer.echo(speaker.say(key, count=found.matches, results=found.count, path=out))


def _check(asked: ExportRequest) -> None:
    """Raise `OperatorError` for what this form cannot do."""
    from dohyo.guests.exports import parquet

    if asked.sign is not None:
        raise OperatorError("sign-without-bundle")
    if asked.everything and asked.form in COUNTING:
        raise OperatorError("export-all", format=asked.form)
    if asked.form == "parquet":
        parquet.chosen()
        if asked.out is None:
            raise OperatorError("parquet-without-file")


def _write_markdown(view: ContestView, out: str | None, speaker: Speaker) -> None:
    """The standings in Markdown, to a file or the output."""
    from dohyo.match.files import write_pieces
    from dohyo.series.telling.markdown import standings

    text = standings(view, speaker)
    if out is None:
        sys.stdout.write(text)
    else:
        write_pieces(out, [text])
        typer.echo(speaker.say("contest.wrote-table", path=out))
