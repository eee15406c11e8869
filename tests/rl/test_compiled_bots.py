"""Sample bots without their processes: the same matches in compiled games, and who is meant by a bot's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from gymnasium.vector import SyncVectorEnv
from msgspec import structs

from dohyo import games
from dohyo.bots.typed_words import read
from dohyo.core.bot_spec import HandIn
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.policies import graded
from dohyo.games.policies import policies_of, policy_of
from dohyo.rl import Env, League, Programs, VectorEnv, vectorize
from dohyo.rl.compiled_opponents import compiled
from dohyo.rl.opponents import weaker_form
from tests import processes

PATIENT = Clock(turn=60.0, ready=60.0)  # however busy the machine is
STEPS = 30


def seen(env: Any, seed: int) -> list[Any]:
    """What a learner sees, wins and may do that always takes its last legal action but one."""
    one = isinstance(env, Env)
    observation, info = env.reset(seed=seed if one else [seed])
    found = [numpy.asarray(observation).reshape(-1).tolist()]
    for _ in range(STEPS):
        options = numpy.flatnonzero(numpy.asarray(info["action_mask"]).reshape(-1))
        action = int(options[-2:][0])
        observation, reward, over, _, info = env.step(action if one else numpy.array([action]))
        found.append((numpy.asarray(observation).reshape(-1).tolist(), float(numpy.asarray(reward).reshape(-1)[0])))
        if numpy.asarray(over).any():
            break
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_name_in_compiled_games_plays_as_its_program_does(seed: int) -> None:
    """In a VectorEnv "gunner" is the match that its program plays in an Env, and so is the policy itself there."""
    before = set(processes.children())
    game = games.find("shoot-em-up")
    compiled = seen(VectorEnv(game, 1, opponents="gunner", threads=1, autoreset_mode="Disabled"), seed)
    policy = policy_of(game, "gunner")
    assert policy is not None
    assert seen(Env(game, opponents=policy), seed) == compiled
    assert set(processes.children()) <= before
    program = Env(game, opponents="gunner", sandbox="none", clock=PATIENT)
    assert seen(program, seed) == compiled
    program.close()


def test_policies_think_in_fields_of_their_own_beside_others() -> None:
    """Whoever sits beside it, a policy that thinks in fields decides as it does alone in plain Python."""
    game = games.find("drop-block")
    hunter = policy_of(game, "hunter")
    assert hunter is not None
    compiled = VectorEnv(game, 1, opponents=["hunter", "hunter@0", hunter], threads=1, autoreset_mode="Disabled")
    plain = Env(game, opponents=[hunter, policy_of(game, "hunter@100"), hunter])
    alone = VectorEnv(game, 1, opponents="hunter", threads=1, autoreset_mode="Disabled")
    assert seen(plain, 3) == seen(alone, 3)
    assert seen(compiled, 3) != seen(alone, 3)  # one of them plays at random


def test_in_a_league_a_name_is_the_policy_unless_programs_are_asked_for() -> None:
    """Without `programs` no process begins."""
    before = set(processes.children())
    league = League({"gunner": "gunner", "weak": "gunner@10"}, "even")
    envs = VectorEnv("shoot-em-up", 4, opponents=league, threads=1, autoreset_mode="SameStep")
    _, infos = envs.reset(seed=1)
    for _ in range(STEPS):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert set(processes.children()) <= before
    assert sum(league.matches.values()) > 0


def test_single_environments_are_made_for_whoever_asks_for_programs() -> None:
    """`vectorize` compiles a bot that is a policy; with a clock or a sandbox the bot is meant as a program."""
    assert isinstance(vectorize("shoot-em-up", 2, opponents="gunner"), VectorEnv)
    programs = vectorize("shoot-em-up", 1, opponents="gunner", clock=PATIENT, sandbox="none")
    assert isinstance(programs, SyncVectorEnv)
    programs.close()


def test_what_cannot_be_compiled_is_said_with_what_can() -> None:
    """The message names the bots that are policies."""
    with pytest.raises(TypeError, match=r"^'sensei' cannot .* 'random', 'hunter', 'trapper' or flat"):
        VectorEnv("drop-block", 1, opponents="sensei")


def test_a_message_runs_no_bot(tmp_path: Path) -> None:
    """An author's bot that plays as soon as it is run is neither compiled nor run to say what could be."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "neural.py").write_text("def policy(observation):\n    return 0\n\n\nraise SystemExit\n")
    game = structs.replace(games.find("connect-four"), folder=tmp_path)
    for word in ("neural", "nobody"):
        with pytest.raises(TypeError, match="opponents are 'random' or flat"):
            VectorEnv(game, 1, opponents=word)


