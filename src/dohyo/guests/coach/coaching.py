"""What costs a bot the most points over all its matches: reads them, asks everything at once, names what is sure.

Theory of operation
-------------------
Faults are facts, and named as such. Everything else is a question with a chance that the answer is luck; all of them
are asked together, and `series/costs.py` keeps the chance that any named one is wrong below its level. What is named
first explains others: its points are given back to its matches, and a question counts only if it is still answered
then. So a map that is bad because a bot crashes there is not named beside the crash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from dohyo import clean
from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.replay import Replay
from dohyo.guests.coach import findings as kinds
from dohyo.guests.coach import inputs
from dohyo.guests.coach.chances import Course
from dohyo.guests.coach.entries import Entry, Slip, bounds_of, entries_of, scalars
from dohyo.guests.coach.findings import Finding, Report, Watch
from dohyo.guests.coach.habits import Difference, above, habits, sorted_habits, values
from dohyo.guests.coach.matches import Gathered, Match, all_of
from dohyo.guests.coach.questions import SURE, Question, Values, parts, questions
from dohyo.languages import traces
from dohyo.match.telling.fault_words import FAILURES
from dohyo.series.costs import FEW, LEVEL, Compared, compared, holm

MOST = 12  # findings
MAX_HABITS = 3
OFTEN = 0.1  # of their turns
WORTH = 0.01  # points a match, over all of them, that a finding must cost
SAID = 160  # characters of what a bot said, or replied
MAX_FIELDS = 8  # of a state's first values, by which matches are told apart
MAX_FAULTS = 6  # kinds of them
MAX_KEPT = 3_000_000  # turns of all bots that are kept, some 200 bytes of each: what comes behind is not read

Tell = Callable[[int, int], None]


def coached(found: Gathered, tell: Tell = lambda done, of: None) -> Report:
    """The report on a bot, from its matches and those of others; `tell` has how many of them were read."""
    read = _Read(found, tell)
    own, rest = read.own, read.rest
    report = Report(
        bot=found.bot,
        game=found.game.name,
        matches=len(own),
        points=fmean(entry.points for entry in own) if own else 0.0,
        asked=0,
        beside=len({entry.match.number for entry in read.others}),
        unread=found.left_out + read.unread,
        more=found.more + read.more,
        versions=max(1, len({entry.digest for entry in own})),
    )
    if not own:
        return report
    faults = _faults(found, own)
    sound = [entry for entry in own if not entry.slips]
    course = Course(read.others)
    asked, unknown = questions(sound, read.others, course) if len(sound) >= FEW else ([], [])
    others = [*habits(sound, rest, above(own, rest)), *values(sound)]
    costs, told, count = _answered(asked, others, sound, course)
    report.findings = tuple(_ordered([*faults, *costs], told, report.points)[:MOST])
    report.asked, report.unknown = count, tuple(unknown)
    return report


def _ordered(costs: Sequence[Finding], told: Sequence[Finding], points: float) -> list[Finding]:
    """The costliest first, then what costs an unknown number of points.

    That a bot never does what those above it often do explains in which part of a match it loses: it is told before.
    """

    def at_most(one: Finding) -> float:
        return one.cost if one.cost is not None else one.matches * max(points, 0.5)

    found = sorted(costs, key=lambda one: -at_most(one))
    first = next((at for at, one in enumerate(found) if one.kind in kinds.PARTS), len(found))
    drastic = [one for one in told if one.facts.get("never") and one.facts["there"] >= OFTEN][:1]
    return [*found[:first], *drastic, *found[first:], *(one for one in told if one not in drastic)]


class _Read:
    """What is kept of the matches: the bot's own entries, one a match, the others', and all but its own."""

    def __init__(self, found: Gathered, tell: Tell) -> None:
        self.unread = self.more = self._kept = 0
        lengths: dict[str, list[int]] = defaultdict(list)
        kinds_of: dict[int, str] = {}
        total = 2 * (len(found.own) + len(found.others))
        for done, match in enumerate(all_of(found)):
            tell(done, total)
            replay = self._replay(match)
            if replay is not None:
                kinds_of[match.number] = kind = _kind(replay)
                lengths[kind].append(replay.played)
        few = [kind for kind, known in lengths.items() if len(known) < FEW]
        every = [one for known in lengths.values() for one in known]
        bounds = {kind: bounds_of({kind: every} if kind in few else lengths, kind) for kind in lengths}
        fields = scalars(found.game)
        self.own, self.others, self.rest = [], [], []
        for done, match in enumerate(all_of(found), total // 2):
            tell(done, total)
            if self._kept > MAX_KEPT:  # the bot's own matches come first
                self.more += found.bot in match.names
            elif match.number in kinds_of and (replay := self._replay(match)) is not None:
                self._take(found, match, replay, bounds[kinds_of[match.number]], fields)
        _drop_fields([*self.own, *self.rest], fields)

    own: list[Entry]  # of the bot
    others: list[Entry]  # of matches without it
    rest: list[Entry]  # of other bots in all matches

    def _replay(self, match: Match) -> Replay | None:
        """A match's replay; none if it cannot be read, says nothing, or has no result."""
        try:
            replay = match.read()
        except MachineError:
            raise
        except OperatorError:  # one that cannot be read hides no others
            self.unread += 1
            return None
        is_whole = bool(replay.result.places) and not replay.disturbed and len(replay.header.seats) > 1
        self.unread += not is_whole
        return replay if is_whole else None

    def _take(
        self, found: Gathered, match: Match, replay: Replay, bounds: tuple[int, ...], fields: Sequence[str]
    ) -> None:
        try:
            made = entries_of(found.game, match, replay, bounds, fields)
        except OperatorError:  # it contradicts the rules, or its setup is none
            self.unread += 1
            return
        self._kept += sum(len(entry.turns) for entry in made)
        mine = [entry for entry in made if entry.name == found.bot]
        rest = [entry for entry in made if entry.name != found.bot]
        if mine:  # a match counts once, whoever sits on how many seats
            faulty = [entry for entry in mine if entry.slips]
            self.own.append((faulty or mine)[match.number % len(faulty or mine)])
        else:
            self.others += rest
        self.rest += rest


