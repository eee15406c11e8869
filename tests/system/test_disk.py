"""Folders that strangers have written to."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dohyo.system import disk
from tests.skips import Reason, skip_for

DEEP = 3000  # deeper than Python recurses, and with long names far deeper than a path can tell


def nest(place: Path, name: str, depth: int) -> int:
    """Folders in folders, with a file of 64 KiB in the last one; a descriptor of that."""
    folder = os.open(place, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    file = os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=folder)
    os.write(file, bytes(1 << 16))
    os.close(file)
    return folder


def test_whatever_it_holds_a_folder_is_removed(tmp_path: Path) -> None:
    """Nests without end, folders that are closed, links, pipes; what links lead to stays."""
    outside, place = tmp_path / "outside", tmp_path / "place"
    for folder in (outside, place, place / "closed", place / "closed" / "inner", place / "wide"):
        folder.mkdir()
    (outside / "kept").touch()
    for number in range(50):
        (place / "wide" / str(number)).mkdir()
    (place / "closed" / "inner" / "link").symlink_to(outside)
    os.mkfifo(place / "pipe")
    os.close(nest(place, "d", DEEP))
    os.close(nest(place, "n" * 200, 100))
    (place / "closed" / "inner").chmod(0)
    (place / "closed").chmod(0)
    disk.remove(place)
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert (outside / "kept").exists()
    disk.remove(place)  # nothing is there: nothing happens


def test_what_is_hidden_is_too_much(tmp_path: Path) -> None:
    """Bytes are counted to a depth that nobody keeps, however long the path; a deeper nest counts as all there is."""
    os.close(nest(tmp_path, "d", 100))
    assert 1 << 16 <= disk.size_of(str(tmp_path)) < 1 << 20
    os.close(nest(tmp_path, "n" * 200, 30))
    assert 2 << 16 <= disk.size_of(str(tmp_path)) < 1 << 20
    os.close(nest(tmp_path, "e", disk.DEEPEST))
    assert disk.size_of(str(tmp_path)) == disk.TOO_MUCH
    disk.remove(tmp_path)


def test_counting_ends_when_there_is_enough(tmp_path: Path) -> None:
    """Who moves what is counted ahead of us all the time cannot keep us counting."""
    for number in range(20):
        (tmp_path / str(number)).mkdir()
    assert disk.size_of(str(tmp_path), 3 * disk.BLOCK) == 4 * disk.BLOCK
    assert disk.size_of(str(tmp_path), 20 * disk.BLOCK) == 20 * disk.BLOCK


def test_counting_leaves_no_time(tmp_path: Path) -> None:
    """A bot that saw how far we are could move what it keeps to where we have been, and be counted as empty."""
    if not hasattr(os, "O_NOATIME"):
        skip_for(Reason.KERNEL, "no reading without its time")
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        os.utime(folder, ns=(0, 1))
    disk.size_of(str(tmp_path))
    assert [folder.stat().st_atime_ns for folder in (tmp_path, inner)] == [0, 0]


def test_a_folder_that_becomes_a_link_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that sees that its folder is being counted cannot have us count the whole disk instead."""
    swap, scan = Swap(tmp_path), os.scandir
    swap.victim.chmod(0o755)
    (swap.outside / "large").write_bytes(bytes(1 << 20))

    @contextmanager
    def scandir(path: Any) -> Iterator[Iterator[os.DirEntry[str]]]:
        with scan(path) as entries:
            found = list(entries)
        swap()
        yield iter(found)

    monkeypatch.setattr(os, "scandir", scandir)
    assert disk.size_of(str(swap.place)) < 1 << 20


