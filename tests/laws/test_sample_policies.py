"""Sample bots that are policies: what the program answers, the policy answers, in real matches of every game."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from dohyo import games
from dohyo.bots.samples import sample_bots
from dohyo.classics import NAMES
from dohyo.core.clock import Clock
from dohyo.core.flat import row_of
from dohyo.core.game import Game, usual_seats
from dohyo.core.playback import moments
from dohyo.core.policies import Asked
from dohyo.core.replay import faults_of
from dohyo.games.policies import find_policy, policies_of, policy_names, policy_of
from dohyo.match.play import play_match

PATIENT = Clock(turn=100.0, ready=100.0)
SEEDS = (1, 2)
DRAWS = 100  # of a policy that draws lots: more than enough to see every action that it takes one time in ten
# Own turns in which a program does not know yet what the policy knows: which number of a position is the row.
LEARNS = {("drop-block", "hunter"): 2, ("drop-block", "trapper"): 2}
SHORT = {"drop-block": {"turns": 160}, "abotcalypse": {"turns": 40}}


def found() -> list[tuple[str, str]]:
    """Every game that comes along, with each of its bots that is a policy."""
    return [(name, bot) for name in (*games.all_games(), *NAMES) for bot in policies_of(games.find(name))]


def may_answer(game: Game, policy: Any, state: Any, seat: int, action: int) -> bool:
    """Whether the policy may answer so there, as far as its draws show."""
    options = row_of(game.rules.ACTIONS)
    if game.rules.legal(state, seat, options) == 1:
        return action == options[0]
    return any(Asked(game, policy, seed).choose(state, seat) == action for seed in range(DRAWS))


@pytest.mark.process
@pytest.mark.parametrize(("name", "bot"), found())
def test_the_policy_answers_as_the_program_does(name: str, bot: str) -> None:
    """In matches of the program against itself and random players, each answer is one that the policy may give."""
    game, policy = games.find(name), policy_of(games.find(name), bot)
    assert policy is not None
    seats, compared = usual_seats(game), 0
    for seed in SEEDS:
        others = [bot if seed % 2 else "random", *["random"] * (seats - 2)]
        replay = play_match(game, [bot, *others][:seats], seed=seed, setup=SHORT.get(name), clock=PATIENT)
        assert not faults_of(replay.turns, 0)
        own_turns = 0
        for moment in moments(game, replay):
            if moment.actions[0] is not None:
                own_turns += 1
                if own_turns > LEARNS.get((name, bot), 0):
                    assert may_answer(game, policy, moment.before, 0, moment.actions[0]), (seed, moment.turn)
                    compared += 1
    assert compared > 10


def test_rules_of_thumb_are_policies() -> None:
    """Every sample bot that is one can be asked without a process."""
    known = {
        *(("abotcalypse", "builder"), ("abotcalypse", "shelter"), ("backgammon", "prudent")),
        ("battlesnake", "roomy"),
        *(("connect-four", "watchful"), ("connectx", "negamax"), ("drop-block", "hunter"), ("go", "keen")),
        *(("shoot-em-up", "gunner"), ("wondev-woman", "climber")),
    }
    assert known <= {*found()}


@pytest.mark.parametrize("name", [*games.all_games(), *NAMES])
def test_no_other_bot_is_run_to_look(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only files that define a policy are imported: the others would begin to read what a match sends."""
    game = games.find(name)
    texts = {bot: path.read_text() for bot, path in sample_bots(game).items() if path.suffix == ".py"}
    without = [bot for bot, text in texts.items() if "def policy(" not in text]
    monkeypatch.setattr("importlib.util.spec_from_file_location", lambda *given: pytest.fail(str(given)))
    assert [find_policy(game, bot) for bot in without] == [None] * len(without)


ASKED = "def policy(s, seat, options, count, luck):\n    return options[0]\n"
PLAYS = "raise SystemExit('it began to play')\n"
BOTS = {
    "neural": f"def policy(observation):\n    return 0\n\n\n{PLAYS}",
    "cached": f"import functools\n\n\n@functools.cache\n{ASKED}\n\n{PLAYS}",
    "inner": f"from dohyo.core.flat import flat\n\nclass A:\n    @flat\n    def policy(s):\n        pass\n\n{PLAYS}",
    "broken": "@flat\ndef policy(\n",
    "plain": f"from dohyo.core.flat import flat\n\n\n@flat\n{ASKED}",
    "roomy": f"from dohyo.core import policies\n\n\n@policies.flat_in(('seen', 'i8', 4))\n{ASKED}",
}


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    """A game with these bots, as somebody's own has them; what is imported of them is forgotten again."""
    before = set(sys.modules)
    (tmp_path / "bots").mkdir()
    for name, text in BOTS.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)
    yield structs.replace(games.find("connect-four"), folder=tmp_path)
    for name in set(sys.modules) - before:
        if name.endswith(tuple(f".bots.{bot}" for bot in BOTS)):
            del sys.modules[name]


def test_a_function_of_that_name_without_the_mark_is_no_policy(game: Game) -> None:
    """A bot that plays as soon as it is run may call a function `policy`: it is never imported to see the mark."""
    assert policy_names(game) == ("plain", "roomy")
    assert [*policies_of(game)] == ["plain", "roomy"]
    for name in BOTS:
        assert (find_policy(game, name) is not None) == (name in ("plain", "roomy"))


def test_their_names_are_known_without_an_import(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who only asks for names, as a message does, runs no bot."""
    monkeypatch.setattr("importlib.util.spec_from_file_location", lambda *given: pytest.fail(str(given)))
    assert policy_names(game) == ("plain", "roomy")


def test_a_policy_whose_program_plays_when_run_waits_for_nobody(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a file is asked for its policy alone: it has nothing to read, and what it prints is seen by nobody."""
    talks = "import sys\n\nprint('READY')\nfor line in sys.stdin:\n    print(line)\n"
    (tmp_path / "bots" / "plain.py").write_text(f"{BOTS['plain']}\n\n{talks}")
    monkeypatch.setattr("sys.stdin", io.StringIO("of somebody else\n"))
    assert find_policy(game, "plain") is not None
    assert capsys.readouterr().out == ""
    assert sys.stdin.read() == "of somebody else\n"


def test_a_path_or_another_word_is_no_policy() -> None:
    """Whoever writes a path wants a program; a share that is none is an error."""
    game = games.find("drop-block")
    for word in ("./hunter.py", str(Path(game.folder) / "bots" / "hunter.py"), "random", "sensei", "nobody", ""):
        assert find_policy(game, word) is None
        with pytest.raises(ValueError, match=r"drop-block has no policy .*; sample bots that are policies: .*hunter"):
            policy_of(game, word)
    assert policy_of(game, "hunter") is policy_of(game, "Hunter.py")
    assert policy_of(game, "hunter@40") is policy_of(game, "hunter@40")
    for word in ("hunter@", "hunter@-1", "hunter@101", "hunter@1e3", "hunter@00101", "hunter@00050"):
        with pytest.raises(ValueError, match="100"):
            policy_of(game, word)
