"""Sources that import Dohyo run with the interpreter that runs Dohyo; all others with the bots' own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dohyo.bots import resolve
from dohyo.bots.own_python import IMPORT
from tests.bots.conftest import Resolve, Write

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
