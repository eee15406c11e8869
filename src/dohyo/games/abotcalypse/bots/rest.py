"""A bot of aBOTcalypse that only rests: the shortest there is, to begin from.

It reads a view, rows of squares up to an empty line, and answers with one line. What stands in the view:
`.` air, `#` the edge of the board, `&` a rock, `@` a meteor, `s` this bot, `e` an enemy (capitals: on a rock).
"""

import sys


def decide(view):
    """What to do: nothing."""
    return "rest"


def main():
    """Answer every view with one line."""
    rows = []
    for line in sys.stdin:
        if line != "\n":
            rows.append(line)
            continue
        print(decide("".join(rows)), flush=True)
        rows = []


if __name__ == "__main__":
    main()
