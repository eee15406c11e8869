"""Attacks by what is left: the match is never void for the others, and the verdict is the seat's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from dohyo import bots
from dohyo.core import replay_format as replays
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.executors import MatchOrder, MatchReport, one_match
from dohyo.match.processes import ending
from dohyo.match.sandboxing import BuildSandbox
from dohyo.system import hand_in_limits
from tests.hostile import layers
from tests.hostile.leftovers import BUILT, DYING, LEFTOVERS, ODD_NAME, PLAYED, hand_in
from tests.hostile.scene import LONG, Scene
from tests.hostile.table import PLAYS, REFUSED, Cell, each_layer, each_layer_of, expected

pytestmark = pytest.mark.usefixtures("among_others")

TURNS = 3
APART = 6  # columns between two bots
CLOCK = Clock(turn=LONG, ready=LONG)


class Played(NamedTuple):
    """What came of two matches, the second one with what was kept in the first; none where it is no bot."""

    reports: list[MatchReport]
    refused: str = ""


def play(scene: Scene, names: Sequence[str], layer: int, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Play two matches between guests, on the first seats, and a neighbour."""
    homes = [scene.folder / (ODD_NAME if name == "odd_names" else name) for name in names]
    for name, home in zip(names, homes, strict=True):
        home.mkdir()
        LEFTOVERS[name](home)
    homes.append(scene.folder / "beside")
    homes[-1].mkdir()
    hand_in(homes[-1], "true")
    sandbox = layers.small_sandbox(layer)
    assert sandbox is not None
    monkeypatch.setattr(one_match, "_sandbox", lambda _: sandbox)
    try:
        found = tuple(bots.resolve(list(map(str, homes)), build_sandbox=BuildSandbox(sandbox)))
    except OperatorError as error:
        return Played([], str(error))
    setup = {"turns": TURNS, "columns": ",".join(str(APART * number) for number in range(len(homes)))}
    order = MatchOrder("k", "abotcalypse", found, 1, setup, CLOCK, keep=("storage.txt",))
    first = one_match.play_order(order)
    again = MatchOrder("l", "abotcalypse", found, 2, setup, CLOCK, keep=("storage.txt",), kept=first.kept)
    return Played([first, one_match.play_order(again)])


def judge(played: Played, seat: int, cell: Cell, beside: str = PLAYS) -> None:
    """Hold the matches against a cell: none is void, the neighbour is not touched, the guest has its verdict."""
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
        neighbour = len(replay.header.seats) - 1
        assert {fault.kind for move in moves if move.seat == neighbour for fault in move.faults} <= {beside}
        assert len(replay.turns) == TURNS
        assert any(move.seat == seat for move in moves), "it died of something else"
        faults |= {(fault.kind.value, fault.status) for move in moves if move.seat == seat for fault in move.faults}
    if cell.word == PLAYS:
        assert faults == set()
    else:
        assert {kind for kind, _ in faults} == {cell.word}
        assert cell.status is None or {status for _, status in faults} == {cell.status}


@pytest.fixture(scope="session")
def played_under() -> dict[int, Played]:
    """What came of the matches of all guests that are bots, by layer."""
    return {}


@pytest.mark.parametrize("layer", each_layer(slow=(2, layers.FREE)))
@pytest.mark.parametrize("name", [*BUILT, *PLAYED])
def test_what_is_left_is_met_as_the_table_says(
    request: pytest.FixtureRequest,
    played_under: dict[int, Played],
    name: str,
    layer: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever a build or a bot leaves in its folder, no match is void for it, and no other bot has a fault by it."""
    layers.need(layer)
    monkeypatch.setattr(hand_in_limits, "MAX_BUILT_ENTRIES", 400)
    monkeypatch.setattr(hand_in_limits, "MAX_BUILT_BYTES", 100 << 20)
    cell = expected()[name][layer]
    if cell.word == REFUSED:
        judge(play(request.getfixturevalue("scene"), [name], layer, monkeypatch), 0, cell)
        return
    together = [each for each in (*BUILT, *PLAYED) if expected()[each][layer].word != REFUSED]
    if layer not in played_under:
        played_under[layer] = play(request.getfixturevalue("scene"), together, layer, monkeypatch)
    judge(played_under[layer], together.index(name), cell)


@pytest.mark.parametrize(("name", "layer"), each_layer_of((name,) for name in DYING))
def test_a_slow_death_is_met_as_the_table_says(
    scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no patience at all, every death is a slow one: it costs the answer, and no match is void for it."""
    layers.need(layer)
    monkeypatch.setattr(ending, "LONGEST_DEATH", 0.0)
    judge(play(scene, [name], layer, monkeypatch), 0, expected()[name][layer], beside=FaultKind.NOT_ENDED)
