"""What programs in Python may import: signatures and docstrings, read from the source without importing it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from docs.website.pages import Page
from docs.website.reference.markdown import block, code, page, safe, table

# The modules that the documentation tells people to import, in reading order; their names are those of `__all__`, or
# all public ones that are defined in them.
MODULES = (
    "dohyo",
    "dohyo.games",
    "dohyo.sim",
    "dohyo.rl",
    "dohyo.rl.puffer",
    "dohyo.rl.sb3",
    "dohyo.search",
    "dohyo.search.bot",
    "dohyo.solve",
    "dohyo.laws",
    "dohyo.kaggle",
    "dohyo.core.game",
    "dohyo.core.flat",
    "dohyo.core.chance",
    "dohyo.core.options",
    "dohyo.core.clock",
    "dohyo.core.faults",
    "dohyo.core.observation",
    "dohyo.core.starter",
    "dohyo.core.judge",
    "dohyo.core.dialogue",
    "dohyo.core.text",
    "dohyo.core.cheap_random",
    "dohyo.web.page",
)

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


class Source(NamedTuple):
    """A module's source."""

    name: str
    text: str
    tree: ast.Module


def pages(root: Path) -> list[Page]:
    """A list of the modules, and a page for each."""
    listed = page(
        "python/index", "reference", partial(_overview, root), ("All modules", "モジュール一覧"), languages=1
    )
    return [
        listed,
        *(page(f"python/{name}", "reference", partial(_module, root, name), name, languages=1) for name in MODULES),
    ]


def _overview(root: Path, language: str) -> Iterator[str]:
    yield "# Python"
    yield ""
    yield "What a program may import. What stands in `dohyo.__all__` is stable; the rest may move between versions."
    rows = []
    for name in MODULES:
        text = ast.get_docstring(_source(root, name).tree) or ""
        rows.append((f"[`{name}`]({name}.md)", safe(text.partition("\n\n")[0])))
    yield from table(("module", "what is in it"), rows)


