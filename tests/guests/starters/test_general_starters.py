"""Starters of games in one file: their prompt has each field by its name, which is all that is known of it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.guests.starters.folder import WRITERS
from dohyo.one_file.fields import StateField
from dohyo.one_file.starter import described
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
    writer = WRITERS[language](GAME, GAME.starter({}))
    for name, content in writer.files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "build").mkdir()
    lines = ["set -e", 'build="$PWD"/build', *writer.compile, writer.run]
    done = subprocess.run(
        ["sh", "-c", "\n".join(lines)],
        cwd=tmp_path,
        input="".join(PROMPTS * 2),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    answers = done.stdout.splitlines()
    assert len(answers) == 4, done.stderr
    assert {*answers[::2]} <= {"left", "right"}
    assert {*answers[1::2]} == {"give-up"}
