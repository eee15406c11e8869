"""Where the tests' time goes: `./dev test --times=FILE` writes a line for each test, and prints a table by folder.

Processor time is that of the test's own process and of all below it, those too that go on after the test, as a
browser, a site or a database that serves many tests: each test is charged with what they did meanwhile. On a system
without /proc these are charged to the test that ends them.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

MEASURED = pytest.StashKey[dict[str, float]]()
COLUMNS = ("wall", "own", "children")
TICKS = os.sysconf("SC_CLK_TCK")


def now() -> dict[str, float]:
    """Seconds on the wall clock, of this process's processor time, and of that of all below it."""
    alive = of_descendants(os.getpid())
    spent = os.times()
    return {
        "wall": time.monotonic(),
        "own": spent.user + spent.system,
        "children": spent.children_user + spent.children_system + alive,
    }


def of_descendants(parent: int) -> float:
    """Seconds of processor time of the processes below this one that run, with the children that they waited for."""
    seconds = 0.0
    children: list[str] = []
    for listing in Path("/proc", str(parent), "task").glob("*/children"):
        with suppress(OSError):  # it has ended, and so in what follows
            children += listing.read_text().split()
    for child in children:
        with suppress(OSError):
            fields = Path("/proc", child, "stat").read_text().rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / TICKS + of_descendants(int(child))
    return seconds


class Measuring:
    """In the process that runs the tests: measures each, and sends what it found with the test's last report."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Note when the test began."""
        item.stash[MEASURED] = now()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None]:
        """After the last phase, put the differences beside the report."""
        report = yield
        if call.when == "teardown" and MEASURED in item.stash:
            begun, ended = item.stash[MEASURED], now()
            report.user_properties.append(("times", {name: ended[name] - begun[name] for name in COLUMNS}))
        return report


class Collecting:
    """In the process that prints: writes the file, and the table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[tuple[str, dict[str, float]]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take a test's times from its last report."""
        times = dict(report.user_properties).get("times")
        if times:
            self.found.append((report.nodeid, times))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the file, the most processor time first; print the sums by folder."""
        self.found.sort(key=lambda one: -one[1]["own"] - one[1]["children"])
        with self.path.open("w", encoding="utf-8") as file:
            for name, times in self.found:
                file.write(
                    json.dumps({"test": name, **{key: round(value, 3) for key, value in times.items()}}) + "\n"
                )
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
        for name, times in self.found:
            row = sums[name.split("::")[0].split("/")[1]]
            row[0] += 1
            row[1] += times["own"] + times["children"]
            row[2] += times["wall"]
        terminalreporter.write_line(f"{'folder':<14}{'tests':>7}{'processor s':>13}{'wall s':>9}")
        for folder, (tests, processor, wall) in sorted(sums.items(), key=lambda one: -one[1][1]):
            terminalreporter.write_line(f"{folder:<14}{tests:>7.0f}{processor:>13.1f}{wall:>9.1f}")


def register(config: pytest.Config) -> None:
    """With `--times`, measure; every worker does, the printing process collects."""
    path = config.getoption("times")
    if path is None:
        return
    config.pluginmanager.register(Measuring())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collecting(Path(path).absolute()))
