"""The judge, without a server: what must not stop it, and what happens at the same moment as something else."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select

from dohyo import bots
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import MachineError, OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import analyses, hand_ins, ladders, own_bots, personal_export, requests
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.requests import Played
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging import examine
from dohyo.guests.site.judging import judge as judging
from dohyo.guests.site.judging.asked import MAX_TRIES, Asked
from dohyo.guests.site.judging.examine import Examined, Outcome
from dohyo.guests.site.judging.judge import Judge
from dohyo.guests.site.people import accounts, leaving
from dohyo.guests.site.upkeep import logs
from dohyo.series.store.database import Database
from dohyo.series.store.records import Contest
from tests.guests.site.conftest import GOOD

WAITS = "waiting"
SOON = Terms(opens=0.0, closes=time() + 3600, starts=time() + 3600, format="round-robin")


@pytest.fixture
def site(tmp_path: Path) -> SiteFolder:
    """A site's folder without a server."""
    found = SiteFolder(tmp_path / "site")
    lock = found.take()
    assert lock is not None
    lock.release()
    return found


@pytest.fixture
def database(site: SiteFolder) -> Iterator[Database]:
    """Its database."""
    found = tables.open_site(site.site)
    yield found
    found.close()


@pytest.fixture
def judge(site: SiteFolder, database: Database) -> Iterator[Judge]:
    """Its judge."""
    with Judge(site, "none", 1, 1 << 30) as found:
        yield found


def test_a_contest_does_not_begin_as_an_author_leaves(
    site: SiteFolder, database: Database, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who deletes the account while a hand-in is examined begins no contest, and what the check wrote is removed."""
    teacher = accounts.sign_up(database, "Teacher", "correct horse", "here")
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    contest = ladders.make(database, teacher, "othello", "Later", played=SOON)
    hand_ins.hand_in(database, site.files(), contest, author, "Bot", "bot.py", b"handed in")

    def examine(*_: object) -> Outcome:
        leaving.leave(database, author)
        return Outcome(Examined(True), replay=b"what was seen")

    monkeypatch.setattr(judging, "examine", examine)
    assert judge._examine_next()
    assert not Path(site.arena).exists()
    assert not [path for path in (site.home / "files").rglob("*") if path.is_file() and b"seen" in path.read_bytes()]


def test_a_hand_in_is_read_and_built_once(
    site: SiteFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading it takes a process of its own, which costs as much as a match: check and match have the bot from it."""
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    ladder = ladders.make(database, author, "othello")
    source = (GOOD.parents[3] / "games/general/bots/random.py").read_bytes()
    hand_ins.hand_in(database, site.files(), ladder, author, "Bot", "bot.py", source)
    row, meant, resolve = hand_ins.next_waiting(database, "judge"), list[object](), bots.resolve
    assert row is not None

    def noted(specs: Sequence[object], *rest: Any, **more: Any) -> Any:
        meant.extend(specs)
        return resolve(specs, *rest, **more)

    monkeypatch.setattr(bots, "resolve", noted)
    outcome = examine.examine(site, row, "none")
    assert (outcome.examined.fit, bool(outcome.replay)) == (True, True), outcome.examined
    assert sum(isinstance(each, HandIn) for each in meant) == 1


def test_a_ruling_at_the_moment_of_the_end_is_heard(judge: Judge) -> None:
    """What is ruled while the last ratings are published lets the contest go on, as nobody else does that."""
    states: list[str] = []
    count = 0

    def finish() -> None:
        nonlocal count
        count = 1

    store = SimpleNamespace(
        progress=lambda contest: [],
        set_state=lambda contest, state: states.append(state),
        amend_spec=lambda contest, change: None,
    )
    loop = SimpleNamespace(format=SimpleNamespace(batch=1), run=lambda *_: True)

    class Room:
        session = SimpleNamespace(
            store=store, loop=loop, contest=Contest(1, "c", "othello", {}, begun=0.0, state="running")
        )
        publisher = SimpleNamespace(finish=finish)
        ladder = SimpleNamespace(slug="c", id=1)
        elsewhere: Any = SimpleNamespace()
        ruled = 0

        @property
        def rulings(self) -> int:
            return count

        def close(self) -> None:
            """Nothing is open."""

    room: Any = Room()
    for expected in (["over", "stopped"], ["over", "stopped", "over"]):
        judge._rooms["c"] = room
        judge._heed = lambda room: None  # type: ignore[method-assign]
        assert judge._play_contest(room, SOON)
        assert states == expected


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (AttributeError("a defect"), "failed"),
        (OperatorError("store-file-missing", digest="0", folder="files"), "failed"),
        (MachineError("no-quarters", bot="b", reason="no room"), "waiting"),
    ],
)
def test_what_is_wrong_with_a_request_is_tried_three_times(
    site: SiteFolder, database: Database, error: Exception, state: str
) -> None:
    """A request that cannot be played is given up: others' would wait for ever. A full disk is no such reason."""
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    ladder = ladders.make(database, author, "othello")
    row = {
        "person": author.id,
        "ladder": ladder.id,
        "seats": "[]",
        "seed": 1,
        "count": 1,
        "at": 0,
        "state": "waiting",
    }
    database.write(lambda connection: connection.execute(insert(tables.requests).values(row)))
    asked = Asked(site, database, Arena(site.arena, site.frozen), lambda text: None)

    def play(orders: Any) -> Any:
        raise error

    executor: Any = SimpleNamespace(workers=1, play=play)
    loop: Any = SimpleNamespace(order=None)
    for _ in range(MAX_TRIES):
        with pytest.raises(type(error)):
            asked.play(executor, {ladder.id}, lambda ladder: loop)
    found = database.read(lambda connection: connection.execute(select(tables.requests.c.state)).scalar())
    assert found == state
    assert (requests.next_waiting(database, {ladder.id}) is not None) == (state == "waiting")


