"""How fast the rules are in batch: compared with C, on more threads, for every game, and with other projects.

    python benchmarks/simulation.py [--rounds 7] [--seconds 0.5] [--beside 4096] [--only c,lanes,threads,...]

c_ratio NAME=  random play of the four games and of connect four on one thread, ours by C's (benchmarks/c/NAME.c,
               built here with -O3 -march=native): the same games, checked to end in the same states. By processor
               time, because both compute all the time, and on a shared machine wall time is unreliable.
lanes_ratio NAME=  the same of rollouts in lanes, by vectors, in the games that have them; other parts leave them out.
threads_ratio  two threads compared with one, by wall time: what a user waits. A machine whose cores are busy cannot
               show it; C on two threads is printed too, as what the machine allows.
games          turns/s of all games, of random play within the compiled loop, for several numbers of games, by one
               thread and by all; and of the step API with observations and masks.
start          from the start of a process to its first step, first without and then with code compiled before; and
               to the end of a rollout, another loop: with nothing kept, and where only the rules are kept.
peers          connect four's random play, and its step API, in other projects: peer_ratio NAME=. See peers/.

Ours and theirs take turns, and medians are compared.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy

from dohyo import games
from dohyo.core.game import Game, Turns
from dohyo.games.abotcalypse.directions import ACROSS, UPWARD
from dohyo.sim import BatchMatch, loops
from dohyo.sim.loops import cores
from dohyo.sim.turns import Games
from peers.beside import GAME, beside_peers

HERE = Path(__file__).parent
PARTS = ("c", "lanes", "threads", "games", "start", "peers")
IN_LANES = ("shoot-em-up", GAME)
FOREVER = 1 << 62
SIZES = (1, 64, 4096, 65536)
TABLES = {"abotcalypse": {"ACROSS": ACROSS, "UPWARD": UPWARD}}  # of a game, that its C is given
MAX_BYTES = 1 << 30  # of states and observations at once; larger batches are left out


class ByHand:
    """A game's random play in C, over a batch's own arrays."""

    def __init__(self, folder: Path, game: Game) -> None:
        name = game.name.replace("-", "_")
        library = folder / f"{name}.so"
        compiler = os.environ.get("CC", "cc")
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, HERE / "c" / f"{name}.c"]
        subprocess.run(command, check=True)
        loaded = ctypes.CDLL(str(library))
        loaded.size.restype = ctypes.c_int64
        for name, numbers in TABLES.get(game.name, {}).items():
            (ctypes.c_double * len(numbers)).in_dll(loaded, name)[:] = numbers
        assert loaded.size() == game.rules.LAYOUT.dtype().itemsize, "C has other states"
        self._roll = loaded.roll

    def span(self, first: int, last: int, games: Games, scratch: Any, wins: Any, steps: int) -> None:
        """Play so many turns in the slots from first to last - 1."""
        low, high = ctypes.c_uint32(games.low), ctypes.c_uint32(games.high)
        arrays = [ctypes.c_void_p(rows.ctypes.data) for rows in (games.states, games.blank, games.slots, wins)]
        counts = [ctypes.c_int64(count) for count in (first, last, games.rewards.shape[1], steps)]
        self._roll(*counts[:2], *arrays, counts[2], low, high, counts[3])

    def rollout(self, batch: BatchMatch, steps: int) -> list[int]:
        """As `BatchMatch.rollout`; games won by each seat, and by nobody."""
        wins = numpy.zeros((batch.n, batch.seats + 1), numpy.int64)
        batch.place.run(self.span, batch.games, wins, steps, turns_a_slot=steps)
        return [int(count) for count in wins.sum(axis=0)]


def rate(play: Callable[[int], Any], count: int, seconds: float, clock: Callable[[], float]) -> float:
    """Turns a second of `play(steps)`, which plays `steps` turns in each of `count` games, over about so long."""
    steps = 1
    while True:
        start = clock()
        play(steps)
        spent = clock() - start
        if spent >= seconds / 4:
            return count * steps / spent
        steps *= 2 if spent <= 0 else max(2, min(64, int(seconds / 3 / spent)))


def beside_c(rounds: int, seconds: float, count: int, names: Sequence[str], ratio: str) -> None:
    """So many matches of every game at once, ours and C's one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        for game in map(games.find, names):
            by_hand = ByHand(Path(folder), game)
            ours, theirs = (BatchMatch(game, count, 1, seats=most_seats(game), threads=1) for _ in range(2))
            pairs = by_turns(ours, theirs, by_hand, rounds, seconds)
            report(f"{game.name}, random play, 1 thread", median(mine for mine, _ in pairs))
            report(f"{game.name}, the same in C, 1 thread", median(hand for _, hand in pairs))
            print(f"{ratio} {game.name}={median(mine / hand for mine, hand in pairs):.2f}", flush=True)


def in_lanes(rounds: int, seconds: float, count: int) -> None:
    """The same by the loops in lanes, from the first turn on."""
    loops.PLAIN_TURNS = 0
    loops.made_of.cache_clear()
    beside_c(rounds, seconds, count, IN_LANES, "lanes_ratio")
    loops.PLAIN_TURNS = FOREVER
    loops.made_of.cache_clear()


def by_turns(
    ours: BatchMatch, theirs: BatchMatch, by_hand: ByHand, rounds: int, seconds: float
) -> list[tuple[float, float]]:
    """Turns a second of ours and of C's in each round, after both have ended in the same states."""
    for steps in (1, 30, 1000):
        totals = ours.rollout(steps)
        assert [*totals.wins, totals.draws] == by_hand.rollout(theirs, steps), "C plays other games"
        assert ours.states.tobytes() == theirs.states.tobytes(), "C ends in other states"
    pairs = []
    for _ in range(rounds):
        mine = rate(ours.rollout, ours.n, seconds, time.thread_time)
        hand = rate(lambda steps: by_hand.rollout(theirs, steps), theirs.n, seconds, time.thread_time)
        pairs.append((mine, hand))
    return pairs


