"""Trials: an action is called better when matches that went on from it say so, and only then."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo import games
from dohyo.core.playback import moments
from dohyo.guests.analysis import trials
from dohyo.guests.analysis.trials import Decision, Option, Trials, Tried, Trying
from dohyo.series.branches import ALIKE, STEP, TIMES, Branch, End
from tests.guests.analysis.test_analysis import LOST, played

SEAT, PLAYED, OTHER = 1, 0, 4
LONG = "330254564223355224331121550404466660106011"


class Chances:
    """Plays on: after each action, seat 1 wins with a chance of its own, by luck; without luck always or never."""

    names = "a", "b"
    error = ""

    def __init__(self, chance_of: Callable[[Any], float]) -> None:
        self.chance_of = chance_of
        self.asked = 0

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end."""
        self.asked += len(branches)
        return [self._end(branch) for branch in branches]

    def _end(self, branch: Branch) -> End:
        chance = self.chance_of(branch.state)
        if chance in (0, 1):
            return End((1.0 - chance, float(chance)), str(chance))
        won = random.Random(branch.seed).random() < chance
        return End((float(not won), float(won)), str(branch.seed))


def tried(chance_of: Callable[[Any], float], **more: Any) -> tuple[Tried, Chances]:
    """What comes of trying column 4 in the place of 0 in turn 5 of `LOST`."""
    game, by = games.find("connect-four"), Chances(chance_of)
    found = list(moments(game, played(LOST)))
    state, others = (lambda luck: found[5].before), (lambda state, luck: {})
    told = {"varies": False, "state": state, "others": others} | more
    decision = Decision(5, SEAT, PLAYED, (Option(OTHER, 0.1),), **told)
    return Trials(game, found, 2, 7, by).carry_out([decision], None, lambda: None), by


def by_column(as_played: float, other: float) -> Callable[[Any], float]:
    """A chance after column 0, and one after another."""
    before = list(moments(games.find("connect-four"), played(LOST)))[5]
    return lambda state: as_played if state.stones == before.after.stones else other


def test_what_always_wins_more_is_named_after_a_few_matches() -> None:
    """Where luck decides nothing, a few matches settle it, and all that are counted came after the choice."""
    found, by = tried(by_column(0, 1))
    (verdict,) = found.verdicts
    assert (verdict.better, verdict.tally.times, verdict.tally.is_always_alike) == (OTHER, ALIKE, True)
    assert by.asked == found.matches == 2 * (1 + ALIKE)


def test_what_wins_clearly_more_often_is_named() -> None:
    """With luck it takes more matches."""
    found, _ = tried(by_column(0.05, 0.95))
    (verdict,) = found.verdicts
    assert STEP <= verdict.tally.times <= TIMES


@pytest.mark.parametrize(("as_played", "other"), [(1, 0), (1, 1), (0, 0), (0.5, 0.5), (0.9, 0.1), (0.5, 0.52)])
def test_what_is_no_better_is_not_named(as_played: float, other: float) -> None:
    """Whatever the search thinks of it."""
    found, _ = tried(by_column(as_played, other))
    assert found.verdicts == []
    assert found.decisions == 1


def test_a_match_that_cannot_be_played_names_nothing() -> None:
    """Where no match comes to an end, nothing is known."""

    class Nobody(Chances):
        def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
            return [None] * len(branches)

    game = games.find("connect-four")
    found = list(moments(game, played(LOST)))
    decision = Decision(
        5, SEAT, PLAYED, (Option(OTHER, 0.1),), False, lambda luck: found[5].before, lambda state, luck: {}
    )
    came = Trials(game, found, 2, 7, Nobody(by_column(0, 1))).carry_out([decision], None, lambda: None)
    assert (came.verdicts, came.matches) == ([], 0)


def test_it_is_told_what_is_tried() -> None:
    """From which turn, and which decision of how many: before each round, as one of them may take long."""
    found, told = list(moments(games.find("connect-four"), played(LOST))), list[Trying]()
    option = (Option(OTHER, 0.1),)
    decision = Decision(5, SEAT, PLAYED, option, False, lambda luck: found[5].before, lambda state, luck: {})
    by = Chances(by_column(0, 1))
    Trials(games.find("connect-four"), found, 2, 7, by).carry_out([decision], 9e9, lambda: None, told.append)
    assert [one[:4] for one in told[:2]] == [("look", 5, 1, 1), ("again", 5, 1, 1)]
    assert {one.kind for one in told[1:]} == {"again"}
    assert told[-1].until == 9e9


def test_better_only_in_what_nobody_could_know_is_no_mistake() -> None:
    """An action that wins only in the true state, and loses in states that the seat could not tell from it."""
    truth = list(moments(games.find("connect-four"), played(LOST)))[5]
    other = truth.before.__class__ and games.find("connect-four").rules.LAYOUT.copy(truth.before)
    other.turn += 2  # another state, which the seat takes to be possible
    chance = lambda state: (  # noqa: E731
        by_column(0, 1)(state) if state.turn == truth.after.turn else 0
    )
    found, _ = tried(chance, varies=True, state=lambda luck: games.find("connect-four").rules.LAYOUT.copy(other))
    assert found.verdicts == []
    both, _ = tried(
        lambda state: 0 if list(state.stones) == list(truth.after.stones) else 1,
        varies=True,
        state=lambda luck: games.find("connect-four").rules.LAYOUT.copy(other),
    )
    assert [one.better for one in both.verdicts] == [OTHER]


def test_one_clear_mistake_among_many_decisions_is_found_by_few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """150 matches for 15 decisions, of which one is worth half of the chance: mostly it is named, and no other."""
    game = games.find("connect-four")
    turns = list(moments(game, played(LONG)))
    own = [at for at, one in enumerate(turns) if one.actions[SEAT] is not None][:15]
    better = rules_after(turns[own[3]].before, action_of(turns[own[3]], 0))
    named = 0
    for seed in range(12):
        by = Chances(lambda state: 0.85 if list(state.stones) == better else 0.35)
        monkeypatch.setattr(trials, "time", SimpleNamespace(monotonic=lambda by=by: by.asked))
        decisions = [decided(turns, at) for at in own]
        came = Trials(game, turns, 2, seed, by).carry_out(decisions, 150.0, lambda: None)
        named += [one.decision.place for one in came.verdicts] == [own[3]]
        assert all(one.decision.place == own[3] for one in came.verdicts)
    assert named >= 6, named


def action_of(moment: Any, number: int) -> int:
    """Another action than the one that was played."""
    legal = games.find("connect-four").legal_actions(moment.before, SEAT)
    return [action for action in legal if action != moment.actions[SEAT]][number % (len(legal) - 1)]


def rules_after(before: Any, action: int) -> list[int]:
    """The stones after an action."""
    rules = games.find("connect-four").rules
    state = rules.LAYOUT.copy(before)
    rules.step(state, [action] * 2, None)
    return list(state.stones)


def decided(turns: Sequence[Any], at: int) -> Decision:
    """A decision of the match with three other actions, which the search finds as good."""
    moment = turns[at]
    options = tuple({action: Option(action, 0.05) for action in map(partial(action_of, moment), range(3))}.values())
    return Decision(
        at, SEAT, moment.actions[SEAT], options, False, lambda luck: moment.before, lambda state, luck: {}
    )
