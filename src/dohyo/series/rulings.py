"""What the operator decides about results: which matches are meant, whether that is possible, what it changed.

The rules themselves are in `dohyo.core.rulings_in_force`; a store lets a ruling take effect in the transaction that
keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from heapq import merge
from time import time

import msgspec

from dohyo import clean
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.faults import KINDS
from dohyo.core.options import nearest, some_of
from dohyo.core.rulings_in_force import ANNUL, DISQUALIFY, ORIGINAL, REJUDGE, Attempt, InForce, Ruling
from dohyo.i18n import ENGLISH, LANGUAGES, Speaker
from dohyo.series.formats import find
from dohyo.series.replaced import annul_replaced, replaced
from dohyo.series.session import ContestView, leave_over
from dohyo.series.spans import numbers
from dohyo.series.spec import reporting_damage
from dohyo.series.standings import ratings_to_publish

LONGEST = 2000  # characters of a reason
MAX_DIGITS = 9  # of a match's number
_SPACES = re.compile(r"[\s_-]+")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches are meant: by their numbers, or those of a `bot`, or with faults of these `kinds`.

    Without numbers, only matches with a fault are meant (of the bot, if one is named), unless `everything` is true.
    """

    numbers: tuple[int, ...] = ()
    bot: str | None = None
    kinds: frozenset[str] = frozenset()
    everything: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether no match is named in any way."""
        return not self.numbers and self.bot is None and not self.kinds


def numbers_of(words: Sequence[str]) -> tuple[int, ...]:
    """Matches by their numbers, `7` or `7-12`. Raises `OperatorError` for anything else."""
    found: list[int] = []
    for word in words:
        first, dash, last = word.partition("-")
        if not all(part.isdecimal() and len(part) <= MAX_DIGITS for part in ((first, last) if dash else (first,))):
            raise OperatorError("contest-match-number", given=word)
        end = int(last) if dash else int(first)
        if end < int(first):
            raise OperatorError("contest-match-range", given=word, turned=f"{end}-{int(first)}")
        if end - int(first) > 1_000_000:
            raise OperatorError("contest-match-number", given=word)
        found += range(int(first), end + 1)
    return tuple(dict.fromkeys(found))


def kinds_of(conditions: Sequence[str]) -> frozenset[str]:
    """The kinds of faults in conditions such as `fault=time-out`: by their names in any language, or `any`.

    Raises `OperatorError` for anything else.
    """
    called = {kind: kind for kind in sorted(KINDS)}
    for kind in sorted(KINDS):
        called |= {Speaker(language).say(f"fault.{kind}"): kind for language in LANGUAGES}
    plain = {_plain(name): kind for name, kind in called.items()}
    found: set[str] = set()
    for condition in conditions:
        key, equals, value = condition.partition("=")
        if key.strip() != "fault" or not equals:
            raise OperatorError("rejudge-where", given=condition)
        for name in value.split(","):
            if _plain(name) == "any":
                found |= KINDS
            elif _plain(name) in plain:
                found.add(plain[_plain(name)])
            else:
                close = nearest(name.strip(), called)
                shown = ", ".join(sorted(ENGLISH.say(f"fault.{kind}") for kind in KINDS))  # as tables have them
                raise OperatorError("rejudge-fault", given=name.strip(), nearest=close, known=shown)
    return frozenset(found)


def _plain(name: str) -> str:
    return _SPACES.sub("", name).casefold()


def chosen(view: ContestView, wanted: Wanted) -> tuple[int, ...]:
    """The numbers of the matches that are meant, ascending: those that count, or that are named by their numbers.

    Raises `OperatorError` for a bot or a match that is not there, and where none is meant.
    """
    if wanted.bot is not None:
        check_bot(view, wanted.bot)
    if wanted.numbers:
        _check_played(view, wanted.numbers)
        return tuple(sorted(wanted.numbers))
    own = {each.number for each in view.entrants if each.name == wanted.bot}
    with reporting_damage(view.store):
        found = [each.fixture.number for each in view.store.played(view.contest.id) if _is_meant(each, wanted, own)]
    if not found:
        raise _none_meant(view, wanted)
    return tuple(found)


def chosen_void(view: ContestView, wanted: Wanted) -> list[RuledResult]:
    """The results of the matches that are meant, without being named by number, and of which no result counts."""
    if wanted.numbers or wanted.says_nothing:
        return []
    own = {each.number for each in view.entrants if each.name == wanted.bot}
    with reporting_damage(view.store):
        return [each for each in Book(view).void() if _is_meant(each.result, wanted, own)]


def _none_meant(view: ContestView, wanted: Wanted) -> OperatorError:
    """Why no match that counts is meant."""
    bot, name = wanted.bot, view.contest.name
    if bot in (out := _in_force(view).disqualified) and out[bot].drops:
        return OperatorError("rejudge-none-out", bot=bot, name=name)
    if chosen_void(view, wanted):
        return OperatorError("rejudge-none-void", name=name)
    if bot is None:
        return OperatorError("rejudge-none-such", name=name)
    if not view.store.played_by(view.contest.id, {each.number for each in view.entrants if each.name == bot}):
        return OperatorError("rejudge-none-played", bot=bot, name=name)
    return OperatorError("rejudge-none-such-of" if wanted.kinds else "rejudge-none-faulty", bot=bot, name=name)


def _is_meant(result: Result, wanted: Wanted, own: Collection[int]) -> bool:
    faults = result.faults or ((),) * len(result.fixture.seats)
    seats = [at for at, entrant in enumerate(result.fixture.seats) if wanted.bot is None or entrant in own]
    kinds = {kind for at in seats for kind in faults[at]}
    return bool(seats) and (wanted.everything or bool(kinds & wanted.kinds if wanted.kinds else kinds))


def _check_played(view: ContestView, numbers: Sequence[int]) -> None:
    kept = view.store.attempts(view.contest.id)
    for number in numbers:
        if number not in kept:
            view.store.result(view.contest, number)


def check_bot(view: ContestView, bot: str) -> None:
    """Raise `OperatorError` for a bot that does not take part."""
    names = list(dict.fromkeys(each.name for each in view.entrants))
    if bot not in names:
        name, close = view.contest.name, nearest(bot, names)
        raise OperatorError("contest-no-entrant", bot=bot, name=name, nearest=close, known=some_of(names))


def reason(text: str | None, needed: bool) -> str:
    """Why, as it is kept: one line that can be stored. Raises `OperatorError` where it is `needed` and not there."""
    told = clean.storable(" ".join((text or "").split()))
    if needed and not told:
        raise OperatorError("ruling-because")
    if len(told) > LONGEST:
        raise OperatorError("ruling-long", most=LONGEST)
    return told


# --- what is decided


def ask_again(view: ContestView, numbers: Sequence[int], because: str) -> Ruling:
    """Have these matches played again; until a new result is there, the old one counts."""
    return _rule(view, Ruling(0, REJUDGE, time(), 0, because, matches=tuple(numbers)))


def annul(view: ContestView, numbers: Sequence[int], because: str) -> Ruling:
    """Let no result of these matches count. Raises `OperatorError` for one of which none counts already."""
    annulled = _in_force(view).annulled
    gone = _of_replaced(view, annulled)
    for number in numbers:
        if number in gone:
            raise OperatorError("ruling-replaced", number=number, name=view.contest.name)
        if number in annulled:
            raise OperatorError("ruling-annulled", number=number)
    return _rule(view, Ruling(0, ANNUL, time(), 0, because, matches=tuple(numbers)))


def annul_all(view: ContestView, bot: str, because: str) -> int:
    """Let no match of a bot count, of whatever version; how many counted until now."""
    own = {each.number for each in view.entrants if each.name == bot}
    counted = sorted(view.store.played_by(view.contest.id, own))
    if counted:
        annul(view, counted, because)
    return len(counted)


def still_drawn(view: ContestView, bot: str) -> int:
    """How many matches of a bot are drawn and will be played although it leaves now."""
    if view.format.info.passes_over or view.contest.state == "over":
        return 0
    own = {each.number for each in view.entrants if each.name == bot}
    return sum(not own.isdisjoint(each.seats) for each in view.store.unplayed(view.contest.id))


def disqualify(view: ContestView, bot: str, because: str, drops: bool | None = None) -> Ruling:
    """Take a bot, all its versions, out of the contest.

    `drops`: whether its matches count for nobody; none for what the format usually has: where all have the same
    matches they are dropped, otherwise they count for the others. Raises `OperatorError` for a bot that is not there,
    or out already.
    """
    check_bot(view, bot)
    if bot in _in_force(view).disqualified:
        raise OperatorError("contest-is-disqualified", bot=bot, name=view.contest.name)
    drops = find(view.spec.format).info.passes_over if drops is None else drops
    return _rule(view, Ruling(0, DISQUALIFY, time(), 0, because, bot=bot, drops=drops))


def take_back(view: ContestView, kind: str, because: str, numbers: Sequence[int] = (), bot: str = "") -> Ruling:
    """Undo the newest ruling of this kind about each of these matches, or about a bot.

    Matches of versions that newer ones have replaced go on counting for nobody. Raises `OperatorError` for matches or
    a bot about which nothing of the kind is in force, and for the annulment of such a match.
    """
    ruling = _taking_back(view, kind, because, numbers, bot)
    annul_replaced(view.store, view.contest)
    return ruling


def _taking_back(view: ContestView, kind: str, because: str, numbers: Sequence[int], bot: str) -> Ruling:
    known = _in_force(view)
    if kind == DISQUALIFY:
        check_bot(view, bot)
        if bot not in known.disqualified:
            raise OperatorError("ruling-not-disqualified", bot=bot, name=view.contest.name)
        return _rule(view, Ruling(0, DISQUALIFY, time(), 0, because, undoes=True, bot=bot))
    there = known.annulled.keys() if kind == ANNUL else {number for number, own in known.rejudged.items() if own}
    for number in numbers:
        if number not in there:
            raise OperatorError(f"ruling-not-{kind}", number=number, name=view.contest.name)
    matches = tuple(sorted(numbers))
    if kind == REJUDGE:
        return _rule(view, Ruling(0, REJUDGE, time(), 0, because, undoes=True, matches=matches))
    if gone := _of_replaced(view, matches):
        raise OperatorError("ruling-replaced", number=min(gone), name=view.contest.name)
    return _rule(view, Ruling(0, ANNUL, time(), 0, because, undoes=True, matches=matches))


def _of_replaced(view: ContestView, numbers: Collection[int]) -> set[int]:
    """Those of these matches, about which somebody has ruled, that count for nobody since a version was replaced."""
    if not (gone := replaced(view.store, view.contest)):
        return set()
    kept = view.store.attempts(view.contest.id)
    return {n for n in numbers if n in kept and not gone.isdisjoint(kept[n][0].result.fixture.seats)}


def in_force(view: ContestView, kind: str, bot: str) -> tuple[int, ...]:
    """The matches of a bot about which something of this kind is in force and can be taken back, ascending.

    Raises `OperatorError` for a bot that does not take part, and where there is no such match.
    """
    check_bot(view, bot)
    known = _in_force(view)
    there = known.annulled.keys() if kind == ANNUL else {number for number, own in known.rejudged.items() if own}
    own = {each.number for each in view.entrants if each.name == bot}
    kept = view.store.attempts(view.contest.id)
    found = [n for n in sorted(there) if n in kept and own & set(kept[n][0].result.fixture.seats)]
    gone = _of_replaced(view, found) if kind == ANNUL else set()
    if not found:
        raise OperatorError(f"ruling-none-{kind}", bot=bot, name=view.contest.name)
    if len(gone) == len(found):
        raise OperatorError("ruling-replaced", number=min(gone), name=view.contest.name)
    return tuple(number for number in found if number not in gone)


def _rule(view: ContestView, ruling: Ruling) -> Ruling:
    try:
        return view.store.rule(view.contest.id, ruling)
    except ValueError as error:
        raise OperatorError("store-no-match", name=view.contest.name, number=str(error).split()[-1]) from error


def _in_force(view: ContestView) -> InForce:
    return InForce(view.store.rulings(view.contest.id))


def reopen(view: ContestView) -> bool:
    """Let a contest that was over be one that is stopped, as there is more to play; whether it was over.

    That is looked at once more: it may have come to its end since the view was made.
    """
    now = view.store.contest(view.contest.name)
    if now.state != "over":
        return False
    leave_over(view.store, now, "stopped")
    return True


def publish(view: ContestView) -> None:
    """Publish the ratings once more as they are now, in the place of those that were published last."""
    batches = view.store.ratings(view.contest.id)
    if batches and (ratings := ratings_to_publish(view.store, view.contest, view.format, view.entrants)):
        view.store.rate(view.contest.id, max(batches), ratings)


# --- what came of it


AGAIN, REPLACED, TAKEN_BACK, ANNULLED, DISQUALIFIED = "again", "replaced", "taken-back", "annulled", "disqualified"
NEWER = "newer-version"


class RuledResult(msgspec.Struct, frozen=True):
    """A result, the ruling that asked for it (`ORIGINAL` for none), whether it counts, and why.

    `why` says what was done: `AGAIN` of a new result that counts; of one that does not, `REPLACED` by a newer one,
    `TAKEN_BACK` by an undo, `ANNULLED`, a bot was `DISQUALIFIED`, or one was replaced by a `NEWER` version; empty
    where nothing was. `by` is the number of the ruling that did so, `because` what the operator said with that one.
    """

    result: Result
    ruling: int = ORIGINAL
    counts: bool = True
    because: str = ""
    why: str = ""
    by: int = 0


class Book:
    """What was ruled in a contest, to look results up in."""

    def __init__(self, view: ContestView) -> None:
        self._names = [each.name for each in view.entrants]
        self.rulings = view.store.rulings(view.contest.id)
        self.in_force = InForce(self.rulings)
        self.attempts = view.store.attempts(view.contest.id) if self.rulings else {}
        self._undone = _taken_back(self.rulings)

    @property
    def out(self) -> Collection[str]:
        """Who is disqualified."""
        return self.in_force.disqualified.keys()

    def counting(self, result: Result) -> RuledResult:
        """The result that counts of a match, with what was ruled about it."""
        number = result.fixture.number
        ruling = self.in_force.attempt(number, {each.ruling for each in self.attempts.get(number, ())})
        return self._told(result, ruling, True, AGAIN if ruling else "", ruling)

    def others(self) -> Iterator[RuledResult]:
        """The results that do not count, ascending by match."""
        for number, own in sorted(self.attempts.items()):
            yield from (each for each in self.of(number, own) if not each.counts)

    def standing(self, found: Iterable[Result]) -> Iterator[RuledResult]:
        """The results that count, and of each match of which none counts the one that would, ascending by match."""
        return merge(map(self.counting, found), self.void(), key=lambda each: each.result.fixture.number)

    def void(self) -> Iterator[RuledResult]:
        """Of each match of which no result counts the one that would, ascending by match."""
        for number, own in sorted(self.attempts.items()):
            told = self.of(number, own)
            if not any(each.counts for each in told):
                yield told[-1]

    def of(self, number: int, own: Sequence[Attempt] | None = None) -> list[RuledResult]:
        """All results of a match about which somebody ruled, the first one first; none of any other."""
        kept = self.attempts.get(number, []) if own is None else own
        there = {each.ruling for each in kept}
        chosen = self.in_force.attempt(number, there)
        found = []
        for each in kept:
            voided = self.in_force.voided_by(number, {self._names[at] for at in each.result.fixture.seats})
            counts = voided is None and each.ruling == chosen
            if voided is not None:
                by = voided
                annulled = NEWER if self.rulings[by - 1].is_of_version else ANNULLED
                why = annulled if self.rulings[by - 1].kind == ANNUL else DISQUALIFIED
            elif counts:
                why, by = (AGAIN, chosen) if chosen else ("", ORIGINAL)
            elif (number, each.ruling) in self._undone:
                why, by = TAKEN_BACK, self._undone[number, each.ruling]
            else:
                why, by = REPLACED, chosen
            found.append(self._told(each.result, each.ruling, counts, why, by))
        return found

    def _told(self, result: Result, ruling: int, counts: bool, why: str, by: int) -> RuledResult:
        return RuledResult(result, ruling, counts, self.because(by), why, by)

    def because(self, ruling: int) -> str:
        """What the operator said; empty for a result about which nobody ruled."""
        if not ruling or self.rulings[ruling - 1].is_of_version:
            return ""
        return self.rulings[ruling - 1].because


def _taken_back(rulings: Iterable[Ruling]) -> dict[tuple[int, int], int]:
    """Which ruling took back what an earlier one had asked for: by match, and by the earlier one's number."""
    asked: dict[int, list[int]] = {}
    found: dict[tuple[int, int], int] = {}
    for ruling in rulings:
        for match in ruling.matches if ruling.kind == REJUDGE else ():
            own = asked.setdefault(match, [])
            if not ruling.undoes:
                own.append(ruling.number)
            elif own:
                found[match, own.pop()] = ruling.number
    return found


