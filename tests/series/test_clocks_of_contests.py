"""How contests count time where nobody says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo.core import replay_format as replays
from dohyo.core.clock import Mode
from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.games import find
from dohyo.match.clocks import read_clock
from dohyo.series import session
from dohyo.series.spec import Spec, difference
from dohyo.system import proc
from tests.series import contests as usual
from tests.series.contests import asked
from tests.skips import Reason, skip_for

GAME = find("drop-block")


class ResultListener:
    """What was told, by key."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def __call__(self, key: str, *_: object, **details: object) -> None:
        self.keys.append(key)


def opened(store: Path, folder: Path, clock: str | None, told: ResultListener) -> Spec:
    """The terms of the contest, begun or gone on with."""
    given = asked(store, folder, clock=clock)
    with session.begin(given, frozen=False, leave_out=told, tell=told) as found:
        return found.spec


def by(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Let this system lack that."""
    monkeypatch.setattr(proc, "missing", lambda mode: "" if mode == "wall" else missing)


def mode_of(spec: Spec) -> Mode | None:
    """How it counts time."""
    return spec.mode if spec.clock is None else spec.clock.mode


@pytest.mark.parametrize(
    ("clock", "mode"), [(None, "fair"), ("finals", "fair"), ("2,bank=1", "fair"), ("2,mode=wall", "wall")]
)
def test_fair_unless_said(
    store: Path, folder: Path, clock: str | None, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is counted fairly where the system can, unless the operator says otherwise; going on keeps that."""
    by(monkeypatch, "")
    told = ResultListener()
    assert mode_of(opened(store, folder, clock, told)) == mode
    assert mode_of(opened(store, folder, clock, told)) == mode
    assert "contest.by-wall" not in told.keys


@pytest.mark.parametrize("clock", [None, "finals"])
def test_by_the_wall_where_nothing_else_can_be(
    store: Path, folder: Path, clock: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system cannot, it is the wall clock, which is said when the contest begins, and stays."""
    by(monkeypatch, "Linux")
    told = ResultListener()
    assert mode_of(opened(store, folder, clock, told)) == "wall"
    assert told.keys.count("contest.by-wall") == 1
    by(monkeypatch, "")
    assert mode_of(opened(store, folder, clock, told)) == "wall"


@pytest.mark.parametrize("turned", [False, True])
def test_the_usual_clock_is_the_same_named_or_not(
    store: Path, folder: Path, turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contest begun without a clock goes on with the game's usual one, and the other way round; with no other."""
    by(monkeypatch, "")
    words = (None, next(iter(GAME.clocks)))
    begun, then = words[::-1] if turned else words
    terms = opened(store, folder, begun, ResultListener())
    assert opened(store, folder, then, ResultListener()).clock == terms.clock
    for other in ("finals", "2", "mode=wall"):
        with pytest.raises(OperatorError, match="was begun with"):
            opened(store, folder, other, ResultListener())


def test_where_the_usual_clock_follows_from_the_bots_it_is_no_named_one() -> None:
    """A named one is then another: bots that live for a turn would have had another preset."""
    game, clock = find("abotcalypse"), read_clock(find("abotcalypse"), None)
    terms = Spec(game=game.name, format="swiss", rounds=1, seed=1, setup={}, options={}, bots=())
    assert difference(terms, replace(terms, clock=clock), game) is not None
    terms = replace(terms, game=GAME.name)
    assert difference(terms, replace(terms, clock=read_clock(GAME, None)), GAME) is None


@pytest.mark.parametrize("clock", [None, "finals"])
def test_what_was_begun_fairly_is_not_gone_on_with_otherwise(
    store: Path, folder: Path, clock: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that cannot count so refuses with a sentence, by the same words and by the store."""
    by(monkeypatch, "")
    opened(store, folder, clock, ResultListener())
    by(monkeypatch, "Linux")
    with pytest.raises(OperatorError, match="needs Linux"):
        opened(store, folder, clock, ResultListener())
    with pytest.raises(OperatorError, match="needs Linux"):
        session.go_on(str(store), None, sandbox="none")


def test_an_older_contest_keeps_its_clock(store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A contest that was begun before contests were fair goes on as it began, by the same words."""
    by(monkeypatch, "")
    with monkeypatch.context() as before:
        before.setattr(session, "_terms", _of_older(session._terms))
        opened(store, folder, None, ResultListener())
    assert opened(store, folder, None, ResultListener()).mode is None


def _of_older(terms: Any) -> Any:
    return lambda *given: replace(terms(*given), mode=None)


def test_matches_are_played_by_it(store: Path, folder: Path) -> None:
    """The clock that stands in a match's replay is the game's usual one, counted as the contest counts."""
    if proc.missing("fair"):
        skip_for(Reason.KERNEL, "this system cannot measure such a clock")
    with usual.opened(asked(store, folder, clock=None, setup={"turns": 4})) as found:
        found.loop.run(InProcess(), usual.ContestListener(), 1)
        result = next(iter(found.store.played(found.contest.id, 0)))
        clock = replays.decode(found.store.files.get(result.replay)).header.clock
    assert clock == read_clock(GAME, None, mode="fair")
