"""`dohyo contest export`: for data frames, for ordo, for a forum."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.guests.exports import parquet, texts
from dohyo.guests.exports.command import TEXTS
from dohyo.series.exports.export import COLUMNS, ResultLine, as_json
from tests.cli.conftest import Type
from tests.skips import Reason, skip_for

WILD = ('=HYPERLINK("x")', "a|b`c\n| d |", "[x](javascript:1) <img src=x>", 'q"]', "\x1b[31m\u202ered", "@all #1")
LINE = ResultLine(
    contest="cup",
    game="wondev-woman",
    match=0,
    batch=0,
    seed=7,
    bots=("A", "B"),
    versions=("a" * 64, "b" * 64),
    places=(1, 2),
    scores=(),
    longest=(0.5, None),
    faults=({}, {"timeout": 2}),
    ended="2026-01-02T03:04:05+00:00",
    seconds=1.5,
    replay=None,
)
# How ordo finds a player or a result in a line: up to the first quote with a bracket behind it.
TAG = re.compile(r'^\[(White|Black|Result) "(.*?)"\]$', re.MULTILINE)


def rated(lines: list[ResultLine]) -> list[tuple[str, str, str]]:
    """White, Black and result of each game, as ordo reads them."""
    found = TAG.findall("".join(texts.as_ordo(lines)))
    assert [tag for tag, _ in found] == ["White", "Black", "Result"] * (len(found) // 3)
    values = [value for _, value in found]
    return list(zip(values[::3], values[1::3], values[2::3], strict=True))


def test_games_for_ordo() -> None:
    """A match of two is a game; a larger one is a game for each two seats."""
    assert rated([LINE, replace(LINE, places=(1, 1)), replace(LINE, places=(2, 1))]) == [
        ("A", "B", "1-0"),
        ("A", "B", "1/2-1/2"),
        ("A", "B", "0-1"),
    ]
    three = replace(LINE, bots=("A", "B", "C"), versions=("a", "b", "c"), places=(2, 1, 2))
    assert rated([three]) == [("A", "B", "0-1"), ("A", "C", "1/2-1/2"), ("B", "C", "1-0")]


def test_names_for_ordo() -> None:
    """Different bots never have one name there, and no name breaks a line or ends it early."""
    bots = ('A"]', "A']", "A'\\", "A''", *WILD, "x" * 4000)
    lines = [replace(LINE, bots=(bot, "B"), versions=(f"{at:064x}", "b")) for at, bot in enumerate(bots)]
    lines += [replace(LINE, versions=(f"{at:064x}", "b")) for at in (100, 101, 100)]
    whites = [white for white, _, _ in rated(lines)]
    assert len(whites) == len(bots) + 3
    assert len(set(whites)) == len(bots) + 2
    assert whites[-3:] == ["A", f"A ({'0' * 8})", "A"]
    assert all(white.isprintable() and not set(white) & set('"[]\\') and len(white) < 250 for white in whites)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_matches_are_written_as_they_are_read(name: str) -> None:
    """However many matches there are, no format waits for the next one before it has written the last."""
    read = 0

    def lines() -> Iterator[ResultLine]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield LINE

    ahead = 0
    for written, _ in enumerate(TEXTS[name](lines()), 1):
        ahead = max(ahead, read - written)
    assert read == 1000
    assert ahead <= 1


def test_json_is_one_list(tmp_path: Path) -> None:
    """In pieces it is the document that it was, with no match too."""
    assert json.loads("".join(as_json([]))) == []
    both = [LINE, replace(LINE, bots=WILD[:2])]
    text = "".join(as_json(both))
    assert json.loads(text) == [json.loads(line) for line in texts.as_json_lines(both)]
    assert text.startswith('[\n {\n  "contest": "cup",\n')
    assert text.endswith('"by": null\n }\n]\n')
    assert not re.search(r"[^\n\x20-\x7e]", text)


def table_of(library: str, path: Path) -> list[dict[str, object]]:
    """The rows of a Parquet file."""
    if library == "polars":
        return list(importlib.import_module("polars").read_parquet(path).to_dicts())
    return list(importlib.import_module("pyarrow.parquet").read_table(path).to_pylist())


@pytest.mark.parametrize("library", parquet.LIBRARIES)
def test_parquet(library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of the CSV file in pieces, with types; names without control signs; a file without matches too."""
    if importlib.util.find_spec(library) is None:
        skip_for(Reason.PEER, f"{library} is not installed, and the other library writes such files too")
    monkeypatch.setattr(parquet, "chosen", lambda: library)
    monkeypatch.setattr(parquet, "AT_ONCE", 2)
    lines = [replace(LINE, match=at, bots=(WILD[at % 6], "B"), scores=(1, 2.5)) for at in range(7)] + [LINE]
    path = tmp_path / "x.parquet"
    parquet.write(path, lines)
    rows = table_of(library, path)
    assert [row["match"] for row in rows] == [at for at in range(7) for _ in "ab"] + [0, 0]
    assert list(rows[0]) == COLUMNS.split()
    assert (rows[1]["bot"], rows[1]["faults"], rows[1]["score"], rows[0]["longest"]) == ("B", "timeout:2", 2.5, 0.5)
    assert (rows[-1]["score"], rows[-1]["replay"]) == (None, None)
    assert rows[0]["ended"].isoformat() == LINE.ended  # type: ignore[attr-defined]
    assert not any("\x1b" in str(row["bot"]) for row in rows)
    parquet.write(path, [])
    assert table_of(library, path) == []


