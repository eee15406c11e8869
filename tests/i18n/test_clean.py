"""What strangers wrote, made fit to be shown: nothing gets through, everybody's writing does."""

from __future__ import annotations

import csv
import io
import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH, Speaker

READABLE = [
    "hunter",
    "相撲ボット 3号　改",
    "葛\U000e0100城",
    "Bjørn é e\u0301 Ngữ",
    "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut, of four characters that are joined
    "\u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: the parts of a word stand apart
    "\u0915\u094d\u200d\u0937",  # Devanagari: a half letter
    "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",  # Hebrew with its points
    "a\u00a0b",
]
# Letters that make trouble next to each other, beside any others.
TROUBLE = (
    "\x00\x07\x1b[];?mP\\\x9b\x9c\x9d\n\r\t \u2028\u202e\u2066\u200b\u200c\u200d\u0301\ufe0f\u094d\u0645❤=+-@\ud800…"
)
WILD = st.text(st.sampled_from(TROUBLE) | st.characters(), max_size=60)


def obeyed(text: str, but: str = "") -> list[str]:
    """The characters that a terminal obeys, or that turn text or part lines."""
    bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")} - set(but)
    return sorted(bad | {c for c in text if unicodedata.category(c) == "Cf" and c not in clean.JOINERS})


@pytest.mark.parametrize("text", READABLE)
def test_writing_stays(text: str) -> None:
    """People's writing is left as it is, also where it needs what cannot be seen alone."""
    assert clean.line(text) == text
    assert clean.block(f"{text}\n  {text}\n") == f"{text}\n  {text}\n"


@given(WILD)
def test_a_line_is_one_line(text: str) -> None:
    """A line holds nothing that a terminal obeys, no line end and no turned text; cleaned twice it is the same."""
    shown = clean.line(text)
    assert obeyed(shown) == []
    assert shown.splitlines() in ([], [shown])
    assert clean.line(shown) == shown


@given(WILD)
def test_a_block_keeps_its_lines(text: str) -> None:
    """So does a block, but for its line ends; cleaned twice it is the same."""
    shown = clean.block(text)
    assert obeyed(shown, "\n") == []
    assert shown.splitlines() == shown.removesuffix("\n").split("\n") or shown == ""
    assert clean.block(shown) == shown


@given(WILD, st.integers(1, 20))
def test_a_length_is_kept(text: str, most: int) -> None:
    """No more comes out than is asked for; what is cut ends with a sign for that."""
    for made in (clean.line(text, most), clean.block(text, most)):
        assert len(made) <= most
    shown = clean.line(text, most)
    assert len(clean.line(text)) <= most or shown.endswith(clean.CUT)


