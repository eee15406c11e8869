"""`dohyo play --until`: match after match, until the first bot has one of the kind that is looked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dohyo.executors import pool
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import MatchOrder, MatchReport
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


class _Backwards(InProcess):
    """Tells of the matches that it has, the last one first, as workers may."""

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; their reports."""
        yield from reversed(list(super().play(orders)))


@pytest.mark.parametrize("until", ["win", "loss"])
def test_the_first_match_is_found_whichever_ends_first(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    """The match with the lowest number is found, as if one after another were played."""
    words = ("play", "connect-four", "random", "random", "--trust", "--seed", "5", "--most", "6", "--until", until)
    in_order = typed(*words, "--save", "a.replay")
    monkeypatch.setattr(pool, "Pool", _Backwards)
    backwards = typed(*words, "--save", "b.replay")
    assert (in_order[0], backwards[2]) == (0, in_order[2])
    first, second = replays.load(folder / "a.replay"), replays.load(folder / "b.replay")
    assert first.header.seed == second.header.seed
    assert [turn.digest for turn in first.turns] == [turn.digest for turn in second.turns]


def test_it_is_the_match_that_play_plays(typed: Type, folder: Path) -> None:
    """The match that is found is the one that is played with its seed alone: its header says the same of both."""
    words = ("play", "drop-block", "./mumbler", "./still", "./still", "./still", *SHORT, "--seed", "5")
    assert typed(*words, "--until", "fault", "--save", "a.replay")[0] == 0
    assert typed(*words, "--save", "b.replay")[0] == 0
    first, second = replays.load(folder / "a.replay"), replays.load(folder / "b.replay")
    assert first.header == second.header
    assert [turn.digest for turn in first.turns] == [turn.digest for turn in second.turns]


def test_what_goes_on_from_a_turn_goes_on_from_it_in_each_match(typed: Type, folder: Path) -> None:
    """With --from and --first, each match goes on from that turn."""
    bots = ("./mumbler", "./still", "./still", "./still")
    assert typed("play", "drop-block", *bots, *SHORT, "--save", "m.replay")[0] == 0
    words = ("play", "drop-block", *bots, "--trust", "--from", "m.replay@2", "--first", "2=N")
    status, _, err = typed(*words, "--until", "fault", "--save", "found.replay", "--seed", "6")
    assert status == 0, err
    assert replays.load(folder / "found.replay").header.first == 3


def test_a_match_that_no_worker_could_play_is_played_here(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a worker has an error to tell, the match is played here, and whatever is wrong is told as ever."""

    class _Failing(InProcess):
        def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
            for order in orders:
                yield MatchReport(order.key, error="The worker is gone.")

    monkeypatch.setattr(pool, "Pool", _Failing)
    words = ("play", "drop-block", "./mumbler", "./still", "./still", "./still", *SHORT, "--seed", "5")
    status, _, err = typed(*words, "--until", "fault")
    assert (status, err) == (0, "Found in match 1, with seed 5.\n")


@pytest.mark.usefixtures("workers")
def test_workers_play(typed: Type, folder: Path) -> None:
    """The matches are played by processes, and none is left when one is found."""
    words = ("play", "drop-block", "./mumbler", "./still", "./still", "./still", *SHORT, "--seed", "5")
    status, _, err = typed(*words, "--until", "fault")
    assert (status, err) == (0, "Found in match 1, with seed 5.\n")
