"""A bot of aBOTcalypse that does anything: a random action, a random direction, now and then a distance."""

import os
import sys

# This file has the name of the module that it needs, and would be imported in its place.
sys.path[0:1] = []
import random  # noqa: E402

chance = random.Random(os.environ.get("DOHYO_SEED"))


def decide(view, chance=chance):
    """Any action, whatever the view shows."""
    action = chance.choice(["rest", "move", "drop", "throw"])
    direction = chance.choice(["up", "down", "left", "right"])
    distance = f" {chance.randrange(20)}" if action == "throw" else ""
    return "rest" if action == "rest" else f"{action} {direction}{distance}"


def main():
    """Answer every view with one line."""
    for line in sys.stdin:
        if line == "\n":  # the end of the view
            print(decide(""), flush=True)


if __name__ == "__main__":
    main()
