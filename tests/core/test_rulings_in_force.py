"""Which result of a match counts follows from what was ruled, and from nothing else."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.core.rulings_in_force import (
    ANNUL,
    DISQUALIFY,
    ORIGINAL,
    REJUDGE,
    Attempt,
    InForce,
    Ruling,
    in_force_at,
    known_at,
    without_disqualified,
)

BOTS = ("ann", "bob")


def ruled(*told: tuple[Any, bool, int | str]) -> list[Ruling]:
    """Rulings in this order: the kind, whether it takes back, the match or the bot; each after a batch more."""
    return [
        Ruling(at, kind, 0.0, at, undoes=undoes, matches=(what,) if isinstance(what, int) else (),
               bot=what if isinstance(what, str) else "", drops=True)
        for at, (kind, undoes, what) in enumerate(told, 1)
    ]  # fmt: skip


def test_the_newest_result_counts() -> None:
    """The first result counts until a later one is there; then the newest one that was asked for."""
    told = InForce(ruled((REJUDGE, False, 7), (REJUDGE, False, 7)))
    assert [told.counting(7, BOTS, there) for there in ({0}, {0, 1}, {0, 1, 2})] == [0, 1, 2]
    assert (told.pending(7, {0, 1}), told.pending(7, {0, 1, 2}), told.pending(8, {0})) == (2, None, None)


def test_what_is_taken_back_leaves_the_one_before() -> None:
    """Taking back the second goes to the first, taking back that to what was played first."""
    twice = ((REJUDGE, False, 7), (REJUDGE, False, 7), (REJUDGE, True, 7))
    assert InForce(ruled(*twice)).counting(7, BOTS, {0, 1, 2}) == 1
    assert InForce(ruled(*twice, (REJUDGE, True, 7))).counting(7, BOTS, {0, 1, 2}) == ORIGINAL


def test_nothing_counts_of_what_is_annulled() -> None:
    """Neither an old nor a new result of an annulled match counts, nor a match of a bot whose matches are dropped."""
    told = InForce(ruled((REJUDGE, False, 7), (ANNUL, False, 7), (DISQUALIFY, False, "bob")))
    assert [told.counting(match, bots, {0, 1}) for match, bots in ((7, BOTS), (8, BOTS), (8, ("ann",)))] == [
        None,
        None,
        0,
    ]


def test_a_draw_knows_what_was_ruled_before_it() -> None:
    """What was ruled when two batches were drawn is known to the third draw, and to no earlier one."""
    match = Fixture(0, 7, (0, 1), 1)
    first, second = Result(match, (1, 2)), Result(match, (2, 1))
    own = [Attempt(ORIGINAL, first), Attempt(1, second, 2)]
    told = ruled((REJUDGE, False, 7))
    assert [known_at(drawn, in_force_at(drawn, told), own, BOTS) for drawn in (1, 2)] == [first, second]


def test_a_disqualified_bot_is_absent_from_the_next_draw() -> None:
    """It plays in what was drawn, in nothing more, and again from the draw after it was taken back; both versions."""
    who = [Entrant(at, Version(name, name)) for at, name in enumerate(("ann", "bob", "bob"))]
    out = [Ruling(1, DISQUALIFY, 0.0, 3, bot="bob")]
    told = without_disqualified(who, out)
    assert [[each.plays_in(batch) for each in told] for batch in (2, 3, 9)] == [
        [True] * 3, [True, False, False], [True, False, False]
    ]  # fmt: skip
    assert [each.is_away for each in told] == [False, True, True]
    back = without_disqualified(who, [*out, Ruling(2, DISQUALIFY, 0.0, 5, bot="bob", undoes=True)])
    assert [[each.plays_in(batch) for batch in (2, 3, 4, 5)] for each in back[1:]] == [[True, False, False, True]] * 2
    at_once = [*out, Ruling(2, DISQUALIFY, 0.0, 3, bot="bob", undoes=True)]
    assert without_disqualified(who, at_once) == who


@given(st.lists(st.tuples(st.sampled_from((REJUDGE, ANNUL)), st.booleans(), st.integers(0, 2)), max_size=30))
def test_one_or_none_counts(told: list[tuple[str, bool, int]]) -> None:
    """After any rulings at most one result of a match counts, and only one that is there."""
    known = InForce(ruled(*told))
    for match in range(3):
        counting = known.counting(match, BOTS, {ORIGINAL, 1, 2})
        assert counting in (None, ORIGINAL, 1, 2)
        assert (counting is None) == (known.voided_by(match, BOTS) is not None)
