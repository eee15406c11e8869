"""Hand-ins that hold a program and are none: each has a sentence of its own, with what to do."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from dohyo.bench.check.hand_ins import hand_ins
from dohyo.core.errors import OperatorError
from tests.bots.conftest import Resolve, Write

PROGRAM = "print(input())\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
@pytest.mark.parametrize("name", ["bot.py", "bot.cpp", "bot.js"])
def test_a_source_in_utf_16(write: Write, one: Resolve, name: str, encoding: str) -> None:
    """It is told as what it is, alone and in a folder, unless it is recoded for a compiler."""
    if (name, encoding) == ("bot.cpp", "utf-16"):
        return
    folder = write({name: PROGRAM.encode(encoding)})
    for handed_in in (folder / name, folder):
        with pytest.raises(OperatorError) as told:
            one(handed_in)
        assert told.value.key == "bot-utf16"
        assert told.value.message.values["file"] == name


def test_a_source_in_utf_8_is_none_of_that(write: Write, one: Resolve) -> None:
    """Letters of any language, and a byte order mark, are no UTF-16."""
    for content in (PROGRAM, "\ufeff" + PROGRAM, "# \u571f\u4ff5\n" + PROGRAM, "#"):
        assert one(write({"bot.py": content})).language == "python"


def test_a_notebook(write: Write, one: Resolve) -> None:
    """Alone and in a folder; beside a source it is nobody's business. In a class it is somebody's hand-in."""
    folder = write({"bot.ipynb": "{}"})
    for handed_in, key in ((folder / "bot.ipynb", "bot-is-notebook"), (folder, "bot-notebook")):
        with pytest.raises(OperatorError) as told:
            one(handed_in)
        assert told.value.key == key
    assert hand_ins(folder) == [folder / "bot.ipynb"]
    assert one(write({"bot.ipynb": "{}", "bot.py": PROGRAM})).language == "python"


def test_an_archive_in_an_archive(tmp_path: Path, one: Resolve) -> None:
    """Packed twice, it is not unpacked twice: its author is told to hand in what is in it."""
    inner, outer = tmp_path / "inner.zip", tmp_path / "outer.zip"
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("bot.py", PROGRAM)
    with zipfile.ZipFile(outer, "w") as packed:
        packed.write(inner, "inner.zip")
    with pytest.raises(OperatorError) as told:
        one(outer)
    assert (told.value.key, told.value.message.values["file"]) == ("bot-archive-inside", "inner.zip")
