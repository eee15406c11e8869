"""Several servers and judges of one site at the same moment: nobody overtakes another, in either database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import analyses, hand_ins, judges, ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.people import accounts, limits
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted, open_site
from dohyo.series.store import open_store
from dohyo.series.store.database import Database
from dohyo.series.store.errors import TakenError
from dohyo.series.store.files import Files
from tests import postgres, skips

ALIVE = 8  # threads, each as a server of its own


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of our own."""
    with postgres.running(skips.program("postgres")) as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgres"))])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a site's database that is not there yet, in each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "site.db")
        return
    with request.getfixturevalue("server").database() as url:
        yield url


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    """A site's database."""
    opened = open_site(where)
    yield opened
    opened.close()


def person(database: Database, name: str) -> Person:
    """Somebody with an account, and a password that fits nothing."""
    row = {"name": name, "key": name, "password": name, "role": "author", "since": 1.0}
    return Person(database.write(lambda connection: inserted(connection, tables.people, row)), name, "author")


@pytest.fixture
def ladder(database: Database) -> Ladder:
    """A ladder."""
    return ladders.make(database, person(database, "sato"), "drop-block")


def at_once(act: Callable[[int], object], times: int = ALIVE) -> list[object]:
    """What came of doing this so many times at the same moment: what it returned, or the key of its error."""

    def tried(number: int) -> object:
        try:
            return act(number)
        except OperatorError as error:
            return error.key

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(tried, range(times)))


def test_versions_of_one_bot_have_numbers_of_their_own(database: Database, ladder: Ladder, tmp_path: Path) -> None:
    """Who hands in twice at the same moment has two versions; beyond what may wait, one sentence says so."""
    files, ann = Files(tmp_path / "files"), person(database, "ann")
    came = at_once(lambda n: hand_ins.hand_in(database, files, ladder, ann, "Ann", "a.py", b"%d" % n))
    assert sorted(map(str, came)).count("serve-hand-ins-wait") == ALIVE - hand_ins.MAX_WAITING
    asked = select(tables.hand_ins.c.version)
    versions = database.read(lambda connection: connection.execute(asked).scalars().all())
    assert sorted(versions) == [*range(1, hand_ins.MAX_WAITING + 1)]


def test_a_name_goes_to_one_of_those_who_want_it(database: Database, ladder: Ladder, tmp_path: Path) -> None:
    """Of several people who take one name at the same moment one has it, and the others are told that it is taken."""
    files = Files(tmp_path / "files")
    people = [person(database, f"p{number}") for number in range(ALIVE)]
    came = at_once(lambda n: hand_ins.hand_in(database, files, ladder, people[n], "Bot", "a.py", b"1"))
    assert came.count("serve-bot-taken") == ALIVE - 1


def test_an_account_and_an_invitation_are_one_persons(database: Database) -> None:
    """One name is one account, and an invitation makes one organiser, however many ask at the same moment."""
    came = at_once(lambda n: accounts.sign_up(database, "Mia", "correct horse", "here").name, 3)
    assert sorted(map(str, came)) == ["Mia", "serve-name-taken", "serve-name-taken"]
    secret = accounts.invite(database)
    people = [person(database, f"p{number}") for number in range(ALIVE)]
    came = at_once(lambda n: accounts.promote(database, people[n], secret).role)
    assert sorted(map(str, came)) == ["organiser", *["serve-invitation-over"] * (ALIVE - 1)]


def test_a_limit_holds_for_all_servers_together(database: Database) -> None:
    """What may be tried so often is tried so often, however many servers are asked."""
    once = limits.Limit("trial", 3, 600.0)
    came = at_once(lambda n: limits.take(database, once, "somebody"))
    assert came.count(None) == 3
    assert came.count("serve-too-often") == ALIVE - 3


def test_ladders_of_one_game_have_addresses_of_their_own(database: Database) -> None:
    """Two organisers who make a ladder at the same moment have made two."""
    by = person(database, "ono")
    made = at_once(lambda n: ladders.make(database, by, "drop-block", f"Ladder {n}").slug, 4)
    assert len({*made}) == 4


