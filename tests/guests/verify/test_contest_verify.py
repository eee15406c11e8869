"""`dohyo contest verify`: rows, tallies, replays and bots of a store against each other."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dohyo.core import replay_format as replays
from dohyo.i18n import Message
from dohyo.series.store import Store, open_store
from tests.cli.conftest import Type
from tests.cli.test_damaged_stores import lay
from tests.covering import covering
from tests.series.made_contests import hold
from tests.series.store.sealing import seal


def test_a_store_that_is_whole(held: Type) -> None:
    """A store in which nothing was changed is whole, also when all moves are played again; nothing else is told."""
    for more in ((), ("--again",)):
        done = held("contest", "verify", "contest.db", *more)
        assert done == (0, "'contest.db' is whole: 1 contest, 4 matches.\n", "")
        found = json.loads(held("contest", "verify", "contest.db", *more, "--json").out)
        assert found == {"store": "contest.db", "contests": 1, "matches": 4, "removed": 0, "findings": []}


CHANGES = {
    "results-places": "UPDATE seatings SET place = 3 - place WHERE match = 1 AND place < 3",
    "a-tally": "UPDATE tallies SET firsts = firsts + 1 WHERE entrant = 1 AND seat = (SELECT MIN(seat) FROM tallies)",
    "a-pair": "UPDATE pair_tallies SET beaten = beaten + 1, lost = lost - 1 WHERE entrant = 0 AND other = 1",
    "faulty-matches": "UPDATE faulty_tallies SET matches = matches + 1",
    "a-fault": "UPDATE fault_tallies SET count = count + 1",
    "a-seed": "UPDATE matches SET seed = seed + 1 WHERE number = 2",
    "a-digest": "UPDATE bot_versions SET digest = archive WHERE id = 1",
    "an-archive": "UPDATE bot_versions SET archive = digest WHERE id = 1",
    "a-row-too-many": "INSERT INTO seatings SELECT contest, 3, 9, entrant, 1, 0, 0, '', 0 FROM seatings LIMIT 1",
}


@pytest.mark.parametrize(("change", "sealed"), covering(CHANGES, [False, True]))
def test_what_was_changed_by_hand_is_found(held: Type, folder: Path, change: str, sealed: bool) -> None:
    """Whatever was changed is found, also by somebody who made the checksums anew; the status is 2."""
    with closing(sqlite3.connect(folder / "contest.db")) as database:
        database.execute(CHANGES[change])
        database.commit()
    if sealed:
        seal(folder / "contest.db")
    done = held("contest", "verify", "contest.db")
    assert done.status == 2
    assert done.err.startswith("The store 'contest.db' ")
    assert len(done.err.splitlines()) == 1
    document = held("contest", "verify", "contest.db", "--json")
    assert (document.status, document.err) == (2, done.err)
    assert [each["finding"] for each in json.loads(document.out)["findings"]][:1] == done.out.splitlines()[:1]


def test_code_that_was_removed_on_purpose_is_no_loss(held: Type, folder: Path) -> None:
    """A store without the code of who wanted it gone is whole, and says so; code that is lost, or wrong, is not."""
    with open_store("contest.db") as store:
        versions = [each.version for each in store.entrants(store.contest().id)]
        gone = str(versions[0].archive)
        content = store.files.get(gone)
    place = folder / "contest.db.files" / gone[:2] / gone[2:]
    place.unlink()
    lost = held("contest", "verify", "contest.db")
    assert lost.status == 2
    assert f"The files of the bot '{versions[0].name}': The file " in lost.out
    with open_store("contest.db") as store:
        store.files.put(content)
        store.remove_code(gone, "deleted")
    assert not place.exists()
    count = sum(version.archive == gone for version in versions)
    for command, status in ((("contest", "verify"), 0), (("verify", "--matches", "1"), 1)):
        done = held(*command, "contest.db")
        assert (done.status, done.err) == (status, ""), done
        assert "'contest.db' is whole: 1 contest, 4 matches.\n" in done.out
        assert f"The code of {count} version" in done.out
        assert "at its author's wish" in done.out
        assert "The file" not in done.out
    assert "could not be played again: The code of " in done.out
    place.write_bytes(content[:-1])
    assert held("contest", "verify", "contest.db").status == 2, "what is there is looked at"
    with open_store("contest.db") as store:
        store.files.put(content)
    assert held("contest", "verify", "contest.db").out == "'contest.db' is whole: 1 contest, 4 matches.\n"


def test_code_that_goes_while_a_store_is_looked_at_is_no_loss(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author may delete the account at that moment: what was removed on purpose is not missing."""
    rows = Store.verify

    def gone(store: Store) -> Iterator[Message]:
        yield from rows(store)
        store.remove_code(str(store.entrants(store.contest().id)[0].version.archive), "deleted")

    monkeypatch.setattr(Store, "verify", gone)
    done = held("contest", "verify", "contest.db")
    assert (done.status, done.err) == (0, "")
    assert "at its author's wish" in done.out


