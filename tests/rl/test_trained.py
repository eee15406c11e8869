"""The example of training in `examples/train`: the bot, what it sees, how it is made; without the training itself."""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

from dohyo import games
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.laws.matches import finish
from dohyo.match.replays.replays import save
from dohyo.sim import records
from tests.cli.typed import type_alone
from tests.sim.whole_modules import compile_rules

EXAMPLE = Path(__file__).parents[2] / "examples" / "train"
BOT = EXAMPLE / "trained"
GAME = games.find("drop-block")
MATCHES = 40
NAMES = (
    "adapter",
    "bot",
    "clone",
    "evaluate",
    "export",
    "features",
    "matches",
    "train",
    "trained",
    "trained.features",
)


@pytest.fixture(scope="module")
def example() -> Iterator[SimpleNamespace]:
    """The example's modules and its bot's, imported as they import each other."""
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(BOT))
    patch.syspath_prepend(str(EXAMPLE))
    yield SimpleNamespace(
        **{name: importlib.import_module(name) for name in ("bot", "clone", "evaluate", "export", "matches")}
    )
    patch.undo()
    for name in NAMES:
        sys.modules.pop(name, None)


def read(bot: ModuleType, prompt: bytes, patch: pytest.MonkeyPatch) -> tuple[int, Any]:
    """What the bot reads when it is sent this text: its seat and a state; it must read all of it."""
    patch.setattr(sys, "stdin", io.StringIO(prompt.decode()))
    found: tuple[int, Any] = bot.read_state()
    assert sys.stdin.read() == ""
    return found


def play(decide: Callable[[Any, int], int], seed: int) -> Any:
    """A match in which `decide(state, seat)` says what each seat does; how it ended."""
    state, source, rules = GAME.new_state(resolve(GAME.options, {}), 4), GAME.source(seed), GAME.rules
    dice = [0] * rules.DICE
    rules.roll(state, source, dice)
    rules.deal(state, dice, None)
    while not rules.over(state):
        seat = state.turn % 4
        actions = [0] * 4
        actions[seat] = decide(state, seat)
        rules.step(state, actions, None)
    return state


