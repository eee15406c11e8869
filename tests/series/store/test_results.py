"""Results: once or not at all, and everything that follows from them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec.structs import replace

from dohyo.core.contest import Entrant, Fixture, Version
from dohyo.series import formats
from dohyo.series.store import Store
from dohyo.series.store.records import Aside, PairTally, Progress, PublishedRating, Tally
from tests.series.store.conftest import Open
from tests.series.store.played import AT, NAMES, begun, duels, entries, is_there, result, table


def test_what_was_written_is_read(opened: Open) -> None:
    """A store that was closed gives back contests, entrants, schedule and results as they were put in."""
    store, games = opened(), [*duels(), table(24, 2)]
    contest = begun(store)
    assert store.schedule(contest.id, games) == 25
    assert store.record(contest.id, [result(match) for match in games]) == list(range(25))
    store.close()
    again = opened(create=False)
    assert again.contests() == [contest] == [again.contest()] == [again.contest("spring")]
    assert again.entrants(contest.id) == entries()
    assert list(again.scheduled(contest.id)) == games
    assert list(again.played(contest.id)) == [result(match) for match in games]
    assert again.result(contest, 24) == result(games[24])
    assert again.unplayed(contest.id) == []


def test_a_result_counts_once(store: Store) -> None:
    """Of results for one match, in one call or many, the first stays, and the tallies count it once."""
    contest, games = begun(store), duels()
    store.schedule(contest.id, games)
    first, other = result(games[1], places=(2, 1)), result(games[1], places=(1, 2), host="elsewhere")
    assert store.record(contest.id, [first, other]) == [1]
    assert store.record(contest.id, [other, result(games[2])]) == [2]
    assert store.record(contest.id, [first, other]) == []
    assert store.result(contest, 1) == first
    assert store.progress(contest.id)[0] == Progress(0, 12, 2, 0)
    assert sum(tally.matches for tally in store.tallies(contest.id)) == 4


def test_a_schedule_is_written_once(store: Store) -> None:
    """The same matches scheduled again are not new; what was unplayed is played on, batch by batch."""
    contest, games = begun(store), duels()
    assert store.schedule(contest.id, games[:12]) == 12
    assert store.schedule(contest.id, games) == 12
    assert store.schedule(contest.id, games) == 0
    store.record(contest.id, [result(match) for match in games[3:20]])
    assert store.unplayed(contest.id, batch=0) == games[:3]
    assert store.unplayed(contest.id) == games[:3] + games[20:]
    assert store.progress(contest.id) == [Progress(0, 12, 9, 0), Progress(1, 12, 8, 0)]
    assert [result.fixture for result in store.played(contest.id, batch=1)] == games[12:20]


@pytest.mark.parametrize(
    "wrong",
    [Fixture(0, 0, (0, 2), 5), Fixture(0, 99, (0, 1), 100)],
    ids=["a number with another match", "a match under another number"],
)
def test_another_schedule_is_refused(store: Store, wrong: Fixture) -> None:
    """A number that stands for another match, or a match under a second number, changes nothing at all."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    with pytest.raises(ValueError, match="the schedule has"):
        store.schedule(contest.id, [Fixture(1, 50, (0, 1), 7), wrong])
    assert list(store.scheduled(contest.id)) == games
    assert store.progress(contest.id) == [Progress(0, 12, 0, 0)]


