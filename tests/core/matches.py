"""Matches without processes, for tests: random letters, seconds as a real match would have them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from dohyo import games
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat

GAME = games.find("drop-block")


def referee(seed: int = 7, setup: Mapping[str, Any] | None = None) -> Referee:
    """A match of Drop-Block that has just begun."""
    return Referee(GAME, resolve(GAME.options, setup or {}), 4, seed)


def header(match_setup: Mapping[str, Any], seed: int = 7) -> Header:
    """The header of such a match."""
    seats = tuple(Seat(f"bot{seat}", f"{seat:064x}", "python") for seat in range(4))
    full = resolve(GAME.options, match_setup)
    return Header(
        game=GAME.name,
        rules=GAME.version,
        setup=full,
        seats=seats,
        clock=GAME.clocks["online"],
        seed=seed,
        software="dohyo",
    )


def played(seed: int = 7, letters: str = "URDLAN", **setup: Any) -> Replay:
    """The replay of a match in which everybody draws letters."""
    match, chooser = referee(seed, setup), random.Random(seed)
    while not match.over:
        seconds = abs(round(chooser.gauss(0.00012, 0.00003), 6))
        match.submit({seat: Answer(chooser.choice(letters), seconds=seconds) for seat in match.pending()})
    return Replay(header(setup, seed), match.turns, match.result())
