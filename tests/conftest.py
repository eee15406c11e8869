"""What every test may use, and the list of the tests that did not run."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import hypothesis
import pytest

from dohyo.core.game import GAMES_VARIABLE
from tests import again, checkers, compiled_once, leftovers, needs, quick, scheduling, skips, statements, timings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.register_assert_rewrite("dohyo.laws")  # a broken law says which numbers broke it

ROOT = Path(__file__).resolve().parent.parent

LONGEST_NAME = 80  # letters of a value in the name of a test

LEFT = pytest.StashKey[leftovers.Leftovers]()
CACHE = pytest.StashKey[Path]()
TOLD = pytest.StashKey[list[str]]()

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# No deadlines: a test may not depend on how fast the machine is. In CI the examples are the same at each run,
# so that a landing is never stopped by luck; anywhere else each run tries new ones.
hypothesis.settings.register_profile(
    "usual", deadline=None, derandomize=needs.in_ci(), print_blob=True, max_examples=40
)
hypothesis.settings.register_profile("quick", hypothesis.settings.get_profile("usual"), max_examples=20)
hypothesis.settings.register_profile("full", deadline=None, max_examples=2000, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--full`, `--quick`, `--core`, `--checkers`, `--rewrite-playthroughs` and `--times`."""
    parser.addoption("--full", action="store_true", help="run searches, kill tests and fuzzing at full size")
    parser.addoption(
        "--quick", action="store_true", help="what rules, formats and words need: no process, no compiler"
    )
    parser.addoption("--core", action="store_true", help="what plays, judges, keeps and rates matches of programs")
    parser.addoption("--checkers", action="store_true", help="run ruff, mypy and lint-imports beside all tests")
    parser.addoption("--rewrite-playthroughs", action="store_true", help="write the games' text recordings anew")
    parser.addoption("--times", metavar="FILE", help="write what each test took (as --times=FILE)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples hypothesis tries; take the person's language away: tests compare English.

    The classic game that is a folder is among all games in every test, and so held to every law; so are those that
    the environment names already.
    """
    games = [
        str(ROOT / "src" / "dohyo" / "classics" / "connect_four"),
        *os.environ.get(GAMES_VARIABLE, "").split(os.pathsep),
    ]
    os.environ[GAMES_VARIABLE] = os.pathsep.join(dict.fromkeys(game for game in games if game))
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: workers are the parallelism
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile our sources again
    # Started with `nohup`, or by a shell with `&`, we would ignore one of these signals, and so would every command
    # that a test sends it to.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("full"):  # what is compiled takes a third less time so, and is not played for long
        os.environ.setdefault("NUMBA_OPT", "1")
        os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")  # another tenth
    os.environ["PATH"] = path_without_shims(os.environ.get("PATH", os.defpath))
    timings.register(config)
    quick.register(config)
    checkers.register(config)
    again.register(config)
    scheduling.register(config)
    hypothesis.settings.load_profile(next((name for name in ("full", "quick") if config.getoption(name)), "usual"))
    if not hasattr(config, "workerinput"):  # once for all workers, which inherit the marks
        config.stash[LEFT] = leftovers.Leftovers(leftovers.Places(ROOT), leftovers.mount_alone(), needs.in_ci())
        compiled_once.keep(config, ROOT / "src" / "dohyo")
    config.stash[CACHE] = Path(os.environ["DOHYO_CACHE"])


def pytest_make_parametrize_id(val: object) -> str | None:
    """A long text is called by its beginning and its length: workers send each other the names of all tests."""
    if not isinstance(val, str | bytes) or len(val) <= LONGEST_NAME:
        return None
    text = val.decode("latin-1") if isinstance(val, bytes) else val
    return f"{text[:LONGEST_NAME].encode('unicode_escape').decode()} and so on, {len(val)} in all"


def path_without_shims(path: str) -> str:
    """The PATH without the folders of pyenv's shims: behind each start of one, a dozen shells look for a version.

    The system's Python then stands for `python3` where it has the version that runs the tests: in one of pyenv's,
    packages that are installed may run at every start, which can take longer than the rest of it. Otherwise the
    Python that runs the tests does, without its environment, as it did behind the shim.
    """
    folders = path.split(os.pathsep)
    kept = [folder for folder in folders if not folder.rstrip("/").endswith("/shims")]
    if kept == folders:
        return path
    own = os.path.dirname(os.path.realpath(sys.executable))
    kept = [folder for folder in kept if folder != own]
    found = os.path.realpath(shutil.which("python3", path=os.pathsep.join(kept)) or "")
    same = os.path.basename(found) == "python{}.{}".format(*sys.version_info)
    return os.pathsep.join([*kept, own] if same else [own, *kept])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let all stores share their statements, and the garbage collector pass over what stays to the end.

    That is the tests, and all that they have imported. Otherwise it walks through them again and again while they
    run, and most of all while Numba compiles.
    """
    if not session.config.getoption("full"):
        statements.share()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """When all workers have ended: fail a run that has left something on the machine."""
    if seen_games := sys.modules.get("dohyo.match.seen_games"):
        seen_games.remove_copies()  # which it does itself, but later, when the process ends
    if LEFT in session.config.stash:
        told = session.config.stash[TOLD] = session.config.stash[LEFT].end()
        if told and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether `--full` was given: a test then takes its large sizes."""
    return bool(request.config.getoption("full"))


@pytest.fixture(scope="session", autouse=True)
def calm_machine() -> Iterator[None]:
    """Nothing is said of a busy machine, however busy this one is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
        yield


@pytest.fixture(autouse=True)
def alarm_is_free() -> Iterator[None]:
    """A test leaves no alarm behind: reads that end by one would be without it in all tests after that."""
    yield
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert (handler, timer) == (signal.SIG_DFL, (0.0, 0.0))


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def cache_of_run(pytestconfig: pytest.Config) -> Path:
    """The cache that all workers of this run share, unless a test names one of its own: nothing is built twice."""
    return pytestconfig.stash[CACHE]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that a browser test may drive; without one the test is skipped."""
    return skips.program("chromium")


# The lists below the address bar are pages of Chromium's own, three a window: they cost more than our pages do. So
# does a process that is kept ready for a page that nobody asks for.
OWN_PAGES = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--disable-features={OWN_PAGES}"]


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests of a worker: Playwright can be started once in a process.

    What Chromium writes beside its profile lies in a folder of its own: it may be ended before it has removed that.
    """
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=ARGUMENTS, env={**os.environ, "TMPDIR": folder}
        )
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge each skip of a test."""
    return _refuse_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge each skip of a whole file."""
    return _refuse_in_ci((yield))


