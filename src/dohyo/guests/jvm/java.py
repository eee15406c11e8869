"""Java: which class begins the program, and the build plan, with sources named as the compiler insists.

Where a program begins is found by reading the source the way the compiler does.

Comments, strings and characters are taken out first, then the rest is walked word by word, so that a `main` that is
only mentioned, or that belongs to a method's local class, is never taken for the program's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.build_plan import BuildPlan, Sources, Values, as_argument, inside, make, stems_of, usable_way
from dohyo.bots.content import decode, listed, read_text
from dohyo.bots.source_dependencies import Looks, Near
from dohyo.bots.stripped import strip
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages.mentions import LONGEST
from dohyo.system import hand_in_limits as limits

WORD = re.compile(r"[^\W\d]\w*|\d\w*|\.\.\.|[^\s\w]")
_TYPES = ("class", "interface", "enum", "record")
# Strangers write what is read here: reading takes no longer than in proportion to the size.
DEEPEST, MAX_MAINS, MAX_WORDS = 50, 50, 200  # types within types, packages too; mains; words before a declaration
MAX_IMPORTS = 1000  # of a source that are looked at
LONGEST_NAME, LONGEST_PACKAGE = 200, 1000  # characters: each name is a file's, and each package a folder's
# A package says in which folder its classes lie: whatever is no package's name could say any other one.
PACKAGE = re.compile(r"(?:[^\W\d]|\$)[\w$]*(?:\.(?:[^\W\d]|\$)[\w$]*)*")


class Main(msgspec.Struct, frozen=True):
    """A `main` method: the class to start, as the JVM names it, and how well it serves as the program's entrance.

    `old_style` is `public static void main(String[])`, which every Java starts; the other forms need Java 25.
    """

    name: str
    nested: bool
    public: bool
    old_style: bool


class JavaFile(msgspec.Struct, frozen=True):
    """What a source file declares.

    `package` is empty for none; `types` are all top-level ones; `public` is the public one among them, after which
    the file must be called, or empty; `names` are all identifiers in the file.
    """

    package: str
    types: tuple[str, ...]
    public: str
    mains: tuple[Main, ...]
    names: frozenset[str]


def read_java(text: str, stem: str) -> JavaFile:
    """What the Java source `text` declares; `stem` names the class of a file that declares none (Java 25)."""
    words = WORD.findall(strip(text))
    places = _places(words)
    types: list[str] = []
    public = ""
    mains: list[Main] = []
    for at, word, around in _walk(words):
        if word in _TYPES and not around:
            types.append(words[at + 1])
            if "public" in _before(words, at):
                public = public or words[at + 1]
        elif word == "main" and len(mains) < MAX_MAINS and _is_main(words, at):
            mains.append(_main(words, at, around or [stem], places))
    return JavaFile(_package(words), tuple(types), public, tuple(_named(mains, words)), frozenset(words))


def _walk(words: Sequence[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Every declaration of a type, and every `main (`, with the types around it, outermost first.

    What lies in anything else between braces (a method, an anonymous class) is passed over.
    """
    around: list[str | None] = []  # None: braces that are no type's
    coming: str | None = None  # the type whose braces open next
    parentheses = 0
    for at, word in enumerate(words):
        if word in "()":
            parentheses += 1 if word == "(" else -1
        elif word == "{":
            around.append(coming if not parentheses and len(around) < DEEPEST else None)
            coming = None if not parentheses else coming
        elif word == "}":
            if around:
                around.pop()
        elif None not in around and not parentheses:
            types = [name for name in around if name is not None]
            if word in _TYPES and _declares(words, at):
                coming = words[at + 1]
                yield at, word, types
            elif word == "main" and words[at + 1 : at + 2] == ["("]:
                yield at, word, types


def _declares(words: Sequence[str], at: int) -> bool:
    """Whether the word there begins the declaration of a type: not `Foo.class;`, not a variable called `record`."""
    return at + 1 < len(words) and words[at + 1].isidentifier() and len(words[at + 1]) <= LONGEST_NAME


