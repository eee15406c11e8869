"""C and C++: which sources make the program, where its headers lie, and C sources in a C++ program."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

import msgspec

from dohyo.bots.companions import C_MAIN, HEADERS, included
from dohyo.bots.content import listed, read_text
from dohyo.bots.java import strip
from dohyo.bots.languages import by_name
from dohyo.bots.making import Sources, as_argument, fill, make, readable, stems_of, tool_names, usable_way
from dohyo.bots.recipe import Recipe, Step, Words
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError


def native_recipe(sources: Sources, tools: Tools) -> Recipe:
    """The recipe for several sources of C or C++: one with `main`, and all the others that have none.

    Raises `OperatorError` when it cannot be told which `main` is meant.
    """
    inside = included(sources.root / name for name in sources.compiled)
    compiled = [name for name in sources.compiled if sources.root / name not in inside]
    with_main = [name for name in compiled if C_MAIN.search(strip(read_text(sources.root / name)))]
    main = _chosen(with_main, sources)
    kept = tuple(name for name in compiled if name == main or name not in with_main)
    folders = {str(PurePosixPath(name).parent) for name in sources.files if name.endswith(HEADERS)}
    includes = tuple(f"-I{folder}" for folder in sorted(folders))
    plain_c = [name for name in kept if name.endswith(".c")] if sources.language.name == "c++" else []
    steps, objects, names = _plain_c(plain_c, includes, sources, tools)
    whole = msgspec.structs.replace(
        sources, main=main or kept[0], compiled=tuple(name for name in kept if name not in plain_c)
    )
    more: dict[str, str | Words] = {"includes": includes, "sources": (*map(as_argument, whole.compiled), *objects)}
    recipe = make(whole, tools, more=more, placed=readable(sources), before=steps)
    uses = recipe.uses if not plain_c else (*recipe.uses, *usable_way(by_name("c"), tools, sources.spec).tools)
    return msgspec.structs.replace(recipe, tools=(*recipe.tools, *names), uses=uses)


def _chosen(with_main: list[str], sources: Sources) -> str:
    """The source whose `main` is meant; empty when none is seen (a macro may hide it: the linker will tell)."""
    if len(with_main) <= 1:
        return "".join(with_main)
    stems = [stem.lower() for stem in stems_of(sources.language, sources.root)]
    kept = [name for name in with_main if PurePosixPath(name).stem.lower() in stems]
    if len(kept) > 1:  # main.cpp beats tests/main.cpp
        shallow = min(name.count("/") for name in kept)
        kept = [name for name in kept if name.count("/") == shallow]
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(with_main))
    return kept[0]


def _plain_c(
    names: Iterable[str], includes: Words, sources: Sources, tools: Tools
) -> tuple[tuple[Step, ...], Words, Words]:
    """Steps that compile C sources for a C++ program, the objects they make, and the tools they use."""
    names = list(names)
    if not names:
        return (), (), ()
    way = usable_way(by_name("c"), tools, sources.spec)
    compiler = way.tools[0]
    steps, objects = [], []
    for number, name in enumerate(names):
        target = f"c-object-{number}.o"
        words = (compiler, "-O2", "-std=gnu17", *includes, "-pthread", "-c", "-o", target, as_argument(name))
        steps.append(Step((fill(words, {}, tools.paths(way)),)))
        objects.append(target)
    return tuple(steps), tuple(objects), tool_names(way, tools)
