"""The referee: judges replies and plays the rules. A pure state machine; the caller asks the players.

Theory of operation
-------------------
    pending()        the seats whose answers are awaited now (a stopped player's is not)
    prompt(seat)     what that seat is sent
    submit(answers)  judges every answer, puts the rules' own answer in the place of a fault, steps the state, lets
                     the dice move if it is their turn, and returns the finished line of the replay
    over             until then, again

A fault is judged once, here: a reply that cannot be read is MALFORMED, one that the rules do not allow ILLEGAL, and
whatever happened to the program itself (TIMEOUT, EXITED, ...) comes with the answer. The protocol says whether a
fault stops the player for good; from then on the rules answer for it.

If an answer cannot change anything (the player is out, or has no choice), what is wrong with it is only a note, which
does not count against the player. But if it has stopped a player who would have had a choice in a later turn, it did
change something: then the note becomes a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.faults import OF_ANSWERS, Fault
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State
from dohyo.core.replay import Lines, Move, PlayedTurns, Result, Turn

if TYPE_CHECKING:
    from dohyo.core.adjudication import Verdict

REPLY_KEPT = 1024  # characters of a reply that are recorded


class Answer(msgspec.Struct, gc=False):
    """What came from a player: a reply, or none and the fault that explains why (the last of `faults`).

    `faults` beside a reply are to be recorded and change nothing. `seconds` is the time it took. `stderr` and
    `comments` are what it wrote besides, each with the number of bytes before it that were not stored. `cpu`, `wall`
    and `bank` are as in a replay's `Move`. `decided` is what counts against limits and reserves, if that is less than
    `seconds`: of a time that is known within bounds, what favours the player.
    """

    reply: str | None = None
    faults: tuple[Fault, ...] = ()
    seconds: float | None = None
    stderr: str = ""
    stderr_dropped: int = 0
    comments: str = ""
    comments_dropped: int = 0
    cpu: float | None = None
    wall: float | None = None
    bank: float | None = None
    decided: float | None = None

    @property
    def charged(self) -> float | None:
        """The seconds that count against limits and reserves."""
        return self.seconds if self.decided is None else self.decided

    @property
    def says_anything(self) -> bool:
        """Whether there is something to record although the seat was not asked."""
        return bool(self.faults or self.stderr or self.stderr_dropped or self.comments or self.comments_dropped)

    def move(self, seat: int, action: str, reply: str | None = None, faults: tuple[Fault, ...] = ()) -> Move:
        """The seat's part of a line: the action that was carried out, and all that came with this answer."""
        beside = (
            self.stderr,
            self.stderr_dropped,
            self.comments,
            self.comments_dropped,
            self.cpu,
            self.wall,
            self.bank,
        )
        return Move(seat, action, self.seconds, reply, faults or self.faults, *beside)


UNASKED = Answer()


