"""How a source of each language names other files: from its text to the relative paths that it may mean.

Every function here takes the text of a source and yields paths, with slashes, that are tried from the source's own
folder. The texts come from strangers: reading time is proportional to a text's size, and the length of a name is
limited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

DEEPEST = 50  # nested packages; a name with more of them is ignored
LONGEST = 1000  # characters of a name; longer ones are ignored

Mentions = Callable[[str], Iterable[str]]


def mentioned(pattern: str, *endings: str, dots: str = ".") -> Mentions:
    """Paths named by the first group of `pattern`, each with every ending; `dots` in a name become slashes."""

    def names(text: str) -> Iterator[str]:
        for found in re.finditer(pattern, text, re.MULTILINE):
            name = found[1].replace(dots, "/") if endings and dots else found[1]
            yield from (name + ending for ending in endings or ("",))

    return names


_IMPORT = r"^[ \t]*+import[ \t]++([\w., \t]+)"
_FROM = r"^[ \t]*+from[ \t]++(\.*+)([\w.]*+)[ \t]++import\b[ \t]*+(\([^)]*+|[^\n]*+)"


def python(text: str) -> Iterator[str]:
    """The modules and packages that a Python source imports."""
    for found in re.finditer(_IMPORT, text, re.MULTILINE):
        for name in found[1].split(","):
            yield from _modules((name.split() or [""])[0])
    for found in re.finditer(_FROM, text, re.MULTILINE):
        parts = parts_of(found[2])
        if len(found[1]) > DEEPEST or len(parts) >= DEEPEST or len(found[2]) > LONGEST:
            continue
        above = "../" * (len(found[1]) - 1)
        yield from (above + path for path in _modules(found[2]))
        start = "/".join((*parts, ""))
        for name in re.findall(r"\w+", found[3]):
            yield from (f"{above}{start}{name}.py", f"{above}{start}{name}/__init__.py")


def parts_of(name: str) -> list[str]:
    """The parts of a dotted name."""
    return [part for part in name.split(".") if part]


def _modules(name: str) -> Iterator[str]:
    """The files that `import a.b` may mean: those of `a`, then those of `a.b`."""
    parts = parts_of(name[:LONGEST])[:DEEPEST]
    for length in range(1, len(parts) + 1):
        path = "/".join(parts[:length])
        yield from (f"{path}.py", f"{path}/__init__.py")


_SCRIPT_ENDINGS = ("", ".js", ".cjs", ".mjs", ".json", "/index.js")
javascript = mentioned(r"""(?:\bfrom|\bimport|\brequire\s*\()\s*['"](\.[^'"\n]+)['"]""", *_SCRIPT_ENDINGS, dots="")


def typescript(text: str) -> Iterator[str]:
    """The modules that a TypeScript source imports; `./a.js` may mean `a.ts`."""
    for path in javascript(text):
        yield path
        yield path.removesuffix(".js") + ".ts"


def ocaml(text: str) -> Iterator[str]:
    """The modules that an OCaml source names: each is in a file of that name with a small first letter."""
    return (f"{name[0].lower()}{name[1:]}.ml" for name in re.findall(r"\b([A-Z]\w*)\b", text))


included = mentioned(r'^[ \t]*#[ \t]*(?:include|embed)[ \t]*"([^"\n]+)"')
# The names that a row may give in its column `mentions`.
MENTIONS: dict[str, Mentions] = {
    "python": python,
    "javascript": javascript,
    "typescript": typescript,
    "ocaml": ocaml,
    "included": included,
    "rust_modules": mentioned(r"^[ \t]*(?:pub(?:\([\w ]+\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", ".rs", "/mod.rs"),
    "rust_included": mentioned(r'\b(?:include|include_str|include_bytes)!\s*\(\s*"([^"\n]+)"'),
    "rust_paths": mentioned(r'#\[path\s*=\s*"([^"\n]+)"\]'),
    "fortran_modules": mentioned(r"(?i)^[ \t]*use[ \t]+(\w+)", ".f90", ".f95"),
    "fortran_included": mentioned(r"(?i)^[ \t]*include[ \t]+['\"]([^'\"\n]+)['\"]"),
    "ruby": mentioned(r"""\brequire_relative[ (]*['"]([^'"\n]+)['"]""", "", ".rb", dots=""),
    "php": mentioned(r"""\b(?:require|include)(?:_once)?\b[^;'"\n]{0,200}['"]/?([^'"\n]+)['"]"""),
    "lua": mentioned(r"""\brequire[ (]*['"]([\w.]+)['"]""", ".lua", "/init.lua"),
    "d": mentioned(r"\bimport\s+(?:\w+\s*=\s*)?([\w.]+)", ".d"),
    "dart": mentioned(r"""^[ \t]*(?:import|export|part)[ \t]+['"]([^'":\n]+\.dart)['"]"""),
    "nim": mentioned(r"^[ \t]*(?:import|include|from)[ \t]+([\w./]+)", ".nim", dots=""),
    "zig": mentioned(r'@(?:import|embedFile)\s*\(\s*"([^"\n]+)"'),
    "pascal": mentioned(r"(?i)(?:\buses\b|,)\s*(\w+)(?=\s*[,;])", ".pas", ".pp"),
}


def mentions_of(column: Iterable[str | Mentions]) -> tuple[Mentions, ...]:
    """What a row's column `mentions` means: functions, each of them or its name."""
    return tuple(MENTIONS[each] if isinstance(each, str) else each for each in column)
