"""What bots may do in the sandbox that they play in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.sandbox import Shown
from dohyo.match.play import play_match
from dohyo.match.sandboxing import BuildSandbox, factory_for, launch, with_games
from dohyo.sandbox import Sandbox, at_layer
from dohyo.system import scheduler
from tests.skips import Reason, skip_for


@pytest.mark.parametrize(("ours", "limit"), [({1}, 1.0), ({0, 2}, 2.0), ({0, 1, 2, 3}, 0.0)])
def test_a_bot_gets_our_share_of_the_processors(
    ours: set[int], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where we are kept to some of the machine's processors, the sandbox lets a bot have no more."""
    given: list[Any] = []
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(scheduler, "cores", lambda: ours)
    monkeypatch.setattr(Sandbox, "factory", lambda self, *words, **more: given.extend(words))
    factory_for(Bot("b", ("/bin/true",), "/", "", ""), {}, Sandbox(1, "sandbox"))
    assert given[-1].cores == limit


SHORT_CHILDREN = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("READY", flush=True)
while True:
    while input() != "EOD":
        pass
    for _ in range(80):
        ends = os.pipe()
        if os.fork() == 0:
            while time.process_time() < 0.005:
                pass
            os._exit(0)
        os.close(ends[1])
        os.read(ends[0], 1)
        os.close(ends[0])
    print("N", flush=True)
"""


def test_who_thinks_in_children_pays_for_them(tmp_path: Path) -> None:
    """Where there is a control group, also for those that end unseen and are collected by nobody."""
    made = at_layer(1)
    if made is None:
        skip_for(Reason.KERNEL, "this machine has no layer 1 of the sandbox")
    (tmp_path / "bot.py").write_text(SHORT_CHILDREN)
    clock = Clock(turn=0.1, ready=60, mode="cpu", wall=60)
    replay = play_match("drop-block", [str(tmp_path / "bot.py")] * 4, setup={"turns": 4}, clock=clock, sandbox=made)
    faults = [[fault.kind for fault in turn.moves[0].faults] for turn in replay.turns]
    assert faults == [[FaultKind.TIMEOUT]] * 4
    assert all((turn.moves[0].cpu or 0) >= 0.1 for turn in replay.turns)


LOOKS = """
import os, sys
named = os.environ.get("DOHYO_GAMES", "")
sys.path.append(os.path.dirname(named) or "/nowhere")
import mine
print(named, mine.NAME, sorted(os.listdir(os.path.dirname(named))), sorted(os.listdir(named)))
for path in sys.argv[1:]:
    try:
        print(open(path).read())
    except OSError:
        pass
"""


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games that DOHYO_GAMES names; in the folder of each lies a hand-in and a secret. The folder of both."""
    for name in ("mine", "other"):
        for file in ("__init__.py", "rules.py", ".env", "handins/alice.py", "handins/__init__.py"):
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_text("from .rules import NAME" if file == "__init__.py" else "NAME = 5")
    monkeypatch.setenv("DOHYO_GAMES", os.pathsep.join(str(tmp_path / name) for name in ("other", "mine")))
    return tmp_path


def looks(bot: Bot, place: Path, sandbox: Sandbox, game: str) -> subprocess.CompletedProcess[bytes]:
    """What such a program prints in a match of a game."""
    secrets = [str(file) for file in place.rglob("*") if file.is_file()]
    made = launch(bot, {**os.environ, "DOHYO_GAME": game}, sandbox)
    assert made.sandbox_factory is not None
    run = made.sandbox_factory([sys.executable, "-c", LOOKS, *secrets], "/", made.environment)
    try:
        return subprocess.run(run.command, env=run.environment, cwd=run.folder, capture_output=True, check=False)
    finally:
        run.close()


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_a_bot_sees_of_a_named_game_what_it_is_made_of(layer: int, two_games: Path) -> None:
    """Its match's game, as a copy, and nothing else of the folder: no hand-in, no secret, no other game."""
    made = at_layer(layer)
    if made is None:
        skip_for(Reason.KERNEL, f"this machine has no layer {layer} of the sandbox")
    bot = Bot("b", (sys.executable,), "/", "", "", programs=(sys.executable,))
    said = looks(bot, two_games, made, "mine").stdout.decode().splitlines()
    assert said, looks(bot, two_games, made, "mine").stderr
    place, name, *rest = said[0].split(maxsplit=2)
    assert (name, rest) == ("5", ["['mine'] ['__init__.py', 'rules.py']"])
    assert (place == "/games/mine") == made.own_files
    assert not said[1:]
    ended = looks(bot, two_games, made, "connect-four")
    assert b"No module named 'mine'" in ended.stderr


def test_only_our_own_interpreter_is_told_of_games(two_games: Path) -> None:
    """Without a sandbox every program is told the paths as they are; in one, a build sees all games, a bot one."""
    sandbox, environment = Sandbox(1, "sandbox"), {**os.environ, "DOHYO_GAME": "mine"}
    other, ours = (Bot("b", (path,), "/", "", "", programs=(path,)) for path in ("/bin/sh", sys.executable))
    assert "DOHYO_GAMES" not in with_games(other, environment, sandbox)
    assert with_games(ours, environment, sandbox)["DOHYO_GAMES"] == "/games/mine"
    assert with_games(other, environment, Sandbox(4, "none"))["DOHYO_GAMES"] == os.environ["DOHYO_GAMES"]
    given: list[Any] = []
    sandbox.factory = lambda shown, env, *_, **more: given.extend((shown, env))  # type: ignore[method-assign, assignment, func-returns-value]
    for number, program in enumerate((sys.executable, sys.executable, "/bin/sh")):
        (two_games / "mine" / "rules.py").write_text(f"NAME = {number}")
        BuildSandbox(sandbox).build(("/bin/true",), environment, Shown("/", (), (program,)))
    first, told, again, _, compiler, untold = given
    assert told["DOHYO_GAMES"] == "/games/other:/games/mine"
    rules = [Path(each.mounts[0].source, "mine", "rules.py").read_text() for each in (first, again)]
    assert rules == ["NAME = 0", "NAME = 1"]  # a build is of what is there now, as its digest is
    assert (compiler.mounts, "DOHYO_GAMES" in untold) == ((), False)
