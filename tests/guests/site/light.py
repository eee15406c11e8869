"""The command `dohyo` with sites that take little of the machine: `python light.py WORDS`.

Ladders rest after few matches: a judge plays each version hundreds of times, in all the time that nobody wants
something else of it, and so behind every test that waits for a page. Who hands in waits for a batch for a moment and
not for twenty seconds, and a match is analysed for a moment, and in plain Python. A password is mixed for a moment:
it takes a fifth of a second on purpose, and every test has people of its own. And the first page looks for its best
match each time, not every two minutes, as a test may come right after one that has played nothing. All else is as in
the command itself, which tests of kills, several servers and proxies start, and all tests with `--full`.
"""

from __future__ import annotations

import os
import sys
from typing import Any

ENOUGH = 10  # matches of each version
PATIENT, SEARCHED = 3.0, 2.0  # seconds
JUDGE = "dohyo.guests.site.judging.judge"


def start(name: str, *words: str) -> list[str]:
    """The words that start a module of ours; the judge by way of this file."""
    before = [os.path.abspath(__file__), name] if name == JUDGE else ["-m", name]
    return [sys.executable, "-P", *before, *words]


def be_judge() -> None:
    """Be the judge that the command starts."""
    from dohyo.guests.site.judging import asked, judge

    class Plain(asked.MatchAnalysis):
        """Compiles nothing: that takes longer than all else of an analysis."""

        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.compiled = False

    asked.MatchAnalysis = Plain  # type: ignore[misc]
    judge.PATIENT, asked.SEARCHED = PATIENT, SEARCHED
    del sys.argv[1]
    judge.main()


def be_command() -> None:
    """Be the command."""
    from argon2 import PasswordHasher

    from dohyo.cli.main import main
    from dohyo.guests.site.arena import highlights
    from dohyo.guests.site.people import passwords
    from dohyo.system import interpreter

    hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    passwords._hasher = lambda: hasher  # type: ignore[assignment]
    highlights.KEPT = 0.0
    interpreter.module = start
    sys.argv[0] = "dohyo"
    main()


if __name__ == "__main__":
    from dohyo.guests.site.arena import resting

    resting.ENOUGH = ENOUGH
    be_judge() if sys.argv[1] == JUDGE else be_command()
