"""A sample of a store's matches played again: same bots, seeds, setup and clock; everything but times must be equal.

A match that differs is played once more. A bot that then answers in yet another way, or as it was recorded, is not
deterministic, or answers by the clock. A bot that gives the same new answer both times is another program than the
one that played, or runs on another machine or compiler; or the recording was changed. None of that proves a fraud by
itself. A replay that does not follow from the rules, or states that differ after the same answers, are serious.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, lgamma, log
from typing import Any, Literal, NamedTuple

import msgspec

from dohyo.core import replay_format as replays
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.executors.messages import Executor, MatchOrder
from dohyo.guests.verify.difference import Differs, first_difference
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.replays.replays import verify as follow
from dohyo.series import formats
from dohyo.series.results import Orders
from dohyo.series.roster import Roster
from dohyo.series.spec import reporting_damage, terms_of, with_our_word
from dohyo.series.store import Store
from dohyo.series.store.records import Contest
from dohyo.series.typed_again import named_again

MINUTE = 60.0  # seconds that a sample takes, about
PILOT = 100  # matches whose times say how many that are
MAX_USUAL = 300  # matches: if none differs, at most 1 % do
MIN_USUAL = 5
MAX_ONCE_MORE = 1000  # matches that differ and are played once more
LEVEL = 0.95
NEARLY = 1e-8  # of a probability's logarithm: what sums of floats may be off, far more than they are
NOTHING = 1e-18  # of a sum: smaller terms do not change it
Which = tuple[int, int]  # a contest's id and a match's number
Kind = Literal["same", "rules", "bot", "unplayable"]


class MatchAgain(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a match that was played again.

    `verdict` is `same`, `rules` (the recording does not follow from the rules, or differs though all answers are the
    same), `bot` (the bot on `seat` answered differently in `turn`, `before` and `now`), or `unplayable` with a
    `reason`. `steady` says of a `bot` whether it gave the same new answer twice; none where that is not known.
    """

    contest: str
    match: int
    verdict: Kind
    turn: int | None = None
    seat: int | None = None
    bot: str = ""
    before: str = ""
    now: str = ""
    steady: bool | None = None
    reason: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A sample that was played again: of `population` matches with a replay, `compared` could be compared.

    `most` is the upper end of the 95 % interval for how many of all matches could differ, `share` the same as a part
    of 1; both are none where nothing could be compared. A match of the sample that could not be compared counts there
    as one that differs: those that can be are no random choice, and a forger decides which.
    """

    seed: int
    population: int
    compared: int
    verdicts: dict[str, int]
    most: int | None
    share: float | None
    matches: tuple[MatchAgain, ...]


class _Chosen(NamedTuple):
    contest: Contest
    result: Result
    names: tuple[str, ...]
    order: MatchOrder

    def told(self, verdict: Kind, **more: Any) -> MatchAgain:
        """What came of it."""
        return MatchAgain(contest=self.contest.name, match=self.result.fixture.number, verdict=verdict, **more)


def _is_drawn_by_a_tool(contest: Contest) -> bool:
    """Whether its format is one that nobody can choose."""
    try:
        return not formats.find(str(contest.spec.get("format"))).info.listed
    except OperatorError:
        return False


class PlayingAgain:
    """The matches of a store's contests, to be played again on this machine.

    `sandbox`, `python` and the bots that are `typed` are the operator's own, as for `session.go_on`: anybody may have
    written the store. Why a match cannot be played again `speaker` says. Matches of the contests in `refereed`
    have no replay, and are not among those to be played; nor are those of a `made` store, whose series a tool of ours
    has drawn: its bots are made of others as they are needed, and are not in it.
    Raises `OperatorError` where a contest's interpreter is another one, and for a contest that cannot be read.
    """

    def __init__(
        self,
        store: Store,
        contests: Sequence[Contest],
        sandbox: str,
        python: str | None,
        typed: Sequence[str] = (),
        speaker: Speaker = ENGLISH,
    ) -> None:
        self._store = store
        self._speaker = speaker
        self.refereed = [contest for contest in contests if contest.spec.get("referee") is not None]
        contests = [contest for contest in contests if contest not in self.refereed]
        self.made = contests if any(map(_is_drawn_by_a_tool, contests)) else []
        contests = [] if self.made else contests
        self._contests = {contest.id: contest for contest in contests}
        self._orders: dict[int, Orders] = {}
        self._rosters: dict[int, Roster] = {}
        self._firsts: dict[Which, int] = {}  # of a contest's batches
        for contest in contests:
            with reporting_damage(store):
                spec, game = terms_of(contest)
            spec = with_our_word(contest.name, msgspec.structs.replace(spec, sandbox=sandbox), sandbox, python)
            roster = Roster(store, contest, game, spec, [])
            self._rosters[contest.id] = roster
            self._orders[contest.id] = Orders(store, contest, game, spec, roster)
        names = [{entrant.name for entrant in roster.entrants} for roster in self._rosters.values()]
        typed_names = {word: named_again(word, set().union(*names))[0] for word in typed}  # or a name is misspelt
        for roster, own in zip(self._rosters.values(), names, strict=True):
            roster.type_again([word for word, name in typed_names.items() if name in own])

    def population(self) -> list[Which]:
        """Every match that has a result, and could have a replay."""
        return [(contest, number) for contest in self._contests for number in self.numbers(contest)]

    def numbers(self, contest: int) -> list[int]:
        """The numbers of a contest's matches that have a result."""
        return [number for block in self._store.blocks(contest) for number in block.numbers]

    def usual_number(self, population: Sequence[Which], seed: int, workers: int) -> int:
        """How many matches take about a minute, by the times that some took; no more than one need for 1 %."""
        pilot = random.Random(seed).sample(population, min(PILOT, len(population)))
        taken = [self._store.result(self._contests[contest], number).seconds for contest, number in pilot]
        mean = max(0.001, sum(taken) / max(1, len(taken)))
        return max(MIN_USUAL, min(MAX_USUAL, int(MINUTE * workers / mean)))

    def play(
        self,
        population: Sequence[Which],
        count: int,
        seed: int,
        executor: Executor,
        told: Callable[[MatchAgain], None],
    ) -> Report:
        """Play `count` matches again, chosen by the seed; `told` is called with what came of each, as it is over.

        Whether an answer is `steady` is not known then. Each result is compared as it comes. Raises `OperatorError`
        for what the operator has to repair first.
        """
        sample = sorted(random.Random(seed).sample(population, min(count, len(population))))
        by_match: dict[tuple[str, int], MatchAgain] = {}
        for each in self._played(sample, executor):
            is_new = (each.contest, each.match) not in by_match
            by_match[each.contest, each.match] = each
            if is_new:
                told(each)
        found = [by_match[key] for key in sorted(by_match)]
        compared = sum(each.verdict != "unplayable" for each in found)
        others = sum(each.verdict != "same" for each in found)
        most = most_differing(len(population), len(found), others) if compared else None
        return Report(
            seed=seed,
            population=len(population),
            compared=compared,
            verdicts=dict(Counter(each.verdict for each in found)),
            most=most,
            share=None if most is None else most / len(population),
            matches=tuple(found),
        )

    def _played(self, sample: Iterable[Which], executor: Executor) -> Iterator[MatchAgain]:
        """What came of each match; those that differ are played once more when all have been played, and come again.

        Little is held of a match that is over: a sample may be all of a long contest.
        """
        waiting: dict[str, _Chosen] = {}
        refused: list[MatchAgain] = []
        differ: dict[str, tuple[_Chosen, Differs, bytes]] = {}
        for report in executor.play(self._ordered(sample, waiting, refused)):
            while refused:
                yield refused.pop()
            own = waiting.pop(report.key)
            if report.error:
                yield own.told("unplayable", reason=report.error.strip().splitlines()[-1])
                continue
            found = first_difference(self._recorded(own.result), replays.decode(report.replay))
            if found is not None and found.by == "bot" and len(differ) < MAX_ONCE_MORE:
                differ[report.key] = own, found, report.replay
            yield _verdict(own, found, None)
        yield from refused
        for report in executor.play([own.order for own, _, _ in differ.values()]):
            own, first, content = differ[report.key]
            steady = None
            if not report.error:
                steady = first_difference(replays.decode(content), replays.decode(report.replay)) is None
            yield _verdict(own, first, steady)

    def _ordered(
        self, sample: Iterable[Which], waiting: dict[str, _Chosen], refused: list[MatchAgain]
    ) -> Iterator[MatchOrder]:
        """The orders of the matches that can be played, each noted as `waiting`; the others are `refused`."""
        for which in sample:
            chosen = self._chosen(which)
            if isinstance(chosen, MatchAgain):
                refused.append(chosen)
            else:
                waiting[chosen.order.key] = chosen
                yield chosen.order

    def _chosen(self, which: Which) -> _Chosen | MatchAgain:
        """A match that can be played again; otherwise the verdict on it."""
        contest, roster, orders = self._contests[which[0]], self._rosters[which[0]], self._orders[which[0]]
        result = self._store.result(contest, which[1])

        def refuse(verdict: Kind, error: OperatorError) -> MatchAgain:
            turn = error.message.values.get("turn")
            at = turn if isinstance(turn, int) else None
            reason = error.say(self._speaker)
            return MatchAgain(contest=contest.name, match=which[1], verdict=verdict, turn=at, reason=reason)

        try:
            recorded = self._recorded(result)
        except OperatorError as error:
            return refuse("unplayable", error)
        try:
            follow(recorded)
        except OperatorError as error:
            return refuse("rules", error)
        try:
            orders.begin_batch(self._first_of(which[0], result.fixture.batch))
            order = orders.order(result.fixture)
        except OperatorError as error:
            return refuse("unplayable", error)
        names = tuple(roster.entrants[entrant].version.name for entrant in result.fixture.seats)
        return _Chosen(contest, result, names, msgspec.structs.replace(order, key=f"{which[0]}-{which[1]}"))

    def _recorded(self, result: Result) -> Replay:
        """The recording of a match. Raises `OperatorError` if there is none, or it cannot be read."""
        if result.replay is None:
            raise OperatorError("verify-no-replay")
        return replays.decode(self._store.files.get(result.replay))

    def _first_of(self, contest: int, batch: int) -> int:
        """The number of a batch's first match: bots had then what they had kept in the matches before it."""
        if (contest, batch) not in self._firsts:
            self._firsts[contest, batch] = next(self._store.scheduled(contest, batch)).number
        return self._firsts[contest, batch]


