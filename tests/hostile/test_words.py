"""Attacks by a text that its author chose and the operator never typed.

A file's name, what a replay calls a bot, the words in an archive, a script that reads as a version manager's shim.
Whatever such a text says, it is never a command line, an engine, a revision or another's path, and no program is
started without a sandbox because of it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from dohyo import games
from dohyo.bench.rerun import bot_of
from dohyo.bots import Bot, archive
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.guests.game_programs.dialogue import find_program
from dohyo.match import folder_bots
from dohyo.match.found_bots import find_bots, find_named
from dohyo.sandbox import Sandbox
from tests.core.matches import GAME, played
from tests.hostile import layers
from tests.hostile.scene import SECRETS
from tests.hostile.table import CONTAINED, NOT_CONTAINED, PLAYS, REFUSED, each_layer_of, expected

SEATS, TURNS = 4, 40
PLAYER = 'echo READY\nwhile read -r line; do [ "$line" = EOD ] && echo "$got" >&2 && echo N; done\n'


class Ground:
    """The operator's folder, where hand-ins lie and commands are typed, with a secret in it.

    `planted` is what the manager of a stranger leaves when Dohyo itself has started it: no bot starts it so.
    """

    def __init__(self, folder: Path) -> None:
        self.here, self.planted = folder / "here", folder / "planted"
        self.home, self.other = folder / "home", folder / "other"
        for place in (self.here, self.home, self.other):
            place.mkdir()
        (self.here / ".env").write_text(SECRETS)

    def script(self, path: Path, begins: str = "") -> Path:
        """A bot that plays, and tells what it can read of the operator's folder."""
        tries = f'got=$(cat "{self.here}/.env" 2>/dev/null)\n'
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{begins}{tries}{PLAYER}")
        path.chmod(0o755)
        return path

    def manager(self, name: str) -> Path:
        """A program that is called as a version manager, and leaves something when it is asked where a program is."""
        path = self.other / name
        path.write_text(f'#!/bin/sh\n[ "$1" = which ] && touch "{self.planted}"\n')
        path.chmod(0o755)
        return path

    def shim(self, path: Path) -> Path:
        """A bot that reads as the shim of such a manager."""
        return self.script(path, f'never() {{\nexec "{self.manager("pyenv")}" exec zz "$@"\n}}\n')


Found = list[Bot]
Attack = Callable[[Ground, Sandbox], Found]


