"""What is said of standings that move."""

from __future__ import annotations

from dohyo.core.contest import Fixture, Result
from dohyo.series.broadcast.interest import Known
from dohyo.series.broadcast.moving import Streaks, moves


def known(*places: int, matches: int = 20) -> dict[int, Known]:
    """Entrants in these places."""
    return {entrant: Known(f"bot{entrant}", place, matches=matches) for entrant, place in enumerate(places)}


def test_who_overtakes_whom_is_said() -> None:
    """The new first place, and whoever has passed somebody; nothing of those who fell, or who stayed."""
    lines = moves(known(1, 2, 3, 4), known(2, 1, 4, 3))
    assert [line.said.key for line in lines] == ["broadcast.first", "broadcast.overtakes"]
    assert lines[0].said.values == {"name": "bot1"}
    assert lines[1].said.values == {"name": "bot3", "other": "bot2", "place": 3}
    assert moves(known(1, 2), known(1, 2)) == []
    assert moves(known(1, 2), known(1, 1)) == []


def test_places_after_few_matches_say_nothing() -> None:
    """At the beginning places change with each match."""
    assert moves(known(1, 2, matches=1), known(2, 1, matches=2)) == []


def result(number: int, winner: int, loser: int, level: bool = False) -> Result:
    """A match that one of two has won."""
    return Result(Fixture(0, number, (winner, loser), number), (1, 1) if level else (1, 2), at=float(number))


def test_wins_in_a_row_are_counted() -> None:
    """Three wins in a row are told once; a draw or a defeat ends the row."""
    streaks = Streaks()
    assert streaks.new([result(0, 1, 2), result(1, 1, 3)], 2) == []
    assert streaks.new([result(1, 1, 3), result(2, 1, 2)], 3) == [(1, 3)]
    assert streaks.new([result(2, 1, 2)], 3) == []
    assert streaks.new([result(3, 1, 2, level=True)], 4) == []
    assert streaks.new([result(4, 1, 2), result(5, 1, 2)], 6) == []


def test_after_a_gap_nothing_is_claimed() -> None:
    """Who did not see all results does not know how many wins were in a row, until somebody has not won."""
    streaks = Streaks()
    streaks.new([result(0, 1, 2), result(1, 1, 3)], 2)
    assert streaks.new([result(30, 1, 2), result(31, 1, 2), result(32, 1, 2)], 33) == []
    assert streaks.new([result(33, 2, 1), *(result(number, 1, 2) for number in range(34, 37))], 37) == [(1, 3)]


def test_of_what_was_there_before_nothing_is_said() -> None:
    """Whoever begins to watch is not told of rows that were won meanwhile; they are counted on."""
    streaks = Streaks()
    assert streaks.new([result(number, 1, 2) for number in range(4)], 4) == []
    assert streaks.new([result(4, 1, 2)], 5) == [(1, 5)]


def test_matches_that_end_in_another_order_are_all_counted() -> None:
    """Of two matches at once, the later one may end first."""
    streaks = Streaks()
    streaks.new([result(1, 1, 2)], 1)
    streaks.new([result(0, 1, 2), result(1, 1, 2)], 2)
    assert streaks.new([result(0, 1, 2), result(1, 1, 2), result(2, 1, 2)], 3) == [(1, 3)]
