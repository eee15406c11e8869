"""A bot in Python, run by a program of ours that stands before its source: a debugger's, or a profiler's."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from dohyo.core.errors import OperatorError

PYTHON = re.compile(r"(python|pypy)[0-9.]*")
WITH_VALUE = ("-W", "-X")  # Python's options that have a value of their own behind them


def with_runner(bot: Sequence[str], runner: Path, *given: str, error: str) -> list[str]:
    """A Python bot's words with one of our programs before its source, which runs it, and what that is `given`.

    Raises this `OperatorError` if the words do not start a source in Python.
    """
    at = 1
    while at < len(bot) and bot[at].startswith("-") and bot[at] not in ("-c", "-m"):
        at += 2 if bot[at] in WITH_VALUE else 1
    is_source = at < len(bot) and not bot[at].startswith("-")
    if not PYTHON.fullmatch(os.path.basename(bot[0])) or not is_source:
        raise OperatorError(error, command=shlex.join(bot))
    return [*bot[:at], str(runner), *given, *bot[at:]]
