"""The classic games beside OpenSpiel's: the same legal actions and results, move by move, where it is installed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.game import Game
from dohyo.core.options import resolve
from tests.classics.games import classic
from tests.classics.test_backgammon import BAR, CHECKERS, halves, ours
from tests.games.perft import after
from tests.skips import Reason, skip_for

Peer = Any  # a state of theirs
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def spiel(name: str) -> Peer:
    """The first state of a game of theirs; without OpenSpiel, the test is skipped."""
    try:
        import pyspiel
    except ImportError:
        skip_for(Reason.PEER, "OpenSpiel is not installed")
    return pyspiel.load_game(name).new_initial_state()


def first(game: Game) -> Any:
    """Our first state."""
    return game.new_state(resolve(game.options, {}), 2)


def matches(full: bool) -> range:
    """The seeds of the matches that are played."""
    return range(20 if full else 2)


def check_result(game: Game, state: Any, returns: list[float]) -> None:
    """Both say who has won."""
    winner = game.rules.winner(state)
    assert [(each > 0) - (each < 0) for each in returns] == [
        0 if winner < 0 else 1 if winner == seat else -1 for seat in range(2)
    ]


def of_chess(theirs: Peer, action: int) -> int:
    """Their number for a move."""
    return int(theirs.parse_move_to_action(classic("chess").protocol.text(action)))


def of_go(theirs: Peer, action: int) -> int:
    """Their rows are numbered from below."""
    return action if action == 81 else (8 - action // 9) * 9 + action % 9


def same(theirs: Peer, action: int) -> int:
    """Their number is ours."""
    return action


@pytest.mark.parametrize(
    ("name", "their_name", "translated"),
    [
        ("chess", "chess", of_chess),
        ("go", "go(board_size=9,komi=7.5)", of_go),
        ("hex", "hex(board_size=11)", same),
        ("othello", "othello", same),
    ],
)
def test_the_same_moves_are_legal(
    name: str, their_name: str, translated: Callable[[Peer, int], int], full: bool
) -> None:
    """In games without chance, until one of both ends.

    OpenSpiel's go lets a position come again, and calls that a draw; it ends after 162 turns.
    """
    game = classic(name)
    for seed in matches(full):
        state, theirs, chooser = first(game), spiel(their_name), random.Random(seed)
        while not (game.rules.over(state) or theirs.is_terminal()):
            seat = state.turn % 2
            legal = {translated(theirs, action): action for action in game.legal_actions(state, seat)}
            more = set(theirs.legal_actions()) ^ set(legal)
            if name == "go":
                mine = {translated(theirs, at): at for at in range(81)}
                assert all(own(game, "breaks_superko")(state, seat, mine[each]) for each in more)
            else:
                assert not more
            assert theirs.current_player() == (1 - seat if name == "chess" else seat)  # their white is 1
            chosen = chooser.choice(sorted(legal))
            theirs.apply_action(chosen)
            state = after(game, state, seat, legal[chosen])
        assert theirs.is_terminal()
        assert game.rules.over(state) or (name == "go" and state.turn == 162)
        check_result(game, state, theirs.returns()[:: -1 if name == "chess" else 1])


def own(game: Game, name: str) -> Any:
    """A function of the game's file."""
    return game.rules.step.__globals__["own_step"].__globals__[name]


