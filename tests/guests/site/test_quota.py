"""How much one author keeps on a site: bounded, said, and made less by deleting old versions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.api import problems
from dohyo.guests.site.arena import hand_ins, ladders, own_bots, quota
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.quota import Kept, Quota
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted, open_site
from dohyo.i18n import Speaker
from dohyo.series.store.database import Database
from dohyo.series.store.files import Files
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

NUMBERS = itertools.count(1)
FREE = Quota(size=1 << 40, versions=1 << 20)


class Place:
    """A site's database and files without a server, with a ladder and people."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.files = database, Files(folder)
        self.ladder: Ladder = ladders.make(database, self.person("sato"), "drop-block")

    def person(self, name: str) -> Person:
        """Somebody with an account, and a password that fits nothing."""
        row = {"name": name, "key": name, "password": name, "role": "author", "since": 1.0}
        return Person(
            self.database.write(lambda connection: inserted(connection, tables.people, row)), name, "author"
        )

    def hand_in(self, person: Person, bot: str, content: bytes, allowed: Quota = FREE) -> int:
        """Hand in, and let the judge refuse it, so that nothing waits."""
        number = hand_ins.hand_in(self.database, self.files, self.ladder, person, bot, "a.py", content, allowed)
        self.end(number, "refused")
        return number

    def end(self, number: int, state: hand_ins.State, digest: str = "") -> None:
        """Let the judge be done with a hand-in."""
        taken = hand_ins.next_waiting(self.database, "judge")
        assert taken is not None
        assert taken.id == number
        replay = self.files.put(b"replay %d" % number)
        assert hand_ins.finish(self.database, number, "judge", state, "", replay, digest)

    def bot(self, person: Person) -> own_bots.OwnBot:
        """The only bot of a person."""
        (bot,) = own_bots.of_person(self.database, person)
        return bot


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Such a site."""
    with closing(open_site(str(tmp_path / "site.db"))) as database:
        yield Place(database, tmp_path / "files")


def test_more_bytes_than_one_person_may_keep_are_refused(place: Place) -> None:
    """One sentence says what is used, what is allowed and what to do; nothing of the hand-in is kept."""
    ann, bob, allowed = place.person("ann"), place.person("bob"), Quota(size=2_000_000)
    place.hand_in(ann, "Ann", b"1" * 1_500_000, allowed)
    with pytest.raises(OperatorError) as refused:
        place.hand_in(ann, "Second", b"2" * 600_000, allowed)
    assert refused.value.key == "serve-quota-size"
    said = refused.value.say(Speaker("en"))
    assert "1.5 MB" in said
    assert "0.6 MB" in said
    assert "2 MB" in said
    assert "Delete old versions" in said
    assert "ask an organiser" in said
    assert problems.answer(refused.value, Speaker("en")).status_code == 422
    assert quota.kept_by(place.database, ann) == Kept(1_500_000, 1)
    place.hand_in(bob, "Bob", b"2" * 600_000, allowed)
    place.hand_in(ann, "Ann", b"3" * 500_000, allowed)


def test_what_a_small_file_unpacks_to_counts(place: Place) -> None:
    """A version that plays is kept unpacked: a zip of zeros takes as much of the quota as of the disk."""
    ann, allowed = place.person("ann"), Quota(size=2_000_000)
    number = hand_ins.hand_in(place.database, place.files, place.ladder, ann, "Ann", "a.zip", b"few", allowed)
    assert hand_ins.next_waiting(place.database, "judge") is not None
    assert hand_ins.finish(place.database, number, "judge", "entered", "", None, "D", 1_900_000)
    assert quota.kept_by(place.database, ann) == Kept(1_900_000, 1)
    with pytest.raises(OperatorError, match=r"1\.9 MB"):
        place.hand_in(ann, "Ann", b"1" * 200_000, allowed)


def test_more_versions_than_one_person_may_keep_are_refused(place: Place) -> None:
    """Versions of all bots count together, with the same files, too; what is kept twice takes its room once."""
    ann, allowed = place.person("ann"), Quota(versions=2)
    place.hand_in(ann, "Ann", b"same", allowed)
    place.hand_in(ann, "Other", b"same", allowed)
    assert quota.kept_by(place.database, ann) == Kept(4, 2)
    with pytest.raises(OperatorError) as refused:
        place.hand_in(ann, "Ann", b"third", allowed)
    assert refused.value.key == "serve-quota-versions"


def test_deleted_versions_make_room(place: Place) -> None:
    """An author deletes a version that does not play, its check match too, and hands in again; what plays stays."""
    ann, allowed = place.person("ann"), Quota(versions=2)
    place.hand_in(ann, "Ann", b"first", allowed)
    second = hand_ins.hand_in(place.database, place.files, place.ladder, ann, "Ann", "a.py", b"second", allowed)
    with pytest.raises(OperatorError) as needed:
        own_bots.delete_version(place.database, place.files, place.bot(ann), 2)
    assert needed.value.key == "serve-version-needed", "it waits"
    place.end(second, "entered", "digest")
    with pytest.raises(OperatorError) as needed:
        own_bots.delete_version(place.database, place.files, place.bot(ann), 2)
    assert needed.value.key == "serve-version-needed", "it plays"
    own_bots.delete_version(place.database, place.files, place.bot(ann), 1)
    newer, older = place.bot(ann).versions
    assert (older.file, older.replay, older.state) == ("", None, "refused")
    assert place.files.get(newer.file) == b"second"
    assert len(list(place.files.folder.glob("??/*"))) == 2, "a hand-in and its match"
    with pytest.raises(OperatorError) as gone:
        own_bots.delete_version(place.database, place.files, place.bot(ann), 1)
    assert gone.value.key == "serve-version-gone"
    place.hand_in(ann, "Ann", b"third", allowed)


def test_a_deleted_version_leaves_the_store_and_another_with_its_files_stays(place: Place) -> None:
    """The judge is told which code nobody needs; the same files as another version are still needed."""
    ann = place.person("ann")
    for content, digest in ((b"one", "D1"), (b"two", "D2"), (b"one", "D1"), (b"three", "D3")):
        number = hand_ins.hand_in(place.database, place.files, place.ladder, ann, "Ann", "a.py", content, FREE)
        place.end(number, "entered", digest)
    for version in (1, 2):
        own_bots.delete_version(place.database, place.files, place.bot(ann), version)
    (left,) = own_bots.left_behind(place.database)
    assert left.digests == {"D2"}
    assert place.files.get(place.bot(ann).versions[1].file) == b"one"
    assert [one.version for one in place.bot(ann).entered] == [4, 3], "what was deleted cannot play again"
    store: Any = Store(place, {"D1": None, "D2": 3, "D3": None})
    assert own_bots.forget_code(place.database, store, left)
    assert [*store.there()] == ["D1", "D3"]
    assert own_bots.left_behind(place.database) == []
    digests = place.database.read(
        lambda connection: connection.execute(select(tables.hand_ins.c.digest)).scalars().all()
    )
    assert sorted(digests) == ["", "D1", "D1", "D3"]


class Store:
    """A store with the versions of a bot: the digest of each, and the batch before which it left."""

    def __init__(self, place: Place, versions: dict[str, int | None]) -> None:
        self.files = Files(place.files.folder.with_name("arena"))
        self.slug = place.ladder.slug
        self.versions = versions
        self.archives = {digest: self.files.put(digest.encode()) for digest in versions}

    def contests(self) -> list[SimpleNamespace]:
        """The ladder."""
        return [SimpleNamespace(id=1, name=self.slug, state="running")]

    def progress(self, contest: int) -> list[None]:
        """Nothing is still to be played."""
        return []

    def entrants(self, contest: int) -> list[SimpleNamespace]:
        """Each version."""
        return [
            SimpleNamespace(
                number=number,
                name="Ann",
                until=until,
                version=SimpleNamespace(digest=digest, archive=self.archives[digest]),
            )
            for number, (digest, until) in enumerate(self.versions.items())
        ]

    def remove_code(self, archive: str, why: str) -> None:
        """Remove it."""
        self.files.remove(archive)

    def there(self) -> Iterator[str]:
        """The versions whose code is there."""
        for digest, archive in self.archives.items():
            if (self.files.folder / archive[:2] / archive[2:]).exists():
                yield digest


def test_sizes_of_an_older_site_are_measured(place: Place) -> None:
    """A site that did not note sizes measures its files once; one that is lost counts as nothing."""
    ann = place.person("ann")
    place.hand_in(ann, "Ann", b"1" * 300)
    place.hand_in(ann, "Ann", b"lost")
    place.files.remove(place.bot(ann).versions[0].file)
    place.database.write(lambda connection: connection.execute(update(tables.hand_ins).values(size=None)))
    assert quota.kept_by(place.database, ann) == Kept(0, 2)
    quota.measure(place.database, place.files)
    assert quota.kept_by(place.database, ann) == Kept(300, 2)


def test_a_size_is_never_said_smaller_than_it_is() -> None:
    """Whoever is told that 2 MB are allowed and 2.1 MB would be kept sees why that is too much."""
    assert [quota.in_megabytes(size) for size in (0, 1, 100_000, 2_000_000, 2_000_001)] == [
        "0", "0.1", "0.1", "2", "2.1"
    ]  # fmt: skip


def test_an_author_deletes_a_version_on_the_page(site: RunningSite, organiser: Visitor) -> None:
    """The page says how much is kept, and has a button; the file is gone then, and nobody else can press it."""
    ladder = new_ladder(organiser, "shoot-em-up", "Quotas")
    ann, eve = (Visitor(site.url).sign_up(f"keeper {next(NUMBERS)} {round(time())}") for _ in range(2))
    place = ann.hand_in(ladder, "Room", "robot.py", b"def (:\n")
    ann.await_text(place, "refused</span>")
    other = ann.hand_in(ladder, "Room", "robot.py", GOOD.read_bytes())
    ann.await_text(other, "plays</span>")
    page = ann.get("/my/bots").text
    assert "in 2 versions (1000 are allowed)" in page
    found = re.search(r"/my/bots/(\d+)/delete", page)
    assert found is not None
    assert page.count("/delete") == 1
    assert eve.post(found[0], {"version": "1"}).status_code == 404
    assert ann.post(found[0], {"version": "2"}).status_code == 422
    assert ann.get(f"{place}/code").status_code == 200
    assert ann.post(found[0], {"version": "1"}).status_code == 303
    assert ann.get(f"{place}/code").status_code == 404
    assert ann.get(place).status_code == 200
    assert "deleted" in ann.get("/my/bots").text
    assert ann.post("/account/export").status_code in (200, 201)


def test_lists_of_versions_leave_out_what_was_found(place: Place) -> None:
    """What was found may be long, and every visitor has a contest's bots listed: it is read of one by its number."""
    ann = place.person("ann")
    numbers = [
        hand_ins.hand_in(place.database, place.files, place.ladder, ann, "Ann", "a.py", content, FREE)
        for content in (b"one", b"two")
    ]
    for number in numbers:
        assert hand_ins.next_waiting(place.database, "judge") is not None
        hand_ins.finish(place.database, number, "judge", "entered", '{"fit":true}', None, f"D{number}")
    (plays,) = hand_ins.finals(place.database, place.ladder)
    assert (plays.id, plays.shown) == (numbers[1], "entered")
    listed = [plays, *hand_ins.of_person(place.database, ann), *hand_ins.of_ladder(place.database, place.ladder)]
    listed += [*place.bot(ann).versions, *hand_ins.newest(place.database, place.ladder, 9)]
    assert {one.found for one in listed} == {""}
    found = hand_ins.find(place.database, numbers[0])
    assert found is not None
    assert (found.found, found.shown) == ('{"fit":true}', "replaced")
