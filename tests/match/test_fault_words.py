"""Faults in words."""

from __future__ import annotations

import io
from typing import cast

import pytest
from rich.console import Console

from dohyo import games
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.replay import Move
from dohyo.i18n import ENGLISH, Message, Speaker
from dohyo.languages import traces
from dohyo.match.telling.fault_words import MAX_READ, kind_and_detail, last_words, said_of
from dohyo.terminal.faults import print_errors


@pytest.mark.parametrize("speaker", [ENGLISH, Speaker("ja")])
@pytest.mark.parametrize(
    ("fault", "number"),
    [
        (Fault(FaultKind.EXITED, FaultCode.EXIT, {"status": 7}, status=7), "7"),
        (Fault(FaultKind.KILLED, FaultCode.SIGNAL, {"status": 11}, status=11), "SIGSEGV"),
    ],
)
@pytest.mark.parametrize("key", ["", "detail.before-ready"])
def test_how_a_program_ended_is_said_once(fault: Fault, number: str, key: str, speaker: Speaker) -> None:
    """Its exit status or signal stands in the kind or in what exactly happened, whatever else was seen."""
    if key:
        fault = Fault(fault.kind, fault.code, fault.values, status=fault.status, also=(Message(key),))
    told = " ".join(kind_and_detail(fault, games.find("drop-block"), speaker))
    assert told.count(number) == 1


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        (FaultKind.TIMEOUT, FaultCode.ANSWER_LATE, "bot.py:3, in act"),
        (FaultKind.NOT_READY, FaultCode.NO_READY, "bot.py:3, in act"),
        (FaultKind.KILLED, FaultCode.SIGNAL, "bot.py:3, in act: Aborted"),
    ],
)
def test_who_was_aborted_for_its_time_has_not_aborted(kind: FaultKind, code: FaultCode, said: str) -> None:
    """Of a program that is ended when its time is over the place is told; of one that ends so itself also how."""
    thread = 'Current thread 0x01 (most recent call first):\n  File "/bot/bot.py", line 3 in act\n'
    written = f"Fatal Python error: Aborted\n\n{thread}"
    assert last_words(Fault(kind, code, status=6), written, "python") == said


@pytest.mark.parametrize(("kind", "is_ours"), [(FaultKind.TIMEOUT, True), (FaultKind.KILLED, False)])
def test_our_own_signal_is_no_word_of_the_bot_s(kind: FaultKind, is_ours: bool) -> None:
    """What Python says of the signal that ends a late bot is not shown as if the bot had written it."""
    thread = 'Current thread 0x01 (most recent call first):\n  File "/bot/bot.py", line 3 in act\n'
    shown = Console(file=io.StringIO(), width=200)
    fault = Fault(kind, FaultCode.SIGNAL, status=6)
    print_errors(f"Fatal Python error: Aborted\n\n{thread}", [fault], "python", shown, ENGLISH)
    text = cast(io.StringIO, shown.file).getvalue()
    assert "most recent call first" in text
    assert ("Aborted" in text) is not is_ours


def test_what_a_stranger_s_replay_says_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many faults a move has, and however much is written beside it without a word in it."""
    read: list[int] = []
    monkeypatch.setattr(traces, "crash_line", lambda errors, language: read.append(len(errors)) or "")
    faults = tuple(Fault(FaultKind.EXITED, FaultCode.EXIT, status=1) for _ in range(1000))
    moves = [Move(0, "OUT", faults=faults, stderr="\n" * 1_000_000) for _ in range(9)]
    assert said_of(moves, "python") == ""
    assert sum(read) <= MAX_READ
