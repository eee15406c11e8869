"""What the sensei knows of a match: the board as it is told, and how it has come to be.

A player is told the board in its own turns only. What the others answered in between follows from the difference, by
the rules: letters are tried until what they lead to is what is seen.

Nor is it told which number of a position is the row: the rule texts say the first, the contest's own referee sent the
column first. Who steps up or down changes its row, so the first step that anybody makes tells.
"""

from dohyo.games.drop_block.protocol import ACTION_OF
from dohyo.games.drop_block.rules import ACTIONS, ATTACK, BLOCKS, DOWN, LAYOUT, NOTHING, SEATS, UP, step

LINES = 13  # of an input
SEEN = ("turn", "row", "column", "facing", "stun", "block")
LIMIT = 1000  # turns of a match; nobody tells


class Match:
    """A match as one player sees it."""

    def __init__(self):
        self.me = None
        self.answered = NOTHING  # my last action
        self.other = None  # the board, if the columns are told first; none when it is known what is
        self._last = None  # the board of my last turn
        self._row_first = None  # whether the row is; none until somebody has made a step

    def see(self, lines):
        """Take in a turn's lines, each a list of words; the boards since my last turn, now's the last one.

        The first is the board after that turn of mine. Where it cannot be told how the board has come to be, as in
        the first turn, there is only now's.
        """
        now = self._learn(self._read(lines))
        boards = [now]
        if self._last is not None:
            now.fallen_at[:] = [
                at if row < 0 else now.turn - 1 if stands < 0 else 0
                for at, row, stands in zip(self._last.fallen_at, self._last.row, now.row, strict=True)
            ]
            boards = explain(self._last, now, self.me, self.answered)[1:] or boards
        self._last = boards[-1]
        return boards

    def _learn(self, now):
        """The board as it is, once it is known which numbers are the rows; until then `other` may be the true one."""
        if self._row_first is None and self._last is not None:
            self._row_first = told_first(self._last, now)
            if self._row_first is False:
                self._last = turned(self._last)
        self.other = turned(now) if self._row_first is None else None
        return turned(now) if self._row_first is False else now

    def _read(self, lines):
        s = LAYOUT.new()
        self.me = int(lines[0][0])
        s.turn, s.limit, s.dealt = int(lines[1][0]), LIMIT, 1
        s.block[:] = [int(word) for line in lines[2 : 2 + BLOCKS] for word in line]
        for p, (row, column, facing, stun) in enumerate(lines[2 + BLOCKS : 2 + BLOCKS + SEATS]):
            s.row[p], s.column[p], s.facing[p], s.stun[p] = int(row), int(column), ACTION_OF[facing], int(stun)
        return s


def told_first(before, now):
    """Whether the rows are told first, as both boards were read; none where nobody has made a step in between."""
    for p in range(SEATS):
        down, right = abs(now.row[p] - before.row[p]), abs(now.column[p] - before.column[p])
        if down + right == 1:
            return (down == 1) == (now.facing[p] in (UP, DOWN))
    return None


def turned(s):
    """The board, if the columns are told first."""
    other = LAYOUT.copy(s)
    other.row, other.column = other.column, other.row
    return other


def explain(s, seen, me, mine):
    """The boards from `s` to the one that was `seen`, both included; none if no letters lead there.

    `mine` is what I answered.
    """
    if s.turn >= seen.turn:
        return [s] if is_seen(s, seen) else []
    p = s.turn % SEATS
    for action in [mine] if p == me else guesses(s, seen, p):
        after = LAYOUT.copy(s)
        step(after, [action] * SEATS, None)
        if rest := explain(after, seen, me, mine):
            return [s, *rest]
    return []


def guesses(s, seen, p):
    """What a player may have answered."""
    if s.row[p] < 0 or s.stun[p] > 0:
        return [NOTHING]
    if seen.row[p] < 0:
        return range(ACTIONS)
    if seen.stun[p] > 0:
        return [ATTACK]
    moved = (seen.row[p], seen.column[p]) != (s.row[p], s.column[p])
    return [seen.facing[p]] if moved or seen.facing[p] != s.facing[p] else [NOTHING]


def is_seen(s, seen):
    """Whether a board is the one that was seen: all but when players fell, which nobody is told."""
    return all(getattr(s, field) == getattr(seen, field) for field in SEEN)
