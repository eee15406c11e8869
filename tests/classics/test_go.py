"""Go: the literature's counts of positions and games, a second way to find what is legal, and well-known shapes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.classics.games import classic
from tests.games.perft import after

SIZE, PASS = 9, 81
Board = tuple[int, ...]


def board_of(text: str) -> Any:
    """The state with these rows, from the upper left; `.` an empty point, all further points beyond the board."""
    game = classic("go")
    state = game.rules.LAYOUT.new()
    state.board[:] = [3] * PASS
    for row, signs in enumerate(text.split()):
        for column, sign in enumerate(signs):
            state.board[row * SIZE + column] = ".XO".index(sign)
    game.rules.step.__globals__["own_step"].__globals__["settle"](state)
    return state


def empty(rows: int, columns: int) -> Any:
    """An empty board of any shape."""
    return board_of(" ".join(["." * columns] * rows))


def play(state: Any, *points: int) -> Any:
    """The state after stones on these points, or passes, each of which has to be legal."""
    for point in points:
        seat = state.turn % 2
        assert classic("go").rules.is_legal(state, seat, point), point
        state = after(classic("go"), state, seat, point)
    return state


def stones(state: Any) -> list[int]:
    """The points that may be played now, without the pass."""
    return [at for at in classic("go").legal_actions(state, state.turn % 2) if at != PASS]


def chain(board: Board, at: int) -> tuple[set[int], set[int]]:
    """The stones of a chain, and its liberties, by a search."""
    found, todo, free = {at}, [at], set()
    while todo:
        for near in beside(todo.pop()):
            if board[near] == 0:
                free.add(near)
            elif board[near] == board[at] and near not in found:
                found.add(near)
                todo.append(near)
    return found, free


def beside(at: int) -> list[int]:
    """The points next to one."""
    row, column = divmod(at, SIZE)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * SIZE + c for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE]


def put(board: Board, seat: int, at: int) -> Board | None:
    """The board with a stone more and what that takes away; none for suicide."""
    new = list(board)
    new[at] = seat + 1
    for near in beside(at):
        if new[near] == 2 - seat:
            taken, free = chain(tuple(new), near)
            if not free:
                for each in taken:
                    new[each] = 0
    return tuple(new) if chain(tuple(new), at)[1] else None


def in_atari(board: Board, seat: int) -> int:
    """The set of a seat's stones in chains with a single liberty."""
    return sum(1 << at for at in range(PASS) if board[at] == seat + 1 and len(chain(board, at)[1]) == 1)


def area(board: Board, seat: int) -> int:
    """Stones, and empty regions that touch no other ones."""
    count = sum(each == seat + 1 for each in board)
    for at in range(PASS):
        if board[at] == 0:
            seen, todo, touched = {at}, [at], set()
            while todo:
                for near in beside(todo.pop()):
                    if board[near] != 0:
                        touched.add(board[near])
                    elif near not in seen:
                        seen.add(near)
                        todo.append(near)
            count += touched - {3} == {seat + 1}
    return count


@pytest.mark.parametrize(("rows", "columns", "matches"), [(9, 9, 1), (5, 5, 2), (3, 3, 8), (2, 2, 20), (2, 7, 3)])
def test_what_is_legal_is_what_a_search_finds(rows: int, columns: int, matches: int) -> None:
    """In random matches, at every turn: no suicide, no board that was there before; taken stones, atari and area."""
    rules = classic("go").rules
    for seed in range(matches):
        state, chooser = empty(rows, columns), random.Random(seed)
        board: Board = tuple(state.board)
        seen = {board}
        while not rules.over(state):
            seat = state.turn % 2
            new = {at: put(board, seat, at) for at in range(PASS) if board[at] == 0}
            expected = [at for at, each in new.items() if each is not None and each not in seen]
            assert stones(state) == expected
            assert [at for at in range(PASS) if rules.is_legal(state, seat, at)] == expected
            at = chooser.choice([*expected, PASS])
            state = after(classic("go"), state, seat, at)
            board = new[at] or board if at != PASS else board
            seen.add(board)
            assert tuple(state.board) == board
            marked = [state.atari[2 * seat] | state.atari[2 * seat + 1] << 45 for seat in range(2)]
            assert marked == [in_atari(board, seat) for seat in range(2)]
            assert [rules.score(state, seat) for seat in range(2)] == [area(board, seat) for seat in range(2)]


def games_from(state: Any) -> int:
    """Ways to put stones down from here, of either colour each time, so that no position comes twice."""
    count = 1
    for first in (state, play(state, PASS)):
        for at in stones(first):
            count += games_from(after(classic("go"), first, first.turn % 2, at))
    return count


@pytest.mark.parametrize(("columns", "games"), [(1, 1), (2, 9), (3, 907)])
def test_so_many_games_are_possible(columns: int, games: int) -> None:
    """On a board of one row, as Tromp and Farneback count them (Combinatorics of Go)."""
    assert games_from(empty(1, columns)) == games


