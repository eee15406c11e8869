"""Seeds that follow from seeds: the same for ever, and nothing to be learned from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import seeds
from dohyo.match.play import new_seed

SEED = st.integers(0, seeds.MOST)


def test_they_stay_as_they_are() -> None:
    """The same seed gives the same match in a later version: these numbers never change."""
    assert seeds.derived(7, "koth", 1) == 532574017801529143
    assert [seeds.of_bot(7, seat) for seat in range(3)] == [1042310647, 750808438, 2028837412]
    assert seeds.of_bot(seeds.MOST, 0) == 285027045


@given(SEED, st.integers(0, 99))
def test_a_bot_gets_what_every_language_takes(seed: int, seat: int) -> None:
    """A bot's own number fits into 31 bits, what is derived otherwise into 63."""
    assert 0 <= seeds.of_bot(seed, seat) < 2**31
    assert 0 <= seeds.derived(seed, "set", seat, seat) <= seeds.MOST


def test_neighbours_have_nothing_in_common() -> None:
    """Numbers of neighbouring seeds, seats and purposes differ in half of their bits, as if each were drawn."""
    numbers = [seeds.derived(seed, purpose, seat) for seed in range(20) for purpose in "ab" for seat in range(20)]
    assert len(set(numbers)) == len(numbers)
    changed = [(one ^ other).bit_count() for one, other in pairwise(numbers)]
    assert 30 < sum(changed) / len(changed) < 33
    assert min(changed) > 10


def test_a_new_seed_is_one_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed that nobody chose is drawn from all 63 bits: too many to be tried through."""
    monkeypatch.setattr("secrets.randbelow", lambda most: most - 1)
    assert new_seed() == seeds.MOST == 2**63 - 1
