"""How each language says what a starter consists of: a file of `languages/`, with templates (`templates.py`).

A new language is one more such file, and its name what `--lang` takes.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal

import msgspec

from dohyo.guests import starters


class Items(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template for `each` number or word, one or by kind, and what stands `between` two of them."""

    each: str | dict[str, str]  # the kinds are number, word and letter
    between: str

    def of(self, kind: str) -> str:
        """The template for one of this kind."""
        return self.each if isinstance(self.each, str) else self.each[kind]


NO_ITEMS = Items("", "")


class Language(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A language: facts about it, and its templates.

    In templates for a member or a part of the input, `$name` is its name, `$member` the same as `members` spells it,
    `$to` what it is read into, `$type` its type, and `$item` the type of one of several. `$rows`, `$columns`,
    `$width` and `$most` are as the game describes them; `$bytes` is one more than it has characters. Of a template
    that may be left out it is said what stands for it.
    """

    key: str  # its name for `--lang`
    row: str  # its name in the table of languages
    main: str  # the program's file
    more_files: dict[str, str] = {}  # which the language asks for beside it
    compile: tuple[str, ...] = ()  # lines of a shell that make the program in the folder $build
    run: str  # starts it
    debug: str  # how to look into it
    decide: str = "decide"  # the method that the author fills
    comment: str = "//"
    indentation: str = "    "
    spelling: Literal["snake", "camel"] = "snake"  # of all names
    members: Literal["", "upper-camel"] = ""  # of those of a type's members, if it is another
    empty_lines: int = 1  # between types, and between functions

    # --- types
    types: dict[str, str]  # of numbers, words and letters, and of lists that are not made as `list_type` says
    list_type: str = "$item[]"
    field: str  # a member of a type; columns are parted by ` | `; with `$about` its meaning is in it, not behind it
    fields: dict[str, str] = {}  # instead, by the part that it is; `// ...` behind a line is another one's meaning
    field_end: str = ""  # behind each but the last one
    field_depth: int = 1  # how deep they are indented
    field_notes: Literal["column", "behind", "own-column"] = "column"  # where meanings stand; a new one after a note
    about_between: str = "\n"  # in front of a meaning's further lines
    zeros: dict[str, str] = {}  # `$zero`, what a member begins with, by kind
    message_zeros: dict[str, str] = {}  # the same, only if a turn is one of several kinds of lines
    record: str  # a type: `Skeleton.declared` says with what it is filled
    record_reader: str = ""  # a function that reads a record, if there is one for each
    parsed: Items = Items("$value", ", ")  # of a record that is read
    shown: Items = Items("$member", " ")  # of a record that is an answer
    form: Items = NO_ITEMS  # how these are formatted

    # --- values
    line: str  # the next line of the input
    number_line: str = ""  # the number on the next line; else it is read as other items are
    word: str = "$words[$at]"  # a word of a line that was split
    value: dict[str, str] = {}  # the `$word` as what it is; else its text
    named_word: str = ""  # the word, or what is of this `$type`, behind a line's name
    named_number: str = ""  # the number there; else the value of `named_word`
    named_words: str = ""  # all words there
    named_numbers: str = ""  # all numbers there
    told: str = "start.$member"  # a number that was sent at the start
    to: str = "$name"  # what is read into: `$of` is the start or the turn
    parsed_line: str = "$item.parse($line)"  # a record of the line

    # --- reading
    let: str = ""  # `$to` becomes `$value`
    let_item: str = ""  # the same, of a number or a word; else `let`
    split: str = ""  # the `$words`, or `$names`, of a line; those of a later line have another name
    scan: str = ""  # a line's `$items` at once; else it is split
    scan_named: str = ""  # the same, behind a line's name; else `let`
    scanned: Items = Items("$to", ", ")  # of these
    scan_form: Items = NO_ITEMS  # `$form`, how these are formatted
    fixed: str  # a line that is always `$text`
    repeat: (
        str  # a list of `$count` times `$what`; that is `?fixed`, `?told` on a line before, or `?sent` at the start
    )
    until_empty: str  # lines up to an empty one; as in any lines, places may be `?searched` there
    text_rows: str = ""  # lines; else `repeat`
    number_rows: str = ""  # lines of numbers; else `number_row` is repeated
    number_row: str = ""
    named_row: str = ""  # a list behind a name; else `let`; `?varies`, `?words`
    named_rows: str = ""  # `$what` on several lines, of which each is a `$body`; else `repeat`
    places: str  # where the `$letters` are in `$rows`; `?fixed`: of these there are always `$count`
    place: str  # the same, if it is one place
    message_line: str  # a line of one of several kinds: `$zeros` are `zeros_of` its numbers
    zeros_of: Items = Items("$name: 0", ", ")  # of these
    message: str = "$numbers"  # if it is a `$letter`: `message_number` of each, or `$items`; `?first`
    message_number: str = ""
    reader: str  # of `Start` or `Turn`, `$kind`: `$parameter`, `$body`, `$members`; `?message`

    # --- the rest
    program: str  # `Skeleton.gaps` says with what it is filled
    answers: tuple[str, str]  # before and behind the constant answers, of which there are `$count`
    last_comma: bool = True  # whether a list over several lines may end with one
    start_parameter: str = ""  # of a bot, if anything is sent at the start
    start_argument: str = "start, "
    turn_parameter: str  # of the turn's reader, if it needs what was sent at the start
    turn_argument: str = "start"


@cache
def language(name: str) -> Language:
    """The language of this name, one of `names`."""
    text = (starters.FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert({"key": name, **tomllib.loads(text)}, Language)
