"""What strangers have left and is to be used again: tidied, copied, read, replaced; within bounds, never followed."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.system import disk, hand_in_limits, used_again
from dohyo.system.used_again import UnfitError

ODD_NAME = os.fsdecode(b"a\n\xff\x1b[31m")


def pipe(place: Path) -> None:
    os.mkfifo(place)


def sock(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))


ODD: list[Callable[[Path], None]] = [pipe, sock]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stranger's folder."""
    place = tmp_path / "folder"
    place.mkdir()
    return place


def deep(folder: Path, levels: int, name: str) -> None:
    """Folders inside each other, each of this name."""
    held = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=held)
        inner = os.open(name, os.O_RDONLY, dir_fd=held)
        os.close(held)
        held = inner
    os.close(held)


def test_a_copy_is_whole(folder: Path, tmp_path: Path) -> None:
    """Files, what may be executed, links as links, names of any bytes, and when a file was written: all is there."""
    (folder / "in" / "ner").mkdir(parents=True)
    (folder / "in" / "ner" / "program").write_bytes(b"x" * 3_000_000)
    (folder / "in" / "ner" / "program").chmod(0o711)
    (folder / ODD_NAME).write_text("odd")
    (folder / "link").symlink_to("/etc/passwd")
    os.utime(folder / ODD_NAME, (1, 2))
    used_again.copy(folder, tmp_path / "copy")
    copy = tmp_path / "copy"
    assert (copy / "in" / "ner" / "program").read_bytes() == b"x" * 3_000_000
    assert stat.S_IMODE((copy / "in" / "ner" / "program").stat().st_mode) & 0o700 == 0o700
    assert (copy / ODD_NAME).stat().st_mtime == 2
    assert stat.S_IMODE((copy / ODD_NAME).stat().st_mode) & 0o700 == 0o600
    assert os.readlink(copy / "link") == "/etc/passwd"


@pytest.mark.parametrize("odd", ODD)
def test_a_copy_holds_nothing_odd(folder: Path, tmp_path: Path, odd: Callable[[Path], None]) -> None:
    """A pipe or a socket is said to be none of what can be copied, at once; nobody waits at it."""
    (folder / "in").mkdir()
    odd(folder / "in" / "odd")
    with pytest.raises(UnfitError) as caught:
        used_again.copy(folder, tmp_path / "copy")
    assert (caught.value.path, caught.value.why) == ("in/odd", "kind")


@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [
        ("ENTRIES", 3, "many"),
        ("BYTES", 9, "large"),
        ("DEPTH", 2, "deep"),
        ("PATH_BYTES", 10, "deep"),
    ],
)
def test_bounds_hold(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, why: str
) -> None:
    """More entries, bytes or levels than allowed, or a longer path, are refused, by a copy and when tidied."""
    (folder / "one" / "two").mkdir(parents=True)
    (folder / "one" / "two" / "three").write_text("12345")
    (folder / "four").write_text("12345")
    used_again.copy(folder, tmp_path / "whole")
    monkeypatch.setattr(hand_in_limits, f"MAX_BUILT_{limit}", most)
    for act in (lambda: used_again.copy(folder, tmp_path / "copy"), lambda: used_again.tidy(folder)):
        with pytest.raises(UnfitError) as caught:
            act()
        assert caught.value.why == why


def test_a_sparse_file_is_as_large_as_it_says(folder: Path, tmp_path: Path) -> None:
    """A file of a TiB without content is not copied byte by byte."""
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UnfitError, match="large"):
        used_again.copy(folder, tmp_path / "copy")


def test_what_is_too_deep_for_a_path_is_refused(folder: Path, tmp_path: Path) -> None:
    """Beyond what a path can name, and beyond what Python can recurse: a sentence, and it can still be removed."""
    deep(folder, 1500, "d" * 200)
    for act in (lambda: used_again.copy(folder, tmp_path / "copy"), lambda: used_again.tidy(folder)):
        with pytest.raises(UnfitError, match="deep"):
            act()
    disk.remove(folder)
    assert not folder.exists()


def test_a_folder_is_tidied(folder: Path) -> None:
    """Odd things are gone, what was closed is open to its owner, files and links stay, and other rights too."""
    closed = folder / "closed"
    closed.mkdir()
    (closed / "file").write_text("x")
    (closed / "file").chmod(0o044)
    (folder / "link").symlink_to("closed")
    for odd in ODD:
        odd(closed / odd.__name__)
    closed.chmod(0o055)
    used_again.tidy(folder)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o755
    assert sorted(os.listdir(closed)) == ["file"]
    assert stat.S_IMODE((closed / "file").stat().st_mode) == 0o644
    assert os.readlink(folder / "link") == "closed"


@pytest.mark.parametrize(("before", "after"), [(0o645, 0o745), (0o654, 0o754), (0o011, 0o711), (0o644, 0o644)])
def test_what_anybody_may_execute_its_owner_may(folder: Path, before: int, after: int) -> None:
    """A program that its build has closed to its owner alone starts for every operator, root or not."""
    (folder / "program").touch()
    (folder / "program").chmod(before)
    used_again.tidy(folder)
    assert stat.S_IMODE((folder / "program").stat().st_mode) == after


def test_rights_are_never_given_through_a_link(folder: Path, tmp_path: Path) -> None:
    """What a link in a stranger's folder leads to keeps its rights."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    (folder / "link").symlink_to(outside)
    used_again.tidy(folder)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o500


def folder_of_files(place: Path) -> None:
    (place / "in").mkdir(parents=True)
    (place / "in" / "file").touch()


@pytest.mark.parametrize(
    "before",
    [
        lambda place: None,
        lambda place: place.write_text("old"),
        lambda place: place.symlink_to("/etc/passwd"),
        folder_of_files,
        *ODD,
    ],
)
def test_a_file_takes_the_place_of_anything(folder: Path, before: Callable[[Path], None]) -> None:
    """Whatever has the name in a stranger's folder, a file of that name stands there afterwards."""
    before(folder / "storage.txt")
    used_again.put(folder, "storage.txt", b"new")
    assert not (folder / "storage.txt").is_symlink()
    assert (folder / "storage.txt").read_bytes() == b"new"


@pytest.mark.parametrize(
    "there",
    [
        lambda place: None,
        lambda place: place.write_text("x" * 11),
        lambda place: place.symlink_to("/etc/passwd"),
        lambda place: os.truncate(os.open(place, os.O_CREAT | os.O_WRONLY), 1 << 40),
        folder_of_files,
        *ODD,
    ],
)
def test_only_a_file_of_fitting_size_is_read(folder: Path, there: Callable[[Path], None]) -> None:
    """What is no file, or too large a one, has no content; a file that fits has."""
    (folder / "file").write_text("x" * 10)
    assert used_again.read(folder, "file", 10) == b"x" * 10
    there(folder / "storage.txt")
    assert used_again.read(folder, "storage.txt", 10) is None


def test_a_device_is_not_even_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a device does something: so it is looked at first, by name."""
    (folder / "storage.txt").symlink_to("/dev/null")
    opened = []
    monkeypatch.setattr(
        os, "open", lambda name, *rest, real=os.open, **more: opened.append(name) or real(name, *rest, **more)
    )
    assert used_again.read(folder, "storage.txt", 10) is None
    assert "storage.txt" not in opened
