"""A researcher: is one bot better than another, and how long does it think?

python examples/python/researcher.py [ROUNDS]
"""

import sys
from statistics import median

import dohyo

GAME, NEW, OLD = "wondev-woman", "climber", "random"


def seconds_of(replay: dohyo.Replay, seat: int) -> list[float]:
    """The time of each of a seat's turns."""
    moves = (move for turn in replay.turns for move in turn.moves if move.seat == seat)
    return [move.seconds for move in moves if move.seconds is not None]


def main(rounds: int) -> None:
    """Compare two bots on the same seeds, and measure one match that can be played again."""
    found = dohyo.compare(GAME, NEW, OLD, seed=1, rounds=rounds)
    print(f"{found.candidate}: {found.decision} after {found.matches} matches")
    for row in found.rows:
        print(f"against {row.baseline}: {row.won} won, {row.lost} lost, Elo {row.low:+.0f} to {row.high:+.0f}")
    replay = dohyo.play(GAME, [NEW, OLD], seed=1)
    dohyo.save(replay, "match.replay.zst")
    again = dohyo.load("match.replay.zst")
    print(f"{dohyo.verify(again)} turns verified, {median(seconds_of(again, 0)) * 1000:.2f} ms a turn")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
