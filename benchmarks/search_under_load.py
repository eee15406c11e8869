"""Whether a bot that searches keeps its thinking time, and its answers in time, while others use the processors.

    python benchmarks/search_under_load.py [BOT] [--game wondev-woman] [--matches 4] [--busy 0 8] [--mode fair]

The bot (by default the game's `sensei`, which searches for a time) plays `matches` matches against `--against` for
each number of busy processes beside it. Printed are the turns, how many were late, and the medians of what a turn was
charged, what a watch showed and what it ran on the processor, in milliseconds. By `fair` the charged median should
hardly depend on the load, and no turn may be late; by `wall` a turn gets shorter. All that is a comparison within one
run: the figures of two machines, or of two evenings, say less.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median

from busy_cores import busy
from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Move, Replay
from dohyo.match.clocks import read_clock
from dohyo.match.play import play_match


def moves(game: str, bots: Sequence[str], clock: Clock, seed: int) -> list[Move]:
    """The first seat's moves in a match, its first one left out; the referee measures every turn."""

    def look(replay: Replay) -> None:
        """On the fast path an answer in time would not be measured."""

    replay = play_match(game, bots, seed=seed, clock=clock, on_turn=look, pondering=False)
    own = [move for turn in replay.turns for move in turn.moves if move.seat == 0]
    return own[1:]


def main() -> None:
    """Measure, and print one line for each load."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bot", nargs="?", default="sensei")
    parser.add_argument("--game", default="wondev-woman")
    parser.add_argument("--against", default="climber")
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 8])
    parser.add_argument("--mode", choices=("fair", "wall", "cpu"), default="fair")
    parser.add_argument("--clock")
    given = parser.parse_args()
    game = games.find(given.game)
    clock = read_clock(game, given.clock, mode=given.mode)
    bots = [given.bot, *[given.against] * (max(2, game.seats[0]) - 1)]
    print(f"{given.bot} in {game.name}, {clock.limit(False) * 1000:g} ms a turn, by {clock.mode}")
    for count in given.busy:
        with busy(count):
            found = [move for seed in range(given.matches) for move in moves(game.name, bots, clock, seed)]
        lates = [move for move in found if any(fault.kind is FaultKind.TIMEOUT for fault in move.faults)]
        for move in lates:
            print(f"    late: charged {move.seconds} s, by a watch {move.wall} s, on the processor {move.cpu} s")
        timed = [move for move in found if move.seconds is not None]
        charged = [move.seconds or 0.0 for move in timed]
        watch = [move.wall if move.wall is not None else move.seconds or 0.0 for move in timed]
        ran = [move.cpu for move in timed if move.cpu is not None]
        parts = [("charged", charged), ("by a watch", watch), ("on the processor", ran)]
        told = ", ".join(f"{median(times) * 1000:.1f} ms {what}" for what, times in parts if times)
        print(f"{count:3} busy beside: {len(timed)} turns, {len(lates)} late; {told}", flush=True)


if __name__ == "__main__":
    main()
