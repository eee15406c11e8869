"""A contest as it was: a copy that ends at a moment shows what there was to see then, and nothing of later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from time import time
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.guests.site import tables
from dohyo.guests.site.api import problems
from dohyo.guests.site.api.ladders import shown
from dohyo.guests.site.application import refused
from dohyo.guests.site.arena import analyses, contest_page, ladders, moments
from dohyo.guests.site.arena.analyses import Analysis
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import WAITING, Arena
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import accounts
from dohyo.i18n import Speaker
from dohyo.series import rulings
from dohyo.series.exports.export import as_csv, lines, standings_as_csv
from dohyo.series.request import ContestRequest
from dohyo.series.session import ContestView, look
from dohyo.series.store import Store, open_store
from tests.series.contests import BOTS, ContestListener, asked, opened, write_bot, write_bots


def told(store: Store) -> tuple[str, str, object, object]:
    """Standings, matches, pairs and progress, whole."""
    view = look(store, None)
    contest = view.contest.id
    shown = "".join(standings_as_csv(view.standings())), "".join(as_csv(lines(view)))
    return *shown, store.pairs(contest), store.progress(contest)


@pytest.fixture
def wanted(tmp_path: Path) -> ContestRequest:
    """A contest of five bots, by rounds."""
    write_bots(tmp_path)
    return asked(tmp_path / "c.db", tmp_path, "swiss")


def play(wanted: ContestRequest, batches: int) -> None:
    """Play so many rounds."""
    with opened(wanted) as contest, InProcess() as players:
        contest.loop.run(players, ContestListener(), batches)


def test_a_copy_ends_at_its_moment(wanted: ContestRequest, tmp_path: Path) -> None:
    """After each round, a ruling and a match played again: the copy, made at the end, is as the store was then."""
    seen: list[tuple[float, object]] = []

    def note() -> None:
        with open_store(wanted.store) as store:
            seen.append((time(), told(store)))

    for _ in range(2):
        play(wanted, 1)
        note()
    with open_store(wanted.store) as store:
        rulings.ask_again(look(store, None), [1], "was late")
    note()
    play(wanted, 1)
    note()
    with open_store(wanted.store) as store:
        view = look(store, None)
        rulings.annul(view, [0], "unjust")
        rulings.disqualify(view, "late", "copied")
    note()
    play(wanted, 1)
    with open_store(wanted.store) as store:
        for at, (until, before) in enumerate(seen):
            path = tmp_path / f"{at}.db"
            moments.make_copy(store, "c", until, path)
            with moments.open_copy(store.files, path) as copy:
                assert told(copy) == before, at
                assert list(copy.verify()) == []
        assert told(store) != seen[-1][1]


def test_within_a_round_nothing_that_was_unplayed_is_known(wanted: ContestRequest, tmp_path: Path) -> None:
    """Between two results of a round, the first is there, and neither the second nor who meets whom afterwards."""
    play(wanted, 3)
    with open_store(wanted.store) as store:
        contest = store.contest()
        first, second = [each.at for each in store.played(contest.id, 1)][:2]
        moments.make_copy(store, "c", (first + second) / 2, tmp_path / "copy.db")
        with moments.open_copy(store.files, tmp_path / "copy.db") as copy:
            assert [each.fixture.batch for each in copy.played(1)] == [0, 0, 0, 0, 1]
            assert [each.batch for each in copy.progress(1)] == [0, 1]
            assert {each.batch for each in copy.scheduled(1)} == {0, 1}


def test_a_copy_is_made_once_and_forgotten(wanted: ContestRequest, tmp_path: Path) -> None:
    """It is kept open, made anew for another moment, and gone when nobody needs it any more."""
    frozen = tmp_path / "frozen"
    frozen.mkdir()
    arena = Arena(wanted.store, frozen)
    with arena.opened_at("c", 1.0) as store:
        assert store is None, "there is nothing yet"
    play(wanted, 1)
    try:
        for until, played in ((1.0, 0), (time(), 4), (1.0, 0)):
            with arena.opened_at("c", until) as store:
                assert store is not None
                assert sum(each.played for each in store.progress(1)) == played
        assert len(list(frozen.glob("*.db"))) == 2
        arena.forget("c")
        assert list(frozen.iterdir()) == []
    finally:
        arena.close()


class Slow:
    """Makes copies as ever, but for those of one moment: they wait until they may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, until: float) -> None:
        self.goes_on, self.made = Event(), 0
        make = moments.make_copy

        def slowly(store: Store, name: str, at: float, path: Path) -> None:
            if at == until:
                self.made += 1
                assert self.goes_on.wait(60)
            make(store, name, at, path)

        monkeypatch.setattr(moments, "make_copy", slowly)
        monkeypatch.setattr("dohyo.guests.site.arena.opened.WAIT", 0.0)


