"""A language comes in by a door: an installed package brings one, and bots in it are built, checked and play."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.sandbox import Limits, strongest
from tests.quality.project import ROOT, without

SANDBOXES = ("auto", "none")
DOOR = """
from dohyo.doors import Guest

GUEST = Guest(languages={"twig": "twigs.row:TWIG"})
"""
ROW = """
from dohyo.languages import Home, Language, Project, Way

BUILD = ("twig", "--build", "{main}", "{stem}.leaf")
TWIG = Language(
    "twig",
    (".twig",),
    "https://twig.example/install",
    (Way(("twig",), ("twig", "{build}/{stem}.leaf", "{title}"), (BUILD,), ()),),
    builder="twigs.building:twig_plan",
    project=Project("twig.txt", plan="twigs.building:project_plan"),
    interpreters=("twig",),
    memory=("--room", "{all}"),
    home=Home("TWIG_HOME", ("twig",)),
    build_settings=(("TWIG_QUIET", "1"),),
    flush="out now",
)
"""
BUILDING = """
from dohyo.bots.build_plan import BuildPlan, Sources, make
from dohyo.bots.content import read_text


def twig_plan(sources, tools, *, alone):
    return make(sources, tools, more={"title": read_text(sources.root / sources.main).splitlines()[0].lstrip("# ")})


def project_plan(spec, name, content, tools, language):
    main = read_text(content.files["twig.txt"]).strip()
    root = content.root
    sources = Sources(spec, name, language, root, main, (main,), content.files, content.links, root)
    return twig_plan(sources, tools, alone=False)
"""
# The interpreter is a small script: a program in this language is one of the shell. It wants to be told of memory in
# a sandbox, and where it is installed.
TWIG = """#!/bin/sh
if [ "$1" = --room ]; then room=$2; shift 2; fi
if [ "$1" = --build ]; then [ "$TWIG_QUIET" = 1 ] && exec cp "$2" "$3"; exit 1; fi
title=$2
. "$1"
"""
BOT = """# Bud
echo "title $title, room $room, home $TWIG_HOME" >&2
while read -r name first rest; do
    if [ "$name" = legal ]; then echo "$first"; fi
done
"""


def packed(place: Path, value: str = "twigs.door:GUEST") -> None:
    """The package, as installers leave it, in this folder."""
    files = {"__init__.py": "", "door.py": DOOR, "row.py": ROW, "building.py": BUILDING}
    (place / "twigs").mkdir(parents=True)
    for name, content in files.items():
        (place / "twigs" / name).write_text(content)
    about = place / "twigs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: twigs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[dohyo.guests]\ntwigs = {value}\n")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with bots in the language, and its interpreter in `tools/bin`."""
    tools = tmp_path / "tools" / "bin"
    tools.mkdir(parents=True)
    (tools / "twig").write_text(TWIG)
    (tools / "twig").chmod(0o755)
    here = tmp_path / "here"
    (here / "project").mkdir(parents=True)
    (here / "bud.twig").write_text(BOT)
    (here / "project" / "twig.txt").write_text("src/leaf.twig\n")
    (here / "project" / "src").mkdir()
    (here / "project" / "src" / "leaf.twig").write_text(BOT)
    return here


