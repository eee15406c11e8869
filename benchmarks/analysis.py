"""Is what `dohyo analyse` says true?

    python benchmarks/analysis.py forced [--positions 200] [--seconds 1.0]
    python benchmarks/analysis.py blunders GAME [--matches 100] [--seconds 20]
    python benchmarks/analysis.py calibration GAME [--positions 2000] [--playouts 4000] [--fit]

`forced`: connect four, positions of random play in which a win is forced within 12 plies, by a solver of its own
(bit boards, alpha-beta, nothing shared with Dohyo's rules): how often the analysis has the sign right.

`blunders`: in matches between the game's own `sensei` one decision is replaced by a bad one and the match goes on
from there: how often that decision is among the three largest turning points. A bad one costs at least 0.25 of the
chance by a search with 100,000 playouts, twenty times as many as the analysis has.

`calibration`: positions of matches between searches of equal strength: how many of those judged 0.65 to 0.75 are
won. `--fit` finds the game's `sharpness` on other matches first.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from dohyo import games
from dohyo.app.analysis import Analyst
from dohyo.core.options import resolve

PLIES = 12
COLUMNS, HEIGHT, ROWS = 7, 8, 6


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["forced"])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    forced(options.positions, options.seconds, options.seed)


# --- forced wins ---------------------------------------------------------------------------------------------------


def forced(positions: int, seconds: float, seed: int) -> None:
    """How often the sign of a forced result is right."""
    game = games.find("connect-four")
    analyst, solve, luck = Analyst(game, 2), solver(), random.Random(seed)
    right = asked = certain = 0
    while asked < positions:
        state, own, other = random_position(game, luck)
        result = solve(own, other, PLIES)
        if result == 0:
            continue
        asked += 1
        mover = state.turn % 2
        chance = analyst.judge([state], seconds=seconds).chance[mover]
        right += (chance > 0.5) == (result > 0)
        certain += chance > 0.9 if result > 0 else chance < 0.1
    print(f"forced positions={asked} sign_right={right / asked:.3f} beyond_0.9={certain / asked:.3f}")


def random_position(game: Any, luck: random.Random) -> tuple[Any, int, int]:
    """A position of random play that has not ended: the state, the mover's stones, the other's."""
    while True:
        state = game.new_state(resolve(game.options, {}), 2)
        for _ in range(luck.randrange(4, 30)):
            mover = state.turn % 2
            game.rules.step(state, [luck.choice(list(game.legal_actions(state, mover)))] * 2, None)
            if game.rules.over(state):
                break
        else:
            mover = state.turn % 2
            return state, int(state.stones[mover]), int(state.stones[1 - mover])


def solver() -> Any:
    """A function (mover's stones, other's stones, plies) -> 1 forced win, -1 forced loss, 0 neither within them."""
    from numba import njit

    column = (1 << ROWS) - 1

    @njit("b1(i8)")
    def four(stones):
        for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False

    @njit("i8(i8, i8, i8, i8, i8)")
    def search(own, other, plies, alpha, beta):
        taken = own | other
        moves = 0
        for c in (3, 2, 4, 1, 5, 0, 6):
            cell = ((taken >> (c * HEIGHT) & column) + 1) << (c * HEIGHT)
            if cell >> (c * HEIGHT + ROWS) & 1 == 0:
                moves += 1
                if four(own | cell):
                    return 1
        if plies <= 1 or moves == 0:
            return 0
        best = -1
        for c in (3, 2, 4, 1, 5, 0, 6):
            cell = ((taken >> (c * HEIGHT) & column) + 1) << (c * HEIGHT)
            if cell >> (c * HEIGHT + ROWS) & 1 == 0:
                found = -search(other, own | cell, plies - 1, -beta, -alpha)
                if found > best:
                    best = found
                if best > alpha:
                    alpha = best
                if alpha >= beta:
                    break
        return best

    def solve(own: int, other: int, plies: int) -> int:
        for depth in range(1, plies + 1):
            if found := search(own, other, depth, -1, 1):
                return int(found)
        return 0

    return solve


if __name__ == "__main__":
    main()
