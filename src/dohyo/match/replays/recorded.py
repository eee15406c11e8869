"""What a seat was sent in a recorded match, and a referee that holds to the recording.

A replay has no prompts: the rules play the recorded moves again, and the protocol writes what followed from each
state. A seat was sent its prompt in each turn in which it was asked (then its move has a time), to a program that
lives for the match with the game's `CLOSING` after it, and at the end of the match the farewell, if its program still
ran. To players of other kinds that was in other words (`sent.py`).

If a match was interrupted, the replay does not say whether a seat had been asked in the turn that was not finished:
that prompt is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Move, Replay
from dohyo.match.replays.sent import TEXT, Sent, first_state, kind_that_spoke, move_of

MAX_DIGITS = 9  # of a seat's number, as an operator writes it


class AskedTurn(NamedTuple):
    """A turn in which the seat was asked: the moment, the seat's move, and the prompt without any `CLOSING`."""

    moment: Moment
    move: Move
    prompt: bytes

    @property
    def turn(self) -> int:
        """The turn's number."""
        return self.moment.turn.turn


def seat_of(word: str, header: Header) -> int:
    """The seat that the operator's word names: its number, or the name of a bot that sat on one seat only."""
    seats = range(len(header.seats))
    if word.isdecimal() and len(word) <= MAX_DIGITS and int(word) in seats:
        return int(word)
    named = [seat for seat in seats if header.seats[seat].name == word]
    if len(named) == 1:
        return named[0]
    if named:
        raise OperatorError("seat-of-several", name=word, seats=", ".join(map(str, named)))
    names = ", ".join(f"{seat} ({header.seats[seat].name})" for seat in seats)
    raise OperatorError("no-such-seat", seat=word, seats=names)


def asked_in(sent: Sent, moment: Moment, seat: int) -> AskedTurn | None:
    """What the seat was sent in a turn; none if it was not asked."""
    move = move_of(moment, seat)
    if move is None or move.seconds is None:
        return None
    return AskedTurn(moment, move, sent.prompt(moment, seat))


def asked(game: Game, replay: Replay, seat: int, sent: Sent | None = None) -> Iterator[AskedTurn]:
    """Every turn in which the seat was asked. Raises `ReplayError` at a turn that does not follow from the rules."""
    sent = sent or Sent(game, replay)
    for moment in playback.moments(game, replay):
        if (found := asked_in(sent, moment, seat)) is not None:
            yield found


def inputs(
    game: Game, replay: Replay, seat: int, until: int | None = None, sent: Sent | None = None
) -> Iterator[bytes]:
    """Piece by piece, exactly what a program that lived for the match on this seat was sent; up to turn `until`.

    The pieces are one for each turn in which it was asked, and what it was sent before and after the match, each as
    its protocol has it. `sent` says that another program is to be fed. Raises `OperatorError` where that cannot be
    told.
    """
    sent = _known(sent or Sent(game, replay), seat)
    telling, closing = sent.telling(seat), sent.closing(seat)
    state, failed = first_state(game, replay), _failed_before(replay, seat)
    lives = not failed
    if telling is not None and not failed and (begin := telling.beginning(state, seat)):
        yield begin + closing
    for moment in playback.moments(game, replay):
        if until is not None and moment.turn.turn > until:
            return
        state = moment.after
        if (found := asked_in(sent, moment, seat)) is not None:
            yield found.prompt + closing
            lives = not stopped_by(game, found)
        elif (move := move_of(moment, seat)) is not None and move.faults:
            lives = False  # it failed before it was asked
    if until is not None or replay.result.unfinished:
        return
    if (telling := sent.telling(seat)) is not None and not failed:
        sent.finish()
        if last := telling.end(state, seat, sent.limits[seat], lives):
            yield last + closing
    elif sent.protocols[seat] == TEXT and lives and (last := game.farewell(state, seat)):
        yield last


def input_of_turn(game: Game, replay: Replay, seat: int, turn: int, sent: Sent | None = None) -> bytes:
    """What the seat was sent in one turn.

    In a game whose programs may live for one turn, that is the prompt, which is such a program's last argument; in
    the others what a program that lives for the match read in that turn. To a server it is the request's body.
    """
    sent = _known(sent or Sent(game, replay), seat)
    turns = []
    for found in asked(game, replay, seat, sent):
        if found.turn == turn:
            if (telling := sent.telling(seat)) is not None:
                return telling.answered(found.prompt)
            return found.prompt if "turn" in game.lifetimes else found.prompt + sent.closing(seat)
        turns.append(found.turn)
    if not turns:
        raise OperatorError("never-asked", seat=seat)
    near = min(turns, key=lambda other: abs(other - turn))
    raise OperatorError("not-asked-in-turn", seat=seat, turn=turn, near=near)


def _known(sent: Sent, seat: int) -> Sent:
    """The same. Raises `OperatorError` if what the seat was sent cannot be told."""
    if not sent.is_known(seat):
        who = sent.replay.header.seats[seat]
        kind = kind_that_spoke(who.protocol)
        untold = "inputs-unknown" if kind is None else kind.untold
        raise OperatorError(untold, seat=seat, protocol=who.protocol or who.language)
    return sent


def stopped_by(game: Game, found: AskedTurn) -> bool:
    """Whether the seat's part in the match ended in this turn."""
    if not found.move.faults:
        return False
    reply, state, seat = found.move.reply, found.moment.before, found.move.seat
    if reply is not None:
        action = game.protocol.parse(reply, state, seat)
        if not isinstance(action, Fault) and (
            game.rules.is_legal(state, seat, action) or action in game.rules.CONCESSIONS
        ):
            return False
    return bool(game.protocol.stops(found.move.faults[-1]))


def _failed_before(replay: Replay, seat: int) -> bool:
    """Whether its program failed before the match.

    The fault is told in its first turn, in which it is not asked; after the last turn if it never acted.
    """
    first = next((move for turn in replay.turns for move in turn.moves if move.seat == seat), None)
    if first is not None:
        return first.seconds is None and bool(first.faults)
    return any(
        fault.kind is not FaultKind.NOT_ENDED
        for move in replay.result.last
        if move.seat == seat
        for fault in move.faults
    )


class RecordedReferee(Referee):
    """A referee whose states are those of a recorded match, whatever is answered: it asks and judges as a match's."""

    def __init__(self, game: Game, replay: Replay) -> None:
        header, start = replay.header, first_state(game, replay)
        super().__init__(game, header.setup, len(header.seats), header.seed, start, header.first)

    def go_to(self, moment: Moment) -> None:
        """Begin the turn of this moment."""
        self.state, self._turn = moment.before, moment.turn.turn

    def finish(self, moment: Moment) -> None:
        """Take the state after this moment, which may be the last; engines are told the moves so far."""
        self.state = moment.after
        self.turns.append(moment.turn)

    def judge(self, seat: int, answers: Mapping[int, Answer]) -> Move:
        """The seat's part of the turn: its answer as a match would judge and record it."""
        return self._judge(seat, answers)[1]

    def _roll(self) -> None:
        """The dice have moved in the recording."""
