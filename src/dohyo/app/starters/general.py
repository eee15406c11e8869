"""The starter of a game in one file: its default prompt has each field by its name, and the legal actions last."""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core.game import Game
from dohyo.core.options import Value
from dohyo.core.starter import NamedLine, NamedRows, Number, Part, Starter, Word
from dohyo.one_file.fields import StateField

WHOLE_TYPES = ((-128.0, 127.0), (-32768.0, 32767.0))  # the ranges of fields about which nothing is declared
MOST_WORD = 24  # characters of a number or sign that is read as a word: a decimal has at most 21
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


def starter_of(game: Game, setup: Mapping[str, Value]) -> Starter | None:
    """The game's own description under a resolved setup, else that by its fields, if its prompt is the default."""
    return general_starter(game) if game.starter is None else game.starter(setup)


def general_starter(game: Game) -> Starter | None:
    """The starter of a game with the default prompt; none for another game."""
    if getattr(game, "general_bots", None) is None:
        return None
    texts = [game.protocol.text(action) for action in (*range(game.rules.ACTIONS), *game.rules.CONCESSIONS)]
    width = max(map(len, texts))
    parts: list[Part] = [NamedLine(Number("seat", f"yours, 0 to {game.seats[1] - 1}"))]
    parts += [_part(field) for field in game.fields if field.is_told]
    parts.append(NamedRows("legal", "all that you may do now", 1, len(texts), width, varies=True))
    return Starter(turn=tuple(parts), listed="legal", help=("One of the words of `legal`.",))


def _part(field: StateField) -> Part:
    """A field's lines."""
    name = "turn_number" if field.name == "turn" else field.name  # `Turn` is a type
    name += "_" if name in TAKEN else ""
    is_word = bool(field.signs) or field.kind == "f8"
    meaning = _meaning(field)
    if not field.shape:
        return NamedLine(Word(name, meaning, MOST_WORD) if is_word else Number(name, meaning))
    return NamedRows(name, meaning, field.rows, field.columns, MOST_WORD if is_word else 0)


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
