"""A game for tests: everybody says a number from 0 to 4 at once, three times; the largest sum wins.

It is as small as a game can be, and has what Drop-Block lacks: several seats asked at once, illegal actions, no word
READY, faults that the player survives, and replies that end a program.
"""

from __future__ import annotations

from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

import msgspec

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import Layout
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.games.drop_block import GAME as DROP_BLOCK

ROUNDS = 3
MAX_SEATS = 4
LAYOUT = Layout("Tiny", ("turn", "i4", 0), ("seats", "i4", 0), ("score", "i4", MAX_SEATS))


def _legal(s: Any, seat: int, out: Any) -> int:
    out[:5] = range(5)
    return 5


def _step(s: Any, actions: Any, events: Any) -> None:
    for seat in range(s.seats):
        s.score[seat] += actions[seat]
    s.turn += 1


def _winner(s: Any) -> int:
    best = max(s.score[: s.seats])
    return s.score.index(best) if s.score[: s.seats].count(best) == 1 else -1


def _places(s: Any, out: Any) -> int:
    for seat in range(s.seats):
        out[seat] = 1 + sum(other > s.score[seat] for other in s.score[: s.seats])
    return 1


def _prompt(s: Any, seat: int, buffer: Any) -> int:
    text = f"{seat} {s.turn}\nEOD\n".encode()
    buffer[: len(text)] = text
    return len(text)


def _parse(reply: str, s: Any, seat: int) -> int | Fault:
    return int(reply) if reply.isdigit() and len(reply) == 1 else Fault(FaultKind.MALFORMED, reply)


def _start(s: Any, setup: Any, seats: int) -> None:
    s.seats = seats


def tiny(stopped_by: frozenset[FaultKind]) -> Game:
    """The game, in which these faults end a player's part; a fault counts as 0."""
    rules = SimpleNamespace(
        LAYOUT=LAYOUT,
        ACTIONS=10,
        DICE=0,
        EVENTS_A_TURN=0,
        REASONS={1: "unfinished"},
        CONCESSIONS=(),
        needs_dice=lambda s: False,
        acts=lambda s, seat: seat < s.seats and s.turn < ROUNDS,
        legal=_legal,
        is_legal=lambda s, seat, action: 0 <= action < 5,
        step=_step,
        over=lambda s: s.turn >= ROUNDS,
        winner=_winner,
        places=_places,
    )
    protocol = SimpleNamespace(
        READY="",
        PROMPT_BYTES=64,
        prompt=_prompt,
        parse=_parse,
        text=str,
        read=lambda word: int(word) if word.isdigit() else None,
        answer=lambda s, seat, fault: 0,
        stops=lambda fault: fault.kind in stopped_by,
    )
    return msgspec.structs.replace(
        DROP_BLOCK,
        name="tiny",
        title="Tiny",
        version=1,
        seats=(1, MAX_SEATS),
        turns=Turns.SIMULTANEOUS,
        chance=Chance.NEVER,
        information=Information.PERFECT,
        options=(),
        clocks={"only": Clock(turn=1.0)},
        rules=rules,
        protocol=protocol,
        start=_start,
        out=lambda state, seat: False,
        folder=PurePath("nowhere"),
    )
