"""The table guest x layer of guests.md: what is expected of every guest under every layer of the sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

PAGE = Path(__file__).parent / "guests.md"
LAYERS = (1, 2, 3, 4)  # the last one is none

PLAYS = "plays"  # it is no harm: it plays to the end, and nothing is said of it
CONTAINED = "contained"  # it tried, got nothing, and played to the end
REFUSED = "refused"  # it is no bot: said before any match
NOT_CONTAINED = "not contained"  # it got what it wanted; only with a reason


# These tests stay on one worker, where they share matches, and guests that are built once.
TOGETHER_ON_ONE = pytest.mark.xdist_group("hostile")


class Cell(NamedTuple):
    """What is expected: one of the words above or a fault's name; its status; the letter of the reason."""

    word: str
    status: int | None = None
    reason: str = ""


def each_layer(*, slow: Sequence[int] = ()) -> list[object]:
    """The layers as parameters of tests that stay on one worker; in `slow` layers they run with `--full` only."""
    return [
        pytest.param(layer, marks=[TOGETHER_ON_ONE, *([pytest.mark.full] if layer in slow else [])])
        for layer in LAYERS
    ]


def each_layer_of(groups: Iterable[Sequence[str]], *marks: pytest.MarkDecorator) -> list[object]:
    """Each guest with each layer, as parameters. Guests of a group share matches, and so have the same layers.

    An ordinary run has each guest in layer 3, which stands alone where bubblewrap does not work, and in one of the
    two with bubblewrap, each group in the other one; every fourth group also plays without a sandbox. `--full` has
    them in all layers.
    """
    *boxes, landlock, free = LAYERS
    found = []
    for number, names in enumerate(groups):
        usual = {landlock, boxes[number % len(boxes)], *([free] if number % len(LAYERS) == 0 else [])}
        more = {layer: marks if layer in usual else (*marks, pytest.mark.full) for layer in LAYERS}
        found += [pytest.param(name, layer, marks=more[layer]) for name in names for layer in LAYERS]
    return found


def read_cell(text: str) -> Cell:
    """A cell of the table: `timeout`, `exited 3`, `not contained (a)`. Raises `ValueError` for anything else."""
    found = re.fullmatch(r"([a-z-]+(?: [a-z]+)?)(?: (\d+))?(?: \((\w)\))?", text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no cell of the table")
    return Cell(found[1], None if found[2] is None else int(found[2]), found[3] or "")


def page() -> str:
    """The page that holds the table and its reasons."""
    return PAGE.read_text(encoding="utf-8")


@cache
def expected() -> dict[str, dict[int, Cell]]:
    """The cells of every guest, by its name and by layer."""
    rows = [line.strip("|").split("|") for line in page().splitlines() if line.startswith("| `")]
    cells = {}
    for name, _, *texts in rows:
        if len(texts) != len(LAYERS):
            raise ValueError(f"the row of {name.strip()} has {len(texts)} layers")
        cells[name.strip().strip("`")] = {layer: read_cell(text) for layer, text in zip(LAYERS, texts, strict=True)}
    return cells


def reasons() -> dict[str, str]:
    """The sentences below the table, by their letter."""
    return dict(re.findall(r"^- \((\w)\) (.+)$", page(), re.MULTILINE))
