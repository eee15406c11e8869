"""Text with gaps: what a starter consists of is written as it will stand there.

`$name` is replaced by a text; if it has several lines, all are indented as the line is. `$$` is a dollar sign.
`?name` in front of a line: it is there only if `name` is true, or not empty; `?!name`: only if it is not. Alone on a
line it holds for the lines below it that are indented more, which then stand where it does.
Where nothing comes of lines between empty ones, these come once; at the beginning or end of a block, not at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from string import Template

Values = Mapping[str, str | list[str] | bool]
CONDITION = re.compile(r"( *)\?(!?)(\w+) ?(.*)")
STEP = 4  # columns by which templates are indented


def fill(template: str, values: Values) -> list[str]:
    """The lines of a template; none of an empty one. A list among the values stands for its lines.

    Raises `KeyError` for a name without a value.
    """
    texts = {name: "\n".join(value) if isinstance(value, list) else value for name, value in values.items()}
    return _fill(template.removesuffix("\n").split("\n"), texts) if template else []


def fill_line(template: str, values: Mapping[str, object]) -> str:
    """A template of one line, without conditions."""
    return Template(template).substitute(values)


def _fill(source: Sequence[str], values: Mapping[str, object]) -> list[str]:
    lines: list[str] = []
    skipping = False  # empty lines, at the beginning of a block
    at = 0
    while at < len(source):
        margin = _indentation(source[at])
        size, found = _next(source[at:], values)
        at += size
        if found and (found[0] or not skipping):
            lines += found
            skipping = False
        elif not found and (at == len(source) or not source[at] or _indentation(source[at]) < margin):
            while lines and not lines[-1]:
                lines.pop()
            skipping = not lines or _indentation(lines[-1]) < margin
    return lines


def _next(source: Sequence[str], values: Mapping[str, object]) -> tuple[int, list[str]]:
    """How many lines the first line stands for with those that depend on it, and what comes of them."""
    line = source[0]
    condition = CONDITION.fullmatch(line)
    if not condition:
        text = fill_line(line.lstrip(), values)
        margin = " " * _indentation(line)
        return 1, [f"{margin}{each}" if each else "" for each in text.split("\n")] if text or not line else []
    margin, negated, name, rest = condition.groups()
    holds = bool(values[name]) != bool(negated)
    if rest:
        return 1, _fill([margin + rest], values) if holds else []
    below = list(takewhile(lambda each: not each or each.startswith(f"{margin} "), source[1:]))
    while not below[-1]:
        below.pop()
    return 1 + len(below), _fill([each[STEP:] for each in below], values) if holds else []


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
