"""Commands that are printed to be copied: what a shell makes of them means what was meant."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core import parameters
from dohyo.match.command_lines import command, with_values
from dohyo.match.found_bots import find_named
from dohyo.sandbox import choose


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program in a folder whose name has a space and a quote."""
    path = tmp_path / "my dir's" / "p"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return "my dir's/p"


@pytest.mark.parametrize("name", ["", "new="])
def test_a_bot_with_values_means_that_bot(bot: str, name: str) -> None:
    """The bot's word survives a shell, and the bot's own words in it: it is that program, with these values."""
    word = with_values(name + bot, {"depth": "4", "mode": "a b"})
    assert word is not None
    line = command("play", "wondev-woman", word, "...", trust=True)
    (typed,) = shlex.split(line)[3:-2]
    (found,) = find_named(games.find("wondev-woman"), [typed], None, choose("none"))
    assert parameters.parted(found.command)[1] == {"DOHYO_PARAM_DEPTH": "4", "DOHYO_PARAM_MODE": "a b"}
    assert not name or found.name == "new"
    assert any(part.endswith(bot) for part in found.command)


def test_a_command_line_keeps_its_words() -> None:
    """Words that name no file are a command line, or a sample bot: they are not quoted as a whole."""
    assert with_values("./deep --depth 4", {"a": "1"}) == "./deep --depth 4 DOHYO_PARAM_A=1"
    assert shlex.split(str(with_values("random", {"a": "x y"}))) == ["random", "DOHYO_PARAM_A=x y"]


def test_a_revision_takes_no_values() -> None:
    """There is no word for a bot of a revision with values."""
    assert with_values("git:HEAD:p.py", {"a": "0"}) is None
    assert with_values("old=git:HEAD", {"a": "0"}) is None


def test_what_the_operator_said_is_repeated() -> None:
    """Options that decide what is played stand in the line, quoted; and nothing in it moves a terminal's cursor."""
    line = command(
        "play", "g", "b\x1b[2J", setup={"a": 1}, clock="5,mode=wall", python="/my py", debug=True, trust=True
    )
    assert line.isprintable()
    end = ["--setup", "a=1", "--clock", "5,mode=wall", "--python", "/my py", "--build", "debug", "--trust"]
    assert shlex.split(line)[4:] == end
    assert command("check", "g") == "dohyo check g"
