"""One match that a program of others referees: that program and the bots, in one sandbox; its word becomes a report.

Theory of operation
-------------------
The referee starts the bots itself, by command lines that it is given. Many split such a line at its spaces, so each
line is one word: the path of a script that goes to the bot's folder, sets what a bot is told, and becomes the bot.

In a sandbox with its own file system, referee and bots see the same files: the system's, those that the referee's
file names, and `/players/N` with each bot. Nobody keeps the bots from each other there, nor from the referee: it is
one box. What is outside is protected from all of them as from any bot.

What the referee wrote is the match's record, in the place of a replay.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from functools import cache
from time import monotonic
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from dohyo import bots, clean
from dohyo.bots import Bot
from dohyo.bots.bot import fill
from dohyo.core import parameters, seeds
from dohyo.core.bot_spec import CommandLine
from dohyo.core.errors import OperatorError
from dohyo.core.faults import REPORTED
from dohyo.core.sandbox import Mount, Shown
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.refereed import RecordedBot, RecordedOutcome
from dohyo.guests.arenas.match_contracts import Contract, TakenOutcome, read
from dohyo.guests.arenas.referees.process import RefereeRun, run_referee
from dohyo.guests.arenas.referees.terms import RefereeTerms
from dohyo.languages import with_memory
from dohyo.match.sandboxing import BuildSandbox, processor_share
from dohyo.sandbox import Limits, Sandbox
from dohyo.sandbox.environment import homes_for, unsandboxed_environment
from dohyo.system import disk, temporary

PLACE = "/players"  # where each bot is, in a sandbox with its own file system
OF_BOT = Limits()
MEMORY = 2048 << 20  # bytes for the referee alone: a virtual machine and a game engine
TASKS, DISK, FILES = 512, 256 << 20, 4096
MAX_RECORD = 4 << 20  # bytes
SAID = 300  # characters of the referee's own words in a sentence


class MatchRecord(msgspec.Struct, frozen=True):
    """What another program told of a match that it refereed, and by which contract it was read; as JSON."""

    what: Literal["refereed"]
    referee: str
    digest: str
    result: Contract
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    bots: tuple[RecordedBot, ...]
    output: str
    errors: str = ""

    @property
    def texts(self) -> tuple[str, str]:
        """What the program wrote to standard output and to standard error."""
        return self.output, self.errors

    def outcome(self) -> RecordedOutcome:
        """What came of the match, read once more. Raises `OperatorError` if the output does not say it."""
        return _outcome(self.referee, self.result, self.output.encode("utf-8", "replace"), len(self.bots))


def decode(content: bytes) -> MatchRecord:
    """A record as it was kept. Raises `ValueError`, or as msgspec, for what is none: anybody may have written it."""
    if len(content) > MAX_RECORD:
        raise ValueError(f"more than {MAX_RECORD >> 20} MiB")
    return msgspec.json.decode(content, type=MatchRecord)


def play_refereed(order: MatchOrder, referee: RefereeTerms, sandbox: Sandbox, worker: str) -> MatchReport:
    """Have a match refereed. A referee that fails is an error of this match alone, which may be tried again.

    Raises `OperatorError` for what would be wrong in every match: a program that is not there.
    """
    start = monotonic()
    said = _run(order, referee, sandbox)
    took = monotonic() - start
    try:
        if said.wrong:
            said_last = _last_line(said.errors or said.output)
            raise OperatorError(said.wrong, game=referee.name, said=said_last, **said.details)
        found = _outcome(referee.name, referee.result, said.output, len(order.bots))
    except OperatorError as error:
        return MatchReport(order.key, error=error.say(), seconds=took, worker=worker)
    record = MatchRecord(
        "refereed",
        referee.name,
        referee.digest,
        referee.result,
        order.seed,
        tuple(RecordedBot(clean.storable(bot.name), bot.digest) for bot in order.bots),
        _text(said.output),
        _text(said.errors),
    )
    return MatchReport(
        order.key,
        msgspec.json.encode(record),
        places=found.places,
        scores=found.scores,
        faults=found.faults,
        seconds=took,
        worker=worker,
    )


def _outcome(game: str, contract: Contract, output: bytes, seats: int) -> RecordedOutcome:
    """What the output says. Raises `OperatorError` if it says no result."""
    try:
        found = read(contract, output, seats)
        return RecordedOutcome(found.places, found.scores, _faults(found))
    except ValueError as error:
        said = _last_line(output)
        raise OperatorError("referee-no-result", game=game, result=contract, reason=str(error), said=said) from error


def _faults(found: TakenOutcome) -> tuple[tuple[str, ...], ...]:
    """The errors that the referee reported, by seat, as a result has faults; empty if there are none."""
    return tuple((REPORTED,) if failed else () for failed in found.failed) if any(found.failed) else ()


def _text(content: bytes) -> str:
    return clean.storable(content.decode("utf-8", "replace"))


def _last_line(content: bytes) -> str:
    lines = [line for line in content.decode("utf-8", "replace").splitlines() if line.strip()]
    return clean.line(lines[-1], SAID) if lines else "-"


# --- the program and what it sees


def check_referee(referee: RefereeTerms, sandbox: Sandbox) -> None:
    """Raise `OperatorError` if its program is not there."""
    _program(referee, sandbox)


@cache
def _program(referee: RefereeTerms, sandbox: Sandbox) -> Bot:
    """The referee's program, recognised like a bot that is a command line; paths are absolute."""
    line = CommandLine(tuple(_absolute(word, referee.home) for word in referee.command))
    (program,) = bots.resolve([line], build_sandbox=BuildSandbox(sandbox))
    return program


