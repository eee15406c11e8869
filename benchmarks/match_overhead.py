"""What a turn costs the referee, compared with the bare exchange of the same bytes with the same bots.

    python benchmarks/match_overhead.py [GAME ...] [--rounds 15] [--sandbox]

The same C bots, on the same core, in the same run: a bare loop in C (`c/pipe_floor.c`: blocking writes and reads, no
rules, no clocks, no replay) is the least that the operating system allows; it is compared with our whole match. The
bytes are those of our own match: it is played once before, and its prompts are recorded. Rounds of all kinds
alternate, because a machine's speed drifts; each figure is the median of the rounds' ratios.

    ratio        with ordinary turns played by compiled code (the extra `fast`)
    core_ratio   without that extra, by the code that ships in wheels, from the first turn on; printed where there is
                 some: `python -m dohyo.native_code` makes it in a clone
    load_ms      processor time until that code is there, once in a process
    plain_ratio  in plain Python, as without either
    python_floor_ratio  the bare exchange by the barest loop of Python: two calls of the system a turn, the prompts at
                 hand, no clock, no rules, no replay; what is in plain Python can not come below it
    players_ratio  where every turn goes through the players, as with `--watch`: without the fast path
    fair_ratio   and plain_fair_ratio: the same by the clock of contests, `mode=fair`
    pause_us     how much longer a turn takes if bots that are not to move are paused; it is in no ratio
    sandbox_us   with --sandbox: how much longer a turn of the bare exchange takes if the bots run in the strongest
                 sandbox of this machine; each ratio's floor is then the exchange with bots in the same sandbox

All turns of a match are timed, from the first prompt to the last line of the replay, without the start of the
programs, READY and the end. In short games, a round is several matches.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import monotonic_ns, sleep
from typing import Any, NamedTuple

from dohyo import games
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.sandbox import Mount, Shown
from dohyo.match.loops.compiled_loop import shipped_loop
from dohyo.match.play import play_match
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.running import Match
from dohyo.sandbox import Sandbox, choose

SOURCES = Path(__file__).parent / "c"
RECORD = struct.Struct("=II")  # seat, length of what follows
CHUNK = 64 * 1024  # bytes of a read, as many as the referee's loop asks for
COMING_UP = 0.05  # seconds that bots have to start, in the sandbox too: not every protocol says when they have
PATIENT = 60.0  # seconds: a turn that the machine interrupts is no fault here
FAIR = Clock(turn=PATIENT, mode="fair")


LOADED = """
import sys, time
from dohyo import games
from dohyo.match import play
from dohyo.match.loops import driver as fastpath
game = games.find(sys.argv[1])
start = time.process_time()
assert type(fastpath.loop_for(game)).__name__ == "ShippedLoop"
print(1000 * (time.process_time() - start))
"""


class Case(NamedTuple):
    """A match to measure: the bot on every seat (a source under `c/`), the setup, and matches a round."""

    bot: str
    seats: int
    setup: Mapping[str, Any]
    matches: int = 1
    seed: int = 1


CASES = {
    "drop-block": Case("echo_bot.c", 4, {"turns": 1000}),
    "wondev-woman": Case("first_action_bot.c", 2, {"league": "bronze"}, 5, seed=37),
}


class Bench:
    """One case with everything that its rounds need."""

    def __init__(self, game: Game, case: Case, sandbox: Sandbox, folder: Path) -> None:
        self.game, self.case, self.sandbox = game, case, sandbox
        self.bot, self.floor = compile_c(case.bot, folder), compile_c("pipe_floor.c", folder)
        self.recording = folder / "prompts"
        replay = self._play(compiled=True)
        with self.recording.open("wb") as file:
            for moment in playback.moments(game, replay):
                for move in moment.turn.moves:
                    prompt = game.prompt(moment.before, move.seat)
                    file.write(RECORD.pack(move.seat, len(prompt)) + prompt)
        self.turns = replay.played

    def ours(self, **options: Any) -> float:
        """Microseconds a turn of our match."""
        with timed() as took:
            for _ in range(self.case.matches):
                self._play(**options)
        return sum(took) / 1000 / self.turns / self.case.matches

    def bare(self, sandbox: Sandbox, in_python: bool = False) -> float:
        """Microseconds a turn of the bare exchange, by the loop in C or by the one in Python."""
        took = sum(self._exchange(sandbox, in_python) for _ in range(self.case.matches))
        return took / 1000 / self.turns / self.case.matches

    def _play(self, **options: Any) -> Replay:
        words = [str(self.bot)] * self.case.seats
        replay = play_match(
            self.game,
            words,
            setup=self.case.setup,
            sandbox=self.sandbox,
            seed=self.case.seed,
            **{"clock": Clock(turn=PATIENT), **options},
        )
        if any(move.faults for turn in replay.turns for move in turn.moves):
            sys.exit("A bot misbehaved: this run measures nothing.")
        return replay

    def _exchange(self, sandbox: Sandbox, in_python: bool) -> int:
        """Nanoseconds of one match's exchanges."""
        folder = str(self.bot.parent)
        programs: list[BotProcess] = []
        try:
            for _ in range(self.case.seats):
                sandbox_factory = sandbox.factory(Shown(folder, (Mount(folder, folder),)), dict(os.environ))
                programs.append(
                    BotProcess((str(self.bot),), folder, dict(os.environ), sandbox_factory=sandbox_factory)
                )
            sleep(COMING_UP)
            ends = [end for program in programs for end in (program.stdin, program.stdout)]
            for end in ends:
                os.set_blocking(end, True)
            if in_python:
                return exchanged(self.recording, self.game.protocol.READY, ends)
            words = [str(self.floor), str(self.recording), self.game.protocol.READY, *map(str, ends)]
            return int(subprocess.run(words, check=True, stdout=subprocess.PIPE, pass_fds=ends).stdout)
        finally:
            for program in programs:
                program.stop()


