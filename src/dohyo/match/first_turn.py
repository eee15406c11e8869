"""A recorded match with another turn: what some seats do instead, and the state from which the match then goes on.

That turn is played before any program starts: one that keeps something of its own would otherwise believe in an
action that it did not take.
"""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault
from dohyo.core.game import Game, State
from dohyo.core.referee import read_reply
from dohyo.core.replay import Replay

LISTED = 40  # legal actions that a complaint names


def state_after(game: Game, replay: Replay, turn: int, given: Mapping[int, str]) -> State:
    """The state after turn `turn`, if the seats in `given` act so in it, and the others as they did.

    Each action is the line that a bot would write. The dice before the turn stay as they fell. Raises `OperatorError`
    for an action that the rules do not allow there, for a seat that does not act, and where it is not recorded what
    another seat did; `ReplayError` as `playback.state_at`.
    """
    state = playback.state_at(game, replay, turn)
    seats = len(replay.header.seats)
    if game.rules.over(state):
        raise OperatorError("first-over", turn=turn)
    acting = game.acting(state, seats)
    recorded = {move.seat: move.action for line in replay.turns if line.turn == turn for move in line.moves}
    if missing := [seat for seat in acting if seat not in recorded and seat not in given]:
        raise OperatorError("first-others", turn=turn, seats=", ".join(map(str, missing)))
    actions = [0] * seats
    for seat in (seat for seat in acting if seat not in given):
        actions[seat] = game.protocol.read(recorded[seat]) or 0
    for seat, line in given.items():
        if seat not in acting:
            raise OperatorError("first-not-acting", turn=turn, seat=seat, seats=", ".join(map(str, acting)))
        actions[seat] = _read(game, state, seat, line, turn)
    game.rules.step(state, actions, None)
    return state


def _read(game: Game, state: State, seat: int, line: str, turn: int) -> int:
    """The action in a line of the operator's. Raises `OperatorError`, with the legal ones, if it is none."""
    found = read_reply(game, state, seat, line)
    if not isinstance(found, Fault):
        return found
    legal = [game.protocol.text(action) for action in game.legal_actions(state, seat)]
    listed = ", ".join(legal[:LISTED]) + (f", +{len(legal) - LISTED}" if len(legal) > LISTED else "")
    raise OperatorError("first-illegal", seat=seat, turn=turn, legal=listed or "-", reason=found.told)
