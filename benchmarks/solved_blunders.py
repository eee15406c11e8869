"""Does `dohyo analyse` name the blunders of connect four, and nothing else? Beside a solver.

    python benchmarks/solved_blunders.py [--matches 20] [--seconds 20]

Matches between the game's sample bots, after a few stones by chance, are analysed on one thread. A blunder is a
decision after which the result is worse for its seat than it was before, by the solver of `benchmarks/analysis.py`: a
win becomes a draw or a defeat, a draw a defeat. Of the decisions that are named it says how many are blunders
(`true`), and after how many of these the better action that is told keeps the result (`better`); of all blunders, how
many are named (`found`). Decisions that the solver cannot settle in time, mostly early ones, do not count.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

from analysis import solver
from dohyo import games
from dohyo.core.game import Game, State
from dohyo.core.playback import Moment, moments
from dohyo.core.replay import Replay
from dohyo.guests.analysis.analysis import analyse
from dohyo.match.play import play_match

LINE_UPS = (("watchful", "watchful"), ("watchful", "random"), ("random", "watchful"))
FIRST_STONES = 6
FIRST_SEED = 500

Solve = Callable[[int, int], int | None]


def main() -> None:
    """Play, analyse, solve, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    game, solve = games.find("connect-four"), solver()
    counts = dict.fromkeys(("named", "true", "better", "blunders", "found"), 0)
    for number in range(options.matches):
        replay = match(game, number)
        named = {
            (one.turn, one.seat): one.better for one in analyse(replay, seconds=options.seconds, threads=1).points
        }
        for moment in reversed(list(moments(game, replay))):  # the solver's table then has what comes after
            judge(game, solve, moment, named, counts)
        print(f"match={number} " + " ".join(f"{name}={count}" for name, count in counts.items()), flush=True)
    told = (
        f"true={counts['true'] / max(1, counts['named']):.3f} better={counts['better'] / max(1, counts['true']):.3f}"
    )
    print(f"solved {told} found={counts['found'] / max(1, counts['blunders']):.3f}")


def match(game: Game, number: int) -> Replay:
    """A match of sample bots, after some stones by chance."""
    luck = random.Random(number)
    bots = LINE_UPS[number % len(LINE_UPS)]
    setup = {"moves": "".join(str(luck.randrange(7)) for _ in range(FIRST_STONES))}
    return play_match(game, bots, seed=FIRST_SEED + number, setup=setup)


def judge(
    game: Game, solve: Solve, moment: Moment, named: dict[tuple[int, int], str], counts: dict[str, int]
) -> None:
    """Count a turn's decision, if it can be solved."""
    acting = [seat for seat, action in enumerate(moment.actions) if action is not None]
    if not acting:
        return
    (seat,) = acting
    before, after = result(game, solve, moment.before, seat), played(game, solve, moment, moment.actions[seat])
    if before is None or after is None:
        return
    better = named.get((moment.turn.turn, seat))
    is_blunder = after < before
    counts["blunders"] += is_blunder
    if better is not None:
        counts["named"] += 1
        counts["true"] += is_blunder
        counts["found"] += is_blunder
        counts["better"] += is_blunder and played(game, solve, moment, game.protocol.read(better)) == before


def played(game: Game, solve: Solve, moment: Moment, action: Any) -> int | None:
    """What the seat of a turn gets after an action."""
    state = game.rules.LAYOUT.copy(moment.before)
    seat = state.turn % 2
    game.rules.step(state, [action] * 2, None)
    return result(game, solve, state, seat)


def result(game: Game, solve: Solve, state: State, seat: int) -> int | None:
    """What a seat gets: 1, 0 or -1; none if the solver does not know."""
    if game.rules.over(state):
        winner = game.rules.winner(state)
        return 0 if winner < 0 else 1 if winner == seat else -1
    mover = state.turn % 2
    plies = solve(int(state.stones[mover]), int(state.stones[1 - mover]))
    if plies is None:
        return None
    sign = (plies > 0) - (plies < 0)
    return sign if mover == seat else -sign


if __name__ == "__main__":
    main()
