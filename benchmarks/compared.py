"""The figures of docs/compared.md: what others and we take to install, until a first match, for a match, for a step.

    python benchmarks/compared.py                # all that can be measured here; writes compared.json and the page
    python benchmarks/compared.py --only install,match
    python benchmarks/compared.py --install      # makes the environments of the peers first (some GB)
    python benchmarks/compared.py --write        # measures nothing: the page's tables from the last compared.json

Each peer has an environment of its own, in the same folder as those of `benchmarks/peers`; one that is missing is
named, with the commands that make it, and left out. Everything is connect four, the game that all of them have, by
players that take the first free column (19 turns) or a random one:

    install   what pip brings, by the lists of files of the installed packages; processor time of importing it
    first     processor time of a fresh process that plays one match (`first` of an environment: one random game)
    match     processor time of a match between two trivial players, in a process that has played before, and of a
              league of two programs in C: psyleague, whose referee is `bare_referee.py`, beside our contest
    steps     million steps a second of processor time: by `peers/beside.py`, one thread of ours

All times are of processors, of a process and all that it started, so that other work on the machine disturbs less;
those by the watch are saved beside them. Compare within a table, not between days.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import peers
from dohyo.sim.compiled import location

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PAGE = ROOT / "docs" / "compared.md"
SAVED = HERE / "compared.json"
GAME = "connect-four"
OURS = "dohyo"

peers.PEERS.update(
    {
        "kaggle-environments": peers.Peer(("kaggle-environments",), ""),
        "psyleague": peers.Peer(("psyleague",), ""),
        OURS: peers.Peer((str(ROOT),), ""),
        "dohyo-all": peers.Peer((f"{ROOT}[all]",), ""),
    }
)
SHOWN = {"dohyo-all": "dohyo[all]", "open_spiel": "OpenSpiel", "pettingzoo": "PettingZoo[classic]", "pgx": "pgx, jax"}
IMPORTS = {
    OURS: "import dohyo",
    "dohyo-all": "import dohyo.rl, dohyo.sim",
    "kaggle-environments": "import kaggle_environments",
    "open_spiel": "import pyspiel",
    "pettingzoo": "from pettingzoo.classic import connect_four_v3",
    "pgx": "import pgx",
    "psyleague": "import psyleague.psyleague",
}
PROJECTS = {"dohyo-all": "dohyo"}  # whose version is asked for, where it is not the name

FIRST = {
    "kaggle-environments": """
from kaggle_environments import make
make("connectx", {"rows": 6, "columns": 7, "inarow": 4}).run(["random", "random"])
""",
    "open_spiel": """
import random, pyspiel
state = pyspiel.load_game("connect_four").new_initial_state()
while not state.is_terminal():
    state.apply_action(random.choice(state.legal_actions()))
""",
    "pettingzoo": """
from pettingzoo.classic import connect_four_v3
env = connect_four_v3.env()
env.reset(seed=1)
for agent in env.agent_iter():
    seen, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))
""",
    "pgx": """
import jax, pgx
env = pgx.make("connect_four")
step, key = jax.jit(env.step), jax.random.PRNGKey(1)
state = jax.jit(env.init)(key)
while not state.terminated:
    key, one = jax.random.split(key)
    state = step(state, jax.random.categorical(one, jax.numpy.where(state.legal_action_mask, 0.0, -1e9)))
""",
}
IN_PROCESS = {
    OURS: """
import json, sys, time
import dohyo
from dohyo import games
game = games.find(sys.argv[1])
class First(dohyo.Bot):
    def act(self, observation):
        return observation.legal_actions[0]
def play():
    return len(dohyo.play(game, [First(), First()], seed=1).turns)
""",
    "kaggle-environments": """
import json, sys, time
from kaggle_environments import make
def first(observation, configuration):
    return next(c for c in range(configuration.columns) if observation.board[c] == 0)
env = make("connectx", {"rows": 6, "columns": 7, "inarow": 4})
def play():
    return len(env.run([first, first])) - 1
