"""Every language of the table: a program in it is built, started, and answers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import all_languages, by_ending, by_name
from tests import skips
from tests.bots.conftest import Resolve, Write, run
from tests.bots.programs import PROGRAMS

LANGUAGES = tuple(all_languages())
# Languages whose tools CI installs, by the program that a test asks for.
EXPECTED = {
    "c": "cc",
    "c++": "g++",
    "java": "javac",
    "javascript": "node",
    "rust": "rustc",
    "go": "go",
    "c#": "mcs",
}
ALWAYS = ("python", "shell")
OTHERS = sorted(PROGRAMS.keys() - EXPECTED.keys() - set(ALWAYS))


@pytest.mark.parametrize("name", ALWAYS)
def test_interpreters_that_are_always_there(name: str, write: Write, one: Resolve) -> None:
    """A program in a language that every machine has answers."""
    file, source = PROGRAMS[name]
    bot = one(write({file: source}) / file)
    assert run(bot) == "seen hello"
    assert bot.language == name


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_languages_that_contests_see_most(name: str, write: Write, one: Resolve) -> None:
    """A program in one file builds and answers; it works in the folder of its copy, and has its file's name."""
    skips.program(EXPECTED[name])
    file, source = PROGRAMS[name]
    folder = write({file: source})
    bot = one(folder / file)
    assert run(bot) == "seen hello"
    assert (bot.name, bot.language, bot.folder, bot.lifetime) == ("bot", name, bot.staged, "match")
    assert [path.name for path in folder.iterdir()] == [file], "something was written beside the source"


@pytest.mark.parametrize("name", OTHERS)
def test_further_languages(name: str, write: Write, one: Resolve, cache: Path, full: bool) -> None:
    """A program in any further language answers where the language's tools are, and else says what to install.

    Every run builds them in the sandbox, as strangers' programs are: `tests/sandbox/test_languages.py`. Here, without
    one, they are built with `--full`.
    """
    file, source = PROGRAMS[name]
    path = write({file: source}) / file
    if Tools(cache).way(by_name(name)) is not None:
        assert not full or run(one(path)) == "seen hello"
        return
    with pytest.raises(OperatorError, match=r"this machine lacks .+; to get it: ") as caught:
        one(path)
    assert by_name(name).install in str(caught.value)


def test_every_language_has_a_program_here() -> None:
    """No row of the table goes untried, but for programs that are handed in compiled."""
    assert {language.name for language in LANGUAGES} - PROGRAMS.keys() == {"java archive", ".net"}


def test_no_ending_means_two_languages() -> None:
    """An ending belongs to one language, and finds it again."""
    endings = [ending for language in LANGUAGES for ending in language.endings]
    assert len(endings) == len(set(endings))
    assert all(by_ending(f"x{ending}") is language for language in LANGUAGES for ending in language.endings)


def test_case_of_an_ending() -> None:
    """Endings in capitals mean the same, except for `.C`, which has always been C++."""
    assert [by_ending(name) for name in ("A.PY", "a.Java")] == [by_name("python"), by_name("java")]
    assert [by_ending(name) for name in ("a.C", "a.c")] == [by_name("c++"), by_name("c")]
    assert [by_ending(name) for name in (".py", "py", "a.xyz", "a.")] == [None] * 4


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("old.cpp", '#include <cstdio>\nint main() { register int x = 7; return printf("seen %d\\n", x) < 0; }\n'),
        (
            "newer.cpp",
            "#include <cstdio>\n#include <utility>\nenum class E { a };\n"
            'int main() { std::puts(std::to_underlying(E::a) == 0 ? "seen 7" : ""); }\n',
        ),
        (
            "named.cpp",
            "#include <cstdio>\n#include <iterator>\nusing namespace std;\nint data[3], size = 7;\n"
            'int main() { data[0] = size; return printf("seen %d\\n", data[0]) < 0; }\n',
        ),
    ],
)
def test_cpp_of_any_age(file: str, source: str, write: Write, one: Resolve) -> None:
    """C++ that only an older or only a newer standard takes builds all the same."""
    skips.program("g++")
    assert run(one(write({file: source}) / file)) == "seen 7"


