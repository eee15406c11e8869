"""A player of go that looks one stone ahead: it takes, it saves, it keeps its eyes, it passes when nothing is left.

How it thinks
-------------
Every legal point is worth the sum of what follows; of the best ones it takes any.

1. Stones that are taken: 12 each. Own stones with a single liberty that have more afterwards: 10 each.
2. Stones of the other's that have a single liberty afterwards: 3 each. Own ones that have: -8 each.
3. Liberties that the other's chains beside the stone lose, and the stone's own: 1 each. The edge costs 2.

A point within own stones, all four beside it and at most one of the corners the other's, is an eye: never filled.
"""

import dohyo

EMPTY, OFF = ".", "#"
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def at(board, point):
    """What stands there; beyond the board `OFF`."""
    row, column = point
    return board[row][column] if 0 <= row < len(board) and 0 <= column < len(board[0]) else OFF


def around(point, ways=SIDES):
    """The points beside one."""
    return [(point[0] + down, point[1] + right) for down, right in ways]


def chain(board, first):
    """A chain's stones and its liberties."""
    stones, free, todo = {first}, set(), [first]
    while todo:
        for near in around(todo.pop()):
            if at(board, near) == EMPTY:
                free.add(near)
            elif at(board, near) == at(board, first) and near not in stones:
                stones.add(near)
                todo.append(near)
    return stones, free


def chains_beside(board, point, whose):
    """All chains of one colour that touch a point."""
    found = []
    for near in around(point):
        if at(board, near) == whose and not any(near in stones for stones, _ in found):
            found.append(chain(board, near))
    return found


def is_eye(board, point, mine):
    """Whether to fill it would only help the other."""
    corners = [at(board, each) for each in around(point, CORNERS)]
    theirs = sum(each not in (mine, EMPTY, OFF) for each in corners)
    return all(at(board, near) in (mine, OFF) for near in around(point)) and theirs <= (0 if OFF in corners else 1)


def worth(board, point, mine, other):
    """What a stone there is worth."""
    total = 0
    taken = set()
    for stones, free in chains_beside(board, point, other):
        if free == {point}:
            taken |= stones
        total += 1 + (3 * len(stones) if len(free) == 2 else 0)
    saved = [stones for stones, free in chains_beside(board, point, mine) if free == {point}]
    after = [[EMPTY if (r, c) in taken else board[r][c] for c in range(len(row))] for r, row in enumerate(board)]
    after[point[0]][point[1]] = mine
    stones, free = chain(after, point)
    if len(free) > 1:
        total += 10 * sum(map(len, saved))
    else:
        total -= 8 * len(stones)
    edge = 2 if any(at(board, near) == OFF for near in around(point)) else 0
    return total + 12 * len(taken) + min(3, len(free)) - edge


class Keen(dohyo.Bot):
    """Takes the best point."""

    def act(self, observation):
        board = [[".XO#"[value] for value in row] for row in observation.board]
        mine, other = "XO" if observation.seat == 0 else "OX"
        size = len(board)
        values = {}
        for word in observation.legal_actions[:-1]:
            point = size - int(word[1:]), "ABCDEFGHJ".index(word[0])
            if not is_eye(board, point, mine):
                values[word] = worth(board, point, mine, other)
        if not values:
            return "pass"
        best = max(values.values())
        return self.random.choice([word for word in values if values[word] == best])


if __name__ == "__main__":
    Keen.run()
