"""Folders as people keep them: with tests, old copies, other programs and what builds have left beside the bot."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from dohyo.bots.aside import is_aside, is_left, old_copies
from dohyo.bots.content import read_folder
from dohyo.bots.projects import _programs, _undeveloped, _without_dev
from dohyo.core.errors import OperatorError
from tests import skips
from tests.bots.conftest import Resolve, Write, run

KEPT = {"README.md": "", ".gitignore": "", ".idea/x.xml": "", "Makefile": "all:", "build/main.o": ""}
CPP_TEST = '#include <gtest/gtest.h>\n#include "words.h"\nTEST(Words, Seen) { }\n'


def test_cpp_with_tests_and_old_copies(write: Write, one: Resolve) -> None:
    """Tests of any name that want a library for tests, old copies and CLion's folders are left out, and told."""
    skips.program("g++")
    files = {
        "src/main.cpp": '#include "words.h"\n#include <cstdio>\nint main() { puts(seen()); }',
        "src/words.cpp": '#include "words.h"\nconst char *seen() { return "seen"; }',
        "src/words.h": "const char *seen();",
        "src/words_old.cpp": '#include "words.h"\nconst char *seen() { return "old"; }',
        "src/board_test.cpp": CPP_TEST,
        "src/WordsCheck.cpp": CPP_TEST,
        "unit_tests/words.cpp": CPP_TEST,
        "WordsTest/x.cpp": CPP_TEST,
        "cmake-build-debug/CMakeFiles/3.9/CompilerIdCXX/id.cpp": "int main() { return 1; }",
    }
    bot = one(write({**KEPT, **files}))
    assert run(bot) == "seen"
    left = [
        "WordsTest/x.cpp",
        "src/WordsCheck.cpp",
        "src/board_test.cpp",
        "src/words_old.cpp",
        "unit_tests/words.cpp",
    ]
    assert list(bot.left_out) == left


def test_a_program_with_its_tests_in_itself(write: Write, one: Resolve) -> None:
    """What else would be nothing is not left out: a bot that has a library for tests beside it may use it."""
    skips.program("g++")
    files = {"main.cpp": '#include "doctest.h"\nint main() { puts("seen"); }', "doctest.h": "#include <cstdio>\n"}
    assert run(one(write(files))) == "seen"


def test_go_with_several_mains(write: Write, one: Resolve) -> None:
    """A second program in the folder, and a generator that is started by hand, are left out."""
    skips.program("go")
    main = 'package main\nimport "fmt"\nfunc main() {{ fmt.Println({}) }}\n'
    files = {
        "main.go": main.format("seen()"),
        "words.go": 'package main\nfunc seen() string { return "seen" }\n',
        "arena.go": main.format('"arena"'),
        "gen.go": "// +build ignore\n\n" + main.format('"gen"'),
    }
    bot = one(write(files))
    assert (run(bot), bot.left_out) == ("seen", ("arena.go", "gen.go"))


def test_a_go_module_with_its_program_below(write: Write, one: Resolve) -> None:
    """The one program of a module is built wherever it lies."""
    skips.program("go")
    files = {
        "go.mod": "module me/bot\n\ngo 1.18\n",
        "words/words.go": 'package words\nconst Seen = "seen"\n',
        "cmd/bot/main.go": 'package main\nimport ("fmt"; "me/bot/words")\nfunc main() { fmt.Println(words.Seen) }\n',
    }
    assert run(one(write(files))) == "seen"


def go_module(*folders: str) -> dict[str, str]:
    """The files of a module of Go with programs in these folders; each says its folder."""
    main = 'package main\nimport "fmt"\nfunc main() {{ fmt.Println("{}") }}\n'
    return {"go.mod": "module me/bot\n\ngo 1.18\n", **{f"{each}/x.go": main.format(each) for each in folders}}


def test_a_go_program_in_a_folder_of_the_usual_name(write: Write, one: Resolve) -> None:
    """Of several programs of a module the one in a folder that is called so is meant, whole name and all."""
    skips.program("go")
    assert run(one(write(go_module("cmd/main", "cmd/main.2", "cmd/arena")))) == "cmd/main"


def test_go_programs_of_which_none_is_meant(write: Write, one: Resolve) -> None:
    """Two folders of a usual name are refused, wherever they lie, and all programs of the module are told."""
    skips.program("go")
    with pytest.raises(OperatorError) as caught:
        one(write(go_module("main", "x/main", "arena")))
    assert caught.value.key == "bot-several-mains"
    assert caught.value.message.values["mains"] == "arena, main, x/main"


