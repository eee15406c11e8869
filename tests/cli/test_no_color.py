"""Who sets NO_COLOR gets plain text, in a terminal too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.screens import Screen

COMMANDS = [
    (),
    ("play", "--help"),
    ("games", "drop-block"),
    ("doctor",),
    ("play", "drop-block", *("./still",) * 4, "--trust", "--seed", "1", "--setup", "turns=3"),
]


def raw(folder: Path, *words: str, **more: str) -> str:
    """All that a command writes to a terminal."""
    with Screen(folder, *words, **more) as screen:
        assert screen.wait_for_end() == 0
        return screen.raw


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_escape_sequence(folder: Path, words: tuple[str, ...]) -> None:
    """Nothing that is printed is bold, coloured or moved."""
    told = raw(folder, *words, NO_COLOR="1")
    assert len(told) > 100
    assert "\x1b" not in told


def test_without_it_what_matters_is_bold(folder: Path) -> None:
    """Nobody who did not ask for it loses the styles; an empty variable asks for nothing."""
    assert "\x1b[1m" in raw(folder, "games", "drop-block", NO_COLOR="")
