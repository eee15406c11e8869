"""Pages whose commands are executed as they stand, from an empty folder: the tutorial and the how-to pages.

A page is read from top to bottom, and its blocks of code are carried out in that order:

* A block `sh` is typed into a shell.
* A block `text` after it is what it prints. Dots stand for more: `...` alone for any lines, at the end of a line for
  the rest of it. Times, shares of a limit, the width of columns and marks below a traceback may differ.
* A block with `title="NAME"` is written to that file; with `title="NAME: DEFINITION"` it replaces the function or
  class of that name in the file; with `title="NAME [...]"` it stands in the file already.
* Any other block is an error, so that none is forgotten.

Comments that no reader sees, above the block that they are about:

* `<!-- exit: 1 -->`: the status with which the block's last command ends; else 0.
* `<!-- not run: REASON -->`: the block needs what a test does not have, and is passed over.
* `<!-- before: COMMANDS -->` (the commands may be several lines): what the page takes for granted is made by these.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PARTS = re.compile(
    r"^<!-- (?P<mark>[a-z ]*):\s(?P<value>.*?) ?-->$|^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
VARIES = (
    (re.compile(r" --clock 60\b"), ""),  # what `patient` adds
    (re.compile(r"\d[\d.]* ?(?:µs|ms|s|min)\b"), "TIME"),
    (re.compile(r"\d[\d.]*/s\b|\d[\d.]* a second|毎秒 \d[\d.]*"), "SPEED"),
    (re.compile(r"\d+\.\d%"), "SHARE"),
    (
        re.compile(
            r"^(?:The machine was busy meanwhile: |その間、マシンの負荷が高くなっていました).*$", re.MULTILINE
        ),
        "",
    ),
    (re.compile(r"[ \t]+"), " "),
)


class Block(NamedTuple):
    """A block of code: `kind` is its language, or `before`; `status` what its last command ends with."""

    kind: str
    title: str
    body: str
    status: int
    line: int
    not_run: str = ""


Typed = tuple[int, str]
Shell = Callable[[str, Path], Typed]
"""Carries out lines in a folder: the last status, and both outputs together."""


def blocks(text: str) -> list[Block]:
    """The blocks of a page, each with the comments above it."""
    found, marks = [], dict[str, str]()
    for part in PARTS.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["mark"] == "before":
            found.append(Block("before", "", part["value"].strip() + "\n", 0, line))
        elif part["mark"]:
            assert part["mark"] in ("exit", "not run"), f"line {line}: {part['mark']!r} is no mark of a block"
            marks[part["mark"]] = part["value"]
        else:
            title = re.search(r'title="(.*?)"', part["info"])
            kind = part["info"].split(" ")[0]
            status, reason = int(marks.pop("exit", 0)), marks.pop("not run", "")
            found.append(Block(kind, title[1] if title else "", part["body"], status, line, reason))
    assert not marks, f"no block after {marks}"
    return found


def walk(page: Path, folder: Path, shell: Shell) -> None:
    """Carry out a page in a folder, and compare what it prints with what the page shows; AssertionError."""
    printed = None
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}:{block.line}"
        if block.not_run:
            printed = None
        elif block.title:
            put(block, folder, where)
        elif block.kind in ("sh", "before"):
            status, printed = shell(block.body, folder)
            assert status == block.status, f"{where}: ends with {status}, not {block.status}\n{printed}"
        elif block.kind == "text":
            assert printed is not None, f"{where}: no command stands before what is shown"
            missing = first_missing(block.body, printed)
            assert missing is None, f"{where}: not printed: {missing!r}\n{printed}"
        else:
            raise AssertionError(f"{where}: is it a command, a file, or what a command prints?")


def put(block: Block, folder: Path, where: str) -> None:
    """Write a block into its file."""
    name, definition = (*block.title.removesuffix(" [...]").split(": "), "")[:2]
    path = folder / name
    if block.title.endswith(" [...]"):
        assert block.body in path.read_text(encoding="utf-8"), f"{where}: this is not in {name}"
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(replaced(path, definition, block.body) if definition else block.body, encoding="utf-8")


def replaced(path: Path, definition: str, body: str) -> str:
    """A Python file's text with one function or class replaced; StopIteration if it is not there."""
    text = path.read_text(encoding="utf-8")
    node = next(node for node in ast.walk(ast.parse(text)) if getattr(node, "name", "") == definition)
    assert isinstance(node, ast.ClassDef | ast.FunctionDef)
    assert not node.decorator_list
    lines = text.splitlines(keepends=True)
    return "".join([*lines[: node.lineno - 1], body, *lines[node.end_lineno :]])


def plain(text: str) -> list[str]:
    """The lines of an output, without what may differ from machine to machine."""
    for pattern, word in VARIES:
        text = pattern.sub(word, text)
    return [line.strip() for line in text.splitlines() if line.strip(" ^~")]


def first_missing(shown: str, printed: str) -> str | None:
    """The first line of what is shown that was not printed where it should be; None if all is as shown."""
    there, at, anywhere = plain(printed), 0, False
    for line in plain(shown):
        if line == "...":
            anywhere = True
            continue
        for here in range(at, len(there) if anywhere else min(at + 1, len(there))):
            if there[here].startswith(line[:-3].rstrip()) if line.endswith("...") else there[here] == line:
                at, anywhere = here + 1, False
                break
        else:
            return line
    return None if anywhere or at == len(there) else f"(the end before {there[at]!r})"


def patient(program: str, folder: Path) -> Path:
    """A folder with a command `dohyo` in it that gives bots a minute where the page leaves the clock to the game.

    The machine that runs the tests may be busy, and a time-out would change what is printed.
    """
    folder.mkdir()
    script = f"""#!/bin/sh
case "$1 $*" in
    *--clock*) ;;
    "play "* | "check "*) set -- "$@" --clock 60 ;;
esac
exec {program} "$@"
"""
    (folder / "dohyo").write_text(script, encoding="utf-8")
    (folder / "dohyo").chmod(0o755)
    return folder


def bash() -> str:
    """The shell; AssertionError without one."""
    found = shutil.which("bash")
    assert found is not None
    return found
