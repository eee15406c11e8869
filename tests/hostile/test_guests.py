"""Every hostile guest under every layer of the sandbox: the referee's verdict and the walls are as the table says."""

from __future__ import annotations

import pytest

from dohyo.core.faults import FaultKind
from tests.hostile import layers
from tests.hostile.scene import GUESTS, NEIGHBOUR, SHARED, Scene, Told, clock_for, end
from tests.hostile.table import (
    CONTAINED,
    LAYERS,
    NOT_CONTAINED,
    PLAYS,
    TOGETHER_ON_ONE,
    Cell,
    each_layer_of,
    expected,
)
from tests.skips import Reason, skip_for

NAMES = sorted(path.stem for path in GUESTS.iterdir() if path.name not in SHARED and path.suffix in (".c", ".py"))
NAMES.remove(NEIGHBOUR)
NAMES.remove("freezes_terminal")  # played by `arena`: test_terminal.py

# Guests that sit in one match, because what one of them does is not taken for another's: each tells itself what it
# got, and takes nothing that another one could miss. Beside them sits a neighbour. All others play alone.
TOGETHER = (
    *(("tcp", "vsock", "netlink"), ("mounts", "namespaces", "setuid"), ("keyctl", "bpf", "io_uring")),
    *(("unix_socket", "abstract_socket", "paired_socket"), ("reads_neighbour", "reads_store", "reads_proc")),
    *(("odd_calls", "leaves_cores", "wakes_itself"), ("traces", "slows_others"), ("changes_rights", "reads_kernel")),
    *(("types_for_operator", "reads_environment", "zombies"), ("exits_0", "exits_3", "exits_139")),
    *(("no_text", "answers_twice", "answers_early"), ("dies_by_signal", "ignores_sigterm", "long_line")),
    *(("closes_stdin", "closes_stdout", "no_newline"), ("never_reads", "answers_late", "stops_itself")),
)
BESIDE = {name: together for together in TOGETHER for name in together}
GROUPS = [*TOGETHER, *((name,) for name in NAMES if name not in BESIDE)]


@pytest.fixture(scope="session")
def met() -> dict[tuple[str, int], Told]:
    """What matches have told of their guests under a layer."""
    return {}


@pytest.mark.parametrize(("guest", "layer"), each_layer_of(GROUPS, TOGETHER_ON_ONE))
def test_a_guest_is_met_as_the_table_says(
    request: pytest.FixtureRequest, met: dict[tuple[str, int], Told], guest: str, layer: int
) -> None:
    """A guest gets the verdict of the table and nothing that it came for, except where the table says so."""
    layers.need(layer, guest)
    if (guest, layer) not in met:
        request.getfixturevalue("among_others" if guest in BESIDE else "one_at_a_time")
        scene: Scene = request.getfixturevalue("scene")
        beside = [name for name in BESIDE.get(guest, (guest,)) if layers.has_all_for(layer, name)]
        told = scene.play_together(beside, layer)
        for pid in scene.left():
            for each in told.values():
                each.marks.append(f"GOT a process stayed behind: {pid}")
            end(pid)
        met.update({(name, layer): told[name] for name in beside})
    judge(met[guest, layer], expected()[guest][layer])


def judge(told: Told, cell: Cell) -> None:
    """Hold what a match told against a cell of the table."""
    got, asked = told.marked("GOT"), told.replay.header.setup["turns"] // 4
    if cell.word == NOT_CONTAINED:
        if not got and (absent := told.marked("ABSENT")):
            skip_for(Reason.KERNEL, f"this machine has nothing to attack there: {absent[0]}")
        assert got, f"it got nothing, so the attack proves nothing: {told.marks}"
        assert (told.faults, told.answered) == ([], asked)
        return
    assert got + told.others == [], told.marks
    if cell.word in (PLAYS, CONTAINED):
        assert (told.faults, told.answered) == ([], asked), told.marks
        assert cell.word == PLAYS or told.marked("NOT") or told.marked("ABSENT"), "it never tried"
    else:
        # A line too many is told of where it counts, and so may come before the verdict.
        grave = [fault for fault in told.faults if fault[0] is not FaultKind.MALFORMED] or told.faults
        assert {kind.value for kind, _ in grave} == {cell.word}, (told.faults, told.marks)
        assert cell.status is None or {status for _, status in grave} == {cell.status}


@pytest.mark.parametrize("together", TOGETHER, ids="+".join)
def test_guests_of_one_match_may_sit_together(together: tuple[str, ...]) -> None:
    """They take the same clock and are met alike in every layer, so that whatever one got is not another's."""
    assert set(together) <= set(NAMES)
    assert len({clock_for(name) for name in together}) == 1
    for layer in LAYERS:
        assert len({expected()[name][layer].word == NOT_CONTAINED for name in together} - {True}) <= 1
