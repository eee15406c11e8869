"""The checkers that other people wrote, over the whole project: `./dev test` runs them beside the tests.

pytest's printing process starts them when its workers start, one after another. What each found is reported as a test
is: it counts in the closing line and in the exit status.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHECKERS = {
    "lint": ("ruff", "check", "--output-format", "concise", "."),
    "format": ("ruff", "format", "--check", "--quiet", "--output-format", "concise", "."),
    "types": ("mypy",),
    "imports": ("lint-imports", "--no-logo"),
}
CHOOSING = ("keyword", "markexpr", "lf", "deselect", "ignore", "ignore_glob", "collectonly", "quick", "core")


class Beside:
    """Runs the checkers while the tests run, and reports them at the end."""

    def __init__(self, checkers: Mapping[str, Sequence[str]] = CHECKERS, folder: Path = ROOT) -> None:
        self._checkers = checkers
        self._folder = folder
        self._ended: list[tuple[str, int, str]] = []
        self._running: subprocess.Popen[str] | None = None
        self._stopped = False
        self._lock = threading.Lock()  # held where a checker starts, and where all are stopped

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Start the checkers, let the tests run, and wait for both; a run that is broken off stops the checkers."""
        thread = threading.Thread(target=self._run, name="checkers")
        thread.start()
        try:
            done = yield
            thread.join()
        finally:
            self._stop()
            thread.join()
        for name, status, said in self._ended:
            report = pytest.TestReport(
                nodeid=f"tests/checkers.py::{name}",
                location=("tests/checkers.py", None, f"{name}: {' '.join(self._checkers[name])}"),
                keywords={},
                outcome="failed" if status else "passed",
                longrepr=said or f"exit status {status}" if status else None,
                when="call",
            )
            session.config.hook.pytest_runtest_logreport(report=report)
        return done

    def _run(self) -> None:
        for name, words in self._checkers.items():
            with self._lock:
                if self._stopped:
                    return
                self._running = subprocess.Popen(
                    [Path(sys.executable).parent / words[0], *words[1:]],
                    cwd=self._folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
            said = self._running.communicate()[0]
            self._ended.append((name, self._running.returncode, said))

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._running is not None and self._running.poll() is None:
                self._running.kill()


def register(config: pytest.Config) -> None:
    """With `--checkers`, run them, unless the other words choose some of the tests."""
    chosen = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    chosen = chosen or any(config.getoption(name, None) for name in CHOOSING)
    if config.getoption("checkers") and not chosen and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Beside())
