"""Which bots are not ready, or late, on a busy machine: every game's sample bots, in every language found here.

    python benchmarks/ready_under_load.py [GAME ...] [--mode fair --mode cpu] [--load 2] [--matches 2] [--bot NAME]

During the matches, `load` times as many busy loops as there are cores run, each in a session of its own, like other
people's work. Each bot has all seats of its game (four programs in Java start together in Drop-Block), with the
game's strictest preset, in the sandbox that this machine makes. A match is short: READY, the first turn and a few
more are measured. Building is not.

For each clock mode there is one line for each language: programs started, how many were not ready, turns asked, how
many came too late, and every other fault; then `late_fair=` and `late_cpu=`, the sums of the first two.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dohyo import bots, games
from dohyo.bots import Bot
from dohyo.core.clock import MODES, Clock, Mode
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.match.clocks import read_clock
from dohyo.match.play import play_match

SHORT: dict[str, dict[str, Any]] = {
    "drop-block": {"turns": 16},
    "abotcalypse": {"turns": 4},
    "shoot-em-up": {"pairs": 10},
    "wondev-woman": {},
}
LATE = {FaultKind.NOT_READY: "not_ready", FaultKind.TIMEOUT: "late"}
HOG = "while True: pass"


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many busy loops for as long as this lasts."""
    hogs = [subprocess.Popen([sys.executable, "-I", "-S", "-c", HOG], start_new_session=True) for _ in range(number)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def samples(game: Game, only: Sequence[str]) -> dict[str, list[tuple[str, Bot]]]:
    """The game's sample bots that can be built here, by language: where each lies, and what was built."""
    known = bots.samples(Path(game.folder) / "bots")
    found: dict[str, list[tuple[str, Bot]]] = {}
    for path in sorted(set(known.values())):
        if only and path.name not in only and path.stem not in only:
            continue
        try:
            (bot,) = bots.resolve([str(path)])
        except OperatorError as error:
            print(f"{path.name}: {error.say()}", file=sys.stderr)
        else:
            found.setdefault(bot.language, []).append((str(path), bot))
    return found


def strictest(game: Game, bot: Bot, mode: Mode) -> Clock:
    """The preset that leaves the least time, judged by this mode."""
    if game.lifetimes:
        return replace(read_clock(game, None, [bot.lifetime]), mode=mode)
    return replace(min(game.clocks.values(), key=lambda clock: clock.turn), mode=mode)


def count(replay: Replay, counts: Counter[str]) -> None:
    """Add a match to what was counted."""
    counts["started"] += len(replay.header.seats)
    for turn in replay.turns:
        for move in turn.moves:
            counts["turns"] += move.seconds is not None
            for fault in move.faults:
                counts[LATE.get(fault.kind, f"fault:{fault.kind.value}")] += 1


def measure(chosen: Sequence[Game], mode: Mode, words: argparse.Namespace) -> dict[str, Counter[str]]:
    """Play, and count by language."""
    found: dict[str, Counter[str]] = {}
    for game in chosen:
        for language, players in samples(game, words.bot).items():
            for spec, bot in players:
                for seed in range(words.matches):
                    options: dict[str, Any] = {"clock": strictest(game, bot, mode), "setup": SHORT.get(game.name, {})}
                    seats = min(game.seats[1], max(game.seats[0], words.seats))
                    # By its place and not as it was built: a bot that keeps files gets a folder of its own so.
                    replay = play_match(game, [spec] * seats, seed=seed, sandbox=words.sandbox, **options)
                    count(replay, found.setdefault(language, Counter()))
    return found


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of them without")
    parser.add_argument("--mode", action="append", choices=MODES, help="fair and cpu without")
    parser.add_argument("--load", type=int, default=2, help="busy loops for each core")
    parser.add_argument("--matches", type=int, default=2, help="of each bot")
    parser.add_argument("--seats", type=int, default=4, help="programs in a match, where the game lets one choose")
    parser.add_argument("--bot", action="append", default=[], help="this sample alone; may be repeated")
    parser.add_argument("--sandbox", default="auto", help="auto, require or none")
    words = parser.parse_args()
    chosen = [games.find(name) for name in words.games] or list(games.all_games().values())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for game in chosen:
        samples(game, words.bot)  # built before the machine is busy
    print(f"{', '.join(game.name for game in chosen)}: {cores * words.load} busy loops on {cores} cores")
    for mode in words.mode or ["fair", "cpu"]:
        with busy(cores * words.load):
            found = measure(chosen, mode, words)
        for language, counts in sorted(found.items()):
            others = "".join(f" {name[6:]}={number}" for name, number in counts.items() if name.startswith("fault:"))
            told = " ".join(f"{name}={counts[name]}" for name in ("started", "not_ready", "turns", "late"))
            print(f"{mode:<4}  {language:<10} {told}{others}", flush=True)
        print(f"late_{mode}={sum(counts['not_ready'] + counts['late'] for counts in found.values())}", flush=True)


if __name__ == "__main__":
    main()
