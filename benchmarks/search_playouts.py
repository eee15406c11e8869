"""What a playout of `dohyo.search` costs, in plain Python and compiled.

    python benchmarks/search_playouts.py [GAME] [--horizon 40] [--seconds 2]

From a match's first turn, any legal action in playouts of at most `horizon` turns; processor time. The last line says
how many times as fast the compiled form is, and after how long it is ready: the second time it is only loaded.
"""

from __future__ import annotations

import argparse
import time

from dohyo import games
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.search import Search


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="wondev-woman")
    parser.add_argument("--horizon", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    game = games.find(options.game)
    seats = game.seats[0]
    referee = Referee(game, resolve(game.options, {}), seats, 1)
    costs, loading = [], 0.0
    for compiled in (False, True):
        begun = time.process_time()
        search = Search(game, seats, compiled=compiled, horizon=options.horizon)
        search.choose(referee.state, referee.pending()[0], playouts=10)
        loading = time.process_time() - begun
        begun = time.process_time()
        choice = search.choose(referee.state, referee.pending()[0], seconds=options.seconds)
        costs.append((time.process_time() - begun) / choice.playouts)
        print(f"{'compiled' if compiled else 'plain':9}us={costs[-1] * 1e6:.1f} a playout")
    print(f"ratio={costs[0] / costs[1]:.0f}, there after {loading:.1f} s")


if __name__ == "__main__":
    main()
