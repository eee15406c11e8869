"""In CI, a few tests that failed run once more, alone: these machines are shared, and a run is long.

Only for up to three tests, and only when nothing else was wrong: no checker's finding, nothing left on the machine.
The first run's failures are printed whole as ever, and the second run's last lines name each test that passed only
then, so that somebody looks for the reason. CPython's own tests do the same (`python -m test --rerun`).

`./dev test` starts the second run, when the first one's exit status asks for it.
"""

from __future__ import annotations

import os

import pytest

STATUS = 20  # of a run whose few failed tests are to run again; `dev` knows it
MOST = 3  # tests that run again; more are no accident
VARIABLE = "DOHYO_TESTS_AGAIN"  # "first" or "second": which run this is
KEY = "dohyo/again"  # where pytest's cache has their names


class Again:
    """Notes which tests failed, and asks for a second run where they are few."""

    def __init__(self) -> None:
        self._failed: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that failed, at its start and end too."""
        if report.failed:
            self._failed[name_of(report.nodeid)] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not be read: it is no accident."""
        if report.failed:
            self._failed.update(dict.fromkeys([report.nodeid, *map(str, range(MOST))]))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> object:
        """Ask for the second run by the exit status, after all others have said what they found."""
        before = session.exitstatus
        done = yield
        if before == session.exitstatus == pytest.ExitCode.TESTS_FAILED and self.are_few():
            cache = session.config.cache
            if cache is not None:
                cache.set(KEY, list(self._failed))
                session.exitstatus = STATUS
        return done

    def are_few(self) -> bool:
        """Whether the failed tests may run again."""
        return 0 < len(self._failed) <= MOST and not any(
            name.startswith("tests/checkers.py") for name in self._failed
        )


class Second:
    """Names, at the end of the second run, what passed only then."""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name them above the closing line."""
        for report in terminalreporter.stats.get("passed", ()):
            terminalreporter.write_line(f"passed only when run again, alone: {name_of(report.nodeid)}", yellow=True)


def name_of(node: str) -> str:
    """A test's name without the group that xdist writes behind it."""
    name, _, group = node.rpartition("@")
    return name if name and "]" not in group and "::" not in group else node


def register(config: pytest.Config) -> None:
    """In the process that prints, as `./dev test` says by the environment; runs that tests start do not hear it."""
    run = os.environ.pop(VARIABLE, "")
    if run and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Second() if run == "second" else Again())
