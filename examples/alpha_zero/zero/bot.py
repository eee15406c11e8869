"""A player of connect four that has learned by itself: a network (`weights.npz`), and a tree search that asks it."""

# ruff: noqa: E402  (what NumPy reads at its import is set before)

import os
import sys
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is imported: threads of a small network only wait for each other

from network import ROWS, load

from dohyo import games
from dohyo.search import PUCT
from dohyo.search.bot import Thinker

GAME = games.find("connect-four")
NETWORK = load(Path(__file__).with_name("weights.npz"))


def make(compiled):
    """The search, in plain Python or compiled."""
    return PUCT(GAME, 2, NETWORK, compiled=compiled, leaves=8)


def main():
    """Answer turn after turn until the match is over."""
    thinker = Thinker(make)  # within the match's own limits
    thinker.wait(2.0)  # for the compiled search, before the first line is read
    for line in sys.stdin:
        thinker.begin()
        lines = (line.strip(), *(sys.stdin.readline().strip() for _ in range(ROWS)))
        state = GAME.reading.read(lines, None, "").state()
        print(GAME.protocol.text(thinker.choose(state, int(lines[0])).action), flush=True)


if __name__ == "__main__":
    main()
