"""Recognises sources: one file, and what builds the sources of one language. `folder_sources.py` reads folders."""

from __future__ import annotations

from pathlib import Path

from dohyo import doors
from dohyo.bots.build_plan import BuildPlan, Sources, make
from dohyo.bots.content import printable
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
    sources = Sources(spec, stem_of(path), language, root, main, compiled, files, {}, root)
    return plan_for(sources, tools, alone=True)


def check_encoding(sources: Sources) -> None:
    """Raise `OperatorError` for a main source in UTF-16, as some editors write it: interpreters say odd things of it.

    What a compiler is given is recoded, if it begins as UTF-16 should.
    """
    path = sources.files.get(sources.main)
    if path is None or sources.language.reads_utf16:
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
    check_encoding(sources)
    if not sources.language.builder:
        return make(sources, tools)
    plan: BuildPlan = doors.load(sources.language.builder)(sources, tools, alone=alone)
    return plan
