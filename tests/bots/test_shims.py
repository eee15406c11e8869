"""Programs are found behind the shims of version managers, by one way for every command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dohyo.bots.tools import Tools
from dohyo.guests.game_programs.dialogue import find_program

MANAGERS = ("pyenv", "rbenv", "nodenv", "jenv", "asdf")
SHIM = """#!/usr/bin/env bash
set -e
program="${0##*/}"
exec "%s" exec "$program" "$@"
"""
# A manager that knows one program, and says where it is; whoever has it start one is told that it cannot.
MANAGER = '#!/bin/sh\n[ "$1 $2" = "which %s" ] && echo "%s" && exit 0\necho "not found" >&2\nexit 127\n'


def program(path: Path, text: str = "#!/bin/sh\necho itself\n") -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("manager", MANAGERS)
def test_the_program_behind_a_shim_is_found(manager: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its manager says where it is; of what it has not, the next folder of the PATH is asked."""
    true = program(tmp_path / "versions" / "1" / "bin" / "tool")
    own = program(tmp_path / "root" / "bin" / manager, MANAGER % ("tool", true))
    for name in ("tool", "other"):
        program(tmp_path / "root" / "shims" / name, SHIM % own)
    later = program(tmp_path / "later" / "other")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "root" / "shims"), str(tmp_path / "later"), "/bin"]))
    tools = Tools(tmp_path / "cache")
    assert tools.find("tool") == str(true)
    assert tools.find(str(tmp_path / "root" / "shims" / "tool")) == str(true)
    assert tools.find("other") == str(later)
    assert tools.find("neither") is None


def test_mise_and_sdkman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mise's shims are links to itself, sdkman's versions lie behind a link: both lead to the program."""
    true = program(tmp_path / "installs" / "node" / "22" / "bin" / "node")
    mise = program(tmp_path / "bin" / "mise", MANAGER % ("node", true))
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims" / "node").symlink_to(mise)
    candidates = tmp_path / ".sdkman" / "candidates" / "java"
    java = program(candidates / "21" / "bin" / "java")
    (candidates / "current").symlink_to("21")
    folders = [tmp_path / "shims", candidates / "current" / "bin", tmp_path / "bin"]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, [*folders, "/bin"])))
    tools = Tools(tmp_path / "cache")
    assert tools.find("node") == str(true)
    assert tools.find("java") == str(java)
    assert tools.find("mise") == str(mise)


def test_what_is_no_shim_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script of the operator's own that happens to lie in a folder called `shims` is what it is."""
    own = program(tmp_path / "shims" / "tool", "#!/bin/sh\nexec /bin/true\n")
    monkeypatch.setenv("PATH", f"{own.parent}:/bin")
    assert Tools(tmp_path / "cache").find("tool") == str(own)


@pytest.mark.parametrize("by_path", [False, True], ids=["by its name", "by its path"])
@pytest.mark.parametrize("manager", MANAGERS)
@pytest.mark.parametrize("word", ["python", "python3"])
def test_arena_starts_what_is_behind_a_shim(
    word: str, manager: str, by_path: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """The command line `python bot.py` starts Python itself, as in `play`; so does the shim's own path."""
    own = program(tmp_path / "root" / "bin" / manager, MANAGER % (word, sys.executable))
    shim = program(tmp_path / "root" / "shims" / word, SHIM % own)
    monkeypatch.setenv("PATH", f"{tmp_path / 'root' / 'shims'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("pass\n")
    assert find_program([str(shim) if by_path else word, "bot.py"], tmp_path).command == (sys.executable, "bot.py")


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_path_is_what_it_is(manager: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """A program that is named by a path, and that the PATH does not find, is no shim: no manager is asked."""
    asked = tmp_path / "asked"
    own = program(tmp_path / "root" / "bin" / manager, f'#!/bin/sh\ntouch "{asked}"\n')
    shim = program(tmp_path / "root" / "shims" / "tool", SHIM % own)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    assert Tools(tmp_path / "cache").find(str(shim)) == str(shim)
    assert find_program([str(shim), "bot.py"], tmp_path).program != str(own)
    assert not asked.exists()


def test_arena_by_the_path_of_sdkman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """What lies behind sdkman's link is looked behind where the PATH finds just that."""
    candidates = tmp_path / ".sdkman" / "candidates" / "java"
    java = program(candidates / "21" / "bin" / "java")
    (candidates / "current").symlink_to("21")
    monkeypatch.setenv("PATH", f"{candidates / 'current' / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("pass\n")
    by_sdkman = find_program([str(candidates / "current" / "bin" / "java"), "bot.py"], tmp_path)
    assert by_sdkman.command == (str(java), "bot.py")
