"""From the operator's words for bots to bots that can be started: recognises all, builds what has to be built."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.bots.bot import BUILD, Bot, fill
from dohyo.bots.build_plan import OURS, RUNTIME, allowed, split
from dohyo.bots.cache import location
from dohyo.bots.content import declares
from dohyo.bots.hand_in import Area
from dohyo.bots.recognise import Found, HandIns, recognise
from dohyo.bots.safe_paths import real
from dohyo.bots.tools import Tools
from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.languages import LANGUAGES, by_ending

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox
    from dohyo.bots.builds import Built

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
) -> list[Bot]:
    """The bots that `specs` mean, in the same order, built.

    A spec is a source file, an executable, a folder, a command line, or a name in `samples`. Different ones are built
    side by side, one that is named twice is built once, and what was built before is taken from the cache (`cache`,
    or the folder that `dohyo.bots.cache.location` tells). `python` is the interpreter for bots in Python; by default
    the `python3` of the PATH. `build_seconds` is the time limit for building one bot; by default what the operator's
    environment says (`build_plan.allowed`). `build_sandbox` makes the sandboxes for reading hand-ins and running
    compilers; without it these have our own rights. `apart` are paths of further hand-ins: none of them, and none of
    `specs`, is ever taken for a part of another. Unless `follow`, no other files are copied with a single source.
    With `entries` the specs were found in a folder of hand-ins: then none are copied either, and a manifest
    represents only itself. With `are_commands` all specs are command lines, whatever files have such names.

    Raises `OperatorError` for a spec that means nothing or cannot be used, `BuildError` for one that does not build;
    of several wrong ones the first. No process is left running in any case, even after an interrupt.
    """
    where = location(cache)
    tools = Tools(where, python)
    known: dict[str, Found] = {}
    apart_paths = {real(os.path.expanduser(path)) for path in _named(*specs, *apart)}
    with (
        Area(where) as area,
        HandIns(area, tools, build_sandbox, apart_paths, follow=follow and not entries, entries=entries) as hand_ins,
    ):
        for spec in specs:
            if spec not in known:
                known[spec] = recognise(spec, samples, tools, hand_ins, is_command=are_commands)
    seconds = allowed() if build_seconds is None else build_seconds
    built = _build_all(list(known.values()), tools, where, seconds, build_sandbox)
    bots = {spec: _bot(found, tools, made) for (spec, found), made in zip(known.items(), built, strict=True)}
    for bot in bots.values():
        if bot.log:
            _tell_notes(bot)
    return [bots[spec] for spec in specs]


def _tell_notes(bot: Bot) -> None:
    """Tell on what the bot's build says of it."""
    from dohyo.core import build_notes

    if note := build_notes.key_in(bot.log):
        notices.tell(note, bot=bot.name)


def _named(*specs: str) -> Iterator[str]:
    """What may be a hand-in's path: every spec, and every word of one that has arguments or is a command line."""
    for spec in specs:
        if "\0" not in spec:
            yield spec
            with suppress(OperatorError):
                yield from split(spec)


def _bot(found: Found, tools: Tools, made: Built | None) -> Bot:
    plan, staged, built = found.plan, found.staged, made.folder if made else ""
    form = (*plan.command, plan.folder)
    *command, folder = fill(form, staged, built)
    return Bot(
        name=clean.storable(plan.name),
        command=tuple(command),
        folder=folder,
        digest=plan.digest,
        language=plan.language,
        lifetime=plan.lifetime,
        log=made.log if made else "",
        copied=plan.folder == BUILD,
        form=form if staged else (),
        staged=staged,
        built=built,
        programs=tools.programs(plan.uses),
        shown=(*plan.shown, *([OURS] if RUNTIME in plan.uses else [])),
    )


def _build_all(
    found: Sequence[Found], tools: Tools, where: Path, seconds: float, build_sandbox: BuildSandbox | None
) -> list[Built | None]:
    """The build of every plan, in order; None for one that needs no building."""
    plans = [each.plan for each in found]
    if not any(plan.builds for plan in plans):
        return [None for _ in plans]
    from dohyo.bots.builds import find, key_of

    keys = [key_of(plan) if plan.builds else "" for plan in plans]
    done = {key: find(where, plan, key) for key, plan in zip(keys, plans, strict=True) if key}
    unbuilt = [key for key in keys if key and done[key] is None]
    if not unbuilt:
        return [done.get(key) for key in keys]
    from dohyo.bots.building import Order, build_side_by_side

    missing = {
        key: Order(each.plan, each.staged, tools.programs(each.plan.uses), each.alone)
        for key, each in zip(keys, found, strict=True)
        if key in unbuilt
    }
    done.update(build_side_by_side(missing, where, seconds, build_sandbox))
    return [done.get(key) for key in keys]


def samples(folder: Path) -> dict[str, Path]:
    """The sample bots in a game's `bots` folder, by name: "random", and with the ending "random.py", "random.cpp".

    Without an ending the bot in Python is meant, else the one whose language comes first in the table. Names with
    capitals are also there in lower case. A folder that is not there holds no samples.
    """
    if not folder.is_dir():
        return {}
    order = {language.name: rank for rank, language in enumerate(LANGUAGES)}
    found: list[tuple[int, str, Path]] = []
    for path in folder.iterdir():
        if path.name.startswith(("_", ".")):
            continue
        language = by_ending(path.name) if path.is_file() else None
        if language is not None:
            found.append((order[language.name], path.name, path))
        elif path.is_dir() and declares(path):
            found.append((len(order), path.name, path))
    names: dict[str, Path] = {}
    for _, name, path in sorted(found):
        for known in (name, name.lower(), path.stem.lower()):
            names.setdefault(known, path)
    return names