class Swap:
    """A process that is still alive: once, at a moment, it puts a link to `outside` in the place of a folder."""

    def __init__(self, root: Path) -> None:
        self.outside, self.place = root / "outside", root / "place"
        self.victim = self.place / "victim"
        for folder in (self.outside, self.victim):
            folder.mkdir(parents=True)
        (self.outside / "kept").touch()
        (self.outside / "kept folder").mkdir()
        self.outside.chmod(0o755)
        self.victim.chmod(0)
        self.done = False

    def __call__(self) -> None:
        if not self.done:
            self.victim.rename(self.place / "was")
            self.victim.symlink_to(self.outside)
            self.done = True

    def must_have_failed(self) -> None:
        """Nothing outside has changed."""
        assert self.done
        assert sorted(path.name for path in self.outside.iterdir()) == ["kept", "kept folder"]
        assert stat.S_IMODE(self.outside.stat().st_mode) == 0o755


@pytest.mark.parametrize("moment", ["listed", "about to be listed"])
def test_a_folder_that_becomes_a_link_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """What was a folder when its name was read, or when it was opened to us, may lead elsewhere now."""
    swap, calls, scan = Swap(tmp_path), count(1), os.scandir

    @contextmanager
    def scandir(path: Any) -> Iterator[Iterator[os.DirEntry[str]]]:
        number = next(calls)
        if (moment, number) == ("about to be listed", 2):
            swap()
        with scan(path) as entries:
            found = list(entries)
        if (moment, number) == ("listed", 1):
            swap()
        yield iter(found)

    monkeypatch.setattr(os, "scandir", scandir)
    disk.remove(swap.place)
    swap.must_have_failed()


def as_a_plain_user(open_as_root: Callable[..., int], refused: Callable[[], None]) -> Callable[..., int]:
    """An `os.open` that closed folders are closed to, also when root runs the tests."""

    def opened(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        rights = os.stat(path, dir_fd=dir_fd, follow_symlinks=False).st_mode
        if stat.S_ISDIR(rights) and not rights & stat.S_IRUSR and not flags & os.O_PATH:
            refused()
            raise PermissionError
        return open_as_root(path, flags, mode, dir_fd=dir_fd)

    return opened


def test_closed_folders_are_opened_to_their_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that even its owner may not open is removed, with what is in it."""
    inner = tmp_path / "place" / "closed" / "inner"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    for folder in (inner, inner.parent, inner.parent.parent):
        folder.chmod(0)
    monkeypatch.setattr(os, "open", as_a_plain_user(os.open, lambda: None))
    disk.remove(tmp_path / "place")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_folder_that_becomes_a_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rights are given to what could not be opened, and not to what a link in its place leads to."""
    swap = Swap(tmp_path)
    monkeypatch.setattr(os, "open", as_a_plain_user(os.open, swap))
    disk.remove(swap.place)
    swap.must_have_failed()


@pytest.mark.parametrize("end", ["", os.sep])
def test_a_link_in_the_folders_place_is_left(tmp_path: Path, end: str) -> None:
    """What a link leads to is nobody's to remove, however the link is spelt."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "kept").touch()
    (tmp_path / "place").symlink_to(outside)
    disk.remove(f"{tmp_path / 'place'}{end}")
    assert (outside / "kept").exists()
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_who_goes_on_writing_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that makes a folder for every one that is removed has its way in the end; the rest stays."""
    place, made, clock, rmdir = tmp_path / "place", count(), count(), os.rmdir
    (place / "first").mkdir(parents=True)

    def removed(path: Any, *, dir_fd: int | None = None) -> None:
        assert next(made) < 1000
        rmdir(path, dir_fd=dir_fd)
        (place / str(next(made))).mkdir()

    monkeypatch.setattr(disk, "monotonic", lambda: next(clock), raising=False)
    monkeypatch.setattr(os, "rmdir", removed)
    disk.remove(place)
    assert place.exists()
    assert 0 < next(made) < 100


def test_what_is_written_in_the_last_moment_is_removed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is just ending writes a file when all others have been removed: that goes as well."""
    (tmp_path / "place" / "inner").mkdir(parents=True)
    rmdir, late = os.rmdir, iter(["inner", ""])

    def written_before(name: str, *, dir_fd: int | None = None) -> None:
        if (where := next(late, None)) is not None:
            (tmp_path / "place" / where / "late").touch()
        rmdir(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", written_before)
    disk.remove(tmp_path / "place")
    assert not (tmp_path / "place").exists()
