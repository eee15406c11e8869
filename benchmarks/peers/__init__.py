"""Connect four by others: steps per second of random play in OpenSpiel, PettingZoo and pgx.

    python benchmarks/peers [NAME ...] [--seconds 2] [--rounds 3]

Each peer is installed from PyPI into an environment of its own, once, in the folder for what can be made again
($DOHYO_CACHE, or where the system keeps such things), and runs there as a process of its own: it does not change this
project's environment. It stays alive between measurements, so that rounds of several peers, and of ours, can
alternate in one run: a machine's speed drifts.

`measure` returns several figures for a peer. `mode` says what a step is:

    rollout    random play alone, in the fastest way that its own documentation offers
    step       one call for each step of a learner: the step, the next observation and the mask of legal actions; only
               these are timed, not the choice of actions

`n` is how many games there are at once; `cores` how many processor cores the peer kept busy meanwhile.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dohyo.sim.compiled import location

HERE = Path(__file__).resolve().parent


class Peer(NamedTuple):
    """Who plays connect four besides us: what pip installs, and the program here that drives it."""

    packages: tuple[str, ...]
    program: str


PEERS = {
    "open_spiel": Peer(("open_spiel",), "play_open_spiel.py"),
    "pettingzoo": Peer(("pettingzoo[classic]",), "play_pettingzoo.py"),
    "pgx": Peer(("pgx", "jax"), "play_pgx.py"),
}


class Speed(NamedTuple):
    """One figure of a peer; `how` says in words what was run."""

    name: str
    mode: str
    how: str
    n: int
    steps_per_s: float
    cores: float


class PeerError(Exception):
    """A peer that cannot be measured here; the text is the reason."""


class Living(NamedTuple):
    """A peer's process, the versions of what it runs, and the file of its error output."""

    process: subprocess.Popen[str]
    versions: dict[str, str]
    errors: Path


_living: dict[str, Living] = {}


def measure(name: str, seconds: float) -> list[Speed]:
    """Let a peer play for so many seconds in each of its ways; its figures.

    The first call of a peer installs and starts it, and lets it compile what it compiles. Raises `PeerError` when it
    cannot be installed or run, and `KeyError` when there is none of that name.
    """
    living = start(name)
    assert living.process.stdin is not None
    try:
        living.process.stdin.write(f"{seconds}\n")
        living.process.stdin.flush()
    except OSError as error:
        raise PeerError(_last_words(living.errors)) from error
    return [Speed(name, **figure) for figure in _read(living.process, living.errors)["figures"]]


def versions(name: str) -> dict[str, str]:
    """What a peer runs: names and versions, Python's among them. Starts it; raises `PeerError` as `measure` does."""
    return start(name).versions


def start(name: str) -> Living:
    """Install a peer, where that was not done yet, and start it, where it does not run yet."""
    if name not in _living:
        python = install(name)
        errors = python.parent.parent / "errors.txt"
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        with errors.open("w") as file:
            process = subprocess.Popen(
                [python, HERE / PEERS[name].program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                env={**environment, "JAX_PLATFORMS": "cpu", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
            )
        atexit.register(close)
        _living[name] = Living(process, {}, errors)
        _living[name].versions.update(_read(process, errors)["versions"])
    return _living[name]


def _read(process: subprocess.Popen[str], errors: Path) -> Any:
    """The next thing that a peer's process says; other libraries' greetings are passed over."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("{"):
            return json.loads(line)
    raise PeerError(_last_words(errors))


def install(name: str) -> Path:
    """The Python of a peer's environment, which is made unless it is there; $DOHYO_CACHE/peers/NAME."""
    folder = location() / "peers" / name
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    wanted = "\n".join((*PEERS[name].packages, sys.version))
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-I", "-m", "venv", folder)
        _run(python, "-I", "-m", "pip", "install", "-q", "--disable-pip-version-check", *PEERS[name].packages)
        stamp.write_text(wanted)
    return python


def _run(*words: str | Path) -> None:
    """Run a program to its end; its last words are the reason when it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise PeerError(_last_line(done.stdout))


def _last_words(errors: Path) -> str:
    return _last_line(errors.read_text(errors="replace"))


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it ended without a word"


def close(names: Sequence[str] = tuple(PEERS)) -> None:
    """End the peers' processes."""
    for name in names:
        if name in _living:
            living = _living.pop(name)
            living.process.kill()
            living.process.communicate()
