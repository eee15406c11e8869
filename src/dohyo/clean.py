"""Makes texts of strangers safe for where they are shown: a line, several lines, a spreadsheet table, JSON.

Names of bots and files, what compilers say, what bots answer and write to standard error, values of files that were
handed in: all of it may contain sequences that control a terminal (ESC), line ends that make two rows of one, marks
that reverse the text around them (bidirectional marks), or formulas for spreadsheets (`=...`). Replays and stores
hold it unchanged; it is cleaned when it is shown or exported:

    line(text)       one line: of a sentence, a table, a file; a tab is a space
    block(text)      several lines: a compiler's words, standard error
    cell(value)      a cell of a CSV file; csv_row(values) is a whole row
    document(value)  a JSON document, which stays what it says and shows nothing raw
    controls(text)   the last net, below tables and pictures that were made of cleaned text already
    storable(text)   not for showing: text that a file in UTF-8 and every database can hold
    file_name(text)  not for showing: what a file or folder of ours can be called after a bot

`i18n.say` passes every text that it puts into a sentence through `line`. Writing in any language stays readable, even
if it needs characters that are invisible alone: joined emoji, Persian, scripts of India, variants of kanji.

`line` and `block` return their own results unchanged.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any

SIGN = "\ufffd"  # stands for what is not shown
CSV_MARK = "\ufeff"  # at the beginning of a CSV file: by it Excel knows that the file is UTF-8
CUT = "…"  # stands for the rest
LONGEST = 4096  # characters of a line: a path of the system is never cut
LONGEST_FILE = 120  # bytes: a name has 255, on an encrypted disk 143, and ours get a number and an ending
LONGEST_BLOCK = 1 << 17  # characters of several lines: twice the size of a build's log
MAX_MARKS = 4  # accents and the like on one character
TAB = 8  # columns

# Control sequences of terminals. Strings (OSC, DCS, SOS, PM, APC) end at their terminator or, here, with the line;
# each character is read once, however often a sequence is begun and not ended.
SEQUENCE = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
# C0 but for the newline, DEL, C1, lone surrogates; marks of direction, separators of lines, what has no width.
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
JOINERS = "\u200c\u200d"  # zero width non-joiner, zero width joiner
# Letters, marks and signs that are drawn as nothing at all.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
EMOJI = range(0x1F000, 0x1FB00)  # where new emoji are added: this Python may not know the latest
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")  # the last four are as wide as kanji
# What would be a formula where a semicolon parts the cells.
PARTED = re.compile(r"""(;[\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])""")
QUOTED = re.compile('[",;\t]')  # a semicolon separates cells in countries that write numbers with a comma
NO_NAME = re.compile(r"[^\w.+-]+")
UNSEEN = re.compile(r"[^\x20-\x7e\n]")
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def line(text: str, most: int = LONGEST) -> str:
    """`text` as one line of at most `most` characters: a tab becomes a space, a sign replaces what is not shown.

    One sign also stands for a text of nothing but spaces that are not a keyboard's: a name of which nobody sees that
    it is there.
    """
    if len(text) <= most and text.isascii() and text.isprintable():
        return text
    shown = _shown(SEQUENCE.sub(SIGN, text[: 4 * most]).replace("\t", " "), "")
    if shown.isspace() and not text.isascii():
        return SIGN
    return _cut(shown, most, len(text) > 4 * most)


def block(text: str, most: int = LONGEST_BLOCK) -> str:
    """`text` as lines, at most `most` characters in all: tabs become spaces, control sequences are removed.

    For text that is separate from our own words: indented, below a heading, at the end.
    """
    kept = SEQUENCE.sub("", text[: 4 * most]).replace("\r\n", "\n").replace("\r", "\n").expandtabs(TAB)
    return _cut(_shown(kept, "\n"), most, len(text) > 4 * most)


def controls(text: str) -> str:
    """`text` without control sequences; its line ends and its width stay, unless it contains one."""
    return text if text.isprintable() else CONTROLS.sub(SIGN, text.replace("\t", " "))


def storable(text: str) -> str:
    """`text` without NUL, which PostgreSQL does not take, and lone surrogates, which UTF-8 does not.

    Those stand for bytes of a file's name that are no UTF-8.
    """
    return UNSTORABLE.sub(SIGN, text)


def file_name(text: str) -> str:
    """`text` as the beginning of a file's name, as `plain_name` writes it, in at most `LONGEST_FILE` bytes.

    Two texts may give the same name; it is empty if `text` has no such character, and never begins with a dot.
    """
    plain = plain_name(text, "-").strip(".-")
    return plain.encode("utf-8", "ignore")[:LONGEST_FILE].decode("utf-8", "ignore")


def plain_name(text: str, stand_in: str) -> str:
    """`text` in letters, digits and `_.+-`, with `stand_in` for each run of other characters.

    Letters keep the marks behind them, `MAX_MARKS` at most: vowels of Hindi and Thai are marks.
    """

    def kept(others: re.Match[str]) -> str:
        run, at = others[0], others.start()
        is_on_letter = at > 0 and text[at - 1].isalnum()
        marks = "".join(takewhile(_is_mark, run[:MAX_MARKS])) if is_on_letter else ""
        return marks if marks == run else marks + stand_in

    return NO_NAME.sub(kept, text)


def cell(value: object) -> str:
    """A cell of a table for spreadsheets; empty for None.

    A text that would be a formula gets an apostrophe before it. So does what follows a semicolon in it: where that
    parts the cells, a quote of ours that begins in the middle of one counts for nothing.
    """
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    shown = PARTED.sub(r"\1'", line(str(value)))
    return f"'{shown}" if FORMULA.match(shown) else shown


def csv_row(values: Iterable[object]) -> str:
    """A row of CSV with its newline. A cell is quoted if a spreadsheet, in any country, would split it."""
    cells = [cell(value) for value in values]
    return ",".join('"' + each.replace('"', '""') + '"' if QUOTED.search(each) else each for each in cells) + "\n"


def document(value: Any, indent: int | None = 2, default: Callable[[Any], Any] | None = None) -> str:
    """`value` as JSON with its newline: exactly the same value, with escapes for what is not shown.

    A number that JSON does not have (infinity, not a number) is null. `indent` and `default` as for `json.dumps`.
    """
    try:
        made = json.dumps(value, ensure_ascii=False, indent=indent, default=default, allow_nan=False)
    except ValueError:
        made = json.dumps(_finite(value), ensure_ascii=False, indent=indent, default=default, allow_nan=False)
    return UNSEEN.sub(_escaped, made) + "\n"


def _shown(text: str, keeps: str) -> str:
    """`text` with a sign for every character that cannot be seen, but for those that `keeps` holds."""
    shown: list[str] = []
    marks = MAX_MARKS  # there is no character yet that could have one
    for at, letter in enumerate(text):
        if letter.isascii():
            seen = letter.isprintable() or letter in keeps
            shown.append(letter if seen else SIGN)
            marks = MAX_MARKS if letter in keeps else 0
            continue
        before = shown[-1] if shown else ""
        if unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
            if marks <= MAX_MARKS:
                shown.append(letter if _fits(letter, before) else SIGN)
            elif marks == MAX_MARKS + 1:
                shown.append(SIGN)
            continue
        shown.append(letter if _is_seen(letter, before, text[at + 1 : at + 2]) else SIGN)
        marks = marks if letter in JOINERS and shown[-1] == letter else 0
    return "".join(shown)


def _is_seen(letter: str, before: str, after: str) -> bool:
    """Whether a character between two others is visible, or changes how they look."""
    if letter in JOINERS:
        return _joins(letter, before, after)
    if letter.isprintable():
        return letter not in BLANKS
    kind = unicodedata.category(letter)
    return kind == "Zs" or (kind == "Cn" and ord(letter) in EMOJI)


def _is_mark(letter: str) -> bool:
    """Whether a character is a mark on the one before it that everybody sees."""
    is_variant = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter) in ("Mn", "Mc") and letter not in BLANKS and not is_variant


def _joins(joiner: str, before: str, after: str) -> bool:
    """Whether a joiner changes how its neighbours look: after a virama, between Arabic letters, between emoji."""
    if before and unicodedata.combining(before) == 9:
        return True
    if before and after and unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":
        return True
    is_emoji = before == "\ufe0f" or (before and unicodedata.category(before) in ("So", "Sk"))
    return bool(joiner == "\u200d" and is_emoji and after and unicodedata.category(after) in ("So", "Sm"))


def _fits(mark: str, before: str) -> bool:
    """Whether a mark can be seen on the character before it; one that chooses a variant needs one that has some."""
    if mark in BLANKS:
        return False
    if mark in "\ufe0e\ufe0f":
        return not before.isalpha() or before == "\u2139"
    if "\ufe00" <= mark <= "\ufe0d" or "\U000e0100" <= mark <= "\U000e01ef":
        return unicodedata.category(before) in ("Lo", "So", "Sm")
    return True


def _cut(text: str, most: int, is_cut: bool) -> str:
    if len(text) <= most and not is_cut:
        return text
    return text[: most - 1].rstrip(JOINERS) + CUT


def _finite(value: Any) -> Any:
    """The value with None for numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def _escaped(found: re.Match[str]) -> str:
    letter = found[0]
    if letter.isprintable() or unicodedata.category(letter) == "Zs":
        return letter
    return json.dumps(letter)[1:-1]
