"""What the operator's word for a clock means."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dohyo.core.clock import Account, Clock
from dohyo.core.errors import OperatorError
from dohyo.games.drop_block import GAME
from dohyo.match.clocks import read_clock
from dohyo.system import proc

FINALS = GAME.clocks["finals"]


def wide(word: str) -> str:
    """The word as a keyboard for Japanese types it: in the wide forms of its letters."""
    return "".join(chr(ord(letter) + 0xFEE0) for letter in word)


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("finals,bank=2", replace(FINALS, bank=2.0)),
        ("0.25,grace=0.1,strikes=5", Clock(turn=0.25, grace=0.1, strikes=5)),
        (" 1 , mode=cpu , wall = 3 ", Clock(turn=1.0, mode="cpu", wall=3.0)),
        ("finals,mode=fair", replace(FINALS, mode="fair")),
        ("2,mode=cpu,bank=1", Clock(turn=2.0, mode="cpu", bank=1.0)),
        ("10+0.1", Clock(turn=0.0, bank=10.0, increment=0.1)),
        ("40/1:30+2,grace=0.05", Clock(turn=0.0, bank=90.0, increment=2.0, moves=40, grace=0.05)),
        ("40/60", Clock(turn=0.0, bank=60.0, moves=40)),
        ("0,bank=10,increment=0.1", Clock(turn=0.0, bank=10.0, increment=0.1)),
        ("mode = fair", replace(GAME.usual_clock(), mode="fair")),
        ("bank=2,mode=wall", replace(GAME.usual_clock(), bank=2.0)),
        (wide("0.1"), Clock(turn=0.1)),
        (wide("10+0.5,mode=fair"), Clock(turn=0.0, bank=10.0, increment=0.5, mode="fair")),
        ("0.5,ready=20", Clock(turn=0.5, ready=20.0)),
        (Clock(turn=2.0, mode="cpu"), Clock(turn=2.0, mode="cpu")),
    ],
)
def test_what_stands_behind_a_clock(word: str | Clock, read: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key changes its field, of a preset as of a number of seconds."""
    monkeypatch.setattr(proc, "missing", lambda mode: "")
    assert read_clock(GAME, word) == read


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("finls,bank=2", "There is no clock 'finls' ('finals'?)"),
        ("finals,bnak=2", "A clock has no 'bnak' ('bank'?)"),
        ("finals,", "A clock has no ''"),
        ("finals,bank", "'bank' does not take ''; it takes seconds"),
        ("1,mode=far", "'mode' does not take 'far' ('fair'?); it takes wall, fair, cpu."),
        ("²", "There is no clock '²'"),
        ("0.5,strikes=①", "'strikes' does not take '①'; it takes a whole number"),
        ("1,bank=-1", "'bank' does not take '-1'"),
        ("1,bank=nan", "'bank' does not take 'nan'"),
        ("1,grace=much", "'grace' does not take 'much'"),
        ("1,strikes=1.5", "'strikes' does not take '1.5'; it takes a whole number"),
        ("1,wall=0", "'wall' does not take '0'; it takes seconds, more than 0"),
        ("1,bank=1,bank=1", "says 'bank' twice"),
        ("1,wall=5", "A clock's 'wall' does nothing without mode=fair, mode=cpu"),
        ("1,bank=2,strikes=5", "A clock's 'strikes' does nothing without grace=S"),
        ("bnak=2", "There is no clock 'bnak=2'"),
        ("bank", "'bank' does not take ''"),
        ("0", "There is no clock '0'"),
        ("0+1", "There is no clock '0+1'"),
        ("10+", "There is no clock '10+'"),
        ("1e3+1", "There is no clock '1e3+1'"),
        ("1,increment=1", "A clock's 'increment' does nothing without bank=S"),
        ("1,moves=40", "A clock's 'moves' does nothing without bank=S"),
        ("1,ready=0", "'ready' does not take '0'; it takes seconds, more than 0"),
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
    monkeypatch.setattr(proc, "IS_LINUX", False)
    with pytest.raises(OperatorError, match=f"mode '{mode}' needs Linux"):
        read_clock(GAME, f"1,mode={mode}")
    assert read_clock(GAME, "1,bank=3") == Clock(turn=1.0, bank=3.0)
    monkeypatch.setattr(proc, "IS_LINUX", True)
    monkeypatch.setattr(proc, "LOAD", "/nowhere")
    with pytest.raises(OperatorError, match="needs /nowhere"):
        read_clock(GAME, f"1,mode={mode}")


def test_time_for_the_whole_match() -> None:
    """The increment is there from the first turn on, the bank again after so many; what is over is late."""
    clock = Clock(turn=0.0, bank=10.0, increment=0.5, moves=2)
    account = Account(clock)
    assert account.limit(True) == 10.5
    assert account.settle(4.0, True, answered=True) is None
    assert account.bank == 7.0
    assert account.settle(1.0, False, answered=True) is None
    assert account.limit(False) == 16.5
    assert account.settle(17.0, False, answered=False) is None
    assert account.bank == 0.0
    assert clock.share(False) == 5.5
    assert not clock.is_plain


def test_a_reserve_beside_a_limit_is_as_before() -> None:
    """What a turn takes less than its limit is lost, and nothing is added."""
    account = Account(Clock(turn=1.0, bank=2.0))
    account.settle(0.1, True, answered=True)
    account.settle(2.5, False, answered=True)
    assert (account.bank, account.limit(False)) == (0.5, 1.5)
