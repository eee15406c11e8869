"""A language is one row: what is known of it stands in the table, and nothing else names it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dohyo
from dohyo import doors, languages
from dohyo.languages import Language, all_languages, brought, by_ending, by_name, flush_hint, with_memory
from dohyo.languages.crash_forms import CRASH_FORMS
from dohyo.languages.mentions import mentions_of
from dohyo.sandbox.environment import SANDBOX_VARIABLES, variables_for

SOURCES = Path(dohyo.__file__).parent
LANGUAGES = tuple(all_languages())
# Programs of bots are sources in a language themselves; languages are named in the table, and in guests that are one.
NOT_LOOKED_INTO = ("languages/", "games/", *{f"guests/{place.split('.')[2]}/" for place in brought.named().values()})
# Words that mean more than a language: an option, a key of bot.toml and a word of commands; a letter.
NO_LANGUAGE = {"python", "c", "d", "r"}
# Where a language or one of its tools is named beside the table, and why.
JUSTIFIED = {
    # What builds one language by rules that no row can hold.
    "bots/projects.py": {"sh"},  # a shell
    "bots/node.py": {"typescript", "tsc"},  # what package.json names may have to be made of it, by this tool
    "guests/profile/profilers.py": {"sh"},  # what stands between a profiler and the box is a line for the shell
    "sandbox/environment.py": {"ghc", "mono"},  # names in /etc: a script in any language may start these
    "cli/completion.py": {"bash"},  # the shell in which somebody types
    "guests/starters/command.py": {"sh"},  # the test of a bot's folder is a script of the shell
    "guests/site/edge/text_socket.py": {"scheme"},  # of an address, as ASGI has it
    "classics/__init__.py": {"go"},  # the game
    "guests/engines/uci_protocol.py": {"go"},  # what an engine is told
    "guests/engines/xboard_protocol.py": {"go"},  # the same
    # Our own machine code is linked by the C compiler that is here.
    "sim/ahead.py": {"cc", "gcc", "clang"},
}


def named_in(source: str) -> Iterator[str]:
    """The texts of a source, but for docstrings, that are a language's name or a tool's.

    Those that mean more than a language count where a language is asked for or compared with them.
    """
    names = {language.name for language in LANGUAGES}.union(*(language.programs for language in LANGUAGES))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names - NO_LANGUAGE:
            yield node.value
        asks = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("by_name")
        compares = isinstance(node, ast.Compare) and re.search(r"language(\.name)?\b(?!\.)", ast.unparse(node))
        if asks or compares:
            parts = (part for part in ast.walk(node) if isinstance(part, ast.Constant))
            yield from (part.value for part in parts if isinstance(part.value, str) and part.value in names)


def test_a_language_that_is_named_is_seen() -> None:
    """What the next test looks for is found, however it is written; what only looks alike is not."""
    assert [*named_in('x = "java"')] == ["java"]
    assert [*named_in('languages.by_name("c")')] == ["c"]
    assert [*named_in('if bot.language in ("c", "r"): pass')] == ["c", "r"]
    assert [*named_in('if language.name == "python": pass')] == ["python"]
    assert [*named_in('words = ("python", "-c"); if_ = language.builder == "python"')] == []


def test_nothing_outside_the_table_names_a_language() -> None:
    """Who wants to know something of a language asks its row; each exception is still one, and has a reason."""
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if not name.startswith(NOT_LOOKED_INTO) and (names := set(named_in(path.read_text()))):
            found[name] = names
    assert found == JUSTIFIED


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_row_is_whole(language: Language) -> None:
    """Each row says how its sources are recognised, built and started, and what is in it can be used."""
    assert all((language.name, language.endings, language.install, language.ways, language.mains))
    functions = (language.builder, language.main, language.beside, language.project.plan if language.project else "")
    assert all(callable(doors.load(named)) for named in functions if named)
    assert not language.project or language.project.plan
    assert all(by_ending(f"bot{ending}") is language for ending in language.endings)
    assert all(way.run for way in language.ways)
    assert all(way.tools or language.name == "python" for way in language.ways)
    assert not language.part_of or all(way.object for way in language.ways)
    assert re.fullmatch(language.stem, "main")
    if language.part_of:
        assert by_name(language.part_of).builder == language.builder
    for traceback in (CRASH_FORMS[form] if isinstance(form, str) else form for form in language.crash_forms):
        groups = set(re.compile(traceback.place).groupindex)
        assert {"file", "line"} <= groups <= {"file", "line", "function", "said"}
        assert {"said"} >= set(re.compile(traceback.says).groupindex)
        assert {"function"} >= set(re.compile(traceback.above).groupindex)
    for way in language.ways:
        assert all(way.tools and words[0] in way.tools for words in way.debug)
        assert bool(way.object) == bool(way.debug_object)
    if language.memory:
        assert language.interpreters, "nobody is told"
    for names in mentions_of(language.mentions):
        assert all(isinstance(name, str) for name in names('import a.b\nuse c;\n#include "d.h"\n'))


def test_what_contests_see_most_has_its_hints() -> None:
    """The languages that beginners hand in have their words for flushing, and interpreters know of memory."""
    seen_most = ("python", "c", "c++", "java", "javascript", "rust", "go", "c#")
    assert all(flush_hint(name) for name in seen_most)
    assert [flush_hint(name) for name in ("tcl", "unheard of")] == [None, None]
    mib = 1 << 20
    assert with_memory(("/usr/bin/java", "Bot"), 512 * mib) == (
        *("/usr/bin/java", "-XX:MaxRAM=512m", "-XX:MaxRAMPercentage=60"),
        "Bot",
    )
    assert with_memory(("node", "a.js"), 1000 * mib) == ("node", "--max-old-space-size=600", "a.js")
    assert with_memory(("sbcl",), 1000 * mib) == ("sbcl", "--dynamic-space-size", "600MB")
    assert with_memory(("/bot/bot",), mib) == ("/bot/bot",)


def test_homes_are_told_to_bots() -> None:
    """Every variable by which a row says where its language is installed is one that a bot in it is told."""
    assert set(languages.HOMES) <= SANDBOX_VARIABLES
    for row in brought.rows():
        told = variables_for([f"/somewhere/{row.ways[0].tools[0]}"])
        assert row.home is None or row.home.variable in told


def test_a_bot_is_told_of_no_other_guest_s_language() -> None:
    """What a guest's row says is for bots that use its programs; none of ours is looked up among guests."""
    assert variables_for(["/usr/bin/javac"]) == {"JAVA_HOME"}
    assert variables_for(["/usr/bin/python3.11", "/usr/bin/g++"]) == frozenset()
