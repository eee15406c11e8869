"""How interesting a match is, and what may be said of who should win."""

from __future__ import annotations

from dohyo.series.broadcast.interest import Candidate, Known, favourite, interest, upset_by

STRONG = Known("strong", 1, 1800.0, 1750.0, 1850.0, 40)
SECOND = Known("second", 2, 1790.0, 1740.0, 1840.0, 40)
WEAK = Known("weak", 8, 1200.0, 1150.0, 1250.0, 40)
UNSURE = Known("unsure", 9, 1100.0, 500.0, 1760.0, 2)
KNOWN = {0: STRONG, 1: SECOND, 2: WEAK, 3: UNSURE}


def test_equals_are_more_interesting_than_who_wins_anyway() -> None:
    """A match of two who are close, and high in the table, comes before one with a sure winner; a final is first."""
    close, sure = interest(Candidate(1, (0, 1)), KNOWN), interest(Candidate(2, (0, 2)), KNOWN)
    final = interest(Candidate(3, (0, 2), is_decisive=True), KNOWN)
    assert final.worth > close.worth > sure.worth
    assert (final.why, close.why, sure.why) == ("final", "close", "")


def test_an_upset_is_interesting() -> None:
    """Who has beaten a favourite is worth to be seen; who has won as expected is not, by that alone."""
    as_expected = interest(Candidate(1, (0, 2), places=(1, 2)), KNOWN)
    upset = interest(Candidate(2, (0, 2), places=(2, 1)), KNOWN)
    assert upset.worth > as_expected.worth
    assert upset.why == "upset"
    assert upset_by((0, 2), (2, 1), KNOWN) == 1


def test_a_match_that_a_fault_decided_is_worth_less() -> None:
    """Nobody wants to see a program fail."""
    plain, failed = (Candidate(1, (0, 1), has_fault=fault) for fault in (False, True))
    assert interest(failed, KNOWN).worth < interest(plain, KNOWN).worth


def test_a_favourite_is_only_named_where_ratings_are_sure() -> None:
    """Where intervals overlap, or somebody has no rating, nobody is the favourite, and nothing is an upset."""
    assert favourite((0, 2), KNOWN) == 0
    assert favourite((0, 1), KNOWN) is None
    assert favourite((0, 3), KNOWN) is None
    assert favourite((0, 7), KNOWN) is None
    assert upset_by((0, 1), (2, 1), KNOWN) is None
    assert upset_by((0, 2), (1, 1), KNOWN) is None


def test_without_ratings_a_match_is_neither_close_nor_not() -> None:
    """At a contest's beginning nothing is said of how close a match is."""
    assert interest(Candidate(1, (5, 6)), {}).why == ""
