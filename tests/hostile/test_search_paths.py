"""Attacks by a name, where PATH or PYTHONPATH has an entry that means the operator's current folder.

`PATH=$PATH:/x` has such an entry where the variable was not set before.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bots import program_files as of_bots
from dohyo.system import search_path
from tests import skips
from tests.cli.typed import SOURCE
from tests.covering import covering
from tests.hostile.table import CONTAINED, LAYERS, expected
from tests.hostile.typing_place import COMMAND, Typing, typing
from tests.match.test_git_trees_of_strangers import git

__all__ = ["typing"]

TEN = ("--setup", "turns=10", "--trust")
SEEDED = ("--seed", "1")
# By their rows in the table: modules of Python's, and programs that Dohyo starts.
MODULES = {
    "entry_random": "random",
    "entry_csv": "csv",
    "entry_typing": "typing",
    "entry_shutil": "shutil",
    "entry_future": "__future__",
}
PROGRAMS = {
    "entry_git": "git",
    "entry_py_spy": "py-spy",
    "entry_perf": "perf",
    "entry_minisign": "minisign",
    "entry_gdb": "gdb",
    "entry_python": "python3",
    "entry_python2": "python2",
}
DEBUGGERS = {"pdb_settings": ".pdbrc", "gdb_settings": ".gdbinit", "valgrind_settings": ".valgrindrc"}
SEARCHED = [*MODULES, *PROGRAMS, *DEBUGGERS]

DOHYO = Path(sys.executable).parent / "dohyo"
WAYS = {
    "script": (str(DOHYO),) if DOHYO.is_file() else COMMAND,
    "line": COMMAND,
    "module": ("-P", "-m", "dohyo"),
}
TOLD = "PYTHONPATH has an empty or a relative entry"


def honest(place: Typing) -> None:
    """Put a bot there that is not a hand-in."""
    shutil.copy(Path(games.find("drop-block").folder) / "bots" / "random.py", place.folder / "honest.py")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of a match that the operator has played with that bot."""
    place = Typing(tmp_path_factory.mktemp("recorded"))
    honest(place)
    done = place.type("play", "drop-block", *["./honest.py"] * 4, *TEN, *SEEDED, "--save", "m.replay")
    assert done.returncode == 0, done.stderr
    return (place.folder / "m.replay").read_bytes()


@pytest.fixture
def recorded(typing: Typing, record: bytes) -> Typing:
    """The operator has played a match there with a bot that is not a hand-in; `m.replay` is its record."""
    honest(typing)
    (typing.folder / "m.replay").write_bytes(record)
    return typing


# --- modules


@pytest.mark.parametrize(("way", "entry"), covering(WAYS, ["", ".", "../hand-ins"]))
def test_no_entry_leads_to_a_hand_in(typing: Typing, way: str, entry: str) -> None:
    """An entry of PYTHONPATH that means the current folder imports no hand-in there, in no process of ours.

    A contest is played to its end with a worker, its table is written as a spreadsheet, and one sentence says that
    the entry was left out: once, and not for the workers.
    """
    for module in MODULES.values():
        typing.hand_in(module)
    paths = os.pathsep.join((entry, str(SOURCE)))
    words = ("--game", "drop-block", "own=./own.py", "random=./random.py", "csv=./csv.py", "typing=./typing.py", *TEN)
    done = typing.type("contest", "run", *words, "--workers", "1", "--store", "c.db", way=WAYS[way], PYTHONPATH=paths)
    assert done.returncode == 0, done.stderr
    assert typing.got() == ""
    assert done.stderr.count(TOLD) == done.stderr.count("\n") == 1
    written = typing.type("contest", "export", "c.db", "--format", "csv", way=WAYS[way], PYTHONPATH=paths)
    assert (written.returncode, typing.got()) == (0, ""), written.stderr
    for name in SEARCHED:
        assert {cell.word for cell in expected()[name].values()} == {CONTAINED}
        assert set(expected()[name]) == set(LAYERS)


