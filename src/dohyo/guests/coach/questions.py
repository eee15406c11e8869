"""Everything that is asked of a bot's matches at once: which of them are a group, beside which others, what is usual.

A question is asked only where enough is there: of seats and opponents, matches of others too, since a seat that is
worse for everybody is no mistake of a bot's, and an opponent that beats everybody is no weakness.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp, log
from statistics import fmean, pvariance

import msgspec

from dohyo.guests.coach import findings as kinds
from dohyo.guests.coach.chances import Course
from dohyo.guests.coach.entries import EARLY, FIRST, PHASES, Entry
from dohyo.series.costs import FEW, Compared, Usual, below, compared, usual_of

MANY = 12  # values of one condition, openings of one length, positions: the most frequent ones are asked about
BAD, GOOD = 0.4, 0.6  # of its usual chance: who is behind, who is ahead (as shares of the way to a win)
SHORT = 0.2  # of a reserve, or of a turn's time, that is left when time is short
PHASE_NAMES = ("begin", "middle", "end")
SURE = 30  # matches of which parts are told
SHARE = 0.5  # of what is lost in all parts of a match together, that is lost in one of them, if it is named
EDGE = 0.02  # no chance is nearer to 0 or 1
STRONGEST, HALVINGS = 6.0, 40  # log odds; steps by which they are found


class Question(msgspec.Struct):
    """Whether a group of matches costs points.

    `ask` answers it for the points of all matches, which may have been changed meanwhile by what is known already;
    `inside` are the places of its matches. `turn` is where to look at one.
    """

    kind: str
    name: str
    inside: frozenset[int]
    ask: Callable[[Sequence[Sequence[float]]], Compared | None]
    turn: Callable[[Entry], int | None] = lambda entry: None
    facts: dict[str, object] = {}


Values = Sequence[Sequence[float]]  # of each match: the chances at the ends of its phases; the last are its points


def questions(own: Sequence[Entry], others: Sequence[Entry], course: Course) -> tuple[list[Question], list[str]]:
    """All of them, and the kinds that cannot be asked here."""
    found: dict[frozenset[int], Question] = {}
    unknown: list[str] = []
    made = [*_conditions(own), *_seats(own, others, unknown), *_opponents(own, others, unknown)]
    for one in (*made, *_openings(own), *_times(own)):
        rest = frozenset(range(len(own))) - one.inside
        if len(one.inside) >= FEW and len(rest) >= FEW:
            found.setdefault(one.inside, one)
    told = [*found.values(), *_positions(own, others)]
    if not course.is_known:
        return told, [*unknown, kinds.PHASE]
    return [*told, *parts(own, course)], unknown


def parts(own: Sequence[Entry], course: Course) -> list[Question]:
    """In which part of a match points are lost, and whether behind or ahead."""
    return [*_phases(own, course), *_when(own, course)]


def _group(kind: str, name: str, inside: Iterable[int], usual: Usual | None = None, **more: object) -> Question:
    """A question about the points of some matches beside all others."""
    chosen = frozenset(inside)

    def ask(values: Values) -> Compared | None:
        points = [one[-1] for one in values]
        return compared(
            [points[at] for at in sorted(chosen)],
            [one for at, one in enumerate(points) if at not in chosen],
            usual,
        )

    return Question(kind, name, chosen, ask, **more)  # type: ignore[arg-type]


# --- what the match was played under


def _conditions(own: Sequence[Entry]) -> Iterator[Question]:
    keys = sorted({key for entry in own for key in entry.conditions}, key=lambda key: (key.startswith("field:"), key))
    for key in keys:
        values = Counter(entry.conditions.get(key, "") for entry in own)
        if not 1 < len(values) <= 4 * MANY:
            continue
        for value, _ in values.most_common(MANY):
            inside = (at for at, entry in enumerate(own) if entry.conditions.get(key, "") == value)
            yield _group(kinds.CONDITION, f"{key.partition(':')[2] or key}={value}", inside)


def _seats(own: Sequence[Entry], others: Sequence[Entry], unknown: list[str]) -> Iterator[Question]:
    seats = sorted({entry.seat for entry in own})
    if len(seats) < 2:
        return
    for seat in seats:
        usual = _usual(others, lambda entry, seat=seat: entry.seat == seat)  # type: ignore[misc]
        if usual is None:
            unknown += [kinds.SEAT] if kinds.SEAT not in unknown else []
        else:
            yield _group(kinds.SEAT, str(seat), (at for at, entry in enumerate(own) if entry.seat == seat), usual)


def _usual(
    others: Sequence[Entry], is_in: Callable[[Entry], bool], counts: Callable[[Entry], bool] = lambda entry: True
) -> Usual | None:
    """What a group costs other bots; none where too few matches of theirs are known."""
    inside: dict[int, list[float]] = defaultdict(list)
    beside: dict[int, list[float]] = defaultdict(list)
    for entry in others:
        if counts(entry):
            (inside if is_in(entry) else beside)[entry.match.number].append(entry.points)
    return usual_of(inside, beside)


def _opponents(own: Sequence[Entry], others: Sequence[Entry], unknown: list[str]) -> Iterator[Question]:
    names = Counter(name for entry in own for name in entry.others)
    if len(names) < 2:
        return
    for name, _ in names.most_common(4 * MANY):
        usual = _usual(
            others,
            lambda entry, name=name: name in entry.others,  # type: ignore[misc]
            lambda entry, name=name: entry.name != name,  # type: ignore[misc]
        )
        if usual is None:
            unknown += [kinds.OPPONENT] if kinds.OPPONENT not in unknown else []
            continue
        inside = (at for at, entry in enumerate(own) if name in entry.others)
        yield _group(kinds.OPPONENT, name, inside, usual)


# --- what the bot did


def _openings(own: Sequence[Entry]) -> Iterator[Question]:
    for count in range(1, FIRST + 1):
        yield from _begun(own, [tuple(entry.actions[:count]) for entry in own], count, "own")
    for count in (2, 3, 4, 6):
        yield from _begun(own, [entry.line[:count] for entry in own], count, "all")


def _begun(own: Sequence[Entry], starts: Sequence[tuple[str, ...]], count: int, whose: str) -> Iterator[Question]:
    for start, many in Counter(starts).most_common(MANY):
        if len(start) == count and FEW <= many <= len(own) - FEW:
            inside = (at for at, one in enumerate(starts) if one == start)
            turn = lambda entry: entry.turns[0] if entry.turns else None  # noqa: E731
            yield _group(kinds.OPENING, ", ".join(start), inside, turn=turn, facts={"whose": whose, "count": count})


def _times(own: Sequence[Entry]) -> Iterator[Question]:
    short = [at for at, entry in enumerate(own) if entry.reserve is not None and entry.reserve < SHORT]
    yield _group(kinds.TIME, "reserve", short, facts={"share": SHORT})
    near = [at for at, entry in enumerate(own) if entry.reserve is None and max(entry.times, default=0) > 1 - SHORT]
    yield _group(kinds.TIME, "turn", near, turn=_longest, facts={"share": 1 - SHORT})


def _longest(entry: Entry) -> int | None:
    """The turn that took the largest part of its time."""
    return max(zip(entry.times, entry.turns, strict=True))[1] if entry.turns else None


def _positions(own: Sequence[Entry], others: Sequence[Entry]) -> Iterator[Question]:
    """Positions that the bot and others came to: whether what it did there is worse than what they did."""
    mine, theirs = _stood(own), _stood(others)
    shared = [key for key, found in mine.items() if len(found) >= FEW and len(theirs.get(key, ())) >= FEW]
    shared.sort(key=lambda key: -len(mine[key]))
    for key in shared[:MANY]:
        action, many = Counter(one for _, _, one in mine[key]).most_common(1)[0]
        inside = frozenset(at for at, _, one in mine[key] if one == action)
        beside = {others[at].match.number: others[at].points for at, _, one in theirs[key] if one != action}
        rest = [entry.points for at, entry in enumerate(own) if at not in inside]
        if min(many, len(beside), len(rest)) < FEW:
            continue
        points = [entry.points for entry in others]
        spread = (pvariance(rest) + 1 / len(rest)) / len(rest) + pvariance(points) / len(points)
        usual = Usual(fmean(points) - fmean(rest), spread)
        better = Counter(one for _, _, one in theirs[key] if one != action).most_common(1)[0][0]
        yield _placed(action, better, inside, [*beside.values()], usual, {at: turn for at, turn, _ in mine[key]}, own)


def _placed(
    action: str,
    better: str,
    inside: frozenset[int],
    beside: list[float],
    usual: Usual,
    turns: dict[int, int],
    own: Sequence[Entry],
) -> Question:
    """A question about one position."""
    by_match = {own[at].match.number: turn for at, turn in turns.items()}

    def ask(values: Values) -> Compared | None:
        return compared([values[at][-1] for at in sorted(inside)], beside, usual)

    facts: dict[str, object] = {"better": better, "times": len(beside)}
    return Question(kinds.POSITION, action, inside, ask, lambda entry: by_match.get(entry.match.number), facts)


def _stood(entries: Sequence[Entry]) -> dict[int, list[tuple[int, int, str]]]:
    """By position the places of the entries that came to it early, the turn, and what was done; each entry once."""
    found: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for at, entry in enumerate(entries):
        seen: set[int] = set()
        for key, turn, action in zip(entry.stood[:EARLY], entry.turns, entry.actions, strict=False):
            if key not in seen:
                seen.add(key)
                found[key].append((at, turn, action))
    return found


# --- the parts of a match


def _phases(own: Sequence[Entry], course: Course) -> Iterator[Question]:
    doubts = [0.0, *(course.doubt(own, at) for at in range(PHASES - 1)), 0.0]
    for phase in range(PHASES):

        def ask(values: Values, phase: int = phase) -> Compared | None:
            gains = [[after - before for before, after in pairwise(one)] for one in values]
            known, doubt = doubts[phase] + doubts[phase + 1], 0.0
            if not phase:  # who has lost nothing in the begin stands where others stand, and there it is known
                known, doubt = doubt, known
            found = below([one[phase] for one in gains], known, doubt)
            means = [fmean(one[at] for one in gains) for at in range(PHASES)]
            lost = sum(-one for one in means if one < 0)
            if found is None or -means[phase] < SHARE * lost:
                return None if found is None else msgspec.structs.replace(found, chance=1.0)
            return found

        turn = lambda entry, phase=phase: ([0, *entry.bounds])[phase]  # noqa: E731
        yield Question(kinds.PHASE, PHASE_NAMES[phase], frozenset(range(len(own))), ask, turn)


def _when(own: Sequence[Entry], course: Course) -> Iterator[Question]:
    """Where a bot was behind, or ahead: whether it then got less than others get from there.

    A bot that is weaker everywhere gets less from every position. So what it gets from its other ones is taken to be
    its strength, as a shift of all chances by so many log odds, and only what is below that is told.
    """
    chances = [course.of(entry) for entry in own]
    for at in range(1, PHASES):
        known = [number for number, entry in enumerate(own) if entry.cuts[at - 1] is not None]
        behind = frozenset(number for number in known if chances[number][at] < BAD)
        ahead = frozenset(number for number in known if chances[number][at] > GOOD)
        for kind, inside in ((kinds.BEHIND, behind), (kinds.AHEAD, ahead)):
            beside = [number for number in known if number not in inside]
            doubt = course.doubt([own[one] for one in inside], at - 1)

            def ask(
                values: Values,
                at: int = at,
                inside: frozenset[int] = inside,
                beside: list[int] = beside,
                doubt: float = doubt,
            ) -> Compared | None:
                shift = strength([values[one][at] for one in beside], [values[one][-1] for one in beside])
                missed = [values[one][-1] - shifted(values[one][at], shift) for one in beside]
                unsure = doubt + pvariance(missed) / len(missed)  # how strong it is was reckoned from so few
                return below([values[one][-1] - shifted(values[one][at], shift) for one in sorted(inside)], unsure)

            turn = lambda entry, at=at: entry.bounds[at - 1]  # noqa: E731
            if len(inside) >= SURE and len(beside) >= SURE:
                yield Question(kind, PHASE_NAMES[at - 1], inside, ask, turn)


def shifted(chance: float, shift: float) -> float:
    """A chance after its odds have changed."""
    known = min(max(chance, EDGE), 1 - EDGE)
    return 1 / (1 + exp(-log(known / (1 - known)) - shift))


def strength(chances: Sequence[float], points: Sequence[float]) -> float:
    """The log odds by which chances must be shifted to be the points that were taken; 0 where these were more."""
    low, high, wanted = -STRONGEST, 0.0, sum(points)
    if sum(shifted(one, 0.0) for one in chances) <= wanted:
        return 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if sum(shifted(one, middle) for one in chances) < wanted:
            low = middle
        else:
            high = middle
    return high
