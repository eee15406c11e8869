"""Attacks by what is left: the match is never void for the others, and the verdict is the seat's own."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from dohyo import bots
from dohyo.app.executors import MatchOrder, MatchReport, one_match
from dohyo.app.sandboxing import BuildSandbox
from dohyo.core import replay_format as replays
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.runner import system
from dohyo.system import used_again
from tests.hostile import layers
from tests.hostile.leftovers import BUILT, DYING, LEFTOVERS, ODD_NAME, PLAYED, hand_in
from tests.hostile.scene import LONG, Scene
from tests.hostile.table import LAYERS, PLAYS, REFUSED, Cell, expected

pytestmark = pytest.mark.xdist_group("hostile")

TURNS = 3
CLOCK = Clock(turn=LONG, ready=LONG)


class Played(NamedTuple):
    """What came of two matches, the second one with what was kept in the first; none where it is no bot."""

    reports: list[MatchReport]
    refused: str = ""


def play(scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Play two matches between a guest and a neighbour."""
    homes = [scene.folder / (ODD_NAME if name == "odd_names" else name), scene.folder / "beside"]
    for home in homes:
        home.mkdir()
    LEFTOVERS[name](homes[0])
    hand_in(homes[1], "true")
    sandbox = layers.small_sandbox(layer)
    assert sandbox is not None
    monkeypatch.setattr(one_match, "_sandbox", lambda _: sandbox)
    try:
        found = tuple(bots.resolve(list(map(str, homes)), build_sandbox=BuildSandbox(sandbox)))
    except OperatorError as error:
        return Played([], str(error))
    setup = {"turns": TURNS, "columns": "10,60"}
    order = MatchOrder("k", "abotcalypse", found, 1, setup, CLOCK, keep=("storage.txt",))
    first = one_match.play_order(order)
    again = MatchOrder("l", "abotcalypse", found, 2, setup, CLOCK, keep=("storage.txt",), kept=first.kept)
    return Played([first, one_match.play_order(again)])


def judge(played: Played, cell: Cell, beside: str = PLAYS) -> None:
    """Hold the matches against a cell: neither is void, the neighbour is not touched, the guest has its verdict."""
    if cell.word == REFUSED:
        assert played.refused
        assert "\n" not in played.refused
        return
    assert played.refused == ""
    faults = set()
    for report in played.reports:
        assert report.error == ""
        replay = replays.decode(report.replay)
        assert not replay.result.unfinished
        moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
        assert {fault.kind for move in moves if move.seat == 1 for fault in move.faults} <= {beside}
        assert len(replay.turns) == TURNS
        faults |= {(fault.kind.value, fault.status) for move in moves if move.seat == 0 for fault in move.faults}
    if cell.word == PLAYS:
        assert faults == set()
    else:
        assert {kind for kind, _ in faults} == {cell.word}
        assert cell.status is None or {status for _, status in faults} == {cell.status}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", [*BUILT, *PLAYED])
def test_what_is_left_is_met_as_the_table_says(
    scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a build or a bot leaves in its folder, no match is void for it, and the other bot has no fault."""
    layers.need(layer)
    monkeypatch.setattr(used_again, "BOUNDS", used_again.Bounds(entries=2000, size=100 << 20))
    judge(play(scene, name, layer, monkeypatch), expected()[name][layer])


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", DYING)
def test_a_slow_death_is_met_as_the_table_says(
    scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no patience at all, every death is a slow one: it costs the answer, and no match is void for it."""
    layers.need(layer)
    monkeypatch.setattr(system, "LONGEST_DEATH", 0.0)
    judge(play(scene, name, layer, monkeypatch), expected()[name][layer], beside=FaultKind.NOT_ENDED)
