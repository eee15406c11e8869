"""A record of matches: what is safe in it, who may have it, what is dropped, and what is no record."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors import MatchReport
from dohyo.series import record_file
from dohyo.series.record_file import DamagedError, InUseError, PlayedMatch, RecordFile, raise_error


class Head(msgspec.Struct, tag_field="what", tag="test"):
    """The first line of these tests' records."""

    number: int = 1


BEGINNING = b'{"what":"test"'
FIRST, MATCHES = Head(), [PlayedMatch(str(number), (1, 2)) for number in range(3)]


def opened(path: Path, most: int = 1 << 20) -> RecordFile:
    """The record at this place."""
    return RecordFile(path, BEGINNING, most)


def read(path: Path, most: int = 1 << 20) -> list[object]:
    """What is in it."""
    found: list[object] = []
    file = opened(path, most)
    try:
        file.read(Head | PlayedMatch, found.append)
    finally:
        file.close()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A record of a heading and three matches."""
    file = opened(tmp_path / "record")
    for row in (FIRST, *MATCHES):
        file.append(row)
    file.close()
    return tmp_path / "record"


def test_a_last_line_that_was_not_finished_is_dropped(path: Path) -> None:
    """It is not read, stays while the record is only looked at, and is gone when something is written."""
    whole = path.read_bytes()
    path.write_bytes(whole[:-4])
    assert read(path) == [FIRST, *MATCHES[:2]]
    assert path.read_bytes() == whole[:-4]
    file = opened(path)
    file.read(Head | PlayedMatch, lambda row: None)
    file.append(MATCHES[2])
    file.close()
    assert path.read_bytes() == whole


@pytest.mark.parametrize("written", [0, 1, 5, len(BEGINNING), len(BEGINNING) + 3])
def test_a_heading_that_was_not_finished_is_none(tmp_path: Path, written: int) -> None:
    """Where the power failed in the first line there is a record without any."""
    (tmp_path / "record").write_bytes(msgspec.json.encode(FIRST)[:written])
    assert read(tmp_path / "record") == []
    assert (tmp_path / "record").exists() == bool(written)  # an empty one is removed


def test_what_is_no_record_is_refused_and_stays(tmp_path: Path, path: Path) -> None:
    """Another's file, a pipe, a damaged line and a file too large are told by line; none is changed."""
    whole = path.read_bytes()
    content = {b"notes": 1, b"notes\n": 1, b"[" * 9999: 1, whole + b"\xff\n": 5, whole + b"[" * 9999 + b"\n": 5}
    for bad, line in content.items():
        path.write_bytes(bad)
        with pytest.raises(DamagedError) as error:
            read(path)
        assert (error.value.line, path.read_bytes()) == (line, bad)
    path.write_bytes(whole)
    os.mkfifo(tmp_path / "pipe")
    for place in (path, tmp_path / "pipe"):
        with pytest.raises(DamagedError) as error:
            read(place, most=10)
        assert error.value.line == 0
    for name in ("", "no/record", "a\0b"):
        with pytest.raises(OperatorError) as impossible:
            read(tmp_path / name)
        assert impossible.value.key == "cannot-write"


def test_one_process_at_a_time_has_it(path: Path) -> None:
    """The lock ends when it is closed; closing twice is nothing."""
    file = opened(path)
    with pytest.raises(InUseError):
        opened(path)
    file.close()
    file.close()
    assert len(read(path)) == 4


def test_what_is_written_is_made_safe_from_time_to_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is in the file at once; on the disk after a second at most, and when it is closed."""
    now, synced = [100.0], []
    monkeypatch.setattr(record_file, "monotonic", lambda: now[0])
    monkeypatch.setattr(record_file.os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    file = opened(tmp_path / "record")
    sizes = []
    for row, after in zip((FIRST, *MATCHES), (0, 0.4, 0.7, 0.4), strict=True):
        now[0] += after
        file.append(row)
        sizes.append((tmp_path / "record").stat().st_size)
    assert sizes == sorted(set(sizes))
    assert synced == [sizes[0], sizes[2]]
    file.close()
    assert synced[2:] == [sizes[3]]


def test_only_some_errors_are_no_results() -> None:
    """A disturbed match is one until patience ends; a defect of ours stays one, unless the operator can mend it."""
    raise_error(MatchReport("1", places=(1, 2)))
    raise_error(MatchReport("1", error="stood still", disturbed=True))
    trace = "Traceback (most recent call last)"
    for report, patient, kind in (
        (MatchReport("1", error="stood still", disturbed=True), False, OperatorError),
        (MatchReport("1", error="no sandbox"), True, OperatorError),
        (MatchReport("1", error=trace), True, RuntimeError),
        (MatchReport("1", error=trace, mend=True), True, OperatorError),
    ):
        with pytest.raises(kind, match="1"):
            raise_error(report, patient)


def test_a_report_comes_back_as_it_was() -> None:
    """But for its replay and what disturbed it."""
    report = MatchReport("7", b"replay", places=(2, 1), scores=(1, 2.5), faults=(("timeout",), ()))
    row = msgspec.json.decode(msgspec.json.encode(PlayedMatch.of(report, "kept")), type=PlayedMatch)
    assert row.file == "kept"
    assert row.report() == msgspec.structs.replace(report, replay=MatchReport("7").replay)
    assert row.report("8").key == "8"