def most_seats(game: Game) -> int:
    """How many play where a benchmark does not say: up to eight."""
    return min(game.seats[1], max(game.seats[0], 8))


def beside_one_thread(rounds: int, seconds: float, count: int) -> None:
    """Two threads and one, ours and C's, by turns: sixteen times as many matches, so that it pays."""
    game = games.find("drop-block")
    with tempfile.TemporaryDirectory() as folder:
        by_hand = ByHand(Path(folder), game)
        batches = {threads: BatchMatch(game, 16 * count, 1, threads=threads) for threads in (1, 2)}
        found: dict[str, list[float]] = {"ours": [], "C": []}
        for _ in range(rounds):
            for who, ratios in found.items():
                rates = {}
                for threads, batch in batches.items():
                    play = (
                        batch.rollout if who == "ours" else lambda steps, batch=batch: by_hand.rollout(batch, steps)
                    )
                    rates[threads] = rate(play, batch.n, seconds, time.perf_counter)
                ratios.append(rates[2] / rates[1])
        print(f"C, two threads by one: {median(found['C']):.2f}")
        print(f"threads_ratio={median(found['ours']):.2f}", flush=True)


def all_games(seconds: float) -> None:
    """Every game, at several sizes, by one thread and by all."""
    print(f"{'':42}{'random play':>24}{'step, observe, legal':>26}")
    print(f"{'turns/s':42}{'1 thread':>12}{f'{cores()} threads':>12}{'1 thread':>14}{f'{cores()} threads':>12}")
    for game in games.all_games().values():
        seats = most_seats(game)
        for count in SIZES:
            if count * game.rules.LAYOUT.size > MAX_BYTES:
                continue
            figures = []
            for threads in (1, cores()):
                batch = BatchMatch(game, count, 1, seats=seats, threads=threads)
                batch.rollout(1)  # compiled here, where it was not
                figures.append(rate(batch.rollout, count, seconds, time.perf_counter))
            for threads in (1, cores()):
                figures.append(stepped(game, count, seats, threads, seconds))
            name = f"{game.name}, {seats} seats, n = {count}"
            roll, all_roll, step, all_step = (f"{figure:,.0f}" if figure else "-" for figure in figures)
            print(f"{name:42}{roll:>12}{all_roll:>12}{step:>14}{all_step:>12}", flush=True)


def stepped(game: Game, count: int, seats: int, threads: int, seconds: float) -> float:
    """Turns a second of the step API: observations and masks go into arrays that are there.

    How the caller chooses its actions is not timed.
    """
    observation = game.observation
    if observation is None:
        return 0.0
    batch = BatchMatch(game, count, 1, seats=seats, threads=threads, illegal="trust")
    mover = game.turns is Turns.ALTERNATING
    views = 1 if mover else seats
    if count * views * len(observation.PLANES) * int(numpy.prod(observation.SHAPE)) * 4 > MAX_BYTES:
        return 0.0
    seen, mask = batch.observe(mover=mover), batch.legal(mover=mover)
    actions = mask.argmax(-1)

    spent, turns = 0.0, 0
    chooser = numpy.random.default_rng(4)
    batch.step(actions)
    while spent < seconds:
        begun = time.perf_counter()
        batch.step(actions, observe=seen, legal=mask)
        spent += time.perf_counter() - begun
        turns += count
        actions = (mask * chooser.random(mask.shape, numpy.float32)).argmax(-1)
    return turns / spent


def start(rounds: int) -> None:
    """Processes that play one turn or one rollout, and end."""
    made = "import sys; from dohyo import games; from dohyo.sim import BatchMatch\n"
    made += "batch = BatchMatch(games.find(sys.argv[1]), 64, threads=1)\n"
    step, rollout = made + "batch.step(batch.legal().argmax(-1))", made + "batch.rollout(1)"

    def taken(script: str, name: str, folder: str) -> float:
        begun = time.perf_counter()
        environment = {**os.environ, "DOHYO_CACHE": folder}
        subprocess.run([sys.executable, "-P", "-c", script, name], check=True, env=environment)
        return time.perf_counter() - begun

    for name in games.all_games():
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            cold = taken(step, name, one)
            cached = median(taken(step, name, one) for _ in range(rounds))
            anew, kept = taken(rollout, name, other), taken(rollout, name, one)
        told = f"cold {cold:.1f} s, cached {cached:.2f} s; another loop: {anew:.1f} s, the rules kept {kept:.1f} s"
        print(f"start {name}: {told}", flush=True)


def report(what: str, turns: float) -> None:
    """One line of turns a second."""
    print(f"{what:42}{turns / 1e6:8.1f} million turns/s")


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--beside", type=int, default=4096, help="matches at once, where C plays them too")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    parts = options.only.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")
    loops.PLAIN_TURNS = FOREVER
    print(f"load {os.getloadavg()[0]:.1f} on {cores()} cores")
    if "c" in parts:
        beside_c(options.rounds, options.seconds, options.beside, [*games.all_games(), GAME], "c_ratio")
    if "lanes" in parts:
        in_lanes(options.rounds, options.seconds, options.beside)
    if "threads" in parts:
        beside_one_thread(options.rounds, options.seconds, options.beside)
    if "games" in parts:
        all_games(options.seconds)
    if "start" in parts:
        start(min(options.rounds, 5))
    if "peers" in parts:
        beside_peers(options.rounds, options.seconds)


if __name__ == "__main__":
    main()
