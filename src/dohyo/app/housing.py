"""Which box programs run in, and what each may do there: where play and bots meet the box."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dohyo.bots import Bot
from dohyo.bots.build_plan import named
from dohyo.core.house import Builder, House, Mount, Shown
from dohyo.runner import system
from dohyo.runner.launch import Launch
from dohyo.sandbox import FOR_BUILDING, FOR_READING, Box, Limits, choose


def box_of(sandbox: str | Box) -> Box:
    """The box that the operator's word means: auto, require or none. Raises `OperatorError`."""
    return sandbox if isinstance(sandbox, Box) else choose(sandbox)


def house_of(
    bot: Bot, environment: Mapping[str, str], box: Box, arguments: Sequence[str] = (), folder: str = ""
) -> Builder | None:
    """What makes the houses for a bot's program; none where it runs without a box.

    It may write to its folder where that is a private copy. Where we may not use all processors, neither may it.
    With a `folder` it starts there. `arguments` are the operator's: the files and folders that they name from there,
    or by absolute paths, can be read.
    """
    seen = bot.sees(box.own_files)
    words = arguments if folder else [word for word in arguments if os.path.isabs(word)]
    more = tuple(Mount(path, path) for path in named(words, folder or "/"))
    seen = replace(seen, folder=folder or seen.folder, mounts=(*seen.mounts, *more))
    return box.builder(seen, environment, Limits(cores=share()))


def launch(bot: Bot, environment: Mapping[str, str], box: Box, *, a_turn: bool = False, log: str = "") -> Launch:
    """How a bot's program is started in a box."""
    house = house_of(bot, environment, box)
    return Launch(bot.words(box.own_files), bot.folder, environment, a_turn, log, house, bot.command[0])


def share() -> float:
    """How many processors we may use; 0 where that is all of them, and so no limit."""
    ours = len(system.cores())
    return 0.0 if ours >= (os.cpu_count() or 1) else float(ours)


class BuildSandbox:
    """Where hand-ins are read and built: a box for every command, with limits that compilers can live with."""

    def __init__(self, box: Box) -> None:
        self._box = box

    @property
    def own_files(self) -> bool:
        """Whether what runs there has a file system of its own."""
        return self._box.own_files

    def read(self, words: Sequence[str], shown: Shown) -> House | None:
        """The house for reading hand-ins by this command of ours."""
        build = self._box.builder(shown, os.environ, FOR_READING)
        return None if build is None else build(words, shown.folder, None)

    def build(self, words: Sequence[str], environment: Mapping[str, str], shown: Shown) -> House | None:
        """The house for one command of a build."""
        build = self._box.builder(shown, environment, FOR_BUILDING, bound=False)
        return None if build is None else build(words, shown.folder, environment)