def exchanged(recording: Path, ready: str, ends: Sequence[int]) -> int:
    """What `pipe_floor.c` does, in Python: nanoseconds of all turns. `ends` are each seat's stdin and stdout."""
    content, at, turns = recording.read_bytes(), 0, []
    while at < len(content):
        seat, length = RECORD.unpack_from(content, at)
        at += RECORD.size + length
        turns.append((ends[2 * seat], ends[2 * seat + 1], content[at - length : at]))
    for stdout in ends[1::2] if ready else ():
        os.read(stdout, CHUNK)
    write, read = os.write, os.read
    start = monotonic_ns()
    for stdin, stdout, prompt in turns:
        write(stdin, prompt)
        read(stdout, CHUNK)
    return monotonic_ns() - start


@contextmanager
def timed() -> Iterator[list[int]]:
    """Time the turns of all matches meanwhile; nanoseconds of each match's."""
    took: list[int] = []
    original = Match._play_turns

    def play_turns(match: Match, *rest: Any) -> None:
        match.players.rest(COMING_UP)  # as the referee waits for programs that come up
        start = monotonic_ns()
        original(match, *rest)
        took.append(monotonic_ns() - start)

    Match._play_turns = play_turns  # type: ignore[method-assign]
    try:
        yield took
    finally:
        Match._play_turns = original  # type: ignore[method-assign]


def compile_c(source: str, folder: Path) -> Path:
    """Build a program of `c/` with the machine's compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
    program = folder / Path(source).stem
    subprocess.run([compiler, "-O2", "-o", program, SOURCES / source], check=True)
    return program


def pin() -> str:
    """Keep this process, and so all programs that it starts, on one core; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"core {core}"


def measure(bench: Bench, rounds: int) -> dict[str, list[float]]:
    """Alternate all ways to play; microseconds a turn of each round of each."""
    none = choose("none")
    ways = {
        "floor": lambda: bench.bare(bench.sandbox),
        "python floor": lambda: bench.bare(bench.sandbox, in_python=True),
        "compiled": lambda: bench.ours(compiled=True),
        "plain": lambda: bench.ours(compiled=False),
        "fair": lambda: bench.ours(compiled=True, clock=FAIR),
        "plain fair": lambda: bench.ours(compiled=False, clock=FAIR),
        "players": lambda: bench.ours(on_turn=lambda replay: None),
        "paused": lambda: bench.ours(compiled=True, pondering=False),
    }
    if shipped_loop(bench.game) is not None:
        ways["core"] = bench.ours
    if bench.sandbox is not none and bench.sandbox.layer != none.layer:
        ways["unboxed"] = lambda: bench.bare(none)
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            found[name].append(way())
    return found


def loading(name: str) -> float:
    """Milliseconds of processor time until a process has the game's shipped loop, the median of five."""
    words = [sys.executable, "-c", LOADED, name]
    return median(
        float(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout) for _ in range(5)
    )


def ratio(found: Mapping[str, Sequence[float]], name: str) -> float:
    """How many times the floor this way takes."""
    return median(mine / floor for floor, mine in zip(found["floor"], found[name], strict=True))


def more(found: Mapping[str, Sequence[float]], name: str, than: str) -> float:
    """How many microseconds a turn takes longer this way than that."""
    return median(here - there for here, there in zip(found[name], found[than], strict=True))


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"among {', '.join(CASES)}; all by default")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--sandbox", action="store_true", help="run the bots in the strongest sandbox of this machine"
    )
    words = parser.parse_args()
    place = pin()
    sandbox = choose("auto" if words.sandbox else "none")
    for name in words.games or CASES:
        game, case = games.find(name), CASES[name]
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(game, case, sandbox, Path(folder))
            found = measure(bench, words.rounds)
        print(
            f"{name}: {case.seats} C bots x {bench.turns} turns, {words.rounds} rounds of {case.matches} of each, "
            f"{place}, sandbox {sandbox.name}"
        )
        for way, rounds in found.items():
            print(f"  {way:12} us={median(rounds):.2f} (rounds {min(rounds):.2f} .. {max(rounds):.2f})")
        print(f"pause_us={more(found, 'paused', 'compiled'):.2f}")
        if "unboxed" in found:
            print(f"sandbox_us={more(found, 'floor', 'unboxed'):.2f}")
        print(f"plain_fair_ratio={ratio(found, 'plain fair'):.2f}")
        print(f"fair_ratio={ratio(found, 'fair'):.2f}")
        if "core" in found:
            print(f"load_ms={loading(name):.1f}")
            print(f"core_ratio={ratio(found, 'core'):.2f}")
        print(f"python_floor_ratio={ratio(found, 'python floor'):.2f}")
        print(f"players_ratio={ratio(found, 'players'):.2f}")
        print(f"plain_ratio={ratio(found, 'plain'):.2f}")
        print(f"ratio={ratio(found, 'compiled'):.2f}")


if __name__ == "__main__":
    main()
