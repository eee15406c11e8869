"""Folders of sources: which of them make the bot, and what comes along."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from dohyo.bots import Bot
from dohyo.bots.content import digest_of, read_folder
from dohyo.core.errors import BuildError, OperatorError
from dohyo.system import disk
from tests import skips
from tests.bots.conftest import Resolve, Write, run
from tests.bots.programs import PROGRAMS

PYTHON = PROGRAMS["python"][1]
CPP = PROGRAMS["c++"][1]
SEEN = '#include <cstdio>\nvoid f() { puts("seen hello"); }'


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": PYTHON, "other.py": "", "test_main.py": "import pytest"},
        {"__main__.py": PYTHON, "other.py": ""},
        {
            "__init__.py": "",
            "__main__.py": "from . import words\nprint(words.SEEN, input())",
            "words.py": "SEEN = 'seen'",
        },
        {"whatever.py": PYTHON, "README.md": "", "setup.py": "raise SystemExit(9)"},
        {"brain.py": "", "hunter.py": f"if __name__ == '__main__':\n    {PYTHON}"},
        {"brain.py": "", "Handed-In.py": PYTHON},
        {"run.sh": "exit 9", "notes.py": PYTHON},
        {"main.py": PYTHON, "tools.rb": "", "prepare.js": ""},
        {"src/main.py": PYTHON, "weights.txt": "", "LICENSE": ""},
        {"unpacked/again/bot.py": PYTHON, "README.txt": "", "__MACOSX/._bot.py": "x", ".DS_Store": "x"},
        {"my_test.py": PYTHON},
        {"bot.py": PYTHON, "venv/pyvenv.cfg": "", "venv/lib/main.py": "", "__pycache__/main.py": ""},
    ],
    ids=" ".join,
)
def test_python(files: dict[str, str], write: Write, one: Resolve) -> None:
    """The main file is found among others, and finds what belongs to it; nothing is written into the folder."""
    folder = write(files)
    assert run(one(folder)) == "seen hello"
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == sorted(files)


def test_modules_leave_nothing_behind(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python compiles of a bot's modules does not land beside them."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    folder = write({"main.py": "import words\nprint(words.SEEN, input())", "words.py": "SEEN = 'seen'"})
    for spec in (folder, folder / "main.py"):
        assert run(one(spec)) == "seen hello"
    assert sorted(os.listdir(folder)) == ["main.py", "words.py"]


def test_files_in_a_bots_folder_are_found(write: Write, one: Resolve) -> None:
    """A bot that is handed in as a folder runs in a copy of it, and finds its data there."""
    skips.program("cc")
    opens = '#include <stdio.h>\nint main() { char s[9]; fgets(s, 9, fopen("data.txt", "r")); puts(s); return 0; }'
    reads = "print(open('data.txt').read())"
    folder = write({"c/bot.c": opens, "py/bot.py": reads, "c/data.txt": "here", "py/data.txt": "here"})
    assert [run(one(folder / name)) for name in ("c", "py")] == ["here", "here"]


# A package whose program tsc has to make, with settings as TypeScript writes them.
TSC = {
    "tsconfig.json": '{"compilerOptions": {"outDir": "dist", "rootDir": "src", "module": "nodenext"}} // as usual',
    "src/bot.ts": "import { seen } from './see.js';\nconsole.log(seen);",
    "src/see.ts": "export const seen: string = 'seen hello';",
    "src/bot.test.ts": "import { test } from 'node:test'",
}


@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("javascript", {"index.js": "require('./x')", "x.js": PROGRAMS["javascript"][1]}),
        ("javascript", {"package.json": '{"main": "lib/start"}', "lib/start.js": PROGRAMS["javascript"][1]}),
        ("javascript", {"package.json": '{"main": "./"}', "index.js": PROGRAMS["javascript"][1], "x.js": ""}),
        (
            "javascript",
            {"package.json": '{"type": "module"}', "main.js": "import './x.js'", "x.js": PROGRAMS["javascript"][1]},
        ),
        *[
            ("javascript", {"package.json": package, f"{folder}/bot.js": PROGRAMS["javascript"][1], "other.js": ""})
            for folder, package in {
                "dist": '{"main": "dist/bot.js"}',
                "build": '{"main": "index.js", "bin": {"bot": "./build/bot.js"}}',
                "out": '{"main": "index.js", "scripts": {"start": "npm run x && node --no-warnings out/bot"}}',
            }.items()
        ],
        ("typescript", {**TSC, "package.json": '{"main": "dist/bot.js", "dependencies": {"left-pad": "1"}}'}),
        ("typescript", {**TSC, "package.json": '{"type": "module", "scripts": {"start": "tsc && node dist/bot"}}'}),
        ("typescript", {"tsconfig.json": "{}", "index.ts": PROGRAMS["typescript"][1]}),
        (
            "go",
            {
                "a.go": 'package main\nimport "fmt"\nfunc main() { fmt.Println(seen()) }',
                "b.go": 'package main\nfunc seen() string { return "seen hello" }',
                "b_test.go": "package main\nthis is no Go",
            },
        ),
        (
            "go",
            {
                "go.mod": "module me/bot\n\ngo 1.18\n",
                "main.go": 'package main\nimport ("fmt"; "me/bot/words")\nfunc main() { fmt.Println(words.Seen) }',
                "words/words.go": 'package words\nconst Seen = "seen hello"',
            },
        ),
        (
            "rust",
            {
                "main.rs": 'mod words; fn main() { println!("{}", words::SEEN); }',
                "words.rs": 'pub mod deep; pub const SEEN: &str = "seen hello";',
                "words/deep.rs": "",
            },
        ),
        (
            "c++",
            {
                "src/main.cpp": '#include "words.hpp"\n#include <iostream>\nint main() { std::cout << seen(); }',
                "src/words.cpp": '#include "words.hpp"\nconst char *seen() { return "seen hello"; }',
                "include/words.hpp": "const char *seen();",
                "tests/main.cpp": "int main() { }",
                "data.txt": "",
            },
        ),
        (
            "c++",
            {
                "bot.cpp": '#include <iostream>\nextern "C" char *seen(void);\nint main() { std::cout << seen(); }',
                "old.c": 'char *seen(void) { int class = 0; return class ? "" : "seen hello"; }',
            },
        ),
        (
            "c++",
            {
                "all.cpp": '#include "part.cpp"\nint main() { std::cout << seen; }',
                "part.cpp": '#include <iostream>\nconst char *seen = "seen hello";',
            },
        ),
        ("c++", {"wrapped/bot.cc": CPP, "wrapped/bot.h": ""}),
        ("c++", {"main.cpp": "#include <cstdio>\nvoid f(); int main() { f(); }", "-x.cpp": SEEN, "@y.cc": ""}),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_compiled_and_linked_together(language: str, files: dict[str, str], write: Write, one: Resolve) -> None:
    """All that belongs to the program is compiled together, what tests it is not, and nothing is written there."""
    needed = {"javascript": "node", "go": "go", "rust": "rustc", "c++": "g++"}
    needed |= {"typescript": "tsc"}
    skips.program(needed[language])
    if "old.c" in files:
        skips.program("cc")
    folder = write(files)
    bot = one(folder)
    assert run(bot) == "seen hello"
    assert (bot.language, bot.name) == (language, folder.name)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == sorted(
        files
    )


def test_sources_behind_headers(write: Write, one: Resolve) -> None:
    """One source is enough to name: what implements its headers is linked with it, what is a program is not."""
    skips.program("g++")
    files = {
        "my bot.cpp": '#include "board.h"\n#include "util.hpp"\n#include <cstdio>\nint main() { puts(seen()); }',
        "board.h": "const char *seen();",
        "board.cpp": '#include "board.h"\n#include "deep/words.h"\nconst char *seen() { return words(); }',
        "deep/words.h": "const char *words();",
        "deep/words.cc": '#include "words.h"\nconst char *words() { return "seen hello"; }',
        "util.hpp": "",
        "util.cpp": "int main() { return 9; }",
        "stray.cpp": "this is no C++",
    }
    folder = write(files)
    bot = one(folder / "my bot.cpp")
    assert run(bot) == "seen hello"
    write({"deep/words.cc": '#include "words.h"\nconst char *words() { return "seen more"; }'})
    assert run(one(folder / "my bot.cpp")) == "seen more"
    assert one(folder / "my bot.cpp").digest != bot.digest


@pytest.mark.parametrize(
    ("files", "program"),
    [
        ({"src/main.rs": 'fn main() { println!("seen hello"); }'}, ""),
        ({"src/bin/bot.rs": 'fn main() { println!("seen hello"); }', "src/lib.rs": ""}, ""),
        (
            {"go.rs": 'fn main() { println!("seen hello"); }', "src/bin/other.rs": "fn main() { }"},
            '[[bin]]\nname = "mine"\npath = "go.rs"\n',
        ),
    ],
)
def test_cargo(files: dict[str, str], program: str, write: Write, one: Resolve) -> None:
    """A Cargo package is built in the cache, without a network; without Cargo, a sentence says what to install."""
    package = '[package]\nname = "the-bot"\nversion = "0.1.0"\nedition = "2021"\n'
    default = 'default-run = "mine"\n' if program else ""
    folder = write({**files, "Cargo.toml": package + default + program})
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        with pytest.raises(OperatorError, match="to get it: apt install"):
            one(folder)
        return
    assert run(one(folder)) == "seen hello"
    assert run(one(folder)) == "seen hello"
    assert not (folder / "target").exists()
    assert not (folder / "Cargo.lock").exists()


def test_a_compiled_program_in_a_folder(write: Write, one: Resolve) -> None:
    """A folder with nothing but a program that was compiled elsewhere is that program."""
    skips.program("cc")
    built = one(write({"x/bot.c": PROGRAMS["c"][1]}) / "x/bot.c")
    folder = write({"handed/README": "start my-bot", "handed/my-bot": Path(built.command[0]).read_bytes()}) / "handed"
    (folder / "my-bot").chmod(0o755)
    bot = one(folder)
    assert run(bot) == "seen hello"
    assert (bot.name, bot.language) == ("handed", "")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"empty/.git/config": ""}, "is empty; put the bot's sources into it"),
        ({"README": "hello", "Makefile": "all:"}, "no source of a known language; write a bot.toml"),
        ({"alice.py": PYTHON, "bob.py": PYTHON}, r"several files could be the program \(alice.py, bob.py\)"),
        ({"alice.cpp": CPP, "bob.cpp": CPP}, r"several files could be the program \(alice.cpp, bob.cpp\)"),
        ({"alice.rs": "", "bob.rs": ""}, r"\(alice.rs, bob.rs\); name one of them, call it main"),
        (
            {"alice.py": PYTHON, "bob.cpp": CPP},
            r"several languages \(python, c\+\+\)|several languages \(c\+\+, python\)",
        ),
        ({"package.json": '{"main": "gone.js"}', "a.js": ""}, "package.json of .* names 'gone.js'"),
        (  # no program can be given such a name
            {"package.json": '{"main": "x\\u0000y/a.js"}', "tsconfig.json": "{}", "src/a.ts": ""},
            "package.json of .* names 'x.*y/a.js'",
        ),
        (
            {
                "package.json": '{"main": "dist/a.js", "dependencies": {"left-pad": "1", "unused": "1"}}',
                "tsconfig.json": "{}",
                "src/a.ts": "import pad from 'left-pad'",
            },
            "needs what is not there: left-pad; a build loads no packages",
        ),
        ({"package.json": "{", "a.js": ""}, "package.json of .* cannot be read"),
        ({"Cargo.toml": "[workspace]"}, r"has no \[package\]|lacks cargo"),
        ({"Cargo.toml": "x = \n"}, r"Cargo.toml of .* cannot be read: .*line 1|lacks cargo"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_what_cannot_be_told(files: dict[str, str], said: str, write: Write, one: Resolve) -> None:
    """Where it cannot be told what the bot is, one sentence says why, and what to do."""
    folder = write(files)
    with pytest.raises(OperatorError, match=said):
        one(folder / "empty" if "empty/.git/config" in files else folder)


def test_links_inside_are_kept_and_links_outside_refused(write: Write, one: Resolve) -> None:
    """A link within the folder works in the build too; one that leaves it is named and refused."""
    skips.program("g++")
    folder = write(
        {
            "bot.cpp": '#include "link.h"\nint main() { puts(SEEN); }',
            "real/x.h": '#include <cstdio>\n#define SEEN "seen hello"',
        }
    )
    (folder / "link.h").symlink_to(folder / "real" / "x.h")
    assert run(one(folder)) == "seen hello"
    (folder / "passwords").symlink_to("/etc/passwd")
    with pytest.raises(OperatorError, match=r"The link 'passwords' .* leads out of it, to '/etc/passwd'"):
        one(folder)


def test_no_plain_file(write: Write, one: Resolve) -> None:
    """A pipe in a folder, or in a bot's place, is refused, and nobody waits for what it will say."""
    folder = write({"bot.py": PYTHON})
    os.mkfifo(folder / "pipe")
    for spec in (folder, folder / "pipe"):
        with pytest.raises(OperatorError, match="neither a file nor a folder"):
            one(spec)


