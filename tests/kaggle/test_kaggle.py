"""The interface of Kaggle's environments over our games."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import dohyo
from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.rewards import Reward
from dohyo.kaggle import bot_of, evaluate, make

GAMES = ("abotcalypse", "drop-block", "shoot-em-up", "wondev-woman")


def first_legal(observation, configuration):
    """An agent."""
    return observation.legal_actions[0]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_run_and_told_step_by_step(name):
    """Every game: one step for the beginning and one for each turn, rewards that fit the places, and plain JSON."""
    env = make(name, {"seed": 3, **({"episodeSteps": 8} if name == "drop-block" else {})})
    seats = len(env.state)
    steps = env.run([first_legal] * seats)
    assert len(steps) == env.replay.played + 1 == len(env.logs) + 1
    assert all(len(step) == seats for step in steps)
    assert env.done
    assert {one.status for one in env.state} <= {"DONE", "INVALID"}
    best = [place == 1 for place in env.replay.result.places]
    rewards = [one.reward for one in env.state]
    assert all(rewards[seat] == max(rewards) for seat in range(seats) if best[seat])
    told = json.loads(env.render(mode="json"))
    assert set(told) >= {"id", "name", "configuration", "specification", "steps", "rewards", "statuses", "info"}
    assert set(told["steps"][0][0]) == {"action", "reward", "info", "observation", "status"}


@pytest.mark.parametrize("name", GAMES)
def test_a_match_stepped_by_hand_is_the_match_that_was_run(name):
    """The same actions give the same steps, whether functions were run or somebody called `step` for each turn."""
    env = make(name, {"seed": 5, **({"episodeSteps": 6} if name == "drop-block" else {})})
    state = env.reset()
    while not env.done:
        state = env.step([one.observation.legal_actions[0] if one.status == "ACTIVE" else None for one in state])
    by_hand = env.toJSON()["steps"]
    run = env.run([first_legal] * len(state))
    assert json.loads(json.dumps(run)) == json.loads(json.dumps(by_hand))


def test_agents_see_what_their_seat_is_sent_and_the_configuration():
    """An observation has the game's fields, as attributes and as keys; the configuration never has the seed."""
    seen = []

    def looks(observation, configuration):
        seen.append((observation, configuration))
        return observation["legal_actions"][-1]

    make("drop-block", {"turns": 4, "seed": 1, "actTimeout": 5}).run([looks, "random", "random", "random"])
    observation, configuration = seen[0]
    assert observation.player == 0
    assert observation.blocks == observation["blocks"]
    assert observation.players[0].row == observation["players"][0]["row"]
    assert configuration.turns == 4
    assert configuration.actTimeout == 5.0
    assert "seed" not in configuration


def test_agents_see_the_fields_of_a_game_in_one_file_by_their_names():
    """As in every other game: attributes and keys."""
    seen = make("hex").state[0].observation
    assert seen.board == [[0] * 11] * 11
    assert seen["turn"] == 0
    assert "named" not in seen


@pytest.mark.parametrize(
    ("agent", "status"),
    [
        (lambda observation: 1 / 0, "ERROR"),
        (lambda observation: "nonsense", "INVALID"),
        (lambda observation: None, "INVALID"),
    ],
)
def test_a_failing_agent_has_its_own_status(agent, status, capsys):
    """In a game that ends a player's part by a fault, the last step says by which of the three it was."""
    env = make("wondev-woman", {"seed": 1}, debug=True)
    env.run([agent, "random"])
    assert env.state[0].status == status
    assert env.state[1].status == "DONE"
    assert env.state[0].reward == -1.0
    assert [one.info.get("fault", "") != "" for one in env.steps[1]] == [True, False]
    assert "player 0" in capsys.readouterr().out


def test_one_learns_and_the_others_play():
    """`train` gives observation, reward, done and info; the steps are those of the match that was played."""
    env = make("drop-block", {"turns": 8, "seed": 2})
    trainer = env.train([first_legal, None, "random", 0])
    seen, done, count = trainer.reset(), False, 0
    while not done:
        assert seen.player == 1
        seen, reward, done, _info = trainer.step(seen.legal_actions[0])
        count += 1
    assert count == 2
    assert -1 <= reward <= 1
    assert env.done
    assert len(env.steps) == 9
    with pytest.raises(OperatorError):
        trainer.step("U")


