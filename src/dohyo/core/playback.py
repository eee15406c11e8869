"""From a replay back to states: the rules play the recorded moves again, the dice's too.

No random numbers are drawn.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from dohyo.core.adjudication import REASONS as ADJUDICATED
from dohyo.core.errors import ReplayError
from dohyo.core.flat import read_events
from dohyo.core.game import Event, Game, State
from dohyo.core.options import resolve
from dohyo.core.possible import is_playable, why_impossible
from dohyo.core.referee import outcome
from dohyo.core.replay import INTERRUPTED, Replay, Turn

# What rules may raise for numbers that no dice, player or setup could have given.
OUT_OF_THE_RULES = (ArithmeticError, IndexError, MemoryError, ValueError, struct.error)

OTHER_REASONS = frozenset({INTERRUPTED, *ADJUDICATED})  # than those of the game's rules

MAX_TURNS = 1 << 32  # a turn's number is a 32-bit word of the dice's counter


class Moment(NamedTuple):
    """One turn as it happened.

    `before` is the state that the players saw (after the dice's move, if it came first), `after` the state at the
    turn's end. `actions` has one number for each seat, None for a seat that did not act. Each moment has its own
    copies of states.
    """

    turn: Turn
    before: State
    actions: Sequence[int | None]
    events: Sequence[Event]
    after: State


def beginning(game: Game, replay: Replay) -> State:
    """The state before the first dice and turn.

    Raises `ReplayError` when the replay is of other rules than these, or its start or its result does not fit them.
    """
    check_frame(game, replay)
    header = replay.header
    if header.start is None:
        return game.new_state(resolve(game.options, header.setup, game.catalogue), len(header.seats))
    try:
        state = game.rules.LAYOUT.from_dict(header.start)
    except ValueError as error:
        raise ReplayError("replay-malformed", error=error) from error
    if found := why_impossible(game, state, len(header.seats)):
        raise ReplayError(found.key, **found.values)
    return state


def check_frame(game: Game, replay: Replay) -> None:
    """Raise what `beginning` raises for other rules, and for seats, a first turn and a result that cannot be."""
    header = replay.header
    if header.game != game.name or header.rules != game.version:
        raise ReplayError(
            "replay-other-rules", game=header.game, version=header.rules, known=f"{game.name} {game.version}"
        )
    if not game.seats[0] <= len(header.seats) <= game.seats[1]:
        raise ReplayError("replay-malformed", error=f"{len(header.seats)} seats")
    if not 0 <= header.first < MAX_TURNS:
        raise ReplayError("replay-malformed", error="first")
    _check_result(game, replay)


def _check_result(game: Game, replay: Replay) -> None:
    """Raise `ReplayError` for a result that no match of these seats can have: later code does not check again.

    `verify` checks whether it is the right one.
    """
    result, seats = replay.result, range(len(replay.header.seats))
    wrong = ""
    if result.reason_key not in game.rules.REASONS.values() and result.reason_key not in OTHER_REASONS:
        wrong = "reason"
    elif result.places and not 1 <= min(result.places) <= max(result.places) <= len(seats):
        wrong = "place"
    elif len(result.places) != (0 if result.unfinished else len(seats)):
        wrong = "places"
    elif len(result.scores) not in (0, len(seats)):
        wrong = "scores"
    elif result.winner is not None and result.winner not in seats:
        wrong = "winner"
    elif any(move.seat not in seats for move in result.last):
        wrong = "last"
    if wrong:
        raise ReplayError("replay-malformed", error=wrong)


def moments(game: Game, replay: Replay) -> Iterator[Moment]:
    """Every turn of the replay, in order.

    Raises `ReplayError`, with the turn's number, at the first turn that does not follow from the rules.
    """
    state = beginning(game, replay)
    last = replay.header.first + len(replay.turns) - 1
    for number, turn in enumerate(replay.turns, replay.header.first):
        if turn.turn != number:
            raise ReplayError("replay-turn-missing", turn=number)
        if not turn.moves and number != last:  # after it nobody acted
            raise ReplayError("replay-turn-differs", turn=number)
        try:
            moment = _moment(game, state, turn, len(replay.header.seats))
        except OUT_OF_THE_RULES as error:
            raise ReplayError("replay-turn-differs", turn=number) from error
        yield moment


def continued(game: Game, replay: Replay, turns: Sequence[Turn]) -> Iterator[Moment]:
    """How the match would have gone on, had these turns been played from the number of the first of them on.

    That first turn needs no dice: those that fell in the match before it stay. Digests are not read. Raises
    `ReplayError` when the replay has no such turn, or a turn is not possible by the rules.
    """
    state, start = beginning(game, replay), turns[0].turn
    for moment in moments(game, replay):
        if moment.turn.turn == start:
            first = msgspec.structs.replace(turns[0], dice=moment.turn.dice)
            try:
                for turn in (first, *turns[1:]):
                    yield _played(game, state, turn, len(replay.header.seats))
            except OUT_OF_THE_RULES as error:
                raise ReplayError("replay-turn-differs", turn=turn.turn) from error
            return
        state = moment.after
    end = replay.header.first + replay.played
    raise ReplayError("replay-no-such-turn", turn=start, first=replay.header.first, last=end)


def replayed(game: Game, state: State, turn: Turn, seats: int) -> Moment:
    """Play a turn on a state, which moves on, whatever the turn's digest.

    Raises `ReplayError` for a turn that the rules do not allow there.
    """
    try:
        return _played(game, state, turn, seats)
    except OUT_OF_THE_RULES as error:
        raise ReplayError("replay-turn-differs", turn=turn.turn) from error


def _moment(game: Game, state: State, turn: Turn, seats: int) -> Moment:
    """Play one line of the replay; `state` moves on."""
    moment = _played(game, state, turn, seats)
    if game.rules.LAYOUT.digest(state) != turn.digest:
        raise ReplayError("replay-turn-differs", turn=turn.turn)
    return moment


def _played(game: Game, state: State, turn: Turn, seats: int) -> Moment:
    """Play a turn, whatever its digest; `state` moves on."""
    rules = game.rules
    events = game.new_events()
    if turn.dice:
        if not _may_fall(game, turn.dice) or not rules.needs_dice(state):
            raise ReplayError("replay-turn-differs", turn=turn.turn)
        rules.deal(state, turn.dice, events)
        if why_impossible(game, state, seats):
            raise ReplayError("replay-turn-differs", turn=turn.turn)
    before = rules.LAYOUT.copy(state)
    actions = _actions(game, turn, seats)
    if turn.moves:
        acting = [move.seat for move in turn.moves]
        if rules.over(state) or acting != game.acting(state, seats):
            raise ReplayError("replay-turn-differs", turn=turn.turn)
        played = [action or 0 for action in actions]
        if not all(is_playable(game, state, seat, played[seat]) for seat in acting):
            raise ReplayError("replay-turn-differs", turn=turn.turn)
        rules.step(state, played, events)
    return Moment(turn, before, actions, read_events(events), rules.LAYOUT.copy(state))


def _may_fall(game: Game, dice: Sequence[int]) -> bool:
    """Whether a roll may have such numbers at all: rules take them as they are, before the state can be looked at."""
    most = game.rules.MAX_DIE
    return len(dice) <= game.rules.DICE and all(-most <= number <= most for number in dice)


def verify(game: Game, replay: Replay) -> int:
    """Play the whole replay again; returns the number of turns compared.

    Raises `ReplayError` if a turn's digest, or the result, does not follow from the rules.
    """
    return sum(1 for _ in verified(game, replay))


def verified(game: Game, replay: Replay) -> Iterator[Moment]:
    """Every turn of the replay, in order, as `moments`; at the end the result is compared, too.

    Raises `ReplayError` where a turn, or the result, does not follow from the rules: nothing that was read before is
    to be believed then.
    """
    state, judge = beginning(game, replay), game.adjudicator(replay.header.setup)
    verdict = None
    for moment in moments(game, replay):
        if verdict is not None:  # the match was over by its operator's rule
            raise ReplayError("replay-turn-differs", turn=moment.turn.turn)
        state = moment.after
        if judge is not None and moment.turn.moves and not game.rules.over(state):
            verdict = judge.after(state, moment.turn)
        yield moment
    result = replay.result
    if result.unfinished:
        return
    if verdict is None and not game.rules.over(state):
        raise ReplayError("replay-result-differs")
    last = result.last, replay.header.first + replay.played
    if outcome(game, state, len(replay.header.seats), *last, verdict) != result:
        raise ReplayError("replay-result-differs")


def state_at(game: Game, replay: Replay, turn: int) -> State:
    """The state that the players saw in turn `turn`, by its number; after the last turn, the last state.

    Raises `ReplayError` when the replay has no such turn.
    """
    first, end = replay.header.first, replay.header.first + replay.played
    if not first <= turn <= end:
        raise ReplayError("replay-no-such-turn", turn=turn, first=first, last=end)
    state = beginning(game, replay)
    for moment in moments(game, replay):
        if moment.turn.turn == turn:
            return moment.before
        state = moment.after
    return state


def _actions(game: Game, turn: Turn, seats: int) -> list[int | None]:
    """The recorded actions, one for each seat."""
    actions: list[int | None] = [None] * seats
    for move in turn.moves:
        action = game.protocol.read(move.action)
        if action is None or not 0 <= move.seat < seats:
            raise ReplayError("replay-turn-differs", turn=turn.turn)
        actions[move.seat] = action
    return actions