def test_each_hand_in_goes_to_one_judge_and_versions_in_turn(
    database: Database, ladder: Ladder, tmp_path: Path
) -> None:
    """No two judges examine one hand-in, nor two versions of one bot: the newer has to enter the ladder last."""
    files = Files(tmp_path / "files")
    ann, bob = person(database, "ann"), person(database, "bob")
    first = [hand_ins.hand_in(database, files, ladder, ann, "Ann", "a.py", b"%d" % number) for number in range(2)]
    other = hand_ins.hand_in(database, files, ladder, bob, "Bob", "a.py", b"1")
    came = at_once(lambda n: hand_ins.next_waiting(database, f"judge {n}"))
    taken = {row.id: number for number, row in enumerate(came) if isinstance(row, hand_ins.HandInRow)}
    assert {*taken} == {first[0], other}
    hand_ins.finish(database, first[0], f"judge {taken[first[0]]}", "entered", "", None)
    later = hand_ins.next_waiting(database, "judge 0")
    assert later is not None
    assert later.id == first[1]


def test_authors_take_turns_at_analyses_and_nobody_fills_the_queue(database: Database, ladder: Ladder) -> None:
    """At most a few of one author wait, however many are asked for at once; who had fewer done comes next."""
    ann, bob = person(database, "ann"), person(database, "bob")
    came = at_once(lambda match: analyses.ask(database, ann, ladder, 0, match, "en"))
    assert came.count(None) == analyses.MAX_WAITING
    assert came.count("serve-analyses-wait") == ALIVE - analyses.MAX_WAITING
    done = []
    for later in (None, bob, None):
        if later is not None:
            analyses.ask(database, later, ladder, 0, 0, "en")
        found = analyses.next_waiting(database, [ladder.id])
        assert found is not None
        analyses.finish(database, found, "", "unclear")
        done.append(found.person)
    assert done == [ann.id, bob.id, ann.id]


def test_what_a_living_judge_examines_stays_its_own(database: Database, ladder: Ladder, tmp_path: Path) -> None:
    """A judge that starts takes back what it had, and what a lost one had; nothing of one that is there."""
    files = Files(tmp_path / "files")
    for name in ("own", "lost", "living"):
        judges.tell(database, name, "a machine")
        hand_ins.hand_in(database, files, ladder, person(database, name), name, "a.py", b"1")
        taken = hand_ins.next_waiting(database, name)
        assert taken is not None
        assert taken.bot == name
    gone = update(tables.judges).where(tables.judges.c.name == "lost").values(seen=tables.judges.c.seen - judges.LOST)
    database.write(lambda connection: connection.execute(gone))
    hand_ins.begin_again(database, "own")
    examined = select(func.max(tables.hand_ins.c.judge)).where(tables.hand_ins.c.state == "examined")
    assert database.read(lambda connection: connection.execute(examined).scalar()) == "living"
    asked = select(tables.hand_ins.c.id).where(tables.hand_ins.c.judge == "lost")
    number = database.read(lambda connection: connection.execute(asked).scalar_one())
    assert not hand_ins.finish(database, number, "lost", "refused", "", None)


def test_a_ladder_has_one_judge_and_few_move(database: Database) -> None:
    """All judges work out alike who plays a ladder; when one more comes, only its own ladders move."""
    before, after = ["a", "b", "c"], ["a", "b", "c", "d"]
    moved = {judges.player_of(ladder, after) for ladder in range(100)
             if judges.player_of(ladder, before) != judges.player_of(ladder, after)}  # fmt: skip
    assert moved == {"d"}
    assert {judges.player_of(ladder, after) for ladder in range(100)} == {*after}
    assert judges.player_of(1, []) is None


def test_site_and_store_are_apart_in_one_database(where: str, database: Database, tmp_path: Path) -> None:
    """The store of the matches has tables of the same names as the site: in PostgreSQL both are in one database."""
    arena = str(tmp_path / "arena.db") if database.is_sqlite else where
    with open_store(arena, create=True, files=tmp_path / "files") as store:
        assert store.contests() == []
    open_site(where).close()
    with open_store(arena, files=tmp_path / "files") as store:
        assert store.contests() == []


def test_a_row_that_is_there_already_is_told_as_such(database: Database) -> None:
    """Whoever inserts what may be there once learns that somebody was faster, not that the store is damaged."""
    person(database, "twice")
    with pytest.raises(TakenError):
        person(database, "twice")
