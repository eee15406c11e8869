"""Commands that show more of a fault: they can be typed as they are printed."""

from __future__ import annotations

import io

from msgspec.structs import replace
from rich.console import Console

from dohyo import games
from dohyo.cli.contest_looks import saving_command
from dohyo.core.faults import FaultKind
from dohyo.i18n import ENGLISH
from dohyo.match.replays import replays
from dohyo.match.telling.summary import Misstep, summarise
from dohyo.terminal.faults import KeptReplay, print_faults
from tests.cli.conftest import Type


def test_what_shows_more_of_a_fault_can_be_copied(held: Type) -> None:
    """A replay in a store has no file: the hint names the command that makes one, and then the one that reads it."""
    command = saving_command("contest.db", "1", None, 0)
    assert command == "dohyo contest replay contest.db 1 --ruling 0 --save match-1.replay"
    assert held(*command.split()[1:]).status == 0
    summary = summarise(replays.load("match-1.replay"))
    late = Misstep(3, FaultKind.TIMEOUT, seconds=0.19)
    summary.seats[0] = replace(summary.seats[0], faults=[late], language="python")
    shown = Console(file=io.StringIO(), width=200)
    print_faults(summary, games.find(summary.game), shown, ENGLISH, KeptReplay("match-1.replay", command))
    assert f"'{command}', then 'dohyo rerun match-1.replay 0 BOT'" in shown.file.getvalue()  # type: ignore[attr-defined]
