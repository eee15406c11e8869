"""What the operator's word for a clock means."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dohyo.app.clocks import read_clock
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.games.drop_block import GAME
from dohyo.runner import usage

FINALS = GAME.clocks["finals"]


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("finals,bank=2", replace(FINALS, bank=2.0)),
        ("0.25,grace=0.1,strikes=5", Clock(turn=0.25, grace=0.1, strikes=5)),
        (" 1 , mode=cpu , wall = 3 ", Clock(turn=1.0, mode="cpu", wall=3.0)),
        ("finals,mode=fair", replace(FINALS, mode="fair")),
        ("2,mode=cpu,bank=1", Clock(turn=2.0, mode="cpu", bank=1.0)),
        (Clock(turn=2.0, mode="cpu"), Clock(turn=2.0, mode="cpu")),
    ],
)
def test_what_stands_behind_a_clock(word: str | Clock, read: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key changes its field, of a preset as of a number of seconds."""
    monkeypatch.setattr(usage, "missing", lambda mode: "")
    assert read_clock(GAME, word) == read


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("finls,bank=2", "There is no clock 'finls' ('finals'?)"),
        ("finals,bnak=2", "A clock has no 'bnak' ('bank'?)"),
        ("finals,", "A clock has no ''"),
        ("finals,bank", "'bank' does not take ''; it takes seconds"),
        ("1,mode=far", "'mode' does not take 'far' ('fair'?); it takes wall, fair, cpu."),
        ("1,bank=-1", "'bank' does not take '-1'"),
        ("1,bank=nan", "'bank' does not take 'nan'"),
        ("1,grace=much", "'grace' does not take 'much'"),
        ("1,strikes=1.5", "'strikes' does not take '1.5'; it takes a whole number"),
        ("1,wall=0", "'wall' does not take '0'; it takes seconds, more than 0"),
        ("1,bank=1,bank=1", "says 'bank' twice"),
        ("1,wall=5", "A clock's 'wall' does nothing without mode=fair, mode=cpu"),
        ("1,bank=2,strikes=5", "A clock's 'strikes' does nothing without grace=S"),
        ("mode=fair", "There is no clock 'mode=fair'"),
    ],
)
def test_a_mistake_is_one_sentence(word: str, sentence: str) -> None:
    """It names what is wrong, what was probably meant, and what can be said."""
    with pytest.raises(OperatorError) as caught:
        read_clock(GAME, word)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_a_mode_that_cannot_be_measured_is_refused(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere than on Linux, and on a kernel without such statistics, the operator is told what is missing."""
    monkeypatch.setattr(usage, "IS_LINUX", False)
    with pytest.raises(OperatorError, match=f"mode '{mode}' needs Linux"):
        read_clock(GAME, f"1,mode={mode}")
    assert read_clock(GAME, "1,bank=3") == Clock(turn=1.0, bank=3.0)
    monkeypatch.setattr(usage, "IS_LINUX", True)
    monkeypatch.setattr(usage, "LOAD", "/nowhere")
    with pytest.raises(OperatorError, match="needs /nowhere"):
        read_clock(GAME, f"1,mode={mode}")
