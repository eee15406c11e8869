"""Drop-Block: four players on a floor that falls (JavaChallenge 2015)."""

from __future__ import annotations

from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.games import OnDemand
from dohyo.games.drop_block import protocol, rules
from dohyo.games.drop_block.outcome import CATALOGUE, has_fallen, seat_outcome
from dohyo.games.drop_block.setup import OPTIONS, possible, start

GAME = Game(
    name="drop-block",
    title="Drop-Block",
    version=1,
    about="Four players on 6 x 6 blocks; loosen the blocks ahead of you and drop the others.",
    seats=(rules.SEATS, rules.SEATS),
    turns=Turns.ALTERNATING,
    chance=Chance.AT_START,
    information=Information.PERFECT,
    options=OPTIONS,
    clocks={
        "online": Clock(turn=1.0, ready=1.0, preset="online"),
        "finals": Clock(turn=0.1, ready=1.0, preset="finals"),
    },
    rules=rules,
    protocol=protocol,
    frame=OnDemand(__name__, "frame"),
    terminal=OnDemand(__name__, "terminal"),
    start=start,
    folder=Path(__file__).parent,
    catalogue=CATALOGUE,
    possible=possible,
    seat_outcome=seat_outcome,
    out=has_fallen,
    judge=OnDemand(__name__, "judge"),
    observation=OnDemand(__name__, "observation_space"),
    reading=OnDemand(__name__, "reading"),
    starter=OnDemand(__name__, "starter"),
)
