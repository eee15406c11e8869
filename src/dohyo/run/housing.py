"""Which box programs run in, and what each may do there: where play and bots meet the box."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.bots import Bot
from dohyo.box import FOR_BUILDING, Box, Limits, choose
from dohyo.core.house import Builder, House
from dohyo.play import system


def box_of(sandbox: str | Box) -> Box:
    """The box that the operator's word means: auto, require or none. Raises `OperatorError`."""
    return sandbox if isinstance(sandbox, Box) else choose(sandbox)


def house_of(
    bot: Bot, environment: Mapping[str, str], box: Box, arguments: Sequence[str] = (), folder: str = ""
) -> Builder | None:
    """What makes the houses for a bot's program; none where it runs without a box.

    It may write to its folder where that is a private copy. The command of a bot that declares it itself is its
    author's: no word of it opens a folder. Where we may not use all processors, neither may it.
    `arguments` are the operator's, and open what they name; `folder` is where it starts, if not in its own.
    """
    writable = (bot.folder,) if bot.private else ()
    limits = Limits(cores=share())
    start = folder or bot.folder
    more: dict[str, Any] = {"writable": writable, "strange": bot.copied, "arguments": arguments}
    return box.builder(bot.command, start, environment, limits, **more)


def share() -> float:
    """How many processors we may use; 0 where that is all of them, and so no limit."""
    ours = len(system.cores())
    return 0.0 if ours >= (os.cpu_count() or 1) else float(ours)


class Workshop:
    """Where bots are built: a box for every command, with limits that compilers can live with."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def __call__(
        self, words: Sequence[str], folder: str, environment: Mapping[str, str], strange: bool
    ) -> House | None:
        """The house for one command of a build in `folder`; `strange` when the bot's author wrote the command."""
        build = self._box.builder(
            words, folder, environment, FOR_BUILDING, writable=(folder,), strange=strange, bound=False
        )
        return None if build is None else build(words, folder, environment)