def shim_argument(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G "./zz --fast"`: a script that reads as a shim."""
    ground.shim(ground.here / "zz")
    return find_bots(GAME, ["./zz --fast"], None, sandbox)


def shim_engine(ground: Ground, sandbox: Sandbox) -> Found:
    """`play chess uci:./zz`."""
    ground.shim(ground.here / "zz")
    find_bots(games.find("chess"), ["uci:./zz"], None, sandbox)
    return []


def shim_arena(ground: Ground, sandbox: Sandbox) -> Found:
    """`arena ./zz`."""
    ground.shim(ground.here / "zz")
    find_program(["./zz"], ground.other, sandbox)
    return []


def shim_link(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G "./zz --fast"`: a link to a file that is called `mise`."""
    (ground.here / "zz").symlink_to(ground.manager("mise"))
    find_bots(GAME, ["./zz --fast"], None, sandbox)
    return []


def shim_replay(ground: Ground, sandbox: Sandbox) -> Found:
    """`rerun m.replay 0`: the replay says that `zz --fast` has played."""
    ground.shim(ground.here / "zz")
    match = played(turns=4)
    seats = [msgspec.structs.replace(seat, name="zz --fast") for seat in match.header.seats]
    match = msgspec.structs.replace(match, header=msgspec.structs.replace(match.header, seats=tuple(seats)))
    return [bot_of(match, 0, None, None, sandbox)]


def shim_archive(ground: Ground, sandbox: Sandbox) -> Found:
    """`verify stranger.db`: an archive holds the script, and a word for it."""
    content = ground.shim(ground.other / "zz").read_bytes()
    packed = archive.ArchivedBot("zz", ("--fast",), False, {"zz": (content, True)})
    return find_bots(GAME, [archive.unpack(msgspec.msgpack.encode(packed))], None, sandbox)


def shim_entry(ground: Ground, sandbox: Sandbox) -> Found:
    """`contest run --folder`: an entry that reads as a path and an argument is gone when it is opened."""
    ground.shim(ground.here / "zz")
    shutil.copy(ground.here / "zz", ground.here / "zz --fast")
    folder = str(ground.here)
    found = folder_bots.find(
        folder, 9, None, sandbox=sandbox, building=lambda count: (ground.here / "zz --fast").unlink()
    )
    if not found.refused:
        return found.bots
    assert list(found.refused) == ["zz --fast"]
    assert [bot.name for bot in found.bots] == ["zz"]
    return []


def entry_words(ground: Ground, sandbox: Sandbox) -> Found:
    """`contest run --folder`: the same, and the argument is the operator's folder."""
    ground.script(ground.here / "zz")
    ground.script(ground.here / "zz .")
    found = folder_bots.find(
        str(ground.here), 9, None, sandbox=sandbox, building=lambda count: (ground.here / "zz .").unlink()
    )
    if found.refused:
        raise found.refused["zz ."]
    return [bot for bot in found.bots if bot.name != "zz"]


def entry_command(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G *`: a file is called as an engine, with the operator's folder among its words."""
    ground.script(ground.here / "zz")
    ground.script(ground.here / "uci:sh zz .")
    found = find_named(games.find("chess"), ["uci:sh zz ."], None, sandbox)
    return [msgspec.structs.replace(bot, command=parameters.without_protocol(bot.command)[0]) for bot in found]


def entry_home(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G *`: a file is called `~`, and the operator's home folder holds a bot, and a secret."""
    ground.script(ground.here / "~")
    ground.script(ground.home / "bot.toml").write_text('run = "sh main.sh"\n')
    ground.script(ground.home / "main.sh")
    (ground.home / "secret").write_text(SECRETS)
    (ground.home / "main.sh").write_text(f"got=$(cat secret)\n{PLAYER}")
    return find_named(GAME, ["~"], None, sandbox)


def entry_revision(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G *`: a file is called as a revision of the operator's repository, and of a file that is only there."""
    git = ["git", "-C", str(ground.here), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    ground.script(ground.here / "model.sh").write_text(f"#!/bin/sh\ngot='{SECRETS.strip()}'\n{PLAYER}")
    for words in (["init", "-q"], ["add", "model.sh"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (ground.here / "model.sh").unlink()
    ground.script(ground.here / "git:HEAD:model.sh")
    return find_named(GAME, ["git:HEAD:model.sh"], None, sandbox)


def word_manifest(ground: Ground, sandbox: Sandbox) -> Found:
    """`play G *`: among the files is a `bot.toml`, and what it runs lies in the operator's folder as well."""
    ground.script(ground.here / "zz.sh").write_text(f"got=$(cat .env)\n{PLAYER}")
    (ground.here / "bot.toml").write_text('run = "sh zz.sh"\n')
    return find_named(GAME, ["bot.toml"], None, sandbox)


def archive_words(ground: Ground, sandbox: Sandbox) -> Found:
    """`verify stranger.db`: an archived program has the operator's folder as its argument."""
    content = ground.script(ground.other / "zz").read_bytes()
    packed = archive.ArchivedBot("zz", (".",), False, {"zz": (content, True)})
    return find_bots(GAME, [archive.unpack(msgspec.msgpack.encode(packed))], None, sandbox)


def archive_path(ground: Ground, sandbox: Sandbox) -> Found:
    """The same, by its whole path, for a source."""
    content = ground.script(ground.other / "zz.sh").read_bytes()
    packed = archive.ArchivedBot("zz.sh", (str(ground.here),), False, {"zz.sh": (content, True)})
    return find_bots(GAME, [archive.unpack(msgspec.msgpack.encode(packed))], None, sandbox)


STRANGERS_WORDS: dict[str, Attack] = {
    make.__name__: make
    for make in (
        *(shim_argument, shim_engine, shim_arena, shim_link, shim_replay, shim_archive, shim_entry),
        *(entry_words, entry_command, entry_home, entry_revision, word_manifest, archive_words, archive_path),
    )
}


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ground:
    """The operator has typed a command there."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    made = Ground(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.chdir(made.here)
    return made


@pytest.mark.parametrize(("name", "layer"), each_layer_of((name,) for name in STRANGERS_WORDS))
def test_a_text_is_met_as_the_table_says(ground: Ground, name: str, layer: int) -> None:
    """It starts nothing without a sandbox, and opens nothing of the operator's to the bot."""
    layers.need(layer)
    sandbox = layers.small_sandbox(layer)
    assert sandbox is not None
    word, told = CONTAINED, ""
    try:
        found = STRANGERS_WORDS[name](ground, sandbox)
    except OperatorError:
        word = REFUSED
    else:
        if found:
            match = layers.play(layer, "drop-block", [found[0]] * SEATS, setup={"turns": TURNS}, seed=1)
            moves = [move for turn in match.turns for move in turn.moves]
            told = "".join(move.stderr for move in moves)
            assert [fault for move in moves for fault in move.faults] == []
    assert not ground.planted.exists()
    if SECRETS.strip() in told:
        word = NOT_CONTAINED
    assert expected()[name][layer].word in (word, PLAYS if word == CONTAINED else word)
