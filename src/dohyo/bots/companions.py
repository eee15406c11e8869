"""What a single source file brings along: headers, modules and classes that lie near it.

Somebody who names `mybot/main.cpp` means the header beside it too. Each language says how a source names another
one; what is found so belongs to the bot, is part of its digest, and is there when it is built.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dohyo.bots.content import read_text
from dohyo.bots.java import JavaFile, read_java, strip
from dohyo.bots.recipe import Words

MOST = 2_000  # files; more than that were found by mistake

HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".tpp")
C_MAIN = re.compile(r"\bmain\s*\([^()]*\)\s*(?:noexcept\s*)?(?:->\s*int\s*)?(?:try\s*)?\{")

DEEPEST = 50  # packages within packages: what names more of them names nothing

_Names = Callable[[str], Iterable[str]]


def _mentioned(pattern: str, *endings: str, dots: str = ".") -> _Names:
    """Paths named by the first group of `pattern`; `dots` in a name become slashes."""
    compiled = re.compile(pattern, re.MULTILINE)

    def names(text: str) -> Iterator[str]:
        for found in compiled.finditer(text):
            name = found[1].replace(dots, "/") if endings and dots else found[1]
            yield from (name + ending for ending in endings or ("",))

    return names


def _python(text: str) -> Iterator[str]:
    plain = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
    chosen = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import\b[ \t]*(\([^)]*|[^\n]*)", re.MULTILINE)
    for found in plain.finditer(text):
        for name in found[1].split(","):
            yield from _modules((name.split() or [""])[0])
    for found in chosen.finditer(text):
        above = "../" * (len(found[1]) - 1)
        yield from (above + path for path in _modules(found[2]))
        for name in re.findall(r"\w+", found[3]):
            yield from (above + path for path in _modules(f"{found[2]}.{name}".lstrip(".")))


def _modules(name: str) -> Iterator[str]:
    parts = [part for part in name.split(".") if part][:DEEPEST]
    for length in range(1, len(parts) + 1):
        path = "/".join(parts[:length])
        yield from (f"{path}.py", f"{path}/__init__.py")


_SCRIPT_ENDINGS = ("", ".js", ".cjs", ".mjs", ".json", "/index.js")
_JAVASCRIPT = _mentioned(r"""(?:\bfrom|\bimport|\brequire\s*\()\s*['"](\.[^'"\n]+)['"]""", *_SCRIPT_ENDINGS, dots="")


def _typescript(text: str) -> Iterator[str]:
    for path in _JAVASCRIPT(text):
        yield path
        yield path.removesuffix(".js") + ".ts"


_INCLUDED = _mentioned(r'^[ \t]*#[ \t]*(?:include|embed)[ \t]*"([^"\n]+)"')

_NAMES: dict[str, tuple[_Names, ...]] = {
    "python": (_python,),
    "c": (_INCLUDED,),
    "c++": (_INCLUDED,),
    "javascript": (_JAVASCRIPT,),
    "typescript": (_typescript,),
    "rust": (
        _mentioned(r"^[ \t]*(?:pub(?:\([\w ]+\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", ".rs", "/mod.rs"),
        _mentioned(r'\b(?:include|include_str|include_bytes)!\s*\(\s*"([^"\n]+)"'),
        _mentioned(r'#\[path\s*=\s*"([^"\n]+)"\]'),
    ),
    "ruby": (_mentioned(r"""\brequire_relative[ (]*['"]([^'"\n]+)['"]""", "", ".rb", dots=""),),
    "php": (_mentioned(r"""\b(?:require|include)(?:_once)?\b[^;'"\n]{0,200}['"]/?([^'"\n]+)['"]"""),),
    "lua": (_mentioned(r"""\brequire[ (]*['"]([\w.]+)['"]""", ".lua", "/init.lua"),),
    "haskell": (_mentioned(r"^import[ \t]+(?:qualified[ \t]+)?([\w.]+)", ".hs"),),
    "d": (_mentioned(r"\bimport\s+(?:\w+\s*=\s*)?([\w.]+)", ".d"),),
    "nim": (_mentioned(r"^[ \t]*(?:import|include|from)[ \t]+([\w./]+)", ".nim", dots=""),),
    "zig": (_mentioned(r'@(?:import|embedFile)\s*\(\s*"([^"\n]+)"'),),
    "pascal": (_mentioned(r"(?i)(?:\buses\b|,)\s*(\w+)(?=\s*[,;])", ".pas", ".pp"),),
    "ocaml": (lambda text: (f"{name[0].lower()}{name[1:]}.ml" for name in re.findall(r"\b([A-Z]\w*)\b", text)),),
    "fortran": (
        _mentioned(r"(?i)^[ \t]*use[ \t]+(\w+)", ".f90", ".f95"),
        _mentioned(r"(?i)^[ \t]*include[ \t]+['\"]([^'\"\n]+)['\"]"),
    ),
}


def companions(source: Path, language: str) -> list[Path]:
    """`source` and every file near it that it brings along, what is needed before what needs it: `source` last.

    Raises `OperatorError` for one that cannot be read.
    """
    if language == "java":
        return [*_java(source), source]
    order: list[Path] = []
    seen: set[Path] = {source}
    # Each open file with the candidates that are still to be looked at: a walk without recursion, as deep as it goes.
    open_files = [(source, _candidates(source, language, top=True))]
    while open_files:
        path, rest = open_files[-1]
        found = next((one for one in rest if one not in seen and one.is_file()), None)
        if found is None:
            order.append(path)
            open_files.pop()
        elif len(seen) < MOST:
            seen.add(found)
            open_files.append((found, _candidates(found, language, top=False)))
        else:
            break
    return order if order[-1:] == [source] else [*order, source]


def partners(found: Iterable[Path], endings: Words) -> list[Path]:
    """The sources that implement the headers among `found`: `board.cpp` beside `board.h`, and theirs in turn.

    Only sources without a `main` of their own: those with one are other programs.
    """
    known = list(found)
    new: list[Path] = []
    for path in known:  # grows while it is walked
        if path.suffix in HEADERS:
            beside = [path.with_suffix(ending) for ending in endings]
            partner = next((one for one in beside if one not in known and one.is_file()), None)
            if partner is not None and not C_MAIN.search(strip(read_text(partner))):
                new.append(partner)
                known += (one for one in companions(partner, "c++") if one not in known)
    return new


def included(sources: Iterable[Path]) -> set[Path]:
    """Files that C and C++ sources include: not to be compiled on their own."""
    return {
        Path(os.path.normpath(source.parent / name)) for source in sources for name in _INCLUDED(read_text(source))
    }


def _candidates(path: Path, language: str, top: bool) -> Iterator[Path]:
    text = read_text(path)
    folders = [path.parent]
    if language == "rust" and not top and path.name != "mod.rs":
        folders.insert(0, path.parent / path.stem)  # the modules of b.rs lie in b/
    for names in _NAMES.get(language, ()):
        for name in names(text):
            for folder in folders:
                if not os.path.isabs(name):
                    yield Path(os.path.normpath(folder / name))


def _java(source: Path) -> list[Path]:
    """The sources that a Java source names, and those that these name.

    A source with a `main` of its own is a program of its own: it is never brought along, even where another one
    lies beside it in a folder full of bots and uses a library's class of the same name.
    """
    main = _read(source)
    root = package_root(source, main)
    found: list[Path] = []
    seen = {source}
    waiting = [source]
    while waiting and len(seen) < MOST:
        path = waiting.pop()
        for candidate in _java_candidates(path, root):
            if candidate in seen or not candidate.is_file():
                continue
            seen.add(candidate)
            if not _read(candidate).mains:
                found.append(candidate)
                waiting.append(candidate)
    return found


def _java_candidates(path: Path, root: Path) -> Iterator[Path]:
    text = strip(read_text(path))
    declared = set(re.findall(r"\b(?:class|interface|enum|record)\s+(\w+)", text))
    imports = re.findall(r"\bimport\s+(?:static\s+)?([\w.]+(?:\.\*)?)\s*;", text)
    imported = {name.rpartition(".")[2] for name in imports}
    names = _read(path).names - declared - imported
    yield from (beside for beside in sorted(path.parent.glob("*.java")) if beside.stem in names)
    for name in imports:
        parts = name.split(".")
        if parts[-1] == "*":
            yield from sorted(root.joinpath(*parts[:-1]).glob("*.java"))
        for length in range(len(parts), 0, -1):
            yield root.joinpath(*parts[:length]).with_suffix(".java")


def _read(path: Path) -> JavaFile:
    return read_java(read_text(path), path.stem)


def package_root(source: Path, java: JavaFile) -> Path:
    """The folder in which a source's package begins; its own folder where the folders do not follow the package."""
    folders = java.package.split(".") if java.package else []
    above = source.parent
    for name in reversed(folders):
        if above.name != name:
            return source.parent
        above = above.parent
    return above