def _kind(replay: Replay) -> str:
    """Matches that are about as long as each other: of the same setup, with as many seats."""
    return f"{len(replay.header.seats)} {sorted(replay.header.setup.items())}"


def _drop_fields(entries: Sequence[Entry], fields: Sequence[str]) -> None:
    """Forget fields that are the same in all matches, or another in most: they do not tell matches apart."""
    for name in fields:
        key = f"field:{name}"
        seen = {entry.conditions.get(key, "") for entry in entries}
        if not 1 < len(seen) <= MAX_FIELDS:
            for entry in entries:
                entry.conditions.pop(key, None)


# --- faults


def _faults(found: Gathered, own: Sequence[Entry]) -> list[Finding]:
    """What the bot did wrong, by kind and place, and what it cost beside its matches without a fault."""
    by_kind: dict[tuple[str, str], list[tuple[Entry, Slip]]] = defaultdict(list)
    for entry in own:
        for slip in entry.slips:
            by_kind[_key(slip)].append((entry, slip))
    sound = [entry.points for entry in own if not entry.slips]
    ranked = sorted(by_kind.items(), key=lambda pair: -len(pair[1]))
    return [_fault(found, own, key, seen, sound) for key, seen in ranked[:MAX_FAULTS]]


def _key(slip: Slip) -> tuple[str, str]:
    """What makes faults the same: the kind, and the place in the source where that is known, else the code."""
    place = traces.find(slip.said) if slip.kind in FAILURES and slip.said else None
    return slip.kind.value, f"{place.file}:{place.line}" if place is not None else str(slip.code)


