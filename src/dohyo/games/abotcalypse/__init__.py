"""aBOTcalypse: survive meteors and each other on a board of rocks (a king of the hill)."""

from __future__ import annotations

from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.games import OnDemand
from dohyo.games.abotcalypse import protocol, rules
from dohyo.games.abotcalypse.board import MAX_BOTS
from dohyo.games.abotcalypse.koth import KOTH
from dohyo.games.abotcalypse.outcome import CATALOGUE, seat_outcome
from dohyo.games.abotcalypse.setup import OPTIONS, possible, start

GAME = Game(
    name="abotcalypse",
    title="aBOTcalypse",
    version=1,
    about="Up to 100 bots, meteors from above, rocks to build with and to throw; who lives longest scores most.",
    seats=(1, MAX_BOTS),
    turns=Turns.SIMULTANEOUS,
    chance=Chance.EVERY_TURN,
    information=Information.IMPERFECT,
    options=OPTIONS,
    clocks={"challenge": Clock(turn=2.0, preset="challenge"), "match": Clock(turn=0.1, first=1.0, preset="match")},
    demo={"turns": 120},
    lifetimes={"turn": "challenge", "match": "match"},
    rules=rules,
    protocol=protocol,
    frame=OnDemand(__name__, "frame"),
    terminal=OnDemand(__name__, "terminal"),
    start=start,
    possible=possible,
    folder=Path(__file__).parent,
    catalogue=CATALOGUE,
    seat_outcome=seat_outcome,
    commands=(KOTH,),
    judge=OnDemand(__name__, "judge"),
    observation=OnDemand(__name__, "observation_space"),
    reading=OnDemand(__name__, "reading"),
    starter=OnDemand(__name__, "starter"),
)
