"""Tools on the machine, what a single source brings along, and that the room is light to enter."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from dohyo.bots import resolve, tools
from dohyo.bots.content import decode, printable
from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import all_languages, by_ending, by_name
from tests.bots.conftest import Resolve, Write, run
from tests.processes import marked

HEAVY = (
    *("numpy", "numba", "rich", "typer", "subprocess", "tomllib", "tempfile", "shutil", "difflib"),
    *("concurrent.futures", "asyncio", "importlib.metadata"),
)


def test_importing_is_cheap() -> None:
    """Entering the room loads nothing that only building needs."""
    code = f"import sys, dohyo.bots; print([name for name in {HEAVY!r} if name in sys.modules])"
    base = "import sys, msgspec, dohyo.core.errors; print(len(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    count = [
        int(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout)
        for text in (base, base.replace("dohyo.core.errors", "dohyo.core.errors, dohyo.bots"))
    ]
    assert count[1] - count[0] < 50


def test_survey(tmp_path: Path) -> None:
    """Every language of the table is listed, with its tool and version where it is here, and how to get it."""
    found = {language.language: language for language in Tools(tmp_path).survey()}
    assert list(found) == [language.name for language in all_languages()]
    assert found["python"].version.startswith("Python 3.")
    assert os.access(found["python"].tool, os.X_OK)
    assert found["shell"].tool
    assert all(language.install for language in found.values())
    assert all(not language.version for language in found.values() if not language.tool)


def test_a_tool_that_is_interrupted_ends_with_all_that_it_started(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while a tool is asked leaves nothing of it: a version manager's shim starts programs of its own."""
    shim = write({"shim": "#!/bin/sh\nsleep 1000 &\necho begun\nwait\n"}) / "shim"
    mark = uuid.uuid4().hex
    monkeypatch.setenv("DOHYO_TEST_MARK", mark)

    def interrupted(asked: subprocess.Popen[bytes], **_: object) -> None:
        assert asked.stdout is not None
        assert asked.stdout.readline() == b"begun\n"
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tools.ask((str(shim),))
    assert marked("DOHYO_TEST_MARK", mark) == []


