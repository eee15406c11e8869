"""Drop-Block: our rules against the contest's referee.

A recording holds the start, every reply as the programs wrote it, what each player to move was sent, the letter that
was carried out, and the winner. The replies go through our protocol into our rules; compared are the texts byte for
byte, the letters of players that were alive when asked, when the match ended, and who won.

What the recordings do that a match of ours does not: a reply that never came (null) counts as doing nothing in that
turn only, and when all have fallen they go on to the limit. Positions are told column first.

How the slice in `tests/recordings` was cut: of the 196 games recorded, every game with a limit below 1000 turns, and
of the others the first, the fourth and so on; 116 games in the order of the file.
"""

from __future__ import annotations

from typing import Any

from dohyo import games
from dohyo.core.faults import Fault
from dohyo.core.flat import read_events, row_of
from dohyo.core.options import resolve
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.protocol import LETTERS, parse
from tests.conformance.recordings import Compared

COUNTED = "states"

GAME = games.find("drop-block")


def compare(recording: dict[str, Any]) -> Compared:
    """Play a recorded game; every input is one state."""
    state = beginning(recording)
    inputs, effective = recording["inputs"], recording["effective"]
    differences = lengths(recording)
    actions, events = row_of(rules.SEATS), GAME.new_events()
    for turn, reply in enumerate(recording["replies"][: len(inputs) - 1]):
        seat = turn % rules.SEATS
        differences += other_text(state, turn, inputs[turn])
        if rules.over(state):
            differences.append(f"turn {turn}: recorded, but for us the match is over")
        asked_alive = state.row[seat] >= 0
        actions[seat] = action_of(reply, state, seat)
        events.count = 0
        rules.step(state, actions, events)
        ignored = any(event[0] == rules.IGNORED for event in read_events(events))
        letter = "N" if ignored else LETTERS[actions[seat]]
        if asked_alive and letter != effective[turn]:
            differences.append(f"turn {turn}: {reply!r} carried out as {effective[turn]!r}, by us as {letter!r}")
    last = len(inputs) - 1
    differences += other_text(state, last, inputs[last])
    if not rules.over(state):
        differences.append(f"turn {last}: the recording ends, for us the match goes on")
    if rules.winner(state) != recording["winner"]:
        differences.append(f"winner {recording['winner']}, for us {rules.winner(state)}")
    return Compared(len(inputs), differences)


def beginning(recording: dict[str, Any]) -> Any:
    """The state that a recording starts from, by way of an ordinary setup."""
    setup = {
        "turns": recording["max_turns"],
        "idle": True,
        "position_order": "column-row",
        "players": [[row, column, facing] for column, row, facing in recording["initial"]],
    }
    return GAME.new_state(resolve(GAME.options, setup), rules.SEATS)


def lengths(recording: dict[str, Any]) -> list[str]:
    """A line when a recording does not hold one text more than replies, and one letter a reply."""
    replies, inputs, letters = (len(recording[name]) for name in ("replies", "inputs", "effective"))
    if (inputs, letters) == (replies + 1, replies):
        return []
    return [f"{replies} replies, but {inputs} inputs and {letters} letters"]


def other_text(state: Any, turn: int, recorded: str) -> list[str]:
    """A line when the text for the player to move is not the recorded one: the first line of it that differs."""
    ours = GAME.prompt(state, turn % rules.SEATS).decode()
    theirs = recorded + "\n"
    if ours == theirs:
        return []
    pairs = zip(ours.splitlines(), theirs.splitlines(), strict=False)
    where = next((f"{b!r}, ours {a!r}" for a, b in pairs if a != b), f"{len(theirs)} characters, ours {len(ours)}")
    return [f"turn {turn}: input {where}"]


def action_of(reply: str | None, state: Any, seat: int) -> int:
    """What a reply makes the player do: nothing, when there is none or it cannot be read."""
    action = rules.NOTHING if reply is None else parse(reply, state, seat)
    return rules.NOTHING if isinstance(action, Fault) else action