def test_a_withdrawn_request_leaves_nothing_to_the_next_one_of_its_number(database: Database) -> None:
    """What the judge played of it is nobody's, and so is what was found: SQLite gives a number that is free again."""
    ann, bob = (accounts.sign_up(database, name, "correct horse", "here") for name in ("Ann", "Bob"))
    ladder = ladders.make(database, ann, "othello")

    def asked(person: accounts.Person) -> int:
        row = {"person": person.id, "ladder": ladder.id, "seats": "[]", "seed": 1, "count": 1, "at": time()}
        return database.write(
            lambda connection: tables.inserted(connection, tables.requests, {**row, "state": WAITS})
        )

    number = asked(ann)
    played, replay = requests.next_waiting(database, {ladder.id}), Played(0, 1, (1, 2), ((), ()), "of Ann", 1.0)
    assert played is not None
    analyses.ask(database, ann, ladder, number, 0, "en")
    found = analyses.next_waiting(database, {ladder.id})
    assert found is not None
    requests.remove(database, ann, number)
    assert asked(bob) == number
    requests.fail(database, played)
    assert not requests.record(database, played, replay)
    theirs = requests.find(database, bob, number)
    assert theirs is not None
    assert (theirs.played, theirs.state) == ((), WAITS)
    analyses.ask(database, bob, ladder, number, 0, "en")
    analyses.finish(database, found, "done", "of Ann")
    new = analyses.find(database, bob, ladder, number, 0)
    assert new is not None
    assert (new.id, new.state, new.found) == (found.id, WAITS, "")
    assert requests.record(database, theirs, replay)


def test_an_analysis_is_of_a_match_of_who_asks(site: SiteFolder, database: Database) -> None:
    """A request's number that is somebody else's gives no replay."""
    ann, bob = (accounts.sign_up(database, name, "correct horse", "here") for name in ("Ann", "Bob"))
    ladder = ladders.make(database, ann, "othello")
    row = {"person": ann.id, "ladder": ladder.id, "seats": "[]", "seed": 1, "count": 1, "at": 1.0, "state": WAITS}
    number = database.write(lambda connection: tables.inserted(connection, tables.requests, row))
    request = requests.next_waiting(database, {ladder.id})
    assert request is not None
    digest = site.files().put(b"a replay")
    assert requests.record(database, request, Played(0, 1, (1, 2), ((), ()), digest, 1.0))
    for person, content in ((bob, None), (ann, b"a replay")):
        analyses.ask(database, person, ladder, number, 0, "en")
        wanted = analyses.find(database, person, ladder, number, 0)
        assert wanted is not None
        assert analyses.replay_of(database, site, Arena(site.arena, site.frozen), wanted) == content


def test_a_persons_data_say_nothing_of_how_much_a_ladder_has_played(site: SiteFolder, database: Database) -> None:
    """In which batch a version came in is how many were played: of a frozen ladder that is not told."""
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    ladder = ladders.make(database, author, "othello")
    number = hand_ins.hand_in(database, site.files(), ladder, author, "bot", "a.py", b"pass")
    assert hand_ins.next_waiting(database, "judge") is not None
    hand_ins.finish(database, number, "judge", "entered", '{"fit":true,"batch":4711}', None, "digest")
    with (
        closing(Arena(site.arena, site.frozen)) as arena,
        personal_export.export(site, database, arena, author) as file,
        zipfile.ZipFile(file) as found,
    ):
        told = [found.read(name) for name in found.namelist()]
    assert any(b'"fit": true' in each for each in told)
    assert not any(b"4711" in each for each in told)