class Referee:
    """One match: its state, and every line of its replay so far.

    A match that continues another has a state to `start` with, and `first`, the number of its first turn. `verdict`
    is how the operator's rule has ended the match.
    """

    def __init__(
        self,
        game: Game,
        setup: Mapping[str, Any],
        seats: int,
        seed: int,
        start: State | None = None,
        first: int = 0,
    ) -> None:
        self.game, self.seats = game, seats
        self.seed = seed
        self.first = first
        self.setup = setup
        self.began = None if start is None else game.rules.LAYOUT.as_dict(start)  # as a replay's header has it
        self.state = game.new_state(setup, seats) if start is None else start
        self.turns = Lines()
        self.stopped: list[Fault | None] = [None] * seats
        self._source = game.source(seed)
        self._dice = row_of(game.rules.DICE)
        self._rolled: tuple[int, ...] = ()
        self._buffer = bytearray(game.protocol.PROMPT_BYTES)
        self._untold: dict[int, Answer] = {}
        self._noted: dict[int, int] = {}  # seats stopped by what is only a note so far, with its place in `turns`
        self._texts = texts_of(game)
        self._adjudicator = game.adjudicator(setup)
        self.verdict: Verdict | None = None
        self._turn = first
        self._roll()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.verdict is not None or self.game.rules.over(self.state)

    @property
    def turn(self) -> int:
        """The number of the next turn: turns played since the match began, with those before it was continued."""
        return self._turn

    @property
    def rolled(self) -> tuple[int, ...]:
        """What the dice showed before the turn that comes next; empty where they did not move."""
        return self._rolled

    def so_far(self) -> list[Turn]:
        """The lines up to now; the last one, without moves, has the dice before the turn that comes next."""
        if not self._rolled:
            return list(self.turns)
        return [*self.turns, Turn(self._turn, self._rolled, (), self.game.rules.LAYOUT.digest(self.state))]

    def pending(self) -> list[int]:
        """The seats whose answers are awaited, ascending; may be empty when all that act are stopped."""
        acts, state, stopped = self.game.rules.acts, self.state, self.stopped
        return [seat for seat in range(self.seats) if stopped[seat] is None and acts(state, seat)]

    def prompt(self, seat: int) -> bytes:
        """What the seat is sent now."""
        return bytes(self._buffer[: self.game.protocol.prompt(self.state, seat, self._buffer)])

    def farewell(self, seat: int) -> bytes:
        """What a program that still runs on this seat is sent at the end of the match; often nothing."""
        return self.game.farewell(self.state, seat)

    def stop(self, seat: int, answer: Answer) -> None:
        """End a player's part before its next turn; the answer's fault is recorded with that turn."""
        self.stopped[seat] = answer.faults[-1]
        self._untold[seat] = answer

    def submit(self, answers: Mapping[int, Answer]) -> Turn:
        """Judge one answer of every pending seat, play the turn, and return its line.

        Raises `KeyError` when a pending seat's answer is missing.
        """
        rules = self.game.rules
        actions = [0] * self.seats
        moves = []
        for seat in range(self.seats):
            if rules.acts(self.state, seat):
                actions[seat], move = self._judge(seat, answers)
                moves.append(move)
        return self._step(actions, moves)

    def submit_understood(self, seat: int, reply: str, seconds: float) -> Move | None:
        """Play the turn by the only acting seat's reply, if that is an action: its move, or none."""
        action = self._read(seat, reply)
        if isinstance(action, Fault):
            return None
        actions = [0] * self.seats
        actions[seat] = action
        move = self._move(seat, action, Answer(reply, (), seconds), ())
        self._step(actions, [move])
        return move

    def append_played(self, played: PlayedTurns, state: State) -> None:
        """Append turns that the fast path has played by the same rules, ending in `state`."""
        self.turns.add_played(played, self._turn, self._rolled, self._texts)
        self._turn += len(played.seats)
        self.state = state
        self._roll()

    def result(self, last: Mapping[int, Answer] | None = None) -> Result:
        """How the match ended, or that it did not; completes the list of turns.

        `last` holds what came from players after their last turn.
        """
        rest = {**self._untold, **(last or {})}
        moves = tuple(answer.move(seat, "") for seat, answer in sorted(rest.items()) if answer.says_anything)
        if self._rolled:
            self.turns.append(Turn(self._turn, self._rolled, (), self.game.rules.LAYOUT.digest(self.state)))
            self._rolled = ()
        if self.seats > 4:  # all that so many write is less than what a replay may hold
            from dohyo.core.asides import cut

            cut(self.turns, moves, self.seats)
        if not self.over:
            return Result((), None, "unfinished", unfinished=True, last=moves)
        return outcome(self.game, self.state, self.seats, moves, self._turn, self.verdict)

    def _judge(self, seat: int, answers: Mapping[int, Answer]) -> tuple[int, Move]:
        """The action of one acting seat, and its part of the line."""
        protocol, stopped = self.game.protocol, self.stopped[seat]
        if stopped is not None:
            if seat in self._noted and not self.game.is_out(self.state, seat):
                self._hold(seat, self._noted.pop(seat))
            action = protocol.answer(self.state, seat, stopped)
            return action, self._untold.pop(seat, UNASKED).move(seat, protocol.text(action))
        answer = answers[seat]
        faults = answer.faults
        verdict: int | Fault
        if answer.reply is None:
            verdict = faults[-1]
        else:
            verdict = self._read(seat, answer.reply)
            if isinstance(verdict, Fault):
                faults = (*faults, verdict)
        if faults and self.game.is_out(self.state, seat):
            faults = tuple(replace(fault, note=fault.kind in OF_ANSWERS) for fault in faults)
        if isinstance(verdict, Fault):
            action = protocol.answer(self.state, seat, verdict)
            if protocol.stops(verdict):
                self.stopped[seat] = verdict
                if faults and faults[-1].note:
                    self._noted[seat] = len(self.turns)
        else:
            action = verdict
        return action, self._move(seat, action, answer, faults)

    def _hold(self, seat: int, at: int) -> None:
        """Turn a seat's notes in a turn into faults."""
        turn = self.turns[at]
        moves = [
            replace(move, faults=tuple(replace(fault, note=False) for fault in move.faults))
            if move.seat == seat
            else move
            for move in turn.moves
        ]
        self.turns[at] = replace(turn, moves=tuple(moves))

    def _move(self, seat: int, action: int, answer: Answer, faults: tuple[Fault, ...]) -> Move:
        """A seat's part of the line; its reply is recorded only if it differs from the action's text."""
        text = self.game.protocol.text(action)  # the action after a fault may be one that no player can send
        reply = None if answer.reply == text and not faults else answer.reply
        return answer.move(seat, text, None if reply is None else reply[:REPLY_KEPT], faults)

    def _step(self, actions: Sequence[int], moves: Sequence[Move]) -> Turn:
        """Play the turn, and return its line."""
        rules = self.game.rules
        rules.step(self.state, actions, None)
        turn = Turn(self._turn, self._rolled, tuple(moves), rules.LAYOUT.digest(self.state))
        self._turn += 1
        self.turns.append(turn)
        if self._adjudicator is not None and not rules.over(self.state):
            self.verdict = self._adjudicator.after(self.state, turn)
        self._roll()
        return turn

    def _read(self, seat: int, reply: str) -> int | Fault:
        """The action in a reply, if the rules allow it."""
        return read_reply(self.game, self.state, seat, reply)

    def _roll(self) -> None:
        """Let the dice move, if it is their turn."""
        self._rolled = ()
        rules = self.game.rules
        if rules.needs_dice(self.state):
            self._source.turn = self._turn
            self._source.draw = 0
            count = rules.roll(self.state, self._source, self._dice)
            self._rolled = tuple(self._dice[:count])
            rules.deal(self.state, self._dice, None)