@pytest.mark.parametrize("command", [("games",), ("doctor",), ("--help",), ("play", "drop-block", *["random"] * 4)])
def test_no_command_imports_from_an_entry(typing: Typing, command: tuple[str, ...]) -> None:
    """Of every module that a command imports, a hand-in of its name in the current folder is not it."""
    # Tools that are not there are not asked for their versions.
    more = {"PATH": str(typing.aside)} if command == ("doctor",) else {}
    listing = f"import sys; sys.argv[1:] = {command!r}\nfrom dohyo.cli.main import run; run(sys.argv[1:])\n"
    listing += "print(*sys.stdlib_module_names & sys.modules.keys(), file=sys.stderr)"
    known = typing.type(way=("-P", "-c", listing), **more).stderr.split()
    before = typing.type(way=("-P", "-c", "import sys; print(*sys.modules)")).stdout.split()
    for module in set(known) - set(before) - {"__main__"}:
        typing.hand_in(module)
    done = typing.type(*command, PYTHONPATH=os.pathsep.join(("", str(SOURCE))), **more)
    assert (done.returncode, typing.got()) == (0, ""), done.stderr


def test_a_folder_named_by_its_path_stays(typing: Typing) -> None:
    """Who names the current folder by its absolute path means it: modules are found there, and nothing is said."""
    (typing.folder / "mine.py").write_text("MINE = 7\n")
    code = "import dohyo.cli, mine; from dohyo.system.interpreter import has_dropped; print(mine.MINE, has_dropped())"
    for entries, said in (([typing.folder, SOURCE], "7 False"), (["", typing.folder, SOURCE], "7 True")):
        done = typing.type(way=("-P", "-c", code), PYTHONPATH=os.pathsep.join(map(str, entries)))
        assert done.stdout.strip() == said, done.stderr


@pytest.mark.parametrize("entries", [("", "/nowhere"), pytest.param((".",), marks=pytest.mark.full)])
def test_a_checkout_starts_from_its_own_folder(typing: Typing, entries: tuple[str, ...]) -> None:
    """In the folder with our own sources, which such an entry finds, the command and its workers start."""
    settings = {"cwd": SOURCE, "capture_output": True, "text": True}
    bots = ("hunter", "a=random", "b=random", "c=random")
    store = ("--store", str(typing.folder / "c.db"))
    words = ("contest", "run", "--game", "drop-block", *bots, *TEN, "--workers", "1", *store)
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(entries)}
    done = subprocess.run([sys.executable, *COMMAND, *words], env=own, check=False, **settings)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr


def test_who_only_uses_dohyo_keeps_its_search(typing: Typing) -> None:
    """A program that imports Dohyo as a library searches modules as before: that is its own."""
    (typing.folder / "mine.py").write_text("MINE = 7\n")
    done = typing.type(way=("-P", "-c", "import dohyo, mine; dohyo.play; print(mine.MINE)"), PYTHONPATH=f":{SOURCE}")
    assert done.stdout.strip() == "7", done.stderr


# --- programs


USUAL = "/usr/local/bin:/usr/bin:/bin"
COMMANDS = {
    "git": ("compare", "drop-block", "./own.py", "git:HEAD", "--itself", *TEN),
    "py-spy": ("profile", "drop-block", "./honest.py", *TEN, *SEEDED, "--matches", "1", "--with", "py-spy"),
    "perf": ("profile", "drop-block", "./honest.py", *TEN, *SEEDED, "--matches", "1", "--with", "perf"),
    "minisign": ("contest", "export", "c.db", "--format", "bundle", "--out", "r.tar", "--sign", "key"),
    "gdb": ("rerun", "m.replay", "0", "--debugger", "gdb", "--trust"),
    "python3": ("check", "drop-block", "./honest.py", "--trust"),
    "python2": ("check", "drop-block", "./old.py", "--trust"),
}


@pytest.mark.parametrize(
    ("name", "searched"),
    [
        *((name, f":{USUAL}") for name in PROGRAMS.values()),
        ("git", f".:{USUAL}"),
        pytest.param("git", f"../hand-ins:{USUAL}", marks=pytest.mark.full),
        ("python3", ""),
        pytest.param("python3", ":", marks=pytest.mark.full),
        ("python2", "."),
    ],
)
def test_no_entry_runs_a_hand_in(recorded: Typing, name: str, searched: str) -> None:
    """A hand-in that is called as a program of the operator's is not run where PATH means the current folder."""
    recorded.hand_in("random")
    (recorded.folder / "old.py").write_text("print 'READY'\n")
    (recorded.folder / "key").touch()
    if name == "minisign":
        two = ("a=./honest.py", "b=./honest.py", "c=./honest.py", "d=./honest.py")
        assert recorded.type("contest", "run", "--game", "drop-block", *two, *TEN, "--store", "c.db").returncode == 0
    recorded.program(name)
    done = recorded.type(*COMMANDS[name], PATH=searched)
    assert recorded.got() == "", done.stderr
    assert "Traceback" not in done.stderr


