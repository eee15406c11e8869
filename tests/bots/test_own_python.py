"""Sources that import Dohyo run with the interpreter that runs Dohyo; all others with the bots' own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bots import resolve, samples, samples_of
from dohyo.bots.python_sources import IMPORT
from dohyo.core import build_notes
from tests.bots.conftest import Resolve, Write

NAMES = ("drop-block", "shoot-em-up", "connect-four", "backgammon", "go")
PLAIN = "print('U')\n"


def elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A PATH whose python3 is another program; its path."""
    program = folder / "bin" / "python3"
    program.parent.mkdir()
    program.write_bytes(Path(sys.executable).resolve().read_bytes()[:4096])
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return str(program)


def test_who_imports_dohyo_gets_its_interpreter(
    write: Write, one: Resolve, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single file, a folder, and a file that imports another one that does; not who has named an interpreter."""
    other = elsewhere(tmp_path, monkeypatch)
    folder = write({"main.py": "import mine\n", "mine.py": "from dohyo import Bot\n", "plain.py": PLAIN})
    for word in (folder / "mine.py", folder / "main.py", folder):
        found = one(word)
        assert found.command[0] == sys.executable
        assert found.programs == (sys.executable,)
    assert one(folder / "plain.py").command[0] == other
    write({"main.py": PLAIN})
    assert one(folder).command[0] == other  # another program beside it says nothing
    named = tmp_path / "named"
    named.symlink_to(sys.executable)
    (chosen,) = resolve([str(folder / "mine.py")], cache=cache, python=str(named))
    assert chosen.command[0] == str(named)
    declared = write({"bot.toml": f'run = "python mine.py"\npython = "{other}"\n'})
    assert one(declared).command[0] == other


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_bot_keeps_the_interpreter_that_it_imports_from(name: str, cache: Path, tmp_path: Path) -> None:
    """Whatever `--python` names, samples that import Dohyo can: it is meant for the operator's own bots."""
    named = tmp_path / "named"
    named.symlink_to(sys.executable)
    ours = samples_of(games.find(name))
    found = {word: path for word, path in ours.items() if path.suffix == ".py" and word == path.name}
    for word, path in found.items():
        (bot,) = resolve([word], ours, cache=cache, python=str(named))
        imports = IMPORT.search(path.read_text(encoding="utf-8")) is not None
        assert bot.command[0] == (sys.executable if imports else str(named)), word


def test_what_the_author_of_a_sample_declares_is_meant(write: Write, cache: Path, tmp_path: Path) -> None:
    """A `bot.toml` that names an interpreter wins over an import, in a sample as in any bot."""
    named, other = tmp_path / "named", tmp_path / "other"
    for link in (named, other):
        link.symlink_to(sys.executable)
    folder = write({"s/bot.toml": f'run = "python x.py"\npython = "{other}"\n', "s/x.py": "import dohyo\n"})
    (bot,) = resolve(["s"], samples(folder), cache=cache, python=str(named))
    assert bot.command[0] == str(other)


def test_an_import_is_a_line_that_says_so() -> None:
    """Comments, texts and other names that begin alike are none."""
    for line in (
        "import dohyo",
        "from dohyo import Bot",
        "  import dohyo.games",
        "import dohyo, sys",
        "import dohyo\r",
    ):
        assert IMPORT.search(line)
    for line in ("# import dohyo", "import dohyo_tools", "from .dohyo import x", "import sys, json", "x = 'dohyo'"):
        assert not IMPORT.search(line)


SEARCHES = """
import sys
from dohyo.search.bot import Thinker
if "--warm" in sys.argv:
    open("warmed", "w").close()
    sys.exit(STATUS)
Thinker(None, 1.0)
"""


@pytest.mark.parametrize("status", [0, 3])
def test_who_searches_is_built_without_a_word(write: Write, one: Resolve, cache: Path, status: int) -> None:
    """A file, one that imports it, a folder, and one whose `bot.toml` has no build; a failure leaves the bot."""
    source = SEARCHES.replace("STATUS", str(status))
    folder = write({"main.py": "import mine\n", "mine.py": source})
    bots = [one(word) for word in (folder / "mine.py", folder / "main.py", folder)]
    bots.append(one(write({"bot.toml": 'python = "dohyo"\nrun = "python mine.py"\n'})))
    for found in bots:
        assert found.built == found.folder
        assert Path(found.built, "warmed").is_file()
        assert Path(found.folder, found.command[-1]).parent == Path(found.built)
        assert (build_notes.key_in(found.log) == "build-not-compiled") == bool(status)


def test_who_searches_without_a_thinker_is_built_too(write: Write, one: Resolve, cache: Path) -> None:
    """A compiled search of the program's own; not one in plain Python, and not the words alone."""
    source = SEARCHES.replace("STATUS", "0").replace("search.bot import Thinker", "search import Search")
    for ending, is_built in (("Search(None, 2, compiled=True)", True), ("Search(None, 2, compiled=False)", False)):
        found = one(write({"mine.py": source.replace("Thinker(None, 1.0)", ending)}) / "mine.py")
        assert bool(found.built) == is_built
    assert not one(write({"mine.py": "import dohyo\n# dohyo.search, compiled=True\n"}) / "mine.py").built


def test_who_has_chosen_is_not_built(write: Write, one: Resolve, cache: Path, tmp_path: Path) -> None:
    """Another interpreter, a build of one's own, and a program that only names the word."""
    source = SEARCHES.replace("STATUS", "0")
    named = tmp_path / "named"
    named.symlink_to(sys.executable)
    folder = write({"mine.py": source, "other.py": "# Thinker()\nimport dohyo\n"})
    (chosen,) = resolve([str(folder / "mine.py")], cache=cache, python=str(named))
    assert not chosen.built
    assert not one(folder / "other.py").built
    text = 'python = "dohyo"\nbuild = "touch own"\nrun = "python mine.py"\n'
    own = one(write({"bot.toml": text}))
    assert not Path(own.folder, "warmed").exists()


def test_a_bot_that_searches_is_built_again_when_a_game_changes(
    write: Write, one: Resolve, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was prepared before is not taken for it: that looks at the bot's own files only."""
    game = tmp_path / "small.py"
    game.write_text("one = 1\n", encoding="utf-8")
    monkeypatch.setenv("DOHYO_GAMES", str(game))
    mine = write({"mine.py": SEARCHES.replace("STATUS", "0")}) / "mine.py"
    before = one(mine).built
    assert one(mine).built == before
    game.write_text("one = 2\n", encoding="utf-8")
    assert one(mine).built != before
