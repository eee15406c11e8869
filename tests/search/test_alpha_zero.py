"""The example that learns connect four by itself: its network, its training at a tiny size, and its bot."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.match.play import play_match
from dohyo.search import PUCT

EXAMPLE = Path(__file__).parents[2] / "examples" / "alpha_zero"
BOT = EXAMPLE / "zero"
NAMES = ("measure", "network", "train")
HIDDEN = (8, 8)


@pytest.fixture(scope="module")
def example() -> Iterator[SimpleNamespace]:
    """The example's modules, imported as they import each other."""
    before = {name: sys.modules.pop(name, None) for name in NAMES}
    patch = pytest.MonkeyPatch()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        patch.setenv(name, "1")
    patch.syspath_prepend(str(BOT))
    patch.syspath_prepend(str(EXAMPLE))
    yield SimpleNamespace(**{name: importlib.import_module(name) for name in NAMES})
    patch.undo()
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def boards(count: int, seed: int = 0) -> Any:
    """Stones anywhere: own ones, and the other's."""
    chance = numpy.random.default_rng(seed)
    mine = chance.random((count, 6, 7)) < 0.3
    return numpy.stack([mine, (chance.random((count, 6, 7)) < 0.3) & ~mine], axis=1).astype(numpy.int8)


def test_the_gradients_are_the_losses_slopes(example: SimpleNamespace) -> None:
    """Of each array of weights, the largest gradient is what a small change of that weight changes the loss by."""
    chance = numpy.random.default_rng(0)
    weights = {name: array.astype(float) for name, array in example.network.blank(HIDDEN, 1).weights.items()}
    weights["wp"], weights["wv"] = 30 * weights["wp"], 30 * weights["wv"]
    for name in ("b1", "b2"):  # none at a kink
        weights[name] = chance.normal(size=weights[name].shape)
    told = (
        example.network.features(boards(20)).astype(float),
        chance.dirichlet(numpy.ones(8), 20),
        chance.uniform(-1, 1, 20),
    )
    gradients, _ = example.train.gradients_of(weights, *told)
    for name, array in weights.items():
        at, losses = numpy.unravel_index(abs(gradients[name]).argmax(), array.shape), []
        for change in (1e-5, -2e-5):
            array[at] += change
            losses.append(sum(example.train.gradients_of(weights, *told)[1]))
        array[at] += 1e-5
        assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(gradients[name][at], rel=1e-3)


def test_the_network_sees_threats_and_landings(example: SimpleNamespace) -> None:
    """A fourth cell beside three stones is marked, and in each column the next free cell."""
    board = numpy.zeros((1, 2, 6, 7), numpy.int8)
    board[0, 0, 5, :3] = 1
    seen = example.network.features(board)[0]
    lines, cells = example.network.LINES.shape[1], 42
    assert lines == 69
    threats = seen[2 * cells + 1 + 3 * lines :][:cells].reshape(6, 7)
    assert [tuple(map(int, at)) for at in numpy.argwhere(threats)] == [(5, 3)]
    landings = seen[-cells:].reshape(6, 7)
    assert [tuple(map(int, at)) for at in numpy.argwhere(landings)] == [
        (4, 0),
        (4, 1),
        (4, 2),
        *((5, c) for c in range(3, 7)),
    ]


def test_steps_lower_the_losses(example: SimpleNamespace) -> None:
    """A small network learns a few positions by heart, and its file gives the same answers."""
    network = example.network.blank((32, 16))
    learner = example.train.Learner(network)
    seen, policies, values = boards(16), numpy.eye(8, dtype="f4")[[3] * 16], numpy.linspace(-1, 1, 16, dtype="f4")
    losses = [sum(learner.step(seen, policies, values, 1e-2)) for _ in range(150)]
    assert losses[-1] < losses[0] / 3


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_a_turn_of_self_play_keeps_whole_games(
    example: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """Positions come when their game has ended: policies sum to one, values are within -1..1, games begin anew."""

    def plain(*arguments: Any, **told: Any) -> PUCT:
        return PUCT(*arguments, **{**told, "compiled": False})

    monkeypatch.setattr(example.train, "PUCT", plain)
    network = example.network.blank(HIDDEN)
    play = example.train.SelfPlay(games.find("connect-four"), network, playouts=4, count=3, root=root)
    told: list[Any] = []
    while play.finished < 3:
        told += play.turn()
    memory = example.train.Memory(64)
    memory.add(told)
    drawn, policies, values = memory.draw(numpy.random.default_rng(0), 32)
    assert drawn.shape == (32, 84)
    assert policies.sum(axis=1) == pytest.approx(numpy.ones(32), abs=1e-5)
    assert abs(values).max() <= 1
    assert memory.seen == len(told) >= 21


def test_the_trained_network_has_learned(example: SimpleNamespace) -> None:
    """With 60 playouts, in plain Python, it wins most games against a network that knows nothing with as many."""
    game = games.find("connect-four")
    trained, blank = example.network.load(BOT / "weights.npz"), example.network.blank(HIDDEN)
    won = 0
    for match in range(6):
        state = game.new_state(resolve(game.options, {}), 2)
        searches = [PUCT(game, 2, each, nodes=200, noise=(1.0, 0.1), seed=match) for each in (trained, blank)]
        while not game.rules.over(state):
            seat = state.turn & 1
            action = searches[seat ^ match & 1].choose(state, seat, playouts=60).action
            game.rules.step(state, [action] * 2, None)
        won += game.rules.winner(state) == match & 1
    assert won >= 5
    assert (BOT / "weights.npz").stat().st_size < 600_000


@pytest.mark.process
def test_the_bot_plays_legally(example: SimpleNamespace, tmp_path: Path) -> None:
    """With a tiny network, in plain Python, it plays a match without a fault from either seat."""
    folder = tmp_path / "zero"
    shutil.copytree(BOT, folder, ignore=shutil.ignore_patterns("cache", "__pycache__"))
    example.network.blank(HIDDEN).save(folder / "weights.npz")
    source = (folder / "bot.py").read_text(encoding="utf-8")
    assert "Thinker(make)" in source
    (folder / "bot.py").write_text(source.replace("Thinker(make)", "Thinker(make, 0.1)"), encoding="utf-8")
    toml = (folder / "bot.toml").read_text(encoding="utf-8")
    kept = [line for line in toml.splitlines() if not line.startswith("build")]
    (folder / "bot.toml").write_text("\n".join(kept), encoding="utf-8")
    (folder / "cache").mkdir()
    (folder / "cache" / "given-up").touch()  # as if its build had: what is compiled is tested elsewhere
    replay = play_match("connect-four", [str(folder)] * 2, seed=1, clock=Clock(turn=60))
    moves = [move for turn in replay.turns for move in turn.moves]
    assert len(moves) >= 7
    assert [fault for move in moves for fault in move.faults] == []