def test_the_bot_sees_what_was_trained_on(example: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the protocol's text alone the bot works out the numbers that the compiled features are, at every turn."""
    compiled = compile_rules(example.matches.features)
    chance, record = Random(3), records.blank(GAME.rules.LAYOUT, 1)
    exercised, turns = numpy.zeros(example.bot.SIZE, bool), 0

    def compare(state: Any, seat: int) -> int:
        nonlocal turns
        seen, wanted = [9.0] * example.bot.SIZE, numpy.full(example.bot.SIZE, 9, "f4")
        example.bot.observe(read(example.bot, GAME.prompt(state, seat), monkeypatch)[1], seat, seen)
        records.write(GAME.rules.LAYOUT, record, 0, state)
        compiled.observe(record[0], seat, wanted)
        assert numpy.array_equal(numpy.array(seen, "f4"), wanted), GAME.prompt(state, seat)
        exercised.__ior__(wanted != 0)
        assert abs(wanted).max() <= 1
        turns += 1
        return chance.randrange(6)

    for seed in range(8):
        play(compare, seed)
    assert turns > 200
    assert exercised.mean() > 0.9


def test_an_export_is_the_policy(example: SimpleNamespace, tmp_path: Path) -> None:
    """A folder of its own with everything the bot needs; its network is the policy's, its choices too."""
    chance = numpy.random.default_rng(4)
    size = example.bot.SIZE
    first, last = (
        SimpleNamespace(weight=chance.normal(size=(o, i)), bias=chance.normal(size=o)) for i, o in ((size, 7), (7, 6))
    )
    network = SimpleNamespace(mlp_extractor=SimpleNamespace(policy_net=[first, object()]), action_net=last)
    example.export.export(SimpleNamespace(policy=network), tmp_path / "mine")
    made = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    assert made.keys() == {path.name for path in BOT.iterdir() if path.is_file()}
    assert all(made[name] == (BOT / name).read_bytes() for name in example.export.FILES)
    seen = chance.uniform(-1, 1, size)
    wanted = numpy.tanh(first.weight @ seen + first.bias) @ last.weight.T + last.bias
    found = example.bot.Network(tmp_path / "mine" / "weights.json").scores(list(seen))
    assert numpy.allclose(found, wanted, atol=0.02)


def test_the_trained_bot_is_small() -> None:
    """Its folder is less than 300 kB."""
    assert sum(path.stat().st_size for path in BOT.iterdir() if path.is_file()) < 300_000


def test_the_trained_bot_has_learned(example: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against three random players, with a quarter for even, it wins clearly more than half of its matches."""
    network, chance, won = example.bot.Network(BOT / "weights.json"), Random(5), 0
    for seed in range(MATCHES):

        def decide(state: Any, seat: int, own: int = seed % 4) -> int:
            if seat != own or state.row[seat] < 0:
                return chance.randrange(6)
            asked, read_of = read(example.bot, GAME.prompt(state, seat), monkeypatch)
            assert asked == seat
            return network.choose(read_of, seat)  # type: ignore[no-any-return]

        won += GAME.rules.winner(play(decide, seed)) == seed % 4
    assert example.evaluate.interval(won, MATCHES)[0] > 0.5


def test_many_games_at_once_are_evaluated(example: SimpleNamespace, full: bool) -> None:
    """The compiled games that training plays tell the same of the bot; and each of them is played to its end."""
    if not full:
        return  # what it compiles takes ten seconds
    layers = json.loads((BOT / "weights.json").read_text())
    arrays = [(numpy.array(layer["weight"], "f4"), numpy.array(layer["bias"], "f4")) for layer in layers]
    scores = example.evaluate.play(arrays, 4000, 5)
    won = sum(score == example.evaluate.SCORE_OF_A_WIN for score in scores)
    assert example.evaluate.interval(won, len(scores))[0] > 0.8


def test_the_interval_is_wilsons(example: SimpleNamespace) -> None:
    """As in the literature: of 10, 1 gives 1.8 % to 40.4 %; it never leaves 0 .. 1."""
    assert example.evaluate.interval(1, 10) == pytest.approx((0.0179, 0.4042), abs=1e-4)
    assert example.evaluate.interval(0, 10)[0] == pytest.approx(0)
    assert example.evaluate.interval(10, 10)[1] == pytest.approx(1)


def test_the_trained_bot_enters_a_contest(tmp_path: Path) -> None:
    """As a bot like any other, in the sandbox where there is one: all is played, and without a fault."""
    bots = (str(BOT), *(f"{name}=random.py" for name in ("one", "two", "three")))
    usual = ("--setup", "turns=60", "--seed", "3", "--clock", "60,mode=cpu", "--json")
    done = type_alone("contest", "run", "--game", "drop-block", *bots, *usual, cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert (found["state"], found["played"], found["set_aside"]) == ("over", found["scheduled"], [])
    assert {row["bot"] for row in found["standings"]} == {"Trained", "one", "two", "three"}
    assert not [row["faults"] for row in found["standings"] if row["faults"]]


def test_a_network_learns_what_it_is_shown(example: SimpleNamespace) -> None:
    """Of decisions that follow a rule it learns the rule: it holds for others, too."""
    chance = numpy.random.default_rng(6)
    seen, rule = chance.normal(size=(4000, 8)).astype("f4"), chance.normal(size=(8, 6))
    right = (seen @ rule).argmax(axis=1)
    network = example.clone.Network((8, 32, 6), 0)
    for _ in range(20):
        network.epoch(seen[:3000], right[:3000], 3e-3)
    assert (network.choose(seen[3000:]) == right[3000:]).mean() > 0.85


def test_a_recorded_bot_is_cloned(
    example: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a folder of replays to a bot's folder; how well it agrees is told of matches that it has not seen."""
    for seed in range(4):
        replay = finish(Referee(GAME, resolve(GAME.options, {"turns": 60}), 4, seed), {"turns": 60}, seed).replay
        save(replay, tmp_path / f"{seed}.replay")
    words = ["clone.py", str(tmp_path), "--bot", "random 1", "--out", str(tmp_path / "cloned"), "--epochs", "1"]
    monkeypatch.setattr(sys, "argv", words)
    example.clone.main()
    assert re.search(r"agrees in \d+\.\d% of the new decisions", capsys.readouterr().out)
    example.bot.Network(tmp_path / "cloned" / "weights.json")


if find_spec("stable_baselines3"):  # nobody needs it to work on Dohyo: where it is not, there is nothing to skip

    def test_training_runs(tmp_path: Path, example: SimpleNamespace) -> None:
        """A few updates of PPO, and an export that plays."""
        train = importlib.import_module("train")
        policy = train.train(2 * train.GAMES * train.DECISIONS, 0, tmp_path / "curve.csv")
        example.export.export(policy, tmp_path / "mine")
        example.bot.Network(tmp_path / "mine" / "weights.json")
        assert (tmp_path / "curve.csv").read_text().startswith("decisions,")