def _absolute(word: str, home: str) -> str:
    """A word that names something in the referee's folder, as an absolute path; any other as it is."""
    path = os.path.normpath(os.path.join(home, os.path.expanduser(word)))
    return path if os.path.exists(path) else word


class _Player(NamedTuple):
    """A bot in the box: the word that starts it, what it needs to see, and the programs that it runs with."""

    word: str
    mounts: tuple[Mount, ...]
    programs: tuple[str, ...]


def _run(order: MatchOrder, referee: RefereeTerms, sandbox: Sandbox) -> RefereeRun:
    """Run the referee for this match."""
    program = _program(referee, sandbox)
    folder = temporary.make("referee")
    try:
        players = [_player(order, seat, bot, folder, sandbox) for seat, bot in enumerate(order.bots)]
        own = replace(referee, command=program.command)
        replay = os.path.join("/tmp" if sandbox.own_files else folder, "replay")
        words = own.words(order.seed, [player.word for player in players], replay)
        shown = _shown(program, referee, players)
        environment = {**unsandboxed_environment(os.environ), **homes_for(shown.programs, os.environ)}
        seats = len(players)
        limits = Limits(
            memory=seats * OF_BOT.memory + MEMORY,
            tasks=seats * OF_BOT.tasks + TASKS,
            disk=DISK,
            files=FILES,
            cores=processor_share(),
        )
        factory = sandbox.factory(shown, environment, limits, bound=not sandbox.own_files)
        if factory is None:
            return run_referee(words, referee.home, environment, referee.seconds, None)
        sandboxed = factory(words, referee.home, environment)
        try:
            return run_referee(words, referee.home, environment, referee.seconds, sandboxed)
        finally:
            sandboxed.close()
    finally:
        disk.remove(folder)


def _shown(program: Bot, referee: RefereeTerms, players: list[_Player]) -> Shown:
    """What referee and bots see of the disk."""
    named = [*program.shown, *(_absolute(name, referee.home) for name in referee.files)]
    mounts = [Mount(path, path) for path in named]
    programs = [*program.programs]
    for player in players:
        mounts += player.mounts
        programs += player.programs
    return Shown(referee.home, tuple(mounts), tuple(dict.fromkeys(programs)))


def _player(order: MatchOrder, seat: int, bot: Bot, folder: str, sandbox: Sandbox) -> _Player:
    """A bot for this match, its script written into `folder`."""
    own_files = sandbox.own_files
    place = f"{PLACE}/{seat + 1}"
    staged, built = (f"{place}/bot", f"{place}/build") if own_files else (bot.staged, bot.built)
    if bot.unusable:
        bot = replace(bot, command=("/bin/sh", "-c", "exit 127"), folder="/", form=(), staged="", built="")
    *words, start = fill(bot.form, staged, built) if own_files and bot.form else (*bot.command, bot.folder)
    command, values = parameters.parted(words)
    if not sandbox.is_none:  # as for any bot in a sandbox
        command = with_memory(command, OF_BOT.memory)
    told = {"DOHYO_GAME": order.game, "DOHYO_SEED": str(seeds.of_bot(order.seed, seat)), **values}
    script = os.path.join(folder, f"player{seat + 1}")
    _write(script, start, told, command)
    mounts = [Mount(path, path) for path in bot.shown]
    for source, target in ((bot.staged, staged), (bot.built, built)):
        if source:
            mounts.append(Mount(source, target))
    word = f"{place}/start" if own_files else script
    return _Player(word, (*mounts, Mount(script, word)), bot.programs)


def _write(script: str, folder: str, told: Mapping[str, str], command: tuple[str, ...]) -> None:
    """Write the script that becomes the bot's program."""
    lines = ["#!/bin/sh", f"cd {shlex.quote(folder)} || exit 127"]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in told.items()]
    lines.append(f"exec {shlex.join(command)}")
    with open(script, "wb") as file:
        file.write("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    os.chmod(script, 0o700)