def lowest_column(obs, config):
    """An agent as it is written for Kaggle: the emptiest column, from the left."""
    open_ones = [c for c in range(config.columns) if obs.board[c] == 0]
    filled = {c: sum(obs.board[c + r * config.columns] != 0 for r in range(config.rows)) for c in open_ones}
    return min(open_ones, key=filled.get)


def test_connectx_is_seen_as_kaggle_has_it():
    """A flat board from the top, the own mark, the configuration by its names; rewards 1, -1 and 0."""
    seen = []

    def looks(obs, config):
        seen.append((obs, config))
        return 3

    env = make("connectx", debug=True)
    assert {"random", "negamax"} <= set(env.agents)
    env.run([looks, lowest_column])
    (first, config), (second, _) = seen[:2]
    assert (first.board, first.mark, first.step, second.step) == ([0] * 42, 1, 0, 2)
    assert (config.rows, config.columns, config.inarow) == (6, 7, 4)
    expected = [0] * 42
    expected[5 * 7 + 3], expected[5 * 7] = 1, 2
    assert second.board == expected
    assert [one.observation.mark for one in env.state] == [1, 2]
    assert [one.reward for one in env.state] == [1, -1]
    full = make("connectx", {"rows": 1, "columns": 2, "inarow": 2})
    assert [one.reward for one in full.run([lowest_column, lowest_column])[-1]] == [0, 0]


def test_a_column_that_is_full_or_not_there_is_invalid():
    """The agent has lost, and its status says why; the other one has won."""
    for column in (7, -1, 3):
        env = make("connectx")
        env.run([lambda obs, config, column=column: column, lambda obs: 3 if obs.board[3] == 0 else 0])
        assert [one.status for one in env.state] == ["INVALID", "DONE"]
        assert [one.reward for one in env.state] == [-1, 1]


def test_a_trainer_of_connectx_meets_the_agents_that_kaggle_names():
    """`train` with "negamax": the same observation, and another size of the board."""
    env = make("connectx", {"rows": 5, "columns": 6, "inarow": 3, "seed": 3})
    trainer = env.train(["negamax", None])
    seen, done, reward = trainer.reset(), False, 0
    assert (len(seen.board), seen.mark) == (30, 2)
    while not done:
        seen, reward, done, _info = trainer.step(lowest_column(seen, env.configuration))
    assert reward == -1


def test_an_agent_of_connectx_is_the_same_as_a_program(tmp_path):
    """Its file, run by itself, sees the same board and configuration."""
    source = tmp_path / "mine.py"
    source.write_text(
        "from dohyo.kaggle import bot_of\n\n"
        "def agent(obs, config):\n"
        "    assert len(obs.board) == config.rows * config.columns\n"
        "    return (obs.mark + obs.step) % config.columns\n\n"
        'if __name__ == "__main__":\n'
        "    bot_of(agent).run()\n"
    )
    env = make("connectx", {"rows": 4, "columns": 5, "seed": 1})
    env.run([str(source), lambda obs, config: (obs.mark + obs.step) % config.columns])
    assert [one.status for one in env.state] == ["DONE", "DONE"], env.logs


def test_evaluation_plays_seeds_one_after_the_other():
    """Each match has its own seed, and the same call gives the same rewards again."""
    found = evaluate("shoot-em-up", [first_legal, first_legal], {"seed": 1}, num_episodes=3)
    assert len(found) == 3
    assert found == evaluate("shoot-em-up", [first_legal, first_legal], {"seed": 1}, num_episodes=3)


