"""Chess by `dohyo.search` alone, on a ladder of Stockfish's limited strengths: its Elo by maximum likelihood.

    apt-get install stockfish
    python benchmarks/chess_ladder.py [--matches 4] [--levels 1500,1700,1900,2100] [--clock 0.2,bank=200,mode=fair]
                                      [--workers 1] [--seed 1] [--sandbox none] [--full]

The sample bot `material` plays `--matches` matches against each level of `UCI_Elo`, every opening twice with the
colours exchanged; `--full` are 40 matches a level, at a second a turn. Both have the same clock. Stockfish chooses
its limited move at a depth that follows from the level (10 at 2200, in version 15.1) and then thinks on for nothing,
so it is stopped one ply after that: the same moves, in less time. After each match the ladder so far: the level at
which half of the points are expected, by Elo's formula over all levels, and its interval of 95 % by the likelihood.
Points are in Stockfish's own scale of levels.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.match.clocks import read_clock
from dohyo.match.play import play_match

BOT = "material"
LEVELS = "1500,1700,1900,2100"
SHORT, LONG = "0.2,bank=200,mode=fair", "1,bank=600,mode=fair"  # a bank: a busy machine loses no match
LEAST, MOST = 500.0, 4000.0  # Elo that are thought of
FALLS = 1.92  # of the logarithm of the likelihood, within the interval of 95 %


def stockfish(level: int) -> str:
    """The word for Stockfish at this level."""
    program = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if program is None:
        sys.exit("stockfish is not installed: apt-get install stockfish")
    depth = 2 + int((max(level - 1346.6, 0.0) / 143.4) ** (1 / 0.806))  # as its search counts levels
    limited = f"option.UCI_LimitStrength=true option.UCI_Elo={level}"
    return f"uci:{program} {limited} option.Hash=16 go.depth={depth}"


def play(level: int, number: int, seed: int, clock: Clock, sandbox: str) -> tuple[int, float, list[str]]:
    """One match: the level, the bot's points, and what faults there were."""
    seat = number % 2
    bots = [BOT, stockfish(level)][:: -1 if seat else 1]
    told: dict[str, Any] = {
        "seed": seed + number // 2,
        "setup": {"opening": "random"},
        "clock": clock,
        "sandbox": sandbox,
    }
    replay = play_match("chess", bots, **told)
    assert replay.result is not None
    mine, theirs = replay.result.places[seat], replay.result.places[1 - seat]
    faults = [str(fault.kind) for turn in replay.turns for move in turn.moves for fault in move.faults]
    return level, 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0, faults


def likelihood(elo: float, played: Sequence[tuple[int, float]]) -> float:
    """The logarithm of it, of a strength, after these matches."""
    total = 0.0
    for level, points in played:
        expected = 1 / (1 + 10 ** ((level - elo) / 400))
        total += points * math.log(expected) + (1 - points) * math.log(1 - expected)
    return total


def fitted(played: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
    """The likeliest strength, and the least and the greatest of its interval, to 1 Elo."""
    strengths = [LEAST + step for step in range(int(MOST - LEAST))]
    found = [likelihood(each, played) for each in strengths]
    within = [elo for elo, worth in zip(strengths, found, strict=True) if worth >= max(found) - FALLS]
    return strengths[found.index(max(found))], within[0], within[-1]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the ladder after each match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=0)
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--clock", default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--full", action="store_true")
    words = parser.parse_args(arguments)
    clock = read_clock(games.find("chess"), words.clock or (LONG if words.full else SHORT))
    levels = list(map(int, words.levels.split(",")))
    matches = words.matches or (40 if words.full else 4)
    played: list[tuple[int, float]] = []
    faults: Counter[str] = Counter()
    with ProcessPoolExecutor(words.workers) as pool:
        asked = [
            pool.submit(play, level, at, words.seed, clock, words.sandbox)
            for at in range(matches)
            for level in levels
        ]
        for done in as_completed(asked):
            level, points, wrong = done.result()
            played.append((level, points))
            faults.update(wrong)
            each = [[one for of, one in played if of == rung] for rung in levels]
            told = ", ".join(f"{sum(of):g}/{len(of)} at {rung}" for rung, of in zip(levels, each, strict=True))
            elo, low, high = fitted(played)
            print(f"{elo:.0f} ({low:.0f} .. {high:.0f}): {told}; load {os.getloadavg()[0]:.0f}", flush=True)
    print(f"{BOT}, {clock.typed} for both, {len(played)} matches; faults: {dict(faults) or 'none'}")


if __name__ == "__main__":
    main()
