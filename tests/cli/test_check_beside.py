"""`dohyo check` of a folder, several hand-ins at once: the same reports, whatever becomes of a worker."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from dohyo.cli import check_beside
from tests.cli.conftest import BOTS, Type
from tests.processes import nobody_left

__all__ = ["nobody_left"]

SHORT = ("--setup", "turns=8", "--trust", "--clock", "60")
TOLD = ("bot", "fit", "wrong", "turns", "digest", "same_as")  # of a row; times are others each time


@pytest.fixture
def many(folder: Path) -> Path:
    """Four hand-ins: two alike, one that gives up, one without a program."""
    place = folder / "many"
    place.mkdir()
    for name, text in {"a": BOTS["still"], "b": BOTS["quitter"], "d": BOTS["still"]}.items():
        (place / f"{name}.sh").write_text(text)
    (place / "c").mkdir()
    (place / "c" / "notes.txt").write_text("none")
    return place


def rows(typed: Type, many: Path, *more: str) -> list[list[str]]:
    """What a table of the hand-ins tells, but for times."""
    done = typed("check", "drop-block", str(many), "--each", "--csv", *SHORT, *more)
    assert done.status == 1, done.err
    return [[row[name] for name in TOLD] for row in csv.DictReader(io.StringIO(done.out))]


def test_several_at_once_tell_the_same(typed: Type, many: Path, folder: Path, nobody_left: None) -> None:
    """Rows, their order, and the files for authors are those of one after the other; no process is left."""
    alone = rows(typed, many, "--workers", "1", "--feedback", "alone")
    beside = rows(typed, many, "--workers", "3", "--feedback", "beside")
    assert [row[:2] for row in alone] == [["a.sh", "yes"], ["b.sh", "no"], ["c", "no"], ["d.sh", "yes"]]
    assert beside == alone
    files = [sorted(each.name for each in (folder / name).rglob("*")) for name in ("alone", "beside")]
    assert files[0] == files[1]
    assert "b.sh.replay.zst" in files[0]


def test_a_worker_that_ends_costs_no_report(
    typed: Type, many: Path, monkeypatch: pytest.MonkeyPatch, nobody_left: None
) -> None:
    """What a worker was given when it ended is examined in the process that asks."""
    alone = rows(typed, many, "--workers", "1")
    monkeypatch.setattr(check_beside, "MODULE", "dohyo.no_such_module")
    assert rows(typed, many, "--workers", "2") == alone
