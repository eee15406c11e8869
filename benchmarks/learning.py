"""What is learned with Dohyo, and how fast: the figures of its examples, each beside its goal, in one run.

    python benchmarks/learning.py [--only zero,short,trained,libraries,steps] [--weights FILE] [--seconds 480]
                                  [--small]

zero       connect four learned from nothing (examples/alpha_zero): the score of its weights, or of those in FILE,
           with 800 playouts a turn against UCT with 10,000, from the empty board
short      the same of a training that begins here, from nothing, for `--seconds` of processor time, on one core
trained    the share of matches that examples/train's policy, learned by PPO, wins against three random players
libraries  the score that MaskablePPO, PPO and others reach in a short training of connect four against random play
           (examples/train/libraries), where the library is installed; of two scores, how much the last is better
steps      decisions a second of processor time that a `VectorEnv` of 512 games takes, on one thread: the learner's
           step, its opponents' moves, observations, masks and rewards

Every example is run by itself, as its README says. Playouts are counted and not timed, so a busy machine changes no
score; it makes a second of processor time shorter. --small: sizes for a look at whether all runs; they reach no goal.
Extras `rl` and `fast`.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PARTS = ("zero", "short", "trained", "libraries", "steps")
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ZERO, TRAIN = EXAMPLES / "alpha_zero", EXAMPLES / "train"
LIBRARIES = TRAIN / "libraries"
GAMES_AT_ONCE = 512
SHARE = re.compile(r"(\d+\.\d)%(?: \(|, 95 % interval )(\d+\.\d)% to (\d+\.\d)%")


class Figure(NamedTuple):
    """What was measured: by name, with the goal if there is one, what it was measured by, and the processor time."""

    name: str
    found: float
    goal: float | None = None
    how: str = ""
    spent: float = 0.0

    def line(self) -> str:
        """As it is printed."""
        number = f"{self.found:.3f}" if abs(self.found) < 10 else f"{self.found:,.0f}"
        if self.goal is None:
            judged = ""
        else:
            judged = f"  goal {self.goal:g}: {'reached' if self.found >= self.goal else 'not reached'}"
        return f"{self.name}={number}{judged}  ({self.how}; {self.spent:.0f} s of processor time)"


LEARNERS = re.compile(r"^def learn\(.*-> (?:float|tuple\[float, float\]):$", re.MULTILINE)
SCORE, GAIN = 0.4, 0.1  # goals: of a score, and of how much a last score is better than a first one
SMALL = {
    "maskable_ppo": 2048,
    "clean_ppo": 1,
    "torchrl_reinforce": 60,
    "puffer_ppo": 4096,
    "rllib_ppo": 1,
    "jax_ppo": 1,
}


def ask(folder: Path, *words: str) -> tuple[str, float]:
    """What a program in Python prints that is run in a folder, and its processor time. Ends with it if that fails."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | threads, stdout=subprocess.PIPE, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def share(told: str) -> tuple[float, str]:
    """A share that an example prints, and its interval of 95 %."""
    found = SHARE.search(told)
    if found is None:
        sys.exit(f"no share in what was printed: {told!r}")
    return float(found[1]) / 100, f"95 % interval {found[2]}% to {found[3]}%"


def score(name: str, weights: Path, small: bool, spent: float = 0.0, more: str = "") -> Figure:
    """Weights of connect four against UCT."""
    playouts, uct, matches = ("8", "50", "4") if small else ("800", "10000", "100")
    sizes = ("--playouts", playouts, "--uct", uct, "--matches", matches)
    told, more_spent = ask(ZERO, "measure.py", str(weights.resolve()), *sizes)
    found, interval = share(told)
    how = f"{more}{playouts} playouts against UCT's {uct}, {matches} matches, {interval}"
    return Figure(name, found, 0.95, how, spent + more_spent)


