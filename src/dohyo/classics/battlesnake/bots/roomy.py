"""Goes where the most room is; hungry or small, it goes to food that it can reach. It keeps out of hazards."""

import sys
from collections import deque

SIZE = 11
MOVES = {"up": -SIZE, "down": SIZE, "left": -1, "right": 1}
HUNGRY = 30


def moved(place, move):
    """The place beside this one; none beyond the wall."""
    row, column = divmod(place, SIZE)
    row += {"up": -1, "down": 1}.get(move, 0)
    column += {"left": -1, "right": 1}.get(move, 0)
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else None


def reached(start, closed, food):
    """How many places can be reached from here, and the steps to the nearest food; 999 without any."""
    waiting, steps, nearest = deque([start]), {start: 0}, 999
    while waiting:
        place = waiting.popleft()
        if food[place]:
            nearest = min(nearest, steps[place])
        for move in MOVES:
            there = moved(place, move)
            if there is not None and there not in steps and there not in closed:
                steps[there] = steps[place] + 1
                waiting.append(there)
    return len(steps), nearest


def choose(seat, seen):
    """The best move for this seat."""
    lives = [int(word) for row in seen["life"] for word in row]
    food = [word == "*" for row in seen["food"] for word in row]
    heads, lengths = ([int(word) for word in seen[name][0]] for name in ("head", "length"))
    died, health = ([int(word) for word in seen[name][0]] for name in ("died", "health"))
    harm = [int(seen["damage"][0][0]) if word == "~" else 0 for row in seen["hazards"] for word in row]
    closed = {place for place, life in enumerate(lives) if life > 1}
    others = [other for other in range(int(seen["seats"][0][0])) if other != seat and died[other] == 0]
    longer = {moved(heads[other], move) for other in others for move in MOVES if lengths[other] >= lengths[seat]}
    is_small = any(lengths[other] >= lengths[seat] for other in others)
    best, found = None, "up"
    for move in MOVES:
        place = moved(heads[seat], move)
        if place is None or place in closed:
            continue
        room, nearest = reached(place, closed, food)
        wants = nearest if health[seat] < HUNGRY or is_small else 0
        lost = 0 if food[place] else harm[place]
        worth = (
            lost == 0 or lost + 1 < health[seat],
            place not in longer,
            min(room, 2 * lengths[seat]) - lost,
            -wants,
            room,
        )
        if best is None or worth > best:
            best, found = worth, move
    return found


def main():
    """Read one prompt after the other."""
    seen = {}
    for line in sys.stdin:
        name, *words = line.split()
        seen.setdefault(name, []).append(words)
        if name == "legal":
            print(choose(int(seen["seat"][0][0]), seen), flush=True)
            seen = {}


main()
