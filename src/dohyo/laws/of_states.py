"""Laws of states that come from outside: whoever writes a replay can write any numbers into it.

Compiled rules look numbers up in rows and do not ask whether a row is that long. So a game refuses, by the ranges of
its fields and by `possible`, whatever would lead them out of their rows. Here that is tried in plain Python, where a
row does ask.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dohyo.core.errors import DohyoError
from dohyo.core.flat import WIDTH, OverflowsError, row_of
from dohyo.core.game import Game, State
from dohyo.core.possible import why_impossible
from dohyo.core.referee import outcome
from dohyo.laws.matches import begin, legal_answer, numbers
from dohyo.laws.tally import Tally

FORGED = 2000  # states that are forged
LINES = 10_000_000  # of Python that the rules take for all of them; then it is enough
MATCHES = 12  # whose states they are made of
TURNS = 12  # that are played from each that is accepted
MAX_LINES = 2_000_000  # of Python that the rules may take for these
PER_MATCH = 40  # states of a match that are taken


class EndlessError(Exception):
    """Rules went on and on."""


def every_state_of_a_match_is_possible(game: Game, tally: Tally) -> None:
    """Whatever is played: `possible`, the fields' ranges and the number of seats hold, or its replay is refused."""
    for state, seats in reached(game, tally, 60):
        _check(game, state, seats)
        tally["states"] += 1
    tally.reach(states=60)


def numbers_outside_their_ranges_are_refused(game: Game, tally: Tally) -> None:
    """A state is refused when a field is above or below what the game's file says of it."""
    if not game.fields:
        tally.note = "no field has a range"
        return
    kinds = {name: kind for name, kind, _ in game.rules.LAYOUT.fields}
    for state, seats in reached(game, tally, 4, each=5):
        for field in game.fields:
            for value in (math.floor(field.low) - 1, math.ceil(field.high) + 1):
                if _fits(kinds[field.name], value):
                    for forged in _with(game, state, field.name, value):
                        assert why_impossible(game, forged, seats), f"{field.name} is {value}: {_told(game, forged)}"
                        tally["numbers"] += 1


def rules_stay_within_their_rows(game: Game, tally: Tally) -> None:
    """From every state that is accepted, whoever wrote it, the rules look nothing up outside their rows, and end.

    Where they do not, the file's RANGES are too wide, or its `possible(s)` is missing, or accepts too much.
    """
    found = [(game.rules.LAYOUT.copy(state), seats) for state, seats in reached(game, tally, MATCHES)]
    chooser = random.Random(1)
    while tally["forged"] < FORGED * tally.part and tally["lines"] < LINES * tally.part:
        state, seats = chooser.choice(found)
        forged = forge(game, state, chooser, chooser.choice(found)[0])
        tally["forged"] += 1
        if why_impossible(game, forged, seats) is None:
            tally["accepted"] += 1
            tally["lines"] += _play_on(game, forged, seats, chooser)
    tally.reach(forged=50)


def reached(game: Game, tally: Tally, matches: int, each: int = PER_MATCH) -> Iterator[tuple[State, int]]:
    """States of random matches, with the number of seats: the first, and some of those that follow."""
    for seed in range(math.ceil(matches * tally.part)):
        referee, setup = begin(game, seed)
        tally["matches"] += 1
        chooser = random.Random(seed)
        yield game.new_state(setup, referee.seats), referee.seats
        for at in itertools.count():
            if at < each // 2 or chooser.random() < 0.1:
                yield referee.state, referee.seats
            if referee.over or at > each * 20:
                break
            referee.submit({seat: legal_answer(referee, seat, chooser) for seat in referee.pending()})


def forge(game: Game, state: State, chooser: random.Random, other: State) -> State:
    """A copy in which somebody has changed numbers: one, several, a whole field; or put in another state's fields."""
    forged = game.rules.LAYOUT.copy(state)
    fields = list(game.rules.LAYOUT.fields)
    ranges = {field.name: (field.low, field.high) for field in game.fields}
    how = chooser.randrange(5)
    for name, kind, length in chooser.sample(fields, len(fields) if how == 4 else chooser.choice((1, 1, 2))):
        if how == 3:
            value = getattr(other, name)
            setattr(forged, name, list(value) if length else value)
        elif not length:
            setattr(forged, name, _number(kind, ranges.get(name), chooser, getattr(state, name)))
        else:
            row = getattr(forged, name)
            places = range(length) if how in (2, 4) else [chooser.randrange(length)]
            for at in places:
                row[at] = _number(kind, ranges.get(name), chooser, row[at])
    return forged