def test_a_result_needs_its_match(store: Store) -> None:
    """A result of no scheduled match, or with other seats, is refused, and what came along is not inserted."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    for wrong in (result(Fixture(0, 77, (0, 1), 1)), result(games[1], places=(1, 2, 3))):
        with pytest.raises(ValueError, match="cannot have"):
            store.record(contest.id, [result(games[0]), wrong])
    assert list(store.played(contest.id)) == []


def test_contests_do_not_mix(store: Store) -> None:
    """Two contests of one store have the same numbers, and nothing else in common."""
    one, other = begun(store, "one"), begun(store, "other")
    for contest in (one, other):
        store.schedule(contest.id, duels(1))
    store.record(other.id, [result(match) for match in duels(1)])
    assert list(store.played(one.id)) == []
    assert store.tallies(one.id) == store.pairs(one.id) == []
    assert len(store.unplayed(one.id)) == len(list(store.played(other.id))) == 12


def test_tallies(store: Store) -> None:
    """Wins, ties and losses by seat and by pair, scores, longest times and faults are those of the results."""
    contest = begun(store)
    games = [table(0), table(1), Fixture(0, 2, (0, 3), 9)]
    store.schedule(contest.id, games)
    store.record(contest.id, [result(games[0], places=(1, 1, 3, 4), scores=(9, 9, 1.5, 0), longest=(None, 1, 2, 3))])
    store.record(contest.id, [result(games[1], places=(2, 1, 3, 4), faults=((), ("exited",), (), ("timeout",) * 2))])
    store.record(contest.id, [result(games[2], places=(2, 1), scores=(), longest=())])
    tallies = {(tally.entrant, tally.seat): tally for tally in store.tallies(contest.id)}
    assert tallies[1, 1] == Tally(1, 1, 2, 2, 5, 1, 0, 9 + 1, 1.0)
    assert tallies[3, 0] == Tally(3, 0, 2, 1, 4, 1, 1, 9 + 2, 0.25)
    assert tallies[3, 1] == Tally(3, 1, 1, 1, 1, 0, 0, 0.0, 0.0)
    assert tallies[0, 3] == Tally(0, 3, 2, 0, 0, 0, 6, 0 + 3, 3.0)
    pairs = {(pair.entrant, pair.other): pair for pair in store.pairs(contest.id)}
    assert pairs[0, 3] == PairTally(0, 3, 3, 0, 0, 3)
    assert pairs[1, 3] == PairTally(1, 3, 2, 1, 1, 0)
    assert store.faults(contest.id) == {0: {"timeout": 2}, 1: {"exited": 1}, 3: {"illegal": 1, "timeout": 1}}


def test_the_last_match_with_a_fault(store: Store) -> None:
    """Of one bot and one kind, among its last matches alone: a long contest is not read for it."""
    contest, games = begun(store), duels()
    store.schedule(contest.id, games)
    store.record(contest.id, [result(match) for match in games])
    own = [match.number for match in games if 0 in match.seats]
    guilty = [match.number for match in games if match.seats[0] == 0 and match.number % 4 == 0]
    assert store.last_with_fault(contest.id, 0, "illegal", len(own)) == max(guilty)
    behind = own[::-1].index(max(guilty))
    assert store.last_with_fault(contest.id, 0, "timeout", behind + 1) == max(guilty)
    assert store.last_with_fault(contest.id, 0, "timeout", behind) is None
    assert store.last_with_fault(contest.id, 0, "exited", len(own)) is None


def test_a_bot_against_itself(store: Store) -> None:
    """A bot on two seats of one match counts on each; it is no pair."""
    contest = begun(store)
    store.schedule(contest.id, [Fixture(0, 0, (2, 2), 1)])
    store.record(contest.id, [result(Fixture(0, 0, (2, 2), 1), places=(1, 2))])
    assert [(t.seat, t.beaten, t.lost) for t in store.tallies(contest.id)] == [(0, 1, 0), (1, 0, 1)]
    assert store.pairs(contest.id) == []


def test_blocks(store: Store) -> None:
    """All results come as flat arrays in order, a block for each number of seats, no longer than asked for."""
    contest, games = begun(store), [*duels(), table(24, 2), table(25, 2)]
    store.schedule(contest.id, games)
    store.record(contest.id, [result(match) for match in games])
    blocks = list(store.blocks(contest.id, size=10))
    assert [(block.width, len(block.numbers)) for block in blocks] == [(2, 10), (2, 10), (2, 4), (4, 2)]
    assert [seed for block in blocks for seed in block.seeds] == [match.seed for match in games]
    assert [n for block in blocks for n in block.entrants] == [n for match in games for n in match.seats]
    assert [p for block in blocks for p in block.places] == [p for match in games for p in result(match).places]


def test_a_match_that_breaks_workers_is_set_aside(store: Store) -> None:
    """After three failed attempts a match is set aside: its batch is complete without it, a late result is none."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    assert [store.fail(contest.id, 5, f"killed {n}", AT + n) for n in range(3)] == [(1, False), (2, False), (3, True)]
    assert store.fail(contest.id, 5, "killed again", AT + 9) == (4, True)
    assert store.set_aside(contest.id) == [Aside(games[5], 4, "killed again")]
    assert games[5] not in store.unplayed(contest.id)
    assert store.record(contest.id, [result(match) for match in games]) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]
    assert store.progress(contest.id) == [Progress(0, 12, 11, 1)]
    assert store.progress(contest.id)[0].complete


