"""Wondev Woman: two players on towers that everybody raises (CodinGame contest, 2017)."""

from __future__ import annotations

from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.games import OnDemand
from dohyo.games.wondev_woman import protocol, rules
from dohyo.games.wondev_woman.board import SEATS
from dohyo.games.wondev_woman.outcome import CATALOGUE, seat_outcome
from dohyo.games.wondev_woman.setup import OPTIONS, map_name, possible, reseat, start

GAME = Game(
    name="wondev-woman",
    title="Wondev Woman",
    version=1,
    about="Two players climb towers that everybody raises; a step onto a top scores, and who cannot move is out.",
    seats=(SEATS, SEATS),
    turns=Turns.ALTERNATING,
    chance=Chance.AT_START,
    information=Information.IMPERFECT,
    options=OPTIONS,
    clocks={"contest": Clock(turn=0.05, first=1.0, preset="contest")},
    rules=rules,
    protocol=protocol,
    frame=OnDemand(__name__, "frame"),
    terminal=OnDemand(__name__, "terminal"),
    start=start,
    possible=possible,
    folder=Path(__file__).parent,
    catalogue=CATALOGUE,
    seat_outcome=seat_outcome,
    map_name=map_name,
    why_illegal=OnDemand(__name__, "why_illegal"),
    reseat=reseat,
    judge=OnDemand(__name__, "judge"),
    observation=OnDemand(__name__, "observation_space"),
    reading=OnDemand(__name__, "reading"),
    starter=OnDemand(__name__, "starter"),
)
