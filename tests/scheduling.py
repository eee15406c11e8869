"""Which worker runs which tests, and in what order: a file's tests stay together, what takes longest begins first.

What the tests of a file need is made by one worker and not by each: the fixtures of its module, the matches that they
look at, what Numba compiles in memory. Tests with one `xdist_group` stay together too, whatever their files.

Workers read the tests' files in different orders, each a part of them first: pytest rewrites the assertions of a file
that it has not read before and keeps the result, so that after a change each file is rewritten by one worker.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent

# Where a test takes longer than most, about how many seconds: of folders, files and groups, by the longest name that
# fits. Only the order follows from this: what takes long must not begin last.
USUAL = 0.2
A_TEST = {
    "tests/bench/": 0.3,
    "tests/benchmarks/": 2.0,
    "tests/benchmarks/test_simulation.py": 5.0,
    "tests/cli/": 0.4,
    "tests/cli/test_edges.py": 1.5,
    "tests/cli/test_requests.py": 0.1,
    "tests/data/test_arrays.py": 0.5,
    "tests/executors/": 0.3,
    "tests/fuzz/": 0.1,
    "tests/games/drop_block/test_sensei.py": 2.0,
    "tests/games/test_sensei_without_numba.py": 3.0,
    "tests/games/wondev_woman/test_sensei.py": 1.5,
    "tests/guests/": 0.3,
    "tests/guests/demo/": 2.0,
    "tests/guests/object_store/": 1.0,
    "tests/guests/reports/": 1.0,
    "tests/guests/site/": 1.5,
    "tests/guests/site/test_cluster.py": 10.0,
    "tests/guests/starters/test_new_bots.py": 1.0,
    "tests/hostile/": 0.5,
    "tests/laws/": 0.5,
    "tests/laws/test_batch.py": 6.0,
    "tests/laws/test_batch_match.py": 2.0,
    "tests/match/": 0.3,
    "tests/python/": 2.0,
    "tests/quality/": 0.5,
    "tests/quality/test_again.py": 2.0,
    "tests/quality/test_doors.py": 1.0,
    "tests/quality/test_how_to.py": 1.0,
    "tests/quality/test_pictures.py": 0.01,
    "tests/quality/test_referee_door.py": 4.0,
    "tests/quality/test_translated_pages.py": 0.01,
    "tests/quality/test_tutorial.py": 6.0,
    "tests/rl/": 1.0,
    "tests/rl/test_card_vector.py": 8.0,
    "tests/rl/test_rewards.py": 2.5,
    "tests/rl/test_vector.py": 1.5,
    "tests/search/": 1.0,
    "tests/series/": 0.3,
    "tests/series/store/test_kills.py": 1.2,
    "tests/series/test_every_series.py": 3.0,
    "tests/series/test_long.py": 5.0,
    "tests/sim/": 0.7,
    "tests/web/": 1.0,
    "clusters": 1.5,
    "hostile": 0.5,
    "loops": 0.6,
    "postgres": 2.0,
    "sensei-": 2.0,
    "site": 1.5,
    "wheel": 3.0,
}


class ByFile:
    """Keeps the tests of a file on one worker; the names are xdist's."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """What hands the tests out, where `--dist loadgroup` asks for it: by group, else by file."""
        if config.getvalue("dist") != "loadgroup":
            return None
        from xdist.scheduler import LoadGroupScheduling

        class Scheduling(LoadGroupScheduling):
            """By group, else by file, in the order in which the workers have them."""

            def _split_scope(self, nodeid: str) -> str:
                scope = super()._split_scope(nodeid)
                return nodeid.split("::", 1)[0] if scope == nodeid else scope

        config.option.loadscopereorder = False
        return Scheduling(config, log)


class InOrder:
    """In a worker: reads a part of the files first, and then puts all tests in the order of all workers."""

    def __init__(self, number: int, workers: int) -> None:
        self._number, self._workers = number, workers

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Where all tests are asked for, begin with a folder of one's own."""
        if [Path(each).resolve() for each in session.config.args] == [TESTS]:
            folders = sorted(str(each.parent) for each in TESTS.glob("*/__init__.py"))
            first = len(folders) * self._number // self._workers
            session.config.args[:] = folders[first:] + folders[:first]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """What takes longest first; the order is the same in every worker."""
        scopes = {item: scope_of(item) for item in items}
        tests: dict[str, int] = {}
        for scope in scopes.values():
            tests[scope] = tests.get(scope, 0) + 1
        items.sort(key=lambda item: (-seconds(scopes[item], tests[scopes[item]]), scopes[item], item.path))


def scope_of(item: pytest.Item) -> str:
    """The group of a test, else its file."""
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark else item.nodeid.split("::", 1)[0]


def seconds(scope: str, tests: int) -> float:
    """About how long so many tests of a group or file take."""
    return tests * A_TEST.get(max((name for name in A_TEST if scope.startswith(name)), key=len, default=""), USUAL)


def register(config: pytest.Config) -> None:
    """In the process that prints, hand the tests out; in a worker, put them in order."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        config.pluginmanager.register(ByFile())
    else:
        config.pluginmanager.register(InOrder(int(worker["workerid"].removeprefix("gw")), worker["workercount"]))