def test_the_search_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is found in the absolute entries of PATH alone, and if there are none in the system's usual ones."""
    (tmp_path / "there").mkdir()
    for place in (tmp_path, tmp_path / "there"):
        (place / "tool").write_text("#!/bin/sh\n")
        (place / "tool").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for entries in ("", ":", ".", "there", f":.:there:{tmp_path}/none"):
        monkeypatch.setenv("PATH", entries)
        assert search_path.which("tool") is None
        assert of_bots.first("tool") is None
    monkeypatch.setenv("PATH", "")
    assert search_path.which("sh") in ("/bin/sh", "/usr/bin/sh")
    monkeypatch.setenv("PATH", f":.:{tmp_path}/there")
    assert search_path.which("tool") == f"{tmp_path}/there/tool"
    assert search_path.which("./tool") == f"{tmp_path}/tool"  # a path, as somebody has typed it


def test_what_we_start_gets_no_such_entry(typing: Typing) -> None:
    """The environment of what Dohyo starts has no such entries, nor a relative place of packages or git's programs.

    git, say, starts programs of its own, and loads libraries.
    """
    typing.hand_in("random")
    tools, told = typing.aside, typing.aside / "told"
    (tools / "git").write_text(f"#!/bin/sh\n/usr/bin/env > '{told}'\nexit 1\n")
    (tools / "git").chmod(0o755)
    lists = {name: f":/x:.:lib:{tools}" for name in search_path.LISTS if name != "PYTHONPATH"}
    folders = dict.fromkeys(("PYTHONUSERBASE", "GIT_EXEC_PATH"), "here")
    done = typing.type(*COMMANDS["git"], PYTHONPATH=f":{SOURCE}", **lists, **folders)
    assert done.returncode == 2, done.stderr
    known = dict(line.partition("=")[::2] for line in told.read_text().splitlines())
    assert {name: known[name] for name in lists} == dict.fromkeys(lists, f"/x:{tools}")
    assert known["PYTHONPATH"] == str(SOURCE)
    assert not folders.keys() & known.keys()


@pytest.mark.parametrize(("variable", "named"), [("DOHYO_CACHE", "own"), ("DOHYO_GAMES", "/nowhere:own.py")])
def test_no_hand_in_is_a_cache_or_a_game(typing: Typing, variable: str, named: str) -> None:
    """A relative path of the cache, or of a game, is refused in a sentence: both run, and a hand-in may be called so.

    The variable may have been exported in another folder, where it meant something of the operator's.
    """
    typing.hand_in("random")
    more = {variable: named}
    done = typing.type("check", "drop-block", "./random.py", "--trust", **more)
    assert (done.returncode, f"in the environment variable {variable}" in done.stderr) == (2, True), done.stderr
    assert typing.got() == ""
    assert not (typing.folder / "own").exists()


def test_a_cache_is_one_folder(typing: Typing) -> None:
    """A colon in the cache's path is a letter like others: only games are a list."""
    typing.hand_in("random")
    cache = typing.folder / "a:b"
    done = typing.type("check", "drop-block", "./own.py", "--trust", DOHYO_CACHE=str(cache))
    assert "DOHYO_CACHE" not in done.stderr
    assert cache.is_dir()


def test_a_tool_is_asked_elsewhere(typing: Typing) -> None:
    """A tool that stands for another (pyenv's, rustup's, dotnet) chooses by files of the current folder.

    So Dohyo never asks one for its version in the folder where hand-ins lie: `rust-toolchain`, `.python-version`.
    """
    for name in ("python3", "rustc", "node", "java", "javac", "dotnet"):
        (typing.aside / name).write_text("#!/bin/sh\n[ -x ./chosen ] && ./chosen\necho 1.0\n")
        (typing.aside / name).chmod(0o755)
    typing.program("chosen")
    done = typing.type("doctor", PATH=f"{typing.aside}:{USUAL}")
    assert (done.returncode, typing.got()) == (0, ""), done.stderr
    assert str(typing.aside) in done.stdout


# --- debuggers


def test_pdb_reads_no_commands_of_a_hand_in(recorded: Typing) -> None:
    """A hand-in called `.pdbrc` beside the operator's own bot is not read when that is debugged."""
    taking = f"import shutil; shutil.copy({str(recorded.secret)!r}, {str(recorded.planted)!r})\n"
    (recorded.folder / ".pdbrc").write_text(taking)
    debugged = ("rerun", "m.replay", "0", "python3 honest.py", "--debugger", "pdb", "--trust")
    done = recorded.type(*debugged)
    assert "(Pdb)" in done.stdout, done.stderr
    assert recorded.got() == ""
    (recorded.aside / ".pdbrc").write_text(taking)
    recorded.type(*debugged, HOME=str(recorded.aside))
    assert recorded.got() != "", "the operator's own file is read"


