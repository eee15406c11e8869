"""The names that a file of rules may define, and a name of its own that was probably meant to be one of them.

An optional name that is misspelt would be ignored in silence: of `HIDEN` in the place of `HIDDEN` nothing would be
told but that every seat sees everything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.core.spelling import closest

ALIKE = 0.75  # of difflib; with less, short names of a file's own would be taken for misspelt ones


def check_spelling(file: Path, beside: Iterable[Path], known: Iterable[str]) -> None:
    """Refuse a name that the file defines and nobody uses, if it is close to one of the `known` names.

    What the file itself reads anywhere, or a file `beside` it mentions, is the game's own; so is what begins with an
    underscore, and what a file imports. Both files have been carried out already. Raises `OperatorError`.
    """
    names = {name.lower(): name for name in known}
    tree = ast.parse(file.read_bytes(), str(file))
    used = _mentioned(tree)  # first: to compare all names of a long file takes as long as to read the file
    own = [(name, line) for name, line in _defined(tree.body) if name not in names.values() and name[0] != "_"]
    found = [(name, line, closest(name.lower(), names, ALIKE)) for name, line in own if name not in used]
    found = [each for each in found if each[2]]
    if not found:
        return
    used = used.union(*(_mentioned(ast.parse(each.read_bytes(), str(each))) for each in beside))
    for name, line, near in found:
        if name not in used:
            raise OperatorError("game-file-name", file=file.name, line=line, name=name, nearest=names[near])


def _defined(body: Iterable[ast.stmt]) -> Iterator[tuple[str, int]]:
    """What these statements of a module assign or define, with the line; not what is local to a function."""
    for each in body:
        if isinstance(each, ast.FunctionDef):
            yield each.name, each.lineno
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                yield from ((part.id, part.lineno) for part in ast.walk(target) if isinstance(part, ast.Name))
        elif isinstance(each, ast.If):
            yield from _defined([*each.body, *each.orelse])


def _mentioned(tree: ast.AST) -> set[str]:
    """Every name that is read, imported, or written as a text, as in `__all__`."""
    found = set()
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
        elif isinstance(each, ast.ImportFrom):
            found |= {alias.name for alias in each.names}
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found.add(each.value)
    return found
