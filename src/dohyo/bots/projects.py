"""Programs of several files: Cargo, Go modules, Node packages, .NET projects, and C and C++ with their headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.bot import BUILD
from dohyo.bots.build_plan import (
    OPTIONS_FILE,
    PROGRAM,
    BuildPlan,
    Sources,
    Step,
    as_argument,
    fill,
    inside,
    make,
    readable,
    stems_of,
    tool_names,
    usable_way,
)
from dohyo.bots.content import Content, digest_of, listed, printable, read_text
from dohyo.bots.java import strip
from dohyo.bots.manifests import read_json, read_toml
from dohyo.bots.safe_paths import SHOWN
from dohyo.bots.source_dependencies import C_MAIN, included
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, Words, by_ending, by_manifest, by_name


def project_plan(spec: str, name: str, content: Content, tools: Tools) -> BuildPlan | None:
    """The build plan for a folder with a project file, or None for a folder without one."""
    for file, plan in _PROJECTS.items():
        if file in content.files:
            found = plan(spec, name, content, tools, by_manifest(file))
            if found is not None:
                return found
    return None


def _cargo(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan:
    """Rust with Cargo, which may not load anything: what a bot needs comes along, or is in the operator's cache."""
    project = language.project
    assert project is not None
    cargo = tools.find(project.tool)
    if cargo is None:
        raise OperatorError(
            "bot-no-tools", bot=spec, language=language.name, tools=project.tool, install=project.install
        )
    program = _cargo_program(spec, content)
    build = fill(project.debug if tools.debug else project.build, {"bin": program}, {project.tool: cargo})
    made = "debug" if tools.debug else "release"
    # Only the program is kept: what cargo leaves around it is a hundred times its size.
    keep = ("sh", "-c", f'mv "target/{made}/$1" {PROGRAM} && rm -rf target', "sh", program)
    way = usable_way(language, tools, spec)
    names, uses = (cargo, *tool_names(way, tools)), (project.tool, *way.tools)
    return _project(spec, name, content, language, (Step((build,)), Step((keep,))), names, uses, tools.debug)


# A program's name is a word of a command, and a file's: no option, and no path.
_CARGO_NAME = re.compile(r"\w[\w.-]{0,199}")


def _cargo_program(spec: str, content: Content) -> str:
    """The name of the program that the package makes."""
    package = read_toml(content.files["Cargo.toml"], spec)
    section = package.get("package")
    own = section.get("name") if isinstance(section, dict) else None
    if not isinstance(section, dict) or not isinstance(own, str) or not _CARGO_NAME.fullmatch(own):
        raise OperatorError("bot-cargo-no-package", bot=spec)
    sections = package.get("bin")
    names = (
        [program.get("name") for program in sections if isinstance(program, dict)]
        if isinstance(sections, list)
        else []
    )
    declared = [name for name in names if isinstance(name, str) and _CARGO_NAME.fullmatch(name)]
    found = [PurePosixPath(file).stem for file in content.files if re.fullmatch(r"src/bin/[^/]+\.rs", file)]
    found += [file.split("/")[2] for file in content.files if re.fullmatch(r"src/bin/[^/]+/main\.rs", file)]
    programs = list(dict.fromkeys([*declared, *([own] if "src/main.rs" in content.files else []), *found]))
    for wanted in (section.get("default-run"), own):
        if isinstance(wanted, str) and wanted in programs:
            return wanted
    if len(programs) > 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(programs))
    return programs[0] if programs else own