@given(WILD)
def test_the_last_net(text: str) -> None:
    """The net takes what terminals obey, and keeps every line end and all that was clean."""
    shown = clean.controls(text)
    assert [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")] == ["\n"] * text.count("\n")
    assert len(shown) == len(text)
    assert clean.controls(clean.block(text)) == clean.block(text)


def test_a_tab_is_no_sign() -> None:
    """A trace of Java's begins its lines with tabs: nowhere does one come out as a box."""
    trace = "Exception: a\tb\n\tat Main.main(Main.java:9)"
    (first, second) = trace.splitlines()
    for made in (clean.line(second), clean.cell(first), clean.block(trace), clean.controls(trace)):
        assert clean.SIGN not in made
        assert "\t" not in made


@pytest.mark.parametrize(
    ("text", "line", "block"),
    [
        ("a\x1b[31mb\x1b[0mc", "a�b�c", "abc"),
        ("a\x1b]0;title\x07b", "a�b", "ab"),
        ("a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c", "a�b�c", "abc"),
        ("a\x1bPq#0~\x1b\\b", "a�b", "ab"),
        ("a\u009b2Jb\u009d0;t\u009cc", "a�b�c", "abc"),
        ("a\x1b(0b\x1bcd", "a�b�d", "abd"),
        ("a\x1b]0;no end\nb", "a��b", "a\nb"),
        ("one\r\ntwo\rthree", "one��two�three", "one\ntwo\nthree"),
        ("a\tb", "a b", "a       b"),
        ("a\u2028b\x85c\x0bd", "a�b�c�d", "a�b�c�d"),
        ("\u202eevil\u202c", "�evil�", "�evil�"),
        ("bot\ufe0f \u3164 x\u034f \u0301", "bot� � x� ́", "bot� � x� ́"),
        ("\u0301x", "�x", "�x"),
        ("a" + "\u0301" * 9 + "b", "a" + "\u0301" * 4 + "�b", "a" + "\u0301" * 4 + "�b"),
        ("a\udc9bb", "a�b", "a�b"),
        ("a\u200db\u200cc", "a�b�c", "a�b�c"),
        ("\u2800", "�", "�"),
        ("\U0001d159\u2800x", "��x", "��x"),
        ("\u00a0", "�", "\u00a0"),
        ("\u3000 \u2003", "�", "\u3000 \u2003"),
    ],
)
def test_what_is_not_shown(text: str, line: str, block: str) -> None:
    """In a line a whole sequence leaves one sign, in a block none; what else cannot be seen leaves one in both."""
    assert (clean.line(text), clean.block(text)) == (line, block)


def test_no_scan_is_worse_than_linear() -> None:
    """Sequences that begin again and again and never end are looked at once: a megabyte is no work."""
    for piece in ("\x1b]", "\x1b[", "\x1b[0;", "\x1bP;", "\x9b", "\x9d", "\x1b \x1b", "\u0301", "\u200d", "\t"):
        text = piece * (1_000_000 // len(piece))
        assert len(clean.block(text, len(text))) <= len(text)
        assert len(clean.line(text)) <= clean.LONGEST


# --- spreadsheets


@pytest.mark.parametrize(
    "text",
    ["=cmd|'/C calc'!A0", "+1", "-1", "@SUM(A1)", " =1", "\u3000=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"],
)
def test_a_text_is_no_formula(text: str) -> None:
    """What a spreadsheet would compute stands behind an apostrophe."""
    assert clean.cell(text) == f"'{text}"


def test_numbers_are_ours() -> None:
    """Numbers stay numbers, also below zero; nothing is an empty cell."""
    assert [clean.cell(value) for value in (-1, -0.5, 3, True, None, "")] == ["-1", "-0.5", "3", "True", "", ""]


@example(["", ";="])
@example(["a", '; "=1'])
@given(st.lists(WILD, min_size=2, max_size=5))
def test_a_row_is_a_row(texts: list[str]) -> None:
    """A row of CSV is one row of as many cells; where a semicolon parts cells none of them is a formula either."""
    row = clean.csv_row(texts)
    assert list(csv.reader(io.StringIO(row))) == [[clean.cell(text) for text in texts]]
    for separator in ";\t":
        (cells,) = csv.reader(io.StringIO(row), delimiter=separator)
        assert [cell for cell in cells[1:] if cell.startswith(("=", "+", "-", "@"))] == []


# --- JSON


@given(st.dictionaries(WILD, st.lists(WILD | st.integers() | st.none() | st.floats(allow_nan=False))))
def test_json_says_what_it_said(value: dict[str, object]) -> None:
    """JSON is the same value again, and shows nothing that a terminal obeys; infinity, which it lacks, is null."""
    made = clean.document(value)
    assert obeyed(made, "\n") == []
    assert not set(made) & set(clean.JOINERS)
    made.encode()

    def refuse(word: str) -> object:
        raise ValueError(word)

    infinite = {float("inf"): None, float("-inf"): None}
    finite = {
        key: [infinite.get(each, each) if isinstance(each, float) else each for each in several]  # type: ignore[attr-defined]
        for key, several in value.items()
    }
    assert json.loads(made, parse_constant=refuse) == finite


# --- sentences


def test_a_sentence_is_one_line() -> None:
    """Whatever a sentence quotes, it is one line, in every language; a sentence within one is cleaned once."""
    error = OperatorError("cannot-read", path="a\nb\x1b[2J", reason=OSError("x\r"))
    for language in ("en", "ja"):
        said = error.say(Speaker(language))
        assert obeyed(said) == []
        assert "a�b�" in said
    assert str(error) in ENGLISH.say("contest.left-out", bot="x", error=error)


@given(WILD)
def test_what_can_be_kept(text: str) -> None:
    """What is to be stored can be written as UTF-8 and holds no NUL; all else is as it was."""
    kept = clean.storable(text)
    assert "\0" not in kept
    kept.encode()
    changed = [old for old, new in zip(text, kept, strict=True) if old != new]
    assert [letter for letter in changed if letter != "\0" and unicodedata.category(letter) != "Cs"] == []


@pytest.mark.parametrize("letter", ["a", "\u00e9", "\u5c71", "\U00020000"])
def test_a_files_name_is_counted_in_bytes(letter: str) -> None:
    """What a file is called after a bot fits every disk, in any writing, and is cut between letters."""
    name = clean.file_name(letter * 200)
    assert name == letter * (clean.LONGEST_FILE // len(letter.encode()))
    assert clean.file_name("../x y") == "x-y"
    assert clean.file_name("हिन्दी ชื่อ") == "हिन्दी-ชื่อ"
    assert clean.file_name("../!") == ""
