"""Recognise a folder of sources: their language, the main one, and what is none of the bot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec

from dohyo import doors
from dohyo.bots.apart import apart
from dohyo.bots.aside import beginning, is_aside, is_left, of_program
from dohyo.bots.build_plan import BuildPlan, Sources, stems_of
from dohyo.bots.content import Content, is_notebook, is_packed, listed, printable, read_folder, read_text
from dohyo.bots.sources import plan_for
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, Words, all_languages, by_ending, by_manifest, by_name

_UNREAD = re.compile(r"(?i)\..*|(readme|license|licence|copying)(\..*)?")


def folder_plan(spec: str, path: Path, tools: Tools) -> BuildPlan:
    """The build plan for a folder without a `bot.toml` or `command.txt`.

    Raises `OperatorError` when it holds no program, or it cannot be told which.
    """
    outer = read_folder(path, spec)
    if not outer.files:
        raise OperatorError("bot-folder-empty", bot=spec)
    content = _unwrapped(outer, spec)
    if (project := _project(spec, path.name, content, tools)) is not None:
        return project
    language, names = _language(content, spec)
    if language is None:
        _check_others(spec, content)
        return _only_program(spec, path.name, content, tools)
    if language.keeps_folders:
        content = outer
        names = tuple(_by_language(_sources(content))[language.name])
    if language.main:
        names = (doors.load(language.main)(content, language, spec),)
    everything, names = names, tuple(of_program(names, language, content.files))
    if language.begins:
        names = _one_program(names, language, content, spec)
    main = names[0] if language.whole else _main(names, language, content, spec)
    compiled = names if language.whole else (main,)
    left_out = _left_out(everything, names, language, content) if language.whole else ()
    sources = Sources(
        spec,
        path.name,
        language,
        content.root,
        main,
        compiled,
        content.files,
        content.links,
        content.handed_in,
        left_out,
    )
    plan = plan_for(sources, tools, alone=False)
    below = content.root.relative_to(content.handed_in)
    used = [name for name in compiled if (below / name).as_posix() not in plan.left_out]
    further = tuple((below / entry).as_posix() for entry in apart(used, content))
    return msgspec.structs.replace(plan, apart=further)


def _project(spec: str, name: str, content: Content, tools: Tools) -> BuildPlan | None:
    """The build plan for a folder with a manifest that says what its program is; None for any other."""
    languages = [language for file in content.files if (language := by_manifest(file)) is not None]
    projects = [(language.project, language) for language in languages if language.project is not None]
    for project, language in sorted(projects, key=lambda pair: pair[0].is_aside):
        plan: BuildPlan | None = doors.load(project.plan)(spec, name, content, tools, language)
        if plan is not None:
            return plan
    return None


def _check_others(spec: str, content: Content) -> None:
    """Raise `OperatorError` for a folder without a source where an archive or a notebook probably holds the bot."""
    for key, is_such in (("bot-archive-inside", is_packed), ("bot-notebook", is_notebook)):
        if found := next(filter(is_such, content.files), None):
            raise OperatorError(key, bot=spec, file=printable(found))


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

    Sources at the top, or else in `src`, count before those in folders below: there lie tools, tests and examples.
    """
    names = _sources(content)
    everything = _by_language(names)
    found = _by_language([name for name in names if "/" not in name])
    found = found or _by_language([name for name in names if re.fullmatch("src/[^/]+", name)])
    found = found or {name: files for name, files in everything.items() if by_name(name).whole}
    found = found or _by_language(_shallowest([name for files in everything.values() for name in files]))
    # Those that are none of a bot's own where there is another one, what a compiler makes before scripts.
    for aside in reversed([language.name for language in all_languages() if language.is_aside]):
        if len(found) > 1:
            found.pop(aside, None)
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


def _shallowest(names: Sequence[str]) -> list[str]:
    """The sources that lie in the fewest folders: beside them lie, deeper, the modules that they use."""
    depth = min((name.count("/") for name in names), default=0)
    return [name for name in names if name.count("/") == depth]


def _own(content: Content) -> list[str]:
    """The files that are not what a build left behind."""
    return [name for name in content.files if not is_left(name)]


def _sources(content: Content) -> list[str]:
    """The sources without what only makes or tests the bot; with it, where nothing else is there."""
    sources = [name for name in _own(content) if by_ending(name) is not None]
    return [name for name in sources if not is_aside(name)] or sources


def _left_out(everything: Words, kept: Words, language: Language, content: Content) -> Words:
    """The sources of a folder that are not built, in order: those that were taken for none of the program's."""
    aside = [name for name in _own(content) if by_ending(name) is language and is_aside(name)]
    return tuple(sorted({*everything, *aside} - set(kept)))


def _one_program(names: Words, language: Language, content: Content, spec: str) -> Words:
    """The sources of one program, where several could begin it: the one that is meant, and those that begin none."""
    beginnings = beginning(names, language, content.files)
    if len(beginnings) <= 1:
        return names
    main = _main(beginnings, language, content, spec)
    return (main, *(name for name in names if name not in beginnings))


def _by_language(names: Sequence[str]) -> dict[str, list[str]]:
    """Sources by the name of their language; where both are there, C counts as C++ (`Language.part_of`)."""
    found: dict[str, list[str]] = {}
    for name in names:
        language = by_ending(name)
        if language is not None and PurePosixPath(name).name not in language.no_sources:
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
    if not kept and language.main_line:
        pattern = re.compile(language.main_line, re.MULTILINE)
        kept = [name for name in names if pattern.search(read_text(content.files[name]))]
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(kept or names))
    return kept[0]


def _only_program(spec: str, name: str, content: Content, tools: Tools) -> BuildPlan:
    """A folder that holds nothing but a program that was compiled elsewhere."""
    from dohyo.bots.programs import own_program, program_plan

    programs = [path for file, path in content.files.items() if "/" not in file and own_program(path)]
    if len(programs) != 1:
        key = "bot-several-mains" if programs else "bot-folder-no-source"
        raise OperatorError(key, bot=spec, mains=listed(path.name for path in programs))
    return program_plan(spec, programs[0], content.handed_in, tools, name=name)
