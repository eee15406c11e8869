"""aBOTcalypse: our `classic` rules against the challenge's controller.

A recording holds the columns in which the bots start, and for every turn the meteor that enters, what each bot
replied, a digest of the view each was sent, and what there was after the turn: the living bots, the columns that
changed, the meteors as exact doubles. The replies go through our protocol into our rules; compared are all of these,
when the game ends, and the scores. A recording that ends in the controller's crash is compared up to there.

How the slice in `tests/recordings` was cut: of the 50 games recorded, every game of fewer than 60 turns, which holds
all that ended in a crash, and the first of 199 turns; in the order of the file.
"""

from __future__ import annotations

import hashlib
from typing import Any

from dohyo import games
from dohyo.core.faults import Fault
from dohyo.core.flat import row_of
from dohyo.core.options import resolve
from dohyo.games.abotcalypse import rules
from dohyo.games.abotcalypse.board import ALIVE, WIDTH, column_of
from dohyo.games.abotcalypse.protocol import parse
from tests.conformance.recordings import Compared

COUNTED = "states"

GAME = games.find("abotcalypse")
DIGITS = 12  # of a view's digest

Columns = dict[int, int]  # which squares hold a rock, as bits


def compare(recording: dict[str, Any]) -> Compared:
    """Play a recorded game; every turn is one state."""
    state = beginning(recording)
    columns: Columns = {}
    differences: list[str] = []
    for number, turn in enumerate(recording["turns"], 1):
        if rules.over(state):
            differences.append(f"turn {number}: recorded, but for us the game is over")
            break
        rules.deal(state, turn["new_meteor"], GAME.new_events())
        differences += other_views(state, number, recording["bots"], turn["views"])
        rules.step(state, actions_of(state, recording["bots"], turn["actions"]), GAME.new_events())
        columns.update({int(x): sum(1 << y for y in set(rocks)) for x, rocks in turn["changed_columns"].items()})
        differences += other_state(state, number, recording["bots"], turn, columns)
    return Compared(len(recording["turns"]), differences + other_end(state, recording))


def beginning(recording: dict[str, Any]) -> Any:
    """The state that a recording starts from, by way of an ordinary setup."""
    setup = {"rules": "classic", "turns": recording["max_turns"], "columns": recording["starts"]}
    return GAME.new_state(resolve(GAME.options, setup), len(recording["bots"]))


def actions_of(state: Any, names: list[str], replies: dict[str, str]) -> list[int]:
    """What the replies make the living bots do: rest, where one cannot be read."""
    actions = row_of(len(names))
    for bot, name in enumerate(names):
        if state.status[bot] == ALIVE:
            action = parse(replies[name], state, bot)
            actions[bot] = rules.REST if isinstance(action, Fault) else action
    return actions


def other_views(state: Any, number: int, names: list[str], recorded: dict[str, str]) -> list[str]:
    """Lines for the bots whose view, or whether they are sent one, is not what was recorded."""
    ours = {
        name: hashlib.md5(GAME.prompt(state, bot), usedforsecurity=False).hexdigest()[:DIGITS]
        for bot, name in enumerate(names)
        if state.status[bot] == ALIVE
    }
    return [
        f"turn {number}: {name} was sent {recorded.get(name)}, by us {ours.get(name)}"
        for name in names
        if recorded.get(name) != ours.get(name)
    ]


def other_state(state: Any, number: int, names: list[str], turn: dict[str, Any], columns: Columns) -> list[str]:
    """Lines when the living bots, the rocks or the meteors after a turn are not those recorded."""
    alive = [[name, state.x[bot], state.y[bot]] for bot, name in enumerate(names) if state.status[bot] == ALIVE]
    rocks = {x: column for x in range(WIDTH) if (column := column_of(state, x))}
    meteors = [[state.meteor_x[m].hex(), state.meteor_y[m].hex()] for m in range(state.meteors)]
    compared = (
        ("living", turn["alive"], alive),
        ("rocks, as bits,", {x: column for x, column in columns.items() if column}, rocks),
        ("meteors", turn["meteors"], meteors),
    )
    return [f"turn {number}: {what} {theirs}, ours {ours}" for what, theirs, ours in compared if theirs != ours]


def other_end(state: Any, recording: dict[str, Any]) -> list[str]:
    """Lines when the game does not end where the recording does, in the same way, with the same scores."""
    if recording.get("crash"):
        return [] if state.crashed else ["the controller crashed, for us no bot is below the floor"]
    lines = [] if rules.over(state) else ["the recording ends, for us the game goes on"]
    if state.crashed:
        lines.append("for us a bot is below the floor, but the controller did not crash")
    scores = row_of(len(recording["bots"]))
    rules.scores(state, scores)
    ours = dict(zip(recording["bots"], scores, strict=True))
    if dict(recording["scores"]) != ours:
        lines.append(f"scores {recording['scores']}, ours {ours}")
    return lines