@pytest.mark.parametrize(("name", "cards"), [("kuhn_poker", 1), ("leduc_poker", 2)])
def test_the_same_is_won_at_poker(name: str, cards: int, full: bool) -> None:
    """The same bets are legal, and bring the same; `cards` have the same rank there."""
    game = classic(name)
    for seed in range(400 if full else 100):
        state, theirs, chooser = first(game), spiel(name), random.Random(seed)
        while not theirs.is_terminal():
            dealt = []
            while theirs.is_chance_node():
                dealt.append(chooser.choice(theirs.legal_actions()))
                theirs.apply_action(dealt[-1])
            if dealt:
                assert game.rules.needs_dice(state)
                game.rules.deal(state, [1 + card // cards for card in dealt], None)
            (seat,) = game.acting(state, 2)
            assert seat == theirs.current_player()
            assert list(game.legal_actions(state, seat)) == theirs.legal_actions()
            action = chooser.choice(theirs.legal_actions())
            theirs.apply_action(action)
            state = after(game, state, seat, action)
        assert game.rules.over(state)
        assert [game.rules.score(state, seat) for seat in range(2)] == theirs.returns()


def test_the_same_is_won_at_goofspiel(full: bool) -> None:
    """Both bid at once; prizes come in any order."""
    game = games.load(EXAMPLES / "goofspiel.py")
    for seed in matches(full):
        state, chooser = first(game), random.Random(seed)
        theirs = spiel("goofspiel(num_cards=6,players=2,imp_info=True)")
        prizes = chooser.sample(range(1, 7), 6)
        game.rules.deal(state, prizes, None)
        for prize in prizes:
            if theirs.is_chance_node():
                theirs.apply_action(prize - 1)
            assert state.prize == prize
            bids = []
            for seat in range(2):
                legal = list(game.legal_actions(state, seat))
                if not theirs.is_terminal():
                    assert [bid - 1 for bid in legal] == theirs.legal_actions(seat)
                bids.append(chooser.choice(legal))
            if not theirs.is_terminal():
                theirs.apply_actions([bid - 1 for bid in bids])
            game.rules.step(state, bids, None)
        assert game.rules.over(state)
        check_result(game, state, theirs.returns())


def test_the_same_is_won_at_pig(full: bool) -> None:
    """A roll of 1 ends the turn; 50 points win."""
    game = games.load(EXAMPLES / "pig.py")
    for seed in matches(full):
        state, theirs, chooser = first(game), spiel("pig(players=2,winscore=50)"), random.Random(seed)
        while not (game.rules.over(state) or theirs.is_terminal()):
            (seat,) = game.acting(state, 2)
            assert seat == theirs.current_player()
            holds = chooser.random() < 0.2
            theirs.apply_action(1 if holds else 0)
            state = after(game, state, seat, 0 if holds else 1)
            if theirs.is_chance_node():
                die = chooser.randint(1, 6)
                theirs.apply_action(die - 1)
                game.rules.deal(state, [die], None)
        if theirs.is_terminal():
            check_result(game, state, theirs.returns())


def board_of(theirs: Peer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Their checkers as `halves` tells ours: off, points 1 to 24, the bar."""
    found = []
    for seat in range(2):
        points = [theirs.board(seat, 24 - point if seat == 0 else point - 1) for point in range(1, BAR)]
        bar = theirs.board(seat, 100)
        found.append((CHECKERS - sum(points) - bar, *points, bar))
    return found[0], found[1]


def after_two(state: Any) -> dict[Any, Any]:
    """What a seat can make of its next two moves, of four in a double; fewer, where its turn ends before."""
    if sum(state.left) <= 2:
        return {halves(each): each for each in ours(state).values()}
    game, found, todo = classic("backgammon"), {}, [(0, state)]
    while todo:
        moves, now = todo.pop()
        if moves == 2 or now.mover != state.mover or game.rules.over(now):
            found[halves(now)] = now
            continue
        for action in game.legal_actions(now, state.mover):
            todo.append((moves + 1, after(game, now, state.mover, action)))
    return found


def test_the_same_is_won_at_backgammon(full: bool) -> None:
    """Each decision of theirs, of up to two moves, leads to a position of ours, and all of ours are there."""
    game = classic("backgammon")
    for seed in range(40 if full else 3):
        state, chooser = first(game), random.Random(seed)
        theirs = spiel("backgammon(scoring_type=full_scoring)")
        while not (theirs.is_terminal() or game.rules.over(state)):
            if theirs.is_chance_node():
                chance = chooser.choice(theirs.legal_actions())
                dice = [int(die) for die in theirs.action_to_string(-1, chance).rpartition("roll: ")[2].rstrip(")")]
                starts = "X starts" in theirs.action_to_string(-1, chance)
                theirs.apply_action(chance)
                game.rules.deal(state, sorted(dice, reverse=starts), None)
            assert state.mover == theirs.current_player()
            reached: dict[Any, int] = {}
            for action in theirs.legal_actions():
                reached.setdefault(board_of(theirs.child(action)), action)
            made = after_two(state)
            assert set(made) == set(reached)
            chosen = chooser.choice(sorted(made))
            theirs.apply_action(reached[chosen])
            state = made[chosen]
            if not theirs.is_chance_node() and not theirs.is_terminal() and state.mover != theirs.current_player():
                theirs.apply_action(theirs.legal_actions()[0])  # the rest of a double that cannot be played
        assert theirs.is_terminal()
        assert [game.rules.score(state, seat) for seat in range(2)] == theirs.returns()
