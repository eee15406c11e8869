"""What type checkers are told of `dohyo`: mypy and pyright read this file, and nothing runs it.

Where a comment expects an error, both say so if there is none.
"""

from collections.abc import MutableSequence
from datetime import datetime
from pathlib import Path
from typing import Literal, assert_type

import dohyo
from dohyo.core.replay import Header, Result, Turn
from dohyo.series.analysed import Analysis, Chances, TurningPoint
from dohyo.series.from_python import Compared, ComparisonResult, ContestTable
from dohyo.series.standings import Row, Standings


def a_match() -> None:
    """A match, its replay, the file of it."""
    replay = dohyo.play("drop-block", ["hunter", Mine, Mine(), Path("mine.py")])
    assert_type(replay, dohyo.Replay)
    assert_type(replay.header, Header)
    assert_type(replay.turns, MutableSequence[Turn])
    assert_type(replay.result, Result)
    assert_type(replay.result.places, tuple[int, ...])
    assert_type(replay.result.winner, int | None)
    assert_type(replay.result.reason, str)
    assert_type(dohyo.save(replay, "m.replay"), Path)
    assert_type(dohyo.load("m.replay"), dohyo.Replay)
    assert_type(dohyo.verify(replay), int)


def many_matches() -> None:
    """Contests, comparisons, analyses."""
    standings = dohyo.contest("drop-block", ["hunter"], folder=Path("hand-ins"), rounds=2)
    assert_type(standings, Standings)
    assert_type(dohyo.standings("c.db").rows, list[Row])
    assert_type(dohyo.matches("c.db"), ContestTable)
    assert_type(dohyo.ratings("c.db").columns, dict[str, list[str | int | float | bool | datetime | None]])
    compared = dohyo.compare("drop-block", "new.py", "old.py")
    assert_type(compared, ComparisonResult)
    assert_type(compared.decision, Literal["better", "not-better", "undecided"])
    assert_type(compared.rows, tuple[Compared, ...])
    found = dohyo.analyse("m.replay", seconds=5)
    assert_type(found, Analysis)
    assert_type(found.chances, tuple[Chances, ...])
    assert_type(found.points, tuple[TurningPoint, ...])


class Mine(dohyo.Bot):
    """A bot as a class."""

    def act(self, observation: dohyo.Observation) -> dohyo.Action:
        """The first action; what a game's own observation has besides is no error."""
        assert_type(observation.legal_actions, tuple[dohyo.Action, ...])
        assert observation.seat is not None
        return self.random.choice(observation.legal_actions)


def mistakes() -> None:
    """Names and arguments that are not there."""
    dohyo.plya("drop-block", [])  # type: ignore[attr-defined] # pyright: ignore
    dohyo.play("drop-block", [], sede=7)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    dohyo.load("m.replay").result.place  # type: ignore[attr-defined] # pyright: ignore # noqa: B018