@pytest.mark.parametrize(
    ("game", "configuration", "key"),
    [
        ("drop-block", {"rows": 3}, "unknown-setup-key"),
        ("drop-block", {"actTimeout": -1}, "kaggle-time"),
        ("drop-block", {"actTimeout": "soon"}, "kaggle-time"),
        ("wondev-woman", {"episodeSteps": 3}, "kaggle-length"),
        ("drop-block", {"seed": -1}, "bad-seed"),
    ],
)
def test_a_configuration_that_means_nothing_is_refused_by_name(game, configuration, key):
    """One sentence, which names the key."""
    with pytest.raises(OperatorError) as error:
        make(game, configuration)
    assert error.value.key == key


def test_boards_and_pages_are_rendered(capsys):
    """Text before, during and after a match; the page of one that is still played says that it is unfinished."""
    env = make("wondev-woman", {"seed": 1})
    assert "player 0" in env.render(mode="ansi")
    env.step([env.state[0].observation.legal_actions[0], None])
    assert "<html" in env.render(mode="html").lower()
    assert env.step([None, env.state[1].observation.legal_actions[0]])  # rendering did not disturb the match
    env.render()
    assert "player 1" in capsys.readouterr().out
    with pytest.raises(ValueError, match="mode is one of"):
        env.render(mode="film")


def test_an_agent_becomes_a_program(tmp_path):
    """`bot_of(agent).run()` makes a file with an agent a bot for every command, with the same answers."""
    source = tmp_path / "mine.py"
    source.write_text(
        "from dohyo.kaggle import bot_of\n\n"
        "def agent(observation, configuration):\n"
        "    assert configuration.actTimeout > 0\n"
        "    return observation.legal_actions[0]\n\n"
        'if __name__ == "__main__":\n'
        "    bot_of(agent).run()\n"
    )
    seats = [str(source), "random", "random", "random"]
    replay = dohyo.play("drop-block", seats, seed=1, setup={"turns": 8}, sandbox="none")
    assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert [move.action for turn in replay.turns for move in turn.moves if move.seat == 0] == ["U", "U"]


def test_what_is_no_agent_is_refused():
    """Too many arguments, or nothing that can be called."""
    with pytest.raises(TypeError):
        bot_of(lambda a, b, c: 0)
    with pytest.raises(TypeError):
        bot_of("random")


def test_the_interface_starts_without_what_learners_need():
    """Neither Gymnasium nor NumPy is imported to make an environment."""
    code = "import sys; from dohyo.kaggle import make; make('drop-block'); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert not {"gymnasium", "numpy", "IPython"} & set(found.stdout.split())


def test_a_game_may_be_given_itself():
    """As for `dohyo.play`."""
    assert make(games.find("shoot-em-up")).name == "shoot-em-up"


def test_what_users_of_kaggle_type_first():
    """The lines of its README: no steps to begin with, every place of `evaluate`, what an agent will see."""
    env = make("drop-block", configuration={"turns": 4}, steps=[], debug=True)
    assert env.specification.observation.legal_actions == {"type": "array"}
    assert set(env.specification.observation) == set(env.state[0].observation)
    assert env.configuration.episodeSteps == 4
    rewards = evaluate("drop-block", [first_legal] * 4, {"turns": 2, "seed": 1}, [], 2, False)
    assert [len(one) for one in rewards] == [4, 4]
    for again in (lambda: make("othello", steps=[1]), lambda: evaluate("othello", [], {}, [1])):
        with pytest.raises(OperatorError) as error:
            again()
        assert error.value.key == "kaggle-steps"


def test_a_match_pays_its_points() -> None:
    """With the reward "score" the last step pays the chips that were won, and no range is promised."""
    env = make("kuhn-poker", {"seed": 1}, reward="score")
    env.run([first_legal] * 2)
    paid = [one.reward for one in env.state]
    assert paid == list(env.replay.result.scores)
    assert sorted(paid) == [-1, 1]  # both have passed
    assert env.specification.reward == {"type": "number"}
    assert evaluate("kuhn-poker", [first_legal] * 2, {"seed": 1}, reward="margin") == [[2 * each for each in paid]]
    usual = make("kuhn-poker", reward=Reward()).specification.reward
    assert usual == make("kuhn-poker").specification.reward == {"type": "number", "minimum": -1, "maximum": 1}
