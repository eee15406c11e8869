"""`dohyo cache`: what is kept outside of the folders in which one works, and what emptying it leaves."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dohyo import doors
from dohyo.bots.cache import location
from dohyo.cli.cache import size
from dohyo.match import kept, own_games
from dohyo.system import cache_mark, temporary
from dohyo.system.other_processes import command_of, variables_of
from tests.cli.conftest import Type

SOURCE = Path(doors.__file__).parent
PLAY = ("play", "drop-block", *("./still",) * 4, "--trust", "--seed", "1", "--setup", "turns=3")


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, a home and a folder for temporary files of the test's own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("DOHYO_CACHE", str(home / "cache"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("DOHYO_LAST", raising=False)
    (home / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home / "tmp"))
    return home


def told(typed: Type, *words: str) -> dict[str, dict[str, object]]:
    """What the command tells as a document, by kind."""
    return {each["kind"]: each for each in json.loads(typed("cache", *words, "--json").out)["kinds"]}


def test_after_a_match(typed: Type) -> None:
    """The builds and the last match are there, with their size, a sentence and their place; nothing is unknown."""
    assert typed("cache").out == "There is nothing to remove.\n"
    assert typed(*PLAY).status == 0
    found = told(typed)
    for kind in ("bots", "last"):
        assert int(str(found[kind]["bytes"])) > 0
        assert found[kind]["paths"]
    shown = typed("cache").out
    assert re.search(r"^bots +\S+ k?B  copies and builds of bots$", shown, re.MULTILINE)
    assert "~/cache/" in shown
    known = {os.path.basename(path) for each in found.values() for path in each["paths"]}  # type: ignore[attr-defined]
    assert {path.name for path in location().iterdir()} - {cache_mark.NAME} <= known


def test_clear_leaves_what_nobody_can_make_again(typed: Type, own_places: Path) -> None:
    """Emptied, the next match is played as before; the last match, notes, settings and results are still there."""
    assert typed(*PLAY, "--save", "m.replay").status == 0
    own_games.note(Path("mine/mine.py"))
    settings = own_places / ".config" / "dohyo" / "site.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    done = typed("cache", "clear")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Removed bots: ")
    found = told(typed)
    assert not found["bots"]["paths"]
    assert all(found[kind]["paths"] for kind in ("last", "games", "settings"))
    assert Path("m.replay").exists()
    assert typed("replay", "last").status == 0
    assert typed(*PLAY).status == 0


def test_by_name(typed: Type) -> None:
    """The last matches go if they are named, and nothing else then."""
    assert typed(*PLAY).status == 0
    assert typed("cache", "clear", "last").out.startswith("Removed last: ")
    found = told(typed)
    assert found["bots"]["paths"]
    assert not found["last"]["paths"]
    assert typed("cache", "clear", "last").out == "There is nothing to remove.\n"


@pytest.mark.parametrize(
    ("kind", "meant"), [("bot", "('bots'?)"), ("settings", "never removed"), ("completion", "never removed")]
)
def test_what_does_not_go(typed: Type, kind: str, meant: str) -> None:
    """A kind that there is not, and settings, are refused in one sentence before anything is removed."""
    assert typed(*PLAY).status == 0
    before = told(typed)
    done = typed("cache", "clear", "bots", kind)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert meant in done.err
    assert told(typed) == before


def test_not_while_something_runs(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a process of ours runs nothing goes, unless it is forced; the folder of one that has ended goes, too."""
    assert typed(*PLAY).status == 0
    monkeypatch.setattr(kept, "variables_of", lambda process: dict(os.environ))
    parent = Path(temporary.path_of("worker", os.getppid()))
    parent.mkdir(mode=0o700)
    ended = Path(str(parent).replace(f"-{os.getppid()}-", "-4194303-"))
    ended.mkdir(mode=0o700)
    done = typed("cache", "clear")
    assert done.status == 2
    assert f"as process {os.getppid()} ({command_of(os.getppid())[:20]}" in done.err
    assert told(typed)["temporary"]["paths"] == [str(ended)]
    assert typed("cache", "clear", "--force").status == 0
    assert parent.exists()
    assert not ended.exists()


