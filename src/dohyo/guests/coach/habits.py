"""What the bots above a bot do otherwise: kinds of actions, repetitions; and where its own `@value` was wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean, pstdev

import msgspec

from dohyo.guests.coach import findings as kinds
from dohyo.guests.coach.entries import PHASES, Entry
from dohyo.guests.coach.questions import PHASE_NAMES
from dohyo.series.costs import FEW, LEVEL, Compared, below, compared

MAX_KINDS = 16  # first words of actions: with more of them they are no kinds
MAX_ACTIONS = 24  # whole actions
LEAST = 0.04  # of the turns, that a habit must differ by
WIDE = 0.5  # standard deviations, too
RARE = 0.002  # of the turns: as good as never
SURE = 30  # matches of a bot's, and of those above it
HIGH = 0.6  # values from here on say that it is winning; below 1 - HIGH, that it is losing


class Difference(msgspec.Struct):
    """A question whose answer costs an unknown number of points: `found` is how likely it is by chance."""

    kind: str
    name: str
    found: Compared
    size: float
    facts: dict[str, object]
    entry: Entry
    turn: int | None = None


def above(own: Sequence[Entry], rest: Sequence[Entry]) -> list[str]:
    """The bots that clearly take more points than this one."""
    mine = [entry.points for entry in own]
    by_name: dict[str, dict[int, float]] = defaultdict(dict)
    for entry in rest:
        by_name[entry.name][entry.match.number] = entry.points
    found = []
    for name, points in sorted(by_name.items()):
        seen = compared(mine, [*points.values()])
        if seen is not None and seen.chance < LEVEL / len(by_name):
            found.append(name)
    return found


def habits(own: Sequence[Entry], rest: Sequence[Entry], names: Sequence[str]) -> list[Difference]:
    """What the bots of these names do more or less often than this one, over whole matches and in their parts."""
    theirs = [entry for entry in rest if entry.name in {*names}]
    if len(own) < SURE or len({entry.match.number for entry in theirs}) < SURE:
        return []
    names_of = _names([*own, *theirs])
    mine_by, theirs_by = ([_measured(entry, names_of) for entry in part] for part in (own, theirs))
    measures = list(mine_by[0])
    found = []
    for name in measures:
        mine = [one[name] for one in mine_by]
        by_match: dict[int, list[float]] = defaultdict(list)
        for entry, one in zip(theirs, theirs_by, strict=True):
            if (share := one[name]) is not None:
                by_match[entry.match.number].append(share)
        known = [one for one in mine if one is not None]
        other = [fmean(one) for one in by_match.values()]
        if min(len(known), len(other)) >= SURE and (made := _difference(name, known, other, own)) is not None:
            found.append(made)
    return found


def _names(entries: Sequence[Entry]) -> list[str]:
    """The kinds of actions that are counted, by their first words, and whole actions where there are few."""
    actions = Counter(action for entry in entries for action in entry.actions)
    words = Counter[str]()
    for action, many in actions.items():
        words[first_word(action)] += many
    named = [word for word, _ in words.most_common()] if len(words) <= MAX_KINDS else []
    whole = [one for one, _ in actions.most_common()] if len(actions) <= MAX_ACTIONS else []
    return [*dict.fromkeys((*named, *whole))]


def first_word(action: str) -> str:
    """The kind of an action: its first word."""
    return action.partition(" ")[0]


def _measured(entry: Entry, names: Sequence[str]) -> dict[str, float | None]:
    """What is measured of a match: shares of its turns, and of those in each part of it; none without such turns."""
    found: dict[str, float | None] = {
        "repeats:action": _same_again(entry),
        "repeats:position": _stood_again(entry),
    }
    counts = [Counter[str]() for _ in range(PHASES)]
    turns = [0] * PHASES
    for turn, action in zip(entry.turns, entry.actions, strict=True):
        phase = entry.phase(turn)
        turns[phase] += 1
        for name in {action, first_word(action)}:
            counts[phase][name] += 1
    whole = sum(counts, Counter[str]())
    for name in names:
        found[f"use:{name}"] = whole[name] / sum(turns) if sum(turns) else None
        for phase, many in enumerate(turns):
            found[f"use:{name}@{PHASE_NAMES[phase]}"] = counts[phase][name] / many if many else None
    return found


def _same_again(entry: Entry) -> float | None:
    """The share of actions that are one of the two before."""
    if len(entry.actions) < 3:
        return None
    rows = zip(entry.actions, entry.actions[1:], entry.actions[2:], strict=False)
    return sum(now in (one, two) for two, one, now in rows) / (len(entry.actions) - 2)


def _stood_again(entry: Entry) -> float | None:
    """The share of turns before which the board was as before an earlier one."""
    if len(entry.stood) < 3:
        return None
    return 1 - len({*entry.stood}) / len(entry.stood)


def _difference(name: str, mine: list[float], other: list[float], own: Sequence[Entry]) -> Difference | None:
    """The question whether this differs; none where it could not matter."""
    here, there = fmean(mine), fmean(other)
    low, high = (mine, other) if here < there else (other, mine)
    seen = compared(low, high)
    if seen is None:
        return None
    wide = pstdev([*mine, *other]) or 1.0
    size = abs(here - there) / wide
    kind, _, what = name.partition(":")
    action, _, phase = what.partition("@")
    is_never = kind == "use" and here < RARE <= LEAST <= there
    facts: dict[str, object] = {"here": here, "there": there, "phase": phase, "never": is_never, "of": len(other)}
    is_large = abs(here - there) >= LEAST and size >= WIDE
    # Which way it differs was seen first: so it is asked on both sides.
    seen = msgspec.structs.replace(seen, chance=min(1.0, 2 * seen.chance) if is_large else 1.0)
    worst = [entry for entry in own if entry.points < 1] or [*own]
    return Difference(kinds.REPEATS if kind == "repeats" else kinds.HABIT, action, seen, size, facts, worst[-1])


def sorted_habits(found: Sequence[Difference]) -> list[Difference]:
    """Those that say something of their own: what is never done first, then the largest; of each action one."""
    ranked = sorted(found, key=lambda one: (not one.facts.get("never"), bool(one.facts.get("phase")), -one.size))
    named: dict[str, Difference] = {}
    for one in ranked:
        if first_word(one.name) not in named:  # the kind says it, and not each of its actions
            named.setdefault(one.name, one)
    return [*named.values()]


# --- the bot's own values


def values(own: Sequence[Entry]) -> list[Difference]:
    """Where its own `@value` of a chance was wrong: high or low values of a part of the match, beside the points.

    Only a value from 0 to 1, or from 0 to 100 whose name says so, is a chance; of another number nothing is known.
    """
    found = []
    for name in sorted({one for entry in own for one in entry.values}):
        scale = _scale(name, [number for entry in own for _, number in entry.values.get(name, ())])
        if scale is None:
            continue
        for phase in range(PHASES):
            rows = [(entry, *mean) for entry in own if (mean := _mean(entry, name, phase, scale)) is not None]
            for is_high in (True, False):
                part = [row for row in rows if (row[1] >= HIGH if is_high else row[1] <= 1 - HIGH)]
                if (made := _wrong(name, phase, is_high, part)) is not None:
                    found.append(made)
    return found


def _scale(name: str, numbers: Sequence[float]) -> float | None:
    """What a certain win is in these numbers; none if they are no chances."""
    if not numbers or min(numbers) < 0:
        return None
    if max(numbers) <= 1:
        return 1.0
    says = any(word in name.lower() for word in ("win", "chance", "prob", "percent"))
    return 100.0 if max(numbers) <= 100 and says else None


def _mean(entry: Entry, name: str, phase: int, scale: float) -> tuple[float, int] | None:
    """The mean value in a part of a match, and the turn in which it was most wrong; none without one."""
    known = [(turn, number / scale) for turn, number in entry.values.get(name, ()) if entry.phase(turn) == phase]
    if not known:
        return None
    worst = max(known, key=lambda one: abs(one[1] - entry.points))
    return fmean(number for _, number in known), worst[0]


def _wrong(name: str, phase: int, is_high: bool, part: Sequence[tuple[Entry, float, int]]) -> Difference | None:
    """The question whether these values are too high, or too low."""
    sign = 1 if is_high else -1
    seen = below([sign * (entry.points - value) for entry, value, _ in part])
    if seen is None or len(part) < SURE:
        return None
    said, points = fmean(value for _, value, _ in part), fmean(entry.points for entry, _, _ in part)
    seen = seen if abs(said - points) >= 2 * LEAST else msgspec.structs.replace(seen, chance=1.0)
    worst = max(part, key=lambda row: abs(row[1] - row[0].points))
    facts: dict[str, object] = {"said": said, "points": points, "phase": PHASE_NAMES[phase], "high": is_high}
    return Difference(kinds.VALUE, name, seen, abs(said - points), facts, worst[0], worst[2])


assert FEW < SURE
