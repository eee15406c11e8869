"""How strong a game's baselines are against each other: python benchmarks/baselines.py GAME... [--matches 2000]

Each of them is random play, a sample bot that is a policy, or a weaker form of one ("hunter@80"). All pairs play in
compiled games: one seat is the row's, in turn each of them, all others are the column's. A cell is the share of
points that the row's takes from the column's: 1 for a match that it ends before another, a half beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy

from dohyo import games
from dohyo.core.game import Game, usual_seats
from dohyo.games.policies import RANDOM, ladder_of, policies_of, policy_of
from dohyo.sim import BatchMatch, uniform_legal


def baselines(game: Game, strongest: str | None) -> list[str]:
    """The ladder of a game's strongest policy, and its other policies before that one."""
    bots = list(policies_of(game))
    best = strongest or bots[-1]
    *steps, last = ladder_of(game, best)
    return [*steps, *(bot for bot in bots if bot != best), last]


def shares(game: Game, names: Sequence[str], matches: int, seed: int, apart: int = 0) -> tuple[Any, Any]:
    """For each pair of names the row's share of points, and how many matches that was.

    `apart` leaves out all pairs of which the row's is not so many places behind the column's.
    """
    policies = [uniform_legal if name == RANDOM else policy_of(game, name) for name in names]
    seats, count = usual_seats(game), len(names)
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b and apart in (0, a - b)]
    each = -(-matches // seats) * seats
    n = each * len(pairs)
    players = numpy.empty((n, seats), numpy.int64)
    for k in range(n):
        row, column = pairs[k // each]
        players[k] = column
        players[k, k % seats] = row
    batch = BatchMatch(game, n, seed, seats=seats, renew=False, illegal="fault")
    points, played = numpy.zeros((count, count)), numpy.zeros((count, count))
    over = numpy.zeros(n, numpy.bool_)
    while not over.all():
        acting = batch.acting()
        actions = numpy.zeros((n, seats), numpy.int64)
        for seat in range(seats):
            for number, policy in enumerate(policies):
                asked = acting[:, seat] & (players[:, seat] == number) & ~over
                if asked.any():
                    assert policy is not None
                    actions[asked, seat] = batch.decide(policy, numpy.where(asked, seat, -1))[asked]
        batch.step(actions)
        for k in (batch.done & ~over).nonzero()[0].tolist():
            row, column = pairs[k // each]
            own = k % seats
            values = batch.rewards()[k]
            beaten = [0.5 + 0.5 * numpy.sign(values[own] - values[other]) for other in range(seats) if other != own]
            points[row, column] += sum(beaten) / len(beaten)
            played[row, column] += 1
        over |= batch.done
    return points / numpy.maximum(played, 1), played


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", nargs="+")
    words.add_argument("--strongest", help="the policy whose weaker forms are the ladder's steps")
    words.add_argument("--matches", type=int, default=400, help="for each pair")
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    for name in given.games:
        game = games.find(name)
        names = baselines(game, given.strongest)
        found, played = shares(game, names, given.matches, given.seed)
        spread = 1.96 * sqrt(0.25 / played.max())
        print(f"{name}: share of points in {played.max():.0f} matches a pair (+- {spread:.1%})")
        print("| | " + " | ".join(names) + " |")
        for row, label in enumerate(names):
            cells = ["-" if row == column else f"{found[row, column]:.1%}" for column in range(len(names))]
            print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
