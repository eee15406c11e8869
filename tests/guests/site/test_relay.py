"""What is played on one machine is seen on another: files of the one folder come to be in the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update

from dohyo.guests.site import tables
from dohyo.guests.site.judging import relay
from dohyo.guests.site.judging.relay import Copier
from dohyo.guests.site.tables import open_site
from dohyo.series.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A site's database."""
    opened = open_site(str(tmp_path / "site.db"))
    yield opened
    opened.close()


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders."""
    both = tmp_path / "left", tmp_path / "right"
    for folder in both:
        folder.mkdir()
    return both


def test_a_match_arrives_as_it_grows(database: Database, folders: tuple[Path, Path]) -> None:
    """Whole lines arrive, in order; a file that is begun anew is another file there, too; nothing comes back."""
    left, right = folders
    here, there = Copier(database, left, "left"), Copier(database, right, "right")
    grown = b""
    for piece in (b'{"header":"\xe5\xb0\x86"}\n{"tu', b'rn":1}\n', b"\n"):
        grown += piece
        with (left / "7").open("ab") as file:
            file.write(piece)
        for copier in (here, there, here):
            copier.send()
            copier.receive()
        assert (right / "7").read_bytes() == grown[: grown.rfind(b"\n") + 1]
    first = (right / "7").stat().st_ino
    (left / "again").write_bytes(b"{}\n")
    os.replace(left / "again", left / "7")
    here.send()
    there.receive()
    assert (right / "7").read_bytes() == b"{}\n"
    assert (right / "7").stat().st_ino != first
    asked = select(func.count()).where(tables.live.c.folder == "right")
    assert database.read(lambda connection: connection.execute(asked).scalar()) == 0


def test_a_sign_arrives_each_time_it_is_given(database: Database, folders: tuple[Path, Path]) -> None:
    """That somebody watches is an empty file whose time is news."""
    left, right = folders
    here, there = Copier(database, left, "left"), Copier(database, right, "right")
    (left / "ladder-1-watched").touch()
    here.send()
    there.receive()
    os.utime(right / "ladder-1-watched", (1.0, 1.0))
    os.utime(left / "ladder-1-watched", (5.0, 5.0))
    here.send()
    there.receive()
    assert (right / "ladder-1-watched").stat().st_mtime > 1.0


def test_what_others_send_leads_nowhere_and_is_bounded(
    database: Database, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name is a name in this folder; of a long file, and of many files, no more is copied than is said."""
    monkeypatch.setattr(relay, "MAX_FILE", 10)
    monkeypatch.setattr(relay, "MAX_PIECE", 6)
    left, right = folders
    here, there = Copier(database, left, "left"), Copier(database, right, "right")
    row = {"folder": "else", "begins": 0, "text": "x\n", "at": 1.0}
    for name in ("../up", "/etc/up", ".hidden", ""):
        order = insert(tables.live).values({**row, "name": name})
        database.write(lambda connection, order=order: connection.execute(order))  # type: ignore[misc]
    (left / "long").write_bytes(b"12345\n" * 5)
    for _ in range(6):
        here.send()
        there.receive()
    assert [path.name for path in right.iterdir()] == ["long"]
    assert (right / "long").stat().st_size == 12


def test_what_is_old_is_forgotten(database: Database, folders: tuple[Path, Path]) -> None:
    """Pieces go after a while, and so do the files that were made of them."""
    left, right = folders
    here, there = Copier(database, left, "left"), Copier(database, right, "right")
    (left / "1").write_bytes(b"{}\n")
    here.send()
    there.receive()
    os.utime(right / "1", (1.0, 1.0))
    database.write(lambda connection: connection.execute(update(tables.live).values(at=1.0)))
    (left / "2").write_bytes(b"{}\n")
    here.send()
    there.receive()
    assert [path.name for path in right.iterdir()] == ["2"]
    count = select(func.count()).select_from(tables.live)
    assert database.read(lambda connection: connection.execute(count).scalar()) == 1
