"""Archives of bots that anybody packed: whatever they hold, nothing is written outside the cache's own folder."""

from __future__ import annotations

import os
import shutil
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from dohyo.bots import Bot, archive
from dohyo.bots.archive import ArchivedBot, read
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import OperatorError
from dohyo.series.results import _kept
from dohyo.system import hand_in_limits as limits
from tests.fuzz.laws import TEXTS, VALUES, changed, hold, reads_or_refuses

GOOD = [
    ArchivedBot("bot.py", (), False, {"bot.py": (b"print(1)\n", False)}),
    ArchivedBot(
        "bot", ("--depth", "3"), True, {"a.py": (b"", False), "d/e/f": (b"x", True)}, {"l": "d", "d/m": "../a.py"}
    ),
    ArchivedBot("", ("python3", "old.py"), kind=archive.COMMAND),
]

# Names of which many meet: files below files, below links, twice, above.
PARTS = st.sampled_from(["a", "b", "..", ".", "", "a\0", ".git", "~", "c" * 300, "狼", "\\", "\n"])
NAMES = (
    st.lists(PARTS, min_size=1, max_size=4).map("/".join) | st.sampled_from(["/etc/x", "../x", "a/../../x"]) | TEXTS
)


def copied(folder: Path) -> Bot:
    """A bot whose copy is this folder."""
    return Bot(folder.name, (), "", "", "", staged=str(folder), spec=HandIn(str(folder)))


def packed(value: Any) -> bytes:
    """A value as MessagePack, as far as it can be written so."""
    with suppress(UnicodeEncodeError, OverflowError, RecursionError, TypeError):
        return msgspec.msgpack.encode(value)
    return b""


ARCHIVES = st.fixed_dictionaries(
    {"name": st.sampled_from(["bot", "bot", "bot.py"]) | NAMES},
    optional={
        "words": st.lists(TEXTS, max_size=3) | VALUES,
        "is_folder": st.sampled_from([True, True, False]),
        "files": st.dictionaries(NAMES, st.tuples(st.binary(max_size=4), st.booleans()), max_size=4) | VALUES,
        "links": st.dictionaries(NAMES, NAMES, max_size=4) | VALUES,
        "kind": st.sampled_from([archive.HAND_IN, archive.TYPED, archive.COMMAND, archive.ELSEWHERE, "engine"]),
    },
).map(packed)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A folder of which the cache is but a part, deep below."""
    folder = tmp_path_factory.mktemp("ground")
    before = os.environ.get("DOHYO_CACHE")
    os.environ["DOHYO_CACHE"] = str(folder / "d" / "e" / "cache")
    yield folder
    if before is None:
        del os.environ["DOHYO_CACHE"]
    else:
        os.environ["DOHYO_CACHE"] = before


def outside(ground: Path) -> list[str]:
    """What lies in the folder, and not in an archive's place in the cache; and what there leads out of its place."""
    home = ground / "d" / "e" / "cache" / archive.FOLDER
    found = []
    for folder, folders, files in os.walk(ground):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            place = os.path.relpath(path, home).split(os.sep)
            leaves = place[0] == ".." and name in files
            if os.path.islink(path):
                leaves = not os.path.realpath(path).startswith(f"{home}/{place[0]}")
            if leaves:
                found.append(path)
    return found


def test_any_archive(full: bool, ground: Path) -> None:
    """It is laid out in a place of its own, or refused; no link of it leaves, and nothing is left half."""

    def law(content: bytes) -> None:
        def read() -> None:
            assert isinstance(archive.unpack(content), HandIn)
            assert archive.read(archive.without_rights(content)).kind == archive.HAND_IN

        reads_or_refuses(read)
        assert outside(ground) == []
        left = ground / "d" / "e" / "cache" / archive.FOLDER
        assert not left.exists() or not [name for name in os.listdir(left) if name.startswith(".")]
        shutil.rmtree(left, ignore_errors=True)

    hold(law, full, content=ARCHIVES | changed(st.sampled_from(GOOD).map(packed)) | VALUES.map(packed))


