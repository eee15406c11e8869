"""Where the enemies may be: every pair of cells that fits all that was seen, turn after turn.

It goes by the game's own rules: what our action leads to is what they say, and so is what an enemy may do.
"""

from dohyo.games.wondev_woman.board import CELLS, DIRECTIONS, STEP, TOP, is_taken, leave, place, sees, slot_of
from dohyo.games.wondev_woman.legality import PUSH, UNIT, can_enter, is_listed
from dohyo.games.wondev_woman.rules import LAYOUT, step

MOST = 2000  # pairs that are looked at in a turn
NEIGHBOUR = {step: direction for direction, step in enumerate(STEP)}
NEAR = frozenset(first + second for first in STEP for second in STEP)


class Fog:
    """The cells where the enemies of seat `me` may stand. Own units and the board are always known."""

    def __init__(self, me):
        self.me, self.enemy = me, 1 - me
        self.pairs = []
        self.left = []  # boards without enemies that our last action may have led to, and who may stand there

    def look(self, now, seen):
        """Take in a turn: the state without enemies, and for each enemy the cell where it is seen, or None.

        Returns how many points the enemy has probably made meanwhile.
        """
        found = {}
        for before, pairs in self.left:
            found.update((pair, scored) for pair, scored in self._moved(before, pairs, now))
        found = {pair: scored for pair, scored in found.items() if fits(now, self.me, pair, seen)}
        self.pairs = sorted(found) or [pair for pair in anywhere(now, seen) if fits(now, self.me, pair, seen)]
        return int(2 * sum(found.values()) > len(found))

    def act(self, now, action):
        """Our own action; the state after it, as if nobody that we do not see stood in its way."""
        start = now.at[slot_of(self.me, action % PUSH // UNIT)]
        there = start + STEP[action % UNIT // DIRECTIONS]
        beyond = there + STEP[action % DIRECTIONS]
        groups = {False: [], True: []}  # whether somebody stands where we build, or push an enemy to
        for pair in self.pairs:
            groups[beyond in pair].append(pair)
        self.left = []
        for hidden, pairs in groups.items():
            if pairs:
                after = with_enemies(now, self.enemy, pairs[0])
                step(after, [action, action], None)
                for unit in range(now.units):
                    leave(after, slot_of(self.enemy, unit))
                if action >= PUSH and not hidden:
                    self.left.append((after, [tuple(beyond if at == there else at for at in pair) for pair in pairs]))
                else:
                    self.left.append((after, pairs))
        return self.left[0][0]

    def _moved(self, before, pairs, now):
        """Where the enemies may stand after their turn, and whether that has brought them a point."""
        raised = [cell for cell in range(CELLS) if now.height[cell] != before.height[cell]]
        if len(raised) > 1 or any(now.height[cell] != before.height[cell] + 1 for cell in raised):
            return
        ours = [slot_of(self.me, unit) for unit in range(now.units)]
        pushed = [before.at[slot] for slot in ours if now.at[slot] != before.at[slot]]
        for pair in pairs[:MOST]:
            if pushed:  # the pusher stands where it stood, beside the cell that was raised
                if raised == pushed and any(raised[0] - cell in NEIGHBOUR for cell in pair):
                    yield pair, False
            elif not raised or any(raised[0] - cell in NEAR for cell in pair):
                for unit, cell in enumerate(pair):
                    place(before, slot_of(self.enemy, unit), cell)
                yield from self._walked(before, pair, raised[0]) if raised else self._cancelled(before, pair)
                for unit in range(len(pair)):
                    leave(before, slot_of(self.enemy, unit))

    def _walked(self, board, pair, raised):
        """After a move to a cell beside the one that was raised."""
        for unit, start in enumerate(pair):
            for first in range(DIRECTIONS):
                there, second = start + STEP[first], NEIGHBOUR.get(raised - start - STEP[first])
                if second is not None and is_listed(board, self.enemy, unit * UNIT + first * DIRECTIONS + second):
                    yield changed(pair, unit, there), board.height[there] == TOP

    def _cancelled(self, board, pair):
        """After a turn in which nothing was built: a unit of ours stood there, unseen. Or the enemy is out."""
        yield pair, False
        ours = [board.at[slot_of(self.me, unit)] for unit in range(board.units)]
        hidden = [cell for cell in ours if not sees(board, self.enemy, cell)]
        for unit, start in enumerate(pair):
            enter = can_enter(board, start)
            for first in range(DIRECTIONS):
                there = start + STEP[first]
                if enter >> first & 1 and any(cell - there in NEIGHBOUR for cell in hidden):
                    yield changed(pair, unit, there), board.height[there] == TOP


def anywhere(now, seen):
    """All pairs of cells in play that nobody of ours stands on."""
    free = [cell for cell in range(CELLS) if 0 <= now.height[cell] <= TOP and not is_taken(now, cell)]
    known = [[cell] if cell is not None else free for cell in seen]
    if len(known) == 1:
        return [(cell,) for cell in known[0]]
    return [(a, b) for a in known[0] for b in known[1] if a != b]


def changed(pair, unit, cell):
    """The pair with one of them elsewhere."""
    return (*pair[:unit], cell, *pair[unit + 1 :])


def with_enemies(now, enemy, pair):
    """The state with the enemies in these cells."""
    world = LAYOUT.copy(now)
    for unit, cell in enumerate(pair):
        place(world, slot_of(enemy, unit), cell)
    return world


def fits(now, me, pair, seen):
    """Whether the enemies may stand so, for who sees what we see."""
    for cell, found in zip(pair, seen, strict=True):
        if found is not None:
            if cell != found:
                return False
        elif not 0 <= now.height[cell] <= TOP or is_taken(now, cell) or sees(now, me, cell):
            return False
    return True
