"""A teacher: a contest of all that was handed in, its standings, and whose bots had faults.

python examples/python/teacher.py GAME FOLDER [STORE]
"""

import sys
from collections import Counter

import dohyo


def faults_by_bot(store: str) -> Counter[str]:
    """In how many matches each bot had a fault."""
    columns = dohyo.matches(store).columns
    found: Counter[str] = Counter()
    for bot, faults in zip(columns["bot"], columns["faults"], strict=True):
        if faults:
            found[str(bot)] += 1
    return found


def main(game: str, folder: str, store: str) -> None:
    """Called again after a late hand-in, it plays only what is missing."""
    standings = dohyo.contest(game, ["random"], folder=folder, rounds=2, store=store, sandbox="auto")
    for row in standings.rows:
        elo = "" if row.elo is None else f"{row.elo:.0f}"
        print(f"{row.place_told:>3}  {row.bot:20} {row.points:6.1f} {elo:>6}")
    for bot, count in faults_by_bot(store).most_common():
        print(f"{bot} had faults in {count} matches")


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "class.db")
    except IndexError:
        sys.exit(__doc__)
    except dohyo.OperatorError as error:
        sys.exit(str(error))
