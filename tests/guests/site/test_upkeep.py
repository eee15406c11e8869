"""What keeps a site from growing without end, and what happens where its disk has no room."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select

from dohyo.bots.bot import Bot
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.api import problems
from dohyo.guests.site.api.hand_ins import Asked
from dohyo.guests.site.api.hand_ins import _hand_in as take_hand_in
from dohyo.guests.site.arena import contests, hand_ins, ladders, own_bots
from dohyo.guests.site.arena.quota import USUAL
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import accounts, leaving
from dohyo.guests.site.people.audit import deeds
from dohyo.guests.site.upkeep import backup, cache, room, sweeping
from dohyo.i18n import Message, Speaker
from dohyo.series.store.database import Database
from dohyo.series.store.files import Files
from dohyo.system import cache_mark
from tests.guests.site.conftest import PATIENCE

LONG_AGO = time() - 30 * 86_400


@pytest.fixture
def site(tmp_path: Path) -> SiteFolder:
    """A site's folder without a server."""
    found = SiteFolder(tmp_path / "site")
    lock = found.take()
    assert lock is not None
    lock.release()
    return found


def aged(path: Path, at: float = LONG_AGO) -> Path:
    """A file or a folder that was touched last at that time."""
    os.utime(path, (at, at))
    return path


def place(site: SiteFolder, digest: str) -> Path:
    """Where a file of a site lies."""
    return site.home / "files" / digest[:2] / digest[2:]


def test_a_copy_has_the_files_wherever_they_are(tmp_path: Path) -> None:
    """Of a site with its files elsewhere, a copy is made with them or not at all; files that are lost are counted."""
    elsewhere = tmp_path / "elsewhere"
    site = SiteFolder(tmp_path / "site", place=os.fspath(elsewhere))
    lock = site.take()
    assert lock is not None
    lock.release()
    with closing(tables.open_site(site.site)) as database:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        hand_ins.hand_in(database, site.files(), ladder, author, "Bot", "bot.py", b"handed in")
        hand_ins.hand_in(database, site.files(), ladder, author, "Bot", "bot.py", b"handed in later")
    copy = tmp_path / "copy.tar"
    with pytest.raises(OperatorError) as caught:
        backup.back_up(SiteFolder(site.home), copy)
    assert caught.value.key == "serve-backup-elsewhere"
    with pytest.raises(OperatorError) as caught:
        backup.back_up(SiteFolder(site.home, place="s3://bucket/site"), copy)
    assert (caught.value.key, copy.exists()) == ("serve-backup-address", False)
    assert backup.back_up(site, copy) == (2, 0)
    restored = SiteFolder(tmp_path / "restored")
    assert backup.restore(copy, restored) == (2, 0)
    lost = next((restored.home / "files").glob("??/" + "?" * 62))
    lost.unlink()
    assert backup.back_up(restored, copy) == (1, 1)


def test_only_what_nobody_needs_is_removed(site: SiteFolder) -> None:
    """A file that a row names stays for ever; one that none names goes after some days, and not sooner."""
    database = tables.open_site(site.site)
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    ladder = ladders.make(database, author, "othello")
    hand_ins.hand_in(database, site.files(), ladder, author, "Bot", "bot.py", b"handed in")
    wanted = next(iter((site.home / "files").glob("??/" + "?" * 62)))
    old, new = (place(site, site.files().put(content)) for content in (b"nobody's", b"somebody's in a moment"))
    aged(wanted)
    aged(old)
    sweeping.sweep(site, database)
    database.close()
    assert wanted.exists()
    assert new.exists()
    assert not old.exists()


def test_who_hands_in_the_same_again_is_in_time(site: SiteFolder) -> None:
    """A file that is put a second time counts as new: a sweep at that moment leaves it."""
    database = tables.open_site(site.site)
    digest = site.files().put(b"once more")
    aged(place(site, digest))
    assert site.files().put(b"once more") == digest
    sweeping.sweep(site, database)
    database.close()
    assert place(site, digest).exists()


def test_what_is_over_is_forgotten(site: SiteFolder) -> None:
    """Sessions, links and tries that count no more go; those that count stay."""
    database = tables.open_site(site.site)
    author = accounts.sign_up(database, "Author", "correct horse", "here")
    secret = accounts.begin_session(database, author)
    link = accounts.invite(database)

    def age(database: Database) -> None:
        rows = (
            (
                tables.sessions,
                {"digest": "old", "person": author.id, "until": LONG_AGO, "since": LONG_AGO, "browser": ""},
            ),
            (tables.invitations, {"digest": "old", "until": LONG_AGO}),
            (tables.attempts, {"what": "sign-in old", "at": LONG_AGO}),
        )
        for table, row in rows:
            database.write(lambda connection, table=table, row=row: connection.execute(insert(table).values(row)))

    age(database)
    sweeping.sweep(site, database)
    assert accounts.of_session(database, secret) == author
    assert accounts.is_open(database, link)
    for table in (tables.sessions, tables.invitations):
        left = database.read(
            lambda connection, table=table: connection.execute(select(table.c.digest)).scalars().all()
        )
        assert "old" not in left
    tried = database.read(lambda connection: connection.execute(select(tables.attempts.c.what)).scalars().all())
    database.close()
    assert tried == ["sign-up-from here"]


