"""Combats from given squares, and short ways to play them, for the tests of Shoot-Em-Up."""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import read_events, row_of
from dohyo.core.game import Event
from dohyo.core.options import resolve
from dohyo.games.shoot_em_up import GAME
from dohyo.games.shoot_em_up.rules import SEATS

STAY = "M 0 0"


def combat(*places: int, pairs: int = 500) -> Any:
    """A state in which the robots stand on (x, y) and (x, y), the first to move."""
    return GAME.new_state(resolve(GAME.options, {"places": list(places), "pairs": pairs}), SEATS)


def action(line: str) -> int:
    """The number of an action."""
    found = GAME.protocol.read(line)
    assert found is not None, line
    return found


def play(s: Any, *lines: str) -> list[Event]:
    """Let the robots act in turn; what happened in the last of these turns."""
    happened: list[Event] = []
    for line in lines:
        assert not GAME.rules.over(s), line
        events = GAME.new_events()
        GAME.rules.step(s, [action(line)] * SEATS, events)
        happened = read_events(events)
    return happened


def ask(s: Any, seat: int) -> str:
    """What a seat is sent."""
    return GAME.prompt(s, seat).decode()


def last_words(s: Any) -> list[str]:
    """What both are sent when the combat is over."""
    assert GAME.rules.over(s)
    return [GAME.farewell(s, seat).decode() for seat in range(SEATS)]


def places(s: Any) -> tuple[list[int], str]:
    """Each seat's place, and why the combat ended."""
    assert GAME.rules.over(s)
    out = row_of(SEATS)
    reason = GAME.rules.places(s, out)
    return out, GAME.rules.REASONS[reason]
