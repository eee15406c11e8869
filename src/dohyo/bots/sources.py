"""Recognises sources: one file, and what builds the sources of one language. `folder_sources.py` reads folders."""

from __future__ import annotations

from pathlib import Path

from dohyo.bots.build_plan import BuildPlan, Sources, make
from dohyo.bots.content import printable
from dohyo.bots.python2 import which_python_for
from dohyo.bots.source_dependencies import Near, partners, source_dependencies
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, by_ending

UTF16 = (b"\xff\xfe", b"\xfe\xff")  # what a source in it begins with


def file_plan(spec: str, path: Path, language: Language, tools: Tools, near_it: Near) -> BuildPlan:
    """The build plan for one source file, with what it brings along from near it."""
    if path.stat().st_size == 0:
        raise OperatorError("bot-empty-file", bot=spec)
    near = source_dependencies(path, language, near_it)
    more = partners(near, language, near_it)
    near += [one for partner in more for one in source_dependencies(partner, language, near_it) if one not in near]
    root = path.parent  # a single file needs files of its folder, never of a folder above
    files = {one.relative_to(root).as_posix(): one for one in near}
    main = path.relative_to(root).as_posix()
    compiled = tuple(name for name in files if language.names_all and by_ending(name) is language) or (main,)
    compiled += tuple(partner.relative_to(root).as_posix() for partner in more)
    sources = Sources(spec, stem_of(path), language, root, main, compiled, files, {}, root, root)
    return plan_for(sources, tools, alone=True)


def check_encoding(sources: Sources) -> None:
    """Raise `OperatorError` for a main source in UTF-16, as some editors write it: interpreters say odd things of it.

    What a compiler is given is recoded, if it begins as UTF-16 should.
    """
    path = sources.files.get(sources.main)
    if path is None or sources.language.builder == "dotnet-project":  # whose compilers read it
        return
    with path.open("rb") as file:
        beginning = file.read(4)
    is_recoded = beginning.startswith(UTF16) and all(way.build for way in sources.language.ways)
    # Without a mark, every other byte of the plain letters that sources begin with is null; programs have others.
    is_wide = beginning.startswith(UTF16) or set(beginning[::2]) == {0} or set(beginning[1::2]) == {0}
    if is_wide and not is_recoded:
        raise OperatorError("bot-utf16", bot=sources.spec, file=printable(sources.main))


def stem_of(path: Path) -> str:
    """The name of a bot from its file's."""
    return path.stem or path.name


def plan_for(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for sources, by their language's builder; `alone` when one file was named, and is meant.

    Builders are imported where they are needed: most bots need none.
    """
    builder = sources.language.builder
    check_encoding(sources)
    if builder == "native" and (not alone or len(sources.compiled) > 1):
        from dohyo.bots.projects import native_plan

        return native_plan(sources, tools)
    if builder in ("java-class", "scala-object"):
        from dohyo.bots.java import java_plan, scala_plan

        return (java_plan if builder == "java-class" else scala_plan)(sources, tools, alone=alone)
    if builder == "kotlin-main":
        from dohyo.bots.kotlin import kotlin_plan

        return kotlin_plan(sources, tools)
    if builder == "dotnet-project":
        from dohyo.bots.csharp import csharp_plan

        return csharp_plan(sources, tools)
    if builder == "haskell-modules":
        from dohyo.bots.haskell import haskell_plan

        return haskell_plan(sources, tools, alone=alone)
    if builder == "python":
        from dohyo.bots.own_python import needs_warming, own_python_for, warmed

        tools = own_python_for(sources.main, sources.files, tools)
        tools = which_python_for(sources.spec, sources.main, sources.files, tools)
        if needs_warming(sources.main, sources.files, tools) and sources.root == sources.handed_in:
            return warmed(make(sources, tools), sources.main, sources.files, sources.links, tools)
    return make(sources, tools)