def test_without_a_library_for_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said in one sentence, with the remedy."""
    monkeypatch.setattr(parquet.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OperatorError, match="pip install polars"):
        parquet.chosen()


def test_a_table_for_a_forum(held: Type, folder: Path) -> None:
    """Every row has as many cells as there are headings; `export` writes the same."""
    done = held("contest", "standings", "contest.db", "--markdown")
    about, _, head, line, *rows = done.out.splitlines()
    assert about == "`contest`: Drop\\-Block, round\\-robin, 4 of 4 matches"
    assert head.startswith("| place | bot |")
    assert line.startswith("| ---: | --- |")
    table = [row for row in rows if row.startswith("|")]
    assert len(table) == 4
    assert {row.count("|") for row in (head, line, *table)} == {head.count("|")}
    assert any("`d`" in row and "exited" in row for row in table)
    assert held("contest", "export", "contest.db", "--format", "markdown").out == done.out
    assert held("contest", "export", "contest.db", "--format", "markdown", "--out", "t.md").status == 0
    assert (folder / "t.md").read_text() == done.out
    assert held("contest", "standings", "contest.db", "--markdown", "--json").status == 2


def test_files_of_a_contest(held: Type, folder: Path) -> None:
    """Each format has all matches, in a file and on the output alike."""
    for name in (*TEXTS, "pgn"):
        written = held("contest", "export", "contest.db", "--format", name, "--out", f"c.{name}")
        assert written.out == f"Wrote 4 matches to c.{name}.\n"
        assert (folder / f"c.{name}").read_text() == held("contest", "export", "contest.db", "--format", name).out
    assert (folder / "c.pgn").read_text() == (folder / "c.headers").read_text()
    assert len((folder / "c.jsonl").read_text().splitlines()) == 4
    assert len(list(csv.reader((folder / "c.csv").read_text().splitlines()))) == 17
    assert len(TAG.findall((folder / "c.ordo").read_text())) == 3 * 6 * 4
    assert held("contest", "export", "contest.db", "--format", "parquet").err.startswith("Parquet is not text")
    assert held("contest", "export", "contest.db", "--format", "parquet", "--out", "c.parquet").status == 0
    assert len(table_of("polars", folder / "c.parquet")) == 16
