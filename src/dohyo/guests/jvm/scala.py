"""Scala: which object begins the program, and the build plan, with the libraries of the compiler's installation."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath

from dohyo.bots.build_plan import BuildPlan, Sources, make, stems_of
from dohyo.bots.content import listed, read_text
from dohyo.bots.stripped import strip
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.guests.jvm.java import DEEPEST, LONGEST_NAME, LONGEST_PACKAGE, MAX_MAINS, MAX_WORDS, PACKAGE, WORD
from dohyo.languages import Words

_PACKAGES = re.compile(r"^[ \t]*+package[ \t]++([\w.]++)[ \t]*+[;{]?+[ \t\r]*+$", re.MULTILINE)


def scala_mains(text: str) -> list[str]:
    """The names by which the Scala programs in `text` are started, packages included; at most `MAX_MAINS`."""
    bare = strip(text)
    package = ".".join(_PACKAGES.findall(bare))
    if len(package) > LONGEST_PACKAGE or not PACKAGE.fullmatch(package):
        package = ""
    words = WORD.findall(bare)
    names = (name for name in _scala_names(words) if name.isidentifier() and len(name) <= LONGEST_NAME)
    return [f"{package}.{name}" if package else name for name in islice(names, MAX_MAINS)]


def _scala_names(words: Sequence[str]) -> Iterator[str]:
    """The objects that extend App, those with a `main` of their own, and the functions that are marked as main.

    Only an object that lies in no class, object or method can be started; the braces of packages are none of these.
    """
    owner, inside = "", -1  # the object that was named last, and how many braces are open in its body
    depth = base = 0  # braces that are open, and those of packages
    for at, word in enumerate(words[:-1]):
        if word == "{":
            depth += 1
            base += _opens_package(words, at)
            inside = depth if owner and inside < 0 else inside
        elif word == "}":
            depth -= 1
            base = min(base, max(depth, 0))
            owner = "" if depth < inside else owner
        elif word in ("object", "class", "trait") and depth <= base:
            owner, inside = (words[at + 1] if word == "object" else ""), -1
            if owner and _extends_app(words, at + 2):
                yield owner
                owner = ""
        elif word == ":" and owner and inside < 0:  # of Scala 3, whose bodies need no braces
            inside = depth
        elif word == "def":
            if words[max(at - 2, 0) : at] == ["@", "main"]:
                yield words[at + 1]
            elif owner and depth == inside and words[at + 1 : at + 3] == ["main", "("]:
                yield owner
                owner = ""


def _opens_package(words: Sequence[str], at: int) -> bool:
    """Whether the brace at `at` is that of `package a.b {`."""
    start = at - 1
    while start >= 2 and words[start - 1] == "." and at - start < 2 * DEEPEST:
        start -= 2
    return start >= 1 and words[start - 1] == "package" and words[start] != "object"


def _extends_app(words: Sequence[str], at: int) -> bool:
    """Whether `extends App`, or `extends A with App`, stands there."""
    if words[at : at + 1] != ["extends"]:
        return False
    for place in range(at + 1, min(at + MAX_WORDS, len(words)), 2):
        if words[place] == "App":
            return True
        if words[place + 1 : place + 2] != ["with"]:
            return False
    return False


# scala-library.jar, scala-library-2.13.14.jar, scala3-library_3-3.4.2.jar, scala-xml_2.11-1.0.3.jar
LIBRARY = re.compile(r"(scala3?-(?:library|reflect|swing|xml|parser-combinators))(?:_[\d.]+)?(?:-[\d.]+)?\.jar")


def libraries(jars: Iterable[str]) -> Words:
    """Those of the jars in a compiler's installation that a program needs beside its own; maybe none.

    The compiler's own are left out.
    """
    found: dict[str, str] = {}
    for jar in jars:
        stem = LIBRARY.fullmatch(PurePosixPath(jar).name)
        if stem is not None:
            found[stem[1]] = jar
    return tuple(found.values()) if "scala-library" in found else ()


def scala_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for Scala sources; `alone` when one file was named, and an object in it is meant.

    Raises `OperatorError` when no object, or more than one, can be meant."""
    asked = (sources.main,) if alone else sources.compiled
    mains = [name for source in asked for name in scala_mains(read_text(sources.root / source))]
    if len(mains) > 1:
        stems = [stem.lower() for stem in (*stems_of(sources.language, sources.root), Path(sources.main).stem)]
        mains = [name for name in mains if name.rpartition(".")[2].lower() in stems] or mains
    if not mains:
        raise OperatorError("bot-no-main", bot=sources.spec, language=sources.language.name)
    if len(mains) > 1:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(mains))
    by_script, by_java = sources.language.ways
    jars = libraries(tools.installed(by_java)) if all(map(tools.find, by_java.tools)) else ()
    way = by_java if jars else by_script
    if not all(map(tools.find, way.tools)):
        wanted, install = " + ".join(way.tools), sources.language.install
        raise OperatorError(
            "bot-no-tools", bot=sources.spec, language=sources.language.name, tools=wanted, install=install
        )
    return make(sources, tools, more={"class": mains[0], "libraries": os.pathsep.join(jars)}, way=way)