def in_words(counts: bool, why: str, by: int, because: str, speaker: Speaker) -> str:
    """Whether a result counts, and why: the values of a `RuledResult`. What the operator said is not cleaned."""
    told = speaker.say(f"ruled.{why}", by=by) if why else speaker.say("ruled.counts")
    return speaker.labelled(told, because) if because else told


def sentence(
    out: Ruling, speaker: Speaker, named: Callable[[str], str] = clean.line, quoted: Callable[[str], str] = str
) -> str:
    """That a bot is disqualified, by which ruling; `named` and `quoted` as for `sentences`."""
    key = "ruling.out-dropped" if out.drops else "ruling.out"
    return speaker.say(key, bot=named(out.bot), because=quoted(out.because))


def sentences(
    book: Book, speaker: Speaker, named: Callable[[str], str] = clean.line, quoted: Callable[[str], str] = str
) -> list[str]:
    """What is in force, a sentence for each ruling, oldest first; nothing where nobody has ruled.

    `named` shows a bot's name, `quoted` what the operator said.
    """
    again: dict[int, list[int]] = {}
    for number in sorted(book.in_force.rejudged):
        there = {each.ruling for each in book.attempts.get(number, ())}
        # Of a match that was also annulled no result counts, the new one neither.
        if (ruling := book.in_force.attempt(number, there)) and any(each.counts for each in book.of(number)):
            again.setdefault(ruling, []).append(number)
    void: dict[int, list[int]] = {}
    for number, ruling in sorted(book.in_force.annulled.items()):
        void.setdefault(ruling, []).append(number)
    out = {each.number: each for each in book.in_force.disqualified.values()}
    told = []
    for ruling in sorted({*again, *void, *out}):
        because = quoted(said) if (said := book.because(ruling)) else ""
        if ruling in out:
            told.append(sentence(out[ruling], speaker, named, quoted))
            continue
        matches = again.get(ruling) or void[ruling]
        what = "again" if ruling in again else "newer" if book.rulings[ruling - 1].is_of_version else "void"
        key = f"ruling.{what}" if because or what == "newer" else f"ruling.{what}-silent"
        details = {"count": len(matches), "numbers": numbers(matches, speaker)}
        told.append(speaker.say(key, **details, because=because))
    return [*told, *filter(None, [waiting(book, speaker)])]


