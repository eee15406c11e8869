"""A player of go that looks one stone ahead: it captures, saves, keeps its eyes, and passes when nothing is left.

How it thinks
-------------
Every legal point is worth the sum of what follows; of the best ones it takes any.

1. Stones that are captured: 12 each. Own stones in atari that have more liberties afterwards: 10 each.
2. Stones of the other's that are in atari afterwards: 3 each. Own ones that are: -8 each.
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


def around(point, steps=SIDES):
    """The points beside one."""
    return [(point[0] + down, point[1] + right) for down, right in steps]


def chain(board, first):
    """A chain's stones and its liberties."""
    stones, liberties, todo = {first}, set(), [first]
    while todo:
        for neighbour in around(todo.pop()):
            if at(board, neighbour) == EMPTY:
                liberties.add(neighbour)
            elif at(board, neighbour) == at(board, first) and neighbour not in stones:
                stones.add(neighbour)
                todo.append(neighbour)
    return stones, liberties


def chains_beside(board, point, whose):
    """All chains of one colour that touch a point."""
    found = []
    for neighbour in around(point):
        if at(board, neighbour) == whose and not any(neighbour in stones for stones, _ in found):
            found.append(chain(board, neighbour))
    return found


def is_eye(board, point, mine):
    """Whether to fill it would only help the other."""
    corners = [at(board, each) for each in around(point, CORNERS)]
    theirs = sum(each not in (mine, EMPTY, OFF) for each in corners)
    is_closed = all(at(board, neighbour) in (mine, OFF) for neighbour in around(point))
    return is_closed and theirs <= (0 if OFF in corners else 1)


def worth(board, point, mine, other):
    """What a stone there is worth."""
    total = 0
    captured = set()
    for stones, liberties in chains_beside(board, point, other):
        if liberties == {point}:
            captured |= stones
        total += 1 + (3 * len(stones) if len(liberties) == 2 else 0)
    saved = [stones for stones, liberties in chains_beside(board, point, mine) if liberties == {point}]
    after = [[EMPTY if (r, c) in captured else board[r][c] for c in range(len(row))] for r, row in enumerate(board)]
    after[point[0]][point[1]] = mine
    stones, liberties = chain(after, point)
    if len(liberties) > 1:
        total += 10 * sum(map(len, saved))
    else:
        total -= 8 * len(stones)
    edge = 2 if any(at(board, neighbour) == OFF for neighbour in around(point)) else 0
    return total + 12 * len(captured) + min(3, len(liberties)) - edge


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
