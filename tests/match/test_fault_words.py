"""Faults in words."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.i18n import ENGLISH, Message, Speaker
from dohyo.match.telling.fault_words import kind_and_detail


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
