"""Where the enemies may be: every pair of cells that fits all that was seen, turn after turn, and how likely it is.

It goes by the game's own rules: what our action leads to is what they say, and so is what an enemy may do. How likely
the enemy does it follows from how good it is for the enemy: somebody who plays well rarely does what is bad.
"""

from math import exp

from dohyo.games.wondev_woman.board import CELLS, DIRECTIONS, STEP, TOP, is_taken, leave, place, sees, slot_of
from dohyo.games.wondev_woman.legality import PUSH, UNIT, can_enter, is_listed
from dohyo.games.wondev_woman.rules import LAYOUT, step

MOST = 2000  # pairs that are looked at in a turn
JUDGED = 16  # the likeliest of them, for which it is asked what the enemy would like to do
NOTABLE = 0.004  # how likely these are at least: to ask takes long
CARELESS = 0.2  # how likely the enemy does anything, whatever it is worth
SURE = 0.5  # a difference in worth that makes an action e times as likely
GIVEN_UP = 0.002  # how likely an enemy is out that could go on
USUAL = 1 / 60  # how likely an action is that nobody has judged
NEIGHBOUR = {step: direction for direction, step in enumerate(STEP)}
NEAR = frozenset(first + second for first in STEP for second in STEP)


class Fog:
    """The cells where the enemies of seat `me` may stand, and how likely. Own units and the board are always known.

    `judged(state)` gives what may be done in a state, and what each is worth for who does it; without it, an enemy
    does anything. A pair's weight in `pairs` is its probability.
    """

    def __init__(self, me, judged=None):
        self.me, self.enemy = me, 1 - me
        self.judged = judged
        self.pairs = {}
        self.left = []  # boards without enemies that our last action may have led to, and who may stand there

    def look(self, now, seen):
        """Take in a turn: the state without enemies, and for each enemy the cell where it is seen, or None.

        Returns how many points the enemy has probably made meanwhile.
        """
        found, scoring = {}, 0.0
        for before, pairs in self.left:
            for pair, scored, weight in self._moved(before, pairs, now):
                if fits(now, self.me, pair, seen):
                    found[pair] = found.get(pair, 0.0) + weight
                    scoring += scored * weight
        total = sum(found.values())
        if not found:
            found = {pair: 1.0 for pair in anywhere(now, seen) if fits(now, self.me, pair, seen)}
        scale = sum(found.values()) or 1.0
        self.pairs = {pair: found[pair] / scale for pair in sorted(found)}
        return int(2 * scoring > total)

    def likeliest(self, count):
        """The likeliest pairs, the likeliest first, and how likely each is."""
        return sorted(self.pairs.items(), key=lambda item: (-item[1], item[0]))[:count]

    def act(self, now, action):
        """Our own action; the state after it, as if nobody that we do not see stood in its way."""
        start = now.at[slot_of(self.me, action % PUSH // UNIT)]
        there = start + STEP[action % UNIT // DIRECTIONS]
        beyond = there + STEP[action % DIRECTIONS]
        groups = {False: {}, True: {}}  # whether somebody stands where we build, or push an enemy to
        for pair, weight in self.pairs.items():
            groups[beyond in pair][pair] = weight
        self.left = []
        for hidden, pairs in groups.items():
            if pairs:
                after = with_enemies(now, self.enemy, next(iter(pairs)))
                step(after, [action, action], None)
                for unit in range(now.units):
                    leave(after, slot_of(self.enemy, unit))
                if action >= PUSH and not hidden:
                    self.left.append((after, {changed(p, p.index(there), beyond): w for p, w in pairs.items()}))
                else:
                    self.left.append((after, pairs))
        return self.left[0][0]

    def _moved(self, before, pairs, now):
        """Where the enemies may stand after their turn, whether that has brought them a point, and how likely."""
        raised = [cell for cell in range(CELLS) if now.height[cell] != before.height[cell]]
        if len(raised) > 1 or any(now.height[cell] != before.height[cell] + 1 for cell in raised):
            return
        ours = [slot_of(self.me, unit) for unit in range(now.units)]
        pushed = [(before.at[slot], now.at[slot]) for slot in ours if now.at[slot] != before.at[slot]]
        possible = []
        for pair, weight in pairs.items():
            if pushed:  # the pusher stands where it stood, beside the cell that was raised
                if raised == [pushed[0][0]] and any(raised[0] - cell in NEIGHBOUR for cell in pair):
                    possible.append((weight, pair))
            elif not raised or any(raised[0] - cell in NEAR for cell in pair):
                possible.append((weight, pair))
        possible.sort(reverse=True)
        walks = {}
        for rank, (weight, pair) in enumerate(possible[:MOST]):
            if pushed:
                found = self._pushed(pair, *pushed[0])
            elif raised:
                found = self._walked(before, pair, raised[0], walks)
            else:
                found = self._cancelled(before, pair)
            for unit, cell in enumerate(pair):  # before what was found is gone through, which looks at the board
                place(before, slot_of(self.enemy, unit), cell)
            likely = self._likely(before) if rank < JUDGED and weight >= NOTABLE else {}
            for after, scored, action in found:
                yield after, scored, weight * (GIVEN_UP if action is None else likely.get(action, USUAL))
            for unit in range(len(pair)):
                leave(before, slot_of(self.enemy, unit))

    def _likely(self, board):
        """How likely the enemy does what it may do here."""
        if self.judged is None:
            return {}
        options = self.judged(board)
        best = max(worth for _, worth in options)
        weights = {action: exp((worth - best) / SURE) for action, worth in options}
        total, any_one = sum(weights.values()), CARELESS / len(weights)
        return {action: any_one + (1 - CARELESS) * weight / total for action, weight in weights.items()}

    def _pushed(self, pair, start, end):
        """After a push of our unit from a cell to another one."""
        for unit, cell in enumerate(pair):
            if start - cell in NEIGHBOUR:
                first, second = NEIGHBOUR[start - cell], NEIGHBOUR[end - start]
                yield pair, False, PUSH + unit * UNIT + first * DIRECTIONS + second

    def _walked(self, board, pair, raised, walks):
        """After a move to a cell beside the one that was raised; `walks` keeps what each unit may do alone."""
        found = []
        for unit, start in enumerate(pair):
            if (unit, start) not in walks:
                walks[unit, start] = self._walks(board, unit, start, raised)
            for there, scored, action in walks[unit, start]:
                if there not in pair and (raised == start or raised not in pair):
                    found.append((changed(pair, unit, there), scored, action))
        return found

    def _walks(self, board, unit, start, raised):
        """The moves of an enemy on a cell after which it builds on the raised one, without the other enemy."""
        found = []
        place(board, slot_of(self.enemy, unit), start)
        for first in range(DIRECTIONS):
            there, second = start + STEP[first], NEIGHBOUR.get(raised - start - STEP[first])
            if second is not None:
                action = unit * UNIT + first * DIRECTIONS + second
                if is_listed(board, self.enemy, action):
                    found.append((there, board.height[there] == TOP, action))
        leave(board, slot_of(self.enemy, unit))
        return found

    def _cancelled(self, board, pair):
        """After a turn in which nothing was built: a unit of ours stood there, unseen. Or the enemy is out."""
        yield pair, False, None
        ours = [board.at[slot_of(self.me, unit)] for unit in range(board.units)]
        hidden = [cell for cell in ours if not sees(board, self.enemy, cell)]
        for unit, start in enumerate(pair):
            enter = can_enter(board, start)
            for first in range(DIRECTIONS):
                there = start + STEP[first]
                for cell in hidden:
                    if enter >> first & 1 and cell - there in NEIGHBOUR:
                        action = unit * UNIT + first * DIRECTIONS + NEIGHBOUR[cell - there]
                        yield changed(pair, unit, there), board.height[there] == TOP, action


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
