"""A puzzle as a value, and the position that it sets, held to the game's rules."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.options import resolve
from dohyo.core.possible import why_impossible
from dohyo.core.replay import FORMAT, Header, Move, Replay, Result, Seat, Turn
from dohyo.i18n import Message
from dohyo.match import own_games

MAX_SEATS = 64
MAX_OTHERS = 4096  # actions beside the solution

Word = Annotated[str, Meta(max_length=400)]  # an action as text
Label = Annotated[str, Meta(max_length=200)]
Small = Annotated[int, Meta(ge=0, le=1 << 31)]
Identifier = Annotated[str, Meta(pattern="^([0-9a-f]{16})?$", max_length=16)]


class Other(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that gives the win away: what was proven of it, or in how many matches it still came first.

    `reply` is the other side's answer that takes the win, where that is known.
    """

    action: Word
    result: Literal["", "draw", "loss"] = ""
    reply: Word = ""
    won: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    times: Small = 0


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a position is from: a match, who sat in it, and what was played there."""

    match: Label = ""
    names: Annotated[tuple[Label, ...], Meta(max_length=MAX_SEATS)] = ()
    played: Word = ""


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A position in which one action, the `solution`, holds a win of `seat`'s that all others give away.

    `state` has the fields of the game's state before turn `turn` of a match with this `setup`. With `within`, the
    solution wins within so many turns of both seats together, whatever is answered, and no other action does.
    `how` it is known: `proven` by search to the end of each line; `tried`: `times` matches were played on after each
    action by the bots `by`, and the solution's came first in `won` of them. The second look took `checked` matches
    or positions.
    """

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    rules: Small
    setup: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    state: dict[str, Any]
    turn: Small = 0
    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    solution: Word
    within: Annotated[int, Meta(ge=1, le=1000)] | None = None
    how: Literal["proven", "tried"] = "tried"
    won: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    times: Small = 0
    checked: Small = 0
    by: Annotated[tuple[Label, ...], Meta(max_length=MAX_SEATS)] = ()
    others: Annotated[tuple[Other, ...], Meta(max_length=MAX_OTHERS)] = ()
    source: Source = Source()
    id: Identifier = ""


class Position(NamedTuple):
    """A puzzle that its game's rules take: the state and the solution as they have them."""

    puzzle: Puzzle
    game: Game
    state: State
    solution: int

    @property
    def id(self) -> str:
        """By what the puzzle is known again: the same for the same position, seat and aim."""
        return identifier(self.game, self.puzzle, self.state)


def identifier(game: Game, puzzle: Puzzle, state: State) -> str:
    """What a puzzle is called: a digest of its game, its position, and what is asked."""
    asked = puzzle.game, puzzle.rules, puzzle.seats, puzzle.seat, puzzle.within or 0, game.rules.LAYOUT.digest(state)
    return hashlib.sha256(repr(asked).encode()).hexdigest()[:16]


def position_of(puzzle: Puzzle) -> Position:
    """The position that a puzzle sets. Raises `OperatorError` where the game's rules do not take it.

    A stranger may have written it: no rule is run over a state that no match can come to.
    """
    game = own_games.find(puzzle.game)
    if game.referee is not None or game.version != puzzle.rules:
        raise _broken(puzzle, Message("puzzle-other-rules", {"version": puzzle.rules, "known": game.version}))
    if not game.seats[0] <= puzzle.seats <= game.seats[1] or puzzle.seat >= puzzle.seats:
        raise _broken(puzzle, Message("puzzle-seats"))
    try:
        resolve(game.options, puzzle.setup, game.catalogue)
        state = game.rules.LAYOUT.from_dict(puzzle.state)
    except (ValueError, TypeError, OperatorError) as error:
        raise _broken(puzzle, Message("puzzle-no-state")) from error
    if found := why_impossible(game, state, puzzle.seats):
        raise _broken(puzzle, found)
    if game.rules.over(state) or game.rules.needs_dice(state) or puzzle.seat not in game.acting(state, puzzle.seats):
        raise _broken(puzzle, Message("puzzle-not-to-move"))
    solution = game.protocol.read(puzzle.solution)
    legal = list(game.legal_actions(state, puzzle.seat))
    if solution is None or solution not in legal or len(legal) < 2:
        raise _broken(puzzle, Message("puzzle-no-solution"))
    return Position(puzzle, game, state, solution)


def _broken(puzzle: Puzzle, reason: Message) -> OperatorError:
    return OperatorError("puzzle-broken", game=clean.line(puzzle.game, 100), turn=puzzle.turn, reason=reason)


def as_replay(position: Position) -> Replay:
    """The position as the beginning of a match, with one turn: what is asked in it, and any answers to that.

    So all that reads replays shows it, and tells what a seat is sent there.
    """
    puzzle, game = position.puzzle, position.game
    start = game.rules.LAYOUT.copy(position.state)
    game.reseat(start)
    actions, moves = [0] * puzzle.seats, []
    for seat in game.acting(start, puzzle.seats):
        actions[seat] = position.solution if seat == puzzle.seat else game.legal_actions(start, seat)[0]
        moves.append(Move(seat, game.protocol.text(actions[seat]), 0.0))
    after = game.rules.LAYOUT.copy(start)
    game.rules.step(after, actions, None)
    head = Header(
        dohyo=FORMAT,
        game=game.name,
        rules=game.version,
        setup=resolve(game.options, puzzle.setup, game.catalogue),
        seats=tuple(Seat(f"seat {seat}") for seat in range(puzzle.seats)),
        seed=0,
        software="dohyo",
        start=game.rules.LAYOUT.as_dict(start),
        first=puzzle.turn,
    )
    turn = Turn(puzzle.turn, (), tuple(moves), game.rules.LAYOUT.digest(after))
    return Replay(head, [turn], Result((), None, "unfinished", unfinished=True))
