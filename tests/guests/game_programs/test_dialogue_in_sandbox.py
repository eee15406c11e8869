"""A program of a dialogue in each layer of the sandbox: what it can read, and how its end is told."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.dialogue import Receive, Send, Start, Stop
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import GAME
from dohyo.guests.game_programs.dialogue import Dialogue, find_program
from dohyo.sandbox import Sandbox, at_layer
from tests.skips import Reason, skip_for

SAMPLES = Path(GAME.folder) / "bots"
LONG = 60.0
FREE = 4
Said = list[str | Fault]
Ask = Callable[..., Said]


@pytest.fixture(params=[1, 2, 3, FREE])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """The sandbox of each layer; the last is none."""
    found = at_layer(request.param)
    if found is None:
        skip_for(Reason.KERNEL, f"this machine has no layer {request.param} of the sandbox")
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nobody_left: None) -> Path:
    """A current folder beside others."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def ask(here: Path, sandbox: Sandbox) -> Ask:
    """Start a shell script with arguments; the answers to so many lines, and how its start failed."""

    def ask_(script: str, *arguments: str, lines: int = 1, head: str = "#!/bin/sh") -> Said:
        (here / "robot").write_text(f"{head}\n{script}\n")
        (here / "robot").chmod(0o755)
        found: Said = []

        def machine() -> Generator[Any, Any, int]:
            fault = yield Start()
            if fault is not None:
                found.append(fault)
                return 2
            for _ in range(lines):
                yield Send("go")
                found.append((yield Receive(LONG)))
            yield Stop()
            return 0

        words = ["./robot", *arguments]
        Dialogue(io.BytesIO(), io.BytesIO(), sys.stderr, lambda: find_program(words, SAMPLES, sandbox)).run(machine())
        return found

    return ask_


def test_what_can_be_read(ask: Ask, here: Path, sandbox: Sandbox) -> None:
    """What arguments name, each as a whole. Not the current folder, nor what lies beside a file."""
    for name in ("own", "named", "shown", "secret"):
        folder = here if name == "own" else here.parent / name
        folder.mkdir(exist_ok=True)
        (folder / "file").write_text(name + "\n")
        (folder / "other").write_text(name + "\n")
    places = ["file", "../named/file", "../named/other", "../shown/file", "../secret/file"]
    script = f"for place in {shlex.join(places)}; do read go; cat $place 2>/dev/null || echo no; done"
    arguments = ("../named/file", str(here.parent / "shown"), "--map=../secret/file", "x")
    seen = (
        ["own", "named", "named", "shown", "secret"]
        if sandbox.layer == FREE
        else ["no", "named", "no", "shown", "no"]
    )
    assert ask(script, *arguments, lines=5) == seen


def test_lines_go_to_and_fro(ask: Ask) -> None:
    """It is a dialogue like any other, with the operator's arguments and a seed."""
    assert ask('while read a; do echo "$a $* $DOHYO_SEED"; done', "a", "b c", lines=2) == ["go a b c 1"] * 2


def test_the_folder_cannot_be_changed(ask: Ask, here: Path, sandbox: Sandbox) -> None:
    """What the program writes to the current folder stays there only without a sandbox."""
    ask("echo x > left; echo done")
    assert os.path.exists(here / "left") == (sandbox.layer == FREE)


@pytest.mark.parametrize(
    ("script", "kind", "status"),
    [
        ("exit 0", FaultKind.EXITED, 0),
        ("exit 3", FaultKind.EXITED, 3),
        ("kill -9 $$", FaultKind.KILLED, 9),
        ("exec /bin/sh -c 'kill -11 $$'", FaultKind.KILLED, 11),
    ],
)
def test_the_end_is_told_as_without_a_box(ask: Ask, script: str, kind: FaultKind, status: int) -> None:
    """An exit status and a signal are the program's own, though a sandbox is between us."""
    (fault,) = ask(f"read line; {script}")
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.status) == (kind, status)


@pytest.mark.parametrize("head", ["#!/nowhere/at/all", "hello"])
def test_what_cannot_be_started_is_no_program_that_ended(ask: Ask, head: str) -> None:
    """Without its interpreter, and what is no program at all, are told at the start, in every layer."""
    (fault,) = ask("echo x", head=head)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.EXITED
    assert fault.status is None


def test_what_runs_out_is_the_verdict(ask: Ask, sandbox: Sandbox) -> None:
    """A bomb of tasks is told by its name."""
    if sandbox.layer == FREE:
        return  # nothing bounds it there
    # It stays until it is stopped: where a watch counts tasks, one that ends by itself may end between two looks.
    found = ask("i=0; while [ $i -lt 300 ]; do sleep 100 >&- & i=$((i+1)); done; read go; read never; exit 1")
    assert [fault.kind for fault in found if isinstance(fault, Fault)] == [FaultKind.TASKS]