def test_what_a_judge_has_left_is_removed(site: SiteFolder) -> None:
    """Folders of work and live matches of a judge that was killed go after an hour."""
    database = tables.open_site(site.site)
    (site.work / "7").mkdir()
    (site.work / "7" / "bot.py").write_text("half built")
    (site.live / "7").write_text("half played")
    (site.live / "8").write_text("played now")
    aged(site.work / "7")
    aged(site.live / "7")
    sweeping.sweep(site, database)
    database.close()
    assert [entry.name for folder in (site.live, site.work) for entry in folder.iterdir()] == ["8"]


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of builds: ten of them, of ten kilobytes, the first the oldest."""
    home = tmp_path / "cache"
    monkeypatch.setenv("DOHYO_CACHE", os.fspath(home))
    cache_mark.mark(home)
    for number in range(10):
        folder = home / "builds" / str(number) / "attempt-x"
        folder.mkdir(parents=True)
        (folder / "bot").write_bytes(bytes(10_000))
        aged(folder.parent, LONG_AGO + number)
    return home


def left(builds: Path) -> set[str]:
    """The builds that are there."""
    return {entry.name for entry in (builds / "builds").iterdir()}


def test_the_cache_is_trimmed_from_its_oldest_end(builds: Path) -> None:
    """Below the limit nothing goes; above it, what was used last stays."""
    assert cache.trim(1 << 30) == 0
    assert cache.trim(80_000) > 0
    assert left(builds) < {str(number) for number in range(10)}
    assert "9" in left(builds)
    assert "0" not in left(builds)
    (builds / cache_mark.NAME).unlink()
    assert cache.trim(1) == 0, "a folder without our mark may be somebody's own"


def test_what_plays_now_is_not_trimmed(builds: Path) -> None:
    """A build that a ladder plays with stays, however old it is, and however little room there may be."""
    built = os.fspath(builds / "builds" / "0" / "attempt-x")
    cache.note_use([Bot("Old", ("bot",), built, "", "c", built=built)])
    cache.trim(1)
    assert left(builds) == {"0"}


def test_where_the_disk_is_full_less_is_spared(builds: Path) -> None:
    """What was used some hours ago goes then, too; what plays now stays."""
    hours_ago = time() - 3 * 3600
    for entry in (builds / "builds").iterdir():
        aged(entry, hours_ago)
    cache.note_use([Bot("Now", ("bot",), "", "", "c", built=os.fspath(builds / "builds" / "1" / "attempt-x"))])
    assert cache.trim(0) == 0
    assert cache.trim(0, cache.SPARED_IF_FULL) > 0
    assert left(builds) == {"1"}


def test_hand_ins_are_refused_before_the_disk_is_full(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where room is scarce there is a sentence for whoever hands in, and nothing is taken."""
    room.need_room(site.home)
    monkeypatch.setattr(room, "free", lambda folder: room.SCARCE - 1)
    with pytest.raises(OperatorError) as refused:
        room.need_room(site.home)
    assert refused.value.key == "serve-no-room"