def test_what_was_set_aside_is_reopened(store: Store) -> None:
    """Reopened, a match is unplayed and its batch not complete; under another lease it may fail three times again."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    with store.lease(contest.id):
        assert [store.fail(contest.id, 5, "killed", AT)[1] for _ in range(3)] == [False, False, True]
    assert (store.reopen(contest.id, since=1), store.progress(contest.id)) == (0, [Progress(0, 12, 0, 1)])
    assert (store.reopen(contest.id), store.reopen(contest.id)) == (1, 0)
    assert store.progress(contest.id) == [Progress(0, 12, 0, 0)]
    assert (store.set_aside(contest.id), games[5] in store.unplayed(contest.id)) == ([], True)
    with store.lease(contest.id):
        assert [store.fail(contest.id, 5, "killed", AT)[1] for _ in range(3)] == [False, False, True]
        assert store.set_aside(contest.id)[0].attempts == 6
        assert store.reopen(contest.id) == 1
    assert store.record(contest.id, [result(games[5])]) == [5]
    assert store.progress(contest.id) == [Progress(0, 12, 1, 0)]


def test_a_match_that_was_played_is_not_set_aside(store: Store) -> None:
    """Attempts that failed, however many, do not take a result away."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    store.record(contest.id, [result(games[0])])
    assert [store.fail(contest.id, 0, "killed", AT) for _ in range(4)][-1] == (4, False)
    assert store.set_aside(contest.id) == []


def test_kept_folders(store: Store) -> None:
    """What an entrant kept is found by the last match before another one, whatever order they came in."""
    contest, games = begun(store), duels(1)
    store.schedule(contest.id, games)
    ours = [match for match in games if 0 in match.seats]
    digests = {match.number: store.files.put(b"after %d" % match.number) for match in ours}
    for match in reversed(ours):
        kept = tuple(digests[match.number] if entrant == 0 else None for entrant in match.seats)
        store.record(contest.id, [result(match, kept=kept)])
    assert store.keepsake(contest.id, 0) == digests[ours[-1].number]
    assert store.keepsake(contest.id, 0, before=ours[2].number) == digests[ours[1].number]
    assert store.keepsake(contest.id, 0, before=0) is None
    assert store.keepsake(contest.id, 1) is None
    assert store.files.get(digests[ours[1].number]) == b"after %d" % ours[1].number


def test_a_bot_leaves_pauses_and_comes_in_a_new_version(store: Store) -> None:
    """When an entrant takes part may change; which version it is may not; a new version is a new entrant."""
    contest, first = begun(store), entries()
    paused = [replace(first[0], absences=((2, 4), (7, None))), replace(first[1], until=3)]
    newer = Entrant(4, Version(NAMES[1], "f" * 64, "c++", "a" * 64), since=3, follows=1)
    store.enter(contest.id, [*paused, newer], AT + 1)
    store.enter(contest.id, [newer], AT + 2)
    assert store.entrants(contest.id) == [*paused, *first[2:], newer]
    with pytest.raises(ValueError, match="entrant 2 is"):
        store.enter(contest.id, [replace(first[2], version=newer.version)], AT)


