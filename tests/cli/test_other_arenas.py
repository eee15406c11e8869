"""The configurations to which docs/other-arenas.md leads: a real league of psyleague, and cgarena's calls."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from dohyo.core import replay_format
from tests.cli.conftest import write_bots
from tests.skips import Reason, skip_for

PATIENCE = 120  # seconds: no test waits so long, unless something hangs
BOT = """
import sys
print("READY", flush=True)
for line in sys.stdin:
    if line.strip() == "EOD":
        print("N", flush=True)
"""


EXAMPLES = Path(__file__).parents[2] / "examples" / "other_arenas"


@pytest.fixture
def environment(tmp_path: Path, root: Path) -> dict[str, str]:
    """An environment with this tree's `dohyo` on the PATH."""
    command = tmp_path / "path" / "dohyo"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m dohyo "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    modules = os.pathsep.join([str(root / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PATH": path, "PYTHONPATH": modules}


def test_a_league_of_psyleague(tmp_path: Path, environment: dict[str, str]) -> None:
    """The file as it stands: bots are added, matches are played and rated, a fault is counted."""
    if find_spec("psyleague") is None:
        skip_for(Reason.PEER, "psyleague is not installed")
    config = (EXAMPLES / "psyleague.cfg").read_text()
    # A game whose bots start in no time, without a clock that a busy machine makes run.
    quick = config.replace("n_players = 2", "n_players = 4").replace("n_workers = 2", "n_workers = 1")
    more = "--trust --clock 60,mode=cpu --setup turns=8 "
    quick = quick.replace("wondev-woman --for psyleague ", f"drop-block --for psyleague {more}")
    assert quick.count(more) == 1
    (tmp_path / "psyleague.cfg").write_text(quick)
    (tmp_path / "bots").mkdir()
    write_bots(tmp_path)

    def psyleague(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "psyleague.psyleague", *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    for name, source in {"a": "still", "b": "still", "c": "mumbler", "d": "quitter"}.items():
        assert "failed" not in psyleague("bot", "add", name, "--src", source)
    psyleague("run", "--games", "2", "--silent")
    games = [json.loads(line) for line in (tmp_path / "psyleague.games").read_text().splitlines()]
    assert len(games) == 2
    for game in games:
        assert sorted(game["players"]) == ["a", "b", "c", "d"]
        assert game["errors"][game["players"].index("d")] == 1
        assert game["errors"][game["players"].index("a")] == 0
    shown = psyleague("show")
    assert "longest_ms" in shown
    assert all(re.search(rf"^\s*\d+\s*{name}\b", shown, re.MULTILINE) for name in "abcd"), shown


def test_cgarena_calls_as_it_documents(tmp_path: Path, environment: dict[str, str]) -> None:
    """As cgarena does it: words are split as by a shell, places are whole words, players one word each."""
    config = tomllib.loads((EXAMPLES / "cgarena_config.toml").read_text())
    (worker,) = config["workers"]
    home = tmp_path / "arena"
    players = []
    for number in range(4):
        folder = Path("bots") / str(number)
        (home / folder).mkdir(parents=True)
        (home / folder / "source.txt").write_text(BOT)
        commands = [worker["cmd_build"], worker["cmd_run"]]
        build, run = (each.replace("{DIR}", str(folder)).replace("{LANG}", "py") for each in commands)
        subprocess.run(build.split(), cwd=home, check=True, timeout=PATIENCE)
        players.append(run)

    def called(template: str, values: dict[str, list[str]]) -> subprocess.CompletedProcess[str]:
        words = [word for part in shlex.split(template) for word in values.get(part, [part])]
        assert all(any(part == place for part in shlex.split(template)) for place in values), template
        return subprocess.run(
            words, cwd=home, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    replay = home / "replays" / "17.json"
    replay.parent.mkdir()
    quick = worker["referee"]["play_match"].replace(
        "wondev-woman", "drop-block --trust --clock 60,mode=cpu --setup turns=8"
    )
    done = called(quick, {"{SEED}": ["-5"], "{REPLAY_PATH}": [str(replay)], "{PLAYERS}": players})
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert all(type(rank) is int and 0 <= rank < 256 for rank in told["ranks"])
    assert told["errors"] == [0, 0, 0, 0]
    assert all(type(each["name"]) is type(each["value"]) is str for each in told["attributes"])
    assert replay_format.decode(replay.read_bytes()).header.seed == (1 << 63) - 5
    viewed = home / "session"
    viewed.mkdir()
    places = {"{REPLAY_PATH}": [str(replay)], "{REPLAY_DIR}": [str(viewed)], "{PORT}": ["9"], "{PLAYER_COUNT}": ["4"]}
    done = called(worker["referee"]["watch_replay"], places)
    assert done.returncode == 0, done.stderr
    assert (viewed / "test.html").read_text().startswith("<!doctype html>")
