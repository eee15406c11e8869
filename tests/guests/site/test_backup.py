"""A site is copied into a file while it runs, and goes on from it somewhere else."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder


def dohyo(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `dohyo`."""
    command = [sys.executable, "-m", "dohyo", *words]
    environment = {**os.environ, "DOHYO_LANG": "en"}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment)


@pytest.fixture(scope="module")
def copied(site: RunningSite, organiser: Visitor, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A copy of a site whose ladder is being played, and that ladder; and a hand-in that was accepted before."""
    slug = new_ladder(organiser, "shoot-em-up", "To be kept")
    author = Visitor(site.url).sign_up("Keeping author")
    author.await_text(author.hand_in(slug, "Keeper", "keeper.py", GOOD.read_bytes()), "plays</span>")
    author.await_text(f"/ladders/{slug}", "/matches/")
    author.hand_in(slug, "Second", "second.py", GOOD.read_bytes() + b"# second\n")
    author.http.close()
    copy = tmp_path_factory.mktemp("copies") / "site.tar"
    done = dohyo("site", "backup", os.fspath(site.folder), os.fspath(copy))
    assert done.returncode == 0, done.stderr
    assert copy.stat().st_mode & 0o077 == 0, "nobody else reads what was handed in"
    return copy, slug


def test_a_restored_site_goes_on(copied: tuple[Path, str], tmp_path: Path, full: bool) -> None:
    """Accounts, bots and matches are in the restored site; what waited is checked there, and the ladder goes on."""
    copy, slug = copied
    home = tmp_path / "restored"
    done = dohyo("site", "restore", os.fspath(copy), os.fspath(home))
    assert done.returncode == 0, done.stderr
    assert "0 are missing" in done.stdout
    assert home.stat().st_mode & 0o077 == 0
    running = RunningSite(home, is_light=not full)
    running.start("--workers", "1")
    try:
        assert running.link == "", "its organiser has the account that she had"
        author = Visitor(running.url)
        answer = author.post("/sign-in", {"name": "Keeping author", "password": "correct horse"})
        assert answer.status_code == 303
        assert "Keeper" in author.get(f"/ladders/{slug}").text
        author.await_text(f"/ladders/{slug}/bots/Second", "/matches/")
    finally:
        running.stop()
    assert dohyo("contest", "verify", os.fspath(home / "arena.db")).returncode == 0


def test_no_copy_is_made_inside_of_the_site(tmp_path: Path) -> None:
    """It could replace one of the site's files, also with --force, with --files elsewhere, or by way of a link."""
    home, files, link = tmp_path / "site", tmp_path / "elsewhere", tmp_path / "link"
    for folder in (home, files):
        (folder / "files" / "ab").mkdir(parents=True)
    with closing(sqlite3.connect(home / "site.db")) as database:
        database.execute("PRAGMA user_version = 1")
    link.symlink_to(home / "files")
    kept = [folder / "files" / "ab" / ("c" * 62) for folder in (home, files)]
    for one in kept:
        one.write_bytes(b"handed in")
    for out in (*kept, link / "ab" / ("c" * 62), home / "new.tar"):
        done = dohyo("site", "backup", os.fspath(home), os.fspath(out), "--files", os.fspath(files), "--force")
        assert done.returncode == 2, done.stdout
        assert "inside of the site's own folder" in done.stderr
    assert [one.read_bytes() for one in kept] == [b"handed in"] * 2
    assert sorted(os.listdir(home)) == ["files", "site.db"]
    beside = os.fspath(tmp_path / "site.tar")
    assert dohyo("site", "backup", os.fspath(home), beside, "--files", os.fspath(files)).returncode == 0


def test_an_older_copy_is_replaced_only_when_that_is_said(site: RunningSite, copied: tuple[Path, str]) -> None:
    """What is in an older copy may be nowhere else: it stays, as any file does, and one sentence names --force."""
    copy = shutil.copyfile(copied[0], copied[0].with_name("older.tar"))
    with copy.open("ab") as file:
        file.write(b"\0" * 512)
    older = copy.read_bytes()
    thesis = copy.with_name("thesis.tex")
    thesis.write_text("mine")
    for taken in (copy, thesis):
        refused = dohyo("site", "backup", os.fspath(site.folder), os.fspath(taken))
        assert refused.returncode == 2
        assert (refused.stderr.count("\n"), "--force" in refused.stderr) == (1, True)
    assert (copy.read_bytes() == older, thesis.read_text()) == (True, "mine")
    assert dohyo("site", "backup", os.fspath(site.folder), os.fspath(copy), "--force").returncode == 0
    assert copy.read_bytes() != older


def without_end(content: bytes) -> bytes:
    """A copy that broke off."""
    return content[: len(content) // 2]


def with_a_wrong_byte(content: bytes) -> bytes:
    """A copy of a disk that has aged."""
    return content[: len(content) // 2] + bytes([content[len(content) // 2] ^ 1]) + content[len(content) // 2 + 1 :]


def with_more(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    """A file of the same form with a member that no copy has."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        about = tarfile.TarInfo(name)
        about.type, about.linkname = kind, "/etc/passwd"
        tar.addfile(about, io.BytesIO())
    return file.getvalue()


@pytest.mark.parametrize("damage", ["end", "byte", "../outside", "files/ab/link", "nothing"])
def test_what_is_no_whole_copy_is_refused(copied: tuple[Path, str], damage: str, tmp_path: Path) -> None:
    """It is one sentence, and nothing is left behind, inside the folder or outside."""
    content = copied[0].read_bytes()
    damaged = tmp_path / "damaged.tar"
    made = {
        "end": lambda: without_end(content),
        "byte": lambda: with_a_wrong_byte(content),
        "../outside": lambda: with_more("../outside"),
        "files/ab/link": lambda: with_more("files/ab/link", tarfile.SYMTYPE),
        "nothing": lambda: b"",
    }
    damaged.write_bytes(made[damage]())
    done = dohyo("site", "restore", os.fspath(damaged), os.fspath(tmp_path / "restored"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["damaged.tar"]


def test_a_site_is_restored_into_nothing_that_is_there(copied: tuple[Path, str], tmp_path: Path) -> None:
    """A folder that holds something stays as it is; what is no site cannot be copied."""
    (tmp_path / "thesis.tex").write_text("mine")
    assert dohyo("site", "restore", os.fspath(copied[0]), os.fspath(tmp_path)).returncode == 2
    assert dohyo("site", "backup", os.fspath(tmp_path), os.fspath(tmp_path / "copy.tar")).returncode == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]