def _go_module(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan:
    way = usable_way(language, tools, spec)
    assert language.project is not None
    lines = (language.project.debug, language.project.build) if tools.debug else (language.project.build,)
    builds = tuple(fill(words, {"program": PROGRAM}, tools.paths(way)) for words in lines)
    return _project(spec, name, content, language, (Step(builds),), tool_names(way, tools), way.tools, tools.debug)


def _project(
    spec: str,
    name: str,
    content: Content,
    language: Language,
    steps: tuple[Step, ...],
    tools: Words,
    uses: Words,
    debug: bool,
) -> BuildPlan:
    return BuildPlan(
        spec=spec,
        name=name,
        command=(f"{BUILD}/{PROGRAM}",),
        folder=inside(content.root, content.handed_in),
        digest=digest_of(content.files, content.links),
        language=language.name,
        placed=dict(content.files),
        links=content.links,
        steps=steps,
        tools=tools,
        files=tuple(path.relative_to(content.handed_in).as_posix() for path in content.files.values()),
        uses=uses,
        debug=debug,
    )


def _node_package(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan | None:
    """JavaScript or TypeScript whose package.json names the main file; None where it names none."""
    package = read_json(content.files["package.json"], spec)
    named = package.get("main") if isinstance(package, dict) else None
    if not isinstance(named, str):
        return None
    plain = str(PurePosixPath(named))
    endings = ("", ".js", ".cjs", ".mjs", ".ts", "/index.js")
    main = next((plain + ending for ending in endings if plain + ending in content.files), None)
    if main is None:
        raise OperatorError("bot-main-missing", bot=spec, file="package.json", main=printable(named[:SHOWN]))
    language = by_name("typescript") if main.endswith(".ts") else language
    root, files = content.root, content.files
    sources = Sources(spec, name, language, root, main, (main,), files, content.links, root, content.handed_in)
    return make(sources, tools)


_PROJECTS: dict[str, Callable[[str, str, Content, Tools, Language], BuildPlan | None]] = {
    "Cargo.toml": _cargo,
    "go.mod": _go_module,
    "package.json": _node_package,
}


def csharp_plan(sources: Sources, tools: Tools) -> BuildPlan:
    """The build plan for C#: by the .NET SDK with the folder's project or one of ours, or by Mono with all."""
    way = usable_way(sources.language, tools, sources.spec)
    sources = _without_tests(sources)
    if "dotnet" not in way.tools:
        return make(sources, tools)
    projects = [name for name in sources.files if name.endswith(".csproj") and "/" not in name]
    placed: dict[str, Path | bytes] = dict(sources.files)
    if len(projects) > 1:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(projects))
    if projects:
        # A name that the project works out ($(...)) is by default the file's.
        written = re.search(r"<AssemblyName>\s*([\w.-]+)\s*</", read_text(sources.files[projects[0]]))
        assembly = written[1] if written else PurePosixPath(projects[0]).stem
        project = projects[0]
    else:
        project, assembly = f"{PROGRAM}.csproj", PROGRAM
        version = (tools.version(way) or "").partition(".")[0]
        placed[project] = _PROJECT.format(version=version, assembly=assembly).encode()
    return make(sources, tools, more={"project": project, "assembly": assembly}, placed=placed)


# What tests a bot in C#, or was left behind when it was built: by the folder, the file's name, or what it uses. The
# libraries that tests need are on no machine that only plays.
_BESIDE_CSHARP = re.compile(r"(.*/)?([Tt]ests?|[\w.]*(Tests?|\.tests?)|obj|bin)/.*|(.*/)?\w+_Should\.cs")
_TESTING = re.compile(
    r"^[ \t]*+(?:global[ \t]++)?using[ \t]++(?:static[ \t]++)?"
    r"(?:NUnit|Xunit|Microsoft\.VisualStudio\.TestTools|FluentAssertions|Moq|NSubstitute)\b",
    re.MULTILINE,
)


def _without_tests(sources: Sources) -> Sources:
    """The same without what only tests it; all of it, where nothing else would be left."""

    def is_own(name: str) -> bool:
        tests = name.endswith(".cs") and _TESTING.search(read_text(sources.files[name]))
        return not _BESIDE_CSHARP.fullmatch(name) and not tests

    compiled = tuple(name for name in sources.compiled if is_own(name))
    if not compiled:
        return sources
    files = {
        name: path for name, path in sources.files.items() if not name.endswith((".cs", ".csproj")) or is_own(name)
    }
    main = sources.main if sources.main in compiled else compiled[0]
    return msgspec.structs.replace(sources, main=main, compiled=compiled, files=files)


_PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net{version}.0</TargetFramework>
    <AssemblyName>{assembly}</AssemblyName>
    <RootNamespace>Bot</RootNamespace>
    <ImplicitUsings>enable</ImplicitUsings>
    <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
    <InvariantGlobalization>true</InvariantGlobalization>
    <UseSharedCompilation>false</UseSharedCompilation>
  </PropertyGroup>
</Project>
"""


# --- C and C++


def native_plan(sources: Sources, tools: Tools) -> BuildPlan:
    """The build plan for several sources of C or C++: one with `main`, and all the others that have none.

    Raises `OperatorError` when it cannot be told which `main` is meant.
    """
    inside = included(sources.root / name for name in sources.compiled)
    compiled = [name for name in sources.compiled if sources.root / name not in inside]
    with_main = [name for name in compiled if C_MAIN.search(strip(read_text(sources.root / name)))]
    main = _chosen(with_main, sources)
    kept = tuple(name for name in compiled if name == main or name not in with_main)
    folders = {str(PurePosixPath(name).parent) for name in sources.files if name.endswith(sources.language.headers)}
    includes = tuple(f"-I{folder}" for folder in sorted(folders))
    others = [name for name in kept if by_ending(name) is not sources.language]
    steps, objects, names, more_uses = _objects(others, includes, sources, tools)
    whole = msgspec.structs.replace(
        sources, main=main or kept[0], compiled=tuple(name for name in kept if name not in others)
    )
    more: dict[str, str | Words] = {"includes": includes, "sources": (*map(as_argument, whole.compiled), *objects)}
    plan = make(whole, tools, more=more, placed=readable(sources), before=steps)
    return msgspec.structs.replace(plan, tools=(*plan.tools, *names), uses=(*plan.uses, *more_uses))


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
