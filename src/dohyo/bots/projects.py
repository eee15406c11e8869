"""Folders with a manifest: Cargo's packages and workspaces, and modules of Go (`node.py` has Node's packages)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from dohyo.bots.aside import beginning, is_aside, is_left
from dohyo.bots.bot import BUILD
from dohyo.bots.build_plan import (
    PROGRAM,
    BuildPlan,
    Sources,
    Step,
    fill,
    inside,
    make,
    meant,
    stems_of,
    tool_names,
    usable_way,
)
from dohyo.bots.content import Content, digest_of, listed, read_text
from dohyo.bots.manifests import read_toml
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, by_ending


def cargo_plan(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan:
    """The build plan for Rust with Cargo, which may not load anything.

    What a bot needs comes along, or is in the operator's cache. Raises `OperatorError` where it cannot be told which
    program is meant.
    """
    project = language.project
    assert project is not None
    cargo = tools.find(project.tool)
    if cargo is None:
        raise OperatorError(
            "bot-no-tools", bot=spec, language=language.name, tools=project.tool, install=project.install
        )
    program = _cargo_program(spec, content, language)
    build = fill(project.debug if tools.debug else project.build, {"bin": program}, {project.tool: cargo})
    made = "debug" if tools.debug else "release"
    # Only the program is kept: what cargo leaves around it is a hundred times its size.
    keep = ("sh", "-c", f'mv "target/{made}/$1" {PROGRAM} && rm -rf target', "sh", program)
    way = usable_way(language, tools, spec)
    cut = {file: shorter for file in _own_manifests(content) if (shorter := _without_dev(content.files[file], spec))}
    return BuildPlan(
        spec=spec,
        name=name,
        command=(f"{BUILD}/{PROGRAM}",),
        folder=inside(content.root, content.handed_in),
        digest=digest_of(content.files, content.links),
        language=language.name,
        placed={**content.files, **cut},
        links=content.links,
        steps=(Step((build,)), Step((keep,))),
        tools=(cargo, *tool_names(way, tools)),
        files=tuple(path.relative_to(content.handed_in).as_posix() for path in content.files.values()),
        uses=(project.tool, *way.tools),
        debug=tools.debug,
    )


_VENDORED = ".cargo-checksum.json"  # with the digests of a package's files, which cargo compares

# A program's name is a word of a command, and a file's: no option, and no path.
_CARGO_NAME = re.compile(r"\w[\w.-]{0,199}")


def _cargo_program(spec: str, content: Content, language: Language) -> str:
    """The name of the program that the package makes, or one of the packages of a workspace."""
    package = read_toml(content.files["Cargo.toml"], spec)
    if "workspace" in package and "package" not in package:
        return _program_of_workspace(spec, content, language)
    own, programs = _programs(package, list(content.files))
    if not own:
        raise OperatorError("bot-cargo-no-package", bot=spec)
    section = package["package"]
    for wanted in (section.get("default-run"), own):
        if isinstance(wanted, str) and wanted in programs:
            return wanted
    if len(programs) > 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(programs))
    return programs[0] if programs else own


def _programs(package: dict[str, Any], files: Sequence[str]) -> tuple[str, list[str]]:
    """The name of a package, by its manifest and the names of its files, and those of its programs.

    The name is empty for a package without one that can be used."""
    section = package.get("package")
    own = section.get("name") if isinstance(section, dict) else None
    if not isinstance(section, dict) or not isinstance(own, str) or not _CARGO_NAME.fullmatch(own):
        return "", []
    sections = package.get("bin")
    names = (
        [program.get("name") for program in sections if isinstance(program, dict)]
        if isinstance(sections, list)
        else []
    )
    found = [PurePosixPath(file).stem for file in files if re.fullmatch(r"src/bin/[^/]+\.rs", file)]
    found += [file.split("/")[2] for file in files if re.fullmatch(r"src/bin/[^/]+/main\.rs", file)]
    names += [*([own] if "src/main.rs" in files else []), *found]
    return own, list(dict.fromkeys(name for name in names if isinstance(name, str) and _CARGO_NAME.fullmatch(name)))


def _program_of_workspace(spec: str, content: Content, language: Language) -> str:
    """The one program of a workspace's packages, or the one with a usual name."""
    programs: list[str] = []
    for manifest in [name for name in content.files if name.endswith("/Cargo.toml") and not is_left(name)]:
        folder = manifest.removesuffix("Cargo.toml")
        files = [name.removeprefix(folder) for name in content.files if name.startswith(folder)]
        programs += _programs(read_toml(content.files[manifest], spec), files)[1]
    if not programs:
        raise OperatorError("bot-cargo-no-package", bot=spec)
    return meant(programs, stems_of(language, content.root), spec, str)


