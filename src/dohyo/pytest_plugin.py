"""The laws as a plug-in for pytest, which comes with Dohyo: `pytest --dohyo-game my_game.py`.

Each law becomes a test of its own, for every game that is named by the option or in pytest's settings
(`dohyo_games = ["my_game.py"]`), and the summary says what it exercised. A test that takes the fixture `dohyo_law`
runs once for each law. Where nothing of this is used, nothing of it is imported.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OPTION, SETTING, FIXTURE = "--dohyo-game", "dohyo_games", "dohyo_law"
NEEDS_COMPILER = 'the extra "fast" is not installed: pip install "dohyo[fast]"'


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and the setting for a project that always wants it."""
    group = parser.getgroup("dohyo", "games of Dohyo")
    group.addoption(
        OPTION,
        action="append",
        default=[],
        metavar="GAME",
        help="hold a game to every law of dohyo.laws: its file, its folder, or its name; may be given several times",
    )
    parser.addini(SETTING, f"games that are held to every law, as {OPTION} names them", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """A broken law says which numbers broke it."""
    if _named(config):
        pytest.register_assert_rewrite("dohyo.laws")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each law and each game that was named; `-k` and the like choose among them, too."""
    for name in _named(config):
        items += _Laws.from_parent(session, name=Path(name).stem, given=name).collect()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `dohyo_law` once for each law."""
    if FIXTURE in metafunc.fixturenames:
        pytest.register_assert_rewrite("dohyo.laws")
        from dohyo import laws

        marks = [[] if _can_be_held(law, laws) else [pytest.mark.skip(reason=NEEDS_COMPILER)] for law in laws.LAWS]
        values = [pytest.param(law, id=laws.name(law), marks=own) for law, own in zip(laws.LAWS, marks, strict=True)]
        metafunc.parametrize(FIXTURE, values)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Above the closing line: what each law exercised."""
    for report in terminalreporter.stats.get("passed", ()):
        if exercised := dict(report.user_properties).get("dohyo"):
            terminalreporter.write_line(f"{report.nodeid}: {exercised}")


class _Laws(pytest.Collector):
    """All laws of one game."""

    def __init__(self, *, given: str, **more: Any) -> None:
        super().__init__(**more)
        self.given = given

    def collect(self) -> list[pytest.Item]:
        """A test for each law. Raises `pytest.UsageError` where no game is."""
        from dohyo import laws
        from dohyo.core.errors import OperatorError

        try:
            game = _game(self.given, self.config.invocation_params.dir)
        except OperatorError as error:
            raise pytest.UsageError(f"{OPTION} {self.given}: {error}") from error
        return [
            _Held.from_parent(self, name=f"{game.name}[{laws.name(law)}]", game=game, law=law) for law in laws.LAWS
        ]


class _Held(pytest.Item):
    """One law, to which one game is held."""

    def __init__(self, *, game: Any, law: Callable[..., None], **more: Any) -> None:
        super().__init__(**more)
        self.game, self.law = game, law

    def runtest(self) -> None:
        """Hold the game to the law."""
        from dohyo import laws

        if not _can_be_held(self.law, laws):
            pytest.skip(NEEDS_COMPILER)
        self.user_properties.append(("dohyo", str(laws.hold(self.game, self.law))))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it is, for messages: the game's own file."""
        return Path(self.game.file or self.game.folder), None, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The law that is broken, and how; where it was noticed comes with `--tb=long`."""
        if self.config.getoption("tbstyle") == "long":
            return super().repr_failure(excinfo, "long")
        law = " ".join((self.law.__doc__ or "").split("\n\n")[0].split())
        return f"{law}\n\n{excinfo.exconly()}"


def _named(config: pytest.Config) -> list[str]:
    return list(dict.fromkeys([*config.getoption(OPTION), *config.getini(SETTING)]))


def _game(given: str, folder: Path) -> Any:
    """The game of a file, a folder or a name."""
    from dohyo import games

    place = folder / given
    return games.load(place) if place.exists() else games.find(given)


def _can_be_held(law: Any, laws: Any) -> bool:
    return law not in laws.COMPILED or importlib.util.find_spec("numba") is not None
