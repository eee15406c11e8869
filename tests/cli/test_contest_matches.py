"""`dohyo contest matches`: the last of them are found without reading the others."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from dohyo.series.store import Store, streams
from tests.cli.conftest import Type
from tests.covering import covering
from tests.series.made_contests import hold

ALL = ("contest", "matches", "s.db", "--last", "0", "--json")


@pytest.mark.parametrize(
    ("more", "last"), covering([(), ("--bot", "lazy"), ("--faults",), ("--bot", "mine", "--faults")], [1, 7, 1000])
)
def test_the_last_are_the_end_of_all(typed: Type, folder: Path, more: tuple[str, ...], last: int) -> None:
    """The last N, of all matches, of a bot's or of those with faults, are the end of the whole list."""
    hold(folder / "s.db", game="drop-block", names=("hunter", "mine", "other", "fifth", "lazy"), rounds=3)
    found = json.loads(typed(*ALL, *more).out)
    assert len(found) > 7 or "--bot" in more
    done = typed("contest", "matches", "s.db", "--last", str(last), "--json", *more)
    assert json.loads(done.out) == found[-last:]


def test_no_more_are_read_than_are_shown(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the last five of a contest no other match is read, nor for `show`."""
    hold(folder / "s.db", game="drop-block", names=("hunter", "mine", "other", "lazy"), rounds=3)
    asked: list[object] = []
    whole = streams.of_numbers

    def of_numbers(connection: Any, contest: int, numbers: Collection[int]) -> Any:
        asked.extend(numbers)
        return whole(connection, contest, numbers)

    monkeypatch.setattr(streams, "of_numbers", of_numbers)
    monkeypatch.setattr(streams, "played", lambda *_: asked.append(None))
    monkeypatch.setattr(Store, "played", lambda _, *given: asked.append(None))
    assert typed("contest", "matches", "s.db", "--last", "5").status == 0
    assert len(asked) == 5
    assert None not in asked
    asked.clear()
    assert typed("contest", "show", "s.db").status == 0
    assert asked == []


def test_a_table_for_spreadsheets_is_next_door(typed: Type) -> None:
    """Who looks for it at a command that has none is sent to the one that has; the two helps name each other."""
    for command, right in (("matches", "contest export STORE"), ("show", "contest standings STORE --csv")):
        done = typed("contest", command, "s.db", "--csv")
        assert (done.status, done.out) == (2, "")
        assert done.err.endswith(f"what you want is: dohyo {right}\n")
    for command, other in (("matches", "export"), ("export", "matches")):
        assert f"'dohyo contest {other}'" in " ".join(typed("contest", command, "--help").out.split())
