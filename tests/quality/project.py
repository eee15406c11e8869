"""The project's own files, for the tests that read them."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from tests.leftovers import CHECKOUT_CACHES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "dohyo"
PYTHON = ("benchmarks", "docs", "examples", "src", "tests")  # the folders with Python files
# What `tests/conftest.py` needs, for tests that run a pytest of their own.
SUPPORT = (
    *("__init__.py", "checkers.py", "conftest.py", "leftovers.py", "needs.py", "quick.py", "skips.py"),
    *("again.py", "compiled_once.py", "scheduling.py", "statements.py", "timings.py"),
)
# For a pytest of a test's own: other packages' plug-ins, which are asked for nothing and take most of its start.
FEW_PLUGINS = "-p no:schemathesis -p no:faker -p no:anyio"


@cache
def files() -> tuple[Path, ...]:
    """Every file that is committed, or would be; from a source archive, which is not in git, every file of that."""
    if not (ROOT / ".git").exists():
        return tuple(
            sorted(path for path in ROOT.rglob("*") if path.is_file() and not CHECKOUT_CACHES & {*path.parts})
        )
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(sorted({path for path in paths if path.is_file()}))


def texts() -> Iterator[tuple[Path, str]]:
    """Every file that is text, with its text."""
    for path in files():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def python_files() -> Iterator[Path]:
    """Every Python file, `dev` among them; git is not asked, so that the quick set may look."""
    for folder in PYTHON:
        yield from sorted((ROOT / folder).rglob("*.py"))
    yield ROOT / "dev"


def parsed(path: Path) -> ast.Module:
    """A Python file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


class Part(NamedTuple):
    """A function or a class of a file: its name, its lines, and its docstring."""

    name: str
    is_class: bool
    lines: int
    docstring: str | None


class Outline(NamedTuple):
    """What a Python file consists of, and which modules it imports: pairs of a module and a name of it, or none.

    What only type checkers import is not among these.
    """

    is_empty: bool
    docstring: str | None
    parts: tuple[Part, ...]
    imports: tuple[tuple[str, str | None], ...]


@cache
def outline(path: Path) -> Outline:
    """A Python file's outline; what stands within expressions is not looked at.

    Kept, because parsing all files takes seconds, and without their trees, which are as large as all else together:
    tests that ask for these belong to the group `sources`.
    """
    tree = parsed(path)
    found: list[ast.AST] = [tree]
    unused: set[int] = set()
    for node in found:
        below = [getattr(node, part, ()) for part in ("body", "orelse", "finalbody", "handlers", "cases")]
        # The body of `a if b else c` is no list, and is not looked at.
        inside = [one for each in below if isinstance(each, list) for one in each]
        found += inside
        if id(node) in unused or _is_for_types(node):
            unused.update(map(id, inside))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    parts = [node for node in found if isinstance(node, kinds)]
    imports: list[tuple[str, str | None]] = []
    for node in found:
        if isinstance(node, ast.Import) and id(node) not in unused:
            imports += [(one.name, None) for one in node.names]
        if isinstance(node, ast.ImportFrom) and id(node) not in unused:
            imports += [(str(node.module), one.name) for one in node.names]
    return Outline(not tree.body, ast.get_docstring(tree), tuple(map(_part, parts)), tuple(imports))


def _part(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Part:
    lines = (node.end_lineno or 0) - node.lineno + 1
    return Part(node.name, isinstance(node, ast.ClassDef), lines, ast.get_docstring(node))


def _is_for_types(node: ast.AST) -> bool:
    """Whether this is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def run(*words: str | Path, cwd: Path = ROOT, seconds: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, both outputs together as text; the caller looks at the exit status."""
    return subprocess.run(
        words,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )


def script(name: str, folder: Path = ROOT / ".github" / "scripts") -> ModuleType:
    """A script that stands by itself, as a module."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def tool(name: str) -> Path:
    """A program that was installed beside this Python."""
    return Path(sys.executable).parent / name


@contextmanager
def without(place: Path, *names: str) -> Iterator[None]:
    """A copy of the source while these folders of the package are not in it."""
    for name in names:
        (place / "dohyo" / name).rename(place / name.replace("/", "-"))
    try:
        yield
    finally:
        for name in names:
            (place / name.replace("/", "-")).rename(place / "dohyo" / name)
