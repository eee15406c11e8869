"""What a page of a site carries of its match: as `dohyo.web.content` tells it, in columns.

Of the content these are other than there; `viewer/columns.js` makes the same of them:

    views      [{seat, count, frames}]  so many frames as a column; the first view's frames are the others'
                                        reference
    turns      {count, moves}           a column
    inputs     [{seat, asked, count, first, further}]  by seat: whether it was asked in a turn, as a column of 0 and
                                        1; then, for the turns in which it was, the first lines and all further ones,
                                        as columns, with the frames that it was asked in as rows. A line is a text, or
                                        its words: whole numbers or texts

Where that is too much for a page, `inputs` are {replay}: the name of the file that has them.

Left out is what no page shows: the processor time and the wall time of a move, and what was left of a reserve. Times
have as many digits as the page shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from dohyo.guests.reports.columns import MAX_WHOLE, Rows, column
from dohyo.web.content import ELSEWHERE

NOT_SHOWN = ("cpu", "wall", "bank")  # of a move
NUMBER = re.compile("0|-?[1-9][0-9]{0,8}", re.ASCII)
NUMBERED = re.compile("[^ ]{1,20}( -?[0-9]{1,20})+", re.ASCII)
MAX_KEPT = 10_000  # lines
LONGEST_KEPT = 200  # characters of such a line
DIGITS_OR_MINUS = frozenset("-0123456789")
DIGITS = ((1.0, 2), (0.01, 4), (0.0, 5))  # behind the point, of times from so many seconds on

Lines = list[str]

_decode = msgspec.json.Decoder(list[int]).decode
_encode = msgspec.json.Encoder().encode


def compact(told: dict[str, Any]) -> dict[str, Any]:
    """A page's content, as `dohyo.web.content.content` has the whole, in columns."""
    everybody = told["views"][0]["frames"]
    views = []
    for view in told["views"]:
        frames = view["frames"]
        known = None if frames is everybody else everybody
        views.append({"seat": view["seat"], "count": len(frames), "frames": column(frames, known)})
    turns = [[_move(move) for move in moves] for moves in told["turns"]]
    inputs = told["inputs"]
    if inputs is not ELSEWHERE:
        inputs = [_seat(seat, inputs, everybody) for seat in range(len(told["seats"]))]
    return told | {"views": views, "turns": {"count": len(turns), "moves": column(turns)}, "inputs": inputs}


def _move(move: dict[str, Any]) -> dict[str, Any]:
    short = {name: value for name, value in move.items() if name not in NOT_SHOWN}
    if "seconds" in short:
        seconds = short["seconds"]
        short["seconds"] = round(seconds, next(digits for least, digits in DIGITS if seconds >= least))
    return short


def _seat(seat: int, inputs: Sequence[dict[str, Lines]], frames: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a seat was sent."""
    name = str(seat)
    at = [turn for turn, sent in enumerate(inputs) if name in sent]
    sent = [list(map(_line, inputs[turn][name])) for turn in at]
    first = _lines_of_words(sent)
    return {
        "seat": seat,
        "asked": column([int(name in each) for each in inputs]),
        "count": len(at),
        "first": column([lines[:first] for lines in sent], rows=Rows([frames[turn] for turn in at])),
        "further": column([lines[first:] for lines in sent]),
    }


def _line(line: str) -> str | list[int] | list[int | str]:
    """A line, or its words, if it begins with a number, or has numbers behind its first word. Nobody may change them.

    Most lines are sent again and again. Long ones are not kept: so many of a stranger's would fill the memory.
    """
    return _parted(line) if len(line) > LONGEST_KEPT else _known(line)


def _parted(line: str) -> str | list[int] | list[int | str]:
    if line[:1] not in DIGITS_OR_MINUS:
        return _words(line) if NUMBERED.fullmatch(line) else line
    try:
        words = _decode(f"[{line.replace(' ', ',')}]")
    except msgspec.DecodeError:
        return _words(line)
    if words and max(map(abs, words)) > MAX_WHOLE:  # a browser would round it
        return _words(line)
    return words if _encode(words)[1:-1].replace(b",", b" ").decode() == line else line


_known = lru_cache(MAX_KEPT)(_parted)


def _words(line: str) -> list[int | str]:
    """Words of which some are numbers."""
    return [int(word) if NUMBER.fullmatch(word) else word for word in line.split(" ")]


def _lines_of_words(sent: Sequence[Sequence[Any]]) -> int:
    """How many lines all inputs have, up to the last that has words in each."""
    last = 0
    for at, lines in enumerate(zip(*sent, strict=False)):
        if all(isinstance(line, list) for line in lines):
            last = at + 1
    return last