def read_reply(game: Game, state: State, seat: int, reply: str) -> int | Fault:
    """The action in a seat's reply, if the rules allow it in this state; otherwise the fault that it is."""
    action = game.protocol.parse(reply, state, seat)
    if isinstance(action, Fault):
        return action
    if not game.rules.is_legal(state, seat, action) and action not in game.rules.CONCESSIONS:
        return game.refusal(state, seat, action)
    return action


MAX_GAMES = 16  # whose texts are kept
_texts: dict[int, tuple[Game, list[str]]] = {}  # by the game's id


def texts_of(game: Game) -> list[str]:
    """The text of every action of a game, by its number; made once in a process: there may be thousands."""
    if id(game) not in _texts:
        if len(_texts) >= MAX_GAMES:
            _texts.clear()
        _texts[id(game)] = game, [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
    return _texts[id(game)][1]


def outcome(
    game: Game,
    state: State,
    seats: int,
    last: Sequence[Move] = (),
    turn: int | None = None,
    verdict: Verdict | None = None,
) -> Result:
    """The result of a match that is over, after so many turns: by the rules, or by its operator's `verdict`.

    Raises `OperatorError` when the rules name a winner that is no seat.
    """
    if verdict is not None:
        from dohyo.core.adjudication import places_of

        placed, scores = tuple(places_of(verdict, seats)), game.score(state, seats)
        return Result(placed, verdict.winner, verdict.reason, last=tuple(last), scores=scores, adjudicated=True)
    places = row_of(seats)
    reason = game.rules.places(state, places)
    winner = game.rules.winner(state)
    if not -1 <= winner < seats:
        shown = "?" if turn is None else turn
        raise OperatorError("rules-winner", game=game.name, winner=winner, turn=shown, most=seats - 1)
    result = Result(
        tuple(places),
        winner if winner >= 0 else None,
        game.rules.REASONS[reason],
        last=tuple(last),
        scores=game.score(state, seats),
    )
    vars(result)["sentences"] = game.catalogue
    return result
