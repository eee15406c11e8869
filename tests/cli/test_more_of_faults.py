"""Commands that show more of a fault: they can be typed as they are printed."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from dohyo import doors, games
from dohyo.cli.contest_looks import kept_replay
from dohyo.core.faults import FaultKind
from dohyo.i18n import ENGLISH
from dohyo.match.replays import replays
from dohyo.match.telling.summary import Misstep, summarise
from dohyo.terminal.faults import KeptReplay, print_faults
from tests.cli.conftest import Type


def test_what_shows_more_of_a_fault_can_be_copied(held: Type) -> None:
    """A replay in a store has no file: the hint names the command that makes one, and then the one that reads it."""
    kept = kept_replay("contest.db", 1, None, 0)
    command = kept.save
    assert command == "dohyo contest replay contest.db 1 --ruling 0 --save match-1.replay"
    assert held(*command.split()[1:]).status == 0
    assert f"'{command}', then 'dohyo rerun match-1.replay 0 BOT'" in shown_late(kept)


def test_what_nobody_can_type_is_not_told(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no guest brings `dohyo rerun`, a fault is told without it."""
    assert held("contest", "replay", "contest.db", "1", "--save", "match-1.replay").status == 0
    monkeypatch.setattr(doors, "has_command", lambda name: False)
    told = shown_late(KeptReplay())
    assert "rerun" not in told
    assert "190 ms" in told


def shown_late(kept: KeptReplay) -> str:
    """A fault of a bot in Python that was late, as it is told."""
    summary = summarise(replays.load("match-1.replay"))
    late = Misstep(3, FaultKind.TIMEOUT, seconds=0.19)
    summary.seats[0] = replace(summary.seats[0], faults=[late], language="python")
    file = io.StringIO()
    print_faults(summary, games.find(summary.game), Console(file=file, width=200), ENGLISH, kept)
    return file.getvalue()
