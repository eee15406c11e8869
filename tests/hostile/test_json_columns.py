"""Attacks by what stands in a store's columns of JSON: too deep, too wide, numbers that are none, other types.

The owner of a store can make its checksums anew, so they hold nothing here. "SPEC+" stands for the good terms, of
which some have these values.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dohyo.cli.main import run
from dohyo.series.store import columns
from tests.series import made_contests
from tests.series.store.sealing import seal

VALUES = {
    "deep": "[" * 5000 + "]" * 5000,
    "deep to the limit, and one more": "[" * (columns.DEEPEST + 1) + "]" * (columns.DEEPEST + 1),
    "deep and not closed": "[" * 100_000,
    "wide": "[" + "[]," * 100_000 + "[]]",
    "a number of many digits": "9" * 100_000,
    "more than the greatest number": '{"seed": 1e400}',
    "not a number": '{"seed": NaN}',
    "infinity": '{"seed": -Infinity}',
    "a number": "5",
    "a text": '"drop-block"',
    "nothing": "null",
    "no JSON": "{'seed': 1}",
    "a lone surrogate": '{"game": "\\ud800"}',
    "a key twice": '{"game": "drop-block", "game": [], "game": {}}',
    "a list for a text": "SPEC+" + json.dumps({"game": ["drop-block"]}),
    "a text for a number": "SPEC+" + json.dumps({"seed": "one"}),
    "a number below zero": "SPEC+" + json.dumps({"rounds": -1}),
    "a fraction": "SPEC+" + json.dumps({"rounds": 0.5}),
    "a truth for a number": "SPEC+" + json.dumps({"seed": True}),
    "a name of many characters": "SPEC+" + json.dumps({"format": "x" * 100_000}),
    "a name that a terminal obeys": "SPEC+" + json.dumps({"format": "\x1b[2J\u202e"}),
}
BY_SEAT = {
    **{value: content for value, content in VALUES.items() if not content.startswith("SPEC+")},
    "deep in what is not known": '{"x":' + "[" * 100_000,
    "deep in places": '{"places":' + "[" * 100_000,
    "more than is known": "OWN+" + json.dumps({"x": 1}),
    "a fraction of a place": "OWN+" + json.dumps({"places": [1, 1.5]}),
    "a place below all": "OWN+" + json.dumps({"places": [1, 3]}),
    "a number for a fault": "OWN+" + json.dumps({"faults": [[1], []]}),
}
COMMANDS = (("show",), ("export", "--format", "csv"))
# Which read what was ruled about.
OF_ATTEMPTS = (("show",), ("verify",), ("annul", "2", "--because", "unjust"), ("replay", "1"))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A contest's store that each command reads."""
    path = tmp_path_factory.mktemp("good") / "c.db"
    made_contests.hold(
        path, kind="round-robin", game="drop-block", rounds=1, batches=1, names=made_contests.NAMES[:4]
    )
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def test_the_store_that_is_changed_is_a_good_one(
    good: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of the commands reads it as it is: what is refused below is refused for what was changed."""
    path = tmp_path / "c.db"
    path.write_bytes(good)
    seal(path)
    for words in COMMANDS:
        assert run(["contest", words[0], str(path), *words[1:]]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("contests.spec", value) for value in VALUES),
        # Where absences are told, all that changes a specification is one and the same.
        *(("entrants.absences", value) for value, content in VALUES.items() if not content.startswith("SPEC+")),
        ("entrants.absences", "a fraction"),
    ],
)
def test_json_that_is_none_of_ours_is_a_sentence(
    good: bytes, tmp_path: Path, column: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever stands there, each command that reads it ends with one sentence that shows nothing raw."""
    path = tmp_path / "c.db"
    path.write_bytes(good)
    table, name = column.split(".")
    with closing(sqlite3.connect(path)) as database:
        found = json.loads(database.execute(f"SELECT {name} FROM {table}").fetchone()[0])
        content = VALUES[value]
        if content.startswith("SPEC+"):
            content = json.dumps({**found, **json.loads(content[5:])}) if isinstance(found, dict) else "{}"
        database.execute(f"UPDATE {table} SET {name} = ?", (content,))
        database.commit()
    seal(path)
    for words in COMMANDS:
        status = run(["contest", words[0], str(path), *words[1:]])
        said = capsys.readouterr()
        assert status == 2, said.out
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert said.err.rstrip("\n").isprintable()


@pytest.mark.parametrize("value", BY_SEAT)
def test_an_attempt_that_is_none_of_ours_is_damage(
    good: bytes, tmp_path: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever a kept result says by seat, each command that reads it says that the store is damaged, and ends."""
    path = tmp_path / "c.db"
    path.write_bytes(good)
    assert run(["contest", "annul", str(path), "1", "--because", "unjust"]) == 0, capsys.readouterr().err
    with closing(sqlite3.connect(path)) as database:
        found = json.loads(database.execute("SELECT by_seat FROM attempts").fetchone()[0])
        content = BY_SEAT[value]
        if content.startswith("OWN+"):
            content = json.dumps({**found, **json.loads(content[4:])})
        database.execute("UPDATE attempts SET by_seat = ?", (content,))
        database.commit()
    seal(path)
    capsys.readouterr()
    for command, *words in OF_ATTEMPTS:
        assert run(["contest", command, str(path), *words]) == 2, command
        said = capsys.readouterr()
        assert "attempt 0 at match 1" in said.out + said.err, command
        assert all(line.isprintable() for line in (said.out + said.err).splitlines())
