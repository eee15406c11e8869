"""Packages say what they are, files are not imported in circles, and the architecture names what is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quality.project import ROOT, SOURCE, outline, parsed, python_files

pytestmark = pytest.mark.xdist_group("sources")


def modules() -> Iterator[Path]:
    """Every Python file of the package."""
    return (path for path in python_files() if path.is_relative_to(SOURCE))


def test_every_package_has_a_paragraph() -> None:
    """The top of each package says what lives there, in a sentence or more."""
    for path in SOURCE.rglob("__init__.py"):
        if "bots" in path.relative_to(SOURCE).parts[2:]:
            continue  # of a sample bot
        said = ast.get_docstring(parsed(path)) or ""
        assert len(said.split()) >= 10, f"{path.relative_to(ROOT)} says only: {said}"


def test_no_file_is_imported_in_a_circle() -> None:
    """Following imports, wherever they stand in a file, never leads back to it."""
    imported = {name: set(found) for name, found in graph().items()}
    before = {**imported, "": set()}
    while len(imported) < len(before):  # take away what imports nothing that is left, and what nothing left imports
        before = imported
        used = set().union(*imported.values())
        left = {name for name, found in imported.items() if found and name in used}
        imported = {name: imported[name] & left for name in left}
    assert not imported, f"circles among {sorted(imported)}"


def graph() -> dict[str, list[str]]:
    """Each module of the package, and the modules that it imports; what only type checkers import does not count."""
    known = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in modules()}
    found: dict[str, list[str]] = {}
    for name, path in known.items():
        asked = []
        for module, one in outline(path).imports:
            whole = f"{module}.{one}"
            asked.append(whole if one and {whole, f"{whole}.__init__"} & known.keys() else module)
        files = {full for one in asked for full in (one, f"{one}.__init__") if full in known}
        found[name] = sorted(files - {name})
    return found


def test_the_architecture_names_files_that_are_there() -> None:
    """In its tables every path leads to a file or folder; a bare name lies beside the path before it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = 0
    for line in (line for line in page.splitlines() if line.startswith("| ")):
        folder = SOURCE
        for path in re.findall(r"`([\w<>/]+\.(?:py|js|json)|[\w<>]+/[\w<>/]*)`", line):
            places = [SOURCE, folder, SOURCE / "games", ROOT]
            each = [place / path.replace("<game>", "drop_block") for place in places]
            found = [one for one in each if one.exists() or "<command>" in path]
            assert found, f"{path} in: {line}"
            named += 1
            if "/" in path:
                folder = found[0] if found[0].is_dir() else found[0].parent
    assert named > 80


def test_packages_name_files_that_are_there() -> None:
    """Every file that the paragraph at a package's top names is in the package, or below dohyo."""
    for path in SOURCE.glob("*/**/__init__.py"):
        for name in re.findall(r"`?([\w/]+\.(?:py|json|js))\b", ast.get_docstring(parsed(path)) or ""):
            places = [path.parent / name, SOURCE / name, SOURCE.parent / name, SOURCE / "games" / "drop_block" / name]
            assert any(place.exists() for place in [*places, *path.parent.glob(f"*/{name}")]), f"{path}: {name}"
