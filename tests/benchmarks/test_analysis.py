"""What the benchmark of analyses makes of what it has judged: means by match, the sharpness that fits, who plays."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.options import resolve
from dohyo.series.analyst import chances_of

SHARP = 2.0


@pytest.fixture(scope="module")
def benchmark_of_analyses(root: Path) -> Iterator[dict[str, Any]]:
    """Its functions, by name."""
    name = "benchmark_of_analyses"
    spec = importlib.util.spec_from_file_location(name, root / "benchmarks" / "analysis.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root / "benchmarks"))
        patch.setitem(sys.modules, name, module)  # where Numba looks for it
        spec.loader.exec_module(module)
        yield vars(module)


def test_positions_of_one_match_belong_together(benchmark_of_analyses: dict[str, Any]) -> None:
    """Ten positions of each match, which end alike, say no more than one of each; of ten times the matches, more."""
    mean_of = benchmark_of_analyses["mean_of"]
    draw = random.Random(1)
    won = [float(draw.random() < 0.7) for _ in range(100)]
    one = mean_of(list(enumerate(won)))
    ten = mean_of([(match, share) for match, share in enumerate(won) for _ in range(10)])
    apart = mean_of(list(enumerate(won * 10)))
    assert ten == pytest.approx(one)
    assert apart == pytest.approx((one[0], one[1] / 10**0.5), rel=0.02)
    assert one[1] == pytest.approx(1.645 * (one[0] * (1 - one[0]) / 100) ** 0.5, rel=0.02)


def test_the_sharpness_is_found_that_the_matches_had(benchmark_of_analyses: dict[str, Any]) -> None:
    """Of matches that were won as often as chances of a known sharpness say, that one is found."""
    outcome, draw = benchmark_of_analyses["Outcome"], random.Random(2)
    judged = []
    for match in range(1000):
        value = draw.uniform(-0.9, 0.9)
        first = draw.random() < chances_of((value, -value), SHARP)[0]
        judged.append(outcome(match, "", (value, -value), (float(first), float(not first))))
    assert benchmark_of_analyses["fitted"](judged) == pytest.approx(SHARP, abs=0.2)


def test_who_plays_on_which_seat(benchmark_of_analyses: dict[str, Any]) -> None:
    """Equal bots sit on all seats; bots that are not equal move on by a seat, until each has been on each."""
    line_up, mixed = benchmark_of_analyses["line_up"], benchmark_of_analyses["MIXED"]["drop-block"]
    assert [set(line_up("drop-block", number)) for number in (0, 3)] == [{"hunter"}, {"sensei"}]
    first = benchmark_of_analyses["FIRST_MIXED"]
    line_ups = [line_up("drop-block", first + number) for number in range(4 * len(mixed))]
    assert all(sorted(one) in map(sorted, mixed) for one in line_ups)
    assert {one.index("sensei") for one in line_ups if one.count("sensei") == 1} == {0, 1, 2, 3}


def test_the_solver_says_in_how_many_plies_a_win_is_forced(benchmark_of_analyses: dict[str, Any]) -> None:
    """In positions of random play near the end it agrees with trying everything; earlier, a known one is known."""
    pytest.importorskip("numba")
    game = games.find("connect-four")
    solve, draw = benchmark_of_analyses["solver"](), random.Random(3)
    asked = 0
    while asked < 15:
        state, own, other = benchmark_of_analyses["random_position"](game, draw)
        if state.turn >= 27:
            asked += 1
            assert solve(own, other) == by_trying(game, state, {})
    state = game.new_state(resolve(game.options, {}), 2)
    for column in map(int, "261444620646662334045005500"):
        game.rules.step(state, [column] * 2, None)
    assert solve(int(state.stones[1]), int(state.stones[0])) == 13


def by_trying(game: Any, state: Any, known: dict[Any, int]) -> int:
    """In how many plies who is to move wins, or loses (negative), if the winner hurries; 0 for a draw."""
    key = tuple(state.stones)
    if key not in known:
        mover, found = state.turn % 2, []
        for column in game.legal_actions(state, mover):
            after = game.rules.LAYOUT.copy(state)
            game.rules.step(after, [column] * 2, None)
            plies = 0
            if game.rules.over(after):
                found.append(1 if game.rules.winner(after) == mover else 0)
            else:
                plies = by_trying(game, after, known)
                found.append(-plies - 1 if plies > 0 else 1 - plies if plies < 0 else 0)
        known[key] = max(found, key=lambda n: (n > 0, n == 0, -n))
    return known[key]