def _before(words: Sequence[str], at: int) -> list[str]:
    """The words between the end of what stands before and `at`: modifiers and annotations."""
    start = at
    while start and at - start < MAX_WORDS and words[start - 1] not in (";", "{", "}"):
        start -= 1
    return list(words[start:at])


def _parameters(words: Sequence[str], at: int) -> list[str]:
    """The words between the parentheses that open at `at`."""
    depth = 0
    for end in range(at, len(words)):
        depth += (words[end] == "(") - (words[end] == ")")
        if depth == 0:
            return list(words[at + 1 : end])
    return []


def _is_main(words: Sequence[str], at: int) -> bool:
    """Whether the method called `main` there is one that some Java would start."""
    parameters = _parameters(words, at + 1)
    takes = not parameters or ("String" in parameters and "," not in parameters and _many(parameters))
    return words[at - 1 : at] == ["void"] and takes and "private" not in _before(words, at)


def _many(parameters: Sequence[str]) -> bool:
    return "..." in parameters or "[" in parameters


def _main(words: Sequence[str], at: int, around: Sequence[str], places: Mapping[str, int]) -> Main:
    modifiers = _before(words, at)
    in_interface = words[places.get(around[-1], 0)] == "interface"
    old = "static" in modifiers and ("public" in modifiers or in_interface) and bool(_parameters(words, at + 1))
    public = "public" in _before(words, places.get(around[0], 0))
    return Main("$".join(around), len(around) > 1, public, old)


def _places(words: Sequence[str]) -> dict[str, int]:
    """Where each type is first declared. A file's own class (Java 25) is declared nowhere."""
    places: dict[str, int] = {}
    for at, word in enumerate(words):
        if word in _TYPES and _declares(words, at):
            places.setdefault(words[at + 1], at)
    return places


def _package(words: Sequence[str]) -> str:
    """The package that the file says it belongs to; annotations may stand before it. Empty for what is no name."""
    if "package" not in words:
        return ""
    at = words.index("package")
    if any(word in _TYPES or word == "import" for word in words[:at]):
        return ""
    named = "".join(words[at + 1 : words.index(";", at) if ";" in words[at:] else at + 1])
    return named if len(named) <= LONGEST_PACKAGE and named.count(".") < DEEPEST and PACKAGE.fullmatch(named) else ""


def _named(mains: Sequence[Main], words: Sequence[str]) -> Iterator[Main]:
    package = _package(words)
    for main in mains:
        yield Main(f"{package}.{main.name}" if package else main.name, main.nested, main.public, main.old_style)


def best(mains: Sequence[Main], stems: Sequence[str]) -> list[Main]:
    """The mains that could be meant, by what speaks for each; more than one when nothing tells them apart.

    `stems` are names that speak for a class: the file's, the folder's, and those that everybody gives to a program.
    """
    kept = list(mains)
    wanted = [stem.lower() for stem in stems]
    for speaks in (
        lambda main: main.old_style,
        lambda main: not main.nested,
        lambda main: main.name.rpartition(".")[2].lower() in wanted,
        lambda main: main.public,
    ):
        kept = [main for main in kept if speaks(main)] or kept
    return kept


# --- the build plan

FIRST_WITH_SHORT_MAIN = 25  # the Java from which `void main()` alone begins a program


