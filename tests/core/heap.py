"""A game for tests alone: all that the core offers and Drop-Block does not use, in a few lines.

A heap of sticks; whoever takes the last one wins. Setups: `sticks` (0: the dice say), `windy` (before each turn the
dice take away one stick or none, never the last), `together` (both move at once; a tie has no winner). To give up is
always accepted and never offered. Each player has a secret number that only it sees.
"""

from __future__ import annotations

from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import Layout, emit, flat, uniform
from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.core.options import Option, whole, yes_no
from dohyo.core.text import NEWLINE, put

SEATS = 2
GIVE_UP = 0
MOST = 3  # sticks a turn

ACTIONS = MOST + 1
DICE = 3
EVENTS_A_TURN = 8
PROMPT_BYTES = 64
READY = ""
CONCESSIONS = (GIVE_UP,)
TAKEN, BLOWN = 1, 2
LAST_STICK, GIVEN_UP = 1, 2
REASONS = {LAST_STICK: "heap.last", GIVEN_UP: "heap.given-up"}

LAYOUT = Layout(
    "Heap",
    ("sticks", "i4", 0),
    ("turn", "i4", 0),
    ("secret", "i2", SEATS),
    ("lost", "i1", SEATS),
    ("last", "i1", 0),  # the seat that took a stick last, -1: nobody alone
    ("dealt", "i1", 0),
    ("windy", "i1", 0),
    ("together", "i1", 0),
)


@flat
def needs_dice(s: Any) -> bool:
    return s.dealt == 0


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    if s.turn > 0:
        dice[0] = uniform(source, 2)
        return 1
    dice[0] = s.sticks if s.sticks > 0 else 5 + uniform(source, 20)
    dice[1] = uniform(source, 1000)
    dice[2] = uniform(source, 1000)
    return 3


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    if s.turn > 0:
        if s.sticks > dice[0]:
            s.sticks -= dice[0]
            emit(events, BLOWN, dice[0], 0, 0)
    else:
        s.sticks = dice[0]
        s.secret[0] = dice[1]
        s.secret[1] = dice[2]
    s.dealt = 1


@flat
def acts(s: Any, seat: int) -> bool:
    return s.together == 1 or s.turn % SEATS == seat


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    count = 0
    for action in range(1, ACTIONS):
        if action <= s.sticks:
            out[count] = action
            count += 1
    return count


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    return 1 <= action < ACTIONS and action <= s.sticks


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    for seat in range(SEATS):
        if acts(s, seat):
            if actions[seat] == GIVE_UP:
                s.lost[seat] = 1
            else:
                emit(events, TAKEN, seat, actions[seat], 0)
                s.last = seat if s.sticks > 0 else -1
                s.sticks = s.sticks - actions[seat] if s.sticks > actions[seat] else 0
    s.turn += 1
    if s.windy:
        s.dealt = 0


@flat
def over(s: Any) -> bool:
    return (s.sticks == 0 and s.dealt + s.turn > 0) or s.lost[0] + s.lost[1] > 0


@flat
def winner(s: Any) -> int:
    if s.lost[0] + s.lost[1] == 1:
        return 1 if s.lost[0] == 1 else 0
    return s.last if s.lost[0] == 0 else -1


@flat
def places(s: Any, out: Any) -> int:
    best = winner(s)
    for seat in range(SEATS):
        out[seat] = 1 if best < 0 or best == seat else 2
    return GIVEN_UP if s.lost[0] + s.lost[1] > 0 else LAST_STICK


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    at = put(buffer, 0, s.sticks)
    buffer[at] = NEWLINE
    at = put(buffer, at + 1, s.secret[seat])
    buffer[at] = NEWLINE
    return at + 1


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    action = read(reply.strip())
    return Fault(FaultKind.MALFORMED, f"not a number of sticks: {reply[:20]!r}") if action is None else action


def text(action: int) -> str:
    return f"take {action}" if action else "give up"


def read(word: str) -> int | None:
    return next((action for action in range(ACTIONS) if word == text(action)), None)


def answer(s: Any, seat: int, fault: Fault) -> int:
    return 1 if fault.kind is FaultKind.MALFORMED else GIVE_UP


def stops(fault: Fault) -> bool:
    return fault.kind is not FaultKind.MALFORMED


def frame(before: Any, actions: Any, events: Any, after: Any, seat: int | None = None) -> dict[str, Any]:
    secrets = [number if seat in (None, p) else None for p, number in enumerate(after.secret)]
    return {
        "sticks": after.sticks,
        "secrets": secrets,
        "highlights": [["taken", e[1]] for e in events if e[0] == TAKEN],
    }


def start(s: Any, setup: Any, seats: int) -> None:
    s.sticks, s.windy, s.together = setup["sticks"], int(setup["windy"]), int(setup["together"])


def possible(s: Any) -> bool:
    flags = all(flag in (0, 1) for flag in (*s.lost, s.dealt, s.windy, s.together))
    return flags and -1 <= s.last < SEATS and s.sticks >= 0 and s.turn >= 0


_HERE = globals()

HEAP = Game(
    name="heap",
    title="Heap",
    version=3,
    about="Take the last stick.",
    seats=(SEATS, SEATS),
    turns=Turns.ALTERNATING,
    chance=Chance.EVERY_TURN,
    information=Information.IMPERFECT,
    options=(
        Option("sticks", 0, "0 to 100", "sticks at the start, 0: the dice say", whole(0, 100)),
        Option("windy", False, "yes or no", "whether sticks are blown away", yes_no),
        Option("together", False, "yes or no", "whether both move at once", yes_no),
    ),
    clocks={"quick": Clock(turn=0.5, first=2.0), "slow": Clock(turn=10.0)},
    rules=SimpleNamespace(**_HERE),
    protocol=SimpleNamespace(**_HERE),
    frame=frame,
    terminal=lambda frame, names, language: f"{frame['sticks']} sticks",
    start=start,
    possible=possible,
    folder=PurePath("nowhere"),
    catalogue={
        "en": {"heap.last": "the last stick is taken", "heap.given-up": "given up", "heap.mark.taken": "taken"},
        "ja": {"heap.last": "-", "heap.given-up": "-", "heap.mark.taken": "-"},
    },
)
