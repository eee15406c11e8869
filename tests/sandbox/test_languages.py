"""Every language of the table in every layer: a program in it is built there, started, and answers.

The filter of system calls allows what is named, so this is where a language shows what it needs. When one fails,
`python -m tests.sandbox.refused_calls` says which calls it was refused.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from dohyo import bots, games
from dohyo.bots import resolve
from dohyo.bots.tools import Tools
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Replay
from dohyo.languages import by_name
from dohyo.match.play import Interrupted, play_match
from dohyo.match.sandboxing import BuildSandbox, factory_for
from dohyo.sandbox import Sandbox, at_layer
from tests import skips
from tests.bots.conftest import PATIENCE
from tests.bots.programs import PROGRAMS
from tests.bots.test_languages import ALWAYS, EXPECTED
from tests.covering import covering
from tests.skips import Reason, skip_for

LAYERS = (1, 2, 3)
SAMPLES = [
    (name, sample)
    for name, game in sorted(games.all_games().items())
    for sample in sorted({path: sample for sample, path in bots.samples(Path(game.folder) / "bots").items()}.values())
]
PATIENT = Clock(turn=PATIENCE, ready=5 * PATIENCE)
SLOW = {"kotlin", "scala"}  # made by `dohyo new bot`, a package: `tests/guests/starters`, `tests/bots`
NEEDED = {".cpp": "g++", ".java": "javac", ".js": "node"}


def sandbox_at(layer: int) -> Sandbox:
    """The sandbox of a layer; without it, the test is skipped."""
    found = at_layer(layer)
    if found is None:
        skip_for(Reason.KERNEL, f"this machine has no layer {layer} of the sandbox")
    return found


@pytest.mark.parametrize(("name", "layer"), covering(sorted(PROGRAMS), LAYERS))
def test_a_language_works_in_the_box(name: str, layer: int, tmp_path: Path, full: bool) -> None:
    """A program is built and answers in one layer, with `--full` in every one.

    Those whose compiler takes five seconds are built in the box with `--full`, and elsewhere in every run.
    """
    sandbox = sandbox_at(layer)
    if name in EXPECTED:
        skips.program(EXPECTED[name])
    elif name not in ALWAYS and Tools(tmp_path / "cache").way(by_name(name)) is None:
        skip_for(Reason.COMPILER, f"this machine has no {name}")
    elif name not in ALWAYS and name in SLOW and not full:
        return
    file, source = PROGRAMS[name]
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "handed-in" / file).write_text(source)
    (bot,) = resolve(
        [str(tmp_path / "handed-in" / file)], cache=tmp_path / "cache", build_sandbox=BuildSandbox(sandbox)
    )
    build = factory_for(bot, os.environ, sandbox)
    assert build is not None
    sandboxed = build(bot.words(sandbox.own_files), bot.folder, os.environ)
    try:
        done = subprocess.run(
            sandboxed.command,
            cwd=sandboxed.folder,
            env=sandboxed.environment,
            input=b"hello\n",
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        sandboxed.close()
    # Where no process tree hides the others nobody sets priorities, and Mono tells that on standard output.
    said = done.stdout.strip().split(b"\n")[-1] if (name, layer) == ("c#", 3) else done.stdout.strip()
    assert (done.returncode, said) == (0, b"seen hello"), done.stderr.decode()


@pytest.mark.parametrize(("named", "layer"), covering(SAMPLES, LAYERS))
def test_a_sample_plays_in_the_box(named: tuple[str, str], layer: int, full: bool) -> None:
    """Every sample bot plays its game in the box without a fault; with `--full` in every layer, a whole match."""
    game, sample = named
    sandbox = sandbox_at(layer)
    if tool := NEEDED.get(Path(sample).suffix):
        skips.program(tool)
    if sample == "sensei" and not full:
        return  # half a minute until its search is compiled
    chosen = games.find(game)

    def on_turn(replay: Replay) -> None:
        if len(replay.turns) >= 12 and not full:
            raise KeyboardInterrupt

    try:
        replay = play_match(
            chosen,
            [sample] * chosen.seats[0],
            seed=1,
            clock=PATIENT,
            sandbox=sandbox,
            on_turn=on_turn,
            compiled=False,
        )
    except Interrupted as early:
        replay = early.replay
    assert len(replay.turns) >= 12 or not replay.result.unfinished
    faults = [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert [fault for fault in faults if fault.kind is not FaultKind.ILLEGAL] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_make_works_in_the_box(layer: int, tmp_path: Path) -> None:
    """A folder whose build is `make`, as the pages say, is built in every layer."""
    skips.program("make")
    skips.program("cc")
    sandbox = sandbox_at(layer)
    home = tmp_path / "bot"
    home.mkdir()
    (home / "bot.toml").write_text('build = "make"\nrun = "./bot"\n')
    (home / "Makefile").write_text("bot: bot.c\n\tcc -o bot bot.c\n")
    (home / "bot.c").write_text("int main(void) { return 0; }\n")
    (bot,) = resolve([str(home)], cache=tmp_path / "cache", build_sandbox=BuildSandbox(sandbox))
    assert (Path(bot.built) / "bot").exists()
