"""The table of guests in guests.md is whole, and promises nothing that layers 1 and 2 do not keep."""

from __future__ import annotations

import pytest

from dohyo.core.faults import FaultKind
from tests.hostile.leftovers import LEFTOVERS
from tests.hostile.table import (
    CONTAINED,
    LAYERS,
    NOT_CONTAINED,
    PLAYS,
    REFUSED,
    expected,
    page,
    read_cell,
    reasons,
)
from tests.hostile.test_builds import BUILDS
from tests.hostile.test_edges import EDGES
from tests.hostile.test_guests import NAMES
from tests.hostile.test_hand_ins import HAND_INS
from tests.hostile.test_search_paths import SEARCHED
from tests.hostile.test_stores import GUESTS as FILES
from tests.hostile.test_terminal import TERMINAL
from tests.hostile.test_typed import TYPED
from tests.hostile.test_words import STRANGERS_WORDS

ENDS = {FaultKind.EXITED, FaultKind.KILLED}  # of these the status is told
WORDS = {PLAYS, CONTAINED, REFUSED, NOT_CONTAINED, *(kind.value for kind in FaultKind)}


def test_every_guest_has_a_row() -> None:
    """Every guest stands in the table, and the table names no other."""
    of_hand_ins = [*BUILDS, *HAND_INS, *EDGES, *LEFTOVERS]
    guests = [*NAMES, *of_hand_ins, *TERMINAL, *TYPED, *SEARCHED, *FILES, *STRANGERS_WORDS]
    assert sorted(expected()) == sorted(guests)


def test_a_row_stands_once() -> None:
    """No guest has two rows, of which only one would count."""
    rows = [line for line in page().splitlines() if line.startswith("| `")]
    assert len(rows) == len(expected())


def test_cells_say_what_can_be() -> None:
    """A cell holds a word of the table or a fault's name, and a reason just where nothing is held back."""
    for guest, cells in expected().items():
        for layer in LAYERS:
            cell = cells[layer]
            assert cell.word in WORDS, f"{guest}, layer {layer}: {cell.word}"
            assert bool(cell.reason) == (cell.word == NOT_CONTAINED), f"{guest}, layer {layer}"
            assert (cell.status is not None) == (cell.word in ENDS), f"{guest}, layer {layer}: which status?"


def test_the_strong_layers_contain_everything() -> None:
    """Layers 1 and 2 hold every guest."""
    assert [
        name for name, cells in expected().items() for layer in (1, 2) if cells[layer].word == NOT_CONTAINED
    ] == []


def test_every_reason_is_told() -> None:
    """What is not contained has a reason below the table, and no reason stands there for nothing."""
    assert {cell.reason for cells in expected().values() for cell in cells.values()} - {""} == set(reasons())


@pytest.mark.parametrize("text", ["", "exited 3 3", "timeout (ab)", "timeout!", "Plays"])
def test_what_is_no_cell(text: str) -> None:
    """A cell that nobody can read is told, rather than taken for something."""
    with pytest.raises(ValueError, match="no cell"):
        read_cell(text)
