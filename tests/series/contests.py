"""Contests for tests: bots in the shell's language whose course depends on the seed alone, and what came of them.

`python -m tests.series.contests STORE FOLDER FORMAT [POINT NUMBER]` holds one, and prints a line for each result
that is stored; where a point is named, the process kills itself there when it comes by for that time.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from dohyo.core import replay_format as replays
from dohyo.core.clock import Clock
from dohyo.core.contest import Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import Executor
from dohyo.executors.pool import Pool
from dohyo.series import session
from dohyo.series.loop import Loop
from dohyo.series.request import ContestRequest
from dohyo.series.results import ResultWriter
from dohyo.series.session import ContestSession
from dohyo.series.standings import standings_of
from dohyo.series.store import Files, Store
from dohyo.series.store.records import Progress

CLOCK = Clock(turn=60.0, ready=60.0)
FORMATS: dict[str, dict[str, Any]] = {
    "round-robin": {"rounds": 1, "options": {"rotate": False}},
    "swiss": {"rounds": 4},
    "ladder": {"options": {"batch": 1}},
}
BATCHES = 3  # of a ladder
BOTS = ("early", "middling", "late", "steady", "still")

# Where each goes and when it attacks is decided by its own seed alone; one of them gives up now and then.
WORDS = "set -- U A R A D A L A; shift $(((DOHYO_SEED / {slow} + turn / {pace}) % 8)); echo $1"
ANSWERS = {
    "early": WORDS.format(slow=1, pace=1),
    "middling": WORDS.format(slow=3, pace=2),
    "late": WORDS.format(slow=7, pace=1),
    "steady": "if [ $turn = $((DOHYO_SEED % 15)) ]; then exit 3; fi; " + WORDS.format(slow=5, pace=3),
    "still": "echo N",
}


def write_bots(folder: Path) -> None:
    """Put the bots into a folder."""
    folder.mkdir(exist_ok=True)
    for name, answer in ANSWERS.items():
        write_bot(folder / name, answer)


def write_bot(path: Path, answer: str = "echo N") -> str:
    """Write a bot of Drop-Block: what it does in each turn, by its number `$turn`."""
    path.write_text(
        "#!/bin/sh\necho READY\nturn=0\nwhile read -r line; do\n"
        f'  if [ "$line" = EOD ]; then\n    turn=$((turn + 1))\n    {answer}\n  fi\ndone\n'
    )
    path.chmod(0o755)
    return str(path)


def asked(store: Path, home: Path, format_: str = "round-robin", /, **more: Any) -> ContestRequest:
    """A small contest of all bots of the folder, or of those in `more`."""
    usual: dict[str, Any] = {
        "name": "c",
        "store": str(store),
        "game": "drop-block",
        "format": format_,
        "seed": 11,
        "setup": {"turns": 20},
        "bots": [("", str(home / name)) for name in BOTS],
        "clock": CLOCK,
        "sandbox": "none",
        **FORMATS.get(format_, {}),
    }
    return ContestRequest(**{**usual, **more})


class Notes:
    """What was told besides: bots that were left out, bots that entered."""

    def __init__(self) -> None:
        self.left_out: list[str] = []
        self.joined: list[str] = []
        self.told: list[tuple[str, str]] = []

    def tell(self, key: str, **details: object) -> None:
        """Remember what was told of which bot."""
        if key == "contest.joins":
            self.joined.append(str(details["bot"]))
        elif "bot" in details:
            self.told.append((key, str(details["bot"])))


def opened(wanted: ContestRequest, frozen: bool = False, notes: Notes | None = None) -> ContestSession:
    """The contest, begun or gone on with."""
    told = notes or Notes()

    def leave_out(bot: str, error: OperatorError) -> None:
        told.left_out.append(bot)

    return session.begin(wanted, frozen=frozen, leave_out=leave_out, tell=told.tell)


class ContestListener:
    """Does something after each result, and remembers what it was told."""

    def __init__(self, after: Callable[[int], None] = lambda number: None) -> None:
        self._after = after
        self.results: list[int] = []
        self.aside: list[int] = []
        self.batches: list[int] = []

    def on_batch(self, batch: Progress) -> None:
        """A batch begins."""

    def on_result(self, result: Result) -> None:
        """A result was stored."""
        self.results.append(result.fixture.number)
        self._after(len(self.results))

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A match was set aside."""
        self.aside.append(fixture.number)

    def on_batch_over(self, batch: int) -> None:
        """A batch is over."""
        self.batches.append(batch)


def play(wanted: ContestRequest, onlooker: ContestListener | None = None, executor: Executor | None = None) -> None:
    """Hold the contest to its end, in this process if nothing else is said."""
    with opened(wanted) as contest, executor or InProcess() as players:
        contest.loop.run(players, onlooker or ContestListener(), left(contest))


def left(contest: ContestSession) -> int | None:
    """How many batches a contest without an end is still to have."""
    return max(0, BATCHES - contest.loop.format.batch) if contest.spec.format == "ladder" else None


class Course(NamedTuple):
    """All that must not depend on where a contest was stopped."""

    matches: tuple[Any, ...]  # by number: seats, seed, places, scores, faults, every move
    standings: tuple[Any, ...]  # place, bot, points, matches, placed before, beside, behind


def course(wanted: ContestRequest) -> Course:
    """What came of the contest that is over."""
    with opened(wanted) as contest:
        store, loop = contest.store, contest.loop
        matches = tuple(
            (result.fixture, result.places, result.scores, result.faults, _moves(store.files, result))
            for result in store.played(contest.contest.id)
        )
        table = standings_of(store, contest.contest, loop.format, loop.roster.entrants)
    rows = tuple((r.place, r.bot, r.points, r.matches, r.won, r.drawn, r.lost, r.faults) for r in table.rows)
    return Course(matches, rows)


def _moves(files: Files, result: Result) -> list[Any]:
    assert result.replay is not None
    replay = replays.decode(files.get(result.replay))
    return [[(move.seat, move.reply) for move in turn.moves] for turn in replay.turns]


# --- a contest in a process of its own


def die_at(point: str, number: int) -> None:
    """Kill this process when it comes by a point for that time."""
    passed = iter(range(1, number + 1))

    def dying(method: Callable[..., Any]) -> Callable[..., Any]:
        def act(*given: Any, **more: Any) -> Any:
            if next(passed) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return method(*given, **more)

        return act

    owner, name = POINTS[point]
    setattr(owner, name, dying(getattr(owner, name)))


# Between a match's end and its files, its files and its row, its row and what follows; before and after a batch.
POINTS: dict[str, tuple[type, str]] = {
    "before-files": (ResultWriter, "add"),
    "before-row": (Store, "record"),
    "after-row": (ContestListener, "on_result"),
    "before-schedule": (Store, "schedule"),
    "after-batch": (Loop, "_take"),
    "before-entering": (Store, "enter"),
}


def main() -> None:
    """See the module."""
    store, folder, format_, *point = sys.argv[1:]
    if point:
        die_at(point[0], int(point[1]))
    play(asked(Path(store), Path(folder), format_), ContestListener(lambda n: print(n, flush=True)), Pool(2))


if __name__ == "__main__":
    main()