def waiting(book: Book, speaker: Speaker) -> str:
    """Which matches are to be played again and were not yet, as a sentence; empty without any."""
    found = [
        number
        for number in sorted(book.in_force.rejudged)
        if book.in_force.pending(number, {each.ruling for each in book.attempts.get(number, ())}) is not None
    ]
    return speaker.say("ruling.waiting", count=len(found), numbers=numbers(found, speaker)) if found else ""


# --- one match, as a command shows it


def result_of(view: ContestView, match: int, ruling: int | None) -> tuple[Result, list[RuledResult]]:
    """The result to show of a match, and all that there are where somebody has ruled about it.

    It is the one that counts, or that a `ruling` asked for (0: the first one); where none counts, the last one.
    Raises `OperatorError` where there is none.
    """
    known = Book(view).of(match)
    if not known:
        if ruling:
            raise OperatorError("replay-no-ruling", number=match, ruling=ruling, known=0)
        return view.store.result(view.contest, match), []
    if ruling is not None:
        found = [each for each in known if each.ruling == ruling]
        if not found:
            there = ", ".join(str(each.ruling) for each in known)
            raise OperatorError("replay-no-ruling", number=match, ruling=ruling, known=there)
        return found[0].result, known
    return next((each for each in known if each.counts), known[-1]).result, known


def notes_on(known: Sequence[RuledResult], shown: Result, speaker: Speaker) -> list[str]:
    """What was ruled about a match, a sentence for each of its results; the one that is `shown` first."""
    ordered = sorted(known, key=lambda each: each.result != shown)
    told = []
    for each in ordered:
        key = "replay.first" if each.ruling == 0 else "replay.again"
        counts = in_words(each.counts, each.why, each.by, each.because, speaker)
        told.append(clean.line(speaker.say(key, ruling=each.ruling, counts=counts)))
    return told
