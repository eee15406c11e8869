"""The plug-in for pytest: a test for each law of a game that is named, and nothing where none is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo import games, laws
from dohyo.laws.tally import Tally

pytest_plugins = ["pytester"]
PLUGIN = "dohyo.pytest_plugin"
# A match of two turns, in which the first seat's choice is all.
COIN = '''"""Coin: the first seat says who wins."""
from dohyo.core.flat import Layout
ACTIONS = 2
LAYOUT = Layout("Coin", ("turn", "i1", 0), ("ended", "i1", 0), ("first", "i1", 0))
RANGES = {"first": (0, 1)}
def is_legal(s, seat, action): return 0 <= action < 2
def step(s, actions, events):
    if s.turn == 0:
        s.first = actions[0]
    s.turn += 1
    s.ended = s.turn // 2
def winner(s): return s.first
'''

AT_FULL_SIZE = (  # it takes no time: their floors were too high for small games
    laws.of_matches.an_interrupted_match_is_kept,
    laws.of_actions.what_is_legal_is_what_is_listed,
    laws.of_actions.what_is_illegal_is_explained,
    laws.of_faults.faults_before_the_first_turn_are_survived,
)


@pytest.fixture
def coin(pytester: pytest.Pytester) -> Path:
    """A file of rules in the test's own folder."""
    return Path(pytester.makepyfile(coin=COIN))


@pytest.fixture(autouse=True)
def no_games_left() -> Iterator[None]:
    """What was loaded here is no game of the tests that come after."""
    yield
    sys.modules.pop("coin", None)


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """A run of pytest with the plug-in, in this process."""
    plugin = _named_plugin()
    return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", "-p", "no:xdist", *words)


def _named_plugin() -> list[str]:
    """The words that bring the plug-in in, where the installed Dohyo does not name it yet."""
    return [] if any(each.name == "dohyo" for each in _entry_points()) else ["-p", PLUGIN]


def _entry_points() -> list[object]:
    from importlib.metadata import entry_points

    return list(entry_points(group="pytest11", name="dohyo"))


def test_a_game_is_held_to_every_law(pytester: pytest.Pytester, coin: Path) -> None:
    """There is a test for each; the summary tells what was exercised."""
    result = run(pytester, "--dohyo-game", coin.name, "-k", "random_match or interrupted")
    result.assert_outcomes(passed=2, deselected=len(laws.LAWS) - 2)
    result.stdout.fnmatch_lines(["*coin[[]a_random_match_ends[]]: matches *, turns *"])


def test_a_broken_law_is_told_in_its_own_words(pytester: pytest.Pytester, coin: Path) -> None:
    """A game that never ends fails, with the law and what was wrong."""
    coin.write_text(COIN.replace("s.turn // 2", "0").replace("s.turn += 1", "s.turn = 1 - s.turn"))
    result = run(pytester, "--dohyo-game", coin.name, "-k", "interrupted or a_changed_move")
    result.assert_outcomes(passed=1, failed=1, deselected=len(laws.LAWS) - 2)
    result.stdout.fnmatch_lines(["*A replay whose moves, dice or digests say*", "*the match does not end*"])


def test_a_project_names_its_games_in_its_settings(pytester: pytest.Pytester, coin: Path) -> None:
    """The setting does what the option does."""
    pytester.makeini("[pytest]\ndohyo_games = coin.py")
    run(pytester, "-k", "never_empty").assert_outcomes(passed=1, deselected=len(laws.LAWS) - 1)


def test_a_test_can_take_the_laws_as_a_fixture(pytester: pytest.Pytester, coin: Path) -> None:
    """`dohyo_law` is each law in turn."""
    text = "from dohyo import games, laws\ndef test_it(dohyo_law): laws.hold(games.load(GAME), dohyo_law)\n"
    pytester.makepyfile(f"from pathlib import Path\nGAME = Path({str(coin)!r})\n{text}")
    run(pytester, "-k", "setups_for").assert_outcomes(passed=1, deselected=len(laws.LAWS) - 1)


def test_what_is_no_game_is_said_in_a_sentence(pytester: pytest.Pytester) -> None:
    """The operator's mistake, not a traceback."""
    result = run(pytester, "--dohyo-game", "nowhere.py")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--dohyo-game nowhere.py: *"])


@pytest.mark.parametrize("law", laws.PLAIN, ids=laws.name)
def test_a_match_of_two_turns_reaches_every_floor(coin: Path, law: laws.Law) -> None:
    """As strictly as our own games are held to it: a floor is never more than a small game can give."""
    tally = Tally()
    tally.part = 1 if law in AT_FULL_SIZE else 0.05
    law(games.load(coin), tally)


@pytest.mark.process
def test_unused_it_loads_nothing(tmp_path: Path) -> None:
    """Where no game is named, neither the laws nor any game is imported."""
    (tmp_path / "test_other.py").write_text(
        "import sys\ndef test_it(): assert not {'dohyo.laws', 'dohyo.games', 'dohyo.core'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", *_named_plugin(), "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
