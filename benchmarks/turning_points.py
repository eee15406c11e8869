"""Are the turning points of `dohyo analyse` right, and does its curve hold what then happens?

    python benchmarks/turning_points.py GAME ... [--matches 20] [--first 0] [--seconds 60] [--only points|bounds]

Matches of sample bots, `LINE_UPS`, are played and analysed, with these bots at hand. Matches with numbers below 1000
are for tuning; figures that are quoted come from `--first 1000` on, which nobody has tuned by.

`points`: for every turning point, the same bots play on from there, `AGAIN` times with luck that the analysis has not
had, after the action that was played and after the one that it calls better. Right: the better one wins more; wrong:
it wins less.

`bounds`: from some turns the same bots play on, `OFTEN` times. Does the curve's 95 % interval hold the share that
each seat then wins?
"""

from __future__ import annotations

import argparse
import random
from contextlib import AbstractContextManager

from dohyo import games
from dohyo.core import playback, seeds
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.guests.analysis.analysis import analyse
from dohyo.match.first_turn import state_after
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.analysed import Analysis, TurningPoint
from dohyo.series.branches import Branch, PlaysOn, Tally
from dohyo.series.onward import Onward, onward

AGAIN = 8  # times that both actions are played on
OFTEN = 12  # times that a match is played on from a turn
TURNS = 4  # of a match
SAME = 0.02  # of a chance: nearer than that nobody looks
# Who plays, and the setup: each match has the next line-up, its seats moved on by one.
LINE_UPS: dict[str, tuple[tuple[tuple[str, ...], ...], dict[str, object]]] = {
    "abotcalypse": (
        (
            ("builder", "shelter", "random", "thrower"),
            ("random", "random"),
            ("builder", "random", "shelter", "random"),
            ("thrower", "builder", "builder", "random"),
        ),
        {"turns": 100},
    ),
    "drop-block": (
        (
            ("hunter", "hunter", "hunter", "hunter"),
            ("hunter", "random", "hunter", "random"),
            ("sensei", "hunter", "hunter", "hunter"),
            ("hunter", "hunter", "hunter", "random"),
        ),
        {"turns": 400},
    ),
    "shoot-em-up": ((("gunner", "gunner"), ("gunner", "random"), ("sensei", "gunner"), ("random", "random")), {}),
    "wondev-woman": (
        (("climber", "climber"), ("climber", "random"), ("sensei", "climber"), ("random", "random")),
        {},
    ),
    "connect-four": ((("watchful", "watchful"), ("watchful", "random"), ("random", "random")), {}),
}
FIRST_SEED = 5_000_011


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", choices=["points", "bounds"])
    options = parser.parse_args()
    for name in options.games:
        counts = Counts()
        for number in range(options.first, options.first + options.matches):
            measure(name, number, options.seconds, options.only, counts)
        print(f"{name} total {counts.told}", flush=True)


class Counts:
    """What was counted in all matches of a game."""

    def __init__(self) -> None:
        self.matches = self.silent = self.points = self.right = self.wrong = 0
        self.tried = self.played = 0
        self.intervals = self.hold = 0
        self.width = 0.0

    @property
    def told(self) -> str:
        """In words."""
        found = f"matches={self.matches} silent={self.silent} tried={self.tried} played_on={self.played}"
        found += f" points={self.points} right={self.right} wrong={self.wrong}"
        if self.intervals:
            found += f" intervals={self.intervals} hold={self.hold / self.intervals:.3f}"
            found += f" mean_width={self.width / self.intervals:.2f}"
        return found


def measure(name: str, number: int, seconds: float, only: str | None, counts: Counts) -> None:
    """Play a match, analyse it, and look whether what is said is so."""
    game = games.find(name)
    line_ups, setup = LINE_UPS[name]
    bots = line_ups[number % len(line_ups)]
    turned = number // len(line_ups) % len(bots)
    replay = play_match(game, [*bots[turned:], *bots[:turned]], seed=FIRST_SEED + number, setup=setup)
    with own_bots(game, replay) as plays_on:
        assert plays_on is not None
        found = analyse(replay, seconds=seconds, plays_on=plays_on)
        counts.matches, counts.silent = counts.matches + 1, counts.silent + (not found.points)
        counts.tried, counts.played = counts.tried + found.tried, counts.played + found.matches
        if only != "bounds":
            points(game, replay, found, plays_on.by, number, counts)
        if only != "points":
            bounds(game, replay, found, plays_on.by, number, counts)
    print(f"{name} match={number} bots={'+'.join(bots)} {counts.told}", flush=True)


def own_bots(game: Game, replay: Replay) -> AbstractContextManager[Onward | None]:
    """The sample bots that played a match, to play it on."""
    names = [one.name.split()[0] for one in replay.header.seats]
    bots = find_bots(game, names, None, sandbox_of("auto"), setup=replay.header.setup)
    return onward(game, replay, lambda seat: (bots[seat], True))


def points(game: Game, replay: Replay, found: Analysis, by: PlaysOn, number: int, counts: Counts) -> None:
    """Whether the better action of each turning point is better."""
    for point in found.points:
        gain = again(game, replay, point, by, number).gain
        counts.points += 1
        counts.right, counts.wrong = counts.right + (gain > 0), counts.wrong + (gain < 0)
        print(
            f"  turn={point.turn} seat={point.seat} {point.left:.2f}->{point.kept:.2f} again={gain:+.2f}", flush=True
        )


def again(game: Game, replay: Replay, point: TurningPoint, by: PlaysOn, number: int) -> Tally:
    """Both actions of a turning point, played on from the match as it was."""
    tally = Tally()
    states = [state_after(game, replay, point.turn, {point.seat: line}) for line in (point.played, point.better)]
    lucks = [seeds.derived(FIRST_SEED + number, "again", luck) for luck in range(AGAIN)]
    ends = by.ends([Branch(state, point.turn + 1, luck) for luck in lucks for state in states])
    for pair in zip(ends[::2], ends[1::2], strict=True):
        tally.add(*pair, point.seat)
    return tally


def bounds(game: Game, replay: Replay, found: Analysis, by: PlaysOn, number: int, counts: Counts) -> None:
    """Whether the curve's bounds hold what the same bots win from there."""
    luck = random.Random(number)
    for one in luck.sample(found.chances, min(TURNS, len(found.chances))):
        state = playback.state_at(game, replay, one.turn)
        lucks = [seeds.derived(FIRST_SEED + number, "bounds", at) for at in range(OFTEN)]
        ends = [end for end in by.ends([Branch(state, one.turn, at) for at in lucks]) if end is not None]
        for seat in range(len(one.chance)):
            won = sum(end.shares[seat] for end in ends) / len(ends)
            counts.intervals += 1
            counts.width += one.high[seat] - one.low[seat]
            counts.hold += one.low[seat] - SAME <= won <= one.high[seat] + SAME


if __name__ == "__main__":
    main()
