"""What is kept of a match while it is analysed: little, and nothing of a stranger's replay takes long."""

from __future__ import annotations

import time

import pytest

from dohyo import games
from dohyo.core.game import Game
from dohyo.core.playback import Moment, moments
from dohyo.core.replay import Replay
from dohyo.guests.analysis import kept
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.facts import facts_of
from dohyo.guests.analysis.kept import Kept, PlayedTurn
from dohyo.guests.analysis.sentences import how_in_words
from dohyo.i18n import ENGLISH
from dohyo.search.analyst_belief import beliefs_of
from dohyo.search.backend import PlainBackend
from dohyo.series.analysed import Facts
from tests.guests.analysis.test_analysis import LOST, played
from tests.laws.matches import every_game, play


def told(game: Game, one: PlayedTurn) -> tuple[object, ...]:
    """All that a turn has, to be compared."""
    pack = game.rules.LAYOUT.pack
    return one.turn, pack(one.before), list(one.actions), pack(one.after)


@every_game
@pytest.mark.parametrize("states", [1, 3, 1000])
def test_states_that_are_not_kept_are_played_again(game: Game, states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few states of a match are kept, each turn is as it was, in whatever order somebody asks."""
    replay = play(game, 5).replay
    replay.turns = replay.turns[:60]
    as_it_was = [told(game, one) for one in moments(game, replay) if one.turn.moves]
    monkeypatch.setattr(kept, "MEMORY", states * game.rules.LAYOUT.size)
    monkeypatch.setattr(kept, "NEAR", 4)
    match = Kept(game, replay)
    assert len(match._states) <= states
    assert [told(game, one) for one in match] == as_it_was
    for place in (len(match) - 1, 0, len(match) // 2, 1, len(match) // 2 + 1):
        assert told(game, match[place]) == as_it_was[place]
    seats = range(len(replay.header.seats))
    assert [match.places_of(seat) for seat in seats] == [
        [place for place, one in enumerate(as_it_was) if one[2][seat] is not None]  # type: ignore[index]
        for seat in seats
    ]
    match.cut(2)
    assert [told(game, one) for one in match] == as_it_was[:2]


class Slow:
    """A machine on which a turn of a match takes so many seconds to be played again, and a look at a clock 0.05."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "monotonic", self._look)

        def slowly(game: Game, replay: Replay):  # type: ignore[no-untyped-def]
            for moment in moments(game, replay):
                self.now += seconds
                yield moment

        monkeypatch.setattr(kept, "moments", slowly)

    def _look(self) -> float:
        self.now += 0.05
        return self.now


def test_going_through_a_match_is_a_part_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it takes too long, the turns at the end are left out, that is said, and nothing is said of the end."""
    clock = Slow(monkeypatch, 2.0)
    found = analyse(played(LOST), seconds=16.0, compiled=False, threads=1)
    assert clock.now < 17.0
    assert (found.turns, found.unread) == (2, len(LOST) - 2)
    assert [one.turn for one in found.chances] == [0, 1]
    assert found.facts == Facts()
    assert how_in_words(found, ENGLISH).startswith(f"The last {len(LOST) - 2} turns are not in it: ")


def test_with_playouts_the_whole_match_is_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for so many playouts a turn waits as long as that takes."""
    Slow(monkeypatch, 1000.0)
    found = analyse(played(LOST), playouts=20, compiled=False)
    assert (found.turns, found.unread) == (len(LOST), 0)


def test_facts_are_counted_while_the_match_is_gone_through() -> None:
    """Turn by turn, so that no state has to stay for them."""
    game, seen = games.find("shoot-em-up"), list[Moment]()
    replay = play(game, 3).replay
    Kept(game, replay, None, seen.append)
    assert facts_of(game, replay, iter(seen)) == facts_of(game, replay, seen)


def test_what_a_hundred_seats_know_is_found_by_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code for each seat took a third of a second and some megabytes for each."""
    made: list[object] = []
    over = PlainBackend.over
    monkeypatch.setattr(PlainBackend, "over", lambda *given: made.append(given[2]) or over(*given))
    found = beliefs_of(games.find("abotcalypse"), 100, range(100), compiled=False)
    assert [one.seat for one in found] == list(range(100))
    assert len(made) == 1
