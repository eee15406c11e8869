"""The law of recorded dice: numbers that no roll can have are refused before the rules take them up."""

from __future__ import annotations

import itertools
import tracemalloc
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Chance, Game
from dohyo.core.replay import Replay
from tests.core import heap
from tests.core.heap import HEAP
from tests.laws.matches import every_game, play

GREAT = 1 << 26  # in a shift 8 MiB and more
MAX_TAKEN = 1 << 20  # bytes


def with_first_dice(replay: Replay, *dice: int) -> Replay:
    """The replay in which the first dice show something else."""
    return msgspec.structs.replace(replay, turns=[msgspec.structs.replace(replay.turns[0], dice=dice)])


def is_refused(game: Game, replay: Replay) -> bool:
    """Whether it does not follow from the rules."""
    try:
        playback.verify(game, replay)
    except ReplayError as error:
        return error.key == "replay-turn-differs"
    return False


@every_game
def test_a_great_number_takes_no_memory(game: Game) -> None:
    """A few bytes of a replay must not become a number of many megabytes, whichever die they are."""
    if game.chance is Chance.NEVER:
        return
    replay = play(game, 1).replay
    dice = replay.turns[0].dice
    for at, number in itertools.product(range(len(dice)), (GREAT, -GREAT)):
        forged = with_first_dice(replay, *dice[:at], number, *dice[at + 1 :])
        tracemalloc.start()
        try:
            assert is_refused(game, forged)
            assert tracemalloc.get_traced_memory()[1] < MAX_TAKEN
        finally:
            tracemalloc.stop()


def test_more_dice_than_the_game_has_are_refused() -> None:
    """A roll has as many numbers as the rules say, at most."""
    replay = play(HEAP, 1).replay
    assert len(replay.turns[0].dice) == HEAP.rules.DICE
    assert is_refused(HEAP, with_first_dice(replay, *replay.turns[0].dice, 0))


def great_roll(s: Any, source: Any, dice: Any) -> int:
    """Roll with a number above the usual bound."""
    count = heap.roll(s, source, dice)
    dice[0] += 70_000
    return count


def great_deal(s: Any, dice: Any, events: Any) -> None:
    """Deal what such a roll means."""
    heap.deal(s, [dice[0] - 70_000, *dice[1:]], events)


def test_rules_may_say_that_their_dice_show_more() -> None:
    """With `MAX_DIE` greater numbers are taken, up to that one."""
    for most, refused in ((80_000, False), (69_999, True)):
        rules = SimpleNamespace(**{**vars(HEAP.rules), "roll": great_roll, "deal": great_deal, "MAX_DIE": most})
        game = msgspec.structs.replace(HEAP, rules=rules)
        assert is_refused(game, play(game, 1).replay) == refused


def test_what_memory_does_not_hold_is_out_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rules ask for more memory than there is, the replay is refused, and nothing else fails with it."""

    def greedy(*_: Any) -> None:
        raise MemoryError

    replay = play(HEAP, 1).replay
    monkeypatch.setattr(HEAP.rules, "deal", greedy)
    assert is_refused(HEAP, replay)
