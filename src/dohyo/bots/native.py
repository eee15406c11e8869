"""C and C++: several sources with their headers, and C in a program in C++."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import msgspec

from dohyo.bots.build_plan import (
    OPTIONS_FILE,
    BuildPlan,
    Sources,
    Step,
    as_argument,
    fill,
    make,
    meant,
    readable,
    stems_of,
    tool_names,
    usable_way,
)
from dohyo.bots.source_dependencies import has_main, included
from dohyo.bots.tools import Tools
from dohyo.languages import Words, by_ending


def native_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for sources of C or C++: of several the one with `main`, and all the others that have none.

    Raises `OperatorError` when it cannot be told which `main` is meant.
    """
    if alone and len(sources.compiled) == 1:
        return make(sources, tools)
    inside = included(sources.root / name for name in sources.compiled)
    compiled = [name for name in sources.compiled if sources.root / name not in inside]
    with_main = [name for name in compiled if has_main(sources.root / name)]
    # Where no `main` is seen, a macro may hide it: the linker will tell.
    main = meant(with_main, stems_of(sources.language, sources.root), sources.spec) if with_main else ""
    kept = tuple(name for name in compiled if name == main or name not in with_main)
    folders = {str(PurePosixPath(name).parent) for name in sources.files if name.endswith(sources.language.headers)}
    includes = tuple(f"-I{folder}" for folder in sorted(folders))
    others = [name for name in kept if by_ending(name) is not sources.language]
    steps, objects, names, more_uses = _objects(others, includes, sources, tools)
    left = set(compiled) - set(kept)
    whole = msgspec.structs.replace(
        sources,
        main=main or kept[0],
        compiled=tuple(name for name in kept if name not in others),
        left_out=tuple(sorted({*sources.left_out, *left})),
    )
    more: dict[str, str | Words] = {"includes": includes, "sources": (*map(as_argument, whole.compiled), *objects)}
    plan = make(whole, tools, more=more, placed=readable(sources), before=steps)
    return msgspec.structs.replace(plan, tools=(*plan.tools, *names), uses=(*plan.uses, *more_uses))


def _objects(
    names: Sequence[str], includes: Words, sources: Sources, tools: Tools
) -> tuple[tuple[Step, ...], Words, Words, Words]:
    """Steps that compile sources of another language, C in a C++ program, each to an object.

    Returns the steps, the objects, the tools by path and version, and the tools by name.
    """
    language = by_ending(names[0]) if names else None
    if language is None:
        return (), (), (), ()
    way = usable_way(language, tools, sources.spec)
    steps, objects = [], []
    for number, name in enumerate(names):
        target = f"c-object-{number}.o"
        values: dict[str, str | Words] = {"includes": includes, "object": target, "main": as_argument(name)}
        words = way.debug_object if tools.debug else way.object
        steps.append(Step((fill(words, {**values, "sanitizers": OPTIONS_FILE}, tools.paths(way)),)))
        objects.append(target)
    return tuple(steps), tuple(objects), tool_names(way, tools), way.tools
