"""Joins runner and bots to the sandbox: which sandbox programs run in, and what each one sees and may use there."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE, Game
from dohyo.core.options import told
from dohyo.core.sandbox import OUR_PREFIX, Mount, SandboxedRun, SandboxFactory, Shown
from dohyo.match.processes.launch import Launch
from dohyo.sandbox import DEBUG_MEMORY, FOR_BUILDING, FOR_READING, Limits, Sandbox, choose
from dohyo.sandbox.environment import homes_for
from dohyo.system import scheduler


def sandbox_of(sandbox: str | Sandbox) -> Sandbox:
    """The sandbox that the operator's word means: auto, require or none. Raises `OperatorError`."""
    return sandbox if isinstance(sandbox, Sandbox) else choose(sandbox)


def factory_for(
    bot: Bot,
    environment: Mapping[str, str],
    sandbox: Sandbox,
    arguments: Sequence[str] = (),
    folder: str = "",
    mounts: Sequence[Mount] = (),
) -> SandboxFactory | None:
    """A factory for the sandboxed runs of a bot's program; None if it runs without a sandbox.

    The program may write to its folder if that is a private copy. It may use only the processors that we may use.
    With `folder`, it starts there. `arguments` come from the operator: the program can read the files and folders
    that they name, relative to that folder or by absolute paths. `mounts` are ours, which it sees as well.
    """
    seen = bot.sees(sandbox.own_files)
    words = arguments if folder else [word for word in arguments if os.path.isabs(word)]
    if _may_import_games(bot.programs, environment, sandbox):
        from dohyo.match.seen_games import SeenGames

        mounts = (*mounts, *SeenGames(environment, sandbox).mounts)
    seen = replace(seen, folder=folder or seen.folder, mounts=(*seen.mounts, *mounts))
    if words:
        from dohyo.bots.build_plan import named

        more = tuple(Mount(path, path) for path in named(words, folder or "/"))
        seen = replace(seen, mounts=(*seen.mounts, *more))
    limits = Limits(cores=processor_share())
    if bot.debug:
        limits = replace(limits, memory=DEBUG_MEMORY, reserves=True)
    return sandbox.factory(seen, environment, limits)


def launch(
    bot: Bot, environment: Mapping[str, str], sandbox: Sandbox, *, a_turn: bool = False, log: str = ""
) -> Launch:
    """How a bot's program is started in a sandbox.

    Its environment also has the values of its parameters, and where the operator has installed its language.
    """
    if bot.address:
        raise OperatorError("bot-is-server", bot=bot.name)
    environment = {**homes_for(bot.programs, os.environ), **with_games(bot, environment, sandbox)}
    command = bot.words(sandbox.own_files)
    protocol, settings = "", {}
    if any(word.startswith(OUR_PREFIX) for word in command):
        from dohyo.core import parameters

        command, values = parameters.parted(command)
        command, protocol = parameters.without_protocol(command)
        if protocol:
            settings = parameters.settings(values)
        environment = {**environment, **values}
    factory = factory_for(bot, environment, sandbox)
    return Launch(
        command, bot.folder, environment, a_turn, log, factory, bot.command[0], protocol=protocol, settings=settings
    )


def with_games(bot: Bot, environment: Mapping[str, str], sandbox: Sandbox) -> Mapping[str, str]:
    """The environment of a bot, with absolute paths of the operator's games.

    In a sandbox only a bot that runs with our own interpreter is told of them, and only of its match's game.
    """
    folders = environment.get(GAMES_VARIABLE)
    if not folders:
        return environment
    if sandbox.is_none:
        whole = (os.path.abspath(os.path.expanduser(folder)) for folder in folders.split(os.pathsep) if folder)
        return {**environment, GAMES_VARIABLE: os.pathsep.join(whole)}
    if not _may_import_games(bot.programs, environment, sandbox):
        return {name: value for name, value in environment.items() if name != GAMES_VARIABLE}
    from dohyo.match.seen_games import SeenGames

    return SeenGames(environment, sandbox).told


def _may_import_games(programs: Sequence[str], environment: Mapping[str, str], sandbox: Sandbox) -> bool:
    """Whether a program in a sandbox is shown games that are not installed."""
    return bool(environment.get(GAMES_VARIABLE)) and sys.executable in programs and not sandbox.is_none


OF_SOME_CLOCKS = ("DOHYO_WALL_LIMIT", "DOHYO_BANK")  # what is told of these alone: where it is not, nobody's is


def told_of(game: Game, clock: Clock, setup: Mapping[str, object] | None = None) -> dict[str, str]:
    """What a bot's program is told of its match: the game's name, its limits in seconds and for the whole match, what
    counts against them (and the limit by wall time behind that), how its input is written.

    Of the `setup` (the usual one when none) it is told the options that say so, as JSON in ASCII: others may be what
    a seat must not know.
    """
    known = told(game.options, setup or {})
    return {
        "DOHYO_GAME": game.name,
        **({"DOHYO_SETUP": json.dumps(known)} if known else {}),
        "DOHYO_LIMIT": f"{clock.share(False):g}",
        "DOHYO_FIRST_LIMIT": f"{clock.share(True):g}",
        "DOHYO_CLOCK_MODE": clock.mode,
        **({"DOHYO_BANK": f"{clock.bank:g}"} if clock.match_bank else {}),
        **({} if clock.mode == "wall" else {"DOHYO_WALL_LIMIT": f"{clock.behind(clock.share(False)):g}"}),
    }


def processor_share() -> float:
    """How many processors we may use; 0 if we may use all of them, which means no limit."""
    ours = len(scheduler.cores())
    return 0.0 if ours >= (os.cpu_count() or 1) else float(ours)


class BuildSandbox:
    """Hand-ins are read and built in it: a sandbox for every command, with limits that are enough for compilers."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def own_files(self) -> bool:
        """Whether what runs there has a file system of its own."""
        return self._sandbox.own_files

    def read(self, words: Sequence[str], shown: Shown) -> SandboxedRun | None:
        """The run of this command of ours, which reads hand-ins."""
        factory = self._sandbox.factory(shown, os.environ, FOR_READING)
        return None if factory is None else factory(words, shown.folder, None)

    def build(self, words: Sequence[str], environment: Mapping[str, str], shown: Shown) -> SandboxedRun | None:
        """The run of one command of a build. A build may be for any game."""
        if _may_import_games(shown.programs, environment, self._sandbox):
            from dohyo.match.seen_games import for_build

            environment, mounts = for_build(environment, self._sandbox)
            shown = replace(shown, mounts=(*shown.mounts, *mounts))
        else:
            environment = {name: value for name, value in environment.items() if name != GAMES_VARIABLE}
        factory = self._sandbox.factory(shown, environment, FOR_BUILDING, bound=False)
        return None if factory is None else factory(words, shown.folder, environment)
