"""Java and Scala: which class begins the program, and sources under the names that their compilers insist on."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from dohyo.bots.content import decode, listed, read_text
from dohyo.bots.java import JavaFile, best, read_java, scala_mains
from dohyo.bots.languages import by_name
from dohyo.bots.making import Sources, Values, inside, make, stems_of, usable_way
from dohyo.bots.recipe import Recipe
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError

# scala-library.jar, scala-library-2.13.14.jar, scala3-library_3-3.4.2.jar, scala-xml_2.11-1.0.3.jar
LIBRARY = re.compile(r"(scala3?-(?:library|reflect|swing|xml|parser-combinators))(?:_[\d.]+)?(?:-[\d.]+)?\.jar")
FIRST_WITH_SHORT_MAIN = 25  # the Java from which `void main()` alone begins a program


def java_recipe(sources: Sources, tools: Tools, *, alone: bool) -> Recipe:
    """The recipe for Java sources; `alone` when the operator named one file, and means a class in it.

    Every source is placed where its package and its public class say, whatever its author called it, in UTF-8
    without a mark, which javac insists on. Raises `OperatorError` when no class, or more than one, can be meant.
    """
    parsed = {name: read_java(read_text(sources.root / name), PurePosixPath(name).stem) for name in sources.compiled}
    if not alone:
        parsed = {name: java for name, java in parsed.items() if "junit" not in java.names}
    asked = {sources.main: parsed[sources.main]} if alone else parsed
    placed: dict[str, Path | bytes] = {}
    for name, java in parsed.items():
        target = _java_name(name, java)
        # Two of one name are two files still: javac then says what is wrong with that.
        while target in placed:
            target = f"again/{target}"
        placed[target] = decode(sources.files[name].read_bytes()).encode()
    jars = [inside(path, sources.home) for name, path in sources.files.items() if name.endswith(".jar")]
    more: Values = {
        "class": _java_class(sources, asked, tools, alone=alone),
        "sources": tuple(placed),
        "libraries": os.pathsep.join([inside(sources.root, sources.home), *jars]),
    }
    return make(sources, tools, more=more, placed=placed)


def _java_name(name: str, java: JavaFile) -> str:
    stem = java.public or PurePosixPath(name).stem
    folders = java.package.split(".") if java.package else []
    return "/".join([*folders, f"{stem}.java"])


def _java_class(sources: Sources, asked: Mapping[str, JavaFile], tools: Tools, *, alone: bool) -> str:
    """The class to start."""
    mains = [main for java in asked.values() for main in java.mains]
    if not _starts_short_mains(tools, sources.spec):
        mains = [main for main in mains if main.old_style]
    own = [PurePosixPath(sources.main).stem] if alone else []
    if alone:  # one file has one public class; in a folder, every class may be public
        mains = [main for main in mains if main.public] or mains
    kept = best(mains, [*own, *stems_of(sources.language, sources.folder)])
    if not kept:
        raise OperatorError("bot-java-no-main", bot=sources.spec)
    # In one file, the first class with a main is the one that `java File.java` would start.
    if len(kept) > 1 and not alone:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(main.name for main in kept))
    return kept[0].name


def _starts_short_mains(tools: Tools, spec: str) -> bool:
    version = tools.version(usable_way(by_name("java"), tools, spec)) or ""
    number = re.search(r"\d+", version)
    return number is not None and int(number[0]) >= FIRST_WITH_SHORT_MAIN


def scala_recipe(sources: Sources, tools: Tools, *, alone: bool) -> Recipe:
    """The recipe for Scala sources; `alone` when one file was named, and an object in it is meant.

    Raises `OperatorError` when no object, or more than one, can be meant."""
    asked = (sources.main,) if alone else sources.compiled
    mains = [name for source in asked for name in scala_mains(read_text(sources.root / source))]
    if len(mains) > 1:
        stems = [stem.lower() for stem in (*stems_of(sources.language, sources.folder), Path(sources.main).stem)]
        mains = [name for name in mains if name.rpartition(".")[2].lower() in stems] or mains
    if not mains:
        raise OperatorError("bot-no-main", bot=sources.spec, language="scala")
    if len(mains) > 1:
        raise OperatorError("bot-several-mains", bot=sources.spec, mains=listed(mains))
    by_script, by_java = sources.language.ways
    jars = tools.scala_libraries if tools.find("java") else ()
    way = by_java if jars and tools.find("scalac") else by_script
    if not all(map(tools.find, way.tools)):
        wanted, install = " + ".join(way.tools), sources.language.install
        raise OperatorError("bot-no-tools", bot=sources.spec, language="scala", tools=wanted, install=install)
    return make(sources, tools, more={"class": mains[0], "libraries": os.pathsep.join(jars)}, way=way)


def scala_libraries(scalac: str) -> tuple[str, ...]:
    """The jars that a program in Scala needs beside its own, of the installation of this compiler; maybe none.

    Scala 2 and 3 keep them in `lib`, Scala 3 from 3.5 on in `maven2`. The compiler's own are left out.
    """
    prefix = Path(os.path.realpath(scalac)).parent.parent
    found: dict[str, str] = {}
    for jar in sorted([*prefix.glob("lib/*.jar"), *prefix.glob("maven2/org/scala-lang/*/*/*.jar")]):
        stem = LIBRARY.fullmatch(jar.name)
        if stem is not None:
            found[stem[1]] = str(jar)
    return tuple(found.values()) if "scala-library" in found else ()
