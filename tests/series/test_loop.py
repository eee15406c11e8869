"""A contest in this process: stopped and gone on with, its mistakes told, bots that change, matches that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.one_match import play_order
from dohyo.executors.pool import Pool
from dohyo.match.play import environment
from dohyo.series import session
from dohyo.series.session import ContestSession
from dohyo.series.standings import standings_of
from dohyo.series.store import open_store
from tests.series.contests import BATCHES, ContestListener, Course, Notes, asked, course, opened, play, write_bot
from tests.series.store.sealing import seal


class Spoiled(InProcess):
    """An executor in which some matches go wrong, before they are played."""

    def __init__(self, spoil: Callable[[MatchOrder], MatchReport | None]) -> None:
        self._spoil = spoil
        self.orders: list[MatchOrder] = []

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders."""
        for order in orders:
            self.orders.append(order)
            yield self._spoil(order) or play_order(order, "here")


def interrupt(at: int) -> ContestListener:
    """Somebody who presses Ctrl-C after so many results."""

    def after(number: int) -> None:
        if number == at:
            raise KeyboardInterrupt

    return ContestListener(after)


@pytest.mark.parametrize("format_", ["round-robin", pytest.param("swiss", marks=pytest.mark.full), "ladder"])
def test_a_contest_that_is_interrupted_goes_on(
    folder: Path, store: Path, undisturbed: Callable[[str], Course], format_: str
) -> None:
    """Interrupted again and again, it ends as one that never was; no match is played twice."""
    whole = undisturbed(format_)
    wanted = asked(store, folder, format_)
    played: list[int] = []
    for _ in range(100):
        onlooker = interrupt(2 if format_ == "round-robin" else 5)
        try:
            play(wanted, onlooker)
        except KeyboardInterrupt:
            played += onlooker.results
        else:
            played += onlooker.results
            break
    assert course(wanted) == whole
    assert sorted(played) == list(range(len(whole.matches)))


def test_going_on_by_the_store_alone(
    folder: Path, store: Path, tmp_path: Path, undisturbed: Callable[[str], Course]
) -> None:
    """The store knows the contest's terms, and plays with the bots that it keeps, wherever their files are by now."""
    wanted = asked(store, folder, "swiss")
    with pytest.raises(KeyboardInterrupt):
        play(wanted, interrupt(3))
    folder.rename(tmp_path / "gone")
    with session.go_on(str(store), None, sandbox="none") as contest:
        contest.loop.run(InProcess(), ContestListener())
    (tmp_path / "gone").rename(folder)
    assert course(wanted) == undisturbed("swiss")


def test_going_on_after_the_end(folder: Path, store: Path) -> None:
    """A contest that is over stays as it is."""
    wanted = asked(store, folder)
    play(wanted)
    before, onlooker = course(wanted), ContestListener()
    play(wanted, onlooker)
    assert onlooker.results == []
    assert course(wanted) == before


# --- what is refused


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"format": "swiss", "rounds": 2, "options": {}}, "begun with format = round-robin, not swiss"),
        ({"setup": {"turns": 41}}, "begun with setup.turns = 20, not 41"),
        ({"seed": 12}, "begun with seed = 11, not 12"),
        ({"format": "swiss", "options": {}}, "begun with format = round-robin, not swiss"),
    ],
)
def test_a_contest_that_was_changed(folder: Path, store: Path, more: dict[str, object], sentence: str) -> None:
    """What differs from what the contest was begun with is named, and nothing is played."""
    opened(asked(store, folder)).store.close()
    with pytest.raises(OperatorError, match=sentence):
        opened(asked(store, folder, **more))


def test_without_a_seed_the_stored_one_counts(folder: Path, store: Path) -> None:
    """The same contest asked for without a seed is gone on with; a new one draws a seed."""
    opened(asked(store, folder)).store.close()
    with opened(asked(store, folder, seed=None)) as contest:
        assert contest.spec.seed == 11
    with opened(asked(store, folder, seed=None, name="other")) as contest:
        assert contest.spec.seed != 11


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"bots": [("", "{folder}/early"), ("early", "{folder}/late")]},
            r"Two bots are called 'early' \(.* and .*\)",
        ),
        ({"bots": [("", "{folder}/early")]}, "needs 4 bots at least for a match of 4, and there are 1"),
        ({"format": "single-eliminatoin"}, r"There is no format 'single-eliminatoin' \('single-elimination'\?\)"),
        ({"format": "double-elimination", "options": {}}, "needs matches of two bots"),
        ({"bots": []}, "A contest needs bots"),
        ({"bots": [("a\nb", "{folder}/early")]}, "is no name for a bot"),
        ({"options": {"seatign": "all"}}, r"has no option 'seatign' \('seating'\?\)"),
        ({"setup": {"trun": 3}}, "There is no setup option 'trun'"),
        ({"sandbox": "some"}, "'sandbox' does not take 'some'; it takes auto, require, none"),
        ({"game": "draughts"}, "There is no game 'draughts'"),
        ({"seed": -1}, "it takes a whole number"),
    ],
)
def test_mistakes(folder: Path, store: Path, more: dict[str, object], sentence: str) -> None:
    """A contest that cannot be is refused in one sentence, before there is a store."""
    wanted = asked(store, folder)
    for key, value in more.items():
        setattr(wanted, key, value)
    wanted.bots = [(name, word.format(folder=folder)) for name, word in wanted.bots]
    with pytest.raises(OperatorError, match=sentence):
        opened(wanted)
    assert not store.exists()


