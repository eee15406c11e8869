"""Two actions compared by pairs of matches: what is known, what is not, and what luck does not decide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.bots import Bot
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.playback import moments
from dohyo.core.replay import Move, Turn
from dohyo.core.replay_format import encode
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.laws.matches import play
from dohyo.series.branches import ALIKE, STEP, TIMES, Branch, ByBots, End, Tally, chance_of_as_many

WON, LOST = End((1.0, 0.0), "won"), End((0.0, 1.0), "lost")


def tally_of(*pairs: tuple[float, float]) -> Tally:
    """A tally of these shares of seat 0; no two of its matches end in the same state."""
    tally = Tally()
    for at, (first, second) in enumerate(pairs):
        tally.add(End((first, 1 - first), f"a{at}"), End((second, 1 - second), f"b{at}"), 0)
    return tally


def test_pairs_that_end_alike_say_nothing() -> None:
    """Eight pairs that all differ one way are enough, however many say nothing; seven are not."""
    assert not tally_of(*[(0, 1)] * 7, *[(1, 1)] * 20).is_known
    assert tally_of(*[(0, 1)] * 8, *[(1, 1)] * 20).is_known
    assert not tally_of(*[(0, 1)] * 8, *[(1, 0)] * 4).is_known


def test_a_pair_without_an_end_is_not_counted() -> None:
    """A match that was given up counts neither way."""
    tally = Tally()
    tally.add(None, WON, 0)
    tally.add(LOST, None, 0)
    assert (tally.times, tally.gain, tally.won) == (0, 0.0, (0, 0))


def test_luck_that_decides_nothing_is_known_soon() -> None:
    """Where a few pairs all end in the same two states, that is what always comes of it."""
    tally = Tally()
    for times in range(1, ALIKE + 1):
        tally.add(LOST, WON, 0)
        assert tally.is_known is (times == ALIKE)
    assert (tally.gain, tally.error) == (1.0, 3 / (ALIKE + 3))


def test_what_can_not_become_known_any_more_is_given_up() -> None:
    """Many pairs against an action cannot be made up for in the pairs that are left."""
    assert tally_of(*[(1, 0)] * 4).can_be_known()
    assert not tally_of(*[(1, 0)] * (TIMES // 2)).can_be_known()


def test_equal_actions_are_seldom_told_apart() -> None:
    """Of actions that are as good as each other, no more than a few of a hundred look better at any look."""
    luck, wrong = random.Random(5), 0
    for _ in range(400):
        pairs = [(float(luck.random() < 0.5), float(luck.random() < 0.5)) for _ in range(TIMES)]
        wrong += any(tally_of(*pairs[:look]).is_known for look in range(STEP, TIMES + 1, STEP))
    assert wrong / 400 < 0.05


def test_bounds_hold_the_difference() -> None:
    """The 95 % interval of the gain holds the true one, about as often as it says."""
    luck, held = random.Random(7), 0
    for _ in range(400):
        pairs = [(float(luck.random() < 0.3), float(luck.random() < 0.6)) for _ in range(TIMES)]
        tally = tally_of(*pairs)
        held += abs(tally.gain - 0.3) <= tally.error
    assert held / 400 >= 0.93


def test_a_coin() -> None:
    """How likely many heads are."""
    assert chance_of_as_many(0, 0) == 1.0
    assert chance_of_as_many(2, 2) == pytest.approx(0.25)
    assert chance_of_as_many(3, 4) == pytest.approx(5 / 16)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (FaultKind.ILLEGAL, "b (seat 1) began in turn 4 and had a fault in turn 5: illegal. Only a bot"),
        (FaultKind.TIMEOUT, "b (seat 1) began in turn 4 and was too late in turn 5: where it keeps"),
    ],
)
def test_a_match_with_a_fault_says_nothing(kind: FaultKind, said: str) -> None:
    """A bot that cannot begin in the middle loses after whatever action: that is no end; said is who, and why."""
    game = games.find("connectx")
    played = play(game, 7).replay
    state = next(moments(game, played)).before
    turns = [Turn(4, (), (Move(0, "1"),)), Turn(5, (), (Move(1, "1", faults=(Fault(kind),)),))]
    faulty = replace(played, header=replace(played.header, first=4), turns=turns)
    content, faults = encode(faulty), iter([(), (("exited",), ()), ((), ())])

    class Reports:
        """Plays nothing: each match ends with the first seat before the second."""

        workers = 1

        def play(self, orders: list[MatchOrder]) -> Iterator[MatchReport]:
            return (MatchReport(one.key, content, places=(1, 2), faults=next(faults)) for one in orders)

    executor: Any = Reports()
    by = ByBots(game, [cast(Bot, SimpleNamespace(name=name)) for name in "ab"], executor, setup={})
    ends = by.ends([Branch(state, 0, seed) for seed in range(3)])
    assert [end is None for end in ends] == [False, True, False]
    assert by.error.startswith(said)
