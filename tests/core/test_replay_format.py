"""docs/replay-format.md and the code tell one format."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from dohyo.core import replay, replay_format
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from tests.core.matches import played

PAGE = (Path(__file__).parents[2] / "docs" / "replay-format.md").read_text(encoding="utf-8")


def table(heading: str) -> dict[str, str]:
    """The rows of the table that follows a line: a field's name, and the rest of its row."""
    after = PAGE.split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)
    assert rows is not None, heading
    return dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", rows.group(), re.MULTILINE))


def names(kind: type[msgspec.Struct]) -> list[str]:
    """What a record's fields are called in a file."""
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def test_version_of_the_page_is_the_one_that_is_written() -> None:
    """Title and table say the number that stands in a new file, as its first field."""
    assert replay_format.encode(played(turns=1)).startswith(b'{"dohyo":%d,' % replay.FORMAT)
    assert PAGE.startswith(f"# The replay format, version {replay.FORMAT}\n")
    assert f"version of this format: {replay.FORMAT}." in table("## Header")["dohyo"]


@pytest.mark.parametrize(
    ("heading", "kind"), [("## Header", replay.Header), ("## A turn", replay.Turn), ("A move:", replay.Move)]
)
def test_every_field_has_its_row(heading: str, kind: type[msgspec.Struct]) -> None:
    """A table's rows are the record's fields, in their order."""
    assert list(table(heading)) == names(kind)


@pytest.mark.parametrize(
    ("start", "end", "kind"),
    [
        ("| `seats` |", "\n", replay.Seat),
        ("| `clock` |", "\n", Clock),
        ("| `faults` |", "\n", Fault),
        ("## Result", "## Checksum", replay.Result),
    ],
)
def test_what_stands_inside_a_field_is_named(start: str, end: str, kind: type[msgspec.Struct]) -> None:
    """The text about a record names each of its fields."""
    told = PAGE.split(start, 1)[1].split(end, 1)[0]
    assert [name for name in names(kind) if f"`{name}`" not in told] == []


def test_every_kind_of_fault_is_named() -> None:
    """The list of kinds is the code's own."""
    told = PAGE.split("Kinds of faults:", 1)[1].split("A fault beside", 1)[0]
    assert set(re.findall(r"`([a-z-]+)`", told)) == {kind.value for kind in FaultKind}


def test_bounds_are_the_reader_s() -> None:
    """Sizes that a reader refuses stand on the page as they are in the code."""
    told = PAGE.split("## Bounds", 1)[1].split("## Checking", 1)[0].replace("\n", " ")
    assert f"{replay_format.MAX_BYTES >> 20} MiB, unpacked too" in told
    header, line = replay_format.LONGEST_HEADER >> 20, replay_format.LONGEST_LINE >> 20
    assert f"{header} MiB for the header, {line} MiB for any other" in told
    assert f"more than {replay_format.DEEPEST} deep" in told
    assert f"{replay_format.MAX_PARTS:,} turns" in told
    assert f"texts that take {replay_format.MAX_TEXT >> 20} MiB" in told
    assert f"window of at most {1 << replay_format.WINDOW_LOG >> 20} MiB" in told
