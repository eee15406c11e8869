"""Games of aBOTcalypse by dice, in which everything happens and somebody lives long."""

from __future__ import annotations

import random

from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games.abotcalypse import GAME

CALM = ["rest"] * 300 + ["move up"] * 8 + ["move down"] * 4 + ["drop down"] * 4
BOLD = ["throw left", "throw right 9", "throw up", "drop up", "drop left", "drop right", "move left", "move right"]


RESTLESS = ["move left", "move right"]


def play(
    seed: int, bots: int = 10, turns: int = 500, rules: str = "post", answers: list[str] | None = None
) -> Replay:
    """A game by dice: every other bot is bold, the others dig in where they are; or all choose from `answers`."""
    dice = random.Random(seed)
    setup = resolve(GAME.options, {"turns": turns, "rules": rules})
    referee = Referee(GAME, setup, bots, seed)
    while not referee.over:
        replies = {
            seat: dice.choice(answers or (CALM if seat % 2 or dice.random() < 0.8 else BOLD + CALM[-16:]))
            for seat in referee.pending()
        }
        referee.submit({seat: Answer(reply, seconds=0.001) for seat, reply in replies.items()})
    header = Header(
        game=GAME.name,
        rules=GAME.version,
        setup=setup,
        seats=tuple(Seat(f"bot {seat}", "ab" * 32, "python") for seat in range(bots)),
        clock=GAME.clocks["challenge"],
        seed=seed,
        software="dohyo test",
    )
    return Replay(header, referee.turns, referee.result())
