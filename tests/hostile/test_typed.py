"""Attacks on the commands themselves: hand-ins that lie in the folder where the operator types."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo import games
from tests.guests.cluster.clusters import Started, started
from tests.hostile.table import CONTAINED, LAYERS, expected
from tests.hostile.typing_place import Typing, typing
from tests.skips import Reason, skip_for

__all__ = ["typing"]

TYPED = {"shadows_random": "random", "shadows_json": "json", "shadows_typing": "typing"}  # by their rows in the table
TEN = ("--setup", "turns=10", "--trust")
CONTEST = ("contest", "run", "--game", "drop-block", "own=./own.py")


@pytest.fixture
def cluster(typing: Typing, tmp_path: Path) -> Iterator[Started]:
    """A cluster that the operator has started in that folder."""
    if not sys.platform.startswith("linux"):
        skip_for(Reason.KERNEL, "only Linux tells which processes a cluster has left")
    for module in TYPED.values():
        typing.hand_in(module)
    with started(tmp_path / "cluster", "local", "--workers", "1", "--port", "0", typed_in=typing.folder) as own:
        yield own
        own.end()


@pytest.mark.parametrize("workers", [pytest.param((), marks=pytest.mark.full), ("--workers", "1")])
def test_a_contest_imports_no_hand_in(typing: Typing, workers: tuple[str, ...]) -> None:
    """`contest run` typed beside hand-ins that are called as modules of Python's imports nothing of them.

    The contest is played to its end, and no process of ours has run a line of those hand-ins, which all play in it.
    """
    bots = [f"{module}={typing.hand_in(module)}" for module in TYPED.values()]
    done = typing.type(*CONTEST, *bots, *TEN, *workers)
    assert (done.returncode, done.stderr, typing.got()) == (0, "", "")
    for name in TYPED:
        assert {cell.word for cell in expected()[name].values()} == {CONTAINED}
        assert set(expected()[name]) == set(LAYERS)


def test_a_comparison_imports_no_hand_in(typing: Typing) -> None:
    """The same with `compare`."""
    bots = [typing.hand_in(module) for module in TYPED.values()]
    done = typing.type("compare", "drop-block", bots[0], "./own.py", *TEN, "--max-pairs", "1", "--elo0", "-1000")
    assert done.returncode in (0, 1, 3), done.stderr
    assert typing.got() == ""


def test_a_cluster_imports_no_hand_in(typing: Typing, cluster: Started) -> None:
    """The same with a cluster whose scheduler and workers were started in that folder."""
    bots = [f"{module}=./{module}.py" for module in TYPED.values()]
    done = typing.type(*CONTEST, *bots, *TEN, "--cluster", cluster.address, "--keys", str(cluster.keys))
    assert (done.returncode, done.stderr, typing.got()) == (0, "", "")


@pytest.mark.parametrize("words", [("doctor",), ("games",), ("check", "drop-block", "./random.py", "--trust")])
def test_no_command_imports_a_hand_in(typing: Typing, words: tuple[str, ...]) -> None:
    """Commands that start no workers, typed as `python -m dohyo`, which looks for modules in that folder first."""
    for module in TYPED.values():
        typing.hand_in(module)
    # Tools that are not there are not asked for their versions.
    more = {"PATH": str(typing.aside)} if words == ("doctor",) else {}
    done = typing.type(*words, way=("-m", "dohyo"), **more)
    assert (done.returncode, typing.got()) == (0, ""), done.stderr


def test_an_innocent_copy_of_a_sample_bot(typing: Typing) -> None:
    """The sample `random.py`, copied to the folder where `contest run` is typed, plays like any other bot."""
    sample = Path(games.find("drop-block").folder) / "bots" / "random.py"
    shutil.copy(sample, typing.folder)
    done = typing.type("contest", "run", "--game", "drop-block", *[f"{name}=./random.py" for name in "abcd"], *TEN)
    assert (done.returncode, done.stderr) == (0, "")
