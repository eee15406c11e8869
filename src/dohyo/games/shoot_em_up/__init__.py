"""Shoot-Em-Up: two robots that cannot see each other, and the program `arena`."""

from __future__ import annotations

from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.games import OnDemand
from dohyo.games.shoot_em_up import protocol, rules
from dohyo.games.shoot_em_up.commands import ARENA
from dohyo.games.shoot_em_up.outcome import CATALOGUE, seat_outcome
from dohyo.games.shoot_em_up.setup import OPTIONS, possible, reseat, start

GAME = Game(
    name="shoot-em-up",
    title="Shoot-Em-Up",
    version=1,
    about="Two robots on 10 x 10 squares that cannot see each other; the third hit kills.",
    seats=(rules.SEATS, rules.SEATS),
    turns=Turns.ALTERNATING,
    chance=Chance.AT_START,
    information=Information.IMPERFECT,
    options=OPTIONS,
    clocks={"text": Clock(turn=10.0, preset="text")},
    rules=rules,
    protocol=protocol,
    frame=OnDemand(__name__, "frame"),
    terminal=OnDemand(__name__, "terminal"),
    start=start,
    folder=Path(__file__).parent,
    catalogue=CATALOGUE,
    seat_outcome=seat_outcome,
    possible=possible,
    reseat=reseat,
    commands=(ARENA,),
    judge=OnDemand(__name__, "judge"),
    observation=OnDemand(__name__, "observation_space"),
    reading=OnDemand(__name__, "reading"),
    starter=OnDemand(__name__, "starter"),
)