def java_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for Java sources; `alone` when the operator named one file, and means a class in it.

    Every source is placed where its package and its public class say, whatever its author called it, in UTF-8
    without a mark, which javac insists on. What the class to start does not need is not compiled.
    Raises `OperatorError` when no class, or more than one, can be meant.
    """
    parsed = {name: read_java(read_text(sources.root / name), PurePosixPath(name).stem) for name in sources.compiled}
    parsed = _one_of_each(parsed)
    asked = {sources.main: parsed[sources.main]} if alone else parsed
    begins, start = _java_class(sources, asked, tools, alone=alone)
    texts = {name: strip(read_text(sources.root / name)) for name in parsed} if not alone else {}
    needed = list(parsed) if alone else needed_by(begins, parsed, texts)
    placed: dict[str, Path | bytes] = {}
    target_of: dict[str, str] = {}
    for name in (*needed, *(name for name in parsed if name not in needed)):
        target = _java_name(name, parsed[name])
        # Two of one name are two files still: javac then says what is wrong with that.
        while target in placed:
            target = f"again/{target}"
        target_of[name] = target
        placed[target] = decode(sources.files[name].read_bytes()).encode()
    if not alone:
        left = [name for name in sources.compiled if name not in needed]
        left_out = tuple(sorted({*sources.left_out, *left}))
        sources = msgspec.structs.replace(sources, compiled=tuple(needed), left_out=left_out)
    jars = [inside(path, sources.handed_in) for name, path in sources.files.items() if name.endswith(".jar")]
    more: Values = {
        "class": start,
        "sources": tuple(as_argument(target_of[name]) for name in needed),
        "libraries": os.pathsep.join([inside(sources.root, sources.handed_in), *jars]),
    }
    return make(sources, tools, more=more, placed=placed)


def _one_of_each(parsed: Mapping[str, JavaFile]) -> dict[str, JavaFile]:
    """The sources without those that declare a class again, whose right place is another file's.

    The right one is called as its class is, and lies in the folders of its package.
    """
    places: dict[tuple[str, str], list[str]] = {}
    for name, java in parsed.items():
        for declared in java.types:
            places.setdefault((java.package, declared), []).append(name)
    wrong: set[str] = set()
    for (package, declared), names in places.items():
        path = "/".join((*package.split("."), f"{declared}.java")) if package else f"{declared}.java"
        fitting = [name for name in names if f"/{name}".endswith(f"/{path}")]
        if len(fitting) > 1:
            depth = min(name.count("/") for name in fitting)
            fitting = [name for name in fitting if name.count("/") == depth]
        if len(names) > 1 and len(fitting) == 1:
            wrong.update(name for name in names if name != fitting[0])
    kept = {name: java for name, java in parsed.items() if name not in wrong}
    return kept or dict(parsed)


_IMPORTED = re.compile(r"\bimport\s+(?:static\s+)?(\w+(?:\s*\.\s*\w+)*)(\s*\.\s*\*)?\s*;")
# A program that finds classes by their names at run time: nobody can say which those are.
_BY_NAME = frozenset({"forName", "loadClass", "ServiceLoader"})


def needed_by(begins: str, parsed: Mapping[str, JavaFile], texts: Mapping[str, str]) -> list[str]:
    """The sources that a program needs which begins in one, that one first: by the classes that they name.

    All of them where classes are found by their names at run time. `texts` are without comments and strings.
    """
    declared: dict[tuple[str, str], list[str]] = {}
    for name, java in parsed.items():
        for one in java.types or (PurePosixPath(name).stem,):
            declared.setdefault((java.package, one), []).append(name)
    found, waiting = {begins: True}, [begins]
    while waiting:
        name = waiting.pop()
        java = parsed[name]
        if java.names & _BY_NAME:
            return [begins, *(one for one in parsed if one != begins)]
        for package in _packages(java, texts[name]):
            for word in java.names:
                for one in declared.get((package, word), ()):
                    if one not in found:
                        found[one] = True
                        waiting.append(one)
    return list(found)


def _packages(java: JavaFile, text: str) -> set[str]:
    """The packages whose classes a source may name: its own, and those of its imports.

    `import a.b.C` may mean a class of `a.b`, or one in the class `a.b`; a name that is written with its package is
    found by the compiler itself.
    """
    packages = {java.package}
    for name, whole in islice(_IMPORTED.findall(text), MAX_IMPORTS):
        parts = "".join(name.split()).split(".")[:DEEPEST]
        packages |= {".".join(parts[:length]) for length in range(1, len(parts) + bool(whole))}
    return packages


def _java_name(name: str, java: JavaFile) -> str:
    stem = java.public or PurePosixPath(name).stem
    folders = java.package.split(".") if java.package else []
    return "/".join([*folders, f"{stem}.java"])


def _java_class(sources: Sources, asked: Mapping[str, JavaFile], tools: Tools, *, alone: bool) -> tuple[str, str]:
    """The source in which the program begins, and the class to start."""
    places = [(main, name) for name, java in asked.items() for main in java.mains]
    if not _starts_short_mains(sources, tools):
        places = [(main, name) for main, name in places if main.old_style]
    own = [PurePosixPath(sources.main).stem] if alone else []
    if alone:  # one file has one public class; in a folder, every class may be public
        places = [(main, name) for main, name in places if main.public] or places
    kept = best([main for main, _ in places], [*own, *stems_of(sources.language, sources.root)])
    if not kept:
        raise OperatorError("bot-java-no-main", bot=sources.spec)
    names = [name for main, name in places if main in kept]
    # In one file, the first class with a main is the one that `java File.java` would start.
    if len(kept) > 1 and not alone:
        same = len({main.name for main in kept}) == 1  # one class, in several files
        raise OperatorError(
            "bot-several-mains", bot=sources.spec, mains=listed(names if same else [main.name for main in kept])
        )
    return names[0], kept[0].name


def _starts_short_mains(sources: Sources, tools: Tools) -> bool:
    version = tools.version(usable_way(sources.language, tools, sources.spec)) or ""
    number = re.search(r"\d+", version)
    return number is not None and int(number[0]) >= FIRST_WITH_SHORT_MAIN


# --- the sources beside a lone one


def beside(source: Path, near: Near) -> list[Path]:
    """The sources near it that a Java source names, and those that these name.

    A source with a `main` of its own is a program of its own: it is never brought along, even where another one
    lies beside it in a folder full of bots and uses a library's class of the same name.
    """
    root = source.parent  # a lone file brings along nothing from above its folder
    folders = _Folders(near)
    looks = Looks([source], near)
    found: list[Path] = []
    waiting = [source]
    while waiting:
        candidates = _java_candidates(waiting.pop(), root, folders)
        while len(found) < limits.MAX_NAMED_SOURCES and (candidate := looks.next_of(candidates)) is not None:
            if looks.into(candidate) and not _read(candidate).mains:
                found.append(candidate)
                waiting.append(candidate)
    return found


class _Folders(dict[Path, dict[str, Path]]):
    """The Java sources of folders, by the name of their class."""

    def __init__(self, near: Near) -> None:
        super().__init__()
        self._near = near

    def __missing__(self, folder: Path) -> dict[str, Path]:
        return self.setdefault(folder, {path.stem: path for path in self._near.sources(folder, ".java")})


_JAVA_IMPORT = re.compile(r"\bimport\s+(?:static\s+)?(\w+(?:\.\w+)*)(\.\*)?\s*;")


def _java_candidates(path: Path, root: Path, folders: _Folders) -> Iterator[Path]:
    text = strip(read_text(path))
    declared = set(re.findall(r"\b(?:class|interface|enum|record)\s+(\w+)", text))
    found = _JAVA_IMPORT.findall(text)
    imports = dict.fromkeys((name, bool(whole)) for name, whole in found if len(name) <= LONGEST)
    imported = {name.rpartition(".")[2] for name, whole in imports if not whole}
    beside = folders[path.parent]
    yield from (beside[name] for name in sorted(beside.keys() & _read(path).names - declared - imported))
    for name, whole in imports:
        parts = name.split(".")[:DEEPEST]
        if whole:
            yield from folders[root.joinpath(*parts)].values()
        for length in range(len(parts), 0, -1):
            yield root.joinpath(*parts[:length]).with_suffix(".java")


def _read(path: Path) -> JavaFile:
    return read_java(read_text(path), path.stem)