MANIFEST = """[package]
name = "bot"
version = "0.1.0"
edition = "2018"

[dev-dependencies]
criterion = { version = "0.2", features = [
  "x",
] }
[dev-dependencies.quickcheck]
version = "0.6"

[features]
fast = []
"""


def test_a_workspace_whose_tests_want_libraries(write: Write, one: Resolve) -> None:
    """The one program of a Rust workspace is built, without what only tests need."""
    skips.program("cargo")
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["bot", "lib"]\n',
        "bot/Cargo.toml": MANIFEST + '\n[dependencies]\nwords = { path = "../lib" }\n',
        "bot/src/main.rs": 'fn main() { println!("{}", words::SEEN); }',
        "lib/Cargo.toml": '[package]\nname = "words"\nversion = "0.1.0"\n',
        "lib/src/lib.rs": 'pub const SEEN: &str = "seen";',
    }
    assert run(one(write(files))) == "seen"


def vendored(write: Write) -> Path:
    """A package in Rust that brings a library along as `cargo vendor` lays it down: with the digests of its files."""
    library = {"Cargo.toml": MANIFEST.replace('"bot"', '"words"'), "src/lib.rs": 'pub const SEEN: &str = "seen";'}
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in library.items()}
    package = "0" * 64
    locked = f'source = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "{package}"\n'
    files = {
        "Cargo.toml": '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2018"\n[dependencies]\nwords = "0.1"\n',
        "Cargo.lock": 'version = 3\n[[package]]\nname = "bot"\nversion = "0.1.0"\ndependencies = ["words"]\n'
        f'[[package]]\nname = "words"\nversion = "0.1.0"\n{locked}',
        ".cargo/config.toml": '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "vendor"\n',
        "src/main.rs": 'fn main() { println!("{}", words::SEEN); }',
        "vendor/words/.cargo-checksum.json": json.dumps({"files": digests, "package": package}),
        **{f"vendor/words/{name}": text for name, text in library.items()},
    }
    return write(files)


def test_a_vendored_library_stays_as_it_is(write: Write, one: Resolve) -> None:
    """Cargo compares what it has laid down with its digests: nothing is cut out of a manifest there."""
    skips.program("cargo")
    assert run(one(vendored(write))) == "seen"


def test_manifests_that_nobody_can_read_stay_as_they_are(write: Write, one: Resolve) -> None:
    """A package beside the bot that is no part of it may have a manifest that is wrong."""
    skips.program("cargo")
    files = {
        "Cargo.toml": '[package]\nname = "bot"\nversion = "0.1.0"\n',
        "src/main.rs": 'fn main() { println!("seen"); }',
        "cases/Cargo.toml": "[dev-dependencies\n",
    }
    assert run(one(write(files))) == "seen"


def test_what_tests_need_is_cut_out_of_a_manifest(write: Write) -> None:
    """All else in the manifest stays as it was; one in which that cannot be told stays whole."""
    folder = write({"Cargo.toml": MANIFEST, "odd.toml": 'dev-dependencies = { x = "1" }\n[package]\nname = "b"\n'})
    cut = _without_dev(folder / "Cargo.toml", "b")
    assert cut is not None
    assert cut.decode() == MANIFEST[: MANIFEST.index("[dev")] + "[features]\nfast = []\n"
    assert _without_dev(folder / "odd.toml", "b") is None
    assert _undeveloped({"target": {"x": {"dev-dependencies": {}}}, "a": 1}) == {"a": 1}


def test_a_python_bot_in_a_folder_of_its_project(write: Write, one: Resolve) -> None:
    """A bot that lies one folder down, beside tests, notes and a set-up, is found there."""
    files = {
        "setup.py": "raise SystemExit(9)",
        "mybot/main.py": "import words\nprint(words.SEEN)",
        "mybot/words.py": "SEEN = 'seen'",
        "mybot/deep/tool.py": "",
        "tests/test_words.py": "import pytest",
    }
    assert run(one(write({**KEPT, **files}))) == "seen"


