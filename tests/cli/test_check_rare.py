"""`dohyo check --fuzz`: a fault that only a rare position shows is found, told, and can be seen again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.bots import Bot
from dohyo.cli import check_rare
from dohyo.cli.check_rare import recorded_in
from dohyo.core import playback
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import Replay
from dohyo.laws.matches import finish, play
from dohyo.match.replays import replays
from dohyo.series.rare import RareMatches, words_of
from tests.cli.conftest import Type

# Takes the first action that is legal, in whatever game; in a process that is asked first in a late turn it ends.
LATE = """#!/bin/sh
first=1
while read name value rest; do
    if [ "$name" = turn ] && [ $first = 1 ]; then first=0; [ "$value" -gt 5 ] && exit 3; fi
    if [ "$name" = legal ]; then echo $value; fi
done
"""


@pytest.fixture
def late(folder: Path) -> str:
    """A bot with a fault that no match from the beginning shows."""
    (folder / "late").write_text(LATE)
    (folder / "late").chmod(0o755)
    return "./late"


def test_a_fault_in_a_late_position_is_found(typed: Type, folder: Path, late: str) -> None:
    """The check finds nothing; --fuzz does, once for each kind, with a replay that has it."""
    status, out, _ = typed("check", "connectx", late, "--trust")
    assert (status, "Fit for a contest." in out) == (0, True)
    status, out, _ = typed("check", "connectx", late, "--trust", "--fuzz", "12")
    assert status == 1
    assert out.count("exited, status 3 in turn") == 1
    (file,) = folder.glob("connectx-*.replay")
    replay = replays.load(file)
    seat = [one.name for one in replay.header.seats].index("late")
    assert f"dohyo rerun {file.name} {seat} ./late" in out
    assert replay.header.first > 5
    assert any(move.faults for turn in replay.turns for move in turn.moves if move.seat == seat)


def test_a_sound_bot_has_none(typed: Type) -> None:
    """Where there is no fault it is said in how many matches there was none."""
    status, out, _ = typed("check", "connectx", "random", "--trust", "--fuzz", "5")
    assert (status, out.splitlines()[-1]) == (
        0,
        "In 5 matches from rare setups and positions it had no fault.",
    )


def test_a_match_that_could_not_be_played_says_nothing(typed: Type, folder: Path) -> None:
    """Recorded matches from which none can be played: they are not counted among those without a fault."""
    game = games.find("connectx")
    replay = play(game, 7).replay
    start = game.rules.LAYOUT.as_dict(next(playback.moments(game, replay)).before)
    first = playback.MAX_TURNS - 1  # the last turn that there can be: from those behind it nobody can go on
    turns = [replace(turn, turn=first + at) for at, turn in enumerate(replay.turns)]
    header = replace(replay.header, start=start, first=first)
    replays.save(replace(replay, header=header, turns=turns), folder / "late.replay")
    status, out, _ = typed("check", "connectx", "random", "--trust", "--fuzz", "6", "--positions", "late.replay")
    told = re.findall(r"^In (\d) matches .*\n(\d) match.* could not be played", out, re.MULTILINE)
    assert (status, [sum(map(int, one)) for one in told]) == (0, [6]), out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--positions", "."), "--positions needs --fuzz N."),
        (("--fuzz", "5", "--json"), "--fuzz examines one bot"),
        (("--fuzz", "5", "--positions", "."), "In . is no replay of connectx"),
        (("--fuzz", "0"), "'--fuzz' does not take '0'"),
    ],
)
def test_what_cannot_be_asked_for(typed: Type, words: tuple[str, ...], sentence: str) -> None:
    """A mistake of the operator is one sentence."""
    status, _, err = typed("check", "connectx", "random", "--trust", *words)
    assert (status, sentence in err) == (2, True), err


def program(name: str) -> Bot:
    """A bot that nobody starts."""
    return Bot(name=name, command=("true",), folder="", digest=name, language="")


def orders(game: str, recorded: tuple[Replay, ...] = ()) -> list[tuple[int, ...]]:
    """What is drawn for forty matches: by match its seats, its first turn, and where the bot sits."""
    bots = [program("a"), program("b")]
    matches = RareMatches(games.find(game), bots[0], bots[1:], seed=3, recorded=recorded)
    return [
        (len(order.bots), order.first, matches.seats[int(order.key)], repr(sorted(order.setup.items())))  # type: ignore[misc]
        for order in matches.orders(40)
    ]


def test_matches_begin_in_many_places() -> None:
    """Late positions, beginnings and seats are all met; the same seed draws the same."""
    found = orders("connectx")
    assert found == orders("connectx")
    assert {seat for _, _, seat, _ in found} == {0, 1}
    firsts = [first for _, first, _, _ in found]
    assert 0 in firsts
    assert sum(first > 5 for first in firsts) > 20


def test_setups_are_drawn_but_not_what_bots_are_told_of() -> None:
    """Least values and choices come from what an option takes; input is not written in another way than asked for."""
    options = {option.name: option for option in games.find("drop-block").options}
    assert words_of(options["idle"], games.find("drop-block")) == ("yes", "no")
    assert "50" in words_of(options["turns"], games.find("drop-block"))
    assert "1000000" not in words_of(options["turns"], games.find("drop-block"))
    matches = RareMatches(games.find("drop-block"), program("a"), [program("b")], setup={"turns": "8"})
    assert set(matches._words).isdisjoint({"position_order", "turns"})


def test_recorded_matches_are_positions_too() -> None:
    """With a recorded match, some begin in it, in its own setup, where somebody acts."""
    recorded = play(games.find("connectx"), 7).replay
    found = orders("connectx", (recorded,))
    assert found != orders("connectx")
    assert {first for _, first, _, _ in found} <= {0, *range(43)}


def test_a_recorded_match_of_another_input_is_left_out(folder: Path) -> None:
    """What bots are told otherwise than here is another game to them: such a match shows no fault of theirs."""
    game = games.find("drop-block")
    for order in ("row-column", "column-row"):
        setup = resolve(game.options, {"position_order": order, "turns": "40"})
        replays.save(finish(Referee(game, setup, 4, 7), setup, 7).replay, folder / f"{order}.replay")
    assert [one.header.setup["position_order"] for one in recorded_in([str(folder)], game, {})] == ["row-column"]
    assert len(recorded_in([str(folder)], game, {"position_order": "column-row"})) == 1


def test_of_recorded_matches_little_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what strangers' bots wrote, and no more matches than have so many moves together."""
    game = games.find("connectx")
    replay = play(game, 7).replay
    turns = [
        replace(turn, moves=tuple(replace(move, stderr="x" * 1000) for move in turn.moves)) for turn in replay.turns
    ]
    for at in range(3):
        replays.save(replace(replay, turns=turns), folder / f"{at}.replay")
    found = recorded_in([str(folder)], game, {})
    assert [one.played for one in found] == 3 * [replay.played]
    assert not any(move.stderr for one in found for turn in one.turns for move in turn.moves)
    monkeypatch.setattr(check_rare, "MAX_MOVES", replay.played + 1)
    assert len(recorded_in([str(folder)], game, {})) == 2