def test_any_kept_files(full: bool) -> None:
    """What a bot is said to have kept is read or refused; and nothing but its one file is taken from it."""

    def law(content: bytes) -> None:
        reads_or_refuses(lambda: _kept(content))
        with suppress(OperatorError):
            assert set(_kept(content)) <= {"storage.txt"}

    files = st.dictionaries(st.just("storage.txt") | NAMES, st.binary(max_size=9), max_size=3)
    hold(law, full, content=files.map(packed) | changed(files.map(packed)) | VALUES.map(packed))


def test_what_is_packed_can_be_laid_out_again(ground: Path, tmp_path: Path) -> None:
    """Of a folder with links inside it, bytes and rights are the same afterwards."""
    home = tmp_path / "bot"
    (home / "d" / "e").mkdir(parents=True)
    (home / "d" / "e" / "f").write_bytes(b"\0x")
    (home / "run").write_text("#!/bin/sh\n")
    (home / "run").chmod(0o755)
    for link, target in (("l", "d/e"), ("d/up", "../run"), ("d/e/here", "."), ("none", "later")):
        (home / link).symlink_to(target)
    made = Path(archive.unpack(archive.pack(copied(home), {})).path)
    assert (made / "l" / "f").read_bytes() == b"\0x"
    assert os.access(made / "d" / "up", os.X_OK)
    assert os.readlink(made / "none") == "later"
    assert archive.pack(copied(made), {}) == archive.pack(copied(home), {})


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """A file whose name is bytes without an encoding is one sentence when it is packed."""
    home = tmp_path / "bot"
    home.mkdir()
    (home / os.fsdecode(b"\xff.py")).touch()
    with pytest.raises(OperatorError) as caught:
        archive.pack(copied(home), {})
    assert caught.value.key == "archive-name"


def test_folders_of_an_archive_count() -> None:
    """An archive whose files lie in more folders than a hand-in may have is refused before any is made."""
    deep = "/".join("d" * (limits.MAX_DEPTH - 2))
    count = limits.MAX_ARCHIVED_ENTRIES // (limits.MAX_DEPTH - 2)
    files = {f"{number}/{deep}/x": (b"", False) for number in range(count)}
    content = msgspec.msgpack.encode(ArchivedBot("b", is_folder=True, files=files))
    with pytest.raises(OperatorError) as caught:
        read(content)
    assert caught.value.key == "archive-too-large"


@pytest.mark.parametrize(
    "much",
    [
        {"words": ("",) * (limits.MAX_ARCHIVED_WORDS + 1)},
        {"files": {str(number): (b"", False) for number in range(limits.MAX_ENTRIES + 1)}},
        {"links": {str(number): "b" for number in range(limits.MAX_LINKS + 1)}},
    ],
    ids=["words", "files", "links"],
)
def test_parts_of_an_archive_count(much: dict[str, Any]) -> None:
    """An archive of more words, files or links than a bot may have is refused with these limits, in any language."""
    content = msgspec.msgpack.encode({"name": "b", "is_folder": True, "files": {"b": (b"", False)}, **much})
    with pytest.raises(OperatorError) as caught:
        read(content)
    assert caught.value.key == "archive-too-large"
    assert str(limits.MAX_ENTRIES) in str(caught.value)


def test_many_words_take_no_memory() -> None:
    """An archive of too many words is refused before any is taken into memory."""
    count = 1 << 22
    content = b"\x82\xa4name\xa1b\xa5words\xdd" + count.to_bytes(4, "big") + b"\xa0" * count
    tracemalloc.start()
    try:
        with pytest.raises(OperatorError) as caught:
            read(content)
        assert tracemalloc.get_traced_memory()[1] < count
    finally:
        tracemalloc.stop()
    assert caught.value.key == "archive-too-large"