def test_a_bot_that_was_changed_is_refused(folder: Path, store: Path) -> None:
    """Where a format takes no new versions, a changed bot is refused; put back, the contest goes on."""
    wanted = asked(store, folder, "gauntlet")
    with pytest.raises(KeyboardInterrupt):
        play(wanted, interrupt(2))
    before = (folder / "late").read_text()
    write_bot(folder / "late", "echo A")
    with pytest.raises(OperatorError, match=r"files of 'late' have changed .* gauntlet takes no new versions"):
        opened(wanted)
    with pytest.raises(OperatorError, match="leave --frozen out"):
        opened(wanted, frozen=True)
    (folder / "late").write_text(before)
    play(wanted)
    assert len(course(wanted).matches) == 16


def test_a_bot_that_was_changed_enters_anew(folder: Path, store: Path) -> None:
    """On a ladder its new version enters with the next batch; the old one plays what it still has to play."""
    wanted = asked(store, folder, "ladder")
    with pytest.raises(KeyboardInterrupt):
        play(wanted, interrupt(6))  # a batch has 4: in the midst of the second
    write_bot(folder / "late", "echo A")
    notes = Notes()
    with opened(wanted, notes=notes) as contest:
        contest.loop.run(InProcess(), ContestListener(), 2)
        entries = contest.loop.roster.entrants
        seats = {m.batch: set(m.seats) for m in contest.store.scheduled(contest.contest.id)}
    assert notes.joined == ["late"]
    assert [(e.version.name, e.since, e.until, e.follows) for e in entries[2:6:3]] == [
        ("late", 0, 2, None),
        ("late", 2, None, 2),
    ]
    assert 2 in seats[1] or 2 in seats[0]
    assert 2 not in seats[2]


def test_bots_of_a_folder_that_cannot_be_used_are_left_out(folder: Path, store: Path) -> None:
    """All bots of a folder take part but for those that do not build, which are named."""
    (folder / "broken.py").write_text("")
    (folder / "empty").mkdir()
    notes = Notes()
    with opened(asked(store, folder, bots=[], folder=str(folder)), notes=notes) as contest:
        names = [entry.version.name for entry in contest.loop.roster.entrants]
    assert names == ["early", "late", "middling", "steady", "still"]
    assert set(notes.left_out) <= {"broken.py", "empty"}
    assert "empty" in notes.left_out


# --- matches that cannot be played


def missing(contest: ContestSession) -> int | None:
    """How many batches a contest without an end is still to have, those that are drawn not among them."""
    drawn = len(contest.store.progress(contest.contest.id))
    return max(0, BATCHES - drawn) if contest.spec.format == "ladder" else None


def spoiled(*keys: str) -> Spoiled:
    """An executor with a defect of ours in these matches."""
    return Spoiled(lambda order: MatchReport(order.key, error="Traceback: x") if order.key in keys else None)


def test_a_match_that_fails_is_left_open(folder: Path, store: Path) -> None:
    """A match with a defect of ours is tried three times, then left: it counts for nobody, and the rest is played."""
    executor, onlooker, wanted = spoiled("3"), ContestListener(), asked(store, folder)
    with opened(wanted) as contest:
        assert not contest.loop.run(executor, onlooker)
        (aside,) = contest.store.set_aside(contest.contest.id)
        table = standings_of(contest.store, contest.contest, contest.loop.format, contest.loop.roster.entrants)
    assert (aside.fixture.number, aside.attempts, aside.error) == (3, 3, "Traceback: x")
    assert sum(order.key == "3" for order in executor.orders) == 3
    assert onlooker.aside == [3]
    assert sorted(onlooker.results) == [number for number in range(5) if number != 3]
    assert sum(row.matches for row in table.rows) == 4 * 4
    assert sum(row.points for row in table.rows) == pytest.approx(4 * 2)


@pytest.mark.parametrize(
    "format_",
    [
        pytest.param("round-robin", marks=pytest.mark.full),
        pytest.param("swiss", marks=pytest.mark.full),
        "ladder",
        "single-elimination",
    ],
)
def test_an_open_match_is_played_when_the_contest_goes_on(
    folder: Path, store: Path, undisturbed: Callable[[str], Course], format_: str
) -> None:
    """After mending, going on plays what was open: the contest ends as one that had no error, whoever was broken."""
    whole, wanted = undisturbed(format_), asked(store, folder, format_)
    for _ in range(2):  # still broken: it is tried as often again, and still open
        with opened(wanted) as contest:
            assert not contest.loop.run(spoiled("1"), ContestListener(), missing(contest))
            (aside,) = contest.store.set_aside(contest.contest.id)
    assert (aside.fixture.number, aside.attempts) == (1, 6)
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), missing(contest))
    if format_ == "ladder":  # what was drawn meanwhile was drawn without that match
        found = course(wanted).matches
        assert found[:4] == whole.matches[:4]
        assert len(found) == len(whole.matches)
    else:
        assert course(wanted) == whole
    with opened(wanted) as contest:
        assert contest.store.set_aside(contest.contest.id) == []


