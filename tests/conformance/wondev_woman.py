"""Wondev Woman: our rules against the contest's referee, in all four leagues.

A recording holds the board and the units at the start, and for every turn who was asked, what it was sent, its reply
as the program wrote it (null: nothing in time), and whether it went out. The replies go through our protocol and our
referee; compared are who is asked, the texts byte for byte with the sorted list of actions in them, who goes out and
when, the final scores, and how many whole rounds were played.

The slice in `tests/recordings` is the whole of the 120 games recorded.
"""

from __future__ import annotations

from typing import Any

from dohyo import games
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import row_of
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.wondev_woman.board import SEATS
from tests.conformance.recordings import Compared

COUNTED = "inputs"

GAME = games.find("wondev-woman")
LATE = Answer(None, (Fault(FaultKind.TIMEOUT),))


def compare(recording: dict[str, Any]) -> Compared:
    """Play a recorded game; every turn has one input."""
    referee = beginning(recording)
    differences: list[str] = []
    told: set[int] = set()
    for number, turn in enumerate(recording["turns"]):
        player = turn["player"]
        if referee.pending() != [player]:
            differences.append(f"turn {number}: player {player} was asked, by us {referee.pending()}")
            break
        greeting = [] if player in told else recording["init"]
        told.add(player)
        differences += other_text(referee, number, player, [*greeting, *turn["input"]])
        referee.submit({player: LATE if turn["output"] is None else Answer(turn["output"])})
        if bool(referee.state.out[player]) != ("out" in turn):
            was = f"went out ({turn['out']})" if "out" in turn else "stayed"
            differences.append(f"turn {number}: with {turn['output']!r} player {player} {was}, by us otherwise")
    return Compared(len(recording["turns"]), differences + other_end(referee, recording))


def beginning(recording: dict[str, Any]) -> Referee:
    """A referee of the recorded game, by way of an ordinary setup."""
    units = [unit for player in recording["units"] for unit in player]
    setup = {"league": recording["league"], "grid": recording["grid"], "units": units}
    return Referee(GAME, resolve(GAME.options, setup), SEATS, seed=0)


def other_text(referee: Referee, number: int, player: int, recorded: list[str]) -> list[str]:
    """A line when what the player is sent is not what was recorded: the first of its lines that differs."""
    ours = referee.prompt(player)
    theirs = "".join(f"{line}\n" for line in recorded).encode()
    if ours == theirs:
        return []
    pairs = zip(ours.splitlines(), theirs.splitlines(), strict=False)
    where = next((f"{b!r}, ours {a!r}" for a, b in pairs if a != b), f"{len(theirs)} bytes, ours {len(ours)}")
    return [f"turn {number}: input {where}"]


def other_end(referee: Referee, recording: dict[str, Any]) -> list[str]:
    """Lines when the match does not end where the recording does, with the same scores after as many rounds."""
    scores = row_of(SEATS)
    GAME.rules.scores(referee.state, scores)
    lines = []
    if not referee.over:
        lines.append("the recording ends, for us the match goes on")
    if scores != recording["final"]:
        lines.append(f"final scores {recording['final']}, ours {scores}")
    if referee.state.rounds != recording["rounds"]:
        lines.append(f"{recording['rounds']} rounds, ours {referee.state.rounds}")
    return lines
