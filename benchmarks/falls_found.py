"""Does `dohyo analyse` find the turn in which a match was lost, where its time is short?

    python benchmarks/falls_found.py GAME ... --keep FOLDER [--matches 4] [--first 0] [--seconds 3] [--busy 0]
                                              [--playouts 2000] [--seat]

Matches of sample bots, `turning_points.LINE_UPS`, are played; each position of them is judged with so many
`--playouts`, as an analysis without a limit of time judges it. Match and judgements are kept. The seat that lost has
its largest fall between two neighbouring turns: the turn that is looked for. Then the match is analysed in so many
`--seconds`, with as many processes beside it as `--busy` says, which do nothing but keep a core busy; with `--seat`,
that seat is asked for. Found: the positions before and after that turn were both judged. `within` are the turns
between the nearest judged ones around it, `judged` how many turns were judged, `late` by how much it took longer.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

import msgspec

from busy_cores import busy
from dohyo import games
from dohyo.core.game import Game
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.guests.analysis.analysis import analyse
from dohyo.match.play import play_match
from dohyo.match.replays import replays
from dohyo.series.analyst import Analyst
from turning_points import FIRST_SEED, LINE_UPS


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--seat", action="store_true")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    numbers = range(options.first, options.first + options.matches)
    known = {
        (name, number): kept(games.find(name), number, options.keep, options.playouts)
        for name in options.games
        for number in numbers
    }
    rows = []
    with busy(options.busy):
        for (name, number), (match, curve) in known.items():
            rows.append(measure(name, number, match, curve, options.seconds, is_asked=options.seat))
    found, within, late = zip(*rows, strict=True)
    print(f"total found={sum(found)} of={len(found)} median_within={median(within)} mean_late={fmean(late):+.2f}")


def kept(game: Game, number: int, folder: Path, playouts: int) -> tuple[Replay, list[tuple[float, ...]]]:
    """A match, and by turn each seat's chance; played and judged where that is not there yet."""
    file = folder / f"{game.name}-{number}.replay"
    judged = folder / f"{game.name}-{number}-{playouts}.json"
    if not file.exists():
        line_ups, setup = LINE_UPS[game.name]
        bots = line_ups[number % len(line_ups)]
        replays.save(play_match(game, list(bots), seed=FIRST_SEED + number, setup=setup), file)
    match = replays.load(file)
    if not judged.exists():
        analyst = Analyst(game, len(match.header.seats))
        played = [one for one in moments(game, match) if one.turn.moves]
        curve = [
            analyst.judge([one.before], playouts=playouts, seed=at, deciding=False).chance
            for at, one in enumerate(played)
        ]
        judged.write_bytes(msgspec.json.encode(curve))
    return match, msgspec.json.decode(judged.read_bytes(), type=list[tuple[float, ...]])


def measure(
    name: str, number: int, match: Replay, curve: list[tuple[float, ...]], seconds: float, *, is_asked: bool
) -> tuple[bool, int, float]:
    """Analyse a match in so many seconds: whether the fall was found, within how many turns, how late it was."""
    numbers = [turn.turn for turn in match.turns if turn.moves]
    loser = max(range(len(curve[0])), key=lambda seat: (match.result.places[seat], seat))
    first = analyse(match, seconds=0.01, seat=loser if is_asked else None)  # the rules are compiled then
    known = curve[: first.turns]  # a seat's match ends with its last turn
    at = max(range(len(known) - 1), key=lambda one: known[one][loser] - known[one + 1][loser], default=0)
    begin = time.monotonic()
    found = analyse(match, seconds=seconds, seat=loser if is_asked else None)
    late = time.monotonic() - begin - seconds
    turns = [one.turn for one in found.chances]
    within = next((b - a for a, b in pairwise(turns) if a <= numbers[at] < b), len(numbers))
    widest = max((b - a for a, b in pairwise(turns)), default=0)
    fall = curve[at][loser] - curve[min(at + 1, len(curve) - 1)][loser]
    told = f"fall={fall:.2f} turn={numbers[at]} of={first.turns} seat={loser}"
    told += f" judged={len(turns)} widest={widest} seen={len(found.seen)} of={found.decisions}"
    print(f"{name} match={number} {told} within={within} late={late:+.2f}", flush=True)
    return within == 1, within, late


if __name__ == "__main__":
    main()
