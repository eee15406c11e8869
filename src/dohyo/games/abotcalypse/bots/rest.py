"""A bot of aBOTcalypse that only rests: the shortest there is, to begin from.

It reads a view, rows of squares up to an empty line, and answers with one line. What stands in the view:
`.` air, `#` the edge of the board, `&` a rock, `@` a meteor, `s` this bot, `e` an enemy (capitals: on a rock).
"""

import sys


def read_view():
    """The rows of the next view, the top one first; none when there is no more."""
    rows = []
    for line in sys.stdin:
        row = line.rstrip("\n")
        if not row:
            return rows
        rows.append(row)
    return None


while read_view() is not None:
    print("rest", flush=True)
