"""Prepares bots: recognises what is meant, builds what has to be built, and writes records of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.bots.bot import BUILD, Bot, fill
from dohyo.bots.build_plan import OURS, RUNTIME, allowed
from dohyo.bots.hand_in import Area
from dohyo.bots.prepared import Prepared, Terms
from dohyo.bots.recognise import HandIns, Recognised, recognise
from dohyo.bots.tools import Tools
from dohyo.core.bot_spec import BotSpec

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox
    from dohyo.bots.built import Built


def prepare(
    specs: Sequence[BotSpec],
    terms: Terms,
    records: Prepared | None,
    *,
    python: str | None,
    build_seconds: float | None,
    build_sandbox: BuildSandbox | None,
) -> dict[BotSpec, Bot]:
    """The bots that are meant, each of which is there once; for the other arguments see `resolution.resolve`.

    What can be written down of a bot goes to the `records`.
    """
    tools = Tools(terms.cache, python, terms.debug)
    known: dict[BotSpec, Recognised] = {}
    apart = terms.apart()
    with (
        Area(terms.cache) as area,
        HandIns(area, tools, build_sandbox, apart, follow=terms.follow) as hand_ins,
    ):
        for spec in specs:
            known[spec] = recognise(spec, terms.samples, tools, hand_ins)
    seconds = allowed() if build_seconds is None else build_seconds
    built = _build_all(list(known.values()), tools, terms.cache, seconds, build_sandbox)
    bots = {spec: _bot(spec, found, tools, made) for (spec, found), made in zip(known.items(), built, strict=True)}
    if records is not None and not tools.has_asked:
        for spec, found in known.items():
            if found.basis is not None:
                records.note(spec, bots[spec], found.basis, tools.searched)
    return bots


def _bot(spec: BotSpec, found: Recognised, tools: Tools, made: Built | None) -> Bot:
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
        debug=plan.debug,
        spec=spec,
        is_lone=found.alone,
        left_out=tuple(map(clean.storable, plan.left_out)),
    )


def _build_all(
    found: Sequence[Recognised], tools: Tools, where: Path, seconds: float, build_sandbox: BuildSandbox | None
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
