"""A bot that was stopped: the analysis says so first, and tries nothing from there on."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.guests.analysis import analysis as analysing
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.sentences import stopped_in_words
from dohyo.guests.analysis.stopped import stopped_in
from dohyo.i18n import ENGLISH
from dohyo.series.analysed import Stopped
from tests.guests.analysis.test_analysis import LOST, Always, Onward, played


def faulty(*turns: int, asked: bool) -> Replay:
    """A match of connect four in which the seats of these turns had a fault; `asked` says whether they were later."""
    replay = played(LOST)
    for turn in replay.turns:
        for move in turn.moves:
            move.seconds = 0.01 if asked or turn.turn < min(turns, default=99) else None
            if turn.turn in turns:
                move.faults = (Fault(FaultKind.TIMEOUT),)
    return replay


def found(replay: Replay) -> Stopped | None:
    """Where its bot was stopped."""
    return stopped_in(list(moments(games.find("connect-four"), replay)))


def test_a_bot_that_is_not_asked_after_a_fault_was_stopped() -> None:
    """By the first such turn; one that answers again was not; a fault in the last turn counts."""
    assert found(faulty(2, asked=False)) == Stopped(2, 2, 0, "timeout")
    assert found(faulty(2, asked=True)) is None
    assert found(faulty(6, asked=True)) == Stopped(6, 6, 0, "timeout")
    assert found(faulty(asked=True)) is None


def test_nothing_is_tried_from_there_on() -> None:
    """No match is played on from a later turn, and the sentence names the bot, the turn and the fault."""

    class Recording(Always):
        latest = 0

        def ends(self, branches, until=None):  # type: ignore[no-untyped-def]
            self.latest = max([self.latest, *(branch.turn for branch in branches)])
            return super().ends(branches, until)

    by = Recording(1)
    analysis = analyse(faulty(2, asked=False), playouts=50, compiled=False, plays_on=Onward(by, True))
    assert by.latest <= 2
    told = stopped_in_words(analysis, analysis.seats, ENGLISH)
    assert told.startswith("random 0 (seat 0) was stopped in turn 2: time-out.")


def test_a_match_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every turn's states are kept, and a stranger's replay may have a million turns: a sentence says that."""
    replay = played(LOST)
    monkeypatch.setattr(analysing, "MAX_TURNS", replay.played)
    assert analyse(replay, playouts=1, compiled=False).chances
    monkeypatch.setattr(analysing, "MAX_TURNS", replay.played - 1)
    with pytest.raises(OperatorError, match="too long to be analysed"):
        analyse(replay, playouts=1, compiled=False)
