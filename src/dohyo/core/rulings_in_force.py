"""What an operator decided about results after they were played, and which result of a match counts.

A ruling is never changed or removed: it is taken back by a later one (`undoes`). So the list of all rulings is the
audit trail, and what counts is a function of that list and of the results that there are. No state besides them is
kept: doing something twice, or in another order, cannot make a result count twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from dohyo.core.contest import Entrant, Result

REJUDGE: Final = "rejudge"
ANNUL: Final = "annul"
DISQUALIFY: Final = "disqualify"
KINDS: Final = (REJUDGE, ANNUL, DISQUALIFY)
NEWER_VERSION: Final = "replaced by a newer version"  # why Dohyo itself annuls matches: no operator said so
ORIGINAL: Final = (
    0  # the attempt that is a match's first result; the others are named by the ruling that asked for it
)


class Ruling(msgspec.Struct, frozen=True):
    """One decision. `number` counts from 1 within the contest, `at` is seconds from 1970.

    `rejudge` has matches played again: the newest result counts. With `annul` no result of these matches counts.
    `disqualify` concerns a bot, all its versions; with `drops`, its matches count for nobody. With `undoes` it takes
    back what the newest such ruling did, for these matches or this bot. `because` is what the operator said.
    `batches` is how many batches were drawn when it was made: later draws know of it.
    """

    number: int
    kind: Literal["rejudge", "annul", "disqualify"]
    at: float
    batches: int
    because: str = ""
    undoes: bool = False
    matches: tuple[int, ...] = ()
    bot: str = ""
    drops: bool = False

    @property
    def is_of_version(self) -> bool:
        """Whether Dohyo made it: a newer version of a bot came, and the matches of the old one count for nobody."""
        return self.kind == ANNUL and self.because == NEWER_VERSION


class Attempt(msgspec.Struct, frozen=True):
    """A result of a match about which somebody ruled. `ruling` is the one that asked for it, `ORIGINAL` for none.

    `batches` is how many batches were drawn when it was stored; 0 for an original.
    """

    ruling: int
    result: Result
    batches: int = 0


class InForce:
    """What is in force after some rulings: `rejudged` has the rulings of a match that ask for further results, oldest
    first; `annulled` and `disqualified` say by which ruling."""

    def __init__(self, rulings: Iterable[Ruling]) -> None:
        self.rejudged: dict[int, list[int]] = {}
        self.annulled: dict[int, int] = {}
        self.disqualified: dict[str, Ruling] = {}
        for ruling in rulings:
            self._take(ruling)

    def _take(self, ruling: Ruling) -> None:
        if ruling.kind == DISQUALIFY:
            if ruling.undoes:
                self.disqualified.pop(ruling.bot, None)
            else:
                self.disqualified[ruling.bot] = ruling
        for match in ruling.matches:
            asked = self.rejudged.setdefault(match, []) if ruling.kind == REJUDGE else None
            if asked is None:
                if ruling.undoes:
                    self.annulled.pop(match, None)
                else:
                    self.annulled[match] = ruling.number
            elif not ruling.undoes:
                asked.append(ruling.number)
            elif asked:
                asked.pop()

    def voided_by(self, match: int, bots: Iterable[str]) -> int | None:
        """The ruling by which no result of a match between these bots counts; none if one may."""
        if match in self.annulled:
            return self.annulled[match]
        rulings = (self.disqualified.get(bot) for bot in bots)
        return next((ruling.number for ruling in rulings if ruling is not None and ruling.drops), None)

    def attempt(self, match: int, there: Collection[int]) -> int:
        """Which of the attempts that are `there` stands for a match, whether it counts or not."""
        asked = self.rejudged.get(match, [])
        return next((ruling for ruling in reversed(asked) if ruling in there), ORIGINAL)

    def counting(self, match: int, bots: Iterable[str], there: Collection[int]) -> int | None:
        """Which of the attempts that are `there` counts; none if no result of the match counts."""
        return None if self.voided_by(match, bots) is not None else self.attempt(match, there)

    def pending(self, match: int, there: Collection[int]) -> int | None:
        """The ruling that asks for a result of this match that is not there yet; none if nothing is to be played.

        Of several only the last one: what an earlier one asked for was never seen, and would not count.
        """
        asked = self.rejudged.get(match, [])
        return asked[-1] if asked and asked[-1] not in there else None


def in_force_at(batches: int, rulings: Iterable[Ruling]) -> InForce:
    """What was in force when `batches` had been drawn."""
    return InForce(ruling for ruling in rulings if ruling.batches <= batches)


def known_at(batches: int, earlier: InForce, attempts: Sequence[Attempt], bots: Collection[str]) -> Result | None:
    """The result of one match as it stood when `batches` had been drawn; none if it counted for nobody then.

    `earlier` is what was in force then (`in_force_at`, once for all matches). `attempts` are those of the match,
    played between `bots`; there is at least the original.
    """
    there = {each.ruling: each.result for each in attempts if each.batches <= batches}
    counting = earlier.counting(attempts[0].result.fixture.number, bots, there)
    return None if counting is None else there[counting]


def without_disqualified(entrants: Sequence[Entrant], rulings: Iterable[Ruling]) -> list[Entrant]:
    """The entrants as they take part: a disqualified bot, all its versions, is absent from the next draw on.

    What is stored of them stays as it is, so that taking a disqualification back leaves no trace but the batches that
    were drawn meanwhile.
    """
    absences: dict[str, list[tuple[int, int | None]]] = {}
    for ruling in rulings:
        if ruling.kind != DISQUALIFY:
            continue
        own = absences.setdefault(ruling.bot, [])
        is_out = bool(own) and own[-1][1] is None
        if is_out and ruling.undoes:
            start, _ = own.pop()
            own += [(start, ruling.batches)] if start < ruling.batches else []
        elif not is_out and not ruling.undoes:
            own.append((ruling.batches, None))
    return [
        replace(each, absences=tuple(sorted([*each.absences, *absences[each.name]], key=_when)))
        if absences.get(each.name)
        else each
        for each in entrants
    ]


def _when(absence: tuple[int, int | None]) -> tuple[bool, int]:
    """The order of absences: one without an end comes last."""
    return absence[1] is None, absence[0]
