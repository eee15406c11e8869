"""Code that never ends and lets no handler run: a second Ctrl-C ends the process all the same."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.typed import PATIENCE, environment

# A lock that is taken twice waits for ever, as compiled rules may: other threads run, no handler of Python's does.
WAIT = """
import ctypes
def wait_for_ever():
    print("waiting", flush=True)
    lock = ctypes.create_string_buffer(256)
    for _ in range(2): ctypes.CDLL(None).pthread_mutex_lock(lock)
"""
RULES = """
from dohyo.core.flat import flat
@flat
def spin(n):
    at = 0
    while at < n:
        at = (at + 3) % n
    return at
"""
COMPILED = """
import signal, types, rules
from dohyo import interrupts
from dohyo.sim import compiled
interrupts.ENDLESS.append(((signal.SIGINT,), 2, 0.0, lambda: "ended"))
signal.signal(signal.SIGINT, lambda *_: [tell() for tell in interrupts.NOTED])
(spin,) = compiled.compile_all([rules.spin], {})
spin(0)
for _ in range(3): signal.raise_signal(signal.SIGINT)
print("waiting", flush=True)
spin(5)
"""
CLEANING = """
import signal
from dohyo import endless
from dohyo.cli import signals
endless.LONGEST_END = 0.0
signals.listen(lambda: "ended")
endless.compiled_code_comes()
try:
    signal.raise_signal(signal.SIGINT)
finally:
    wait_for_ever()
"""
HELD = """
import signal
from dohyo import endless, interrupts
from dohyo.cli import signals
signals.PATIENCE = 0.0
signals.listen(lambda: "ended")
with interrupts.DeferSignals():
    for _ in range(3): signal.raise_signal(signal.SIGINT)
    endless.compiled_code_comes()
    wait_for_ever()
"""


def pressed(program: str, folder: Path) -> tuple[int, str, int]:
    """Run a program, send it Ctrl-C when it waits, again and again; its status, its complaints, how many it took.

    The first may come just before it waits, and be heard.
    """
    command = (sys.executable, "-c", WAIT + program)
    given = environment(DOHYO_CACHE=str(folder / "cache"))
    with subprocess.Popen(
        command, cwd=folder, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "waiting\n"
            for count in range(1, 2 * int(PATIENCE)):
                process.send_signal(signal.SIGINT)
                try:
                    return process.wait(0.5), process.communicate()[1], count
                except subprocess.TimeoutExpired:
                    continue
        finally:
            process.kill()
    raise AssertionError("it did not end")


def test_compiled_rules_that_never_end(tmp_path: Path) -> None:
    """The first signal waits for the rules, which never end; with the second the process does.

    Those do not count that came before, and were heard.
    """
    pytest.importorskip("numba")
    (tmp_path / "rules.py").write_text(RULES)
    status, told, count = pressed("import sys; sys.path.insert(0, '')" + COMPILED, tmp_path)
    assert (status, told) == (130, "ended")
    assert count in (2, 3)


@pytest.mark.parametrize(("program", "most"), [(CLEANING, 1), (HELD, 2)], ids=["cleaning up", "held back"])
def test_what_waits_for_ever(program: str, most: int, tmp_path: Path) -> None:
    """One more signal ends a cleaning up that such code keeps waiting; two a match that cannot take note of them."""
    status, told, count = pressed(program, tmp_path)
    assert (status, told) == (130, "ended")
    assert count in (most, most + 1)