@pytest.mark.parametrize(
    ("rows", "columns", "positions"),
    [(1, 1, 1), (1, 2, 5), (1, 3, 15), (1, 4, 41), (1, 5, 113), (2, 2, 57), (2, 3, 489), (3, 3, 12675)],
)
def test_so_many_positions_are_reached(rows: int, columns: int, positions: int, full: bool) -> None:
    """All positions in which each chain has a liberty, and no others; the last one with `--full`."""
    if positions > 1000 and not full:
        return
    first = empty(rows, columns)
    seen, todo = {tuple(first.board)}, [first]
    settle = classic("go").rules.step.__globals__["own_step"].__globals__["settle"]
    while todo:
        state = todo.pop()
        for at in stones(state):
            new = after(classic("go"), state, state.turn % 2, at)
            if tuple(new.board) not in seen:
                seen.add(tuple(new.board))
                for seat in range(2):
                    twin = classic("go").rules.LAYOUT.new()
                    twin.board[:] = new.board
                    twin.turn = seat
                    settle(twin)
                    todo.append(twin)
    assert len(seen) == positions


def value(state: Any, low: float, high: float) -> float:
    """By how much the seat that is to move wins, as far as it is between these, by a search of all that can be."""
    rules, seat = classic("go").rules, state.turn % 2
    if rules.over(state):
        return float(rules.score(state, seat) - rules.score(state, 1 - seat))
    points = stones(state)
    for at in [PASS, *points] if state.passes else [*points, PASS]:
        low = max(low, -value(after(classic("go"), state, seat, at), -high, -low))
        if low >= high:
            break
    return low


@pytest.mark.parametrize(("rows", "columns", "wins_by"), [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (2, 2, 1)])
def test_what_a_small_board_is_worth(rows: int, columns: int, wins_by: int) -> None:
    """Black wins by so much without komi, between players without a mistake; 2 x 2 is the literature's."""
    assert value(empty(rows, columns), -4.0, 4.0) == wins_by


def at_point(word: str) -> int:
    """The number of a point as players write it."""
    return int(classic("go").protocol.read(word))


def test_a_ko_is_not_taken_back_at_once() -> None:
    """After a turn elsewhere, it is."""
    state = board_of("..... .XO.. XO.O. .XO.. .....")
    state = play(state, at_point("C7"))  # takes the stone to the left
    assert state.board[at_point("B7")] == 0
    assert at_point("B7") not in stones(state)
    state = play(state, at_point("A9"), at_point("E5"))
    assert at_point("B7") in stones(state)


def test_two_stones_sent_for_one_do_not_come_back_as_they_were() -> None:
    """Positional superko forbids also what is no simple ko: here after a pass, so that another seat moves."""
    state = empty(1, 3)
    state = play(state, 0, 2, 1)  # X X . took the stone at the right end
    assert tuple(state.board[:3]) == (1, 1, 0)
    state = play(state, 2)  # takes both
    assert tuple(state.board[:3]) == (0, 0, 2)
    assert stones(state) == [1]  # at the left end it would be X . O again


def test_suicide_is_not_legal_and_taking_the_last_liberty_is() -> None:
    """A stone without a liberty has to take something."""
    state = board_of(".XO XXO OOO")
    assert stones(state) == []
    state.turn = 1
    assert stones(state) == [0]  # three stones are taken
    assert tuple(play(state, 0).board[:3]) == (2, 0, 2)


def test_nobody_can_attack_in_a_seki() -> None:
    """Who fills one of two shared liberties is taken; as it stands these are nobody's points."""
    state = board_of("XX.OO XX.OO")
    assert [classic("go").rules.score(state, seat) for seat in range(2)] == [4, 4]
    assert stones(state) == [2, 11]
    state = play(state, 2, 11)  # five black stones are taken
    assert sum(each == 1 for each in state.board) == 0
    assert classic("go").rules.score(state, 1) == 10


def test_a_ladder_runs_to_the_edge() -> None:
    """Each stone that runs has one liberty more, and the next attack leaves one again; at the edge all are taken."""
    state = board_of("......... ..X...... .XO...... .X....... ......... ......... ......... ......... .........")
    attacks = [(2, 3), (4, 2), (3, 4), (5, 3), (4, 5), (6, 4), (5, 6), (7, 5), (6, 7), (8, 6), (7, 8)]
    runs = [(3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (7, 6), (7, 7), (8, 7)]
    for attack, run in zip(attacks, runs, strict=True):
        state = play(state, attack[0] * SIZE + attack[1])
        assert state.atari[2:] == state.stones[2:]
        state = play(state, run[0] * SIZE + run[1])
        assert (state.atari[2:] == state.stones[2:]) == (run == (8, 7))
    state = play(state, 8 * SIZE + 8)
    assert state.stones[2:] == [0, 0]
    assert sum(each == 1 for each in state.board) == 3 + 12


def test_komi_decides_a_draw() -> None:
    """On an empty board that both pass, white has the komi alone; without it nobody wins."""
    game = classic("go")
    for komi, winner in ((7.5, 1), (-0.5, 0), (0, -1)):
        state = game.new_state({"size": 5, "komi": komi}, 2)
        state = play(state, PASS, PASS)
        assert game.rules.over(state)
        assert game.rules.winner(state) == winner
        assert game.rules.score(state, 1) == komi
