"""The summary of a match, seat by seat: its place, its end, its faults, its thinking times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game, State
from dohyo.core.replay import Move, Replay, Result
from dohyo.i18n import Message
from dohyo.i18n.messages import Values
from dohyo.match import own_games

LATE = (FaultKind.TIMEOUT, FaultKind.NOT_READY)
# What became of a seat, that only the end of a match decides.
OF_AN_END = frozenset({"fate.won", "fate.lost", "fate.drew", "fate.played"})


class Misstep(msgspec.Struct, omit_defaults=True):
    """A fault where it happened: the replay's turn, what the program wrote, the seconds that it took.

    `cpu` is the processor time that it took in that turn, `wall` the wall time, if the match measured them and
    charged something else; `proof` is what else was measured of its time, by name, in seconds (`load` is a number).
    `input` is the exact text that the program had been sent in that turn; none if it was not asked (it was never
    ready, or wrote after the match). `stderr` and `comments` are what else it wrote in that turn. These three are
    only filled on request.
    A `note` is not a fault (`Fault.note`). `code`, `values` and `also` are as in a `Fault`.
    """

    turn: int
    kind: FaultKind
    code: str = ""
    values: Values = {}
    also: tuple[Message, ...] = ()
    status: int | None = None
    reply: str | None = None
    seconds: float | None = None
    input: str | None = None
    stderr: str = ""
    comments: str = ""
    note: bool = False
    cpu: float | None = None
    wall: float | None = None
    proof: dict[str, float] = {}

    @property
    def fault(self) -> Fault:
        """What it was, without where."""
        return Fault(self.kind, self.code, self.values, self.status, self.note, self.also)


class SeatSummary(msgspec.Struct, omit_defaults=True):
    """One seat.

    `place` is none in an unfinished match, `score` there and in a game without points. `stopped` is the fault that
    ended its program, if one did; `said` is where and why, by what it wrote.

    `fate` says what became of it. `median` and
    `worst` are seconds of thinking over the turns in which it was asked, `worst_turn` is the turn of the worst. `cpu`
    is the processor time in seconds of the program from its start to its end, with all that it started, if known.
    `way` are seconds of the way to a bot that was somewhere else, which were given back in a turn, in the median.
    `wrote` says whether the replay has anything that it wrote to standard error.
    """

    seat: int
    name: str
    language: str
    digest: str
    place: int | None
    score: float | None
    fate: Message
    stopped: Misstep | None
    faults: list[Misstep]
    turns: int
    median: float | None
    worst: float | None
    worst_turn: int | None
    cpu: float | None
    way: float | None = None
    wrote: bool = False
    said: str = ""


class Summary(msgspec.Struct):
    """A whole match: how it was set up, how it ended, and every seat.

    `first` is the number of the first turn: not 0 if the match was resumed. `turns` were played from there.
    `disturbed` is as in a `Replay`.
    """

    game: str
    rules: int
    setup: dict[str, Any]
    clock: dict[str, Any]
    seed: int
    software: str
    first: int
    turns: int
    unfinished: bool
    reason: str
    winner: int | None
    seats: list[SeatSummary]
    disturbed: float

    @property
    def has_faults(self) -> bool:
        """Whether any bot misbehaved."""
        return any(not fault.note for seat in self.seats for fault in seat.faults)

    @property
    def has_faults_to_see(self) -> bool:
        """Whether there is a fault of which more can be shown; a person who resigns has seen it all."""
        faults = [fault for seat in self.seats for fault in seat.faults]
        return any(not fault.note and fault.code != FaultCode.RESIGNED for fault in faults)


def is_no_verdict(replay: Replay) -> bool:
    """Whether a bot was late, or not ready, in a match in which Dohyo itself was stopped: nobody knows why."""
    return bool(replay.disturbed) and any(fault.kind in LATE for move in _moves(replay) for fault in move.faults)


def _moves(replay: Replay) -> Iterator[Move]:
    """All moves of a match, and what the programs did after it."""
    return chain((move for turn in replay.turns for move in turn.moves), replay.result.last)


def summarise(replay: Replay, with_inputs: bool = False, end: State | None = None) -> Summary:
    """The summary of a replay; `with_inputs` adds to each fault the input that caused it, and other output.

    `end` is the state after the last turn, if the match was just played: then it is not played again to find that.
    Raises `ReplayError` if the replay contradicts the rules, `OperatorError` if its game is not installed.
    """
    game = own_games.find(replay.header.game)
    missteps: list[list[Misstep]] = [[] for _ in replay.header.seats]
    if end is None or with_inputs:
        end = _play_again(game, replay, missteps, with_inputs)
    else:
        for turn in replay.turns:
            for move in turn.moves:
                missteps[move.seat] += _missteps(turn.turn, move, None, with_asides=False)
    for move in replay.result.last:
        missteps[move.seat] += _missteps(replay.header.first + replay.played, move, None, with_inputs)
    header, result, moves = replay.header, replay.result, _by_seat(replay)
    return Summary(
        game=header.game,
        rules=header.rules,
        setup=header.setup,
        clock=msgspec.to_builtins(header.clock) or {},
        seed=header.seed,
        software=header.software,
        first=replay.header.first,
        turns=replay.played,
        unfinished=result.unfinished,
        reason=result.reason_key,
        winner=result.winner,
        seats=[_seat(game, replay, seat, moves[seat], end, faults) for seat, faults in enumerate(missteps)],
        disturbed=replay.disturbed,
    )


def _play_again(game: Game, replay: Replay, missteps: Sequence[list[Misstep]], with_inputs: bool) -> State:
    """Add the faults of all turns, by seat, with what the players saw; returns the state after the last turn."""
    from dohyo.core import playback
    from dohyo.match.replays.sent import Sent

    state, sent = playback.beginning(game, replay), Sent(game, replay)
    for moment in playback.moments(game, replay):
        state = moment.after
        for move in moment.turn.moves:
            text = sent.with_move(moment, move) if with_inputs and move.faults else None
            missteps[move.seat] += _missteps(moment.turn.turn, move, text, with_inputs)
    return state


def _by_seat(replay: Replay) -> list[list[tuple[int, Move]]]:
    """Each seat's moves with their turns' numbers: looking for them a hundred times would take long."""
    found: list[list[tuple[int, Move]]] = [[] for _ in replay.header.seats]
    for turn in replay.turns:
        for move in turn.moves:
            found[move.seat].append((turn.turn, move))
    return found


def _missteps(turn: int, move: Move, text: str | None, with_asides: bool) -> Iterator[Misstep]:
    stderr, comments = (move.stderr, move.comments) if with_asides else ("", "")
    for fault in move.faults:
        given = (
            fault.kind,
            fault.code,
            fault.values,
            fault.also,
            fault.status,
            move.reply,
            move.seconds,
            text,
            stderr,
            comments,
            fault.note,
            move.cpu,
            move.wall,
            msgspec.to_builtins(getattr(fault, "proof", None)) or {},
        )
        yield Misstep(turn, *given)


def _adjudicated(result: Result, seat: int) -> Message:
    """What became of a seat where the operator's rule has ended the match."""
    return Message("fate.drew" if result.winner is None else "fate.won" if result.winner == seat else "fate.lost")


