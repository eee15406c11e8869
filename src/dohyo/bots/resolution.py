"""From the operator's words for bots to bots that can be started: recognise all, build what has to be built."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dohyo import clean
from dohyo.bots import building
from dohyo.bots.bot import BUILD, Bot, fill
from dohyo.bots.cache import Built, build, find, key_of, location
from dohyo.bots.links import real
from dohyo.bots.making import OURS, RUNTIME
from dohyo.bots.programs import split
from dohyo.bots.recognise import Found, recognise
from dohyo.bots.staging import Area
from dohyo.bots.tools import Tools
from dohyo.core import build_notes, notices
from dohyo.core.errors import OperatorError

_NO_SAMPLES: Mapping[str, Path] = {}


def resolve(
    specs: Sequence[str],
    samples: Mapping[str, Path] = _NO_SAMPLES,
    *,
    cache: Path | None = None,
    python: str | None = None,
    build_seconds: float | None = None,
    workshop: building.Workshop | None = None,
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
    environment says (`building.allowed`). `workshop` makes the houses in which hand-ins are read and compilers run;
    without it these have our own rights. `apart` are paths of further hand-ins: none of them, and none of `specs`, is
    ever taken for a part of another. Unless `follow`, a lone source brings nothing along at all. With `entries` they
    are what somebody found in a folder of hand-ins: then it neither does, and a manifest stands for nothing but
    itself. With `are_commands` all specs are command lines, whatever files have such names.

    Raises `OperatorError` for a spec that means nothing or cannot be used, `BuildError` for one that does not build;
    of several wrong ones the first. No process is left behind in any case, interrupts included.
    """
    from dohyo.bots.intake import Intake

    where = location(cache)
    tools = Tools(where, python)
    known: dict[str, Found] = {}
    hand_ins = {real(os.path.expanduser(path)) for path in _named(*specs, *apart)}
    with Area(where) as area, Intake(area, tools, workshop, hand_ins, follow and not entries, entries) as intake:
        for spec in specs:
            if spec not in known:
                known[spec] = recognise(spec, samples, tools, intake, is_command=are_commands)
    seconds = building.allowed() if build_seconds is None else build_seconds
    built = _build_all(list(known.values()), tools, where, seconds, workshop)
    bots = {spec: _bot(found, tools, made) for (spec, found), made in zip(known.items(), built, strict=True)}
    for bot in bots.values():
        if note := build_notes.key_in(bot.log):
            notices.tell(note, bot=bot.name)
    return [bots[spec] for spec in specs]


def _named(*specs: str) -> Iterator[str]:
    """What may be a hand-in's path: every spec, and every word of one that has arguments or is a command line."""
    for spec in specs:
        if "\0" not in spec:
            yield spec
            with suppress(OperatorError):
                yield from split(spec)


def _bot(found: Found, tools: Tools, made: Built | None) -> Bot:
    recipe, staged, built = found.recipe, found.staged, made.folder if made else ""
    form = (*recipe.command, recipe.folder)
    *command, folder = fill(form, staged, built)
    return Bot(
        name=clean.storable(recipe.name),
        command=tuple(command),
        folder=folder,
        digest=recipe.digest,
        language=recipe.language,
        lifetime=recipe.lifetime,
        log=made.log if made else "",
        copied=recipe.folder == BUILD,
        form=form if staged else (),
        staged=staged,
        built=built,
        programs=tools.programs(recipe.uses),
        shown=(*recipe.shown, *([OURS] if RUNTIME in recipe.uses else [])),
    )


def _build_all(
    found: Sequence[Found], tools: Tools, where: Path, seconds: float, workshop: building.Workshop | None
) -> list[Built | None]:
    """Every recipe's build, in order; None for one that needs no building."""
    recipes = [each.recipe for each in found]
    keys = [key_of(recipe) if recipe.builds else "" for recipe in recipes]
    done = {key: find(where, recipe, key) for key, recipe in zip(keys, recipes, strict=True) if key}
    missing = {
        key: building.Order(each.recipe, each.staged, tools.programs(each.recipe.uses), each.alone)
        for key, each in zip(keys, found, strict=True)
        if key and done[key] is None
    }
    if missing:
        done.update(_side_by_side(missing, where, seconds, workshop))
    return [done.get(key) for key in keys]


def _side_by_side(
    orders: Mapping[str, building.Order], where: Path, seconds: float, workshop: building.Workshop | None
) -> dict[str, Built]:
    """Build all, at most as many at once as there are cores; all end before an error is raised."""
    from concurrent.futures import ThreadPoolExecutor, wait

    stop = threading.Event()

    def one(order: building.Order) -> Built:
        def run(folder: Path) -> str:
            return building.run_steps(order, folder, seconds, stop, workshop)

        return build(where, order.recipe, run, pause)

    def pause(length: float) -> None:
        if stop.wait(length):
            raise building.StoppedError

    pool = ThreadPoolExecutor(cores())
    try:
        # An interrupt may come at any moment from here on: also while the last build is still being handed over.
        futures = {key: pool.submit(one, order) for key, order in orders.items()}
        # A signal that comes just before a wait begins is only seen after it: no wait here is a long one.
        while wait(futures.values(), building.TICK).not_done:
            pass
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    return {key: future.result() for key, future in futures.items()}


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
