"""Where the enemies may be: every pair of cells that fits all that was seen, turn after turn."""

from itertools import permutations

from dohyo.games.wondev_woman.board import CELLS, DIRECTIONS, NOBODY, STEP, TOP, place, sees, slot_of
from dohyo.games.wondev_woman.legality import can_build, can_enter, is_ahead
from dohyo.games.wondev_woman.rules import LAYOUT

MOST = 3000  # pairs that are looked at in a turn


class Fog:
    """The cells where the enemies may stand; a player's own units, and the board, are always known.

    `me` is our seat. `before` is the state after our last action as far as we knew it, and None before the first.
    """

    def __init__(self, me):
        self.me, self.enemy = me, 1 - me
        self.pairs = None

    def look(self, before, now, seen):
        """Take in a turn: the state that we left behind, the one that we see (without enemies), and the enemies seen.

        `seen` holds a cell for each enemy unit, or None.
        """
        self.pairs = [pair for pair in self._moved(before, now) if fits(now, self.me, pair, seen)]
        if not self.pairs:  # something happened that we do not think of, so we know nothing
            self.pairs = [pair for pair in self._anywhere(now, seen) if fits(now, self.me, pair, seen)]

    def _anywhere(self, now, seen):
        """All pairs of cells in play that nobody of ours stands on."""
        free = [cell for cell in range(CELLS) if 0 <= now.height[cell] <= TOP and now.who[cell] == NOBODY]
        known = [[cell] if cell is not None else free for cell in seen]
        if len(known) == 1:
            return [(cell,) for cell in known[0]]
        return [(a, b) for a in known[0] for b in known[1] if a != b]

    def _moved(self, before, now):
        """Where the enemies may stand after their turn."""
        if before is None or self.pairs is None:
            return []
        raised = [cell for cell in range(CELLS) if now.height[cell] != before.height[cell]]
        if len(raised) > 1:
            return []
        shifted = [
            unit for unit in range(now.units) if now.at[slot_of(self.me, unit)] != before.at[slot_of(self.me, unit)]
        ]
        board = LAYOUT.copy(before)
        found = set()
        for pair in self.pairs[:MOST]:
            for unit, cell in enumerate(pair):
                place(board, slot_of(self.enemy, unit), cell)
            if shifted:
                found.update(self._pushed(board, pair, raised, shifted))
            elif raised:
                found.update(self._built(board, pair, raised[0]))
            else:
                found.update(self._cancelled(board, pair))
            for cell in pair:
                board.who[cell] = NOBODY
        return sorted(found)

    def _built(self, board, pair, raised):
        """After a move to a cell beside the one that was raised."""
        for unit, start in enumerate(pair):
            for first in range(DIRECTIONS):
                there = start + STEP[first]
                if raised - there in STEP and can_enter(board, start, there):
                    if can_build(board, self.enemy, start, raised):
                        yield changed(pair, unit, there)

    def _pushed(self, board, pair, raised, shifted):
        """After a push: the pusher stands behind the cell that was raised. Nobody else has moved."""
        for start in pair:
            if raised and raised[0] - start in STEP and board.at[slot_of(self.me, shifted[0])] == raised[0]:
                yield pair

    def _cancelled(self, board, pair):
        """After a turn in which nothing was built: a unit of ours stood there, unseen. Or the enemy is out."""
        yield pair
        ours = [board.at[slot_of(self.me, unit)] for unit in range(board.units)]
        for unit, start in enumerate(pair):
            for first in range(DIRECTIONS):
                there = start + STEP[first]
                if any(cell - there in STEP and not sees(board, self.enemy, cell) for cell in ours):
                    if can_enter(board, start, there):
                        yield changed(pair, unit, there)


def changed(pair, unit, cell):
    """The pair with one of them elsewhere."""
    return (*pair[:unit], cell, *pair[unit + 1 :])


def fits(now, me, pair, seen):
    """Whether the enemies may stand so, for who sees what we see."""
    for cell, found in zip(pair, seen, strict=True):
        if found is not None:
            if cell != found:
                return False
        elif sees(now, me, cell) or now.who[cell] != NOBODY:
            return False
    return True
