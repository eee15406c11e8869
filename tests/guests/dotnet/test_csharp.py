"""C# as people hand it in: with the tests of its project, and what it was built to."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots.build_plan import Sources
from dohyo.bots.content import read_folder
from dohyo.bots.tools import Tools
from dohyo.guests.dotnet.csharp import csharp_plan
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
    sources = Sources("b", "b", language, folder, names[0], names, content.files, {}, folder)
    tools = Tools(tmp_path)
    tools._paths.update({"dotnet": str(tmp_path / "dotnet"), "mcs": None})
    placed = csharp_plan(sources, tools, alone=False).placed
    assert set(placed) == {"Program.cs", "Words.cs", "data.txt", "dohyo-bot.csproj"}


def test_a_source_beside_what_it_was_built_to(write: Write, one: Resolve) -> None:
    """A .cs beside its .exe is C#, and no second language."""
    skips.program("mcs")
    folder = write({f"bot/{file}": text for file, text in FILES.items()} | {"bot/Program.exe": b"MZ"})
    bot = one(folder / "bot")
    assert (run(bot), bot.language) == ("seen", "c#")