def test_folders_too_large_for_a_bot(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that can be no bot's, the home folder say, is refused before it is read through."""
    folder = write({f"{number}.txt": "some" for number in range(9)})
    monkeypatch.setattr("dohyo.system.hand_in_limits.MAX_ENTRIES", 8)
    with pytest.raises(OperatorError, match="holds more than 8 files"):
        one(folder)
    monkeypatch.undo()
    monkeypatch.setattr("dohyo.system.hand_in_limits.MAX_BYTES", 35)
    with pytest.raises(OperatorError, match="name the bot's own folder"):
        one(folder)


def test_a_nest_that_no_path_can_tell(write: Write, one: Resolve) -> None:
    """Folders within folders without end are the author's mistake, told in one sentence like any other."""
    folder = write({"bot.toml": "", "bot.py": PYTHON})
    inner = os.open(folder, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("n" * 200, dir_fd=inner)
        outer, inner = inner, os.open("n" * 200, os.O_RDONLY, dir_fd=inner)
        os.close(outer)
    os.close(inner)
    with pytest.raises(OperatorError, match="lies too deep: more than 64 folders") as told:
        one(folder)
    assert "hand in the folder of the bot alone" in str(told.value)
    assert len(str(told.value)) < 400
    assert "..." in str(told.value)
    disk.remove(folder)


def test_unreadable_files(write: Write) -> None:
    """What may not be read is named."""
    folder = write({"bot.py": PYTHON, "deep/x.txt": ""})
    refused = folder / "deep"
    original = os.scandir

    def scandir(place: int) -> object:
        if os.path.samestat(os.fstat(place), refused.stat()):
            raise PermissionError
        return original(place)

    with pytest.MonkeyPatch.context() as patch:  # root may read everything, so the system does not refuse here
        patch.setattr(os, "scandir", scandir)
        with pytest.raises(OperatorError, match="deep' cannot be read; give yourself the right"):
            read_folder(folder, "bot")


def digest(bot: Bot) -> str:
    """The digest of a bot."""
    return bot.digest


def test_digest_is_of_the_content(write: Write, one: Resolve) -> None:
    """The digest tells contents apart and nothing else: not the time, not the place, not the permissions."""
    files = {"main.py": "import sub.words\nprint()", "sub/words.py": "", "data.bin": b"\0\xff"}
    folder = write(files)
    before = digest(one(folder))
    elsewhere = folder.parent / "elsewhere"
    shutil.copytree(folder, elsewhere)
    os.utime(elsewhere / "main.py", (1, 1))
    (elsewhere / "data.bin").chmod(0o700)
    of_ours = (
        "m.replay",
        "evening/0001-lost-seat0.replay.zst",
        "evening/comparison.db",
        "comparison.db.files/ab/c",
        "tune.db",
    )
    of_tools = ("__pycache__/x.pyc", ".git/config", "env/pyvenv.cfg", "env/lib/x.py", "__MACOSX/x", "._main.py")
    for name in of_tools + of_ours:
        (elsewhere / name).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / name).write_bytes(b"x")
    assert digest(one(elsewhere)) == before
    (elsewhere / "data.bin").write_bytes(b"\0\xfe")
    assert digest(one(elsewhere)) != before
    assert digest(one(folder / "main.py")) != digest(one(folder))


def test_digest_of_one_file_is_over_what_it_imports(write: Write, one: Resolve) -> None:
    """A module beside a bot belongs to it; a module that it never names does not."""
    folder = write({"bot.py": "from words import *", "words.py": "", "other.py": ""})
    before = digest(one(folder / "bot.py"))
    write({"other.py": "x = 1"})
    assert digest(one(folder / "bot.py")) == before
    write({"words.py": "x = 1"})
    assert digest(one(folder / "bot.py")) != before


def test_digest_cannot_be_shuffled() -> None:
    """Two contents whose names and bytes only meet at other places have two digests."""
    contents: list[dict[str, Path | bytes]] = [
        {"ab": b"c"},
        {"a": b"bc"},
        {"a": b"", "b": b"c"},
        {"a": b"c", "b": b""},
    ]
    digests = {digest_of(content) for content in contents} | {digest_of({}, {"ab": "c"})}
    assert len(digests) == 5


def test_names_that_are_no_text(write: Write, one: Resolve) -> None:
    """A file whose name is no UTF-8 is part of a bot like any other, and can be said in a sentence."""
    if sys.platform == "darwin":
        return  # its file system takes text alone
    skips.program("g++")
    folder = write({"bot.cpp": CPP})
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_bytes(b"x")
    assert run(one(folder)) == "seen hello"


def test_what_a_compiler_says_about_a_folder(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler's words reach the author, in terms of the folder."""
    skips.program("g++")
    monkeypatch.setenv("LC_ALL", "C")  # for plain quotes
    folder = write({"main.cpp": "int f(); int main() { return f(); }", "sub/g.cpp": "int f() { return x; }"})
    with pytest.raises(BuildError, match="does not build") as caught:
        one(folder)
    assert "sub/g.cpp:1:18: error: 'x' was not declared" in caught.value.log


@pytest.mark.parametrize(
    ("name", "told"),
    [("伊藤.cpp", "伊藤.cpp"), ("my-2nd.bot.c", "my-2nd.bot.c"), ("my bot.cpp", "main.cpp"), ("@x.c", "main.c")],
)
def test_what_a_compiler_says_about_a_file(write: Write, one: Resolve, name: str, told: str) -> None:
    """It calls the file as its author does, unless that is a name with which compilers or reports go wrong."""
    skips.program("g++")
    folder = write({name: "int main() { return x; }"})
    with pytest.raises(BuildError, match="does not build") as caught:
        one(folder / name)
    assert f"\n{told}:1:21: error: " in f"\n{caught.value.log}"
    (folder / name).write_text('#include <stdio.h>\nint main() { puts("seen"); }')
    assert run(one(folder / name)) == "seen"
