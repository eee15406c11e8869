"""Points in what the command line tells of a match: a column where a game gives some."""

from __future__ import annotations

import json

import dohyo
from tests.cli.conftest import Type


def test_points_stand_in_the_table_and_in_json(typed: Type) -> None:
    """Both tell each seat's points as the replay has them."""
    match = ("play", "wondev-woman", "climber", "random", "--seed", "3")
    told = json.loads(typed(*match, "--json", "--save", "m.replay").out)
    scores = dohyo.load("m.replay").result.scores
    assert [seat["score"] for seat in told["seats"]] == list(scores)
    assert max(scores) > 0
    title, *rows = [line for line in typed("replay", "m.replay").out.splitlines() if line.startswith((" ", "Place"))]
    assert title.split()[:4] == ["Place", "Seat", "Bot", "Score"]
    assert {int(row.split()[1]): int(row.split()[3]) for row in rows} == dict(enumerate(scores))


def test_no_points_are_no_column(typed: Type, four_still: tuple[str, ...]) -> None:
    """A game without points has neither the column nor a number."""
    match = ("play", "drop-block", *four_still, "--setup", "turns=4", "--seed", "7")
    assert "Score" not in typed(*match).out
    assert [seat["score"] for seat in json.loads(typed(*match, "--json").out)["seats"]] == [None] * 4
