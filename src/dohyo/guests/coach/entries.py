"""What is kept of a match for each seat: points, conditions, actions, faults, times, values, two of its positions.

A replay is played again once, and everything that is asked later is taken down on the way; no state is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from dohyo import clean
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game, State
from dohyo.core.replay import Move, Replay
from dohyo.guests.coach.matches import Match
from dohyo.series.costs import points_of

PHASES = 3  # of a match: its begin, its middle, its end
FIRST = 4  # own actions that are an opening
LINE = 6  # actions of all seats that are one
EARLY = 24  # own turns whose positions are compared with those of others
MAX_TURNS = 20_000  # turns of a match that are looked at
MAX_VALUES = 6  # names of values of one bot
SHOWN = 60  # characters of an action or a condition
SAID = 8192  # characters that are kept of what a bot wrote, where it had a fault: the end says where


class Slip(msgspec.Struct, frozen=True):
    """The first fault of its kind that counts: its turn (before or after the own ones, where it was not `asked`), the
    phase, and the end of what the bot said.
    """

    turn: int
    phase: int
    kind: FaultKind
    code: str
    said: str = ""
    reply: str | None = None
    seconds: float | None = None
    asked: bool = True


class Entry(msgspec.Struct):
    """One seat of a match.

    `conditions` are what the match was played under, by kind; `turns`, `actions`, `stood` and `times` have an item
    for each own turn: its number, the action, the position before it, and the part of its time that it took.
    `reserve` is the least part of the reserve that was left. `cuts` are numbers that describe the position where the
    begin and the middle end, none where the seat or the match was over. `values` are by name the turns and numbers.
    """

    match: Match
    seat: int
    name: str
    digest: str
    points: float
    others: tuple[str, ...]
    conditions: dict[str, str]
    played: int
    turns: list[int] = []
    actions: list[str] = []
    stood: list[int] = []
    times: list[float] = []
    reserve: float | None = None
    line: tuple[str, ...] = ()
    slips: list[Slip] = []
    values: dict[str, list[tuple[int, float]]] = {}
    cuts: list[list[float] | None] = []
    bounds: tuple[int, ...] = ()

    def phase(self, turn: int) -> int:
        """In which part of the match a turn is, from 0."""
        return sum(turn >= bound for bound in self.bounds)


def entries_of(
    game: Game, match: Match, replay: Replay, bounds: tuple[int, ...], fields: Sequence[str]
) -> list[Entry]:
    """Each seat of a match; `bounds` are the turns in which its middle and its end begin.

    Raises `ReplayError` where the replay or its result contradicts the rules: a stranger may have written it.
    """
    places, header = replay.result.places, replay.header
    seats = range(len(header.seats))
    made = [
        Entry(
            match,
            seat,
            header.seats[seat].name,
            header.seats[seat].digest,
            points_of(places[seat], [places[other] for other in seats if other != seat]),
            tuple(dict.fromkeys(header.seats[other].name for other in seats if other != seat)),
            {},
            replay.played,
            slips=[],
            bounds=bounds,
        )
        for seat in seats
    ]
    _walk(game, replay, made, fields)
    for entry in made:
        for move in replay.result.last:
            if move.seat == entry.seat:
                for fault in move.faults:
                    _slip(entry, replay.played, fault, move, asked=False)
    return made


def _slip(entry: Entry, turn: int, fault: Fault, move: Move, asked: bool) -> None:
    """Take a fault down, if it counts and is the first of its kind: a few bytes, however much the bot wrote."""
    if fault.note or any(slip.kind is fault.kind for slip in entry.slips):
        return
    made = Slip(turn, PHASES - 1, fault.kind, str(fault.code)[:SAID], move.stderr[-SAID:], asked=False)
    if asked:
        reply = None if move.reply is None else move.reply[:SAID]
        told = {"phase": entry.phase(turn), "reply": reply, "seconds": move.seconds}
        made = replace(made, **told, asked=move.seconds is not None)
    entry.slips.append(made)


def _walk(game: Game, replay: Replay, made: list[Entry], fields: Sequence[str]) -> None:
    """Play the match again, and take everything down."""
    clock = replay.header.clock or game.usual_clock()
    cuts = list(made[0].bounds)
    first: State | None = None
    line: list[str] = []
    firsts = {entry.seat: True for entry in made}
    for moment in playback.verified(game, replay):
        turn, state = moment.turn, moment.before
        if first is None:
            first = state
            known = _conditions(game, replay, state, fields)
            for entry in made:
                entry.conditions = known
        while cuts and turn.turn >= cuts[0]:
            _cut(game, state, made)
            cuts.pop(0)
        stood = None
        for move in turn.moves:
            entry = made[move.seat]
            if len(line) < LINE:
                line.append(clean.line(move.action, SHOWN))
            for fault in move.faults:
                _slip(entry, turn.turn, fault, move, asked=True)
            if move.seconds is not None and len(entry.turns) < MAX_TURNS:
                stood = _position(game, state) if stood is None else stood
                _note(entry, move, turn.turn, hash((stood, move.seat)), clock, firsts.pop(move.seat, False))
    for entry in made:
        entry.line = tuple(line)
        entry.cuts += [None] * (PHASES - 1 - len(entry.cuts))


def _note(entry: Entry, move: Move, turn: int, stood: int, clock: Clock, is_first: bool) -> None:
    """Take one turn of a seat down."""
    entry.turns.append(turn)
    entry.actions.append(clean.line(move.action, SHOWN))
    entry.stood.append(stood)
    share = clock.share(is_first)
    entry.times.append((move.seconds or 0.0) / share if share > 0 else 0.0)
    if move.bank is not None and clock.bank > 0:
        left = move.bank / clock.bank
        entry.reserve = left if entry.reserve is None else min(entry.reserve, left)
    if "@value" in move.stderr:
        for name, number in _values(move):
            if name in entry.values or len(entry.values) < MAX_VALUES:
                entry.values.setdefault(name, []).append((turn, number))


def _values(move: Move) -> Iterator[tuple[str, float]]:
    """The last number that a move gives to each name."""
    from dohyo.match.telling.annotations import drawn_in

    yield from {one[1]: one[2] for one in drawn_in(move) if one[0] == "value"}.items()


# --- what a position looks like


def _conditions(game: Game, replay: Replay, first: State, fields: Sequence[str]) -> dict[str, str]:
    """What the match was played under: options of its setup, its map, how many sat, how its first state differs."""
    found = {f"setup:{name}": _word(value) for name, value in replay.header.setup.items()}
    found["seats"] = str(len(replay.header.seats))
    if named := game.map_name(first):
        found["map"] = clean.line(named, SHOWN)
    for name in fields:
        found[f"field:{name}"] = f"{getattr(first, name):g}"
    return found


def _word(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return clean.line(text, SHOWN)


def scalars(game: Game) -> list[str]:
    """The fields of a state that are single numbers."""
    return [name for name, _, length in game.rules.LAYOUT.fields if not length]


def _position(game: Game, state: State) -> int:
    """A number for what stands on the board, whatever the turn is: the rows of the state."""
    rows = [tuple(getattr(state, name)) for name, _, length in game.rules.LAYOUT.fields if length]
    return int.from_bytes(blake2b(repr(rows).encode(), digest_size=8).digest())


def _cut(game: Game, state: State, made: Sequence[Entry]) -> None:
    """Describe the position for each seat that is still in the match."""
    rows = _rows(game)
    judge = game.judge()
    is_in = [not game.out(state, entry.seat) for entry in made]
    for entry in made:
        seat = entry.seat
        if game.rules.over(state) or not is_in[seat]:
            entry.cuts.append(None)
            continue
        living = [other for other in range(len(made)) if other != seat and is_in[other]]
        found = [float(len(living))]
        for row in rows:
            values = getattr(state, row)
            theirs = sum(values[other] for other in living) / max(1, len(living))
            found.append(float(values[seat] - theirs))
        if judge.value is not None:
            found.append(float(judge.value(state, seat)))
        entry.cuts.append(found)


def _rows(game: Game) -> list[str]:
    """The fields that have a number for each seat."""
    lengths = {game.seats[1]} - {0, 1}  # where the number of seats varies, matches must have the same fields
    return [name for name, kind, length in game.rules.LAYOUT.fields if length in lengths]


def bounds_of(lengths: Mapping[str, Sequence[int]], kind: str) -> tuple[int, ...]:
    """The turns in which the middle and the end of such a match begin: thirds of the usual length."""
    known = sorted(lengths[kind])
    usual = known[len(known) // 2]
    return tuple(max(part, usual * part // PHASES) for part in range(1, PHASES))
