"""The sample bot `searcher`: any game, by its rules alone."""

from __future__ import annotations

import importlib.util
import itertools
import time
from pathlib import Path
from typing import Any

import pytest

import dohyo
from dohyo import classics, games
from dohyo.bots.samples import samples_of
from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.reader import Reader
from dohyo.search import any_game, regrets
from dohyo.search.any_game import AnyGame
from dohyo.search.learned import learned, value_of
from dohyo.search.regrets import Regrets

GOOFSPIEL = Path(__file__).parents[2] / "examples" / "goofspiel.py"


def searcher() -> type[dohyo.Bot]:
    """The bot, as one that never waits for its deadline: nothing here depends on how fast the machine is."""
    spec = importlib.util.spec_from_file_location("searcher_sample", games.GENERAL_BOTS / "searcher.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class Hasty(module.Searcher):  # type: ignore[misc, name-defined]
        deadline = property(lambda self: time.monotonic())

    return Hasty


class First(dohyo.Bot):
    """Takes the first legal action."""

    def act(self, observation: Any) -> Any:
        """The first one."""
        return observation.legal_actions[0]


@pytest.mark.parametrize("name", [name for name in classics.NAMES if name != "battlesnake"])
def test_it_plays_every_classic_game(name: str) -> None:
    """A whole match on either seat without a fault, in which it had no time to think."""
    game = games.find(name)
    assert samples_of(game)["searcher"].name == "searcher.py"
    setup = {"size": 5} if name == "go" else {}
    hasty = searcher()
    for bots in ([hasty, First], [First, hasty]):
        replay = dohyo.play(name, bots, seed=3, clock=Clock(turn=600), setup=setup)
        assert not [move for turn in replay.turns for move in turn.moves if move.faults]


def test_it_plays_with_as_many_as_there_are() -> None:
    """In a game for several it finds by the state how many play."""
    replay = dohyo.play("battlesnake", [searcher(), First, First], seed=1, clock=Clock(turn=600), setup={"turns": 4})
    assert not [move for turn in replay.turns for move in turn.moves if move.faults]


@pytest.mark.parametrize("name", ["connect-four", "connectx"])
def test_it_takes_a_win_and_stops_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three in a row are made four, or stopped, after so many playouts and whatever the time."""
    monkeypatch.setattr(any_game, "MAX_SECONDS", 600.0)
    monkeypatch.setattr(any_game, "MAX_PLAYOUTS", 600)
    game = games.find(name)
    for moves, seat in (([0, 6, 0, 6, 0, 5], 0), ([0, 6, 0, 5, 0], 1)):
        state = game.new_state(resolve(game.options, {}), 2)
        for at, column in enumerate(moves):
            game.rules.step(state, [column] * 2, None)
            assert game.rules.acts(state, (at + 1) % 2)
        reader, seen = Reader(game, {}), None
        for line in game.prompt(state, seat).decode().splitlines():
            seen = reader.take(line)
        assert seen is not None
        assert AnyGame(game, {}, 1).choose(seen, seat, time.monotonic() + 600) == 0


def test_a_piece_of_chess_is_worth_the_moves_that_it_gives() -> None:
    """What was learned of chess has the order that players teach, for either side, and negative for the other."""
    chess = games.find("chess")
    known = learned(chess)
    assert known is not None
    assert learned(games.find("hex")) is None
    assert (known.field, len(known.worth), {len(each) for each in known.worth}) == ("board", 64, {13})
    mean = [sum(each[sign] for each in known.worth) / 64 for sign in range(13)]
    for side, first in ((1, 1), (-1, 7)):
        pieces = [side * mean[first + at] for at in range(5)]
        assert pieces == sorted(pieces)
        assert pieces[0] > 0.5
        assert 2 * pieces[1] < pieces[3] + pieces[1] < pieces[4]
    value, state = value_of(known), chess.new_state(resolve(chess.options, {}), 2)
    assert value(state, 0) == -value(state, 1)
    queen = [int(sign) for sign in state.board].index(11)
    state.board[queen] = 0
    assert value(state, 0) > 10


def test_kuhn_poker_is_played_as_theory_says() -> None:
    """The jack never calls, the king always does; the first player bets the king, and never the queen for long."""
    made = Regrets(games.find("kuhn-poker"), {}, 2, 1)
    made.learn(rounds=3000)
    texts = {
        (b"seat 1\n" in text, text[text.index(b"card ") + 5 : text.index(b"card ") + 6], b"moves b" in text): text
        for text in made.known
        if b"turn 2" not in text
    }
    for card, calls in ((b"J", 0.0), (b"K", 1.0)):
        assert made.shares(texts[True, card, True], 2)[1] == calls
    assert 0.15 < made.shares(texts[True, b"Q", True], 2)[1] < 0.55  # a third
    assert made.shares(texts[False, b"Q", False], 2)[1] < 0.15  # never
    assert made.shares(b"never seen", 4) == [0.25] * 4


def test_a_round_is_broken_off_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is looked at in each step, not only between rounds; what was tried until then is known."""
    game = games.load(GOOFSPIEL)
    made, now = Regrets(game, resolve(game.options, {}), 2, 1), itertools.count()
    monkeypatch.setattr(regrets.time, "monotonic", lambda: next(now))
    made.learn(until=100)
    assert (made.rounds, next(now)) == (0, 101)
    assert made.known


def test_what_is_known_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many numbers and so many bytes of texts are kept; with more texts it goes on without learning them."""
    game = games.load(GOOFSPIEL)
    for numbers, letters in ((500, 1 << 20), (1 << 20, 5000)):
        monkeypatch.setattr(regrets, "MAX_KNOWN", numbers)
        monkeypatch.setattr(regrets, "MAX_TEXT", letters)
        made = Regrets(game, resolve(game.options, {}), 2, 1)
        made.learn(rounds=1)
        assert made.rounds == 1
        assert 0 < sum(len(row) for pair in made.known.values() for row in pair) <= numbers
        assert sum(len(text) for text in made.known) <= letters


def test_a_large_game_is_learned_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of a game with more ways than can be tried ends after so many steps, and what was tried is known."""
    monkeypatch.setattr(regrets, "MAX_STEPS", 200)
    game = games.load(GOOFSPIEL)
    made = Regrets(game, resolve(game.options, {}), 2, 1)
    made.learn(rounds=1)
    assert made.rounds == 1
    assert 200 <= made._steps < 800
    assert made.known


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_hidden_cards_it_learns_for_as_many_as_there_are(seats: int) -> None:
    """In a hidden game for several it is told how many play, and plays on by what it has learned for so many."""
    game = games.load(GOOFSPIEL)
    state = game.new_state(resolve(game.options, {}), seats)
    dice = [1, 2, 3, 4, 5, 6]
    game.rules.deal(state, dice, None)
    reader, seen = Reader(game, {}), None
    for line in game.prompt(state, 0).decode().splitlines():
        seen = reader.take(line)
    assert seen is not None
    found = AnyGame(game, {}, 1)
    assert found.choose(seen, 0, time.monotonic()) in range(1, 7)
    assert found._regrets is not None
    assert found._regrets.seats == seats
    found._regrets.learn(rounds=1)
    assert found._regrets.known


@pytest.mark.parametrize(("name", "playouts"), [("connect-four", 60), ("chess", 150), ("othello", 12)])
def test_it_beats_random_play(name: str, playouts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On either seat, with so many playouts or positions a turn; `benchmarks/searcher.py` has it at full size."""
    monkeypatch.setattr(any_game, "MAX_SECONDS", 600.0)
    monkeypatch.setattr(any_game, "MAX_PLAYOUTS", playouts)
    bot = searcher()
    bot.deadline = property(lambda self: time.monotonic() + 600)  # type: ignore[method-assign, assignment]
    for seat in (0, 1):
        bots: list[Any] = [bot, Chancy] if seat == 0 else [Chancy, bot]
        replay = dohyo.play(name, bots, seed=5, clock=Clock(turn=600))
        assert replay.result.winner == seat
        assert not [move for turn in replay.turns for move in turn.moves if move.faults]


class Chancy(dohyo.Bot):
    """Takes any legal action."""

    def act(self, observation: Any) -> Any:
        """Any of them."""
        return self.random.choice(observation.legal_actions)
