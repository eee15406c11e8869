"""Kotlin: where a program begins, when several sources of a folder have a `main`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import msgspec

from dohyo.bots.build_plan import BuildPlan, Sources, make, meant, stems_of, usable_way
from dohyo.bots.content import read_text
from dohyo.bots.stripped import strip
from dohyo.bots.tools import Tools
from dohyo.guests.jvm.java import LONGEST_NAME, LONGEST_PACKAGE, WORD

_PACKAGE = re.compile(r"^[ \t]*+package[ \t]++([\w.]++)", re.MULTILINE)
_JVM_NAME = re.compile(r"^@file:[ \t]*+JvmName[ \t]*+\([ \t]*+\"(\w{1,200})\"", re.MULTILINE)
MAX_MAINS = 50
BEFORE = 8  # words before a function that may be its annotations and modifiers


def kotlin_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for Kotlin: all sources together; of several with a `main`, the one with a usual name.

    Raises `OperatorError` where it cannot be told which is meant.
    """
    if len(sources.compiled) < 2:
        return make(sources, tools)
    mains = [name for source in sources.compiled for name in kotlin_mains(read_text(sources.root / source), source)]
    if len(mains) < 2:
        return make(sources, tools)
    usual = stems_of(sources.language, sources.root)
    main = meant(mains, usual, sources.spec, lambda name: name.rpartition(".")[2].removesuffix("Kt"))
    way = usable_way(sources.language, tools, sources.spec)
    *words, _, jar = way.run  # java ... -jar JAR, which would begin where the archive says
    named = msgspec.structs.replace(way, run=(*words, "-cp", jar, "{class}"))
    return make(sources, tools, more={"class": main}, way=named)


def kotlin_mains(text: str, name: str) -> list[str]:
    """The classes by which the programs in the source `name` are started, as the JVM calls them."""
    bare = strip(text)
    package = _PACKAGE.search(bare)
    before = f"{package[1]}." if package is not None and len(package[1]) <= LONGEST_PACKAGE else ""
    said = _JVM_NAME.search(text)
    stem = PurePosixPath(name).stem
    own = said[1] if said is not None else re.sub(r"\W", "_", f"{stem[:1].upper()}{stem[1:]}Kt")
    found = [before + (one or own) for one in _owners(WORD.findall(bare))]
    return list(dict.fromkeys(found))[:MAX_MAINS]


def _owners(words: Sequence[str]) -> Iterator[str]:
    """The object of each `fun main(`; empty for one that is in none."""
    around: list[str | None] = []  # the types and objects around; None for any other braces
    coming: str | None = None
    parentheses = 0
    for at, word in enumerate(words):
        if word in "()":
            parentheses += 1 if word == "(" else -1
        elif word == "{":
            around.append(None if parentheses else coming)
            coming = coming if parentheses else None
        elif word == "}":
            if around:
                around.pop()
        elif word in ("class", "object", "interface"):
            name = words[at + 1] if at + 1 < len(words) else ""
            coming = name if name.isidentifier() and len(name) <= LONGEST_NAME else ""
        elif word == "fun":
            coming = None
            if list(words[at + 1 : at + 3]) == ["main", "("]:
                if not around:
                    yield ""
                elif None not in around and "JvmStatic" in words[max(at - BEFORE, 0) : at]:
                    yield "$".join(part for part in around if part)
