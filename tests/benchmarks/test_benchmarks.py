"""The benchmarks run, and say what they found in lines that are quoted elsewhere. Their figures are not judged."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dohyo.sandbox import machine
from tests import skips


def run(root: Path, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a benchmark to its end."""
    script = root / "benchmarks" / f"{name}.py"
    return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)


@pytest.fixture
def strength(root: Path) -> ModuleType:
    """The benchmark of that name, as a module."""
    spec = importlib.util.spec_from_file_location("strength", root / "benchmarks" / "strength.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_share_has_wilsons_interval(strength: ModuleType) -> None:
    """The bounds are those of the published formula, within 0 and 1 also where nothing, or everything, was won."""
    for wins, matches, low, high in ((0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962), (195, 200, 0.9428, 0.9893)):
        assert strength.wilson(wins, matches)[1:] == pytest.approx((low, high), abs=1e-4)
    assert strength.wilson(10, 10).high == pytest.approx(1)


def test_the_candidate_sits_on_every_seat(strength: ModuleType) -> None:
    """It goes round, the others keep their order, and each match has the next seed."""
    words = strength.argparse.Namespace(game="g", bots=["me", "a", "b"], matches=4, seed=9)
    tasks = list(strength.tasks(words, {}, None))
    assert [task.bots for task in tasks] == [("me", "a", "b"), ("a", "me", "b"), ("a", "b", "me"), ("me", "a", "b")]
    assert [(task.seat, task.seed) for task in tasks] == [(0, 9), (1, 10), (2, 11), (0, 12)]


def test_what_is_counted_adds_up(root: Path) -> None:
    """Wins, draws and losses make up the matches; what a bot does wrong is told."""
    words = ("random", "random", "sh -c 'echo READY'", "random", "--matches", "4", "--setup", "turns=40")
    done = run(root, "strength", "drop-block", *words)
    assert done.returncode == 0, done.stderr
    every = re.search(r"^all +4 +(\d+) +(\d+) +(\d+) ", done.stdout, re.MULTILINE)
    assert every, done.stdout
    assert sum(map(int, every.groups())) == 4
    assert re.search(r"^faults: sh -c 'echo READY' exited 4$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(rf"^wins={every[1]} share=[\d.]+ low=[\d.]+ high=[\d.]+$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["drop-blck", "a", "b", "c", "d"], "drop-blck"),
        (["drop-block", "hunter", "random"], "4 bots"),
        (["drop-block", "hunter", "random", "random", "nobody"], "nobody"),
        (["drop-block", "hunter", "random", "random", "random", "--setup", "turn=3"], "turn"),
        (["drop-block", "hunter", "random", "random", "random", "--clock", "never"], "never"),
    ],
)
def test_what_cannot_be_played_is_refused(root: Path, words: list[str], named: str) -> None:
    """The operator's mistake is one sentence that names it, with exit status 2, and no match is played."""
    done = run(root, "strength", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert named in done.stderr
    assert "Traceback" not in done.stderr


def test_the_overhead_of_a_match_is_told(root: Path, full: bool) -> None:
    """Microseconds a turn of the floor and of our match in every way, and their ratios, from the same bytes."""
    skips.program("cc")
    games = ("drop-block", "wondev-woman") if full else ("drop-block",)
    done = run(root, "match_overhead", *games, "--rounds", "1", "--sandbox")
    assert done.returncode == 0, done.stderr
    for game in games:
        told = done.stdout[done.stdout.index(f"{game}: ") :]
        for way in ("floor", "compiled", "plain", "paused"):
            assert re.search(rf"^  {way} +us=\d+\.\d\d ", told, re.MULTILINE), done.stdout
        for figure in ("pause_us", "plain_ratio", "ratio"):
            assert re.search(rf"^{figure}=-?\d+\.\d\d$", told, re.MULTILINE), done.stdout


def test_the_clocks_accuracy_is_told(root: Path) -> None:
    """A line for each clock: turns, how many were called late, and what hangs took beyond what they were allowed."""
    skips.program("cc")
    small = ("--turns", "16", "--hangs", "1", "--load", "1", "--limit", "0.05")
    done = run(root, "clock_accuracy", "bank", "cpu", *small)
    assert done.returncode == 0, done.stderr
    line = r"turns=\d+ late=\d+  hangs=\d+ (median_ms=-?[\d.]+ worst_ms=-?[\d.]+|none timed)"
    assert re.fullmatch(rf"bank  {line}\ncpu   {line}", "\n".join(done.stdout.splitlines()[1:])), done.stdout
    done = run(root, "clock_accuracy", "bnak")
    assert done.returncode == 2
    assert "no clock bnak" in done.stderr


def test_the_cost_of_the_sandbox_is_told(root: Path) -> None:
    """Every layer that works here has a line, the bare bot's first, with the start and the turn."""
    skips.program("cc")
    done = run(root, "sandbox_start", "--rounds", "1", "--turns", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("layer=4 name=none ")
    assert len(lines) == sum(layer.works for layer in machine.survey())
    figures = r"start_ms=\S+ start_more_ms=\S+ least_more_ms=\S+ turn_us=\S+ turn_more_us=\S+"
    assert all(re.fullmatch(rf"layer=\d name=\S+ {figures}", line) for line in lines), done.stdout


def test_the_turns_of_bots_that_live_for_one_are_told(root: Path) -> None:
    """Milliseconds a turn of the processes alone and of our match, and what the one is of the other."""
    skips.program("cc")
    done = run(root, "abotcalypse_turns", "--bots", "2", "--turns", "3", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^alone \d+\.\d ms a turn\nours \d+\.\d ms a turn\nratio=\d+\.\d+$", done.stdout, re.MULTILINE)


def test_the_rounds_of_arena_are_told(root: Path) -> None:
    """What arena counted, the processor time of both sides, and the wall clock; a bot that errs measures nothing."""
    done = run(root, "arena_rounds", "--rounds", "3", "--runs", "2", "--bot", "random.py")
    assert done.returncode == 0, done.stderr
    seconds = r"user=\d+\.\d\d system=\d+\.\d\d"
    both = r"both   processor=\d+\.\d\d\nfloor  us=\d.*\nwall=\d"
    told = rf"random\.py: ! ROUNDS 3 .*\narena  {seconds}\nbot    {seconds}\n{both}"
    assert re.match(told, done.stdout), done.stdout
    done = run(root, "arena_rounds", "--rounds", "3", "--bot", "cat")
    assert done.returncode == 1
    assert "ERRORS 1" in done.stderr


@pytest.mark.parametrize("words", [["--turns", "8"], ["--turns", "2", "--processes"]])
def test_survival_is_told(root: Path, words: list[str]) -> None:
    """Each sample bot of aBOTcalypse has a line, in this process as between programs, and the last is the ratio."""
    done = run(root, "survival", "--games", "2", *words)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition("=")[0] for line in lines[1:-1]] == ["rest", "random", "builder", "thrower", "shelter"]
    assert re.fullmatch(r"ratio=\d+\.\d\d \(\d+\.\d\d \.\. \d+\.\d\d\)", lines[-1]), done.stdout


def test_survival_tells_what_share_of_games_sensei_was_above_all(root: Path) -> None:
    """Of a field that is drawn, for each other kind and for all of them together."""
    words = ("--games", "2", "--turns", "3", "--drawn", "2", "--rules", "classic")
    done = run(root, "survival", *words, "--workers", "1")  # which compiles the bot once, and not in each of two
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("above")]
    assert len(lines) >= 3
    share = r"\d \(\d+\.\d% \.\. \d+\.\d%\)"
    assert all(re.fullmatch(rf"above\w*={share}; or shared at the end {share} of \d", line) for line in lines)


def test_replays_as_arrays_are_timed(root: Path) -> None:
    """A line for each game: how many times as quick, both in milliseconds; the arrays were compared."""
    done = run(root, "replay_arrays", "connect-four", "--small")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"connect-four +ratio=\d+\.\d goal 10: .*reached  \(.* ms a replay of \d+ decisions, .*\)\n", done.stdout
    )
