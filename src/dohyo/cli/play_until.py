"""`dohyo play --until`: match after match, until one ends as the operator wants to see it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dohyo.cli.options import Outputs
from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.game import State
from dohyo.core.replay import Replay

Play = Callable[[dict[str, Any], Outputs, bool], tuple[Replay, State, OperatorError | None]]

MOST = 100  # matches, unless the operator says otherwise
FAULT, LOSS, WIN = "fault", "loss", "win"


def fits(replay: Replay, until: str) -> bool:
    """Whether a match is one that the operator waits for; the bot is the one on seat 0."""
    if until == WIN:
        return replay.result.winner == 0
    if until == LOSS:
        return bool(replay.result.places) and replay.result.places[0] > 1
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    return any(move.seat == 0 and move.faults for move in moves)


def play_until(
    until: str, most: int | None, watch: bool, options: dict[str, Any], outputs: Outputs, play: Play
) -> tuple[Replay, State, OperatorError | None]:
    """Play matches until the first bot has one of this kind, and write that one's files.

    `play` plays one match and writes what it is told to. The first match has the seed in `options`, the others seeds
    that follow from it. Without a file in `outputs`, the replay gets a name that says the game and the seed. Returns
    the replay, the state after its last turn, and why a file could not be written. Raises `OperatorError` if none of
    `most` matches (100 without it) is of this kind.
    """
    most = MOST if most is None else most
    if watch:
        raise OperatorError("until-with-watch")
    first = options["seed"]
    for number in range(1, most + 1):
        seed = first if number == 1 else seeds.derived(first, "until", number)
        replay, end, _ = play({**options, "seed": seed}, Outputs(None, None, outputs.speaker), False)
        if fits(replay, until):
            break
    else:
        raise OperatorError(f"until-no-{until}", most=most, seed=first)
    if outputs.save is None and outputs.html is None:
        outputs.save = f"{replay.header.game}-{seed}.replay"
    sys.stderr.write(outputs.speaker.say("until-found", number=number, seed=seed) + "\n")
    try:
        outputs.check()
        outputs.write(replay)
    except OperatorError as error:
        return replay, end, error
    return replay, end, None
