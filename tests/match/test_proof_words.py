"""What the time of a fault consisted of, in sentences that end with what follows from it."""

from __future__ import annotations

import pytest

from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import proof_in_words

SLEPT = {
    "charged": 0.1214,
    "limit": 0.1,
    "wall": 0.284,
    "cpu": 0.00036,
    "waited": 0.0016,
    "ours": 0.161,
    "load": 22.98,
}


def test_a_bot_that_slept_is_told_for_how_long() -> None:
    """The charged time as the sum that it is, and how much of it the bot did nothing: no reader has to subtract."""
    assert proof_in_words("timeout", SLEPT, Speaker("en")) == (
        "charged 121 ms (allowed: 100 ms): 284 ms by the wall clock, less 161 ms that Dohyo itself waited, "
        "less 1.6 ms in which it had no processor. In the charged time it ran for 0.36 ms, and for "
        "about 121 ms it did "
        "nothing by itself: it slept, or waited for something of its own. Load of the machine: 22.98."
    )
    assert "約 121 ms" in proof_in_words("timeout", SLEPT, Speaker("ja"))


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"charged": 0.2, "limit": 0.1, "wall": 0.2, "cpu": 0.19}, "It ran for 190 ms on processors: it computed."),
        ({"charged": 0.2, "limit": 0.1, "wall": 0.2, "cpu": 0.12}, "ran for 120 ms, and for about 80 ms it slept"),
        (
            {"charged": 0.02, "limit": 0.1, "wall": 10.1, "cpu": 0.02, "waited": 10.08},
            "by the wall clock behind that",
        ),
        ({"charged": 0.2, "wall": 0.3, "cpu": 0.2, "waited": 0.25}, "charged 200 ms, which is at least what it ran"),
        ({"charged": 0.2, "limit": 0.1, "wall": 0.2, "cpu": 0.1, "stalled": 0.0}, "200 ms by the wall clock. In"),
        (
            {"charged": 0.2, "limit": 0.1, "wall": 5.0, "cpu": 0.2},
            "charged 200 ms (allowed: 100 ms); by the wall clock",
        ),
        ({"charged": 0.2, "cpu": 0.2}, "charged 200 ms. It ran for at most 200 ms"),
    ],
)
def test_what_follows_is_said(known: dict[str, float], told: str) -> None:
    """Who computed is not told to have slept; and no sum is told that is none."""
    assert told in proof_in_words("timeout", known, Speaker("en"))
    assert proof_in_words("not-ready", known, Speaker("en")) == proof_in_words("timeout", known, Speaker("en"))


@pytest.mark.parametrize(
    ("cpu", "doubt", "told"),
    [
        (0.013, 0.0129, "it ran for at most 13 ms, and for at least 108 ms it did nothing by itself"),
        (0.08, 0.02, "it ran for at most 80 ms, and for at least 41 ms it slept"),
        (0.119, 0.1, "It ran for at most 119 ms on processors; how much of that was in this turn is not known."),
        (0.121, 0.005, "It ran for at least 116 ms on processors: it computed."),
    ],
)
def test_a_bound_is_told_as_one(cpu: float, doubt: float, told: str) -> None:
    """What may have run before the turn, since the fast path began it, is not told as if it ran in it."""
    assert told in proof_in_words("timeout", SLEPT | {"cpu": cpu, "doubt": doubt}, Speaker("en"))
    assert proof_in_words("timeout", SLEPT | {"cpu": cpu, "doubt": doubt}, Speaker("ja"))


def test_without_a_proof_it_is_a_bound() -> None:
    """Where a replay does not say how exact the time on processors is, nothing is told as exact."""
    assert "at most 20 ms" in proof_in_words("timeout", {"charged": 0.2, "cpu": 0.02}, Speaker("en"))


def test_nothing_is_said_where_nothing_is_known() -> None:
    """Of a fault that is not about time, or where only the charged time is known."""
    assert proof_in_words("illegal", SLEPT, Speaker("en")) == ""
    assert proof_in_words("timeout", {"charged": 0.2, "cpu": None}, Speaker("en")) == ""
    assert proof_in_words("timeout", {"charged": None, "cpu": 0.2}, Speaker("en")) == ""
