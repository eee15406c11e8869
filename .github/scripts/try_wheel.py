#!/usr/bin/env python3
"""Install a wheel into empty environments, without a network, and use it as a newcomer does.

    try_wheel.py wheelhouse FOLDER WHEEL --python python3.12 ...   fetch once what the wheel requires, from a network
    try_wheel.py try WHEEL --from FOLDER --python python3.12 ...   for each Python: install, and take every step

Nothing but the standard library. Where `unshare` may make a network namespace, all of `try` runs in one. The release
calls this on each system and Python; `tests/quality/test_wheel.py` takes the same steps on the running Python.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MATCH = ("random", "random", "random", "hunter")
# What is typed; "{home}" is an empty folder. Each has to end with status 0, but for those of `REFUSED`.
STEPS = (
    ("dohyo", "--version"),
    ("dohyo", "doctor"),
    ("dohyo", "games"),
    ("dohyo", "help", "docs/contests.md"),
    ("dohyo", "play", "drop-block", *MATCH, "--seed", "7", "--save", "m.replay", "--html", "m.html"),
    ("dohyo", "play", "wondev-woman", "climber", "random", "--seed", "7"),
    ("dohyo", "play", "shoot-em-up", "gunner", "random", "--seed", "7"),
    ("dohyo", "play", "abotcalypse", "random", "builder", "thrower", "--seed", "7", "--setup", "turns=40"),
    ("dohyo", "replay", "m.replay", "--verify"),
    ("dohyo", "replay", "m.replay", "--lang", "ja"),
    ("dohyo", "new", "bot", "drop-block", "--lang", "python", "mine"),
    ("dohyo", "check", "drop-block", "mine"),
    ("dohyo", "new", "game", "my-game"),
    ("dohyo", "play", "my-game", "random", "random", "--seed", "7"),
    ("dohyo", "play", "connect-four", "searcher", "random", "--seed", "7"),
    ("dohyo", "contest", "run", "--game", "wondev-woman", "climber", "random", "--rounds", "2", "--sandbox", "auto"),
    ("dohyo", "contest", "standings", "contest.db", "--json"),
    ("dohyo", "contest", "verify", "contest.db", "--again"),
    ("dohyo", "contest", "report", "contest.db", "--html", "contest.html"),
)
# Without the extras: one sentence that says how to get them, and status 2.
REFUSED = (("dohyo", "tune", "wondev-woman", "climber", "--param", "depth=1..2", "--matches", "2"),)
LEFT = {"m.replay", "m.html", "mine", "my_game", "contest.db", "contest.db.files", "contest.html"}
DEMO = ("dohyo", "demo")


def take(programs: Path, step: Sequence[str], work: Path) -> str:
    """Take a step in a folder, far from any source and setting; what it prints. Raises `RuntimeError`."""
    home = work.parent / "home"
    home.mkdir(exist_ok=True)
    passed_on = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        [programs / step[0], *step[1:]],
        cwd=work,
        env={**passed_on, "HOME": str(home), "SHELL": "/bin/bash"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode != (2 if step in REFUSED else 0):
        raise RuntimeError(f"{' '.join(step)}: status {done.returncode}\n{done.stdout}")
    if step in REFUSED and ("pip install 'dohyo[" not in done.stdout or done.stdout.count("\n") > 1):
        raise RuntimeError(f"{' '.join(step)} does not say in one sentence what to install:\n{done.stdout}")
    return done.stdout


def version_of(python: str) -> str:
    """Such as 3.12.1; empty where it cannot be started."""
    words = [python, "-c", "import platform; print(platform.python_version())"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def make_environment(python: str, folder: Path) -> Path:
    """An empty virtual environment; its folder of programs."""
    subprocess.run([python, "-I", "-m", "venv", folder], check=True)
    return folder / "bin"


def wheelhouse(arguments: argparse.Namespace) -> int:
    """Fetch all that the wheel requires, for each Python."""
    for python in arguments.python:
        with tempfile.TemporaryDirectory() as folder:
            programs = make_environment(python, Path(folder, "venv"))
            words = [
                "-m",
                "pip",
                "download",
                "-q",
                "--only-binary=:all:",
                "--dest",
                arguments.folder,
                arguments.wheel,
            ]
            subprocess.run([programs / "python", "-I", *words], check=True)
    return 0


def without_network(words: Sequence[str]) -> list[str]:
    """The command in a network namespace of its own, where that can be made."""
    for prefix in (["unshare", "-n"], ["unshare", "-rn"]):
        if shutil.which("unshare") and subprocess.run([*prefix, "true"], check=False).returncode == 0:
            return [*prefix, *words]
    return list(words)


def try_out(arguments: argparse.Namespace) -> int:
    """Install and take every step, on each Python; the exit status."""
    if not arguments.inside:
        words = without_network([sys.executable, __file__, *sys.argv[1:], "--inside"])
        print("Without a network." if words[0] == "unshare" else "The network cannot be taken away here.", flush=True)
        return subprocess.run(words, check=False).returncode
    failed = 0
    for python in arguments.python:
        version = version_of(python)
        if not version:
            print(f"{python:14} not here")
            continue
        started = time.monotonic()
        try:
            count = try_on(python, arguments)
            print(f"{python:14} {version:8} {count} steps in {time.monotonic() - started:.0f} s", flush=True)
        except (RuntimeError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"{python:14} {version:8} FAILED: {error}", flush=True)
    return 1 if failed else 0


def try_on(python: str, arguments: argparse.Namespace) -> int:
    """Install on one Python and take every step; their number."""
    with tempfile.TemporaryDirectory() as folder:
        programs = make_environment(python, Path(folder, "venv"))
        found = ["--no-index", "--find-links", arguments.found]
        subprocess.run([programs / "python", "-I", "-m", "pip", "install", "-q", *found, arguments.wheel], check=True)
        work = Path(folder, "work")
        work.mkdir()
        steps = (*STEPS, *REFUSED, *((DEMO,) if arguments.demo else ()))
        for step in steps:
            take(programs, step, work)
        left = {path.name for path in work.iterdir()} - LEFT - ({"demo"} if arguments.demo else set())
        if left:  # nothing but what was asked for
            raise RuntimeError(f"left behind: {sorted(left)}")
        return len(steps)


def main() -> int:
    """Read the words; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    commands = parser.add_subparsers(required=True)
    fetching = commands.add_parser("wheelhouse")
    fetching.add_argument("folder")
    fetching.set_defaults(run=wheelhouse)
    trying = commands.add_parser("try")
    trying.add_argument("--from", dest="found", required=True, help="the folder with what the wheel requires")
    trying.add_argument("--demo", action="store_true", help="also 'dohyo demo', which takes a minute or two")
    trying.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    trying.set_defaults(run=try_out)
    for each in (fetching, trying):
        each.add_argument("wheel")
        each.add_argument("--python", nargs="+", default=[sys.executable])
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