def test_what_authors_ask_for_has_no_more_time_than_ladders(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long request ladders play as long before the next one. Where none plays, nothing waits."""
    clock, spent = [0.0], {"ladders": 0.0, "asked": 0.0}

    def takes(what: str, seconds: float) -> bool:
        clock[0] += seconds
        spent[what] += seconds
        return True

    plays = [True]
    monkeypatch.setattr(judging, "monotonic", lambda: clock[0])
    monkeypatch.setattr(judging.ladders, "every", lambda database: [SimpleNamespace(retired=None, slug="a")])
    monkeypatch.setattr(judge, "_examine_next", lambda: False)
    monkeypatch.setattr(judge, "_waits", lambda ladder: False)
    monkeypatch.setattr(judge, "_play", lambda ladder: plays[0] and takes("ladders", 30.0))
    monkeypatch.setattr(judge, "_play_asked", lambda there: takes("asked", 1000.0))
    for _ in range(100):
        assert judge.step()
        assert spent["asked"] <= spent["ladders"] + 1000.0
    assert spent["asked"] == 3000.0
    plays[0] = False
    for _ in range(3):
        assert judge.step()
    assert spent["asked"] == 6000.0


def test_of_a_retired_ladder_nothing_is_kept_ready(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its store is closed and its bots are let go: retired ladders add up over the years."""
    left: list[str] = []
    judge._rooms["old"] = SimpleNamespace()  # type: ignore[assignment]
    judge._rooms["new"] = SimpleNamespace()  # type: ignore[assignment]
    monkeypatch.setattr(judge, "_leave", lambda slug: left.append(slug) or judge._rooms.pop(slug))
    both = [SimpleNamespace(retired=1.0, slug="old"), SimpleNamespace(retired=None, slug="new")]
    monkeypatch.setattr(judging.ladders, "every", lambda database: both)
    monkeypatch.setattr(judge, "_waits", lambda ladder: True)
    judge.step()
    assert left == ["old"]
    judge._rooms.clear()


def test_no_defect_ends_the_judge(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong as code is forgotten, or with what was asked for, is told, and the judge goes on."""
    told: list[str] = []
    monkeypatch.setattr(logs, "trouble", told.append)
    monkeypatch.setattr(own_bots, "left_behind", lambda database: [SimpleNamespace(), SimpleNamespace()])
    monkeypatch.setattr(judging, "open_store", lambda *_, **__: nullcontext(SimpleNamespace()))
    judge._forget_code()
    judge._asked = SimpleNamespace()  # type: ignore[assignment]
    monkeypatch.setattr(judge, "_waits", lambda ladder: False)
    monkeypatch.setattr(judge, "_has_begun", lambda ladder: True)
    assert not judge._play_asked([SimpleNamespace(id=1)])  # type: ignore[list-item]
    assert [text.count("AttributeError") for text in told] == [1, 1, 1]


@pytest.mark.parametrize("why", ["check", "build"])
def test_nothing_stays_of_what_may_not_play(
    site: SiteFolder, database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, why: str
) -> None:
    """Not in the cache either: a small file may unpack to very much. What lay there before stays."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    ladder = ladders.make(database, author, "shoot-em-up")
    packed = {
        "check": {"main.py": b"raise SystemExit(3)\n", "pad.bin": bytes(1 << 20)},
        "build": {"build.sh": b"exit 4\n", "command.txt": b"build: sh build.sh\nrun: sh build.sh\n"},
    }

    def kept(files: dict[str, bytes]) -> tuple[bool, set[str]]:
        with zipfile.ZipFile(tmp_path / "bot.zip", "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in files.items():
                file.writestr(name, content)
        hand_ins.hand_in(database, site.files(), ladder, author, "Bot", "b.zip", (tmp_path / "bot.zip").read_bytes())
        row = hand_ins.next_waiting(database, "judge")
        assert row is not None
        outcome = examine.examine(site, row, "none")
        hand_ins.finish(database, row.id, "judge", "entered" if outcome.examined.fit else "refused", "", None)
        folders = ("hand-ins", "builds")
        return outcome.examined.fit, {str(path) for each in folders for path in (tmp_path / "cache" / each).glob("*")}

    fit, before = kept({"main.py": GOOD.read_bytes()})
    assert fit
    assert before
    assert kept(packed[why]) == (False, before)