def test_who_keeps_its_cache_elsewhere_does_not_count(typed: Type) -> None:
    """A process whose variables name another cache uses nothing of ours, though temporary files are common."""
    parent = Path(temporary.path_of("worker", os.getppid()))
    parent.mkdir(mode=0o700)  # the tests have a cache of their own, and who started them has not
    assert typed("cache", "clear").status == 0
    assert parent.exists()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({}, {"XDG_CACHE_HOME": "{home}/.cache"}),
        ({"XDG_CACHE_HOME": "{home}/.cache"}, {}),
        ({}, {"DOHYO_CACHE": "~/.cache/dohyo"}),
        ({"DOHYO_CACHE": "{home}/kept"}, {"DOHYO_CACHE": "{home}/kept/"}),
        ({"DOHYO_CACHE": "{home}/kept"}, {"DOHYO_CACHE": "{home}/link"}),
        ({}, {"HOME": "", "XDG_CACHE_HOME": "{home}/.cache"}),
        ({"DOHYO_CACHE": "{home}/kept"}, {"DOHYO_CACHE": "kept"}),
    ],
)
def test_the_same_place_by_another_name_counts(
    typed: Type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ours: dict[str, str], theirs: dict[str, str]
) -> None:
    """A process whose cache is ours, or may be, keeps it: whatever its variables call the place."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to("kept")
    for name in ("DOHYO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in ours.items():
        monkeypatch.setenv(name, value.format(home=tmp_path))
    given = {"HOME": "{home}", **theirs}
    told = {name: value.format(home=tmp_path) for name, value in given.items()}
    monkeypatch.setattr(kept, "variables_of", lambda process: told)
    Path(temporary.path_of("worker", os.getppid())).mkdir(mode=0o700)
    assert typed("cache", "clear").status == 2


def test_all_variables_of_a_process_are_read() -> None:
    """What stands behind long ones counts as well."""
    given = {**{f"LONG{number}": "x" * 70_000 for number in range(3)}, "DOHYO_CACHE": "/k"}
    asks, pipe = [sys.executable, "-c", "input('x')"], subprocess.PIPE
    with subprocess.Popen(asks, env=given, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"x"  # it runs
        found = variables_of(process.pid)
        process.communicate(b"\n")
    assert found["DOHYO_CACHE"] == "/k"


def test_of_an_empty_cache_no_folder_is_left(typed: Type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At the usual place the folder goes with the last that was in it, and not before."""
    monkeypatch.delenv("DOHYO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    home = tmp_path / "caches" / "dohyo"
    for name in ("builds", "last"):
        cache_mark.mark(home)
        (home / name).mkdir()
    assert typed("cache", "clear").status == 0
    assert sorted(one.name for one in home.iterdir()) == ["CACHEDIR.TAG", "last"]
    assert typed("cache", "clear", "last").status == 0
    assert not home.exists()


def test_nothing_of_others_goes(typed: Type, own_places: Path) -> None:
    """In a folder that DOHYO_CACHE names by mistake only our names go, and no link is followed."""
    cache, elsewhere = own_places / "cache", own_places / "elsewhere"
    for folder in (cache / "photos", elsewhere):
        folder.mkdir(parents=True)
        (folder / "one.jpg").touch()
    (cache / "builds").symlink_to(elsewhere)
    assert typed("cache", "clear").status == 0
    assert (cache / "photos" / "one.jpg").exists()
    assert (elsewhere / "one.jpg").exists()


@pytest.mark.parametrize("kind", [(), ("bots",), ("last",), ("games",)])
def test_a_folder_of_somebody_is_not_emptied(kind: tuple[str, ...], typed: Type, own_places: Path) -> None:
    """A folder without our mark keeps all that bears our names, whoever plays with it as the cache meanwhile."""
    cache, class_ = own_places / "cache", ("hand-ins/alice/a.py", "builds/b", "last/notes.txt", "own-games/c")
    for name in class_:
        (cache / name).parent.mkdir(parents=True)
        (cache / name).touch()
    assert typed(*PLAY).status == 0
    done = typed("cache", "clear", *kind)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"'{cache}' is not marked as Dohyo's cache" in done.err
    assert all((cache / name).exists() for name in class_)
    assert typed("cache", "clear", "temporary").status == 0


def test_what_is_marked(own_places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that we make, one that is empty, and one at the usual place, which earlier versions made; no other."""
    new, empty, full, link = (own_places / name for name in ("new/new", "empty", "full", "link"))
    empty.mkdir()
    (full / "builds").mkdir(parents=True)
    link.symlink_to(full)
    for place in (new, empty, full, link):
        cache_mark.mark(place)
    assert [cache_mark.is_marked(place) for place in (new, empty, full, link)] == [True, True, False, False]
    assert [path.name for path in new.iterdir()] == [cache_mark.NAME]
    monkeypatch.delenv("DOHYO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_places / "x"))
    for name in ("builds", "last"):
        (location() / name / "old").mkdir(parents=True)
    kept.clear(["bots"])
    assert sorted(path.name for path in location().iterdir()) == [cache_mark.NAME, "last"]
    (full / cache_mark.NAME).write_bytes(b"Signature: 8a477f597d28d172789f06886806bc55\n")  # of another program
    assert not cache_mark.is_marked(full)


def test_every_folder_of_the_cache_is_known() -> None:
    """What the source keeps in the cache is of a kind: each folder that it names beside the cache's place."""
    named = re.compile(
        r"(?:location\(\)|cache) / \"([a-z-]+)\"|^FOLDER = \"([a-z-]+)\"  # in the cache", re.MULTILINE
    )
    found = {
        name for path in SOURCE.rglob("*.py") for pair in named.findall(path.read_text()) for name in pair if name
    }
    known = {name for names in kept.FOLDERS.values() for name in names} | set(doors.brought("caches"))
    assert {"builds", "compiled", "hand-ins", "parcels"} <= found <= known


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (12_400_000, "12 MB"), (3 * 10**15, "3000 TB")]
)
def test_sizes(count: int, said: str) -> None:
    """Sizes are said as a person reads them."""
    assert size(count) == said


def test_json_before_the_command_is_refused(typed: Type) -> None:
    """Where the option would be passed over, the sentence has the command that obeys it, and nothing is removed."""
    done = typed("cache", "--json", "clear", "last")
    assert (done.status, done.out) == (2, "")
    assert "dohyo cache clear --json" in done.err
