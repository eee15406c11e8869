"""Whatever the system answers while a hand-in is read, it is one sentence about that hand-in."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.bots import archive, content, hand_in, resolve
from dohyo.bots.safe_paths import OpenFolder
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import OperatorError
from tests.bots.conftest import Resolve, Write, run

BOT = {"bot/main.py": "print('here')"}


def refuse(number: int) -> Callable[..., None]:
    """In the place of a system call that fails with this error."""

    def call(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return call


def test_a_file_that_vanishes_while_its_folder_is_read(
    write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was listed and is gone when it is looked at has changed."""
    folder, entries = write({**BOT, "bot/data.txt": "x"}) / "bot", content._entries

    def listed(below: OpenFolder, *given: Any) -> list[str]:
        found = entries(below, *given)
        (folder / "data.txt").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(content, "_entries", listed)
    with pytest.raises(OperatorError) as caught:
        resolve([str(folder)], cache=empty)
    assert caught.value.key == "bot-changed"


def test_links_that_lead_to_each_other(write: Write, empty: Path) -> None:
    """A link that nobody can follow is named, with what the system says of it."""
    folder = write(BOT) / "bot"
    (folder / "here").symlink_to("there")
    (folder / "there").symlink_to("here")
    with pytest.raises(OperatorError, match=r"cannot be read: '(there|here)': Too many levels of symbolic links"):
        resolve([str(folder)], cache=empty)


def test_a_link_whose_name_no_file_has(write: Write, one: Resolve) -> None:
    """A link to a name that is too long for a file leads nowhere, and does no harm."""
    folder = write(BOT) / "bot"
    (folder / "nowhere").symlink_to("x" * 300)
    assert run(one(folder)) == "here"


def test_a_source_that_names_what_no_file_is_called(write: Write, one: Resolve) -> None:
    """A name that is too long for a file is that of no file: the source is read like any other."""
    folder = write({"main.py": f"if 0:\n    import {'a' * 300}\nprint('here')"})
    assert run(one(folder / "main.py")) == "here"


@pytest.mark.parametrize(
    ("number", "key"),
    [
        (errno.EACCES, "bot-unreadable"),
        (errno.ENOENT, "bot-changed"),
        (errno.ELOOP, "bot-cannot-be-read"),
        (errno.EIO, "bot-cannot-be-read"),
        (errno.ENAMETOOLONG, "bot-cannot-be-read"),
        (errno.ENOSPC, "bot-cache-unusable"),
        (errno.EMFILE, "bot-cache-unusable"),
    ],
)
def test_what_cannot_be_copied(
    write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch, number: int, key: str
) -> None:
    """A file or a link that cannot be copied is the hand-in's fault, unless the disk or the machine is full."""
    folder = write(BOT) / "bot"
    (folder / "link").symlink_to("main.py")
    for place, name in ((hand_in, "copy"), (Path, "symlink_to")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, refuse(number))
            with pytest.raises(OperatorError) as caught:
                resolve([str(folder)], cache=empty)
        assert caught.value.key == key


def test_a_link_that_is_none_any_more(tmp_path: Path) -> None:
    """A hand-in that was a link a moment ago is told of, and nothing is raised but that."""
    assert hand_in.link_error(tmp_path / "gone", "x").key == "bot-changed"
    (tmp_path / "file").touch()
    assert hand_in.link_error(tmp_path / "file", "x").key == "bot-cannot-be-read"


def test_names_are_checked_without_reading(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a bot can be archived is told by the names of its files, before any of them is read."""
    folder = write(BOT) / "bot"
    bot = one(folder)
    archive.check(bot, {})
    (folder / os.fsdecode(b"d\xff.txt")).touch()
    bot = one(folder)
    monkeypatch.setattr(Path, "read_bytes", refuse(errno.EIO))
    with pytest.raises(OperatorError, match=r"a file called 'd\ufffd\.txt'"):
        archive.check(bot, {})


def test_a_hand_in_that_is_gone(write: Write, one: Resolve) -> None:
    """Its copy is packed, whatever has become of what lay there; without one it is an error, and no command line."""
    folder = write(BOT) / "bot"
    bot = one(folder)
    packed = archive.pack(bot, {})
    (folder / "main.py").unlink()
    folder.rmdir()
    assert archive.pack(bot, {}) == packed
    with pytest.raises(OperatorError) as caught:
        archive.pack(msgspec.structs.replace(bot, staged=""), {})
    assert caught.value.key == "bot-changed"
    with pytest.raises(OperatorError) as caught:
        resolve([HandIn(str(folder))])
    assert caught.value.key == "bot-gone"