""",
}
LOOP = """
play()
start, begun, matches = time.process_time(), time.perf_counter(), int(sys.argv[2])
turns = sum(play() for _ in range(matches))
print(json.dumps({"turns": turns / matches, "cpu": (time.process_time() - start) / matches,
                  "wall": (time.perf_counter() - begun) / matches}))
"""

Part = Callable[[argparse.Namespace, Sequence[str], Path], dict[str, Any]]


def python_of(name: str) -> Path:
    """The interpreter of a peer's environment, which may not be there; of us, the one that runs this."""
    return Path(sys.executable) if name == OURS else location() / "peers" / name / "bin" / "python"


def environment(name: str) -> dict[str, str]:
    """The variables of a peer's process, without ours; of our own, with our sources and the example."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if name == OURS:
        return {**kept, "PYTHONPATH": str(ROOT / "src")}
    return {**kept, "JAX_PLATFORMS": "cpu", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}


def used(words: Sequence[str | Path], name: str, folder: Path | None = None) -> tuple[float, float, str]:
    """Run a program to its end: seconds of processor time of it and all that it started, by the watch, its output.

    Raises `peers.PeerError` with its last line when it fails.
    """
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment(name), cwd=folder)
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise peers.PeerError((done.stderr or done.stdout).strip().splitlines()[-1])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout


def install(words: argparse.Namespace, there: Sequence[str], _scratch: Path) -> dict[str, Any]:
    """What each peer brings: version, packages besides pip, bytes without compiled Python, seconds of importing."""
    told = """
import json, sys
from importlib import metadata
found = [d for d in metadata.distributions() if d.name.lower() not in ("pip", "setuptools", "wheel")]
files = [f.locate() for d in found for f in d.files or () if "__pycache__" not in f.parts]
sizes = {str(f): f.stat().st_size for f in files if f.is_file()}
print(json.dumps({"version": metadata.version(sys.argv[1]), "packages": len(found), "bytes": sum(sizes.values())}))
"""
    found = {}
    for name in there:
        python = location() / "peers" / name / "bin" / "python"
        if not python.is_file():
            continue
        _, _, out = used([python, "-I", "-c", told, PROJECTS.get(name, name)], name)
        bare, loaded = (
            median(used([python, "-I", "-c", code], name)[0] for _ in range(words.rounds))
            for code in ("pass", IMPORTS[name])
        )
        found[name] = {**json.loads(out), "import": loaded - bare}
    return found


def first(words: argparse.Namespace, there: Sequence[str], scratch: Path) -> dict[str, Any]:
    """Processor time and wall time from the start of a process to the end of its first match."""
    bot = column_bot(scratch)
    commands: dict[str, list[str | Path]] = {
        name: [python_of(name), "-I", "-c", code] for name, code in FIRST.items() if name in there
    }
    for sandbox in ("none", "auto"):
        play = ["play", "connect-four", str(bot), str(bot), "--seed", "1", "--clock", "60", "--sandbox", sandbox]
        commands[f"{OURS}, --sandbox {sandbox}"] = [sys.executable, "-P", "-m", "dohyo", *play]
    found: dict[str, Any] = {}
    for label, command in commands.items():
        name = label.split(",")[0]
        used(command, name)  # what is compiled and kept, is so now
        times = [used(command, name)[:2] for _ in range(words.rounds)]
        found[label] = {"cpu": median(cpu for cpu, _ in times), "wall": median(wall for _, wall in times)}
    return found


def match(words: argparse.Namespace, there: Sequence[str], scratch: Path) -> dict[str, Any]:
    """Seconds of a match between players in the process, and of one of a league of two programs."""
    found: dict[str, Any] = {}
    for name, code in IN_PROCESS.items():
        if name in there:
            rounds = [
                json.loads(
                    used([python_of(name), "-c", code + LOOP, GAME, str(words.matches)], name)[2].splitlines()[-1]
                )
                for _ in range(words.rounds)
            ]
            found[name] = {key: median(one[key] for one in rounds) for key in rounds[0]}
    bot, matches = column_bot(scratch), words.matches
    for sandbox in ("none", "require"):
        label = f"{OURS} contest, --sandbox {sandbox}"
        found[label] = per_match(
            (contest(bot, matches, sandbox, scratch, OURS) for _ in range(words.rounds)), matches
        )
    if "psyleague" in there:
        found["psyleague"] = per_match((league(bot, matches, scratch) for _ in range(words.rounds)), matches)
    return found


def per_match(times: Iterator[tuple[float, float]], matches: int) -> dict[str, float]:
    """The medians of processor and wall seconds, by the number of matches."""
    rounds = list(times)
    return {
        "cpu": median(cpu for cpu, _ in rounds) / matches,
        "wall": median(wall for _, wall in rounds) / matches,
    }


def contest(bot: Path, matches: int, sandbox: str, scratch: Path, name: str) -> tuple[float, float]:
    """A round-robin of ours between two programs, one match at a time: processor and wall time."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    words = ["contest", "run", "--game", "connect-four", f"a={bot}", f"b={bot}", "--rounds", str(matches // 2)]
    more = ["--workers", "1", "--clock", "60", "--sandbox", sandbox, "--seed", "1", "--store", "league.db"]
    return used([sys.executable, "-P", "-m", "dohyo", *words, *more], name, folder)[:2]