def test_c_without_declarations(write: Write, one: Resolve) -> None:
    """C as it was written before 1999 builds."""
    skips.program("cc")
    assert run(one(write({"old.c": 'main() { printf("seen 7\\n"); return 0; }\n'}) / "old.c")) == "seen 7"


def test_javascript_of_contest_sites(write: Write, one: Resolve) -> None:
    """readline() gives the lines in order and null at the end, print() and printErr() write where they should."""
    skips.program("node")
    source = "print(readline(), readline(), JSON.stringify(readline()), readline()); printErr('aside');\n"
    assert run(one(write({"bot.js": source}) / "bot.js"), "a\r\nb\n\xe9") == 'a b "\xe9" null'


def test_javascript_that_reads_by_itself(write: Write, one: Resolve) -> None:
    """A bot that uses Node's own readline module, and names of its own, is not disturbed."""
    skips.program("node")
    source = (
        "const readline = require('readline'); const print = x => console.log('seen ' + x);\n"
        "readline.createInterface({ input: process.stdin }).on('line', print);\n"
    )
    assert run(one(write({"bot.js": source}) / "bot.js")) == "seen hello"
    modern = (
        "import { createInterface } from 'node:readline';\n"
        "for await (const line of createInterface({ input: process.stdin })) console.log('seen ' + line);\n"
    )
    assert run(one(write({"bot.mjs": modern}) / "bot.mjs")) == "seen hello"


def test_modules_in_a_plain_javascript_file(write: Write, one: Resolve) -> None:
    """Modern JavaScript in a file that ends in .js runs with a Node that can tell."""
    node = skips.program("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    source = "import fs from 'node:fs';\nconsole.log('seen ' + fs.readFileSync(0, 'utf8'));\n"
    bot = one(write({"bot.js": source}) / "bot.js")
    if tuple(int(part) for part in version[1:].split(".")[:2]) >= (20, 10):
        assert run(bot) == "seen hello"


def test_programs_compiled_elsewhere(write: Write, one: Resolve) -> None:
    """A Java archive and a .NET program run on any machine, and so does ours."""
    javac = skips.program("javac")
    skips.program("mcs")
    folder = write({"A.java": PROGRAMS["java"][1], "a.cs": PROGRAMS["c#"][1]})
    classes = Path(one(folder / "A.java").command[-2].partition(os.pathsep)[0])
    jar = Path(javac).resolve().parent / "jar"
    subprocess.run([jar, "cfe", folder / "bot.jar", "Anything", "-C", classes, "."], check=True)
    assert run(one(folder / "bot.jar")) == "seen hello"
    made = one(folder / "a.cs").command[-1]
    if made.endswith(".exe"):  # with the .NET SDK it is none
        shutil.copy(made, folder / "bot.exe")
        assert run(one(folder / "bot.exe")) == "seen hello"


def test_odd_names_of_files(write: Write, one: Resolve, full: bool) -> None:
    """Blanks, dashes, dots, brackets and letters of any script in a file's name do not matter."""
    skips.program("g++")
    _, source = PROGRAMS["c++"]
    names = ["-O3.cpp", "a.b {ボット}'s $(exit).CPP", "@x.cc"]
    if full:
        names += ["my bot.cpp", "a.b.c.cpp", "{main}.cpp", "ボット.cpp", "it's.cpp", "$(exit).CPP"]
    folder = write(dict.fromkeys(names, source))
    assert [run(one(folder / name)) for name in names] == ["seen hello"] * len(names)


def test_source_in_utf_16(write: Write, one: Resolve) -> None:
    """A source that a Windows editor saved as Unicode builds."""
    skips.program("g++")
    assert run(one(write({"bot.cpp": PROGRAMS["c++"][1].encode("utf-16")}) / "bot.cpp")) == "seen hello"
