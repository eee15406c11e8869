"""A match of a contest that another program refereed: what it wrote, for a person or a script."""

from __future__ import annotations

import sys

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.executors.refereed.match import decode
from dohyo.match.files import write_whole


def show_record(content: bytes, save: str | None, as_json: bool, looks_inside: bool) -> None:
    """Print a record, or save it as it is kept. Raises `OperatorError` for what only a replay could give."""
    if looks_inside:
        raise OperatorError("contest.no-page-of-record")
    record = decode(content)
    if save is not None:
        write_whole(save, content)
    if as_json:
        sys.stdout.write(clean.document(msgspec.to_builtins(record)))
        return
    outcome = record.outcome()
    for bot, place, failed in zip(record.bots, outcome.places, outcome.failed, strict=True):
        sys.stdout.write(f"{place}  {clean.line(bot.name)}{'  !' if failed else ''}\n")
    for text in (record.output, record.errors):
        if text.strip():
            sys.stdout.write("\n" + clean.block(text.rstrip("\n")) + "\n")
