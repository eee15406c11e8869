"""An author: does my bot improve, and which decision cost it the most?

python examples/python/author.py [SEEDS]
"""

import sys

import dohyo

GAME = "wondev-woman"


class Careful(dohyo.Bot):
    """Plays the first action that is legal; write your own idea here."""

    def act(self, observation: dohyo.Observation) -> dohyo.Action:
        return observation.legal_actions[0]


def won(replay: dohyo.Replay, seat: int) -> bool:
    """Whether this seat has won, alone."""
    return replay.result.winner == seat


def main(seeds: int) -> None:
    """Play against a sample bot from both seats, then look into the last match."""
    wins = 0
    for seed in range(seeds):
        first = dohyo.play(GAME, [Careful, "random"], seed=seed)
        second = dohyo.play(GAME, ["random", Careful], seed=seed)
        wins += won(first, 0) + won(second, 1)
    print(f"won {wins} of {2 * seeds}")
    last = dohyo.play(GAME, [Careful, "random"])
    print(f"seed {last.header.seed}: {last.result.reason} after {last.played} turns")
    for point in dohyo.analyse(last, seconds=seeds, seat=0).points[:3]:
        print(f"turn {point.turn}: {point.better} instead of {point.played} keeps {point.loss:.0%} more")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