def dohyo(
    home: Path, *words: str, site: Path | None = None, source: Path = ROOT / "src"
) -> subprocess.CompletedProcess[str]:
    """`dohyo` in the folder with the bots; `site` is where packages are installed."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, (source, site)))),
        "PATH": os.pathsep.join((str(home.parent / "tools" / "bin"), os.environ["PATH"])),
        "TWIG_HOME": str(home.parent / "tools"),
        "DOHYO_CACHE": str(home.parent / "cache"),
        "DOHYO_LANG": "en",
    }
    command = [sys.executable, "-m", "dohyo", *words]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of its own in which the package is installed: no sandbox shows it for another reason."""
    packed(tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("bot", ["bud.twig", "project"])
def test_a_brought_language_plays(home: Path, site: Path, sandbox: str, bot: str) -> None:
    """A source and a project are read, built, checked, and play a match without a fault."""
    words = ("connectx", bot, bot, "--seed", "1", "--sandbox", sandbox)
    done = dohyo(home, "play", *words, "--save", "m.replay", site=site)
    assert done.returncode == 0, done.stderr
    code = (
        "from dohyo.match.replays.replays import load; replay = load('m.replay'); "
        "moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last); "
        "print(len(moves), [move.faults for move in moves if move.faults], *{move.stderr for move in moves} - {''})"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True, check=True
    ).stdout
    count, faults, said = told.split(maxsplit=2)
    room = str(Limits().memory >> 20) if sandbox == "auto" and strongest().layer < 4 else ""
    assert int(count) >= 7
    assert faults == "[]"
    assert said.strip() == f"title Bud, room {room}, home {home.parent / 'tools'}"
    done = dohyo(home, "check", "connectx", bot, "--sandbox", sandbox, site=site)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_nobody_brings_is_an_unknown_kind_of_file(home: Path) -> None:
    """Without the package the same file is refused by the sentence for any other."""
    done = dohyo(home, "play", "connectx", "bud.twig", "random")
    (home / "bud.nothing").write_text(BOT)
    other = dohyo(home, "play", "connectx", "bud.nothing", "random")
    assert (done.returncode, other.returncode) == (2, 2)
    assert done.stderr == other.stderr.replace("bud.nothing", "bud.twig")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_language_that_went_is_not_played_from_the_cache(home: Path, site: Path, sandbox: str) -> None:
    """A bot that was prepared counts as long as the package stays as it was."""
    words = ("play", "connectx", "bud.twig", "bud.twig", "--seed", "1", "--sandbox", sandbox)
    for _ in range(2):
        assert dohyo(home, *words, site=site).returncode == 0
    assert list((home.parent / "cache" / "prepared").iterdir()), "no record was kept"
    (site / "twigs" / "building.py").write_text("raise RuntimeError('changed')\n")
    assert dohyo(home, *words, site=site).returncode == 2
    shutil.rmtree(site)
    assert dohyo(home, *words, site=site).returncode == 2


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_hand_in_brings_no_language(home: Path, sandbox: str) -> None:
    """A package that lies in a hand-in, or in the folder where somebody types, is not installed."""
    packed(home)
    packed(home / "project")
    for bot in ("bud.twig", "project"):
        done = dohyo(home, "play", "connectx", bot, "random", "--sandbox", sandbox)
        assert done.returncode == 2, done.stdout
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "row",
    [
        "raise SystemExit('bye')\n",
        "TWIG = ('twig', '.twig')\n",
        "from dohyo.languages import Language\nTWIG = Language('twig', ('twig',), 'x', ())\n",
        ROW.replace("flush=", "mentions=('pyhton',), flush="),
        ROW.replace("flush=", "crash_forms=('pyhton',), flush="),
    ],
    ids=["fails", "no-row", "no-ways", "mentions", "crash-forms"],
)
def test_a_broken_row_is_a_sentence(home: Path, site: Path, row: str) -> None:
    """A row that cannot be read takes nothing else away: the file is of an unknown kind, all other bots play."""
    (site / "twigs" / "row.py").write_text(row)
    done = dohyo(home, "play", "connectx", "bud.twig", "random", site=site)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "twigs.row:TWIG" in done.stderr
    assert dohyo(home, "play", "connectx", "random", "random", site=site).returncode == 0


def test_a_match_of_samples_reads_no_door(home: Path, site: Path) -> None:
    """What plays sample bots that were prepared before looks for no guest's languages."""
    code = (
        "import sys; from dohyo.cli.main import run; "
        "assert run(['play', 'drop-block', *['random'] * 4, '--seed', '1']) == 0; "
        "print([name for name in sys.modules if name.startswith(('dohyo.guests', 'dohyo.doors', 'twigs'))])"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(site))),
        "DOHYO_CACHE": str(home.parent / "cache"),
    }
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True, check=True
        )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("guest", "file", "starter"), [("jvm", "B.java", "java"), ("dotnet", "B.cs", "csharp"), ("haskell", "B.hs", "")]
)
def test_a_language_whose_folder_is_deleted_is_unknown(
    place: Path, home: Path, guest: str, file: str, starter: str
) -> None:
    """A hand-in in it is refused as an unknown kind of file, and so is a bot to begin from; other languages stay."""
    with without(place, f"guests/{guest}"):
        is_unknown(place, home, file, starter)


def is_unknown(place: Path, home: Path, file: str, starter: str) -> None:
    """Nothing of a language whose folder is gone is known in this copy."""
    (home / file).write_text("class B { }\n")
    (home / "b.nothing").write_text("class B { }\n")
    done = dohyo(home, "play", "connectx", file, "random", source=place)
    other = dohyo(home, "play", "connectx", "b.nothing", "random", source=place)
    assert done.returncode == 2
    assert done.stderr == other.stderr.replace("b.nothing", file)
    assert dohyo(home, "play", "drop-block", *["random"] * 4, source=place).returncode == 0
    if starter:
        done = dohyo(home, "new", "bot", "drop-block", "--lang", starter, source=place)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert starter in done.stderr.split(";")[0].split(":")[0]
        assert not (home / f"drop-block-{starter}").exists()
        assert dohyo(home, "new", "bot", "drop-block", "--lang", "rust", source=place).returncode == 0
