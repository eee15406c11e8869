"""Where a Java or Scala program begins, found by reading the source the way the compiler does.

Comments, strings and characters are taken out first, then the rest is walked word by word, so that a `main` that is
only mentioned, or that belongs to a method's local class, is never taken for the program's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

_HIDDEN = re.compile(
    r"""/\*.*?(?:\*/|\Z) | //[^\n]* | \"\"\"(?:\\.|[^\\])*?\"\"\" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.DOTALL | re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d]\w*|\d\w*|\.\.\.|[^\s\w]")
_TYPES = ("class", "interface", "enum", "record")
# Strangers write what is read here, and no box bounds it: reading takes no longer than in proportion to the size.
DEEPEST, MOST_MAINS, MOST_WORDS = 50, 50, 200  # types within types; mains; words before a declaration


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


def strip(text: str) -> str:
    """Source text without comments, strings and characters (in Java, C, C++, C#, Kotlin, Scala and their like)."""
    return _HIDDEN.sub(lambda found: "\n" * found[0].count("\n") or " ", text)


def read_java(text: str, stem: str) -> JavaFile:
    """What the Java source `text` declares; `stem` names the class of a file that declares none (Java 25)."""
    words = _WORD.findall(strip(text))
    types: list[str] = []
    public = ""
    mains: list[Main] = []
    for at, word, around in _walk(words):
        if word in _TYPES and not around:
            types.append(words[at + 1])
            if "public" in _before(words, at):
                public = public or words[at + 1]
        elif word == "main" and len(mains) < MOST_MAINS and _is_main(words, at):
            mains.append(_main(words, at, around or [stem], nested=len(around) > 1))
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
    return at + 1 < len(words) and words[at + 1].isidentifier()


def _before(words: Sequence[str], at: int) -> list[str]:
    """The words between the end of what stands before and `at`: modifiers and annotations."""
    start = at
    while start and at - start < MOST_WORDS and words[start - 1] not in (";", "{", "}"):
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


def _main(words: Sequence[str], at: int, around: Sequence[str], nested: bool) -> Main:
    modifiers = _before(words, at)
    in_interface = _kind(words, around[-1]) == "interface"
    old = "static" in modifiers and ("public" in modifiers or in_interface) and bool(_parameters(words, at + 1))
    return Main("$".join(around), nested, "public" in _before(words, _place(words, around[0])), old)


def _place(words: Sequence[str], name: str) -> int:
    """Where the type `name` is declared; 0 for a file's own class that is declared nowhere."""
    for at, word in enumerate(words[:-1]):
        if word in _TYPES and words[at + 1] == name and _declares(words, at):
            return at
    return 0


def _kind(words: Sequence[str], name: str) -> str:
    return words[_place(words, name)] if words else ""


def _package(words: Sequence[str]) -> str:
    """The package that the file says it belongs to; annotations may stand before it."""
    if "package" not in words:
        return ""
    at = words.index("package")
    if any(word in _TYPES or word == "import" for word in words[:at]):
        return ""
    return "".join(words[at + 1 : words.index(";", at) if ";" in words[at:] else at + 1])


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


_SCALA = re.compile(
    r"""\bobject\s+(?P<app>\w+)\s+extends\s+(?:\w+\s+with\s+)*App\b
      | @main\s+def\s+(?P<function>\w+)
      | \bobject\s+(?P<object>\w+)(?=[^{:]*[{:](?:(?!\bobject\b).)*?\bdef\s+main\s*\()""",
    re.DOTALL | re.VERBOSE,
)


def scala_mains(text: str) -> list[str]:
    """The names by which the Scala programs in `text` are started, packages included."""
    bare = strip(text)
    package = ".".join(re.findall(r"^\s*package\s+([\w.]+)\s*;?\s*$", bare, re.MULTILINE))
    names = [next(name for name in found.groups() if name) for found in _SCALA.finditer(bare)]
    return [f"{package}.{name}" if package else name for name in names]
