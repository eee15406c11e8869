"""Contest files that anybody wrote: asked for, with everything that is looked at before a bot is built."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from dohyo import games
from dohyo.core.contest import Entrant, Version
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.series import formats
from dohyo.series.contest_file import KEYS, read_file
from dohyo.series.session import look_at
from tests.fuzz.laws import TEXTS, VALUES, changed, hold, reads_or_refuses

GOOD = b"""
name = "class"
game = "drop-block"
format = "swiss"
rounds = 7
seed = 5
bots = ["hunter", "mine", {name = "old", bot = "python3 old.py"}]
clock = 0.5
sandbox = "none"
pondering = true
python = "python3"
workers = 3
[setup]
turns = 8
[options]
series = 2
"""
SETUP = sorted({option.name for game in games.all_games().values() for option in game.options})
OPTIONS = sorted({option.name for each in formats.all_formats().values() for option in each.info.options})


def toml(value: Any) -> str:
    """A value as TOML; none as an empty text, since TOML has nothing for that."""
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "{" + ", ".join(f"{quoted(key)} = {toml(each)}" for key, each in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(toml, value)) + "]"
        case int():
            return f"{value:#x}" if value > 10**100 else str(value) if abs(value) < 10**100 else "-" + "9" * 5000
        case float():
            return repr(value)
    return quoted(value or "")


def quoted(text: str) -> str:
    """A text as TOML takes it."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in plain) + '"'


def usual(key: str) -> st.SearchStrategy[Any]:
    """Values of a key that get far, among others that do not."""
    few = {
        "game": st.sampled_from(sorted(games.all_games())),
        "format": st.sampled_from(sorted(formats.all_formats())),
        "setup": st.dictionaries(st.sampled_from(SETUP) | TEXTS, VALUES, max_size=3),
        "options": st.dictionaries(st.sampled_from(OPTIONS) | TEXTS, VALUES, max_size=3),
        "bots": st.lists(TEXTS | st.fixed_dictionaries({}, optional={"name": VALUES, "bot": VALUES}), max_size=3),
    }
    return few.get(key, st.nothing()) | VALUES


FILES = (
    st.fixed_dictionaries({"game": usual("game")}, optional={key: usual(key) for key in KEYS if key != "game"})
    .map(lambda table: "".join(f"{key} = {toml(value)}\n" for key, value in table.items()))
    .map(lambda text: text.encode("utf-8", "surrogatepass"))
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder to be in, with a folder below that holds the file."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "below").mkdir()
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def read(path: Path) -> None:
    """A file is read, and what it asks for is looked at."""
    asked = read_file(str(path))
    game, _, _ = look_at(asked)
    terms = {"rounds": asked.rounds, "seed": asked.seed or 0, "options": asked.options}
    format_ = formats.make(asked.format, seats=game.seats, entrants=6, **terms)
    format_.next([Entrant(number, Version(f"bot{number}", "")) for number in range(6)])


def test_any_file(full: bool, place: Path) -> None:
    """It is read, or refused by a sentence; it writes nothing, and its name puts no store outside its folder."""
    path = place / "below" / "c.toml"

    def law(content: bytes) -> None:
        path.write_bytes(content)
        reads_or_refuses(lambda: read(path))
        try:
            asked = read_file(str(path))
        except OperatorError:
            return
        named = any(line.startswith(b"store") for line in content.splitlines())
        assert named or Path(asked.store).parent == path.parent
        assert sorted(each.name for each in place.rglob("*")) == ["below", "c.toml"]

    hold(law, full, content=FILES | changed(st.just(GOOD)))


@pytest.mark.parametrize(
    "content",
    [
        b"a = " + b"[" * 20_000,
        b"game = " + b"{a = " * 20_000,
        b"a." * 20_000 + b"b = 1",
        b"seed = " + b"9" * 5000,
        b"seed = 0x" + b"f" * 5000,
        b"rounds = 1" + b"0" * 300 + b'\ngame = "drop-block"',
        b'game = "' + b"x" * 3_000_000 + b'"',
        b"[" + b"x" * 1_000_000 + b"]",
        b'game = "drop-block"\nname = "../../out"',
        b'game = "drop-block"\nname = "a\\u0000b"',
        b'game = "drop-block"\nfolder = "a\\u0000b"',
        b'game = "drop-block"\nbots = ["a\\u0000b"]',
        b'game = "drop-block"\nclock = nan',
        b'game = "drop-block"\nclock = 1979-05-27',
    ],
    ids=range(14),
)
def test_files_that_were_handed_in(content: bytes, tmp_path: Path) -> None:
    """Deep, huge and odd files are refused, each by a sentence."""
    path = tmp_path / "c.toml"
    path.write_bytes(content)
    with pytest.raises(OperatorError) as caught:
        read(path)
    assert len(caught.value.say(Speaker("ja"))) < 20_000


def test_a_file_without_end(tmp_path: Path) -> None:
    """A file of more than a contest file's size is not taken into memory."""
    path = tmp_path / "c.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OperatorError) as caught:
        read_file(str(path))
    assert caught.value.key == "contest-file-large"