def test_a_misspelt_bot_is_told_its_name() -> None:
    """Who mistypes a sample bot's name is shown the one that was meant."""
    with pytest.raises(TypeError, match=r"'hutner' \(did you mean 'hunter'\?\) cannot be compiled"):
        VectorEnv("drop-block", 1, opponents="hutner")


def test_a_file_of_that_name_is_meant_rather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there under exactly the name of a sample bot is the opponent, as it is for every command."""
    (tmp_path / "gunner.py").write_text("print('READY')\n")
    (tmp_path / "gunner").mkdir()
    (tmp_path / "gunner@10").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    game = games.find("shoot-em-up")
    for word in ("gunner.py", "gunner", "gunner@10"):
        assert isinstance(read(word), HandIn)
        assert compiled(game, word) is None
        assert weaker_form(game, word) == word
        with pytest.raises(TypeError, match=f"'{word}', which is a file or a folder here, cannot be compiled"):
            VectorEnv(game, 1, opponents=word)
        with pytest.raises(TypeError, match="only if it is made with programs"):
            VectorEnv(game, 1, opponents=League({"one": word})).reset(seed=1)
    assert compiled(game, "Gunner.py") is not None
    envs = vectorize(game, 1, opponents="gunner.py", sandbox="none")
    assert isinstance(envs, SyncVectorEnv)
    envs.close()


def test_a_word_that_is_no_mode_is_told_with_those_that_are() -> None:
    """When games begin anew is one of Gymnasium's words."""
    with pytest.raises(ValueError, match="must be one of 'NextStep', 'SameStep', 'Disabled', not 'same'"):
        VectorEnv("shoot-em-up", 1, autoreset_mode="same")


def test_a_weaker_form_plays_wherever_an_opponent_is_named() -> None:
    """In an Env, in its league and beside programs "gunner@50" is the policy that a VectorEnv compiles."""
    before = set(processes.children())
    game, word = games.find("shoot-em-up"), "gunner@50"
    policy = policy_of(game, word)
    assert policy is not None
    expected = seen(Env(game, opponents=policy), 2)
    assert seen(Env(game, opponents=word), 2) == expected
    assert seen(Env(game, opponents=League({"weak": word}, "even")), 2)[0] == expected[0]
    envs = VectorEnv(game, 2, opponents=word, programs=Programs(PATIENT, "none"), threads=1)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()
    assert set(processes.children()) <= before
    with pytest.raises(ValueError, match="'gunner@00050': what follows @ must be a whole number from 0 to 100"):
        Env(game, opponents="gunner@00050")
    with pytest.raises(OperatorError, match="There is no bot 'nobody@50'"):
        Env(game, opponents="nobody@50", sandbox="none")


def test_weaker_forms_play_as_the_policy_in_their_share_of_decisions() -> None:
    """With a share of 0 it plays as random play does, with 100 as the policy, and each form is made once."""
    gunner = policies_of(games.find("shoot-em-up"))["gunner"]
    assert graded(gunner, 40) is graded(gunner, 40)
    with pytest.raises(ValueError, match="100"):
        graded(gunner, 101)
