"""What the default prompt of a game in one file is: each field by its name, and the legal actions last.

`source.py` writes it by this, a bot's class and the programs of `dohyo new bot` read it by this.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.starter import NamedLine, NamedRows, Number, Part, Starter, Word
from dohyo.one_file.fields import StateField

SEAT, LEGAL = "seat", "legal"  # begin the first line and the last one
WHOLE_TYPES = ((-128.0, 127.0), (-32768.0, 32767.0))  # the ranges of fields about which nothing is declared
MAX_WORD = 24  # characters of a number or sign that is read as a word: a decimal has at most 21
# Words that mean something in one of the languages; a field of such a name gets a `_` behind it.
_WORDS = """
abstract and as assert async auto await base bool break byte case catch chan char checked class const continue
crate data decimal def default defer delegate delete do double dyn elif else enum event except explicit export
extends extern false final finally fixed float fn for foreach from fun func function global go goto if impl
implements import in inline inout int interface internal is lambda let lock long loop map match mod module
move mut mutable namespace native new nil none not null object operator or out override package params pass
private protected public pub raise range readonly record ref register restrict return sealed select self short
signed sizeof static string struct super switch template this throw trait true try type typedef typeof union
unsafe unsigned use using val var virtual void volatile when where while with yield find bot input line start
"""
TAKEN = frozenset(_WORDS.split())


def described(fields: Sequence[StateField], seats: int, texts: Sequence[str]) -> Starter:
    """What the default prompt is, of a game with these fields, at most so many seats, and these words of actions.

    A line for the seat's number, then for each row of each field that a seat sees, in order, then for what is legal.
    """
    width = max(map(len, texts))
    parts: list[Part] = [NamedLine(Number(SEAT, f"yours, 0 to {seats - 1}"))]
    parts += [_part(field) for field in fields if field.is_told]
    parts.append(NamedRows(LEGAL, "all that you may do now", 1, len(texts), width, varies=True))
    return Starter(turn=tuple(parts), listed=LEGAL, help=(f"One of the words of `{LEGAL}`.",))


def _part(field: StateField) -> Part:
    """A field's lines."""
    name = "turn_number" if field.name == "turn" else field.name  # `Turn` is a type
    name += "_" if name in TAKEN else ""
    is_word = bool(field.signs) or field.kind == "f8"
    meaning = _meaning(field)
    begins = field.name if name != field.name else ""
    if not field.shape:
        return NamedLine(Word(name, meaning, MAX_WORD) if is_word else Number(name, meaning), begins)
    return NamedRows(name, meaning, field.rows, field.columns, MAX_WORD if is_word else 0, begins=begins)


def _meaning(field: StateField) -> str:
    """What is known of a field: its range or its signs, whose it is."""
    if field.kind == "f8":
        told = "a decimal"
    elif field.signs:
        told = "the signs " + " ".join(field.signs) + " for 0, 1, ..."
    elif (field.low, field.high) not in WHOLE_TYPES and abs(field.low) < 1e6 and abs(field.high) < 1e6:
        told = f"{field.low:g} to {field.high:g}"
    else:
        told = "a whole number"
    if field.is_own:
        return f"{told}; your own alone"
    return f"{told}; by seat" if field.by_seat else told