def _refuse_in_ci(report: Report) -> Report:
    """In CI, turn a skip for no allowed reason into a failure; an expected failure is not a skip."""
    if needs.in_ci() and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        message = _message(report)
        if not skips.allowed_in_ci(message):
            report.outcome = "failed"
            report.longrepr = f"skipped, and CI allows no skip for this: {message}"
    return report


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Above the closing line: what each law exercised, and every skip with its sentence.

    When something failed, it is the failures that somebody wants to see, perhaps in a log that shows but its end.
    """
    failed = terminalreporter.stats.get("failed") or terminalreporter.stats.get("error")
    for report in () if failed else terminalreporter.stats.get("", ()):
        if report.when == "teardown" and (exercised := dict(report.user_properties).get("exercised")):
            terminalreporter.write_line(f"{report.nodeid.split('::')[-1]}: {exercised}")
    counts: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", ()):
        reason, sentence = skips.reason_of(_message(report).removeprefix("Skipped: "))
        line = f"skipped ({reason or 'no reason of the table'}): {sentence}"
        counts[line] = counts.get(line, 0) + 1
    for line, count in sorted(counts.items()):
        terminalreporter.write_line(f"{line}: {count} test{'s' if count > 1 else ''}")
    for sentence in terminalreporter.config.stash.get(TOLD, []):
        terminalreporter.write_line(sentence, red=True)


@pytest.fixture(autouse=True)
def no_game_stays() -> Iterator[None]:
    """A game that a command has found where it lies is known to this test alone, and so are its modules."""
    before, modules = os.environ.get(GAMES_VARIABLE, ""), set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if "my_game" in name:  # as the pages that tests carry out call theirs
            del sys.modules[name]
    if os.environ.get(GAMES_VARIABLE, "") != before:
        from dohyo.games import all_games

        os.environ[GAMES_VARIABLE] = before
        all_games.cache_clear()
