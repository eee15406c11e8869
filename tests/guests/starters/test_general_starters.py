"""Starters of any game: what a description can say, and all that is known of a game in one file, its fields."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core.starter import (
    FixedLine,
    Line,
    Number,
    NumberRows,
    Places,
    Record,
    Records,
    Starter,
    TextRows,
    Word,
)
from dohyo.guests.starters.language import language as language_of
from dohyo.guests.starters.skeleton import Skeleton
from dohyo.one_file.default_prompt import described
from dohyo.one_file.fields import StateField
from tests import skips
from tests.guests.starters.test_new_bots import LANGUAGES, PATIENCE
from tests.starters import Reader

ORDINARY = ("python", "javascript", "c")  # the others need a compiler that takes its time


def field(name: str, kind: str, shape: tuple[int, ...], **more: Any) -> Any:
    """A field of a state, as a file of rules declares it."""
    return StateField(name=name, kind=kind, shape=shape, **{"low": -128.0, "high": 127.0, **more})


WORDS = ("pass", "left", "right", "give-up")
# Every shape of a field, and names that mean something in one of the languages.
FIELDS = (
    field("turn", "i4", (), low=-2147483648.0, high=2147483647.0),
    field("class", "i1", (), signs=".XO"),
    field("class_size", "f8", ()),
    field("deck", "i1", (9,), hidden="everyone"),
    field("in", "i1", (3,), by_seat=True, low=0.0, high=6.0),
    field("hand", "i1", (3, 4), hidden="others", by_seat=True),
    field("one", "i1", (1,)),
    field("board", "i1", (2, 3), signs=".XO"),
    field("cubes", "i2", (2, 2, 2)),
    field("odds", "f8", (2, 2)),
)
GAME: Any = SimpleNamespace(
    name="all-shapes",
    title="All shapes",
    about="Every shape of a field.",
    seats=(2, 3),
    starter=lambda setup: described(FIELDS, 3, WORDS),
    protocol=SimpleNamespace(READY=""),
)
PROMPTS = (
    "seat 1\nturn 7\nclass X\nclass_size 0.500000\nin 1 -2 3\nhand 0 1 2 3\none 5\nboard . X O\nboard 12 . .\n"
    "cubes 1 2\ncubes 3 4\ncubes 5 6\ncubes 7 8\nodds 0.100000 -2.000000\nodds 1.000000 0.000000\nlegal left right\n",
    "seat 1\nturn 9\nclass .\nclass_size 0.000000\nin 0 0 0\nhand 9 9 9 9\none 0\nboard . . .\nboard . . .\n"
    "cubes 0 0\ncubes 0 0\ncubes 0 0\ncubes 0 -1\nodds 0.000000 0.000000\nodds 0.000000 0.000000\nlegal give-up\n",
)

PAIR = Record("Pair", "A letter and a number.", (Word("sign", "any // sign # at all", 1), Number("size", "")))
# Every other part of a description, more than once where programs could mix them up, and signs that need a backslash.
PARTS: Any = SimpleNamespace(
    name="all-parts",
    title="All parts",
    about="Every part of an input.",
    seats=(2, 2),
    starter=lambda setup: Starter(
        start=(
            Line((Number("size", ""),)),
            Line((Number("width", ""), Word("mode", "", 9))),
            Line((Word("tag", "", 3),)),
        ),
        turn=(
            Line((Number("number", ""), Word("sign", "", 1))),
            Line((Word("phase", "", 5), Number("budget", ""))),
            NumberRows("table", "", 2, 3),
            TextRows("sized", "", 9, 9, "size"),
            TextRows("rows", "", 2, 9, 2),
            Places("me", "", "rows", '"', 1, single=True),
            Places("others", "", "rows", "e\\", 9),
            TextRows("view", "", 9, 9),
            Records("some", "", PAIR, 9, "size"),
            Records("fixed_ones", "", PAIR, 2, 2),
            FixedLine("END"),
            Records("listed", "", PAIR, 9),
        ),
        listed="listed",
        otherwise='none "\\',
    ),
    protocol=SimpleNamespace(READY="HELLO"),
)
PARTS_PROMPTS = (
    "2\n7 long\nabc\n1 x\nearly 3\n1 2 3\n4 5 6\n...\n..#\n"
    '.e"\n\\..\nview\nof\nall\n\na 1\nb 2\nc 3\nd 4\nEND\n1\nq -5\n',
    "2 y\nlate -3\n0 0 0\n0 0 0\n...\n...\n...\n...\n\ne 1\nf 2\ng 3\nh 4\nEND\n0\n",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_meanings_are_comments_as_they_are(language: str) -> None:
    """What is known of a member stands with it whole, with signs that begin comments too."""
    source = Skeleton(language_of(language), PARTS, PARTS.starter({})).source()
    assert source.count("any // sign # at all") == 1


def test_every_shape_is_read() -> None:
    """Each line of the prompt is in the model as it was sent; the answer is a legal word."""
    reader = Reader(GAME, {})
    assert reader.answer(PROMPTS[0]) in ("left", "right")
    assert reader.answer(PROMPTS[1]) == "give-up"


@pytest.mark.parametrize(
    "language", [name if name in ORDINARY else pytest.param(name, marks=pytest.mark.full) for name in LANGUAGES]
)
def test_every_language_reads_every_shape(language: str, tmp_path: Path) -> None:
    """The program is built by its own test's lines, and answers each prompt with a word that is legal there."""
    if need := LANGUAGES[language][0]:
        skips.program(need)
    answers = answers_of(language, GAME, "".join(PROMPTS * 2), tmp_path / "bot")
    assert {*answers[::2]} <= {"left", "right"}
    assert {*answers[1::2]} == {"give-up"}
    assert len(answers) == 4


@pytest.mark.parametrize(
    "language", [name if name in ORDINARY else pytest.param(name, marks=pytest.mark.full) for name in LANGUAGES]
)
def test_every_language_reads_every_part(language: str, tmp_path: Path) -> None:
    """The program is built, whatever a description says, and has read all lines before those that it answers by."""
    if need := LANGUAGES[language][0]:
        skips.program(need)
    answers = answers_of(language, PARTS, "".join(PARTS_PROMPTS), tmp_path / "bot")
    assert answers == ["HELLO", "q -5", 'none "\\']


def answers_of(language: str, game: Any, given: str, folder: Path) -> list[str]:
    """What a game's starter in this language, made in a new folder, answers to an input."""
    writer = Skeleton(language_of(language), game, game.starter({}))
    for name, content in writer.files().items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(content)
    (folder / "build").mkdir()
    lines = ["set -e", 'build="$PWD"/build', *writer.language.compile, writer.language.run]
    done = subprocess.run(
        ["sh", "-c", "\n".join(lines)],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