def test_nobody_is_drawn_by_an_open_match(folder: Path, store: Path) -> None:
    """Where results decide who meets, the rest of the batch is played, and the next one waits."""
    with opened(asked(store, folder, "swiss")) as contest:
        assert not contest.loop.run(spoiled("1"), ContestListener())
        (batch,) = contest.store.progress(contest.contest.id)
    assert (batch.set_aside, batch.played) == (1, batch.size - 1)


def test_what_was_drawn_upon_stays(folder: Path, store: Path) -> None:
    """A batch was drawn while a match of the one before was annulled, which is so no more: that match stays level."""
    wanted = asked(store, folder, "swiss")
    play(wanted)
    before = course(wanted)
    with opened(wanted) as contest, contest.store.database.writing() as connection:
        for table in ("results", "seatings"):
            connection.execute(text(f"DELETE FROM {table} WHERE match = 1"))
        connection.execute(text(f"INSERT INTO set_aside (contest, match) VALUES ({contest.contest.id}, 1)"))
        connection.execute(text("UPDATE batches SET played = played - 1, set_aside = 1 WHERE number = 0"))
    seal(store)
    onlooker = ContestListener()
    play(wanted, onlooker)
    assert onlooker.results == []
    assert len(course(wanted).matches) == len(before.matches) - 1


def test_a_match_that_killed_three_workers_is_set_aside_at_once(folder: Path, store: Path) -> None:
    """What a pool reports after three deaths is not tried again."""
    report = MatchReport("3", error="killed", attempts=3)
    executor = Spoiled(lambda order: replace(report) if order.key == "3" else None)
    with opened(asked(store, folder)) as contest:
        contest.loop.run(executor, ContestListener())
    assert sum(order.key == "3" for order in executor.orders) == 1


def test_what_the_operator_has_to_mend_stops_the_contest(folder: Path, store: Path) -> None:
    """A disk that is full, say, stops it with the sentence; nothing is set aside, and it goes on afterwards."""
    full = Spoiled(lambda order: MatchReport(order.key, error="No room.", mend=True) if order.key == "4" else None)
    wanted = asked(store, folder)
    with opened(wanted) as contest, pytest.raises(OperatorError, match=r"could not be played: No room\. Then run"):
        contest.loop.run(full, ContestListener())
    play(wanted)
    assert len(course(wanted).matches) == 5


def test_a_full_disk_of_the_store(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store's disk is full the contest stops with a sentence; with room again it goes on."""
    wanted = asked(store, folder)
    with opened(wanted) as contest:
        put = contest.store.files.put

        def full(content: bytes, *, sync: bool = True) -> str:
            if not sync:
                raise OperatorError("store-disk-full", store=str(store))
            return put(content, sync=sync)

        monkeypatch.setattr(contest.store.files, "put", full)
        with pytest.raises(OperatorError, match="nothing is lost"):
            contest.loop.run(InProcess(), ContestListener())
    play(wanted)
    assert len(course(wanted).matches) == 5


def test_a_store_holds_several_contests(folder: Path, store: Path) -> None:
    """Contests of one store do not know each other's matches."""
    play(asked(store, folder, name="one"))
    play(asked(store, folder, name="two", seed=12))
    assert len(course(asked(store, folder, name="one")).matches) == 5
    with open_store(str(store)) as both:
        assert [contest.name for contest in both.contests()] == ["one", "two"]
    with pytest.raises(OperatorError, match="several contests; say which by --name: one, two"):
        session.go_on(str(store), None)


def test_a_match_that_kills_its_worker(folder: Path, store: Path) -> None:
    """A match that ends the process which plays it, three times, is set aside; the others are not touched."""
    most = 3
    write_bot(folder / "killer", f"if [ $((DOHYO_SEED % {most})) = 0 ]; then kill -9 $PPID; fi; echo N")
    bots = [("", str(folder / name)) for name in ("early", "late", "killer", "steady")]
    with opened(asked(store, folder, bots=bots, options={})) as contest:
        with Pool(1) as pool:
            contest.loop.run(pool, ContestListener())
        matches = list(contest.store.scheduled(contest.contest.id))
        deadly = [
            match.number
            for match in matches
            if int(environment(match.seed, match.seats.index(2))["DOHYO_SEED"]) % most == 0
        ]
        assert [aside.fixture.number for aside in contest.store.set_aside(contest.contest.id)] == deadly
        assert len(list(contest.store.played(contest.contest.id))) == len(matches) - len(deadly)
    assert deadly
