"""`dohyo play --until`: match after match, until the first bot has one of the kind that is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.match.replays import replays
from tests.cli.conftest import Type

SHORT = ("--setup", "turns=8", "--trust")


def test_a_match_of_that_kind_is_kept(typed: Type, folder: Path) -> None:
    """The match is told with its seed, and its replay is written, under a name that says both."""
    bots = ("./mumbler", "./still", "./still", "./still")
    status, out, err = typed("play", "drop-block", *bots, *SHORT, "--seed", "5", "--until", "fault")
    assert (status, err) == (0, "Found in match 1, with seed 5.\n")
    assert out.endswith("Replay: drop-block-5.replay\n")
    assert replays.load(folder / "drop-block-5.replay").header.seed == 5


@pytest.mark.parametrize(("until", "winner"), [("win", 0), ("loss", 1)])
def test_the_matches_differ(typed: Type, folder: Path, until: str, winner: int) -> None:
    """Where the first match is none, others follow with other seeds; the one that is found can be played again."""
    words = ("play", "connect-four", "random", "random", "--trust", "--seed", "5", "--until", until)
    status, _, err = typed(*words, "--save", "found.replay")
    assert status == 0
    found = replays.load(folder / "found.replay")
    assert found.result.winner == winner
    assert f"with seed {found.header.seed}." in err


def test_none_of_that_kind(typed: Type) -> None:
    """After --most matches it is said that there was none."""
    bots = ("./still", "./still", "./still", "./still")
    status, out, err = typed("play", "drop-block", *bots, *SHORT, "--seed", "5", "--until", "fault", "--most", "2")
    assert (status, out) == (2, "")
    assert err.startswith("In 2 matches from seed 5 on the first bot had no fault;")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--until", "draw"), "'--until' does not take 'draw'; it takes fault, loss, win."),
        (("--until", "win", "--most", "0"), "'--most' does not take '0'; it takes a whole number from 1 on."),
        (("--most", "5"), "--most 5 needs --until fault|loss|win;"),
        (("--until", "win", "--watch"), "--until plays many matches; omit --watch"),
    ],
)
def test_what_cannot_be_asked_for(typed: Type, words: tuple[str, ...], sentence: str) -> None:
    """A mistake of the operator is told before anything is played."""
    status, out, err = typed("play", "drop-block", *["./still"] * 4, *SHORT, *words)
    assert (status, out) == (2, "")
    assert sentence in err
