"""Connect four: two players, seven columns, four in a row. The classic game that is a folder, for who writes one."""

from __future__ import annotations

from pathlib import Path

from dohyo.classics.connect_four import observation_space, protocol, reading, rules
from dohyo.classics.connect_four.frame import frame
from dohyo.classics.connect_four.outcome import CATALOGUE, seat_outcome, why_illegal
from dohyo.classics.connect_four.setup import OPTIONS, possible, start
from dohyo.classics.connect_four.terminal import terminal
from dohyo.core.clock import Clock
from dohyo.core.game import Game

GENERAL_BOTS = Path(__file__).parents[2] / "games" / "general" / "bots"  # of games in one file; one plays this too

GAME = Game(
    name="connect-four",
    about="Two players drop stones into seven columns; four in a row win.",
    seats=(rules.SEATS, rules.SEATS),
    options=OPTIONS,
    clocks={"standard": Clock(turn=0.1, first=5.0, preset="standard")},
    rules=rules,
    protocol=protocol,
    frame=frame,
    terminal=terminal,
    start=start,
    folder=Path(__file__).parent,
    catalogue=CATALOGUE,
    possible=possible,
    seat_outcome=seat_outcome,
    why_illegal=why_illegal,
    observation=observation_space,
    reading=reading,
    general_bots=GENERAL_BOTS,
)
