"""Every hostile guest under every layer of the sandbox: the referee's verdict and the walls are as the table says."""

from __future__ import annotations

import pytest

from dohyo.core.faults import FaultKind
from tests.hostile import layers
from tests.hostile.scene import GUESTS, NEIGHBOUR, SHARED, Scene, Told, end
from tests.hostile.table import CONTAINED, LAYERS, NOT_CONTAINED, PLAYS, Cell, expected
from tests.skips import Reason, skip_for

pytestmark = pytest.mark.xdist_group("hostile")

NAMES = sorted(path.stem for path in GUESTS.iterdir() if path.name not in SHARED and path.suffix in (".c", ".py"))
NAMES.remove(NEIGHBOUR)
NAMES.remove("freezes_terminal")  # played by `arena`: test_terminal.py


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("guest", NAMES)
def test_a_guest_is_met_as_the_table_says(scene: Scene, guest: str, layer: int) -> None:
    """A guest gets the verdict of the table and nothing that it came for, except where the table says so."""
    layers.need(layer, guest)
    told = scene.play(guest, layer)
    for pid in scene.left():
        told.marks.append(f"GOT a process stayed behind: {pid}")
        end(pid)
    judge(told, expected()[guest][layer])


def judge(told: Told, cell: Cell) -> None:
    """Hold what a match told against a cell of the table."""
    got, asked = told.marked("GOT"), told.replay.header.setup["turns"] // 4
    if cell.word == NOT_CONTAINED:
        if not got and (absent := told.marked("ABSENT")):
            skip_for(Reason.KERNEL, f"this machine has nothing to attack there: {absent[0]}")
        assert got, f"it got nothing, so the attack proves nothing: {told.marks}"
        assert (told.faults, told.answered) == ([], asked)
        return
    assert got == [], told.marks
    if cell.word in (PLAYS, CONTAINED):
        assert (told.faults, told.answered) == ([], asked), told.marks
        assert cell.word == PLAYS or told.marked("NOT") or told.marked("ABSENT"), "it never tried"
    else:
        # A line too many is told of where it counts, and so may come before the verdict.
        grave = [fault for fault in told.faults if fault[0] is not FaultKind.MALFORMED] or told.faults
        assert {kind.value for kind, _ in grave} == {cell.word}, (told.faults, told.marks)
        assert cell.status is None or {status for _, status in grave} == {cell.status}
