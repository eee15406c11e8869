"""The lots of a batch's policies: another course for each game, also of one slot."""

from __future__ import annotations

from collections import Counter

from dohyo.games import find
from dohyo.sim import BatchMatch


def test_games_of_a_slot_do_not_repeat_each_other() -> None:
    """Without dice a game has the policy's lots alone: one slot sees games of all lengths, and of the right mean.

    Random connect four takes 21.3 turns, so the mean of 2000 games is within 0.6 of that.
    """
    batch = BatchMatch(find("connect-four"), 1, seed=1, threads=1)
    lengths: Counter[int] = Counter()
    length = 0
    while lengths.total() < 2000:
        length += 1
        if batch.rollout(1).games:
            lengths[length] += 1
            length = 0
    assert len(lengths) > 25
    mean = sum(length * count for length, count in lengths.items()) / lengths.total()
    assert 20.7 < mean < 21.9