def test_versions_are_remembered_until_the_tool_changes(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool is asked for its version once; a script, which may stand for another, each time."""
    folder = write({"bin/gcc": '#!/bin/sh\necho "gcc $VERSION"\n'})
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}/bin{os.pathsep}/usr/bin")
    way = by_name("c").ways[0]
    for version in ("1", "2"):
        monkeypatch.setenv("VERSION", version)
        assert Tools(tmp_path).version(way) == f"gcc {version}"
    (folder / "bin" / "gcc").unlink()
    (folder / "bin" / "gcc").symlink_to(sys.executable)  # a program: it says its own version
    asked = Tools(tmp_path).version(way)
    assert asked is not None
    assert asked.startswith("Python")
    note = next((tmp_path / "versions").iterdir())
    note.write_text("remembered")
    assert Tools(tmp_path).version(way) == "remembered"
    other = tmp_path / "other"
    other.touch()
    assert Tools(other).version(way) == asked, "a cache that cannot be written to is no obstacle"


def test_tools_are_asked_elsewhere(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler tells its version in a folder without hand-ins.

    Rustup and dotnet start what a file in the current folder names, and a Python looks for its modules there.
    """
    folder = write({"bin/gcc": "#!/bin/sh\npwd\n"})
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.chdir(tmp_path)
    assert Tools(tmp_path).version(by_name("c").ways[0]) == "/"


def test_a_warning_is_no_version(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a tool says before its version, of itself or of what it runs on, is left out."""
    folder = write({"bin/gcc": "#!/bin/sh\necho 'VM warning: an old option'\necho gcc 12\n"})
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}/bin{os.pathsep}/usr/bin")
    assert Tools(tmp_path).version(by_name("c").ways[0]) == "gcc 12"


def test_a_tool_that_fails_at_its_version(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .NET runtime without its SDK says so by failing, and the next way is taken."""
    folder = write({"bin/dotnet": "#!/bin/sh\nexit 1\n", "bin/mcs": "#!/bin/sh\n", "bin/mono": "#!/bin/sh\n"})
    monkeypatch.setenv("PATH", str(folder / "bin"))
    way = Tools(tmp_path).way(by_name("c#"))
    assert way is not None
    assert way.tools == ("mcs", "mono")
    (folder / "bin" / "dotnet").write_text("#!/bin/sh\necho 8.0.100\n")
    chosen = Tools(tmp_path).way(by_name("c#"))
    assert chosen is not None
    assert chosen.tools == ("dotnet",)


DOTNET = """#!/bin/sh
case $1 in
--version) echo 8.0.100 ;;
build) mkdir out && grep "$WANTED" "$2" && cp Program.cs "out/${2%.csproj}.dll" ;;
*) cat "$1" ;;
esac
"""


@pytest.mark.parametrize(
    ("files", "wanted", "made"),
    [
        ({}, "<TargetFramework>net8.0</TargetFramework>", "dohyo-bot.dll"),
        ({"Mine.csproj": "<Mine/>"}, "<Mine/>", "Mine.dll"),
    ],
)
def test_what_the_dotnet_sdk_is_asked(
    files: dict[str, str], wanted: str, made: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK gets the author's project, or one of ours for its version, and the bot is what it makes of it."""
    folder = write(
        {"tools/dotnet": DOTNET, "bot/Program.cs": "source", **{f"bot/{name}": files[name] for name in files}}
    )
    monkeypatch.setenv("PATH", f"{folder / 'tools'}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.setenv("WANTED", wanted)
    bot = resolve([str(folder / "bot")], cache=tmp_path / "cache")[0]
    assert run(bot) == "source"
    assert bot.command[1].endswith(f"/out/{made}")
    assert sorted(path.name for path in (folder / "bot").iterdir()) == sorted([*files, "Program.cs"])


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"bot.py": "import a.b, c as d\nfrom .e import (f,\n g)\nif 1:\n  import h\n# import i"},
            "a/b.py c.py e.py h.py",
        ),
        (
            {
                "bot.py": "from pkg import mod",
                "pkg/__init__.py": "",
                "pkg/mod.py": "from . import deep\nfrom ..top import x",
            },
            "pkg/__init__.py pkg/deep.py pkg/mod.py top.py",
        ),
        (
            {
                "bot.cpp": '#include <i.h>\n # include "a.h"\n//',
                "a.h": '#include "b/c.h"',
                "b/c.h": '#include "../a.h"',
            },
            "a.h b/c.h",
        ),
        (
            {
                "bot.js": "const a = require('./a'); require('e')",
                "a.js": "import b from \"./b.js\"; export * from './c/index.js'",
            },
            "a.js b.js c/index.js",
        ),
        ({"bot.ts": "import { a } from './a'; import './b.js'"}, "a.ts b.ts"),
        ({"bot.rs": 'mod a; pub mod b { } include_str!("e")', "a.rs": "pub(crate) mod h;"}, "a.rs a/h.rs e"),
        ({"bot.rb": "require_relative 'a'\nrequire 'e'"}, "a.rb"),
        ({"bot.php": "<?php require_once(__DIR__ . '/a.php');"}, "a.php"),
        ({"bot.lua": 'local a = require("a.b")'}, "a/b.lua"),
        ({"bot.hs": "import qualified A.B as B"}, "A/B.hs"),
        ({"bot.d": "import a.b, std.stdio;"}, "a/b.d"),
        ({"bot.nim": "import a"}, "a.nim"),
        ({"bot.zig": 'const a = @import("a.zig");'}, "a.zig"),
        ({"bot.pas": "uses a, c;"}, "a.pas c.pas"),
        ({"bot.ml": "let x = A.y"}, "a.ml"),
        ({"bot.f90": "use a"}, "a.f90"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_source_dependencies(files: dict[str, str], expected: str, write: Write) -> None:
    """What a source names, and what that names in turn, comes along; what it does not name stays."""
    name = next(iter(files))
    language = by_ending(name)
    assert language is not None
    there = {**dict.fromkeys(expected.split(), ""), "i.h": "", **{f"e{ending}": "" for ending in language.endings}}
    folder = write({**there, **files})
    found = source_dependencies(folder / name, language, Near())
    assert sorted(path.relative_to(folder).as_posix() for path in found) == sorted([*expected.split(), name])
    assert found[-1] == folder / name


def test_dependencies_come_before_who_needs_them(write: Write) -> None:
    """Compilers that read in order, as OCaml's does, get them in order."""
    folder = write(
        {"bot.ml": "let () = A.x + C.x", "a.ml": "let x = B.x", "b.ml": "let x = 1", "c.ml": "let x = B.x"}
    )
    assert [path.stem for path in source_dependencies(folder / "bot.ml", by_name("ocaml"), Near())] == [
        "b",
        "a",
        "c",
        "bot",
    ]


def test_decoding() -> None:
    """Text of any common encoding is read."""
    text = "日本 = é"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert decode(text.encode(encoding)) == text
    assert decode("日本".encode("cp932")) == "日本"
    assert decode(b"caf\xe9*") == "café*"


def test_printable() -> None:
    """What a terminal would obey or could not show never reaches it."""
    assert printable("a\x1b[31mb\n\udcffé本") == "a�b��é本"


def test_a_language_where_its_variable_says(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dart is built by the SDK that DART_SDK names, if the PATH has none, and a relative place counts for nothing."""
    sdk = tmp_path / "sdk" / "bin" / "dart"
    sdk.parent.mkdir(parents=True)
    sdk.write_text(
        """#!/bin/sh
[ "$1" = compile ] || { echo Dart SDK 3; exit; }
printf "#!/bin/sh\\necho seen\\n" > "$4"; chmod +x "$4"
"""
    )
    sdk.chmod(0o755)
    source = write({"bot.dart": "import 'words.dart'; void main() { print(seen); }", "words.dart": "var seen = 1;"})
    monkeypatch.setenv("DART_SDK", "sdk")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OperatorError, match=r"lacks dart; to get it: https://dart\.dev"):
        one(source / "bot.dart")
    monkeypatch.setenv("DART_SDK", str(tmp_path / "sdk"))
    bot = one(source / "bot.dart")
    assert (run(bot), bot.language, sorted(path.name for path in Path(bot.staged).iterdir())) == (
        "seen",
        "dart",
        ["bot.dart", "words.dart"],
    )