def _seat(
    game: Game, replay: Replay, seat: int, moves: Sequence[tuple[int, Move]], state: Any, faults: list[Misstep]
) -> SeatSummary:
    """What became of a seat, which has played these `moves`."""
    who, result = replay.header.seats[seat], replay.result
    last = [move for move in result.last if move.seat == seat]
    times = [(move.seconds, turn) for turn, move in moves if move.seconds is not None]
    last_asked = times[-1][1] if times else 0
    worst, worst_turn = max(times, default=(None, None), key=lambda pair: pair[0])
    said = ""
    if faults:
        from dohyo.match.telling.fault_words import said_of

        said = said_of([*(move for _, move in moves), *last], who.language)
    fate = _adjudicated(result, seat) if result.adjudicated else game.seat_outcome(state, seat)
    if result.unfinished and fate.key in OF_AN_END:
        fate = Message("unfinished")
    return SeatSummary(
        seat=seat,
        name=who.name,
        language=who.language,
        digest=who.digest,
        place=result.places[seat] if result.places else None,
        score=result.scores[seat] if result.scores else None,
        fate=fate,
        # An extra line is a fault of a kind that may stop a program; if it did not, the program is asked again.
        stopped=next((fault for fault in faults if _stops(game, fault) and fault.turn >= last_asked), None),
        faults=faults,
        turns=len(times),
        median=middle([seconds for seconds, _ in times]),
        worst=worst,
        worst_turn=worst_turn,
        cpu=replay.cpu[seat] if replay.cpu else None,
        way=_way(who.protocol, moves),
        wrote=any(move.stderr for move in chain((move for _, move in moves), last)),
        said=said,
    )


def _way(protocol: str, moves: Iterable[tuple[int, Move]]) -> float | None:
    """What was given back of the way to a bot that was somewhere else, in these moves; none for any other one."""
    if not protocol:
        return None
    from dohyo.match.replays.sent import kind_that_spoke

    kind = kind_that_spoke(protocol)
    if kind is None or not kind.is_far:
        return None
    asked = [(move.seconds, move.wall) for _, move in moves if move.seconds is not None]
    return middle([0.0 if wall is None else max(0.0, wall - seconds) for seconds, wall in asked])


def _stops(game: Game, misstep: Misstep) -> bool:
    if misstep.kind is FaultKind.TIMEOUT and misstep.reply is not None:  # a strike: the answer counted
        return False
    return game.protocol.stops(misstep.fault)


def middle(numbers: Sequence[float]) -> float | None:
    """The median; none of nothing."""
    if not numbers:
        return None
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
