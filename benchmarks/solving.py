"""What a tree and iterations of CFR cost, beside OpenSpiel where it is installed.

    python benchmarks/solving.py [GAME] [--iterations 100]

For a game whose score counts: `kuhn-poker`, `leduc-poker`. Of OpenSpiel the solvers in C++ are measured; in its
Leduc poker, too, cards of a rank are the same.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec

from dohyo import games
from dohyo.solve import CFR, CFRPlus, Tree, nash_conv

OPTIONS = {"leduc-poker": "(suit_isomorphism=True)"}  # of OpenSpiel's games


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="leduc-poker")
    parser.add_argument("--iterations", type=int, default=100)
    options = parser.parse_args()
    begun = time.perf_counter()
    tree = Tree(games.find(options.game), 2, reward="score")
    spent = time.perf_counter() - begun
    print(f"tree: nodes={tree.nodes} information_states={len(tree.information_states)} seconds={spent:.3f}")
    for solver in (CFR(tree), CFRPlus(tree)):
        begun = time.perf_counter()
        solver.run(options.iterations)
        spent = time.perf_counter() - begun
        print(f"{type(solver).__name__:8}seconds={spent:.3f} nash_conv={nash_conv(tree, solver.average()):.6f}")
    if find_spec("pyspiel") is not None:
        compare(f"{options.game.replace('-', '_')}{OPTIONS.get(options.game, '')}", options.iterations)


def compare(name: str, iterations: int) -> None:
    """Measure OpenSpiel's solvers."""
    import pyspiel

    game = pyspiel.load_game(name)
    for solver in (pyspiel.CFRSolver(game), pyspiel.CFRPlusSolver(game)):
        begun = time.perf_counter()
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        spent = time.perf_counter() - begun
        found = pyspiel.nash_conv(game, solver.average_policy())
        print(f"OpenSpiel {type(solver).__name__}: seconds={spent:.3f} nash_conv={found:.6f}")


if __name__ == "__main__":
    main()
