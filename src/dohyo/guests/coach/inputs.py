"""On which inputs a bot has its faults: what their positions and matches have in common, beside its other turns.

The matches with faults are played again, and some without. Of each own turn some numbers are taken: the turn, the
fields of the state, how full its rows are, how many actions there are. If nearly all faults lie on one side of a
number, and few of the other turns do, that is told. So are conditions of the match, by Fisher's exact test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, lgamma

from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State
from dohyo.guests.coach.entries import Entry
from dohyo.guests.coach.findings import Where

MAX_FAULTS = 60  # that are looked at, and as many matches without one
MAX_TURNS = 4000  # turns without a fault
INSIDE = 0.9  # of the faults have it
BESIDE = 0.5  # of the other turns at most
SURE = 0.001
MANY = 3  # things that are told
TURN = "turn"
LEGAL = "legal actions"
FILLED = " != 0"  # behind the name of a row: how many of its numbers

Row = dict[str, float]


def common(game: Game, faulty: Sequence[tuple[Entry, int]], own: Sequence[Entry]) -> tuple[Where, ...]:
    """What these faults, each an entry and a turn, have in common beside the bot's other turns and matches."""
    found = [*_of_matches(faulty, own)]
    where, clean = _rows(game, faulty[-MAX_FAULTS:], own)
    told = {key.partition(":")[2] for entry, _ in faulty for key in entry.conditions}  # the same all the match
    known = [] if len(where) < 3 else [one for one in _of_positions(where, clean) if one.name not in told]
    return tuple([*sorted(found, key=lambda one: one.beside), *known][:MANY])


# --- conditions of the match


def _of_matches(faulty: Sequence[tuple[Entry, int]], own: Sequence[Entry]) -> list[Where]:
    hit = {entry.match.number for entry, _ in faulty}
    words = [[f"seat={entry.seat}"] for entry in own]
    for entry, its in zip(own, words, strict=True):
        keys = sorted(entry.conditions, key=lambda key: key.startswith("field:"))
        its += [f"{key.partition(':')[2] or key}={entry.conditions[key]}" for key in keys]
    counts = Counter(word for its in words for word in its)
    inside = Counter(word for entry, its in zip(own, words, strict=True) if entry.match.number in hit for word in its)
    size, many = len(own), sum(entry.match.number in hit for entry in own)
    found: dict[tuple[int, int], Where] = {}
    for word, count in counts.items():
        if count == size or inside[word] < max(2, INSIDE * many):
            continue
        if fisher(inside[word], many, count, size) * len(counts) < SURE:
            beside = (count - inside[word]) / max(1, size - many)
            name, _, value = word.partition("=")
            found.setdefault((count, inside[word]), Where("condition", name, value, inside[word], many, beside))
    return [*found.values()]


def fisher(inside: int, many: int, count: int, size: int) -> float:
    """How likely at least `inside` of `many` drawn from `size` are among `count` chosen ones."""

    def ways(of: int, chosen: int) -> float:
        return lgamma(of + 1) - lgamma(chosen + 1) - lgamma(of - chosen + 1)

    whole = ways(size, many)
    most = min(many, count)
    return sum(
        exp(ways(count, at) + ways(size - count, many - at) - whole)
        for at in range(inside, most + 1)
        if many - at <= size - count
    )


# --- numbers of the position


def _rows(game: Game, faulty: Sequence[tuple[Entry, int]], own: Sequence[Entry]) -> tuple[list[Row], list[Row]]:
    """The numbers of the turns with these faults, and of others."""
    turns = {(entry.match.number, entry.seat): turn for entry, turn in faulty}
    chosen = {(entry.match.number, entry.seat): entry for entry, _ in faulty}
    spare = [entry for entry in own if (entry.match.number, entry.seat) not in chosen and not entry.slips]
    chosen |= {(entry.match.number, entry.seat): entry for entry in spare[-MAX_FAULTS:]}
    where: list[Row] = []
    clean: list[Row] = []
    for key, entry in chosen.items():
        first = min((slip.turn for slip in entry.slips), default=None)
        try:
            for moment in playback.moments(game, entry.match.read()):
                turn = moment.turn.turn
                move = next((one for one in moment.turn.moves if one.seat == entry.seat), None)
                if move is None or move.seconds is None:
                    continue
                if turns.get(key) == turn:
                    where.append(_numbers(game, moment.before, entry.seat, turn))
                elif (first is None or turn < first) and len(clean) < MAX_TURNS:
                    clean.append(_numbers(game, moment.before, entry.seat, turn))
        except OperatorError:  # the file has gone since
            continue
    return where, clean


def _numbers(game: Game, state: State, seat: int, turn: int) -> Row:
    found: Row = {TURN: float(turn)}
    for name, _, length in game.rules.LAYOUT.fields:
        value = getattr(state, name)
        if not length:
            if name != TURN:
                found[name] = float(value)
            continue
        if seat < length <= game.seats[1]:
            found[name] = float(value[seat])
        else:
            found[f"{name}{FILLED}"] = float(sum(one != 0 for one in value))
    if game.rules.acts(state, seat):
        found[LEGAL] = float(game.rules.count_legal(state, seat, row_of(game.rules.ACTIONS)))
    return found


def _of_positions(where: Sequence[Row], clean: Sequence[Row]) -> list[Where]:
    """The numbers that part the faults from the other turns, the sharpest first; of alike ones the first."""
    names = [name for name in where[0] if all(name in row for row in where)]
    found: list[Where] = []
    for name in names:
        values = sorted(row[name] for row in where)
        others = [row[name] for row in clean if name in row]
        spare = int((1 - INSIDE) * len(values))
        ends = [("least", values[spare]), ("most", values[-1 - spare])]
        for kind, value in ends[: 1 if name == TURN else 2]:  # that it is early is told already
            is_least = kind == "least"
            inside = sum((one >= value if is_least else one <= value) for one in values)
            share = sum((one >= value if is_least else one <= value) for one in others) / max(1, len(others))
            chance = max(share, 1 / (len(others) + 1)) ** inside * 2 * len(names)
            if share <= BESIDE and chance < SURE:
                found.append(Where(kind, name, f"{value:g}", inside, len(values), share))
    found.sort(key=lambda one: one.beside)
    return found[:MANY]
