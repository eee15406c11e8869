"""Goes where the most room is; hungry or small, it goes to food that it can reach. It keeps out of hazards.

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at a state: the game's own there, here what it has read.
"""

import sys

SIZE = 11
CELLS = SIZE * SIZE
MOVES = ("up", "down", "left", "right")
DOWN, RIGHT = (-1, 1, 0, 0), (0, 0, -1, 1)  # by move
HUNGRY = 30
NOWHERE = 999  # steps to food that cannot be reached
# More than what follows it in a comparison can be.
FOR_ROOM, FOR_FOOD, FOR_LENGTH = 128, 1024, 512
FIELDS = (("roomy_places", "i2", CELLS), ("roomy_steps", "i2", CELLS))  # what it thinks in


def flat(function):
    """The mark of functions that Dohyo may compile; the one of `dohyo.core.flat`, without its import."""
    function.__flat__ = True
    return function


def flat_in(*room):
    """The mark of one that thinks in fields of its own, in `luck`; the one of `dohyo.core.policies`."""

    def mark(function):
        function.__room__ = room
        return flat(function)

    return mark


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """The best move of this seat, as its place in MOVES; up where all are deadly."""
    best, most = 0, -1
    for move in range(len(DOWN)):
        place = moved(s.head[seat], move)
        if place >= 0 and s.life[place] <= 1:
            found = worth(s, seat, place, luck)
            if found > most:
                best, most = move, found
    return best


@flat
def moved(place, move):
    """The place beside this one; -1 beyond the wall."""
    row, column = place // SIZE + DOWN[move], place % SIZE + RIGHT[move]
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


@flat
def worth(s, seat, place, luck):
    """How good it is to go there: what counts first is the larger part of the number.

    To live through it; to meet no longer snake's head; room, up to twice the own length, less what the hazard costs;
    if it wants to eat, the way to food; all room.
    """
    lost = s.damage if s.hazards[place] > 0 and s.food[place] == 0 else 0
    lives, is_safe, is_small = lost == 0 or lost + 1 < s.health[seat], True, False
    for other in range(s.seats):
        if other != seat and s.died[other] == 0 and s.length[other] >= s.length[seat]:
            is_small = True
            for move in range(len(DOWN)):
                if moved(s.head[other], move) == place:
                    is_safe = False
    room = reach(s, place, luck)
    away = to_food(s, room, luck) if is_small or s.health[seat] < HUNGRY else 0
    total = (2 if lives else 0) + (1 if is_safe else 0)
    total = total * FOR_LENGTH + min(room, 2 * s.length[seat]) - lost + FOR_LENGTH // 2
    return (total * FOR_FOOD + NOWHERE - away) * FOR_ROOM + room


@flat
def reach(s, start, luck):
    """How many places can be reached from here; `luck` has them in the order of the steps to them, and these."""
    for place in range(CELLS):
        luck.roomy_steps[place] = -1
    luck.roomy_places[0], luck.roomy_steps[start] = start, 0
    at, count = 0, 1
    while at < count:
        place = luck.roomy_places[at]
        at += 1
        for move in range(len(DOWN)):
            there = moved(place, move)
            if there >= 0 and luck.roomy_steps[there] < 0 and s.life[there] <= 1:
                luck.roomy_steps[there] = luck.roomy_steps[place] + 1
                luck.roomy_places[count] = there
                count += 1
    return count


@flat
def to_food(s, room, luck):
    """The steps to the nearest food among the places that were reached."""
    for at in range(room):
        if s.food[luck.roomy_places[at]] > 0:
            return luck.roomy_steps[luck.roomy_places[at]]
    return NOWHERE


class Board:
    """What was read, under the names that a state has."""

    def __init__(self, seen):
        """`seen` has the lines of a prompt by their first word, as lists of the words behind it."""
        self.seats, self.damage = (int(seen[name][0][0]) for name in ("seats", "damage"))
        self.head, self.length, self.died, self.health = (
            [int(word) for word in seen[name][0]] for name in ("head", "length", "died", "health")
        )
        self.life = [int(word) for row in seen["life"] for word in row]
        self.food, self.hazards = (
            [int(word != ".") for row in seen[name] for word in row] for name in ("food", "hazards")
        )


class Mind:
    """What it thinks in."""

    def __init__(self):
        for name, _, length in FIELDS:
            setattr(self, name, [0] * length)


def main():
    """Read one prompt after the other."""
    seen, mind = {}, Mind()
    for line in sys.stdin:
        name, *words = line.split()
        seen.setdefault(name, []).append(words)
        if name == "legal":
            print(MOVES[policy(Board(seen), int(seen["seat"][0][0]), None, 0, mind)], flush=True)
            seen = {}


if __name__ == "__main__":
    main()
