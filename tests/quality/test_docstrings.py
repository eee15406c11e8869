"""Docstrings stand alone: who reads one in an editor sees nothing of what stands before it."""

from __future__ import annotations

import ast
import re

from tests.quality.project import SOURCE, parsed, python_files

LEANS = re.compile(r"(?:The same|See|As|Like|Ditto)\b")
NOT_YET = ("sim", "starters")  # folders that are to follow


def test_a_docstring_stands_alone() -> None:
    """The docstring of a public function or class says what it does, and does not begin by pointing to another."""
    seen, leaning = 0, []
    for path in (path for path in python_files() if path.is_relative_to(SOURCE)):
        if set(NOT_YET) & set(path.relative_to(SOURCE).parts):
            continue
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name[0] == "_":
                continue
            said = ast.get_docstring(node) or ""
            seen += 1
            if LEANS.match(said):
                leaning.append(f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}: {said.splitlines()[0]}")
    assert not leaning, "\n".join(leaning)
    assert seen > 2000
