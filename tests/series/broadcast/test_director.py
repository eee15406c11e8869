"""Which match is shown, and for how long: what must hold whatever is offered."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from dohyo.series.broadcast.director import END, LEAST, LONGEST, Director
from dohyo.series.broadcast.interest import Candidate, Interest

Worth = Callable[[Candidate], Interest]


def by_number(match: Candidate) -> Interest:
    """A match is worth its number."""
    return Interest(float(match.number))


def always_the_same(match: Candidate) -> Interest:
    """Matches of the first two are worth far more than all others."""
    return Interest(100.0 if 0 in match.seats and 1 in match.seats else 0.0)


def test_the_most_interesting_match_is_shown_first() -> None:
    """Of matches of those who have waited equally long, the one that is worth most."""
    director = Director()
    director.enter(range(4))
    found = director.choose([Candidate(1, (0, 1)), Candidate(3, (2, 3)), Candidate(2, (0, 2))], by_number, 0.0)
    assert found is not None
    assert found.number == 3


@pytest.mark.parametrize("entrants", [2, 5, 12])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("worth", [by_number, always_the_same])
def test_everybody_is_shown(entrants: int, seats: int, worth: Worth) -> None:
    """However interesting others are, nobody waits for longer than all who are before him have to."""
    if seats > entrants:
        return
    director, luck = Director(), random.Random(3)
    director.enter(range(entrants))
    numbers = itertools.count()
    waited = dict.fromkeys(range(entrants), 0)
    for at in range(400):
        offered = [Candidate(next(numbers), (0, 1, *range(2, seats)))]
        offered += [Candidate(next(numbers), tuple(luck.sample(range(entrants), seats))) for _ in range(6)]
        longest = director.waiting()[0]
        rest = [each for each in range(entrants) if each != longest]
        offered.append(Candidate(next(numbers), (longest, *luck.sample(rest, seats - 1))))
        found = director.choose(offered, worth, 1000.0 * at)
        assert found is not None
        for entrant in waited:
            waited[entrant] = 0 if entrant in found.seats else waited[entrant] + 1
            assert waited[entrant] <= director.patience + entrants


def test_a_match_stays_until_its_end_was_shown() -> None:
    """Nothing else is wanted while a match goes on; once its end is there, that stays for a while and is left."""
    director = Director()
    director.enter(range(2))
    assert director.wants(0.0)
    director.choose([Candidate(1, (0, 1))], by_number, 0.0)
    assert not any(director.wants(now) for now in (0.0, LEAST, LONGEST - 1))
    director.end_shown(50.0)
    director.end_shown(50.0 + END / 2)  # told once more: it is the first time that counts
    assert not director.wants(50.0 + END - 0.1)
    assert director.wants(50.0 + END)


def test_a_long_match_is_left_for_one_that_was_not_shown() -> None:
    """A match without an end does not keep the screen; with nothing else to see it stays."""
    director = Director()
    director.enter(range(4))
    endless = Candidate(1, (0, 1), is_live=True)
    director.choose([endless], by_number, 0.0)
    assert director.wants(LONGEST)
    assert director.choose([endless], by_number, LONGEST) is None
    assert director.now == endless
    other = director.choose([endless, Candidate(0, (2, 3))], by_number, LONGEST)
    assert other is not None
    assert other.number == 0


def test_no_match_is_shown_twice_while_there_is_another() -> None:
    """All matches of a film come before one of them comes again; then never the same one twice in a row."""
    director = Director()
    director.enter(range(4))
    film = [Candidate(number, (number % 4, (number + 1) % 4)) for number in range(10)]
    shown = []
    for at in range(40):
        found = director.choose(film, by_number, 100.0 * at)
        assert found is not None
        director.end_shown(100.0 * at + 50)
        shown.append(found.number)
    assert sorted(shown[:10]) == list(range(10))
    assert all(one != next_one for one, next_one in itertools.pairwise(shown))
    assert {*shown[10:30]} == set(range(10))


def test_who_has_left_is_waited_for_no_more() -> None:
    """Only who takes part has to be seen; who comes later begins to wait then."""
    director = Director()
    director.enter([0, 1, 2])
    for at in range(20):
        director.choose([Candidate(at, (0, 1))], by_number, 100.0 * at)
    assert director.waiting()[0] == 2
    director.enter([0, 1, 3])
    assert director.waiting() == [0, 1, 3]


def test_memory_is_bounded() -> None:
    """What was shown in weeks is forgotten but for the last of it."""
    director = Director()
    director.enter([0, 1])
    for at in range(5000):
        director.choose([Candidate(at, (0, 1))], by_number, 100.0 * at)
    assert director.was_shown(4999)
    assert not director.was_shown(0)
