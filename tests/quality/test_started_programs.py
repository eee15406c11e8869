"""Programs that Dohyo starts are found in one way, which never looks into the current folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quality.project import SOURCE

STARTS = {"Popen", "run", "call", "check_call", "check_output"}  # of `subprocess`
# What searches the PATH as the system does, or asks a shell to.
SEARCHES = {"shutil.which", "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
SEARCHES |= {f"os.{name}" for name in ("execlp", "execlpe", "execvp", "execvpe", "posix_spawnp")}
SEARCHES |= {f"os.{name}" for name in ("spawnlp", "spawnlpe", "spawnvp", "spawnvpe")}

# What runs in a bot's process, with the environment that this has.
OF_BOTS = ("bots/runtime", "guests/profile/runtime", "guests/rerun/runtime")

SEARCHING = {name.rpartition(".")[2] for name in SEARCHES}
# No file can be objected to that has none of these words: it need not be parsed.
NAMED = re.compile(r"\b(?:shutil|os|subprocess)\b|create_subprocess")


def objections(source: str) -> Iterator[str]:
    """What a file says that starts a program, or searches one, in another way."""
    if not NAMED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in ("shutil", "os", "subprocess"):
            yield from (name for alias in node.names if (name := f"{node.module}.{alias.name}") in SEARCHES)
            if node.module == "subprocess":
                yield from (f"from subprocess import {each.name}" for each in node.names if each.name in STARTS)
        if isinstance(node, ast.Attribute) and node.attr in SEARCHING and ast.unparse(node) in SEARCHES:
            yield ast.unparse(node)
        if isinstance(node, ast.Call):
            yield from _of_call(node)


def _of_call(call: ast.Call) -> Iterator[str]:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return
    if function.attr.startswith("create_subprocess"):
        yield function.attr
    if not (isinstance(function.value, ast.Name) and function.value.id == "subprocess" and function.attr in STARTS):
        return
    given = {word.arg: word.value for word in call.keywords}
    if "env" not in given:
        yield f"line {call.lineno}: no env"
    if "shell" in given:
        yield f"line {call.lineno}: a shell"
    words = call.args[0] if call.args else given["args"]
    first = words.elts[0] if isinstance(words, ast.List | ast.Tuple) else words
    if isinstance(first, ast.Constant) and not str(first.value).startswith("/"):
        yield f"line {call.lineno}: {first.value}"


@pytest.mark.parametrize(
    "wrong",
    [
        "import shutil\nshutil.which('git')",
        "from shutil import which",
        "import os\nos.execvp('git', ['git'])",
        "from subprocess import run",
        "import subprocess\nsubprocess.run([git, '--version'])",
        "import subprocess\nsubprocess.run(['git', '--version'], env=own)",
        "import subprocess\nsubprocess.Popen('git --version', shell=True, env=own)",
        "import asyncio\nasyncio.create_subprocess_exec('git')",
    ],
)
def test_each_other_way_is_noticed(wrong: str) -> None:
    """A source that finds or starts a program otherwise is objected to."""
    assert list(objections(wrong))


def test_every_program_is_found_in_one_way() -> None:
    """All of Dohyo asks `system/search_path.py` where a program is, and gives what it starts an environment.

    `shutil.which`, and a bare name given to the system, take a hand-in called `git` for git where PATH has an empty
    or relative entry; an environment that is inherited has that entry for all that the program starts itself.
    """
    assert all((SOURCE / folder).is_dir() for folder in OF_BOTS)
    files = [path for path in SOURCE.rglob("*.py") if path.parent.relative_to(SOURCE).as_posix() not in OF_BOTS]
    assert len(files) > 400
    wrong = {str(path): found for path in files if (found := list(objections(path.read_text(encoding="utf-8"))))}
    assert wrong == {}


def test_what_decides_the_search_is_imported_first() -> None:
    """What runs before PYTHONPATH was looked at imports only what Python has imported: not even `__future__`."""
    first = ("__init__.py", "system/__init__.py", "system/interpreter.py", "system/search_path.py", "cli/__init__.py")
    for path in map(Path(SOURCE).joinpath, first):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in at_top if isinstance(node, ast.Import) for alias in node.names}
        names |= {str(node.module) for node in at_top if isinstance(node, ast.ImportFrom)}
        assert names <= {"os", "sys", "dohyo.system"}, path
