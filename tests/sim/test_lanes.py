"""Rollouts in lanes: the same games, to the byte, as slot after slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.games import find
from dohyo.sim import BatchMatch, lanes, loops

SLOTS = 2 * lanes.LANES_TOGETHER + 5  # the last ones are played one by one
STEPS = (1, 2, 60, 700)
OF_A_SLOT = ("states", "sources", "slots", "rewards", "done")
IN_LANES = ("connect-four", "shoot-em-up")
AVX2, AVX512 = FEATURES = ("avx2", "avx2 avx512bw")


def loop_in_lanes(game: Game) -> lanes.LanesLoop | None:
    """The game's loop in lanes, as rollouts get it."""
    of_game = loops.once(game, loops.Loops, lambda: loops.Loops(game))
    parts = loops.parts_of(game) | loops.any_legal_parts(game)
    return lanes.in_lanes(of_game.roll((loops.turns.uniform_legal,)), game, parts)


@pytest.fixture(scope="module", params=[(name, features) for name in IN_LANES for features in FEATURES], ids="-".join)
def played(request: pytest.FixtureRequest) -> tuple[Game, lanes.LanesLoop]:
    """A game, and its loop in lanes as processors with these features have it: any plays both, if slowly."""
    name, features = request.param
    return find(name), once_in_lanes(find(name), features)


def once_in_lanes(game: Game, features: str) -> lanes.LanesLoop:
    """`loop_in_lanes` of such a processor, made once."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lanes, "processor_has", features.split().__contains__)
        found: lanes.LanesLoop | None = loops.once(game, features, lambda: loop_in_lanes(game))
    assert found is not None
    return found


def in_lanes_too(batch: BatchMatch, loop: lanes.LanesLoop, steps: int) -> list[int]:
    """As `batch.rollout(steps)` by this loop; the games won by each seat, and by nobody."""
    wins = batch.place.zeros((batch.n, batch.seats + 1), "i8")
    batch.place.run(loop, batch.games, wins, steps, turns_a_slot=steps)
    return [int(count) for count in wins.sum(axis=0)]


def assert_same(ours: BatchMatch, theirs: BatchMatch) -> None:
    """Both batches are the same bytes."""
    for name in OF_A_SLOT:
        assert getattr(ours.games, name).tobytes() == getattr(theirs.games, name).tobytes(), name


def test_thousands_of_games_in_lanes_are_the_same_bytes(played: tuple[Game, lanes.LanesLoop]) -> None:
    """Rollout after rollout, states, dice, counts and the numbers to be drawn are those of the plain loop."""
    game, loop = played
    ours, theirs = (BatchMatch(game, SLOTS, seed=7, threads=1) for _ in range(2))
    ended = 0
    for steps in STEPS:
        totals = theirs.rollout(steps)
        assert in_lanes_too(ours, loop, steps) == [*totals.wins, totals.draws]
        assert_same(ours, theirs)
        ended += totals.games
    assert ended > 3000
    assert not loop.is_plain


@pytest.mark.parametrize("setup", [{"pairs": 3}, {"pairs": 500, "places": "1,2,3,4"}])
def test_another_setup_is_the_same_bytes_too(setup: Mapping[str, Any]) -> None:
    """Games that end by their limit, and games without the dice that others begin with."""
    game = find("shoot-em-up")
    loop = once_in_lanes(game, AVX2)
    ours, theirs = (BatchMatch(game, SLOTS, seed=3, setup=setup, threads=1) for _ in range(2))
    totals = theirs.rollout(300)
    assert in_lanes_too(ours, loop, 300) == [*totals.wins, totals.draws]
    assert_same(ours, theirs)


def test_numbers_that_are_large_after_all_are_played_by_the_plain_loop() -> None:
    """Lanes take for small what the rules keep small; somebody may write other numbers into the states."""
    game = find("connect-four")
    loop = once_in_lanes(game, AVX2)
    ours, theirs = (BatchMatch(game, SLOTS, seed=11, threads=1) for _ in range(2))
    for batch in (ours, theirs):
        batch.games.states["stones"][70, 0] = -1 << 62 | 1
    totals = theirs.rollout(60)
    assert in_lanes_too(ours, loop, 60) == [*totals.wins, totals.draws]
    assert_same(ours, theirs)


def test_only_what_the_rules_keep_small_is_taken_for_small() -> None:
    """A number of turns is counted on and on, as far as vectors know."""
    game = find("connect-four")
    parts = loops.parts_of(game) | loops.any_legal_parts(game) | {"DEALS": 0}
    assert lanes.shape_of(game, parts).small == ("ended", "stones")


def test_constants_that_were_changed_in_between_keep_the_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was made of the old ones, and lanes would be made of the new ones: a rollout would change its rules."""
    from dohyo.classics.connect_four import rules

    game = find("connect-four")
    monkeypatch.setattr(lanes, "processor_has", AVX2.split().__contains__)
    assert loop_in_lanes(game) is not None
    monkeypatch.setattr(rules, "CELLS", 40)
    assert loop_in_lanes(game) is None


