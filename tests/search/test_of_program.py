"""Searches that a program makes by itself: its build compiles them, wherever they are made; a match does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.search import ahead, of_program

ROOT = Path(__file__).parent.parent.parent
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import numpy
import dohyo
import dohyo.match.python_bot
from dohyo.search import PUCT
from tests.search import piles
from tests.search.test_puct import GAME, Network

class MyBot(dohyo.Bot):
    def begin(self):
        self.search = PUCT(GAME, 2, Network(taste=1), compiled=True, nodes=NODES)

    def answers(self):
        for pile in (7, 9, 10):
            yield self.search.choose(piles.pile(pile), 0, playouts=60)

bot = MyBot()
if "--warm" in sys.argv:
    MyBot.run()
dohyo.match.python_bot._awaited.clear()  # it is run by hand below
bot.begin()
for choice in bot.answers():
    print(choice.action, choice.visits, round(choice.value, 9), "numba" in sys.modules)
"""


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The program, to its end; in a match Dohyo says the game."""
    command = (sys.executable, str(folder / "bot.py"), *words)
    environment = {name: value for name, value in os.environ.items() if name != of_program.IN_A_MATCH} | more
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )


def in_a_match(folder: Path) -> subprocess.CompletedProcess[str]:
    """The program as a match runs it."""
    return run(folder, **{of_program.IN_A_MATCH: "piles"})


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's folder after its build."""
    folder = tmp_path_factory.mktemp("of-program") / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(PROGRAM.replace("NODES", "200"), encoding="utf-8")
    done = run(folder, "--warm")
    assert (done.returncode, done.stderr) == (0, "")
    assert {file.name for file in (folder / of_program.FOLDER).iterdir()} >= {ahead.LIST, ahead.OBJECT}
    return folder


def test_a_search_with_a_network_made_in_begin_is_compiled_by_the_build(built: Path) -> None:
    """PUCT in a match never imports Numba, and chooses what it chooses in plain Python."""
    done = in_a_match(built)
    assert (done.returncode, done.stderr) == (0, f"{of_program.AHEAD}\n")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[3] for line in lines] == ["False"] * 3
    plain = (built / "bot.py").read_text().replace("compiled=True", "compiled=False")
    (built / "plain").mkdir()
    (built / "plain" / "bot.py").write_text(plain)
    assert [line.split()[:3] for line in run(built / "plain").stdout.splitlines()] == [line[:3] for line in lines]


def test_what_the_build_has_not_seen_is_said(built: Path, tmp_path: Path) -> None:
    """A tree of another size has other code: Numba would compile it in the turn, and the program says so."""
    shutil.copytree(built, tmp_path / "bot", ignore=shutil.ignore_patterns("plain"))
    program = tmp_path / "bot" / "bot.py"
    program.write_text(program.read_text().replace("nodes=200", "nodes=201"))
    stopped = "import dohyo.search.backend as b\nb.CompiledBackend.over = lambda *rest: sys.exit('compiled')\n"
    program.write_text(program.read_text().replace("class MyBot", f"{stopped}\nclass MyBot"))
    done = in_a_match(tmp_path / "bot")
    assert done.stderr.splitlines() == [of_program.UNSEEN, "compiled"]


def test_where_the_build_could_not_compile_it_is_plain(built: Path, tmp_path: Path) -> None:
    """A bot whose build was given up plays all the same, chooses the same, and says what it lacks."""
    shutil.copytree(built, tmp_path / "bot", ignore=shutil.ignore_patterns("plain"))
    for file in (tmp_path / "bot" / of_program.FOLDER).iterdir():
        file.unlink()
    done = in_a_match(tmp_path / "bot")
    assert (done.returncode, done.stderr) == (0, f"{of_program.PLAIN}\n")
    assert done.stdout == in_a_match(built).stdout


def test_only_a_bot_in_a_match_loads_what_lies_beside_it(built: Path) -> None:
    """A program of one's own that is started in a folder of strangers loads nothing from there."""
    asked = "from dohyo.search import of_program; print(of_program.backend())"
    environment = os.environ | {of_program.IN_A_MATCH: "piles"}
    for words, told in (((sys.executable, "-c", asked), environment), ((sys.executable, "-"), environment)):
        done = subprocess.run(
            words, input=asked, cwd=built, env=told, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout == "None\n"
    asking = built / "asking.py"
    asking.write_text(asked)
    assert (
        "_OfBuild"
        in subprocess.run(
            (sys.executable, str(asking)), env=environment, capture_output=True, text=True, check=True
        ).stdout
    )
    without = {name: value for name, value in environment.items() if name != of_program.IN_A_MATCH}
    done = subprocess.run((sys.executable, str(asking)), env=without, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