def short(seconds: float, small: bool) -> Figure:
    """A training from nothing, and its score."""
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder, "weights.npz")
        seconds = min(seconds, 3.0) if small else seconds
        words = ("--seconds", f"{seconds:g}", "--every", f"{seconds:g}")
        _, spent = ask(ZERO, "train.py", str(weights), *words)
        return score("short_score", weights, small, spent, f"trained for {seconds:g} s; ")


def trained(small: bool) -> Figure:
    """The policy that PPO has learned."""
    told, spent = ask(TRAIN, "evaluate.py", "--matches", "64" if small else "4000")
    found, interval = share(told)
    return Figure("trained_share", found, 0.85, interval, spent)


def libraries(small: bool) -> Iterator[Figure | str]:
    """What the field's learners reach; a line for those that cannot be tried here."""
    for path in sorted(LIBRARIES.glob("*.py")):
        name, text = path.stem, path.read_text(encoding="utf-8")
        if not LEARNERS.search(text):  # it says nothing of how well it learned
            continue
        if missing := [each for each in imported(text) if find_spec(each) is None]:
            yield f"{name}: not measured; not installed: {', '.join(missing)} ({LIBRARIES.name}/{name}.py says how)"
            continue
        size = str(SMALL.get(name, "")) if small else ""
        told, spent = ask(
            LIBRARIES, "-c", f"import json, {name}; print(json.dumps({name}.learn({size}), default=float))"
        )
        reached = json.loads(told.splitlines()[-1])
        if isinstance(reached, list):
            first, last = reached
            yield Figure(f"{name}_gain", last - first, GAIN, f"from {first:+.2f} to {last:+.2f}", spent)
        else:
            yield Figure(f"{name}_score", reached, SCORE, "random play has 0", spent)


def imported(text: str) -> list[str]:
    """The packages that a source imports, each once."""
    found: dict[str, None] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            found[(node.module or "").partition(".")[0]] = None
        elif isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0]: None for alias in node.names}
    return list(found)


def steps(names: Sequence[str], seconds: float) -> Iterator[Figure]:
    """Decisions a second of processor time, of each game."""
    import numpy

    from dohyo.rl import VectorEnv

    chance = numpy.random.default_rng(7)
    for name in names:
        envs = VectorEnv(
            name, GAMES_AT_ONCE, seat=None, scaled=True, autoreset_mode="SameStep", copy=False, threads=1
        )
        _, info = envs.reset(seed=7)
        spent, turns = 0.0, 0
        while spent < seconds:
            mask = info["action_mask"]
            actions = (mask * chance.random(mask.shape, numpy.float32)).argmax(axis=1)
            begun = time.process_time()
            _, _, _, _, info = envs.step(actions)
            if turns:  # the first one compiles what is not yet
                spent += time.process_time() - begun
            turns += GAMES_AT_ONCE
        yield Figure(f"steps_a_second {name}", (turns - GAMES_AT_ONCE) / spent, None, "one thread", spent)


def figures(options: argparse.Namespace, parts: Sequence[str]) -> Iterator[Figure | str]:
    """All that is measured, one after the other."""
    if "zero" in parts:
        yield score("zero_score", options.weights, options.small)
    if "short" in parts:
        yield short(options.seconds, options.small)
    if "trained" in parts:
        yield trained(options.small)
    if "libraries" in parts:
        yield from libraries(options.small)
    if "steps" in parts:
        from dohyo import games

        yield from steps(sorted(games.all_games()), 0.05 if options.small else 2.0)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--weights", type=Path, default=ZERO / "zero" / "weights.npz")
    parser.add_argument("--seconds", type=float, default=480.0, help="of processor time, for the short training")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    parts = options.only.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")
    if options.seconds <= 0:
        parser.error("--seconds: above 0")
    if not options.weights.is_file():
        parser.error(f"--weights: {options.weights} is no file")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    judged = []
    for figure in figures(options, parts):
        print(figure if isinstance(figure, str) else figure.line(), flush=True)
        if isinstance(figure, Figure) and figure.goal is not None:
            judged.append(figure.found >= figure.goal)
    print(f"goals reached: {sum(judged)} of {len(judged)}")


if __name__ == "__main__":
    main()