def _number(kind: str, bounds: tuple[float, float] | None, chooser: random.Random, now: float) -> float:
    """A number that a field of this kind can hold: at the ends of its range, near what it is, or any."""
    bits = 8 * WIDTH[kind] - 1
    least, most = (-1e300, 1e300) if kind == "f8" else (-(1 << bits), (1 << bits) - 1)
    low, high = bounds or (least, most)
    low, high = max(low, least), min(high, most)
    choice = chooser.randrange(6)
    if kind == "f8":
        return chooser.choice((low, high, now, chooser.uniform(-1000, 1000), now + 1, math.inf))
    if choice == 0:
        return chooser.choice((least, most))
    if choice == 1:
        return int(chooser.choice((low, high)))
    if choice == 2:
        return min(most, max(least, int(now) + chooser.choice((-1, 1))))
    if choice == 3:
        return chooser.randrange(-2, 12)
    return chooser.randint(int(low), int(high))


def _play_on(game: Game, state: State, seats: int, chooser: random.Random) -> int:
    """Play some random turns, and call all that a replay's reader, a search and a batch call; lines that it took."""
    start = game.rules.LAYOUT.copy(state)
    try:
        with _bounded() as lines:
            for turn in range(TURNS):
                _roll(game, state, game.source(turn))
                if turn == 0:
                    _show(game, state, seats)
                if not _turn(game, state, seats, chooser):
                    break
                _wrap(game, state)
        return lines[0]
    except (DohyoError, LookupError, ArithmeticError, ValueError, TypeError, EndlessError) as error:
        what = "they do not end" if isinstance(error, EndlessError) else f"{type(error).__name__}: {error}"
        raise AssertionError(
            f"rules went wrong with a state that neither RANGES nor possible(s) refuse ({what}): {_told(game, start)}"
        ) from error


def _show(game: Game, state: State, seats: int) -> None:
    """What each seat is sent, and what a learner on it sees."""
    for seat in range(seats):
        game.protocol.prompt(state, seat, bytearray(game.protocol.PROMPT_BYTES))
        if game.observation is not None:
            game.observation.observe(state, seat, row_of(numbers(game)))


def _roll(game: Game, state: State, source: Any) -> None:
    """The dice's move, if they are to move."""
    if game.rules.needs_dice(state):
        dice = row_of(game.rules.DICE)
        game.rules.roll(state, source, dice)
        game.rules.deal(state, dice, game.new_events())


def _turn(game: Game, state: State, seats: int, chooser: random.Random) -> bool:
    """One turn; whether there was one.

    Actions are drawn as compiled random play draws them: it does not ask whether there is any.
    """
    rules = game.rules
    if rules.over(state):
        outcome(game, state, seats)
        return False
    rules.places(state, row_of(seats))
    rules.winner(state)
    actions = [0] * seats
    for seat in game.acting(state, seats):
        rules.legal(state, seat, row_of(rules.ACTIONS))
        for action in (-1, rules.ACTIONS, chooser.randrange(rules.ACTIONS)):
            rules.is_legal(state, seat, action)
        notes = row_of(rules.ACTIONS)
        count = rules.count_legal(state, seat, notes)
        actions[seat] = rules.kth_legal(state, seat, chooser.randrange(count) if count > 0 else 0, notes)
        if chooser.random() < 0.05 and rules.CONCESSIONS:
            actions[seat] = chooser.choice(rules.CONCESSIONS)
    rules.step(state, actions, game.new_events())
    return True


def _wrap(game: Game, state: State) -> None:
    """Numbers that have outgrown their field, as compiled rules keep them."""
    try:
        game.rules.LAYOUT.pack(state)
        return
    except OverflowsError:
        pass
    for name, kind, length in game.rules.LAYOUT.fields:
        if kind != "f8":
            half = 1 << 8 * WIDTH[kind] - 1
            value = getattr(state, name)
            wrapped = [(number + half) % (2 * half) - half for number in (value if length else [value])]
            setattr(state, name, wrapped if length else wrapped[0])


@contextmanager
def _bounded() -> Iterator[list[int]]:
    """Raises `EndlessError` after so many lines of Python; gives a list in which they are counted."""
    lines = [0]

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        lines[0] += 1
        if lines[0] > MAX_LINES:
            raise EndlessError
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield lines
    finally:
        sys.settrace(before)


def _check(game: Game, state: State, seats: int) -> None:
    found = why_impossible(game, state, seats)
    assert found is None, f"a match came to a state that is refused ({found}): {_told(game, state)}"


def _fits(kind: str, value: float) -> bool:
    return kind == "f8" or -(1 << 8 * WIDTH[kind] - 1) <= value < 1 << 8 * WIDTH[kind] - 1


def _with(game: Game, state: State, name: str, value: float) -> Iterator[State]:
    """Copies with that value in a field: in the first and in the last place of a row."""
    length = {field: length for field, _, length in game.rules.LAYOUT.fields}[name]
    for at in {0, length - 1} if length else [None]:
        forged = game.rules.LAYOUT.copy(state)
        if at is None:
            setattr(forged, name, value)
        else:
            getattr(forged, name)[at] = value
        yield forged


def _told(game: Game, state: State) -> str:
    return str(game.rules.LAYOUT.as_dict(state))
