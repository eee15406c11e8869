"""Tic-tac-toe: who first has three in a row wins."""

from dohyo.core.flat import Layout

SEATS = 2
ROWS = COLUMNS = 3
GIVE_UP = ROWS * COLUMNS  # actions: the nine cells row by row, and to give up
ACTIONS = GIVE_UP + 1
CONCESSIONS = (GIVE_UP,)  # stands in the place of an answer that is no action

LAYOUT = Layout("TicTacToe", ("turn", "i1", 0), ("ended", "i1", 0), ("board", "i1", (ROWS, COLUMNS)))
SIGNS = {"board": ".XO"}
REASONS = {1: "three in a row", 2: "the board is full", 3: "a player gave up"}

LINES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 4, 8, 2, 4, 6)  # eight times three cells


def is_legal(s, seat, action):
    """Whether the cell is free."""
    return 0 <= action < GIVE_UP and s.board[action] == 0


def step(s, actions, events):
    """Put a sign on a cell."""
    seat = s.turn % SEATS
    action = actions[seat]
    s.turn += 1
    if action == GIVE_UP:
        s.ended = 3
        return
    s.board[action] = seat + 1
    for at in range(0, len(LINES), 3):
        if s.board[LINES[at]] == s.board[LINES[at + 1]] == s.board[LINES[at + 2]] == seat + 1:
            s.ended = 1
    if s.ended == 0 and s.turn == ROWS * COLUMNS:
        s.ended = 2


def winner(s):
    """Who moved last, or whose opponent gave up."""
    last = (s.turn + 1) % SEATS
    if s.ended == 2:
        return -1
    return last if s.ended == 1 else 1 - last


def text(action):
    """An action's word."""
    return "give-up" if action == GIVE_UP else str(action)
