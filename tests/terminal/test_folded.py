"""Sentences in wide letters are broken by width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from dohyo.terminal.folding import folded

TOLD = (
    "95 %：100 回のうち 95 回、本当の Elo が入る区間。ありうる順位：その区間から考えられる順位。"
    "取り消すには「dohyo contest disqualify STORE BOT --undo」。"
)


@pytest.mark.parametrize("width", [80, 60, 40, 24])
def test_japanese_fills_the_line(width: int) -> None:
    """Each line but the last is nearly full, none begins with a closing mark, and not a letter is lost."""
    lines = folded(TOLD, width).split("\n")
    assert all(width - len(" disqualify") <= cell_len(line) <= width for line in lines[:-1])
    assert not any(line[0] in "、。」)：" for line in lines)
    assert "".join(lines).replace(" ", "") == TOLD.replace(" ", "")


def test_other_texts_stay_as_they_are() -> None:
    """English is left to whoever prints it, and so is what fits."""
    assert folded("word " * 40, 80) == "word " * 40
    assert folded(TOLD[:20], 80) == TOLD[:20]
    assert folded("一\n二", 80) == "一\n二"
