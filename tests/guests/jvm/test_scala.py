"""Scala as people hand it in: in packages, and with the libraries of whichever compiler is here."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.tools import Tools
from dohyo.guests.jvm.scala import libraries
from dohyo.languages import by_name
from tests import skips
from tests.bots.conftest import Resolve, Write, run

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
    if not libraries(Tools(Path("/nowhere")).installed(by_name("scala").ways[1])):
        skips.skip_for(skips.Reason.COMPILER, "no scalac with its libraries")
    folder = write(
        {
            "Main.scala": "import util.Words\nobject Main extends App { println(Words.said) }\n",
            "util/Words.scala": 'package util\nobject Words extends App { def said = "seen" }\n',
        }
    )
    bot = one(folder / "Main.scala")
    assert (Path(bot.command[0]).name, run(bot)) == ("java", "seen")


@pytest.mark.parametrize(
    "jars",
    [
        ("lib/scala-library.jar", "lib/scala-reflect.jar"),
        ("lib/scala-library-2.13.10.jar", "lib/scala3-library_3-3.3.1.jar"),
        (
            "maven2/org/scala-lang/scala-library/2.13.14/scala-library-2.13.14.jar",
            "maven2/org/scala-lang/scala3-library_3/3.5.0/scala3-library_3-3.5.0.jar",
        ),
    ],
)
def test_scala_s_libraries_are_found(jars: tuple[str, str], tmp_path: Path) -> None:
    """Of Scala 2 and 3, wherever they keep them; not the compiler's; none where the first of them is missing."""
    names = ("bin/scalac", *jars, "lib/scala-compiler.jar", "lib/jline-3.19.0.jar")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "scalac").symlink_to(tmp_path / "bin" / "scalac")
    tools = Tools(tmp_path)
    tools._paths["scalac"] = str(tmp_path / "scalac")

    def found() -> tuple[str, ...]:
        return libraries(tools.installed(by_name("scala").ways[1]))

    assert found() == tuple(str(tmp_path / jar) for jar in jars)
    (tmp_path / jars[0]).unlink()
    assert found() == ()
