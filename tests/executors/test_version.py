"""Which source decides a match, as a cluster's machines compare it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dohyo
from dohyo import bots, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.executors import version
from dohyo.executors.messages import MatchOrder
from dohyo.executors.pool import Pool
from dohyo.executors.version import NO_PART, deciding, digest, version_of_game
from tests.own_package import made_package

ROOT = Path(__file__).parents[2]
SOURCE = Path(dohyo.__file__).parent
SEEN = "DOHYO_SEEN"  # a variable of ours is passed on to bots

# Every Python that starts imports this, before anything else. The interpreter reports each module that it runs.
RECORDER = f"""
import os, sys
def record(event, details):
    if event == "exec":
        name = getattr(details[0], "co_filename", "")
        if name.startswith({str(SOURCE)!r} + "/"):
            file = os.open(os.environ[{SEEN!r}], os.O_WRONLY | os.O_APPEND)
            os.write(file, (name + "\\n").encode())
            os.close(file)
sys.addaudithook(record)
"""


@pytest.fixture(scope="module")
def run_by_matches(tmp_path_factory: pytest.TempPathFactory) -> set[Path]:
    """The files of ours that worker processes and sample bots run while they really play each game of ours."""
    folder = tmp_path_factory.mktemp("recorder")
    (folder / "sitecustomize.py").write_text(RECORDER, encoding="utf-8")
    seen = folder / "seen"
    seen.touch()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(SEEN, str(seen))
        patched.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(SOURCE.parent)]))
        with Pool(1) as pool:
            for report in pool.play(
                [order(rules.parent / "bots") for rules in sorted(SOURCE.glob("games/*/rules.py"))]
            ):
                assert not report.error
        for sample in sorted(SOURCE.glob("games/*/bots/sensei/sensei.py")):  # which imports all that bots may
            code = f"import sys; sys.path[:0] = [{str(sample.parent)!r}]; import {sample.stem}"
            subprocess.run([sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, check=True)
    return {Path(line) for line in seen.read_text(encoding="utf-8").splitlines()}


def order(samples: Path) -> MatchOrder:
    """A match of the game with these sample bots, between those in one Python file."""
    name = samples.parent.name.replace("_", "-")
    seats = games.find(name).seats[0]
    (bot,) = bots.resolve([str(next(samples.glob("r*.py")))])
    return MatchOrder(name, name, (bot,) * seats, 1, clock=Clock(turn=60, ready=60), sandbox="none")


def test_all_that_a_match_runs_decides_it(run_by_matches: set[Path]) -> None:
    """Each file of ours that a playing worker or a sample bot imports is in the version."""
    parts = {path.relative_to(SOURCE).parts[0] for path in run_by_matches}
    assert {"bots", "core", "executors", "games", "match", "sandbox", "search", "sim"} <= parts
    assert SOURCE / "executors" / "pool_worker.py" in run_by_matches
    assert run_by_matches <= set(deciding(SOURCE, NO_PART))


def test_any_change_of_such_a_file_changes_the_version(tmp_path: Path) -> None:
    """What is changed, added, renamed or removed counts; what has no part in a match does not."""
    known = {digest(tmp_path, NO_PART)}

    def is_new() -> bool:
        found = digest(tmp_path, NO_PART)
        fresh = found not in known
        known.add(found)
        return fresh

    for name in ("rules.py", "newly/made/package.py", "match/play.py", "contestants.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1", encoding="utf-8")
        assert is_new(), name
        path.write_text("a = 2", encoding="utf-8")
        assert is_new(), name
    (tmp_path / "rules.py").rename(tmp_path / "laws.py")
    assert is_new()
    (tmp_path / "laws.py").unlink()
    assert is_new()
    for name in ("cli/main.py", "series/loop.py", "series/formats/swiss.py", "__main__.py", "i18n/en.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1", encoding="utf-8")
        assert not is_new(), name


def test_a_game_from_elsewhere_has_a_version_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of a game that does not come with Dohyo decide its matches too; those of ours are in our version."""
    game = made_package(tmp_path)
    monkeypatch.setenv(GAMES_VARIABLE, str(game))
    assert version_of_game("my-game") == digest(game) != ""
    assert version_of_game("drop-block") == version_of_game("connect-four") == ""
    with pytest.raises(OperatorError):
        version_of_game("no-such-game")


def test_what_has_no_part_may_not_be_imported() -> None:
    """The import contract that keeps matches from them names the packages that the version omits, and no others."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (forbidden,) = [each["forbidden_modules"] for each in contracts if "cluster's version" in each["name"]]
    assert sorted(forbidden) == sorted(f"dohyo.{name}" for name in NO_PART)


def test_data_and_other_languages_decide_a_match_and_sentences_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's maps and words, a bot in C++, the JavaScript that bots run with count; pages and sentences do not.

    A folder `words` has sentences only where it is that of a guest of Dohyo's.
    """
    own = tmp_path / "guests" / "tune"
    for folder in (tmp_path / "i18n", tmp_path / "words", own / "words", own / "page" / "words"):
        folder.mkdir(parents=True)
    before = digest(tmp_path)
    data = ("maps.json", "words/list.json", "guests/tune/words/ja.json", "guests/tune/page/words/list.json")
    for name in (*data, "bot.cpp", "globals.cjs", "rules.py"):
        (tmp_path / name).write_text("1")
        after = digest(tmp_path)
        assert after != before, name
        before = after
    monkeypatch.setattr(version, "OWN", tmp_path)
    before = digest(tmp_path)
    for name in ("README.md", "i18n/en.json", "guests/tune/words/ja.json", ".hidden"):
        (tmp_path / name).write_text("2")
        assert digest(tmp_path) == before, name
    for name in data:
        if name != "guests/tune/words/ja.json":
            (tmp_path / name).write_text("2")
            assert digest(tmp_path) != before, name
            before = digest(tmp_path)
