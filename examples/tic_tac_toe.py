"""Tic-tac-toe: who first has three in a row wins."""

from dohyo.core.flat import Layout

SEATS = 2
ROWS = COLUMNS = 3
ACTIONS = ROWS * COLUMNS  # the cells, row by row

LAYOUT = Layout("TicTacToe", ("turn", "i1", 0), ("ended", "i1", 0), ("board", "i1", (ROWS, COLUMNS)))
SIGNS = {"board": ".XO"}
RANGES = {"turn": (0, 9), "ended": (0, 2)}
REASONS = {1: "three in a row", 2: "the board is full"}

LINES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 4, 8, 2, 4, 6)  # eight times three cells


def is_legal(s, seat, action):
    """Whether the cell is free."""
    return s.board[action] == 0


def why_illegal(s, seat, action):
    """What a bot's author is told of an illegal action; may be left out."""
    return "the cell is taken" if s.board[action] != 0 else None


def step(s, actions, events):
    """Put a sign on a cell."""
    seat = s.turn % SEATS
    s.turn += 1
    s.board[actions[seat]] = seat + 1
    for at in range(0, len(LINES), 3):
        if s.board[LINES[at]] == s.board[LINES[at + 1]] == s.board[LINES[at + 2]] == seat + 1:
            s.ended = 1
    if s.ended == 0 and s.turn == ROWS * COLUMNS:
        s.ended = 2


def winner(s):
    """Who moved last, unless the board is full."""
    return (s.turn + 1) % SEATS if s.ended == 1 else -1