def test_programs_hand_in_nothing_either_where_room_is_scarce(
    site: SiteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes by the API is refused in the same way, as something to be tried again later."""
    monkeypatch.setattr(room, "free", lambda folder: room.SCARCE - 1)
    with closing(tables.open_site(site.site)) as database:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        call: Any = SimpleNamespace(database=database, site=site, quota=USUAL)
        with pytest.raises(OperatorError) as refused:
            take_hand_in(call, ladder, author, Asked("Bot", "bot.py", b"handed in", ""))
        assert hand_ins.of_person(database, author) == []
    answer = problems.answer(refused.value, Speaker("en"))
    assert (answer.status_code, "Retry-After" in answer.headers) == (503, True)
    assert b"no room for hand-ins" in answer.content


def test_all_bots_of_an_author_are_known(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many versions of one bot are handed in, the others are still there, each with its newest versions."""
    monkeypatch.setattr(own_bots, "MAX_VERSIONS", 2)
    with closing(tables.open_site(site.site)) as database:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        for name in ("Old", "New", "New", "New"):
            hand_ins.hand_in(database, site.files(), ladder, author, name, "bot.py", b"handed in")
        found = own_bots.of_person(database, author)
    assert [(bot.name, [one.version for one in bot.versions]) for bot in found] == [("New", [3, 2]), ("Old", [1])]


def test_a_freeze_that_is_set_for_later_is_told_so(site: SiteFolder) -> None:
    """The log says from when on standings will be frozen, and that they are where it is so already."""
    with closing(tables.open_site(site.site)) as database:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        ladders.freeze(database, author, ladder, time())
        ladders.freeze(database, author, ladder, 4102444800.0)
        later, now = deeds(database, ladder.slug, most=2)
    said = [Speaker("en").say_any(Message(f"serve.audit.{deed.what}", deed.about)) for deed in (now, later)]
    assert said == ["froze the standings", "set the freeze of the standings to 2100-01-01 00:00 UTC"]


class Forgetful(Files):
    """Files of which the first that is put is removed at once, as by somebody who had it before."""

    forgotten = False

    def put(self, content: bytes, *, sync: bool = True) -> str:
        """Put it; the first time it does not stay."""
        digest = super().put(content, sync=sync)
        if not self.forgotten:
            self.forgotten = True
            self.remove(digest)
        return digest


def test_what_two_have_handed_in_stays_when_one_goes(site: SiteFolder) -> None:
    """A file that somebody else hands in while its first owner leaves is not removed with the account."""
    with closing(tables.open_site(site.site)) as database:
        first, second = (accounts.sign_up(database, name, "correct horse", "here") for name in ("First", "Second"))
        ladder = ladders.make(database, first, "othello")
        hand_ins.hand_in(database, site.files(), ladder, first, "Bot", "bot.py", b"the same")
        gone = leaving.leave(database, first)
        hand_ins.hand_in(database, site.files(), ladder, second, "Another", "bot.py", b"the same")
        leaving.remove_files(database, site.files(), gone)
        assert [site.files().get(digest) for digest in gone] == [b"the same"]
        forgetful = Forgetful(site.home / "files")
        number = hand_ins.hand_in(database, forgetful, ladder, second, "Another", "bot.py", b"put and removed")
        row = hand_ins.find(database, number)
    assert row is not None
    assert forgetful.get(row.file) == b"put and removed"


class Played:
    """A store of two contests, in each of which a bot of one name plays with the same archive; one has left."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.archive = files.put(b"an archive")

    def contests(self) -> list[SimpleNamespace]:
        """Both."""
        return [
            SimpleNamespace(id=1, name="left", state="running"),
            SimpleNamespace(id=2, name="goes-on", state="running"),
        ]

    def entrants(self, contest: int) -> list[SimpleNamespace]:
        """Who takes part, or did."""
        version = SimpleNamespace(digest="version", archive=self.archive)
        return [SimpleNamespace(number=0, name="test", until=5 if contest == 1 else None, version=version)]

    def progress(self, contest: int) -> list[None]:
        """Nothing is still to be played."""
        return []


def test_code_that_plays_elsewhere_is_kept(site: SiteFolder) -> None:
    """A bot of the same name in another ladder is another bot: the archive that it plays with stays."""
    played: Any = Played(Files(site.home / "arena.db.files"))
    with closing(tables.open_site(site.site)) as database:
        left = own_bots.Left(1, "test", "left", frozenset({"version"}))
        assert own_bots.forget_code(database, played, left)
    assert played.files.get(played.archive) == b"an archive"


@pytest.mark.parametrize("is_there", [False, True])
def test_a_failed_start_leaves_nothing_behind(tmp_path: Path, is_there: bool) -> None:
    """Where the port is taken, no folder is made, and an empty one stays empty."""
    home = tmp_path / "site"
    if is_there:
        home.mkdir()
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        words = ["serve", os.fspath(home), "--port", str(other.getsockname()[1])]
        done = subprocess.run(
            [sys.executable, "-m", "dohyo", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert done.returncode == 2
    assert home.exists() == is_there
    assert not is_there or list(home.iterdir()) == []


def test_who_takes_a_name_that_is_free_again_is_on_no_list(site: SiteFolder) -> None:
    """Whoever said a contest's word and left is not listed any more: the next of that name has to say it, too."""
    with closing(tables.open_site(site.site)) as database:
        teacher, gone = (
            accounts.sign_up(database, name, "correct horse", "here") for name in ("Teacher", "Victoria")
        )
        terms = Terms(opens=0.0, closes=time() + 60, starts=time() + 60, format="round-robin", entry="word")
        contest = ladders.make(database, teacher, "othello", "Final", played=terms)
        contests.write_list(database, teacher, contest, {"victoria": "Victoria"})
        assert contests.may_enter(database, contest, gone)
        leaving.leave(database, gone)
        again = accounts.sign_up(database, "Victoria", "correct horse", "here")
        assert not contests.may_enter(database, contest, again)
        assert contests.listed(database, contest) == []
