"""Two sets of tests: what is quick, and what is the core.

`./dev test --quick` runs what a change to rules, formats or words needs, without any process. The files of `CHOSEN`
are in it, but for those that `OMITTED` names and for tests with a mark of `MARKS`: they start programs, or are slow.
That is enforced: in a quick run whoever starts a process, or imports Numba, which compiles, fails. Hypothesis tries
fewer examples there.

`./dev test --core` runs what plays, judges, keeps and rates matches of programs: laws, rules, the referee with its
clock and verdicts, the sandbox, formats and ratings, the store and the recordings of the original referees, in their
usual sizes. Compiled rules, engines, servers, learners, languages, pages and commands are not in it.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
CHOSEN = (
    *("conformance", "core", "games", "i18n", "laws", "playthroughs", "series/formats", "series/ratings"),
    *("guests/verify/test_difference.py", "guests/verify/test_sampling.py", "series/test_sequential.py"),
    *("fuzz/test_contest_files.py", "fuzz/test_protocols.py", "fuzz/test_replays.py"),
)
# Files whose tests start programs or compile, nearly all of them.
OMITTED = frozenset(
    {
        *(
            "test_batch.py",
            "test_batch_match.py",
            "test_bots.py",
            "test_duel.py",
            "test_found.py",
            "test_processes.py",
        ),
        *("test_samples.py", "test_sensei.py", "test_sensei_without_numba.py", "test_observation.py"),
        "test_recorded.py",
    }
)
STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty", "os.exec", "os.system"})
COMPILERS = frozenset({"numba", "llvmlite"})
CORE = (
    *("conformance", "core", "laws", "match/players", "playthroughs", "sandbox"),
    *("series/formats", "series/ratings", "series/store", "series/test_sequential.py"),
    *(f"games/{game}" for game in ("abotcalypse", "connect_four", "drop_block", "shoot_em_up", "wondev_woman")),
)
# Sample bots, compiled rules, languages that need a compiler, another database.
NOT_CORE = frozenset(
    {
        *(
            "test_batch.py",
            "test_batch_match.py",
            "test_bots.py",
            "test_duel.py",
            "test_fastpath.py",
            "test_found.py",
        ),
        *("test_languages.py", "test_samples.py", "test_sensei.py", "test_starters.py"),
    }
)
MARKS = {
    "process": "starts a program, a compiler or a browser, so it is not in the quick set",
    "full": "adds size to what others show, so it is in a run with --full alone",
    "slow": "takes seconds and shows little that others do not, so it is not in the quick set",
}


class ProcessStarted(BaseException):
    """A test of the quick set has started a process; no `except Exception` of the code under test catches it."""


class Enforced:
    """In the process that runs the tests: refuses what the quick set must not do, and fails the test that tried."""

    def __init__(self) -> None:
        self._tried: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """From now on refuse; pytest's own start asks programs what machine this is."""
        sys.addaudithook(self._refuse)  # it cannot be taken away; the process ends with the run

    def _refuse(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in STARTS or (event == "import" and str(arguments[0]).partition(".")[0] in COMPILERS):
            self._tried.append(f"{event} {arguments[0]!r}")
            raise ProcessStarted(self._tried[-1])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail a test that tried, even where the code under test went on without what it could not start."""
        report = yield
        if self._tried:
            report.outcome = "failed"
            report.longrepr = f"no test of the quick set may do this; mark it `process`: {', '.join(self._tried)}"
            self._tried.clear()
        return report


class Full:
    """Chooses all but what only a full run does."""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Omit the tests with the mark `full`."""
        omit(config, items, ("full",))


class Chosen:
    """Chooses a set: files and folders, but for files of some names, and for tests with some marks or of a group."""

    def __init__(self, places: Iterable[str], omitted: frozenset[str], marks: Iterable[str], group: str = "") -> None:
        self._places, self._omitted, self._marks, self._group = tuple(places), omitted, tuple(marks), group

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Omit what is not in the set."""
        if not collection_path.is_relative_to(ROOT) or collection_path == ROOT:
            return None
        place = collection_path.relative_to(ROOT)
        if collection_path.is_dir():
            return not any(name.startswith(place.parts[0]) for name in self._places) or None
        is_in = any(place.is_relative_to(name) for name in self._places)
        return not is_in or place.name in self._omitted or None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Omit the tests with one of the marks."""
        omit(config, items, self._marks, self._group)


def omit(config: pytest.Config, items: list[pytest.Item], marks: Iterable[str], group: str = "") -> None:
    """Take the tests with any of these marks, or of this group, away; the closing line says how many."""
    omitted = {item for item in items if any(item.get_closest_marker(mark) for mark in marks)}
    if group:
        omitted |= {item for item in items if (mark := item.get_closest_marker("xdist_group")) and group in mark.args}
    if omitted:
        config.hook.pytest_deselected(items=[item for item in items if item in omitted])
        items[:] = [item for item in items if item not in omitted]


def register(config: pytest.Config) -> None:
    """Make the marks known; with `--core`, choose; with `--quick`, choose and enforce."""
    for mark, sentence in MARKS.items():
        config.addinivalue_line("markers", f"{mark}: {sentence}")
    if not config.getoption("full"):
        config.pluginmanager.register(Full())
    if config.getoption("core"):
        config.pluginmanager.register(Chosen(CORE, NOT_CORE, (), "postgres"))
    if config.getoption("quick"):
        config.pluginmanager.register(Chosen(CHOSEN, OMITTED, MARKS))
        if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
            config.pluginmanager.register(Enforced())