def _verdict(own: _Chosen, found: Differs | None, steady: bool | None) -> MatchAgain:
    """What came of a match that was played again."""
    if found is None:
        return own.told("same")
    return own.told(
        "bot" if found.by == "bot" else "rules",
        turn=found.turn if found.turn >= 0 else None,
        seat=found.seat if found.seat >= 0 else None,
        bot=own.names[found.seat] if found.seat >= 0 else "",
        before=found.before,
        now=found.now,
        steady=steady,
    )


# --- what a sample says of the whole


def most_differing(population: int, sample: int, differing: int) -> int:
    """The upper end of a one-sided interval for how many of `population` matches differ.

    `differing` of `sample` matches differed, which were drawn without putting one back. It is the largest number with
    which so few are still seen with a probability of more than 1 - `LEVEL` (hypergeometric). Takes a few milliseconds
    for a sample of hundreds, less than a second for one of hundreds of thousands. Raises `ValueError` for numbers
    that do not fit together.
    """
    if not 0 <= differing <= sample <= population:
        raise ValueError(f"{differing} of {sample} of {population}")
    if sample == 0:
        return population
    low, high = differing, population - (sample - differing)
    least = log(1 - LEVEL) + NEARLY
    while low < high:  # the probability falls as more differ
        middle = (low + high + 1) // 2
        if _log_of_at_most(differing, population, middle, sample) > least:
            low = middle
        else:
            high = middle - 1
    return low


def _log_of_at_most(differing: int, population: int, bad: int, sample: int) -> float:
    """The logarithm of the probability that at most `differing` of a sample are bad, of which there are `bad`.

    Terms are summed downwards from the last one, each as a multiple of that, so no sum is too small for a float.
    """
    good = population - bad
    count = min(differing, bad, sample)
    first = _log_comb(bad, count) + _log_comb(good, sample - count) - _log_comb(population, sample)
    term = total = 1.0
    while count > max(0, sample - good):
        before, term = term, term * count * (good - sample + count) / ((bad - count + 1) * (sample - count + 1))
        total += term
        count -= 1
        if total == inf or (term < before and term < NOTHING * total):
            break
    return first + log(total)


def _log_comb(whole: int, part: int) -> float:
    return lgamma(whole + 1) - lgamma(part + 1) - lgamma(whole - part + 1)
