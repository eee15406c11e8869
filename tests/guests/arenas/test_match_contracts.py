"""What other arenas read of a match, and what their referees tell."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.guests.arenas.match_contracts import CONTRACTS, Contract, PlayedOutcome, read, written

RANKS = st.lists(st.integers(1, 8), min_size=1, max_size=8)


def places_of(ranks: list[int]) -> tuple[int, ...]:
    """Places as the rules give them, equal ones shared."""
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


@given(RANKS, st.integers(0, 255), st.sampled_from(CONTRACTS))
def test_what_is_written_is_read_back(ranks: list[int], faulty: int, contract: Contract) -> None:
    """Each contract carries the places; with faults too, no order changes."""
    places = places_of(ranks)
    faults = tuple(bool(faulty >> seat & 1) for seat in range(len(places)))
    found = read(contract, written(contract, PlayedOutcome(places, faults)).encode(), len(places))
    assert found.places == places
    assert contract == "brutaltester" or found.failed == faults
    assert all(not failed or fault for failed, fault in zip(found.failed, faults, strict=True))


def test_psyleague_reads_every_key_that_it_needs() -> None:
    """All four keys are there, the players' values are numbers as text, and the whole is one line."""
    played = PlayedOutcome((1, 2), (False, True), (21.5, 0), (0.0012, None), 58, 7)
    text = written("psyleague", played)
    assert text.count("\n") == 1
    assert json.loads(text) == {
        "ranks": [0, 1],
        "errors": [0, 1],
        "test_data": {"seed": "7", "turns": "58"},
        "player_data": [{"score": "21.5", "longest_ms": "1.200"}, {"score": "0"}],
    }


def test_cgarena_reads_attributes_as_text_and_scores_as_whole_numbers() -> None:
    """A value is text, a seat is a number or null; scores that are no whole numbers are left out."""
    told = json.loads(written("cgarena", PlayedOutcome((2, 1), (False, False), (3, 4), (0.5, 0.25), 9, 7)))
    assert (told["ranks"], told["errors"], told["scores"]) == ([1, 0], [0, 0], [3, 4])
    assert all(isinstance(each["value"], str) for each in told["attributes"])
    assert {(each["name"], each["player"]) for each in told["attributes"]} == {
        *(("turns", None), ("score", 0), ("score", 1), ("longest_ms", 0), ("longest_ms", 1))
    }
    assert "scores" not in json.loads(written("cgarena", PlayedOutcome((2, 1), (False, False), (3.5, 4))))


@pytest.mark.parametrize(
    ("places", "faulty", "scores"),
    [
        ((1, 2), (False, True), "1\n-1\n"),
        ((1, 2), (True, False), "1\n0\n"),  # it won all the same
        ((1, 1), (True, True), "1\n1\n"),  # below zero would say that both lost
        ((1, 3, 2, 3), (False, True, False, False), "3\n1\n2\n1\n"),  # who shares the last place did no wrong
        ((1, 3, 2, 3), (False, True, True, True), "3\n-1\n2\n-1\n"),
    ],
)
def test_brutaltester_hears_of_a_fault_where_that_changes_no_order(
    places: tuple[int, ...], faulty: tuple[bool, ...], scores: str
) -> None:
    """A score below zero is the sign for a fault, given to the last place alone."""
    assert written("brutaltester", PlayedOutcome(places, faulty, seed=5)) == f"{scores}seed=5\n"


@pytest.mark.parametrize(
    ("contract", "output", "places", "failed"),
    [
        ("psyleague", '{"ranks": [1, 0], "errors": [true, false], "test_data": {}}', (2, 1), (True, False)),
        ("psyleague", '[{"ranks": [0.5, 0.5], "errors": [0, 0]}]\n', (1, 1), (False, False)),
        ("cgarena", ' {"ranks":[0,1],"errors":[0,1],"attributes":[{"name":"x","value":1}]}\n', (1, 2), (False, True)),
        ("cgarena", '{"ranks":[3,7]}', (1, 2), (False, False)),
        ("brutaltester", "Started 5 things\n12\n-1 12\nseed=1\n", (1, 2), (False, True)),
        ("brutaltester", "0 0", (1, 1), (False, False)),
    ],
)
def test_a_result_is_read(contract: Contract, output: str, places: tuple[int, ...], failed: tuple[bool, ...]) -> None:
    """Lower ranks and higher scores are better; brutaltester's lines of other words are skipped."""
    found = read(contract, output.encode(), 2)
    assert (found.places, found.failed) == (places, failed)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize(
    "output",
    [
        *("", "\n", "rubbish", "nan nan", "{}", "[]", '{"ranks": [0]}', '{"ranks": [0, 1, 2]}', '{"ranks": "01"}'),
        *('{"ranks": [0, 1], "errors": [0]}', '{"ranks": [0, null]}', '{"ranks": [0, 1e300]}', "\xff", "1", "x 1 2"),
        *('{"ranks": [0, 1], "scores": [1]}', '[{"ranks": [0, 1]}, {"ranks": [0, 1]}]', "9999999999 x\n1"),
        *("[" * 100_000, '{"ranks": [0, 1], "more": ' + "[" * 40 + "]" * 40 + "}", "9" * 5000 + "\n1"),
    ],
)
def test_what_is_no_result_is_refused(contract: Contract, output: str) -> None:
    """Rubbish, too few, too many, too deep, too large: a reason, and no result."""
    with pytest.raises(ValueError, match=r".+"):
        read(contract, output.encode("latin-1"), 2)
