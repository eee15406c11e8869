"""`dohyo analyse`: chances and turning points in words, as JSON, as a page; what cannot be analysed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from dohyo import games
from dohyo.app import replays
from dohyo.app.analysis import Analysis, Chances
from dohyo.cli import analyse as cli
from tests.app.test_analysis import played
from tests.cli.conftest import Type


@pytest.fixture
def lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The replay of a match that seat 1 throws away in turn 5; Numba, which would have to compile, is not there."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    replays.save(played("3031323"), folder / "lost.replay")
    return "lost.replay"


def test_in_words(typed: Type, lost: str) -> None:
    """The curve of each seat, and the decision that cost the most, with the better one."""
    status, out, err = typed("analyse", lost, "--playouts", "200")
    assert status == 0
    assert "Chances to win, turn 0 to 6\n  0  random 0\n" in out
    assert "\n  turn 5: random 1 (seat 1), 2 leaves " in out
    assert "; 3 keeps " in out
    assert "2800 playouts" not in out
    assert "1400 playouts" in out
    assert "\nTry what would have come of it: dohyo play connect-four BOT BOT --from lost.replay@5\n" in out
    assert err.startswith("Numba is not installed: the analysis is some 50 times weaker in the same time.")


def test_where_a_chance_fell_and_by_whom() -> None:
    """The stretch in which a chance fell, and the one action that did most of it; none where several did."""
    game, match = games.find("connect-four"), played("3031323")

    def told(*chances: float) -> str:
        curve = tuple(Chances(at, (one, 1 - one), (0, 0), (1, 1)) for at, one in enumerate(chances))
        found = Analysis("connect-four", "", ("a", "b"), True, 1, curve, (), ())
        return cli.fall_in_words(found, match, 0, game, "en")

    assert told(0.5, 0.5, 0.1, 0.1, 0.2, 0.1, 0.1) == (
        "The chance of random 0 (seat 0) fell most between turn 1 and 2: from 50 % to 10 %. "
        "Most of it in turn 1: random 1 (seat 1): 0."
    )
    assert told(0.5, 0.5, 0.5, 0.5, 0.5, 0.45, 0.45) == ""


def test_in_japanese(typed: Type, lost: str) -> None:
    """The same in Japanese."""
    assert "\n  ターン5: random 1(席1)、2で" in typed("analyse", lost, "--playouts", "200", "--lang", "ja")[1]


def test_as_json(typed: Type, lost: str) -> None:
    """Everything, as one document."""
    found = json.loads(typed("analyse", lost, "--playouts", "200", "--json")[1])
    assert [one["turn"] for one in found["chances"]] == list(range(7))
    assert found["points"][0]["better"] == "3"
    assert found["points"][0]["line"][0]["actions"] == {"1": "3"}


def test_as_a_page(typed: Type, lost: str, folder: Path) -> None:
    """A page with the match, and the file's name on the terminal."""
    status, out, _ = typed("analyse", lost, "--playouts", "40", "--html", "lost.html")
    assert (status, out.splitlines()[-1]) == (0, "To watch in a browser: lost.html")
    assert (folder / "lost.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seat", "2"), "The match has no seat '2'; take one of "),
        (("--seconds", "0"), "The analysis needs time: give --seconds a number above 0, or --playouts"),
        (("--playouts", "0"), "The analysis needs time: give --seconds a number above 0, or --playouts"),
        (("--html", "no/where.html"), "no/where.html"),
    ],
)
def test_what_cannot_be_done(typed: Type, lost: str, words: tuple[str, ...], sentence: str) -> None:
    """A mistake of the operator is one sentence, before anything is thought about."""
    status, out, err = typed("analyse", lost, *words)
    assert (status, out) == (2, "")
    assert sentence in err
