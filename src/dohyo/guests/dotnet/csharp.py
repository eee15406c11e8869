"""C#: which project of a folder is the bot, and the build plan.

A folder may be a whole solution: the bot's project, libraries that it refers to, tests, other programs. The bot is
the project that makes a program, with all that it refers to; where none says so, all sources but the tests are one
program.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.aside import is_left
from dohyo.bots.build_plan import PROGRAM, BuildPlan, Sources, as_argument, make, meant, stems_of, usable_way
from dohyo.bots.content import listed, read_text
from dohyo.bots.stripped import strip
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError

# What tests a bot, by the folder or the file's name; what it says is looked at before (`aside.py`).
_BESIDE = re.compile(r"(.*/)?([Tt]ests?|[\w.]*(Tests?|\.tests?)|obj|bin)/.*|(.*/)?\w+_Should\.cs")
_MAIN = re.compile(r"\bstatic\s+(?:async\s+)?(?:void|int|Task(?:\s*<\s*int\s*>)?)\s+Main\s*\(")
# Of a project's file; only its plain lines are understood.
# Of the years before .NET's SDK, which builds none of them: all sources are named in it.
_OLD = re.compile(r"<Project\b[^>]{0,500}\bxmlns\s*=")
_SDK = re.compile(r"<Project\b[^>]{0,500}\bSdk\s*=|<Sdk\b")
_MAKES_PROGRAM = re.compile(r"<OutputType>\s*(?:Win)?Exe\s*<", re.IGNORECASE)
_COMPILES = re.compile(r"<Compile\s+Include\s*=\s*\"([^\"]{1,1000})\"")
_REFERS = re.compile(r"<ProjectReference\s+Include\s*=\s*\"([^\"]{1,1000})\"")
_TESTS = re.compile(
    r"<(?:PackageReference|Reference)\s+Include\s*=\s*\""
    r"(?:NUnit|nunit\.framework|xunit|MSTest|Microsoft\.NET\.Test\.Sdk|Microsoft\.VisualStudio\.(?:QualityTools|TestP))",
    re.IGNORECASE,
)
_ASSEMBLY = re.compile(r"<AssemblyName>\s*([\w.-]+)\s*</")
# What describes a whole assembly, or chooses an SDK of a machine: not for a program that is put together here.
_DESCRIBES = ("AssemblyInfo.cs", "global.json")


class Project(msgspec.Struct, frozen=True):
    """A project of a folder: its sources, the projects that it refers to, and what it makes."""

    name: str
    sources: frozenset[str]
    refers: tuple[str, ...]
    makes_program: bool
    is_test: bool
    is_sdk: bool
    assembly: str


def csharp_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for C#: by the .NET SDK with the bot's own project or one of ours, or by Mono.

    Raises `OperatorError` where it cannot be told which project or which `Main` is meant.
    """
    way = usable_way(sources.language, tools, sources.spec)
    sources = _without_tests(sources)
    projects = _projects(sources)
    project = _chosen(projects, sources)
    sources = _one_main(sources) if project is None else _of_project(project, projects, sources)
    if "dotnet" not in way.tools:
        return make(sources, tools)
    placed: dict[str, Path | bytes] = dict(sources.files)
    version = (tools.version(way) or "").partition(".")[0]
    framework = f"net{version}.0"
    if project is not None and project.is_sdk:
        name, assembly = project.name, project.assembly
    else:
        name, assembly = f"{PROGRAM}.csproj", PROGRAM
        placed = {file: content for file, content in placed.items() if not file.endswith(".csproj")}
        placed[name] = _OURS.format(framework=framework, assembly=assembly).encode()
        # What is tried for an author's project, which may be for another .NET, is not for ours.
        way = msgspec.structs.replace(way, build=way.build[:1], debug=way.debug[:1])
    more = {"project": as_argument(name), "assembly": assembly, "framework": framework}
    return make(sources, tools, more=more, placed=placed, way=way)


def _without_tests(sources: Sources) -> Sources:
    """The same without what only tests it, or was built; all of it, where nothing else would be left."""
    compiled = tuple(name for name in sources.compiled if not _BESIDE.fullmatch(name))
    if sum(name.endswith(_DESCRIBES) for name in compiled) > 1:  # one assembly has one description
        compiled = tuple(name for name in compiled if not name.endswith(_DESCRIBES))
    return _with(sources, compiled) if compiled else sources


def _with(sources: Sources, compiled: Sequence[str]) -> Sources:
    """The same with only these sources, and without what belongs to the others."""
    kept = set(compiled)

    def stays(name: str) -> bool:
        path = PurePosixPath(name)
        if path.suffix == ".csproj":
            return not _BESIDE.fullmatch(name)
        return name in kept or not (path.suffix == ".cs" or path.name in _DESCRIBES)

    files = {name: path for name, path in sources.files.items() if stays(name)}
    left = tuple(name for name in sources.compiled if name not in kept and not name.endswith(_DESCRIBES))
    main = sources.main if sources.main in kept else compiled[0]
    left_out = tuple(sorted({*sources.left_out, *left}))
    return msgspec.structs.replace(sources, main=main, compiled=tuple(compiled), files=files, left_out=left_out)


