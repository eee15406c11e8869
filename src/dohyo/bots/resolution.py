"""From the operator's words for bots to bots that can be started: recognises all, builds what has to be built."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo.bots.bot import Bot
from dohyo.bots.cache import location
from dohyo.bots.prepared import Prepared, Terms
from dohyo.core import notices
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox

SERVERS = ("http://", "https://")  # the beginnings of a server's address (`servers.py`)
_NO_SAMPLES: Mapping[str, Path] = {}


def resolve(
    specs: Sequence[str],
    samples: Mapping[str, Path] = _NO_SAMPLES,
    *,
    cache: Path | None = None,
    python: str | None = None,
    build_seconds: float | None = None,
    build_sandbox: BuildSandbox | None = None,
    apart: Collection[str] = (),
    follow: bool = True,
    entries: bool = False,
    are_commands: bool = False,
    debug: bool = False,
) -> list[Bot]:
    """The bots that `specs` mean, in the same order, built.

    A spec is a source file, an executable, a folder, a command line, a server's address, or a name in `samples`.
    Different ones are built side by side, one that is named twice is built once, and what was prepared
    (`prepared.py`) or built before is taken from the cache (`cache`, or the folder that `dohyo.bots.cache.location`
    tells). `python` is the interpreter for bots in Python; by default the `python3` of the PATH. `build_seconds` is
    the time limit for building one bot; by default what the operator's environment says (`build_plan.allowed`).
    `build_sandbox` makes the sandboxes for reading hand-ins and running compilers; without it these have our own
    rights. `apart` are paths of further hand-ins: none of them, and none of `specs`, is ever taken for a part of
    another. Unless `follow`, no other files are copied with a single source. With `entries` the specs were found in a
    folder of hand-ins: then none are copied either, and a manifest represents only itself. With `are_commands` all
    specs are command lines, whatever files have such names. With `debug` they are debug builds, kept apart from the
    others.

    Raises `OperatorError` for a spec that means nothing or cannot be used, `BuildError` for one that does not build;
    of several wrong ones the first. No process is left running in any case, even after an interrupt.
    """
    own_files = build_sandbox is not None and build_sandbox.own_files
    apart_paths = partial(_real_paths, (*specs, *apart))
    terms = Terms(location(cache), samples, apart_paths, follow and not entries, entries, own_files, debug)
    records = Prepared(terms) if python is None and not are_commands else None
    wanted = list(dict.fromkeys(specs))
    bots = {spec: _server(spec) for spec in wanted if spec.startswith(SERVERS) and not entries}
    if records is not None:
        bots |= {spec: bot for spec in wanted if spec not in bots and (bot := records.find(spec)) is not None}
    if unknown := [spec for spec in wanted if spec not in bots]:
        from dohyo.bots.preparation import prepare

        options = {"python": python, "build_seconds": build_seconds, "build_sandbox": build_sandbox}
        bots |= prepare(unknown, terms, records, **options, are_commands=are_commands)  # type: ignore[arg-type]
    for spec in wanted:
        if bots[spec].log:
            _tell_notes(bots[spec])
    return [bots[spec] for spec in specs]


def _server(spec: str) -> Bot:
    from dohyo.bots.servers import bot_at

    return bot_at(spec)


def _tell_notes(bot: Bot) -> None:
    """Tell on what the bot's build says of it."""
    from dohyo.core import build_notes

    if note := build_notes.key_in(bot.log):
        notices.tell(note, bot=bot.name)


def _real_paths(specs: Sequence[str]) -> set[str]:
    """The real paths of what may be hand-ins."""
    from dohyo.bots.safe_paths import real

    return {real(os.path.expanduser(path)) for path in _named(*specs)}


def _named(*specs: str) -> Iterator[str]:
    """What may be a hand-in's path: every spec, and every word of one that has arguments or is a command line."""
    from dohyo.bots.build_plan import split

    for spec in specs:
        if "\0" not in spec:
            yield spec
            with suppress(OperatorError):
                yield from split(spec)
