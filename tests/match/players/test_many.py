"""Many matches: one after the other, side by side, and against those who would fill the referee's memory."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import Result
from dohyo.games.drop_block import GAME
from dohyo.match.processes.launch import Launch
from dohyo.match.running import Match
from tests.match.players.living import LONG, PRELUDE
from tests.processes import children, descriptors, left_open

HURRY = 0.005  # seconds: who is late, and who is not, does not matter where only the remains are counted

# The shell starts in a millisecond, and is everywhere.
ANSWERS = 'echo READY; while read -r line; do if [ "$line" = EOD ]; then echo A; fi; done'
SEATS = (
    ANSWERS,
    "echo READY; cat > /dev/null",  # never answers: stopped at its first turn
    "echo READY; read -r line; sleep 1000 & sleep 1001 & exit 3",
    "echo READY; read -r line; kill -SEGV $$",
)
HARMLESS = (ANSWERS, ANSWERS, "echo READY; read -r line; exit 3", "echo READY; exec >&-; read -r line; exit 4")


def play(folder: Path, seats: tuple[str, ...], turns: int, limit: float, seed: int = 1) -> tuple[Result, list[str]]:
    """A match of Drop-Block between shell scripts; its result, and the digests of its states."""
    judge = Referee(GAME, resolve(GAME.options, {"turns": turns}), 4, seed)
    launches = [Launch(("/bin/sh", "-c", seat), str(folder)) for seat in seats]
    result = Match(judge, launches, Clock(turn=limit, ready=LONG)).play()
    return result, [turn.digest for turn in judge.turns]


def test_fifty_matches_leave_nothing_behind(tmp_path: Path) -> None:
    """No process, no zombie, no descriptor and no thread is left after fifty matches full of faults."""
    play(tmp_path, SEATS, 8, HURRY)
    opened, before = descriptors(), (children(), threading.active_count())
    for _ in range(50):
        play(tmp_path, SEATS, 8, HURRY)
    assert (children(), threading.active_count()) == before
    assert not left_open(opened)


def test_matches_side_by_side_are_the_same_matches(tmp_path: Path) -> None:
    """Four threads of one process play at once what one alone plays: no program hears or holds another's pipe."""
    alone = [play(tmp_path, HARMLESS, 40, LONG, seed) for seed in range(4)]
    before = descriptors(), children()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: play(tmp_path, HARMLESS, 40, LONG, seed % 4), range(20)))
    assert together == alone * 5
    assert (descriptors(), children()) == before


FLOODS = """
import resource, sys
from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.games.drop_block import GAME
from dohyo.match.processes.launch import Launch
from dohyo.match.running import Match

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "linux" else 1024 * 1024)

judge = Referee(GAME, resolve(GAME.options, {"turns": 200}), 4, 1)
launches = [Launch((sys.executable, "-I", "-S", path), ".") for path in sys.argv[1:]]
before = peak()
Match(judge, launches, Clock(turn=60.0, ready=60.0)).play()
faults = [fault.kind for turn in judge.turns for move in turn.moves for fault in move.faults]
print(peak() - before, faults.count("output"), len(faults) - faults.count("malformed"), len(judge.turns))
"""


def test_floods_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Endless standard error of two, and endless short lines of two others, cost the referee a few MiB at most."""
    ready = "say('READY\\n')\n"
    beside = "if os.fork() == 0:\n    while True:\n        {}\nwhile asked():\n    say('A\\n')\n"
    bodies = [ready + beside.format("complain('x' * 60_000)")] * 2 + [
        ready + beside.format("say('\\n' * 4000)"),
        ready + beside.format("say('ab\\n' * 1000)"),
    ]
    paths = []
    for number, body in enumerate(bodies):
        paths.append(tmp_path / f"flood{number}.py")
        paths[-1].write_text(PRELUDE + body)
    found = subprocess.run(
        [sys.executable, "-c", FLOODS, *map(str, paths)], capture_output=True, text=True, check=True
    )
    megabytes, floods, stopping, turns = map(int, found.stdout.split())
    assert (floods, stopping, turns) == (2, 2, 200)
    assert megabytes < 16
