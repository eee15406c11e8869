"""C# and Scala as people hand them in: with the tests of their project, what it was built to, and packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots.build_plan import Sources
from dohyo.bots.content import read_folder
from dohyo.bots.csharp import csharp_plan
from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.tools import Tools
from dohyo.languages import by_name
from tests import skips
from tests.bots.conftest import Resolve, Write, run

BOT = "class P { static void Main() { System.Console.WriteLine(Words.Said); } }"
FILES = {"Program.cs": BOT, "Words.cs": 'static class Words { public const string Said = "seen"; }'}
TEST = "using NUnit.Framework;\n[TestFixture] class T { }\n"


@pytest.mark.parametrize(
    "name",
    ["Tests/T.cs", "Bot.UnitTests/T.cs", "BotTests/T.cs", "Words_Should.cs", "WordsCheck.cs", "obj/Debug/I.cs"],
)
def test_tests_of_csharp_are_not_compiled(write: Write, one: Resolve, name: str) -> None:
    """Tests in a folder, in the root, or known by what they use alone, and what a build left, are left aside."""
    skips.program("mcs")
    content = TEST if name == "WordsCheck.cs" else "using Missing; class T { }\n"
    folder = write({f"bot/{file}": text for file, text in FILES.items()} | {f"bot/{name}": content})
    assert run(one(folder / "bot")) == "seen"


def test_tests_are_not_given_to_the_dotnet_sdk(write: Write, tmp_path: Path) -> None:
    """The SDK compiles whatever lies below: tests and their projects are not placed there."""
    for tool in ("dotnet",):
        (tmp_path / tool).write_text("#!/bin/sh\necho 8.0.100\n")
        (tmp_path / tool).chmod(0o755)
    folder = write({**FILES, "B.Tests/T.cs": TEST, "B.Tests/B.Tests.csproj": "<x/>", "data.txt": "1"})
    content = read_folder(folder, "b")
    names = tuple(name for name in content.files if name.endswith(".cs"))
    language = by_name("c#")
    sources = Sources("b", "b", language, folder, names[0], names, content.files, {}, folder, folder)
    tools = Tools(tmp_path)
    tools._paths.update({"dotnet": str(tmp_path / "dotnet"), "mcs": None})
    assert set(csharp_plan(sources, tools).placed) == {"Program.cs", "Words.cs", "data.txt", "dohyo-bot.csproj"}


def test_a_source_beside_what_it_was_built_to(write: Write, one: Resolve) -> None:
    """A .cs beside its .exe is C#, and no second language."""
    skips.program("mcs")
    folder = write({f"bot/{file}": text for file, text in FILES.items()} | {"bot/Program.exe": b"MZ"})
    bot = one(folder / "bot")
    assert (run(bot), bot.language) == ("seen", "c#")


MAIN = "package game\nimport util.deep.{Words, More}\nobject Main extends App { println(Words.said + Beside.said) }\n"


def test_scala_follows_its_packages(write: Write) -> None:
    """A lone Scala source brings what it imports from other packages, and what lies beside it, and theirs in turn."""
    folder = write(
        {
            "Main.scala": MAIN,
            "Beside.scala": "package game\nobject Beside { def said = 1 }",
            "util/deep/Words.scala": "package util.deep\nimport other.Thing\nobject Words { val said = Thing.x }",
            "other/Thing.scala": "package other\nobject Thing { val x = 1 }",
            "unused/No.scala": "package unused\nobject No",
        }
    )
    found = [
        path.relative_to(folder).as_posix()
        for path in source_dependencies(folder / "Main.scala", by_name("scala"), Near())
    ]
    assert sorted(found) == ["Beside.scala", "Main.scala", "other/Thing.scala", "util/deep/Words.scala"]


def test_scala_in_packages_runs(write: Write, one: Resolve) -> None:
    """All of them are compiled, and the object of the named file is started by java itself, without a script."""
    if not Tools(Path("/nowhere")).scala_libraries:
        skips.skip_for(skips.Reason.COMPILER, "no scalac with its libraries")
    folder = write(
        {
            "Main.scala": "import util.Words\nobject Main extends App { println(Words.said) }\n",
            "util/Words.scala": 'package util\nobject Words extends App { def said = "seen" }\n',
        }
    )
    bot = one(folder / "Main.scala")
    assert (Path(bot.command[0]).name, run(bot)) == ("java", "seen")
