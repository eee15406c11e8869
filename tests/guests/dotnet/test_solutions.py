"""Solutions in C#: which project of them is the bot, and what of a folder is built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dohyo.core.errors import BuildError, OperatorError
from tests import skips
from tests.bots.conftest import Resolve, Write, run

PROGRAM = "class P { static void Main() { System.Console.WriteLine(Lib.Words.Said); } }"
INFO = '[assembly: System.Reflection.AssemblyTitle("x")]\n'
OLD = """<Project ToolsVersion="15.0" xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><PropertyGroup>
<OutputType>{}</OutputType></PropertyGroup><ItemGroup>{}</ItemGroup></Project>"""
SOLUTION = {
    "Bot.sln": "",
    "Bot/Bot.csproj": OLD.format(
        "Exe",
        '<Compile Include="Program.cs" /><Compile Include="Properties\\AssemblyInfo.cs" />'
        '<ProjectReference Include="..\\Lib\\Lib.csproj" />',
    ),
    "Bot/Program.cs": PROGRAM,
    "Bot/Program_v1.cs": PROGRAM,
    "Bot/Properties/AssemblyInfo.cs": INFO,
    "Lib/Lib.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>',
    "Lib/Words.cs": 'namespace Lib { public static class Words { public const string Said = "seen"; } }',
    "Lib/Properties/AssemblyInfo.cs": INFO,
    "Checks/Checks.csproj": OLD.format("Exe", '<Compile Include="C.cs" /><PackageReference Include="NUnit" />'),
    "Checks/C.cs": "class C { [NUnit.Framework.Test] public void T() { } static void Main() { } }",
    "Referee/Referee.csproj": OLD.format("Library", '<Compile Include="R.cs" />'),
    "Referee/R.cs": "this is no C#",
    "obj/Debug/x.cs": "no",
}


def test_a_solution_with_a_library_and_tests(write: Write, one: Resolve) -> None:
    """Of a solution, the project that makes the program is built, with what it refers to; tests are not."""
    skips.program("mcs")
    bot = one(write(SOLUTION))
    assert run(bot) == "seen"
    assert {"Bot/Program_v1.cs", "Checks/C.cs", "Referee/R.cs"} <= set(bot.left_out)


def test_several_programs_in_a_solution(write: Write, one: Resolve) -> None:
    """Where two projects make a program and no name tells which is the bot, both are named."""
    skips.program("mcs")
    files = {
        f"{name}/{part}": text
        for name in ("Left", "Right")
        for part, text in ((f"{name}.csproj", OLD.format("Exe", '<Compile Include="P.cs" />')), ("P.cs", PROGRAM))
    }
    with pytest.raises(OperatorError, match=r"\(Left/Left.csproj, Right/Right.csproj\)"):
        one(write(files))


def test_csharp_with_several_mains(write: Write, one: Resolve) -> None:
    """Without projects, the Main in the file with a usual name counts."""
    skips.program("mcs")
    main = 'class {} {{ static void Main() {{ System.Console.WriteLine("{}"); }} }}'
    folder = write({"Program.cs": main.format("P", "seen"), "Arena.cs": main.format("A", "arena")})
    bot = one(folder)
    assert (run(bot), bot.left_out) == ("seen", ("Arena.cs",))


def test_no_name_is_an_option_of_a_tool(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project whose name begins as an option is named by its path."""
    tool = tmp_path / "tools" / "dotnet"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\n[ "$1" = build ] || { echo 8.0.100; exit; }\necho "builds $2"; exit 1\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    project = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>'
    with pytest.raises(BuildError) as failed:
        one(write({"-getItem.csproj": project, "P.cs": "class P { static void Main() { } }"}))
    assert "builds ./-getItem.csproj" in failed.value.log


def test_sources_in_folders_below_are_compiled_too(write: Write, one: Resolve) -> None:
    """All sources of a folder without a project are one program, and nothing is written there."""
    skips.program("mcs")
    files = {
        "Program.cs": "class P { static void Main() { System.Console.WriteLine(Words.Seen); } }",
        "sub/Words.cs": 'static class Words { public const string Seen = "seen hello"; }',
    }
    folder = write(files)
    bot = one(folder)
    assert (run(bot), bot.language, bot.name) == ("seen hello", "c#", folder.name)
    left = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert left == sorted(files)
