"""Sources and manifests as strangers write them: each reader answers with a value or one sentence, in linear time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.bots import programs, projects, python_sources, source_dependencies
from dohyo.bots.content import LOOKED_INTO, Content, decode, read_text
from dohyo.bots.manifests import read_toml
from dohyo.bots.node import node_plan
from dohyo.bots.stripped import strip
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.guests.jvm import java, scala
from dohyo.languages import all_languages, by_ending, by_manifest, by_name
from dohyo.languages.mentions import mentions_of
from tests.fuzz.effort import examples, is_full
from tests.fuzz.linear import MOST, growth

LARGEST = 1 << (17 if is_full() else 15)  # characters

Reader = Callable[[str], object]

MENTIONING = tuple(language.name for language in all_languages() if language.mentions)


def drained(names: Iterable[str]) -> list[str]:
    """What a generator of names yields."""
    return list(names)


def _language(language: str) -> Reader:
    return lambda text: [drained(names(text)) for names in mentions_of(by_name(language).mentions)]


TEXT_READERS: dict[str, Reader] = {
    "strip": strip,
    "read_java": lambda text: java.read_java(text, "Main"),
    "scala_mains": scala.scala_mains,
    "c_main": lambda text: source_dependencies.C_MAIN.search(strip(text)),
    "relative_import": python_sources.RELATIVE_IMPORT.search,
    "python_main": re.compile(by_name("python").main_line, re.MULTILINE).search,
    **{language: _language(language) for language in MENTIONING},
}


def in_file(read: Callable[[Path], object], folder: Path, name: str) -> Callable[[bytes], None]:
    """A reader of a file's path as one of its bytes; the operator's sentence is one of its answers."""

    def read_bytes(content: bytes) -> None:
        path = folder / name
        path.write_bytes(content)
        with suppress(OperatorError), warnings.catch_warnings():
            warnings.simplefilter("error")
            read(path)

    return read_bytes


def content_of(path: Path) -> Content:
    """A folder that holds nothing else."""
    return Content(path.parent, {path.name: path}, {}, path.parent)


def _brought_along(language: str) -> Callable[[Path, Tools], object]:
    return lambda path, tools: source_dependencies.source_dependencies(
        path, by_name(language), source_dependencies.Near()
    )


def _node(path: Path, tools: Tools) -> object:
    return node_plan("bot", "bot", content_of(path), tools, by_manifest(path.name))


FILE_READERS: dict[str, tuple[str, Callable[[Path, Tools], object]]] = {
    "toml": ("bot.toml", lambda path, tools: read_toml(path, "bot")),
    "cargo": ("Cargo.toml", lambda path, tools: projects._cargo_program("bot", content_of(path), by_name("rust"))),
    "node": ("package.json", _node),
    "python2": ("bot.py", lambda path, tools: python_sources.objection(path)),
    **{language: (f"main.{language}", _brought_along(language)) for language in ("java", *MENTIONING)},
    "c-partners": (
        "main.h",
        lambda path, tools: source_dependencies.partners([path], by_name("c++"), source_dependencies.Near()),
    ),
    "c-included": ("main.c", lambda path, tools: source_dependencies.included([path])),
    "text": ("main", lambda path, tools: read_text(path)),
}

# What sources are made of, as far as some reader minds it.
SIGNS = "\n \t\f\v\\\"'`#*+(){}[]<>;:,.=!@-/$Aa0\0\x85é日\u0663\ufeff\u2028"
WORDS = [
    *("class", "interface", "record", "public", "static", "private", "void", "main", "main(", "String[]", "package"),
    *(
        "object",
        "extends",
        "with",
        "App",
        "def",
        "@main",
        "import",
        "from",
        "#include",
        "#embed",
        "mod",
        "pub",
        "pub(",
    ),
    *("require(", "require", "require_relative", "include_once", "qualified", "uses", "use", "noexcept", "->", "int"),
    *("try", "if", "__name__", "__main__", "b.c", "[package]", "name", "[[bin]]", "default-run", '"main"', "null"),
    *("true", "1e999", "{}", "[]", "object a", "import static a", "bin = 5\n"),
]
JOINED = [
    '"""',
    "'''",
    '\\"',
    "/*",
    "*/",
    "//",
    "..",
    "../",
    "...",
    "==",
    "\r\n",
    "a.",
    "9" * 50,
    '#include "',
    '#[path = "',
]
TOKENS = [*SIGNS, *(f"{word} " for word in WORDS), *JOINED, "main(", 'include_str!("']
PIECES = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=4).map("".join)
TEXTS = st.one_of(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join), st.text(max_size=200))
BYTES = st.one_of(
    TEXTS.map(lambda text: text.encode("utf-8", "replace")),
    TEXTS.map(lambda text: text.encode("utf-16", "replace")),
    st.binary(max_size=300),
    st.tuples(st.sampled_from(["[", "{", "(", '{"a":', "a.", "-", "[[", "9", "f'{"]), st.integers(1, 30_000)).map(
        lambda pair: (pair[0] * pair[1]).encode()
    ),
)