def test_games_that_wait_begin_as_in_the_plain_loop(played: tuple[Game, lanes.LanesLoop]) -> None:
    """A batch that does not renew games has some that ended; a rollout begins them anew."""
    game, loop = played
    ours, theirs = (BatchMatch(game, SLOTS, seed=5, threads=1, renew=False) for _ in range(2))
    for batch in (ours, theirs):
        for _ in range(30):
            batch.step(batch.sample())
    assert ours.games.slots["ended"].any()
    totals = theirs.rollout(50)
    assert in_lanes_too(ours, loop, 50) == [*totals.wins, totals.draws]
    assert_same(ours, theirs)


def test_threads_play_the_same_games(played: tuple[Game, lanes.LanesLoop], monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans of several threads begin at whole groups of lanes, and bring the same."""
    game, loop = played
    monkeypatch.setattr(loops, "TURNS_A_SPAN", 1)
    ours, theirs = (BatchMatch(game, 7 * SLOTS, seed=9, threads=threads) for threads in (3, 1))
    totals = theirs.rollout(100)
    assert in_lanes_too(ours, loop, 100) == [*totals.wins, totals.draws]
    assert_same(ours, theirs)


def test_a_rollout_goes_over_to_lanes_when_that_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain loop plays the first turns of a process; those that follow get the one in lanes, if there is one."""
    game = find("connect-four")
    plain, other = object(), object()
    monkeypatch.setattr(lanes, "in_lanes", lambda *_: other)
    chosen = loops.RandomPlay(plain, game, {})  # type: ignore[arg-type]
    assert chosen.loop(loops.PLAIN_TURNS - 1) is plain
    assert [chosen.loop(1), chosen.loop(1)] == [other, other]
    monkeypatch.setattr(lanes, "in_lanes", lambda *_: None)
    assert loops.RandomPlay(plain, game, {}).loop(loops.PLAIN_TURNS) is plain  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["drop-block", "wondev-woman", "abotcalypse", "othello"])
def test_other_games_keep_the_plain_loop(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no vectors can do is refused, and never played otherwise."""
    monkeypatch.setattr(lanes, "processor_has", AVX2.split().__contains__)
    assert loop_in_lanes(find(name)) is None


def test_a_processor_without_wide_vectors_keeps_the_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """There nobody has measured that lanes gain anything."""
    monkeypatch.setattr(lanes, "processor_has", lambda _: False)
    assert loop_in_lanes(find("connect-four")) is None


def test_where_there_is_no_numba_the_plain_loop_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be machine code that ships."""

    def missing() -> None:
        raise OperatorError("needs-fast")

    monkeypatch.setattr(lanes, "import_numba", missing)
    assert loop_in_lanes(find("connect-four")) is None


def test_a_small_batch_keeps_all_its_threads(played: tuple[Game, lanes.LanesLoop]) -> None:
    """Where not each of them had a whole group of lanes, the plain loop plays."""
    game, loop = played
    batch = BatchMatch(game, 3 * lanes.LANES_TOGETHER - 1, seed=9, threads=3)
    used: list[Any] = []
    batch.place._one = lambda which, *_: used.append(which) or 0
    batch.place.run(loop, batch.games, turns_a_slot=loops.TURNS_A_SPAN * 10)
    assert {*used} == {loop.plain}


def test_where_numba_cannot_compile_lanes_the_plain_loop_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another version of it might not."""
    game = find("connect-four")
    monkeypatch.setattr(lanes, "processor_has", AVX2.split().__contains__)
    loop = loop_in_lanes(game)
    assert loop is not None

    monkeypatch.setattr(loop, "_whole", None)
    ours, theirs = (BatchMatch(game, SLOTS, seed=7, threads=1) for _ in range(2))
    totals = theirs.rollout(40)
    assert in_lanes_too(ours, loop, 40) == [*totals.wins, totals.draws]
    assert_same(ours, theirs)
    assert loop.is_plain
