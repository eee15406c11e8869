"""The bots in a folder of hand-ins: every entry that can be a bot, built, each under a name of its own."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from dohyo import bots, clean
from dohyo.bots import Bot
from dohyo.bots.building import failing_once
from dohyo.bots.cache import location
from dohyo.bots.content import is_notebook, is_packed
from dohyo.bots.safe_paths import IGNORED, real
from dohyo.bots.tools import Tools
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import MachineError, OperatorError
from dohyo.languages import by_ending
from dohyo.match.hand_in_names import Taken
from dohyo.match.sandboxing import BuildSandbox, sandbox_of
from dohyo.sandbox import Sandbox

# Why an entry is not a hand-in.
HIDDEN, RESULTS, NO_HAND_IN = "left-out.hidden", "left-out.results", "left-out.no-hand-in"
REPLAY = ".replay.zst"  # how the names of replays end in a contest's results


class FolderBots(msgspec.Struct):
    """What a folder holds: its bots, entries that look like a bot but cannot be used, and entries that are no bots.

    Bots keep their own names, changed where two would be the same. `refused` holds the error by the entry's name,
    `skipped` the key of the sentence that says why it is not a hand-in; `paths` are the bots' absolute paths.
    """

    bots: list[Bot]
    refused: dict[str, OperatorError]
    skipped: dict[str, str]
    paths: list[str] = msgspec.field(default_factory=list)


def find(
    folder: str,
    most: int,
    python: str | None,
    results: str = "",
    sandbox: str | Sandbox = "auto",
    building: Callable[[int], None] = lambda bots: None,
) -> FolderBots:
    """The bots in `folder`, in order of their files' names.

    `results` is the folder for results; neither it nor the results of an earlier contest are bots. `building` is
    called with the number of bots, before they are built.

    Raises `OperatorError` if the folder cannot be read, holds no bot, or more than `most`; if there is no interpreter
    `python`; and for errors of the machine.
    """
    if python is not None:
        Tools(location(), python).python  # noqa: B018  # one that is not there is no fault of any bot's
    names, skipped = _entries(folder, os.path.realpath(results))
    if not names:
        raise OperatorError("contest-no-bots", folder=folder)
    if len(names) > most:
        raise OperatorError("contest-too-many-bots", folder=folder, bots=len(names), most=most)
    building(len(names))
    refused: dict[str, OperatorError] = {}
    built = _built(folder, names, python, refused, BuildSandbox(sandbox_of(sandbox)))
    apart = _apart([(clean.storable(bot.name), clean.storable(name)) for name, bot in built.items()])
    own = [msgspec.structs.replace(bot, name=name) for bot, name in zip(built.values(), apart, strict=True)]
    paths = [entry_of(folder, name).path for name in built]
    shown = _apart([(clean.storable(name), str(number)) for number, name in enumerate(refused, 1)])
    return FolderBots(own, dict(zip(shown, refused.values(), strict=True)), skipped, paths)


def entry_of(folder: str, name: str) -> HandIn:
    """What an entry of a folder of hand-ins is, whatever its name says."""
    return HandIn(os.path.abspath(os.path.join(folder, name)), entry=True, typed=os.path.join(folder, name))


def _entries(folder: str, results: str) -> tuple[list[str], dict[str, str]]:
    """The names of entries that can be bots; the names of the others, with the reason."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise OperatorError("cannot-read", path=folder, reason=error) from error
    names: list[str] = []
    skipped: dict[str, str] = {}
    for entry in entries:
        path = real(entry.path)
        if path == results:
            continue
        if entry.name.startswith(".") or entry.name in IGNORED:
            skipped[clean.storable(entry.name)] = HIDDEN
        elif _holds_results(entry):
            skipped[clean.storable(entry.name)] = RESULTS
        elif _can_be_bot(entry):
            names.append(entry.name)
        else:
            skipped[clean.storable(entry.name)] = NO_HAND_IN
    return names, skipped


def _holds_results(entry: os.DirEntry[str]) -> bool:
    """Whether it is the results' folder of a contest: replays, and the bots' copies."""
    if not os.path.isdir(os.path.join(entry.path, "bots")):
        return False
    with suppress(OSError):
        return any(name.endswith(REPLAY) for name in os.listdir(entry.path))
    return False


def _apart(names: Sequence[tuple[str, str]]) -> list[str]:
    """Names that all differ, from bots' own names and those of their files: the own one if nobody shares it."""
    bearers, taken = Counter(own for own, _ in names), Taken()
    return [taken.free(own if bearers[own] == 1 else f"{own} ({file})") for own, file in names]


def _can_be_bot(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, a source, a packed file or an executable.

    A broken link and a notebook count, so that each gets its sentence with the remedy. No link, however broken,
    raises an error here.
    """
    if os.path.isdir(entry.path) or not os.path.exists(entry.path):
        return True
    known = by_ending(entry.name) is not None or is_packed(entry.name) or is_notebook(entry.name)
    return os.path.isfile(entry.path) and (known or os.access(entry.path, os.X_OK))


def _built(
    folder: str,
    names: Sequence[str],
    python: str | None,
    refused: dict[str, OperatorError],
    build_sandbox: BuildSandbox,
) -> dict[str, Bot]:
    """Every entry's bot; the errors of the others go to `refused`.

    All are built in parallel. If one fails, each is then taken alone: the finished ones are in the cache by then, and
    what did not build is not built again.
    """
    specs = [entry_of(folder, name) for name in names]
    with failing_once():
        try:
            return dict(zip(names, bots.resolve(specs, python=python, build_sandbox=build_sandbox), strict=True))
        except OperatorError:
            return dict(_built_alone(zip(names, specs, strict=True), python, refused, build_sandbox))


def _built_alone(
    entries: Iterable[tuple[str, HandIn]],
    python: str | None,
    refused: dict[str, OperatorError],
    build_sandbox: BuildSandbox,
) -> Iterator[tuple[str, Bot]]:
    """The same one after the other."""
    for name, spec in entries:
        try:
            (bot,) = bots.resolve([spec], python=python, build_sandbox=build_sandbox)
        except MachineError:  # every other bot would meet it
            raise
        except OperatorError as error:
            refused[name] = error
        else:
            yield name, bot
