"""The architecture, as far as imports show it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.quality.project import ROOT, SOURCE, parsed, python_files, tool

RULES_IMPORT = ("dohyo.core.flat.", "__future__.", "typing.", "collections.abc.")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Hold the package in `folder`/src against the contracts of `folder`/pyproject.toml."""
    return subprocess.run(
        [tool("lint-imports"), "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def imported(tree: ast.Module) -> Iterator[str]:
    """The full name of everything that a file imports, at its top or anywhere below."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_contracts_can_be_broken(tmp_path: Path) -> None:
    """Each contract notices the very thing that it forbids, in a copy that does it."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    package = tmp_path / "src" / "dohyo"
    wrongs = {
        "match/climbs.py": "import dohyo.series",
        "unlisted_room/__init__.py": "",
        "games/one_more/__init__.py": "from dohyo.games.drop_block import rules",
        "core/talks.py": "def answer():\n    import socket",
    }
    for name, text in wrongs.items():
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text(text)
    said = lint_imports(tmp_path).stdout
    for finding in (
        "dohyo.match is not allowed to import dohyo.series",
        "- dohyo.unlisted_room",
        "dohyo.games.one_more is not allowed to import dohyo.games.drop_block",
        "dohyo.core is not allowed to import socket",
    ):
        assert finding in said, said


def flat_modules(rules: Path) -> Iterator[tuple[Path, list[str]]]:
    """A `rules.py` and whatever of its own folder it imports, however far; with what else each of them imports."""
    own = f"dohyo.games.{rules.parent.name}."
    waiting, seen = [rules], {rules}
    while waiting:
        path = waiting.pop()
        names = list(imported(parsed(path)))
        near = {rules.parent / f"{name.removeprefix(own).split('.')[0]}.py" for name in names if name.startswith(own)}
        yield path, [name for name in names if not f"{name}.".startswith((*RULES_IMPORT, own))]
        waiting += near - seen
        seen |= near


def test_rules_import_nothing_but_flat() -> None:
    """Rules ask only the common language and flat modules of their own game, so that they compile."""
    rules = sorted(SOURCE.glob("games/*/rules.py"))
    assert rules
    for path, others in (found for each in rules for found in flat_modules(each)):
        assert not others, f"{path.relative_to(ROOT)} imports {others}"


def test_core_opens_nothing() -> None:
    """The core neither opens, prints nor asks, and of paths it knows only the pure ones, which touch no disk."""
    for path in (path for path in python_files() if path.is_relative_to(SOURCE / "core")):
        tree = parsed(path)
        called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        assert not called & {"open", "print", "input", "exec", "eval", "__import__"}, path
        paths = [name for name in imported(tree) if name.startswith("pathlib")]
        assert all(name.startswith("pathlib.Pure") for name in paths), f"{path} imports {paths}"


def test_one_place_knows_how_our_python_is_started() -> None:
    """Nobody but `system/interpreter.py` writes options for our own interpreter: its words keep hand-ins out."""
    ours = SOURCE / "system" / "interpreter.py"
    starts = re.compile(r"sys\.executable,\s*[\"']-")
    found = [path for path in SOURCE.rglob("*.py") if starts.search(path.read_text(encoding="utf-8"))]
    assert found == [ours]
