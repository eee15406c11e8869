"""A bot of aBOTcalypse in the challenge's own form: a process a turn, with the view as its argument.

It builds itself a small tower, and from there throws rocks at enemies that stand still. Which ones do, it can only
know by remembering where they were: its state is JSON in `storage.txt`, which lasts over turns and games. What it
thinks goes to `errlog.txt`, for you to read.
"""

import json
import sys

STORAGE = "storage.txt"
TOWER = 5  # squares above the floor: whoever is higher throws further


def read(view):
    """The rows of a view, the lowest first, and where in them the bot is."""
    rows = view.split("\n")[::-1]
    y = next(y for y, row in enumerate(rows) if "s" in row.lower())
    return rows, rows[y].lower().index("s"), y


def enemies(view):
    """Where the enemies are: squares to the right, squares up."""
    rows, x, y = read(view)
    return [[at - x, up - y] for up, row in enumerate(rows) for at, letter in enumerate(row) if letter in "eE"]


def elevation(view):
    """Squares between the bot and the floor; as high as it wants to be when that is not in sight."""
    rows, _, y = read(view)
    return y - 1 if rows[0].strip("#") == "" else TOWER


def flight(view, direction, distance):
    """The first thing that a throw would hit, as the letter and its square; none when there is nothing."""
    rows, x, y = read(view)
    high = elevation(view)
    slope = high / distance if distance > 0 else 1
    across, up = direction, high
    while 0 <= up < high + 20 and 0 <= x + across < len(rows[0]):
        letter = rows[y - high + up][x + across]
        if letter in "&eE#":
            return letter, [across, up - high]
        across += direction
        up = int(up - slope)
    return None


def decide(view, memory=None):
    """What to do, from the view and what was remembered of the last turn."""
    stood = (memory or {}).get("enemies", [])
    still = [enemy for enemy in enemies(view) if enemy in stood]
    for name, direction in (("left", -1), ("right", 1)):
        for distance in range(elevation(view)):
            hit = flight(view, direction, distance)
            if hit and hit[0] in "eE" and hit[1] in still:
                return f"throw {name} {distance}"
    rows, x, y = read(view)
    if elevation(view) < TOWER:
        return "move up" if rows[y][x] == "S" else "drop down"
    return "rest"


def remember(view, memory=None):
    """What to keep for the next turn."""
    return {"turns": (memory or {}).get("turns", 0) + 1, "enemies": enemies(view)}


def load():
    """What was kept; nothing in the very first turn, or when the file cannot be read."""
    try:
        with open(STORAGE, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def main(view):
    """One turn."""
    memory = load()
    action = decide(view, memory)
    print(action)
    with open(STORAGE, "w", encoding="utf-8") as file:
        json.dump(remember(view, memory), file)
    with open("errlog.txt", "a", encoding="utf-8") as log:
        log.write(f"turn {memory.get('turns', 0) + 1}: {len(enemies(view))} enemies in sight, {action}\n")


if __name__ == "__main__":
    main(sys.argv[1])
