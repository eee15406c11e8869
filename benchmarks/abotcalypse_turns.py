"""What a turn with a process for every bot costs, compared with the processes alone.

    python benchmarks/abotcalypse_turns.py [--bots 10] [--turns 12] [--rounds 9]

Every bot is the same C program, which needs 20 ms of processor time. Alone means: a bare loop starts them with the
same views as arguments, as many at once as there are cores, and collects them; no pipes, no clocks, no rules, no
replay. Rounds of both alternate in the same run, because a machine's speed drifts.

`ratio` is the median over the rounds of our median turn divided by the bare loop's. `ideal_ratio` compares ours with
the least possible time, bots x 20 ms / cores: on a machine with other work it says more about that work than about
us.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import monotonic_ns

from dohyo import games
from dohyo.core import playback
from dohyo.core.replay import Replay
from dohyo.match.play import play_match
from dohyo.system import scheduler
from match_overhead import compile_c

MILLI = 1_000_000
BOT_MS = 20


def hand_in(folder: Path) -> Path:
    """The bot as the challenge takes it: a folder with its command."""
    compile_c("busy_bot.c", folder)
    (folder / "command.txt").write_text("./busy_bot\n")
    return folder


def ours(bot: Path, bots: int, turns: int) -> tuple[list[float], Replay]:
    """Our match; milliseconds of each turn but the first, as long as all live."""
    columns = ",".join(str(5 + 90 * seat // max(1, bots - 1)) for seat in range(bots))
    ends: list[int] = []
    replay = play_match(
        "abotcalypse",
        [str(bot)] * bots,
        seed=4,
        sandbox="none",
        setup={"turns": turns, "columns": columns},
        on_turn=lambda _: ends.append(monotonic_ns()),
    )
    whole = [len(turn.moves) == bots for turn in replay.turns]
    if not all(whole[:turns]):
        raise SystemExit("A bot has died: choose fewer turns.")
    return [(end - start) / MILLI for start, end in pairwise(ends)], replay


def views_of(replay: Replay) -> list[list[str]]:
    """What every bot was given in each turn but the first."""
    game = games.find("abotcalypse")
    seats = range(len(replay.header.seats))
    moments = [moment for moment in playback.moments(game, replay) if moment.turn.moves]
    return [[game.prompt(moment.before, seat).decode() for seat in seats] for moment in moments[1:]]


def alone(program: str, views: Sequence[Sequence[str]]) -> list[float]:
    """The processes and nothing else; milliseconds of each turn."""
    at_once = len(scheduler.cores())
    nowhere = os.open(os.devnull, os.O_RDWR)
    files = [(os.POSIX_SPAWN_DUP2, nowhere, number) for number in (0, 1)]
    times = []
    for turn in views:
        start = monotonic_ns()
        running = 0
        for view in turn:
            if running == at_once:
                os.wait()
                running -= 1
            os.posix_spawn(program, [program, view], os.environ, file_actions=files)
            running += 1
        for _ in range(running):
            os.wait()
        times.append((monotonic_ns() - start) / MILLI)
    os.close(nowhere)
    return times


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bots", type=int, default=10)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=9)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bot = hand_in(Path(folder))
        _, replay = ours(bot, chosen.bots, chosen.turns)
        views = views_of(replay)
        rounds = []
        for _ in range(chosen.rounds):
            bare = median(alone(str(bot / "busy_bot"), views))
            rounds.append((bare, median(ours(bot, chosen.bots, chosen.turns)[0])))
    ideal = chosen.bots * BOT_MS / len(scheduler.cores())
    print(f"{chosen.bots} bots, {BOT_MS} ms each, {len(scheduler.cores())} cores; load {os.getloadavg()[0]:.1f}")
    print(f"alone {median(bare for bare, _ in rounds):.1f} ms a turn")
    print(f"ours {median(our for _, our in rounds):.1f} ms a turn")
    print(f"ratio={median(our / bare for bare, our in rounds):.3f}")
    print(f"ideal_ratio={median(our for _, our in rounds) / ideal:.3f}")


if __name__ == "__main__":
    main()
