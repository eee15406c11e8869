"""Folders that strangers have written to."""

from __future__ import annotations

import os
from pathlib import Path

from dohyo import disk

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
    """Bytes are counted as deep as a path can tell; a nest that goes deeper counts as all there is."""
    os.close(nest(tmp_path, "d", 100))
    assert 1 << 16 <= disk.size_of(str(tmp_path)) < 1 << 20
    os.close(nest(tmp_path, "n" * 200, 30))
    assert disk.size_of(str(tmp_path)) == disk.TOO_MUCH
    disk.remove(tmp_path)