def _fault(
    found: Gathered, own: Sequence[Entry], key: tuple[str, str], seen: list[tuple[Entry, Slip]], sound: list[float]
) -> Finding:
    inside = [entry.points for entry, _ in seen]
    entry, slip = seen[-1]
    made = Finding(kind=kinds.FAULT, name=key[0], matches=len(seen), of=len(own), points=fmean(inside))
    if sound:
        made.others = fmean(sound)
    known = compared(inside, sound)
    if known is not None:
        made.cost = known.cost
        made.low, made.high = known.interval
    turns = sorted(one.turn for _, one in seen)
    place = traces.find(slip.said) if slip.kind in FAILURES and slip.said else None
    made.facts = {
        "code": str(slip.code),
        "first": turns[0],
        "last": turns[-1],
        "median": turns[len(turns) // 2],
        "phases": [sum(one.phase == phase for _, one in seen) for phase in range(3)],
        "place": clean.line(str(place), SAID) if place is not None else "",
        "reply": clean.line(slip.reply, SAID) if slip.reply is not None else "",
        "asked": slip.asked,
    }
    made.watch = _watch(entry, slip.turn)
    made.where = inputs.common(found.game, [(each, one.turn) for each, one in seen if one.asked], own)
    return made


def _watch(entry: Entry, turn: int | None) -> Watch:
    match = entry.match
    return Watch(clean.line(match.label), entry.seat, turn, match.file, match.save)


# --- questions


def _answered(
    asked: Sequence[Question], others: Sequence[Difference], own: Sequence[Entry], course: Course
) -> tuple[list[Finding], list[Finding], int]:
    """What is named of both kinds of questions, and how many there were."""
    values_of: Values = [course.of(entry) for entry in own]
    answers = [one.ask(values_of) for one in asked]
    known = [(one, found) for one, found in zip(asked, answers, strict=True) if found is not None]
    half = LEVEL / 2  # for each of the two kinds of questions: so neither hides the other by its number
    named = holm([found.chance for _, found in known], half)
    left = [one for (one, _), is_named in zip(known, named, strict=True) if is_named]
    each = half / max(1, len(known))
    first = {id(one): found for one, found in known}
    # What holds for some matches is looked at first: it says more than the part of the match in which it shows.
    groups = [one for one in left if one.kind not in kinds.PARTS]
    costs, gone = _explained(groups, own, values_of, each, first)
    rest = [entry for at, entry in enumerate(own) if at not in gone]
    still = {(one.kind, one.name) for one in left if one.kind in kinds.PARTS}
    if still and len(rest) >= SURE:
        again = [one for one in parts(rest, course) if (one.kind, one.name) in still]
        known_of = [course.of(entry) for entry in rest]
        whole = {id(one): found for one in again if (found := one.ask(known_of)) is not None}
        more, _ = _explained([one for one in again if id(one) in whole], rest, known_of, each, whole)
        costs += _of_each(more)
    answers_of = holm([one.found.chance for one in others], half)
    sure = [one for one, is_named in zip(others, answers_of, strict=True) if is_named]
    told = [_told(one, own) for one in sure if one.kind == kinds.VALUE]
    told.sort(key=lambda one: -abs(one.facts["said"] - one.facts["points"]) * one.matches)
    told += [_told(one, own) for one in sorted_habits([one for one in sure if one.kind != kinds.VALUE])[:MAX_HABITS]]
    return costs, told, len(known) + len(others)


def _explained(
    left: list[Question],
    own: Sequence[Entry],
    values_of: Values,
    level: float,
    first: Mapping[int, Compared],
) -> tuple[list[Finding], frozenset[int]]:
    """Those that are still answered when what is named before them is taken into account, the surest one first;
    and the places of their matches."""
    found: list[Finding] = []
    gone: frozenset[int] = frozenset()
    while left and len(found) < MOST:
        seen = [(known.chance, at, known) for at, one in enumerate(left) if (known := one.ask(values_of)) is not None]
        seen = [one for one in seen if one[0] <= level and one[2].cost >= WORTH * len(own)]
        if not seen:
            break
        _, at, known = min(seen, key=lambda one: (one[0], -one[2].cost))
        question = left.pop(at)
        low, high = known.interval
        if low > 0:
            found.append(_cost(question, known, first[id(question)], (low, high), own))
        gone |= question.inside
        values_of = _given_back(values_of, question, known)
    return found, gone


def _of_each(found: Sequence[Finding]) -> list[Finding]:
    """One part of the match, and one of being behind or ahead: the surest, which explains the others mostly."""
    named = {("phase" if one.kind == kinds.PHASE else "when"): one for one in reversed(found)}
    return [one for one in found if one in named.values()]


def _given_back(values_of: Values, question: Question, known: Compared) -> Values:
    """The chances of all matches, as if those of a group had gone like the others."""
    if question.kind == kinds.PHASE:
        return _phase_given_back(values_of, question.name, known)
    rest = [one for at, one in enumerate(values_of) if at not in question.inside]
    inside = [values_of[at] for at in sorted(question.inside)]
    lost = [0.0] * (len(inside[0]) - 1) + [known.lost]
    if rest and question.kind not in kinds.PARTS:
        lost = [fmean(one[at] for one in rest) - fmean(one[at] for one in inside) for at in range(len(lost))]
        lost[-1] = max(lost[-1], known.lost)
    return [
        [one + more for one, more in zip(row, lost, strict=True)] if at in question.inside else row
        for at, row in enumerate(values_of)
    ]


def _phase_given_back(values_of: Values, name: str, known: Compared) -> Values:
    from dohyo.guests.coach.questions import PHASE_NAMES

    phase = PHASE_NAMES.index(name)
    return [[one + (known.lost if at > phase else 0.0) for at, one in enumerate(row)] for row in values_of]


def _cost(
    question: Question, known: Compared, first: Compared, bounds: tuple[float, float], own: Sequence[Entry]
) -> Finding:
    """What is named; the points are those that were played, whatever was given back since."""
    inside = [own[at] for at in sorted(question.inside)]
    worst = ([entry for entry in inside if entry.points < 1] or inside)[-1]
    return Finding(
        kind=question.kind,
        name=clean.line(question.name),
        matches=known.matches,
        of=len(own),
        points=first.points,
        others=first.others,
        cost=known.cost,
        low=bounds[0],
        high=bounds[1],
        watch=_watch(worst, question.turn(worst)),
        facts=dict(question.facts),
    )


def _told(one: Difference, own: Sequence[Entry]) -> Finding:
    return Finding(
        kind=one.kind,
        name=clean.line(one.name),
        matches=one.found.matches if one.kind == kinds.VALUE else len(own),
        of=len(own),
        watch=_watch(one.entry, one.turn),
        facts=dict(one.facts),
    )
