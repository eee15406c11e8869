"""Node packages: which program `package.json` means, and TypeScript that has to be built for it.

Theory of operation
-------------------
`main` names the program; where that is not there, `bin` or what `npm start` starts. A program that is handed in plays
as it is, also in `dist/` or `build/`. One that is not there is what `tsc` makes of a source: then the package's own
`tsconfig.json` says how, as its author builds it. Packages are not loaded: those that the sources import have to lie
in `node_modules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from dohyo.bots.aside import is_aside, is_left
from dohyo.bots.build_plan import BuildPlan, Sources, as_argument, make, readable, split, usable_way
from dohyo.bots.content import Content, listed, printable, read_text
from dohyo.bots.manifests import read_json
from dohyo.bots.safe_paths import SHOWN
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, by_ending, by_name
from dohyo.languages.table import NODE, NODE_STARTERS, TSC_PROJECT

ENDINGS = ("", ".js", ".cjs", ".mjs", ".ts", "/index.js", "/index.ts")
SETTINGS = "tsconfig.json"
FOLDER = PurePosixPath()  # the package's own, which Node takes for its index
_MADE = re.compile(r"\.([cm]?)js")
_PACKAGE = re.compile(r"""(?:from|import|require[ \t]*+\()[ \t]*+["']([^"'\n.][^"'\n]{0,200})["']""")


def node_plan(spec: str, name: str, content: Content, tools: Tools, language: Language) -> BuildPlan | None:
    """JavaScript or TypeScript whose package.json names the program; None where it names none.

    Raises `OperatorError` where the program that `main` names is not there, and no source of it.
    """
    package = read_json(content.files["package.json"], spec)
    fields = package if isinstance(package, dict) else {}
    named = ["index" if PurePosixPath(one) == FOLDER else str(PurePosixPath(one)) for one in _named(fields)]
    for one in named:
        main = next((one + ending for ending in ENDINGS if one + ending in content.files), None)
        if main is not None:
            return make(_sources(spec, name, content, main, by_ending(main) or language), tools)
    if SETTINGS in content.files:
        for one in named:
            source = _source_of(one, content.files)
            if source is not None:
                _check_packages(spec, fields, content)
                made = one if _MADE.fullmatch(PurePosixPath(one).suffix) else f"{one}.js"
                return _built(_sources(spec, name, content, source, by_name("typescript")), made, tools)
    told = fields.get("main")
    if not isinstance(told, str):
        return None
    raise OperatorError("bot-main-missing", bot=spec, file="package.json", main=printable(told[:SHOWN]))


def _sources(spec: str, name: str, content: Content, main: str, language: Language) -> Sources:
    root, files = content.root, content.files
    return Sources(spec, name, language, root, main, (main,), files, content.links, content.handed_in)


def _named(package: Mapping[str, Any]) -> Iterator[str]:
    """What a package names as its program: by `main`, by `bin`, and by the command of `npm start`."""
    programs, scripts = package.get("bin"), package.get("scripts")
    if isinstance(package.get("main"), str):
        yield package["main"]
    if isinstance(programs, dict) and len(programs) == 1:
        programs = next(iter(programs.values()))
    if isinstance(programs, str):
        yield programs
    start = scripts.get("start") if isinstance(scripts, dict) else None
    if isinstance(start, str):
        yield from _started(start)


def _started(line: str) -> Iterator[str]:
    """The programs that a line for a shell gives to Node: `tsc && node --enable-source-maps dist/bot.js`."""
    try:
        words = split(line[:SHOWN])
    except OperatorError:
        return
    is_started = False
    for word in words:
        if PurePosixPath(word).name in NODE_STARTERS:
            is_started = True
        elif is_started and not word.startswith("-"):
            is_started = False
            yield word


def _source_of(program: str, files: Mapping[str, Path]) -> str | None:
    """The TypeScript of a program that is built: `src/a.ts` of `dist/a.js`; none where there is no such source."""
    path = PurePosixPath(program)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in program:
        return None
    inner = PurePosixPath(*path.parts[1:]) if len(path.parts) > 1 else path
    kind = _MADE.fullmatch(path.suffix)
    for at in (PurePosixPath("src", inner), inner, path):
        for ending in (f".{kind[1]}ts",) if kind else (".ts", "/index.ts"):
            name = str(at.with_suffix("")) + ending if kind else str(at) + ending
            if name in files:
                return name
    return None


def _built(sources: Sources, made: str, tools: Tools) -> BuildPlan:
    """The plan that makes the program by the package's own settings; without tsc, by what else reads TypeScript."""
    way = usable_way(sources.language, tools, sources.spec)
    if way.tools[0] != "tsc":
        return make(sources, tools, way=way)
    way = msgspec.structs.replace(way, build=(TSC_PROJECT,), run=(*NODE, "{build}/{made}"))
    return make(sources, tools, way=way, more={"made": as_argument(made)}, placed=readable(sources))


def _check_packages(spec: str, package: Mapping[str, Any], content: Content) -> None:
    """Raise `OperatorError` for packages that sources import and that do not lie in the folder."""
    wanted = package.get("dependencies")
    names = {one for one in wanted if isinstance(one, str)} if isinstance(wanted, dict) else set()
    names = {one for one in names if not any(file.startswith(f"node_modules/{one}/") for file in content.files)}
    if not names:
        return
    own = [path for file, path in content.files.items()
           if file.endswith((".ts", ".mts", ".cts")) and not (is_left(file) or is_aside(file))]  # fmt: skip
    imported = {found for path in own for found in _PACKAGE.findall(read_text(path))}
    lacking = sorted(one for one in names if any(each == one or each.startswith(f"{one}/") for each in imported))
    if lacking:
        raise OperatorError("bot-build-lacks", bot=spec, modules=listed(lacking))
