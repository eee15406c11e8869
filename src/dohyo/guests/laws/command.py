"""`dohyo laws`: a game is held to every law, by the pytest of Dohyo's own environment.

The `pytest` that a shell finds may be that of another environment, in which there is no Dohyo. This one is started as
a module of the Python that runs the command, with the plug-in of the laws alone: no settings, no other plug-in and no
`conftest.py` of the folder in which it is typed change anything.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, find_game
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson
from dohyo.i18n import Speaker

app = application()

EXAMPLES = """\b
Examples:
  dohyo laws my-game
  dohyo laws my_game/my_game.py --only batch
  dohyo laws my-game --all --where

One mistake breaks many laws: it stops at the first one."""

BROKEN = 1  # the exit status where a law is broken; others of pytest's say that none could be tried
LONGEST = 2000  # characters of what broke a law
OUTCOMES = {"failure": "broken", "error": "broken", "skipped": "skipped"}
SETTINGS = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")  # an operator's, in the environment: they are of other tests


@asks(app, epilog=EXAMPLES)
def laws(
    game: Annotated[str, says("A game's name, its file of rules, or its folder.", "GAME", is_bare=True)],
    only: Annotated[str | None, says("Only the laws that have this in their names.", "TEXT")] = None,
    everything: Annotated[bool, says("Go on when a law is broken.", option="--all")] = False,
    where: Annotated[bool, says("Print where in the code it was noticed, too.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Hold a game to every law that games keep. The exit status is 1 if it breaks one."""
    from dohyo.system import disk, interpreter, temporary

    if importlib.util.find_spec("pytest") is None:
        raise OperatorError("laws-no-pytest", command=shlex.join(interpreter.module("pip", "install", "pytest")))
    meant = _meant(game)
    folder = Path(temporary.make("laws"))
    try:
        (folder / "pytest.ini").write_text("[pytest]\n")
        words = ["-q", "--no-header", f"--tb={'long' if where else 'short'}", "--noconftest", f"--rootdir={folder}"]
        words += ["-c", f"{folder}/pytest.ini", "-p", "no:cacheprovider", "-p", "dohyo.pytest_plugin"]
        words += [] if everything else ["-x"]
        words += ["-k", only] if only is not None else []
        found = folder / "laws.xml"
        words += [f"--junitxml={found}"] if as_json else []
        status = _run([*words, "--dohyo-game", meant, str(folder)], as_json)
        if as_json and status in (0, BROKEN):
            sys.stdout.write(clean.document({"game": meant, "laws": list(_held(found))}))
    finally:
        disk.remove(folder)
    if status == BROKEN:
        raise typer.Exit(BROKEN)
    if status:
        raise OperatorError("laws-none" if only is None else "laws-none-called", only=only, status=status)


def _meant(word: str) -> str:
    """The game as the plug-in is told of it: its file or folder, or its name. Raises `OperatorError`."""
    from dohyo import games

    if os.path.exists(word) and (os.sep in word or word.endswith(".py")):
        games.load(word)
        return os.path.abspath(word)
    return find_game("laws", word, []).name


def _held(path: Path) -> Iterator[dict[str, str]]:
    """Each law that was tried, by pytest's own report: whether it held, and what broke it or why it was left out."""
    from xml.etree import ElementTree

    for case in ElementTree.parse(path).getroot().iter("testcase"):
        found = next((each for each in case if each.tag in OUTCOMES), None)
        said = "" if found is None else found.get("message", "")[:LONGEST]
        yield {"law": case.get("name", ""), "outcome": "held" if found is None else OUTCOMES[found.tag], "said": said}


def _run(words: list[str], is_silent: bool) -> int:
    """Run pytest with these words, its output being ours unless it `is_silent`; its exit status."""
    from dohyo.system import interpreter

    environment = {name: value for name, value in interpreter.environment().items() if name not in SETTINGS}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.stdout.flush()
    output = subprocess.DEVNULL if is_silent else None
    done = subprocess.run(interpreter.module("pytest", *words), env=environment, check=False, stdout=output)
    return done.returncode
