"""Whether what a store has of its contests is what was played: rows, tallies, and results against their replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from dohyo.core import replay_format as replays
from dohyo.core.contest import Entrant, Result, Version, faults_last
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.executors.one_match import faults_and_longest
from dohyo.executors.refereed import Record, RefereeKind, read_record
from dohyo.i18n import Message
from dohyo.match.own_games import NOT_FOUND
from dohyo.match.replays.replays import verify as verify_replay
from dohyo.series.results import match_seed
from dohyo.series.spec import referee_kind_of, reporting_damage, terms_of
from dohyo.series.store import Store
from dohyo.series.store.records import Contest

UNREAD = "verify.unread"  # the finding of a contest that what is installed here cannot check
DIGITS = 16  # of a digest


def verify(store: Store, again: bool, told: Callable[[int], None]) -> Iterator[Message]:
    """Everything that is not as it was played; `told` is called with the number of matches checked so far.

    With `again`, the moves of each replay are played once more by the rules. A contest whose records nobody reads who
    is installed is a finding, too, and so is one whose game is not found here.

    Raises `OperatorError` if a store is damaged so much that no contest can be read.
    """
    count = 0
    yield from store.verify()
    for contest in store.contests():
        of_terms = _of_terms(store, contest)
        yield from of_terms
        try:
            entrants, look = store.entrants(contest.id), _Look.of(store, contest, again and not _unread(of_terms))
        except OperatorError as error:
            yield Message(UNREAD, {"name": contest.name, "reason": error})
            continue
        yield from _of_archives(store, entrants)
        try:
            kept = store.attempts(contest.id)
            for result in store.played(contest.id):
                yield from _of_match(look, entrants, result)
                count += 1
                told(count)
            counting = (
                {each.fixture.number: each for each in store.played(contest.id) if each.fixture.number in kept}
                if kept
                else {}
            )
            for number, own in kept.items():
                for attempt in own:
                    if counting.get(number) != attempt.result:
                        yield from _of_match(look, entrants, attempt.result)
        except OperatorError as error:
            yield Message("verify.row", {"reason": error.message.values.get("reason", error)})


def verify_matches(store: Store, contest: Contest, numbers: Sequence[int]) -> Iterator[Message]:
    """What of these matches is not as it was played: results against replays, and every move by the rules.

    Every result of a match is looked at, whether it counts or not. Raises `OperatorError` for a contest that
    cannot be checked here.
    """
    of_terms = _of_terms(store, contest)
    yield from of_terms
    entrants, look = store.entrants(contest.id), _Look.of(store, contest, not _unread(of_terms))
    for number in numbers:
        kept = [each.result for each in store.attempts(contest.id, [number]).get(number, ())]
        for result in kept or [store.result(contest, number)]:
            yield from _of_match(look, entrants, result)


def _of_terms(store: Store, contest: Contest) -> list[Message]:
    try:
        with reporting_damage(store):
            terms_of(contest)
    except OperatorError as error:
        if error.key in NOT_FOUND:  # the store may be as whole as ever
            return [Message(UNREAD, {"name": contest.name, "reason": error})]
        return [Message("verify.row", {"reason": error})]
    return []


def _unread(findings: Sequence[Message]) -> bool:
    """Whether a contest cannot be checked by what is installed here."""
    return any(each.key == UNREAD for each in findings)


def without_code(store: Store) -> int:
    """How many versions in contests have no code any more, since it was removed on purpose."""
    removed = store.removed()
    if not removed:
        return 0
    known = {each.version for of in store.contests() for each in store.entrants(of.id)}
    return sum(1 for version in known if version.archive in removed and _lost(store, version.archive) is not None)


def _lost(store: Store, archive: str) -> OperatorError | None:
    """Why a file cannot be read; none if it can."""
    try:
        store.files.get(archive)
    except OperatorError as error:
        return error
    return None


def _of_archives(store: Store, entrants: list[Entrant]) -> Iterator[Message]:
    """The files of the bots; a version may have none, and one whose code was removed on purpose has lost nothing.

    What was removed is asked when a file is not there: an author may delete the account meanwhile.
    """
    for entrant in entrants:
        archive = entrant.version.archive
        error = None if archive is None else _lost(store, archive)
        if error is not None and not (error.key == "store-file-missing" and archive in store.removed()):
            yield Message("verify.bot", {"bot": entrant.version.name, "reason": error})


class _Look(NamedTuple):
    """How the matches of a contest are looked at.

    `by` is the kind of program that refereed them, if one did. With `again` replays are played once more; `last` says
    whether a fault means the last place.
    """

    store: Store
    contest: Contest
    by: RefereeKind | None
    again: bool
    last: bool

    @classmethod
    def of(cls, store: Store, contest: Contest, again: bool) -> _Look:
        """A look at this contest. Raises `OperatorError` where nobody is installed who reads its records."""
        return cls(store, contest, referee_kind_of(contest), again, contest.spec.get("fault_is_last") is True)


def _of_match(look: _Look, entrants: list[Entrant], result: Result) -> Iterator[Message]:
    """What in a result differs from its replay, or from what another program told of the match."""
    if result.replay is None:
        return
    name = {"name": look.contest.name, "number": result.fixture.number}
    versions = [entrants[number].version for number in result.fixture.seats]
    try:
        content = look.store.files.get(result.replay)
        if look.by is not None:
            compared = list(_with_record(versions, result, read_record(look.by, content), look.last))
        else:
            compared = list(_with_replay(look, versions, result, replays.decode(content)))
    except OperatorError as error:
        yield Message("verify.replay", {**name, "reason": error})
        return
    key, source = ("verify.result", "replay") if look.by is None else ("verify.record", "record")
    for what, stored, found in compared:
        if stored != found:
            yield Message(key, {**name, "what": what, "stored": stored, source: found})


def _with_record(
    versions: list[Version], result: Result, record: Record, last: bool
) -> Iterator[tuple[str, object, object]]:
    """What the store says about a match, and what another program told of it, which is read once more."""
    outcome = record.outcome()
    faults = outcome.faults
    yield "seed", match_seed(result.fixture, versions), record.seed
    yield "bots", _short(each.digest for each in versions), _short(bot.digest for bot in record.bots)
    yield "places", result.places, faults_last(outcome.places, faults) if last else outcome.places
    yield "scores", result.scores, tuple(map(float, outcome.scores))
    yield "faults", result.faults, faults


def _short(digests: Iterable[str]) -> str:
    """Digests, shortened for people to compare."""
    return " ".join(digest[:DIGITS] for digest in digests)


def _with_replay(
    look: _Look, versions: list[Version], result: Result, recorded: Replay
) -> Iterator[tuple[str, object, object]]:
    """What the store and the replay say about a match, under the names that JSON and SQL use."""
    if look.again:
        verify_replay(recorded)
    header = recorded.header
    yield "game", look.contest.game, header.game
    yield "seed", match_seed(result.fixture, versions), header.seed
    yield "bots", _short(each.digest for each in versions), _short(seat.digest for seat in header.seats)
    faults, longest = faults_and_longest(recorded)
    places = tuple(recorded.result.places)
    yield "places", result.places, faults_last(places, faults) if look.last else places
    yield "scores", result.scores, tuple(map(float, recorded.result.scores))
    yield "faults", result.faults, faults
    if result.longest:
        yield "longest", result.longest, longest