@pytest.mark.parametrize("reader", TEXT_READERS)
@examples(25, 3000)
@given(text=TEXTS)
def test_any_text_is_a_source(reader: str, text: str) -> None:
    """Whatever stands in a source, what it declares and names is read without an exception."""
    TEXT_READERS[reader](text)


@pytest.mark.parametrize("reader", FILE_READERS)
def test_any_bytes_are_a_file(reader: str, tmp_path: Path) -> None:
    """Whatever bytes a source or a manifest has, its reader gives a value or the operator's sentence."""
    name, read = FILE_READERS[reader]
    tools = Tools(tmp_path, None)
    attempt = in_file(lambda path: read(path, tools), tmp_path, name)
    examples(25, 2000)(given(BYTES)(attempt))()


# What some reader once took more than its share of time for: what stands first, and what is repeated.
SLOW: dict[str, tuple[str, str, str]] = {
    "escaped quotes": ("strip", "", '\\"'),
    "escaped apostrophes": ("strip", "", "\\'"),
    "escaped text blocks": ("strip", '"""', '\\"""'),
    "quotes in lines": ("strip", "", '"\\\n'),
    "objects without an end": ("scala_mains", "", "object a "),
    "objects with a body": ("scala_mains", "", "object a {"),
    "blank lines in Scala": ("scala_mains", "", "\n"),
    "a package and blanks": ("scala_mains", "package a", " "),
    "mixins": ("scala_mains", "object a extends ", "b with "),
    "blank lines in __main__.py": ("relative_import", "", "\n"),
    "blanks behind an if": ("python_main", "", "if "),
    "dots": ("python", "from ", "."),
    "a name with many dots": ("python", "from a import (", "a.b,"),
    "names from far above": ("python", "from " + "." * 3000 + "a import ", "a,"),
    "a long package": ("python", f"from {'a.' * 1000}a import ", "a,"),
    "parts of a name": ("python", "import a", ".a"),
    "commas of Pascal": ("pascal", "uses a", " "),
    "PHP without quotes": ("php", "", "require "),
    "main of C": ("c_main", "main(", " "),
    "mains of C": ("c_main", "", "main()noexcept "),
    "types within types": ("read_java", "", "class A {"),
    "mains of Java": ("read_java", "class A { ", "void main() {}"),
    "a package of Java": ("read_java", "package a", ".a"),
}


