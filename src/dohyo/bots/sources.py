"""Recognises sources: one file, or a folder of files of one language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from dohyo.bots.bot import COPY
from dohyo.bots.build_plan import BuildPlan, Sources, inside, make, stems_of
from dohyo.bots.content import Content, listed, read_folder, read_text
from dohyo.bots.python2 import which_python_for
from dohyo.bots.source_dependencies import Near, partners, source_dependencies
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import LANGUAGES, MANIFESTS, Language, by_ending, by_name

# Files for making and testing a bot, which are not part of it.
_ASIDE = re.compile(
    r"(?i)(.*/)?(tests?|examples?|benchmarks?)/.*|(.*/)?(setup|conftest|__init__|build|test_[^/]*|[^/]*_test)"
)
# The languages that are none of a bot's own where there is another one, what a compiler makes before scripts.
_ASIDE_LANGUAGES = tuple(language.name for language in reversed(LANGUAGES) if language.is_aside)
_UNREAD = re.compile(r"(?i)\..*|(readme|license|licence|copying)(\..*)?")
PYTHON_MAIN = re.compile(r"^if[ \t\f]+__name__[ \t\f]*==[ \t\f]*['\"]__main__['\"]", re.MULTILINE)
RELATIVE_IMPORT = re.compile(r"^[ \t\f]*from[ \t\f]*\.", re.MULTILINE)
_TOP_ASIDE = ("obj", "bin", "target", "build", "out", "dist", "node_modules")


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
    return _plan(sources, tools, alone=True)


def stem_of(path: Path) -> str:
    """The name of a bot from its file's."""
    return path.stem or path.name


def folder_plan(spec: str, path: Path, tools: Tools) -> BuildPlan:
    """The build plan for a folder without a `bot.toml` or `command.txt`.

    Raises `OperatorError` when it holds no program, or it cannot be told which.
    """
    outer = read_folder(path, spec)
    if not outer.files:
        raise OperatorError("bot-folder-empty", bot=spec)
    content = _unwrapped(outer, spec)
    if not MANIFESTS.keys().isdisjoint(content.files):
        from dohyo.bots.projects import project_plan

        project = project_plan(spec, path.name, content, tools)
        if project is not None:
            return project
    language, names = _language(content, spec)
    if language is None:
        return _only_program(spec, path.name, content, tools)
    if language.builder == "java-class":
        # The folders of a package are no wrapping: what they are called says where its resources are found.
        content = outer
        names = tuple(_by_language(_own(content))[language.name])
    main = names[0] if language.whole else _main(names, language, content, spec)
    compiled = names if language.whole else (main,)
    sources = Sources(
        spec,
        path.name,
        language,
        content.root,
        main,
        compiled,
        content.files,
        content.links,
        content.root,
        content.handed_in,
    )
    return _plan(sources, tools, alone=False)