def test_replays_that_are_not_those_of_the_matches(held: Type, folder: Path) -> None:
    """A replay that is missing, changed, of another match, or against the rules is told with its match."""
    with open_store("contest.db") as store:
        contest = store.contest()
        played = list(store.played(contest.id))
        (folder / "contest.db.files" / str(played[0].replay)[:2] / str(played[0].replay)[2:]).unlink()
        recorded = replays.decode(store.files.get(str(played[1].replay)))
        recorded.turns[0].digest = "00000000"
        broken = store.files.put(replays.encode(recorded, compressed=True))
    with closing(sqlite3.connect(folder / "contest.db")) as database:
        database.execute("UPDATE results SET replay = ? WHERE match = 1", (broken,))
        database.execute("UPDATE results SET replay = ? WHERE match = 2", (played[3].replay,))
        database.commit()
    seal(folder / "contest.db")
    lines = held("contest", "verify", "contest.db", "--again").out.splitlines()
    assert lines[0].startswith("contest, match 0, its replay: The file ")
    assert lines[1].startswith("contest, match 1, its replay: ")
    assert lines[2].startswith("contest, match 2: the store has bots ")
    assert not any("match 3" in line for line in lines)


def test_a_contest_that_cannot_be_checked_does_not_hide_another(typed: Type, folder: Path) -> None:
    """Where nobody who is installed reads the records of its referee, that is a finding, and the next is checked."""
    where = folder / "c.db"
    hold(where, game="drop-block", names=("hunter", "mine", "other", "lazy"), rounds=1)
    with open_store(str(where)) as store:
        referee = {"name": "drop-block", "players": [4, 4], "result": "places", "digest": "0" * 64, "kind": "coin"}
        store.amend_spec(store.contest().id, lambda plain: {**plain, "referee": referee, "setup": {}})
    with closing(sqlite3.connect(where)) as database:
        database.execute("UPDATE contests SET name = 'first'")
        database.commit()
    seal(where)
    hold(where, game="drop-block", names=("hunter", "mine", "other", "lazy"), rounds=1)
    done = typed("contest", "verify", "c.db")
    assert (done.status, done.out.count("\n"), "cannot be checked here: 1" in done.err) == (2, 1, True), done
    assert done.out.startswith("first cannot be checked: ")
    assert "coin" in done.out
    with open_store(str(where)) as store:
        contest = store.contest("spring").id
    with closing(sqlite3.connect(where)) as database:
        database.execute("UPDATE faulty_tallies SET matches = matches + 1 WHERE contest = ?", (contest,))
        database.execute("UPDATE results SET replay = NULL WHERE contest = ?", (contest,))
        database.execute("UPDATE bot_versions SET archive = digest WHERE id = (SELECT MAX(id) FROM bot_versions)")
        database.commit()
    seal(where)
    done = typed("contest", "verify", "c.db")
    assert (done.status, "does not hold what was written" in done.err) == (2, True), done
    assert "The files of the bot " in done.out.partition("first cannot be checked: ")[2]


def test_changed_bytes_are_found(typed: Type, folder: Path, full: bool) -> None:
    """Where a command finds three changed bytes, `verify` finds them, and it never ends in another way."""
    hold(folder / "good.db", game="drop-block", names=("hunter", "mine", "other", "lazy"), rounds=2)
    with open_store("good.db") as store:
        store.files.put(b"")
    good, dice, found = (folder / "good.db").read_bytes(), random.Random(5), 0
    lay(folder, good)
    whole = typed("contest", "verify", "c.db")
    right = typed("contest", "standings", "c.db", "--json")
    assert whole.status == right.status == 0
    for _ in range(200 if full else 6):
        content = bytearray(good)
        for at in dice.sample(range(len(content)), 3):
            content[at] = (content[at] + dice.randrange(1, 256)) % 256
        lay(folder, bytes(content))
        done = typed("contest", "verify", "c.db")
        assert done == whole or (done.status, len(done.err.splitlines())) == (2, 1)
        if typed("contest", "standings", "c.db", "--json") != right:
            assert done.status == 2
            found += 1
    assert found
