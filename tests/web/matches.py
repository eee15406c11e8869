"""Matches of Drop-Block for the viewer to show, played in this process by dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec

from dohyo.core import playback
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Move, Replay, Seat
from dohyo.games.drop_block import GAME

NAMES = ("hunter", "random", "Yokozuna", "random")
LETTERS = "UDLRAN"
CALM = "UDLR" * 9 + "AN"  # seldom an attack: such matches last

HOSTILE = "<img src=x onerror=alert(1)>"
NOISE = "plan \x1b[31mred\x1b[0m\x00 \u202eback</pre><script>alert(2)</script>\nsecond line"

Answers = Callable[[int, int, random.Random], Answer]


def play(
    seed: int,
    *,
    letters: str = LETTERS,
    names: Sequence[str] = NAMES,
    setup: Mapping[str, Any] | None = None,
    answers: Answers | None = None,
    until: int | None = None,
) -> Replay:
    """One match; `answers(turn, seat, dice)` says what a seat answers, by default one of `letters` by chance.

    `until` interrupts the match after so many turns.
    """
    dice = random.Random(seed)
    full = resolve(GAME.options, setup or {})
    referee = Referee(GAME, full, len(names), seed)

    def answer(seat: int) -> Answer:
        if answers is not None:
            return answers(referee.turn, seat, dice)
        return Answer(dice.choice(letters), seconds=dice.random() ** 3 / 20)

    while not referee.over and referee.turn != until:
        referee.submit({seat: answer(seat) for seat in referee.pending()})
    header = Header(
        game=GAME.name,
        rules=GAME.version,
        setup=full,
        seats=tuple(Seat(name, "ab" * 32, "python") for name in names),
        clock=GAME.clocks["online"],
        seed=seed,
        software="dohyo test",
    )
    return Replay(header, referee.turns, referee.result())


def taken_up(whole: Replay, turn: int) -> Replay:
    """The rest of a match from a turn on, as a match that was taken up there."""
    start = GAME.rules.LAYOUT.as_dict(playback.state_at(GAME, whole, turn))
    header = msgspec.structs.replace(whole.header, start=start, first=turn)
    return Replay(header, whole.turns[turn:], whole.result)


def decided(fewest_turns: int = 100) -> Replay:
    """A match of more than so many turns that one player has won."""
    return deepcopy(_decided(fewest_turns))


def longest() -> Replay:
    """A match of 1000 turns in which much happens."""
    return deepcopy(_longest())


@cache
def _decided(fewest_turns: int) -> Replay:
    matches = (play(seed) for seed in range(1000))
    return next(match for match in matches if match.result.winner is not None and len(match.turns) > fewest_turns)


@cache
def _longest() -> Replay:
    matches = (play(seed, letters=CALM) for seed in range(1000))
    return next(match for match in matches if len(match.turns) == 1000)


def troubled() -> Replay:
    """A match with a hostile name, noise on standard error, an unreadable reply, and a program that is stopped."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        if turn == 5:
            return Answer(f" left {HOSTILE} ", seconds=0.0123)
        if turn == 6:
            return Answer(None, (Fault(FaultKind.EXITED, "it ended by itself", status=3),), 0.5, NOISE, 70000)
        return Answer(dice.choice("UDLR"), seconds=0.001, stderr=NOISE if turn == 4 else "")

    replay = play(2, names=[HOSTILE, "b", "c" * 300, "d\u202e"], answers=answers, setup={"turns": 30})
    last = (Move(0, "", stderr="last words"),)
    replay.result = msgspec.structs.replace(replay.result, last=last)
    return replay