def _plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for sources, by their language's builder; `alone` when one file was named, and is meant.

    Builders are imported where they are needed: most bots need none.
    """
    builder = sources.language.builder
    if builder == "native" and (not alone or len(sources.compiled) > 1):
        from dohyo.bots.projects import native_plan

        return native_plan(sources, tools)
    if builder in ("java-class", "scala-object"):
        from dohyo.bots.java import java_plan, scala_plan

        return (java_plan if builder == "java-class" else scala_plan)(sources, tools, alone=alone)
    if builder == "dotnet-project":
        from dohyo.bots.projects import csharp_plan

        return csharp_plan(sources, tools)
    if builder == "python":
        if sources.main == "__main__.py" and not alone:
            return _python_package(sources, tools)
        tools = which_python_for(sources.spec, sources.main, sources.files, tools)
    return make(sources, tools)


def _unwrapped(content: Content, spec: str) -> Content:
    """The folder inside, where one holds nothing but another folder, as archives often do when unpacked."""
    while True:
        folders = {name.partition("/")[0] for name in content.files if "/" in name}
        beside = [name for name in content.files if "/" not in name and not _UNREAD.match(name)]
        if len(folders) != 1 or beside or content.links:
            return content
        content = read_folder(content.root / folders.pop(), spec, content.handed_in)


def _language(content: Content, spec: str) -> tuple[Language | None, tuple[str, ...]]:
    """The one language that a folder's bot is written in, and its sources there; None for a folder without sources.

    Sources at the top, or else in `src`, have priority over those in other subfolders, which have tools, tests and
    examples.
    """
    names = _own(content)
    everything = _by_language(names)
    found = _by_language([name for name in names if "/" not in name])
    found = found or _by_language([name for name in names if re.fullmatch("src/[^/]+", name)])
    found = found or {name: files for name, files in everything.items() if by_name(name).whole}
    for beside in _ASIDE_LANGUAGES:
        if len(found) > 1:
            found.pop(beside, None)
    if len(found) > 1:
        # Between several languages, a file called main decides; otherwise only the author can say.
        found = {name: files for name, files in found.items() if _by_stem(files, ("main", "__main__"))} or found
    if len(found) > 1:
        raise OperatorError("bot-several-languages", bot=spec, languages=listed(found))
    if not found:
        return None, ()
    name, files = next(iter(found.items()))
    deep = by_name(name).whole and by_name(name).is_deep
    return by_name(name), tuple(everything[name] if deep else files)


def _own(content: Content) -> list[str]:
    """The files that are not what a build left behind."""
    return [name for name in content.files if name.partition("/")[0] not in _TOP_ASIDE]


def _by_language(names: Sequence[str]) -> dict[str, list[str]]:
    """Sources by the name of their language; where both are there, C counts as C++ (`Language.part_of`).

    Files that only make or test the bot are left out, unless there is nothing else.
    """
    sources = [name for name in names if by_ending(name) is not None]
    own = [name for name in sources if not _ASIDE.fullmatch(str(PurePosixPath(name).with_suffix("")))]
    found: dict[str, list[str]] = {}
    for name in own or sources:
        language = by_ending(name)
        if language is not None and PurePosixPath(name).name != "module-info.java":
            found.setdefault(language.name, []).append(name)
    for name in [name for name in found if by_name(name).part_of in found]:
        found[by_name(name).part_of] += found.pop(name)
    return found


def _by_stem(names: Sequence[str], stems: Sequence[str]) -> list[str]:
    """The sources with the first of `stems` that any has."""
    for stem in stems:
        kept = [name for name in names if PurePosixPath(name).stem.lower() == stem.lower()]
        if kept:
            return kept
    return []


def _main(names: Sequence[str], language: Language, content: Content, spec: str) -> str:
    """The source that is the program's main one."""
    kept = list(names) if len(names) == 1 else _by_stem(names, stems_of(language, content.root))
    if not kept and language.builder == "python":
        kept = [name for name in names if PYTHON_MAIN.search(read_text(content.files[name]))]
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(kept or names))
    return kept[0]


def _python_package(sources: Sources, tools: Tools) -> BuildPlan:
    """A folder with `__main__.py`, which may import from its own package only when it is started as one."""
    relative = RELATIVE_IMPORT.search(read_text(sources.root / sources.main))
    plan = make(sources, tools)
    if relative is None:
        return plan
    import msgspec

    # Python imports a package by its folder's name; the copy of a whole hand-in has a name of ours.
    name = sources.root.name if sources.root != sources.handed_in else COPY
    folder = f"{inside(sources.root, sources.handed_in)}/.."
    return msgspec.structs.replace(plan, command=(*plan.command[:-1], "-m", name), folder=folder)


def _only_program(spec: str, name: str, content: Content, tools: Tools) -> BuildPlan:
    """A folder that holds nothing but a program that was compiled elsewhere."""
    from dohyo.bots.programs import own_program, program_plan

    programs = [path for file, path in content.files.items() if "/" not in file and own_program(path)]
    if len(programs) != 1:
        key = "bot-several-mains" if programs else "bot-folder-no-source"
        raise OperatorError(key, bot=spec, mains=listed(path.name for path in programs))
    return program_plan(spec, programs[0], content.handed_in, tools, name=name)
