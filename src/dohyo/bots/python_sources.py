"""Python: which interpreter runs a source, what is compiled before, and folders that are a package."""

from __future__ import annotations

import re

import msgspec

from dohyo.bots.bot import COPY
from dohyo.bots.build_plan import BuildPlan, Sources, inside, make
from dohyo.bots.content import read_text
from dohyo.bots.own_python import needs_warming, own_python_for, warmed
from dohyo.bots.python2 import which_python_for
from dohyo.bots.tools import Tools

RELATIVE_IMPORT = re.compile(r"^[ \t\f]*from[ \t\f]*\.", re.MULTILINE)


def python_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for sources in Python; `alone` when one file was named, and is meant.

    Raises `OperatorError` for one of Python 2 where there is none.
    """
    if not alone and sources.main == "__main__.py":
        return _package(sources, tools)
    tools = own_python_for(sources.main, sources.files, tools)
    tools = which_python_for(sources.spec, sources.main, sources.files, tools)
    if needs_warming(sources.main, sources.files, tools) and sources.root == sources.handed_in:
        return warmed(make(sources, tools), sources.main, sources.files, sources.links, tools)
    return make(sources, tools)


def _package(sources: Sources, tools: Tools) -> BuildPlan:
    """A folder with `__main__.py`, which may import from its own package only when it is started as one."""
    plan = make(sources, tools)
    if RELATIVE_IMPORT.search(read_text(sources.root / sources.main)) is None:
        return plan
    # Python imports a package by its folder's name; the copy of a whole hand-in has a name of ours.
    name = sources.root.name if sources.root != sources.handed_in else COPY
    folder = f"{inside(sources.root, sources.handed_in)}/.."
    return msgspec.structs.replace(plan, command=(*plan.command[:-1], "-m", name), folder=folder)