@cache
def _source(root: Path, name: str) -> Source:
    """A module of ours."""
    path = root / "src" / Path(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    return Source(name, text, ast.parse(text))


def names_of(root: Path, name: str) -> list[str]:
    """The public names of a module, in the order in which they are shown."""
    source = _source(root, name)
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return [each for each in ast.literal_eval(node.value) if not each.startswith("__")]
    return [each for node in source.tree.body for each in _defines(node) if not each.startswith("_")]


def _defines(node: ast.stmt) -> list[str]:
    """The names that a statement defines, of those that are shown."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


def find(root: Path, module: str, name: str, seen: frozenset[str] = frozenset()) -> tuple[Source, Definition]:
    """Where a public name is defined, followed through imports and the table of a module that imports lazily.

    Raises `LookupError` if it is nowhere.
    """
    source = _source(root, module)
    for node in source.tree.body:
        if isinstance(node, Definition) and name in _defines(node):
            return source, node
    for inner in ast.walk(source.tree):
        if (
            isinstance(inner, ast.ImportFrom)
            and (inner.module or "").startswith("dohyo")
            and inner.module not in seen
        ):
            for alias in inner.names:
                if (alias.asname or alias.name) == name and inner.module:
                    return find(root, inner.module, alias.name, seen | {module})
    homes = re.search(r"^_HOMES = (\{.*?^\})", source.text, re.MULTILINE | re.DOTALL)
    if homes and name in (table_ := ast.literal_eval(homes[1])):
        return find(root, table_[name], name, seen | {module})
    raise LookupError(f"{module}.{name}")


def _module(root: Path, name: str, language: str) -> Iterator[str]:
    """The lines of a module's page."""
    yield f"# {name}"
    yield from docstring(_source(root, name).tree)
    for each in names_of(root, name):
        source, node = find(root, name, each)
        yield from _shown(each, source, node)


def _shown(name: str, source: Source, node: Definition) -> Iterator[str]:
    """What is defined, under the name that it is imported by."""
    if isinstance(node, ast.FunctionDef):
        yield from ("", f"## {name}")
        yield from block(_signature(node, name), "python")
        yield from docstring(node)
    elif isinstance(node, ast.ClassDef):
        yield from ("", f"## {name}")
        yield from _class(name, source, node)
    else:
        value = ast.get_source_segment(source.text, node) or ""
        yield from ("", f"## {name}")
        yield from block(value if len(value) < 600 else value.partition("=")[0] + "= ...", "python")
        if remark := _remark(source, node):
            yield from ("", safe(remark))


def _class(name: str, source: Source, node: ast.ClassDef) -> Iterator[str]:
    """A class: how it is made, its fields, its methods."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not _is_overload(each)]
    made = next((each for each in methods if each.name == "__init__"), None)
    bases = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
    yield from block(_signature(made, name, bound=True) if made else f"class {name}{bases}", "python")
    yield from docstring(node)
    if made:
        yield from docstring(made)
    fields = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id[0] != "_":
            usual = ast.unparse(each.value) if each.value else ""
            fields.append(
                (code(each.target.id), code(ast.unparse(each.annotation)), code(usual), _remark(source, each))
            )
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id.isupper():
            fields.append((code(each.targets[0].id), "", code(ast.unparse(each.value)), _remark(source, each)))
    if fields:
        rows = [(*row[:3], safe(row[3])) for row in fields]
        yield from table(("field", "type", "value", "meaning"), rows)
    for method in methods:
        if not method.name.startswith("_"):
            yield from ("", f"### {name}.{method.name}")
            plain = any(getattr(each, "id", "") == "property" for each in method.decorator_list)
            shown = f"{method.name}: {ast.unparse(method.returns)}" if plain and method.returns else ""
            yield from block(shown or _signature(method, method.name, bound=True), "python")
            yield from docstring(method)


def _is_overload(node: ast.FunctionDef) -> bool:
    """Whether it only says types of the method that follows."""
    return any(getattr(each, "id", "") == "overload" for each in node.decorator_list)


def _signature(node: ast.FunctionDef, name: str, bound: bool = False) -> str:
    """A function's first line, with its parameters one below the other if they are long."""
    arguments = ast.arguments(**{field: getattr(node.args, field) for field in node.args._fields})
    if bound and not any(getattr(each, "id", "") == "staticmethod" for each in node.decorator_list):
        if arguments.posonlyargs:
            arguments.posonlyargs = arguments.posonlyargs[1:]
        else:
            arguments.args = arguments.args[1:]
    returned = f" -> {ast.unparse(node.returns)}" if node.returns and name == node.name else ""
    line = f"{name}({ast.unparse(arguments)}){returned}"
    if len(line) <= 90:
        return line
    apart = _apart(ast.unparse(arguments))
    return f"{name}(\n" + "".join(f"    {each},\n" for each in apart) + f"){returned}"


def _apart(arguments: str) -> list[str]:
    """Parameters, parted at the commas that stand in no brackets."""
    found, depth = [""], 0
    for character in arguments:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [each.strip() for each in found if each.strip()]


def _remark(source: Source, node: ast.stmt) -> str:
    """The comment at the end of a statement's first or last line."""
    lines = source.text.splitlines()
    for number in dict.fromkeys((node.lineno, node.end_lineno or node.lineno)):
        if found := re.search(r"  # (?!noqa|type:)(.+)$", lines[number - 1]):
            return found[1]
    return ""


def docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """A docstring as Markdown: blocks that are indented are code there too; underlined words are bold."""
    lines = (ast.get_docstring(node) or "").splitlines()
    yield ""
    for at, line in enumerate(lines):
        if re.fullmatch(r"-{3,}", line):
            continue
        underlined = at + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[at + 1])
        yield f"**{line}**\n" if underlined else line if line.startswith("    ") else safe(line)
    yield ""