def _own_manifests(content: Content) -> list[str]:
    """The manifests of the packages that are the author's; those that cargo has put there must stay as they are."""
    named = [PurePosixPath(file) for file in content.files]
    vendored = {path.parent for path in named if path.name == _VENDORED}
    return [str(path) for path in named
            if path.name == "Cargo.toml" and path.parent not in vendored and not is_left(str(path))]  # fmt: skip


# What only tests need is on no machine that only plays, and Cargo wants it even for a program that is not tested.
_FOR_TESTS = re.compile(r"\[\s*(?:target\s*\..{1,500}\.\s*)?dev-dependencies\s*[].]")


def _without_dev(path: Path, spec: str) -> bytes | None:
    """A package's manifest without what only its tests need; None where that is nothing, or cannot be told."""
    import tomllib

    text = read_text(path).replace("\r\n", "\n")
    if "dev-dependencies" not in text:
        return None
    lines, is_cut = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("["):
            is_cut = _FOR_TESTS.match(line.lstrip()) is not None
        lines += [] if is_cut else [line]
    shorter = "\n".join(lines)
    try:
        is_same = _undeveloped(read_toml(path, spec)) == tomllib.loads(shorter)
    except (OperatorError, RecursionError, ValueError):  # cargo says what is wrong with it, if it is needed
        return None
    return shorter.encode() if is_same else None


def _undeveloped(package: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in package.items() if name != "dev-dependencies"}
    if isinstance(targets := kept.get("target"), dict):
        cut = {name: _undeveloped(one) if isinstance(one, dict) else one for name, one in targets.items()}
        kept["target"] = {name: one for name, one in cut.items() if one}
        if not kept["target"]:
            del kept["target"]
    return kept


def go_plan(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan:
    """The build plan for a module of Go. Raises `OperatorError` where several programs could be meant."""
    project = language.project
    assert project is not None
    root, files = content.root, content.files
    sources = Sources(spec, name, language, root, project.manifest, (), files, content.links, content.handed_in)
    way = usable_way(language, tools, spec)
    way = msgspec.structs.replace(way, build=(project.build,), debug=(project.debug, project.build))
    return make(sources, tools, way=way, more={"package": _go_package(spec, content, language)}, placed=files)


def _go_package(spec: str, content: Content, language: Language) -> str:
    """The folder of a module that holds the program: the module's own, or the one below with a `main`."""
    sources = [
        name for name in content.files if by_ending(name) is language and not (is_aside(name) or is_left(name))
    ]
    own = [name for name in sources if "/" not in name]
    folders = {str(PurePosixPath(name).parent) for name in beginning(sources, language, content.files)}
    if "." in folders or own or not folders:
        return "."
    programs = kept = sorted(folders)
    if len(programs) > 1:  # folders have no endings, and none is nearer: several of a usual name are refused
        usual = {stem.lower() for stem in stems_of(language, content.root)}
        kept = [each for each in programs if PurePosixPath(each).name.lower() in usual]
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(programs))
    return f"./{kept[0]}"
