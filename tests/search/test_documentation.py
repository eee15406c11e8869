"""What docs/search.md shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.clock import Clock
from dohyo.core.observation import Observation
from dohyo.core.options import resolve
from dohyo.match.play import play_match

PAGE = Path(__file__).parent.parent.parent / "docs" / "search.md"


def block(language: str, which: int = 0) -> str:
    """A block of code of the page."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[which]


def block_with(words: str) -> str:
    """The first block of Python in which these words stand."""
    return next(found for at in range(99) if words in (found := block("python", at)))


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    """The bot that the page shows, built and run as it shows, plays a match without a fault."""
    folder = tmp_path / "shown"
    (folder / "cache").mkdir(parents=True)
    (folder / "cache" / "given-up").touch()  # as if its build had: what is compiled is tested elsewhere
    source = block("python")
    assert "horizon=40))" in source
    (folder / "bot.py").write_text(source.replace("horizon=40))", "horizon=40), limit=0.02)"), encoding="utf-8")
    toml = block("toml")
    assert "--warm" in toml
    (folder / "bot.toml").write_text(re.sub("build = .*", 'build = "true"', toml), encoding="utf-8")
    replay = play_match("drop-block", [str(folder)] * 4, seed=1, setup={"turns": "24"}, clock=Clock(turn=60))
    moves = [move for turn in replay.turns for move in turn.moves]
    assert {move.seat for move in moves if move.seconds is not None} == {0, 1, 2, 3}  # how often, the time decides
    assert [fault for move in moves for fault in move.faults] == []


def test_the_network_of_the_page_is_searched_with() -> None:
    """The evaluator that the page shows fits the search that it makes."""
    names: dict[str, Any] = {}
    exec(block_with("PUCT("), names)
    game = names["GAME"]
    states = [game.new_state(resolve(game.options, {}), 4) for _ in range(2)]
    for seed, state in enumerate(states):
        dice = [0] * game.rules.DICE
        game.rules.roll(state, game.source(seed), dice)
        game.rules.deal(state, dice, None)
    thought = names["search"].think(states, playouts=12)
    assert thought.visits.sum(axis=(1, 2)).tolist() == [12, 12]


def test_the_belief_of_the_page_gives_worlds_to_its_search() -> None:
    """The bot's first turn in Kuhn poker: worlds are found, an action that is legal is chosen, and noted."""
    names: dict[str, Any] = {}
    exec(block_with("Belief(").replace(", seconds=0.02)", ")"), names)  # however busy the machine is
    game, state = names["game"], names["game"].new_state({}, 2)
    game.rules.deal(state, [3, 1], None)
    lines = tuple(game.prompt(state, 0).decode().splitlines())
    assert names["act"](None, Observation(lines=lines, own_turn=0)) in game.legal_actions(state, 0)
    assert {world.card[0] for world in names["belief"].worlds} == {3}
    with pytest.raises(ValueError, match="not asked"):
        names["belief"].act(0)


def test_the_proof_of_the_page_proves() -> None:
    """The lines that the page shows find what an end of Othello is worth, and otherwise say nothing."""
    names: dict[str, Any] = {}
    exec(block_with("Proof("), names)
    assert names["proven"] is None
    game, state = names["game"], names["state"]
    while not game.rules.over(state):
        before = game.rules.LAYOUT.copy(state)
        (seat,) = game.acting(state, 2)
        game.rules.step(state, [game.legal_actions(state, seat)[0]] * 2, None)
    proven = names["proof"].prove(before, playouts=10**5)
    assert proven is not None
    assert proven.is_whole