def league(bot: Path, matches: int, scratch: Path) -> tuple[float, float]:
    """psyleague, one worker, with the bare referee: processor and wall time."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    program = location() / "peers" / "psyleague" / "bin" / "psyleague"
    used([program, "config"], "psyleague", folder)
    (folder / "bots").mkdir(exist_ok=True)
    referee = f'cmd_play_game = "{python_of("psyleague")} {HERE / "bare_referee.py"} %DIR%/%P1% %DIR%/%P2%"'
    config = (folder / "psyleague.cfg").read_text(encoding="utf-8")
    config = re.sub(r"^cmd_bot_setup = .*$", f'cmd_bot_setup = "cp {bot} %DIR%/%NAME%"', config, flags=re.MULTILINE)
    config = re.sub(r"^cmd_play_game = .*$", lambda _: referee, config, flags=re.MULTILINE)
    (folder / "psyleague.cfg").write_text(config, encoding="utf-8")
    for name in ("a", "b"):
        used([program, "bot", "add", name], "psyleague", folder)
    return used([program, "run", "--workers", "1", "--games", str(matches), "--silent"], "psyleague", folder)[:2]


def column_bot(scratch: Path) -> Path:
    """The trivial program, compiled once."""
    program = scratch / "column_bot"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-o", program, HERE / "c" / "column_bot.c"], check=True)
    return program


def steps(words: argparse.Namespace, there: Sequence[str], _scratch: Path) -> dict[str, Any]:
    """Million steps a second of processor time: random play alone, and with what a learner needs; medians."""
    from dohyo import games
    from dohyo.sim import BatchMatch
    from peers.beside import GAMES, by_rollouts, by_steps, ours

    game = games.find(GAME)
    ways: dict[str, Any] = {
        "rollout": by_rollouts(BatchMatch(game, GAMES, 1, threads=1)),
        "step": by_steps(BatchMatch(game, GAMES, 1, threads=1, illegal="trust")),
    }
    for play in ways.values():
        play()  # compiled here
    measured = [name for name in there if peers.PEERS[name].program]
    speeds: dict[tuple[str, str], list[float]] = {}
    for _ in range(words.rounds):
        this: dict[tuple[str, str], float] = {}
        mine = [ours(mode, 1, play, words.seconds) for mode, play in ways.items()]
        for speed in [*mine, *(one for name in measured for one in peers.measure(name, words.seconds))]:
            key = (speed.name, speed.mode)
            this[key] = max(this.get(key, 0.0), speed.steps_per_s / speed.cores)  # of several ways, the fastest
        for key, value in this.items():
            speeds.setdefault(key, []).append(value)
    peers.close()
    return {
        name: {mode: median(speeds[name, mode]) / 1e6 for mode in ways}
        for name in dict.fromkeys(n for n, _ in speeds)
    }


PARTS: dict[str, Part] = {"install": install, "first": first, "match": match, "steps": steps}


def label_of(name: str) -> str:
    """What a row is called in the page."""
    return SHOWN.get(name, name)


def rows(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, ["---"] * len(heads), *lines))


def milliseconds(seconds: float) -> str:
    """A time of a match or a process, to three digits."""
    return f"{seconds * 1000:.3g}" if seconds < 1 else f"{seconds * 1000:.0f}"


def tables(saved: Mapping[str, Any]) -> dict[str, str]:
    """The tables of the page, by the names of their places, as the saved figures have them."""
    found = {}
    if part := saved.get("install"):
        lines = [
            [
                label_of(name),
                one["version"],
                str(one["packages"]),
                f"{one['bytes'] / 1e6:.0f}",
                f"{one['import']:.2f}",
            ]
            for name, one in sorted(part.items(), key=lambda item: item[1]["bytes"])
        ]
        found["install"] = rows(["", "version", "packages", "MB", "import, s"], lines)
    if part := saved.get("first"):
        lines = [
            [label_of(name), milliseconds(one["cpu"])]
            for name, one in sorted(part.items(), key=lambda item: item[1]["cpu"])
        ]
        found["first"] = rows(["", "processor time, ms"], lines)
    if part := saved.get("match"):
        lines = [
            [
                label_of(name),
                "functions" if "turns" in one else "programs in C",
                milliseconds(one["cpu"]),
                f"{1 / one['cpu']:.3g}",
            ]
            for name, one in sorted(part.items(), key=lambda item: ("turns" not in item[1], item[1]["cpu"]))
        ]
        found["match"] = rows(["", "between", "processor time of a match, ms", "matches in a second of it"], lines)
    if part := saved.get("steps"):
        lines = [
            [label_of(name), f"{one['rollout']:.3g}", f"{one['step']:.2g}"]
            for name, one in sorted(part.items(), key=lambda item: -item[1]["rollout"])
        ]
        found["steps"] = rows(["", "random play", "step, observation, mask"], lines)
    found["when"] = f"({saved['when']}, {saved['machine']}; load {saved['load']})"
    return found


def filled(text: str, saved: Mapping[str, Any]) -> str:
    """A page with its tables put between their marks, `<!-- figures: NAME -->` and `<!-- end -->`."""
    for name, table in tables(saved).items():
        place = re.compile(rf"(<!-- figures: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = place.subn(lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", text)
        if count != 1:
            raise ValueError(f"{count} places for {name!r}")
    return text


def missing(name: str) -> str:
    """The line for a peer that is not there."""
    folder = location() / "peers" / name
    packages = " ".join(f"'{package}'" for package in peers.PEERS[name].packages)
    return f"{name} is left out; to have it: python -m venv {folder} && {folder}/bin/pip install {packages}"


def main() -> None:
    """Measure, save, write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=100, help="of a figure for matches")
    parser.add_argument("--seconds", type=float, default=0.5, help="of a figure for steps")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing")
    parser.add_argument("--write", action="store_true", help="measure nothing, write the page")
    parser.add_argument("--save", type=Path, default=SAVED, help="the file of the figures")
    words = parser.parse_args()
    saved = json.loads(words.save.read_text(encoding="utf-8")) if words.save.is_file() else {}
    if not words.write:
        there = []
        for name in peers.PEERS:
            if words.install:
                peers.install(name)
            if name == OURS or python_of(name).is_file():
                there.append(name)
            else:
                print(missing(name), flush=True)
        scratch = Path(tempfile.mkdtemp())
        try:
            for part in words.only.split(","):
                saved[part] = PARTS[part](words, there, scratch)
                print(part, json.dumps(saved[part]), flush=True)
        finally:
            shutil.rmtree(scratch)
        today = datetime.datetime.now(datetime.UTC)
        saved["when"] = f"{today.day} {today:%B %Y}"
        saved["machine"] = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
        saved["load"] = f"{os.getloadavg()[1]:.0f}"
        words.save.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
    if words.save == SAVED:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), saved), encoding="utf-8")


if __name__ == "__main__":
    main()
