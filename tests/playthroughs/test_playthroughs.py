"""One readable recording a game: when a rule changes, the difference shows in review, in words.

`./dev test tests/playthroughs --rewrite-playthroughs` writes them anew after a change that is meant.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo import games
from dohyo.core.flat import read_events
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import outcome

SEED = 20151128  # the day on which the Japanese rule text was printed
TURNS = 60  # of a game whose matches are short: of several matches
PROMPT_EVERY = 12  # turns between two prompts told whole; a prompt of one line is told every time


def playthrough(game: Game) -> Iterator[str]:
    """The lines of a recording: random play, what each turn did, now and then what a seat was sent."""
    seats = min(game.seats[1], max(game.seats[0], 4))
    setup = resolve(game.options, {})
    yield f"{game.name}, rules {game.version}, {seats} seats, {msgspec.json.encode(setup).decode()}"
    chooser, turns = random.Random(SEED), 0
    for seed in itertools.count(SEED):
        if seed > SEED:
            yield from ("", f"another match, seed {seed}")
        turns += yield from match(game, game.new_state(setup, seats), seats, seed, chooser, TURNS - turns)
        if turns == TURNS:
            return


def match(
    game: Game, state: Any, seats: int, seed: int, chooser: random.Random, most_turns: int
) -> Generator[str, None, int]:
    """The lines of a match, to its end or for so many turns; how many it took."""
    rules, source, dice = game.rules, game.source(seed), [0] * game.rules.DICE
    for turn in range(most_turns):
        events = game.new_events()
        if rules.needs_dice(state):
            source.turn, source.draw = turn, 0
            count = rules.roll(state, source, dice)
            rules.deal(state, dice, events)
            yield f"dice {dice[:count]}"
        if rules.over(state):
            yield ended(game, state, seats)
            return turn
        before = rules.LAYOUT.copy(state)
        acting = game.acting(state, seats)
        prompt = game.prompt(state, acting[0]).decode().splitlines()
        if len(prompt) == 1:
            yield f"seat {acting[0]} is sent {prompt[0]}"
        elif turn % PROMPT_EVERY == 0:
            yield f"seat {acting[0]} is sent"
            yield from (f"    {line}" for line in prompt)
        actions = [chooser.choice(game.legal_actions(state, p)) if p in acting else None for p in range(seats)]
        rules.step(state, [action or 0 for action in actions], events)
        text = game.protocol.text
        told = ", ".join(f"{p} {text(action)}" for p, action in enumerate(actions) if action is not None)
        marks = game.frame(before, actions, read_events(events), state)["marks"]
        yield f"turn {turn}: {told}"
        yield from (f"    {' '.join(map(str, mark))}" for mark in marks)
        yield f"    state {rules.LAYOUT.digest(state)}"
    if rules.over(state):
        yield ended(game, state, seats)
    return most_turns


def ended(game: Game, state: Any, seats: int) -> str:
    """The line that tells how a match ended."""
    result = outcome(game, state, seats)
    return f"over: {result.reason_key}, places {list(result.places)}, winner {result.winner}"


@pytest.mark.parametrize("game", games.all_games().values(), ids=lambda game: game.name)
def test_playthrough(game: Game, request: pytest.FixtureRequest) -> None:
    """Random play with a fixed seed goes as it was recorded."""
    recorded = Path(__file__).parent / f"{game.name}.txt"
    text = "\n".join(playthrough(game)) + "\n"
    if request.config.getoption("--rewrite-playthroughs"):
        recorded.write_text(text, encoding="utf-8")
    assert text == recorded.read_text(encoding="utf-8")