def come_again(arena: Arena, until: float) -> bool:
    """Whether a page that needs a copy asks its reader to come again."""
    try:
        with arena.opened_at("c", until) as store:
            return store is None
    except OperatorError as error:
        if error.key != "serve-copy-is-made":
            raise
        return True


@pytest.fixture
def arena(wanted: ContestRequest, tmp_path: Path) -> Iterator[Arena]:
    """A site's store with a round that was played."""
    play(wanted, 1)
    (tmp_path / "frozen").mkdir()
    found = Arena(wanted.store, tmp_path / "frozen")
    yield found
    found.close()


def test_a_copy_that_takes_long_holds_up_no_other_page(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who needs it comes again, and it is made once for all; others and the store are read meanwhile."""
    with arena.opened_at("c", 2.0) as store:
        assert store is not None
    slow = Slow(monkeypatch, 1.0)
    assert come_again(arena, 1.0)
    assert come_again(arena, 1.0)
    with arena.opened_at("c", 2.0) as other, arena.opened() as whole:
        assert other is not None
        assert whole is not None
    (made,) = arena._making.values()
    slow.goes_on.set()
    made.result(60)
    assert not come_again(arena, 1.0)
    assert slow.made == 1


def test_a_copy_that_nobody_needs_any_more_is_not_kept(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the freeze is taken back while a copy is made, nothing of it is left."""
    slow = Slow(monkeypatch, 1.0)
    assert come_again(arena, 1.0)
    (made,) = arena._making.values()
    arena.forget("c")
    slow.goes_on.set()
    assert isinstance(made.exception(60), OperatorError)
    assert list((tmp_path / "frozen").iterdir()) == []


def test_a_copy_that_fails_is_tried_again(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """What went wrong is for who asked; who asks later has the copy."""

    def broken(*_: object) -> None:
        raise OperatorError("store-missing", store="", nearest="")

    with monkeypatch.context() as patched:
        patched.setattr(moments, "make_copy", broken)
        with pytest.raises(OperatorError, match="store"), arena.opened_at("c", 1.0):
            pass
    with arena.opened_at("c", 1.0) as store:
        assert store is not None


def test_while_the_copy_is_made_anew_the_first_one_is_shown(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Just after a freeze a result may be on its way: until that copy is there, the one without it is shown."""
    until = time()
    with arena.opened_at("c", until) as store:
        assert store is not None
    slow = Slow(monkeypatch, until)
    monkeypatch.setattr("dohyo.guests.site.arena.opened.time", lambda: until + 60)
    assert not come_again(arena, until)
    (made,) = arena._making.values()
    slow.goes_on.set()
    made.result(60)
    assert not come_again(arena, until)


def test_few_pages_wait_for_a_copy(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes when enough wait is told at once to come again: pages that wait would keep others from theirs."""
    slow = Slow(monkeypatch, 1.0)
    monkeypatch.setattr("dohyo.guests.site.arena.opened.WAIT", 60.0)
    waiting = [Thread(target=come_again, args=(arena, 1.0)) for _ in range(WAITING)]
    for thread in waiting:
        thread.start()
    while arena._places._value:
        """They are on their way."""
    assert come_again(arena, 1.0)
    slow.goes_on.set()
    for thread in waiting:
        thread.join()
    assert slow.made == 1
    assert arena._places._value == WAITING


def test_who_comes_while_a_copy_is_made_is_told_so() -> None:
    """The page has a sentence of its own, and so has the answer for a program."""
    error = OperatorError("serve-copy-is-made")
    said = error.say(Speaker("en"))
    assert said in refused(503, "/ladders/a", Speaker("en"), "", said)[1]
    answer = problems.answer(error, Speaker("en"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert b"frozen" in answer.content


def test_what_is_analysed_is_what_its_author_may_see(wanted: ContestRequest, tmp_path: Path) -> None:
    """Of a match that is played again while standings are frozen, the replay of before; an organiser has the new."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    (tmp_path / "frozen").mkdir()
    unjust = tmp_path / "unjust"
    unjust.touch()
    write_bot(tmp_path / BOTS[0], f'if [ -e "{unjust}" ]; then exit 3; fi; echo N')
    play(wanted, 1)
    unjust.unlink()
    with open_store(wanted.store) as store:
        first = str(store.result(store.contest(), 0).replay)
        frozen = time()
        rulings.ask_again(look(store, None), [0], "was late")
    play(wanted, 1)
    with open_store(wanted.store) as store:
        second = str(store.result(store.contest(), 0).replay)
        assert first != second
        replays = {digest: store.files.get(digest, 1 << 20) for digest in (first, second)}
    with closing(tables.open_site(site.site)) as database, closing(Arena(wanted.store, tmp_path / "frozen")) as arena:
        author, teacher = (accounts.sign_up(database, name, "correct horse", "here") for name in ("Anna", "Teacher"))
        organise = update(tables.people).where(tables.people.c.id == teacher.id).values(role=accounts.ORGANISER)
        database.write(lambda connection: connection.execute(organise))
        ladder = msgspec.structs.replace(ladders.make(database, teacher, "othello"), slug="c", frozen=frozen)
        for person, digest in ((author, first), (teacher, second)):
            asked = Analysis(1, person.id, ladder, 0, 0, "en", "waiting", "", "")
            assert analyses.replay_of(database, site, arena, asked) == replays[digest]


def test_a_contest_whose_page_takes_long_holds_up_no_other(
    wanted: ContestRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of one contest is made by one thread for all who want it; that of another one is made meanwhile."""
    for each in (wanted, asked(Path(wanted.store), tmp_path, "swiss", name="other")):
        play(each, 1)
    arena = Arena(str(wanted.store), tmp_path / "frozen")
    begun, may_go_on, made = Event(), Event(), contest_page._page

    def slow(store: Store, view: ContestView) -> contest_page.ContestPage:
        if view.contest.name != "other":
            begun.set()
            assert may_go_on.wait(60)
        return made(store, view)

    monkeypatch.setattr(contest_page, "_page", slow)
    first, other = (Ladder(at, name, name, "shoot-em-up") for at, name in enumerate(("c", "other")))
    waiting = Thread(target=contest_page._contest_page, args=(arena, first, None))
    waiting.start()
    assert begun.wait(60)
    try:
        assert contest_page._contest_page(arena, other, None).is_begun
    finally:
        may_go_on.set()
        waiting.join()
    arena.close()


def test_a_list_of_contests_makes_no_page_of_any(
    wanted: ContestRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that list a hundred contests learn which are over from the store, without a hundred standings."""
    play(wanted, 1)
    monkeypatch.setattr(contest_page, "_page", lambda *_: pytest.fail("a page was made"))
    terms = Terms(opens=0.0, closes=1.0, starts=1.0, format="swiss")
    ladder, later = (Ladder(1, name, "Title", "shoot-em-up", played=terms) for name in ("c", "later"))
    with closing(Arena(str(wanted.store), tmp_path / "frozen")) as arena:
        call: Any = SimpleNamespace(arena=arena, database=None, person=None)
        states = []
        for state in ("running", "over"):
            with open_store(wanted.store) as store:
                store.set_state(store.contest("c").id, state)
            listed = [shown(call, each).contest for each in (ladder, later)]
            states.append([each.state for each in listed if each is not None])
    assert states == [["playing", "playing"], ["over", "playing"]]