@pytest.mark.parametrize("what", SLOW)
def test_what_was_slow(what: str) -> None:
    """What once took time by the square of its size takes time in proportion to it."""
    reader, start, piece = SLOW[what]
    assert growth(TEXT_READERS[reader], lambda count: start + piece * (count // len(piece)), LARGEST * 2) < MOST


def deep(start: str, end: str = "", count: int = 30_000) -> bytes:
    """A value within a value, and so on."""
    return (start * count + end * count).encode()


# A reader's name, and bytes for which it once raised what is no sentence.
BROKEN: dict[str, tuple[str, bytes]] = {
    "lists within lists": ("toml", b"a = " + deep("[")),
    "tables within tables": ("toml", b"a = " + deep("{a = ")),
    "a number of 5000 digits": ("toml", b"a = " + deep("9", count=5000)),
    "a manifest that is too long": ("toml", b"#" * (1 << 20) + b"\n"),
    "nested package.json": ("node", deep("[")),
    "nested package.json with an end": ("node", deep('{"a":', "}")),
    "no list of programs": ("cargo", b"bin = 5\n[package]\nname = 'a'\n"),
    "a program without a name": ("cargo", b"[package]\nname = 'b'\n[[bin]]\nname = 0x" + deep("f", count=9000)),
    "a default that is a list": ("cargo", b"[package]\nname = 'b'\ndefault-run = [1]\n"),
    "a package with NUL": ("cargo", b'[package]\nname = "a\\u0000b"\n'),
    "an include of a path too long": ("c", b'#include "' + deep("a/", count=3000) + b'.h"'),
    "an include of a name too long": ("c", b'#include "' + deep("a", count=300) + b'.h"'),
    "an import of a name too long": ("java", b"import " + deep("a", count=300) + b"; class A {}"),
    "a mention of a name too long": ("ocaml", deep("A", count=300)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_was_broken(what: str, tmp_path: Path) -> None:
    """What once ended in a traceback is read, or refused with a sentence."""
    reader, content = BROKEN[what]
    name, read = FILE_READERS[reader]
    in_file(lambda path: read(path, Tools(tmp_path, None)), tmp_path, name)(content)


def test_a_package_is_no_path() -> None:
    """Where a Java source is placed is a path below the build's folder, whatever its package is called."""
    for package in (".etc.cron", "../../x", "a/../../b", "..a", "a..b", "@file", "-XX:Foo", "a." * 60 + "a"):
        parsed = java.read_java(f"package {package}; class A {{ public static void main(String[] a) {{ }} }}", "A")
        assert (parsed.package, [main.name for main in parsed.mains]) == ("", ["A"])
    assert java.read_java("package a.b_1.$c; class A { }", "A").package == "a.b_1.$c"
    assert scala.scala_mains("package ..a\nobject A extends App") == ["A"]


def test_a_source_that_includes_itself_is_compiled(tmp_path: Path) -> None:
    """Among sources that include themselves, or each other, some are left that are compiled."""
    first, second, third = (tmp_path / name for name in ("a.c", "b.c", "c.c"))
    first.write_text('#include "a.c"\n#include "c.c"\n')
    second.write_text('#include "b.c"\n')
    third.write_text("")
    assert source_dependencies.included([first, second, third]) == {third}
    third.write_text('#include "a.c"\n')
    assert source_dependencies.included([first, third]) == set()


def test_a_large_source_is_looked_into_at_its_beginning(tmp_path: Path) -> None:
    """A source of many megabytes (a table of weights) is text as it begins, cut where a line ends."""
    source = tmp_path / "weights.h"
    source.write_text('#include "é.h"\n' + "日本,\n" * (1 << 20), encoding="utf-8")
    text = read_text(source)
    assert text.startswith('#include "é.h"\n日本,\n')
    assert text.endswith("日本,\n")
    assert len(text.encode()) <= LOOKED_INTO < source.stat().st_size


def test_weights_of_many_parts_are_no_manifest(tmp_path: Path) -> None:
    """Dots in texts and comments of a TOML file part no key; more than fifty that do are refused with a sentence."""
    path = tmp_path / "bot.toml"
    dots = "a." * 100 + "a"
    texts = [f'"{dots}"', f"'{dots}'", f'"""\n{dots}""""', f"'''{dots}'''", f"'' # {dots}"]
    path.write_text("\n".join(f"a{number} = {text}" for number, text in enumerate(texts)))
    assert list(read_toml(path, "bot")) == ["a0", "a1", "a2", "a3", "a4"]
    for line in (f"{dots} = 1", f"[{dots}]", f"a = {{ {dots} = 1 }}", f'a = ["\\"", {{ "a" . \'b\'.{dots} = 1 }}]'):
        path.write_text(line)
        with pytest.raises(OperatorError, match="more than 50 parts"):
            read_toml(path, "bot")


@examples(25, 3000)
@given(name=TEXTS, start=BYTES)
def test_names_and_first_lines(name: str, start: bytes) -> None:
    """Whatever a file is called and begins with, its language, and its interpreter, is told or refused."""
    by_ending(name)
    with suppress(OperatorError):
        programs._reader(b"#!" + start[:254], "bot", Tools(Path("/")))


@examples(25, 3000)
@given(content=BYTES)
def test_any_bytes_are_text(content: bytes) -> None:
    """Whatever its bytes are, a source is text, and text that can be written again."""
    decode(content).encode()


SLOW_FILES: dict[str, tuple[str, str, str, str]] = {
    "imports of Java": ("java", "import a", ".a", ";"),
    "a dotted key": ("toml", "a", ".a", " = 1\n"),
    "lines of a dotted table": ("toml", "[a" + ".a" * 2000 + "]\n", "a = 1\n", ""),
    "includes of itself": ("c", "", '#include "main.c"\n', ""),
    "includes of others": ("c", "", '#include "other.c"\n', ""),
}


@pytest.mark.parametrize("what", SLOW_FILES)
def test_what_was_slow_in_a_file(what: str, tmp_path: Path) -> None:
    """What once took time by the square of its size takes time in proportion to it, a file's reading included."""
    reader, start, piece, end = SLOW_FILES[what]
    name, read = FILE_READERS[reader]
    attempt = in_file(lambda path: read(path, Tools(tmp_path, None)), tmp_path, name)
    made = lambda count: (start + piece * count + end).encode()  # noqa: E731
    assert growth(attempt, made, LARGEST) < MOST


@pytest.mark.parametrize("reader", TEXT_READERS)
@examples(3, 300)
@given(start=PIECES, piece=PIECES, end=PIECES)
def test_reading_takes_time_in_proportion(reader: str, start: str, piece: str, end: str) -> None:
    """No piece of a source, however often it is repeated, makes a reader slower than in proportion."""
    assert growth(TEXT_READERS[reader], lambda count: start + piece * (count // len(piece)) + end, LARGEST) < MOST