def _projects(sources: Sources) -> dict[str, Project]:
    """The projects of the folder, by the name of their file."""
    names = [name for name in sources.files if name.endswith(".csproj") and not is_left(name)]
    folders = {posixpath.dirname(name) for name in names}
    return {name: _read(name, read_text(sources.files[name]), folders, sources) for name in names}


def _read(name: str, text: str, folders: Collection[str], sources: Sources) -> Project:
    folder = posixpath.dirname(name)
    named = [_path(folder, word) for word in _COMPILES.findall(text)]
    is_sdk = _SDK.search(text) is not None or _OLD.search(text) is None
    if is_sdk or any("*" in word for word in named):
        own = {one for one in sources.compiled if _nearest(one, folders) == folder}
        own |= set(named) & set(sources.compiled)
    else:
        own = set(named) & set(sources.compiled)
    written = _ASSEMBLY.search(text)  # a name that the project works out ($(...)) is by default the file's
    return Project(
        name=name,
        sources=frozenset(own),
        refers=tuple(_path(folder, word) for word in _REFERS.findall(text)),
        makes_program=_MAKES_PROGRAM.search(text) is not None,
        is_test=_TESTS.search(text) is not None or _BESIDE.fullmatch(name) is not None,
        is_sdk=is_sdk,
        assembly=written[1] if written else PurePosixPath(name).stem,
    )


def _path(folder: str, word: str) -> str:
    """A path that a project's file names, relative to the hand-in's folder."""
    return posixpath.normpath(posixpath.join(folder, word.replace("\\", "/")))


def _nearest(name: str, folders: Collection[str]) -> str | None:
    """The folder of the project that a source lies in: the innermost."""
    above = (str(path) if str(path) != "." else "" for path in PurePosixPath(name).parents)
    return next((folder for folder in above if folder in folders), None)


def _chosen(projects: Mapping[str, Project], sources: Sources) -> Project | None:
    """The project that is the bot; none where no project makes a program."""
    own = [project for project in projects.values() if not project.is_test and project.sources]
    kept = [project for project in own if project.makes_program] or [one for one in own if _begins(one, sources)]
    kept = kept or (own if len(own) == 1 else [])
    if len(kept) > 1:
        kept = [project for project in kept if _begins(project, sources)] or kept
    if len(kept) > 1:
        stems = [stem.lower() for stem in stems_of(sources.language, sources.root)]
        kept = [project for project in kept if PurePosixPath(project.name).stem.lower() in stems] or kept
    if len(kept) > 1:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(project.name for project in kept))
    return kept[0] if kept else None


def _begins(project: Project, sources: Sources) -> bool:
    return any(_has_main(sources.files[name]) for name in project.sources)


def _has_main(source: Path) -> bool:
    return _MAIN.search(strip(read_text(source))) is not None


def _of_project(project: Project, projects: Mapping[str, Project], sources: Sources) -> Sources:
    """The sources of a project, and of those that it refers to, and these in turn."""
    wanted, waiting = {project.name}, [project]
    while waiting:
        new = [projects[name] for name in waiting.pop().refers if name in projects and name not in wanted]
        wanted |= {one.name for one in new}
        waiting += new
    own = {name for one in wanted for name in projects[one].sources}
    compiled = [name for name in sources.compiled if name in own and not name.endswith(_DESCRIBES)]
    found = _with(sources, compiled or sorted(own))
    files = {name: path for name, path in found.files.items() if not name.endswith(".csproj") or name in wanted}
    return msgspec.structs.replace(found, files=files)


def _one_main(sources: Sources) -> Sources:
    """The same with one `Main`: of several the one whose file has a usual name."""
    with_main = [name for name in sources.compiled if _has_main(sources.files[name])]
    if len(with_main) <= 1:
        return sources
    main = meant(with_main, stems_of(sources.language, sources.root), sources.spec)
    return _with(sources, [name for name in sources.compiled if name == main or name not in with_main])


_OURS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>{framework}</TargetFramework>
    <AssemblyName>{assembly}</AssemblyName>
    <RootNamespace>Bot</RootNamespace>
    <ImplicitUsings>enable</ImplicitUsings>
    <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
    <InvariantGlobalization>true</InvariantGlobalization>
    <UseSharedCompilation>false</UseSharedCompilation>
    <GenerateAssemblyInfo>false</GenerateAssemblyInfo>
  </PropertyGroup>
</Project>
"""