def test_a_contest_is_begun_once(store: Store) -> None:
    """Beginning a contest of a known name gives the one that is there, for the caller to compare."""
    contest = begun(store)
    assert store.begin("spring", "other", {}, 5.0) == contest
    store.set_state(contest.id, "over")
    assert store.contest().state == "over"


def test_ratings(store: Store) -> None:
    """Ratings are kept by batch; published again, they are replaced."""
    contest = begun(store)
    first = [PublishedRating(0, 1500.0, 1400.0, 1600.0), PublishedRating(1, 1400.5)]
    store.rate(contest.id, 0, [PublishedRating(0, 1.0), PublishedRating(3, 2.0)])
    store.rate(contest.id, 0, first)
    store.rate(contest.id, 2, [PublishedRating(2, 10.0, mu=25.0, sigma=8.3)])
    assert store.ratings(contest.id) == {0: first, 2: [PublishedRating(2, 10.0, mu=25.0, sigma=8.3)]}
    assert store.ratings(contest.id, 0) == {0: first}


def test_formats_and_stores_speak_of_the_same_values(store: Store) -> None:
    """A format's fixtures go into a store as they are, and entrants and results of a store into the format."""
    contest = begun(store)
    format_ = formats.make("swiss", seats=(2, 2), rounds=3, seed=7, entrants=len(NAMES))
    format_.enter(store.entrants(contest.id))
    while fixtures := format_.next(store.entrants(contest.id)):
        assert store.schedule(contest.id, fixtures) == len(fixtures)
        assert list(store.scheduled(contest.id, format_.batch)) == fixtures
        results = [result(fixture) for fixture in fixtures]
        store.record(contest.id, results)
        assert list(store.played(contest.id, format_.batch)) == results
        format_.take(list(store.played(contest.id, format_.batch)))
    assert {row.matches for row in format_.standing(store.entrants(contest.id))} == {6}


def test_a_result_of_another_fixture_is_refused(store: Store) -> None:
    """A result whose fixture has the number of one in the schedule, and is another one, is no result of it."""
    contest = begun(store)
    store.schedule(contest.id, duels())
    other = Fixture(0, 0, (2, 3), 100)
    with pytest.raises(ValueError, match="cannot have"):
        store.record(contest.id, [result(other)])
    assert list(store.played(contest.id)) == []


def test_a_deleted_contest_takes_its_replays_along(store: Store) -> None:
    """What only it names goes; replays that another contest has, and that one's rows, stay."""
    mine, shared = store.files.put(b"mine"), store.files.put(b"shared")
    games = duels()[:2]
    spring, autumn = begun(store), begun(store, name="autumn")
    for contest, digests in ((spring, (mine, shared)), (autumn, (shared,))):
        store.schedule(contest.id, games)
        pairs = zip(games, digests, strict=False)
        store.record(contest.id, [replace(result(match), replay=digest) for match, digest in pairs])
    store.lease(spring.id)
    store.delete(spring.id)
    assert store.contests() == [autumn]
    assert (is_there(store.files, mine), is_there(store.files, shared)) == (False, True)
    assert [each.replay for each in store.played(autumn.id)] == [shared]
    assert not list(store.verify())
    assert not any([store.entrants(spring.id), list(store.scheduled(spring.id)), store.tallies(spring.id)])
    with store.lease(autumn.id):
        assert begun(store).name == "spring"


def test_a_store_of_sqlite_loads_nothing_of_postgresql() -> None:
    """The other database's part of SQLAlchemy is a tenth of what looking up a match would import."""
    code = "import sys, dohyo.series.store; print([name for name in sys.modules if 'dialects.postgresql' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