def test_gdb_reads_no_commands_of_a_hand_in(recorded: Typing) -> None:
    """The same with `.gdbinit`, also where the operator has told gdb to trust files everywhere."""
    skips.program("gdb")
    (recorded.folder / ".gdbinit").write_text(f"shell cp '{recorded.secret}' '{recorded.planted}'\n")
    (recorded.aside / ".gdbinit").write_text("set auto-load safe-path /\n")
    debugged = ("rerun", "m.replay", "0", "python3 honest.py", "--debugger", "gdb", "--trust")
    done = recorded.type(*debugged, HOME=str(recorded.aside))
    assert "GNU gdb" in done.stdout, done.stderr
    assert recorded.got() == ""


def test_valgrind_reads_no_options_of_a_hand_in(recorded: Typing) -> None:
    """The same with `.valgrindrc`, which names files that valgrind writes over; the operator's own options count."""
    skips.program("valgrind")
    (recorded.folder / "bot.sh").write_text("read line\n")
    (recorded.folder / ".valgrindrc").write_text(f"--log-file={recorded.planted}\n")
    debugged = ("rerun", "m.replay", "0", "sh bot.sh", "--debugger", "valgrind", "--trust")
    done = recorded.type(*debugged)
    assert "Memcheck" in done.stderr, done.stdout
    assert not recorded.planted.exists()
    (recorded.folder / ".valgrindrc").unlink()
    (recorded.aside / ".valgrindrc").write_text(f"--log-file={recorded.planted}\n")
    recorded.type(*debugged, HOME=str(recorded.aside))
    assert recorded.planted.exists(), "the operator's own file is read"


def test_no_repository_in_the_folder_runs_anything(typing: Typing) -> None:
    """A hand-in that is called `.git` makes the folder a repository of its author's: what that names is not run."""
    typing.hand_in("random")
    trap = typing.program("trap")
    git(typing.folder, "init", "--quiet")
    git(typing.folder, "add", "random.py", "own.py")
    git(typing.folder, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "x")
    (typing.folder / ".gitattributes").write_text("* diff=trap filter=trap merge=trap\n")
    for setting in (
        *("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "diff.external", "diff.trap.textconv"),
        *("filter.trap.smudge", "filter.trap.clean", "filter.trap.process", "gpg.program", "core.askPass"),
        *("credential.helper", "core.gitProxy", "uploadpack.packObjectsHook", "core.alternateRefsCommand"),
    ):
        git(typing.folder, "config", setting, str(trap))
    for name in ("rev-parse", "cat-file", "ls-tree", "read-tree", "checkout-index"):
        git(typing.folder, "config", f"alias.{name}", f"!{trap}")
    done = typing.type(*COMMANDS["git"], "--max-pairs", "1", "--elo0", "-1000")
    assert done.returncode in (0, 1, 3), done.stderr
    assert typing.got() == ""


SITE = """
import os
from dohyo.system import interpreter
from dohyo import games
from dohyo.i18n import ENGLISH
from dohyo.guests.reports import matches
from dohyo.web.plain.markup import Markup

if __name__ == "__main__":
    os.sched_getaffinity = lambda process: {0, 1}
    before = dict(os.environ)
    damaged = [matches.Recorded(number, b"damaged", Markup("")) for number in range(matches.FEW + 3)]
    print(len(list(matches.pages(games.find("drop-block"), "viewer.js", ENGLISH, damaged))))
    print(before == dict(os.environ))
"""


@pytest.mark.parametrize(
    "module", ["multiprocessing", *(pytest.param(name, marks=pytest.mark.full) for name in ("random", "tempfile"))]
)
def test_no_process_that_makes_pages_imports_a_hand_in(typing: Typing, module: str) -> None:
    """A large site is made by several processes, which Python itself starts in the folder where that is typed."""
    typing.hand_in(module)
    script = typing.aside / "site_of_many.py"  # as the installed command, it is a file elsewhere
    script.write_text(SITE)
    done = typing.type(str(script), way=(), PYTHONPATH=str(SOURCE))
    assert typing.got() == ""
    assert done.stdout.splitlines() == ["53", "True"], done.stderr