@pytest.mark.parametrize(
    ("names", "old"),
    [
        ({"Player.java": "", "Player_old.java": ""}, {"Player_old.java"}),
        ({"a/bot.cpp": "", "a/bot (1).cpp": "", "a/bot copy.cpp": "", "a/old-bot.cpp": ""}, None),
        ({"bot.cpp": "", "backup/bot.cpp": ""}, {"backup/bot.cpp"}),
        ({"bot.cpp": '#include "backup/bot.cpp"', "backup/bot.cpp": ""}, set()),
        ({"bot.cpp": '#include "bot_old.h"', "bot_old.cpp": ""}, set()),
        ({"threshold.cpp": "", "thresh.cpp": "", "board_copy.cpp": "", "board.cpp": "", "old/x.cpp": ""}, set()),
        ({"x/bot.cpp": "", "bot_old.cpp": ""}, set()),
    ],
)
def test_old_copies(names: dict[str, str], old: set[str] | None) -> None:
    """A file is an old copy by its name or its folder's, where the newer one is there too, and nothing names it."""
    assert old_copies(names) == (set(names) - {"a/bot.cpp"} if old is None else old)


def test_what_is_aside() -> None:
    """Names of tests, of what makes a bot, and of what builds leave; names that only look alike are the bot's."""
    aside = (
        "tests/a.c",
        "x/UnitTests/a.cs",
        "a.Tests/b.cs",
        "b.test.ts",
        "b.spec.js",
        "webpack.config.js",
        "setup.py",
    )
    own = ("contest/a.c", "latest/a.py", "Contests/a.cs", "attest.c", "config.js", "src/inspect.py", "tester.go")
    assert [is_aside(name) for name in (*aside, *own)] == [True] * len(aside) + [False] * len(own)
    left = (
        "node_modules/x/index.js",
        "web/node_modules/y.js",
        ".gradle/x.kt",
        "target/a.rs",
        "cmake-build-release/a.c",
    )
    kept = ("src/target/a.rs", "outer/a.c", "a.c")
    assert [is_left(name) for name in (*left, *kept)] == [True] * len(left) + [False] * len(kept)


def test_what_is_left_out_is_told(write: Write, one: Resolve) -> None:
    """Every source of the bot's language that is not built is named, and nothing else."""
    skips.program("g++")
    files = {"main.cpp": "int main() { }", "tests/t.cpp": "no", "notes.txt": "", "tools/x.py": ""}
    folder = write(files)
    assert one(folder).left_out == ("tests/t.cpp",)
    assert sorted(read_folder(folder, "b").files) == sorted(files)
    assert one(Path(folder) / "main.cpp").left_out == ()


def test_what_may_be_further_bots_is_told(write: Write, one: Resolve) -> None:
    """What looks like a bot of its own and is none of the program's is named.

    That is not what the program imports, by way of others too, nor what it starts by name, tests and old copies of
    it, a document, or a folder of modules.
    """
    own = {
        "main.py": "import state, os\nos.system('sh run.sh')\nprint(state.x)\n",
        "state.py": "from deeper import x\n",
        "deeper.py": "x = 1\n",
        "run.sh": "exit 0\n",
        "main_old.py": "print(0)\n",
        "test_main.py": "import main\n",
        "notes.txt": "anna\n",
        "tools/plot.py": "import anna\n",
    }
    assert one(write(own)).apart == ()
    hand_ins = {"anna.py": "print(1)\n", "ben.cpp": "int main() { }", "carl.zip": b"PK", "dora/main.py": "print(1)\n"}
    assert one(write({**own, **hand_ins})).apart == ("anna.py", "ben.cpp", "carl.zip", "dora")


def test_further_programs_in_a_compiled_language(write: Write, one: Resolve) -> None:
    """Of sources that are compiled together, those with a `main` of their own may be further bots."""
    skips.program("g++")
    main = "int f();\nint main() { return f(); }\n"
    folder = write({"main.cpp": main, "f.cpp": "int f() { return 0; }\n", "anna.cpp": "int main() { }\n"})
    assert one(folder).apart == ("anna.cpp",)


def test_further_bots_in_a_folder_in_a_folder(write: Write, one: Resolve) -> None:
    """They are called as they are in what was handed in."""
    assert one(write({"all/main.py": "print(1)\n", "all/anna.py": "print(1)\n"})).apart == ("all/anna.py",)


def test_no_program_of_a_package_is_an_option() -> None:
    """A program of Rust whose name begins as an option is none."""
    files = ["src/bin/--help.rs", "src/bin/-v/main.rs", "src/bin/b.rs"]
    assert _programs({"package": {"name": "a"}}, files) == ("a", ["b"])
