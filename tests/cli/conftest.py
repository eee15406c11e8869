"""What tests of the command line share: a folder to work in, bots that start fast, two ways to type a command."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from dohyo.cli.main import run
from dohyo.match.loops import driver as fastpath
from tests import here
from tests.cli.held import RUN
from tests.cli.typed import Typed

Type = Callable[..., Typed]
Once = Callable[..., tuple[Path, Typed]]

# Shell scripts: they start in a thousandth of the time that an interpreter of anything else takes.
ASKED = "while read word; do if [ $word = EOD ]; then"
BOTS = {
    "still": f"echo READY; {ASKED} echo N; fi; done",
    "mumbler": f"echo READY; {ASKED} echo '[red]u[/red]'; fi; done",
    "quitter": f"echo READY; {ASKED} echo I give up >&2; exit 3; fi; done",
    "sleeper": "echo READY; exec sleep 1000",
    "mute": "exec sleep 1000",
}


def write_bots(folder: Path) -> None:
    """Write the bots of `BOTS` into a folder."""
    for name, script in BOTS.items():
        bot = folder / name
        bot.write_text(f"#!/bin/sh\n{script}\n")
        bot.chmod(0o755)


@pytest.fixture(scope="module", autouse=True)
def without_processes() -> Iterator[None]:
    """What is typed here reads hand-ins and plays in this process; what has to see more has its own fixture."""
    with pytest.MonkeyPatch.context() as patch:
        here.read_hand_ins_here(patch)
        here.play_here(patch)
        yield


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed plays in processes of the pool after all."""
    here.play_in_workers(monkeypatch)


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count turns from zero, as a new process does: otherwise the tests before this one would make it compile."""
    monkeypatch.setattr(fastpath, "_played", {})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, but for the bots of `BOTS`."""
    write_bots(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(folder: Path, capsys: pytest.CaptureFixture[str]) -> Type:
    """Type a command in `folder`: carried out in this process, which is faster than a start of its own.

    So are the contests that it holds: where a bot ends what plays it, the test uses `workers`.
    """

    def type_(*words: str) -> Typed:
        status = run(words)
        out, err = capsys.readouterr()
        return Typed(status, out, err)

    return type_


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Type a command in a folder of its own, once for all tests of a worker: the folder, and what came of it."""

    @cache
    def done(*words: str) -> tuple[Path, Typed]:
        folder = tmp_path_factory.mktemp("held")
        write_bots(folder)
        out, err = io.StringIO(), io.StringIO()
        with chdir(folder), redirect_stdout(out), redirect_stderr(err):
            status = run(words)
        return folder, Typed(status, out.getvalue(), err.getvalue())

    return done


@pytest.fixture
def first_run(once: Once) -> Typed:
    """What came of the command that held the contest of `held`."""
    return once(*RUN)[1]


@pytest.fixture
def copy_of(once: Once, folder: Path) -> Callable[..., Typed]:
    """Have in `folder` what a command has left, a copy; what came of it."""

    def lay(*words: str) -> Typed:
        made, done = once(*words)
        shutil.copytree(made, folder, dirs_exist_ok=True)
        return done

    return lay


@pytest.fixture
def held(copy_of: Callable[..., Typed], typed: Type) -> Type:
    """Type commands where the contest `RUN`, of four matches, was held."""
    done = copy_of(*RUN)
    assert (done.status, done.err) == (0, "")
    return typed


@pytest.fixture
def four_still() -> tuple[str, ...]:
    """Four bots that never move: a match of a known course."""
    return ("./still",) * 4
