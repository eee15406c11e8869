"""From the copy of a hand-in to its build plan: in the process that reads hand-ins, and here for our own bots."""

from __future__ import annotations

from pathlib import Path

from dohyo.bots.bot import declares
from dohyo.bots.build_plan import BuildPlan
from dohyo.bots.content import is_notebook, is_packed
from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.sources import file_plan
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import by_ending

FILE, FOLDER, COMMAND = "file", "folder", "command"  # kinds of what is examined


def recognise_copy(kind: str, spec: str, root: Path, file: str, tools: Tools, near: Near) -> BuildPlan:
    """The build plan for a copy of a hand-in: a folder, or with `file` that one; `near` brings what lies beside.

    Raises `OperatorError` with the remedy where it cannot be used.
    """
    path = root / file
    if kind == COMMAND:
        language = by_ending(file)
        files = source_dependencies(path, language, near) if language is not None else [path]
        return BuildPlan(spec, "", (), "", "", files=tuple(one.relative_to(root).as_posix() for one in files))
    if kind == FILE:
        return _file(spec, path, tools, near)
    if not declares(root):
        from dohyo.bots.folder_sources import folder_plan

        return folder_plan(spec, root, tools)
    from dohyo.bots.declared import declared_plan

    return declared_plan(spec, root, tools)


def _file(spec: str, path: Path, tools: Tools, near: Near) -> BuildPlan:
    """The build plan for one file: a compiled program whatever its name, a source by its ending, or an executable."""
    language = by_ending(path.name)
    if language is not None and is_source(path):
        return file_plan(spec, path, language, tools, near)
    from dohyo.bots.programs import own_program, program_plan

    if language is not None and not own_program(path):
        return file_plan(spec, path, language, tools, near)
    if is_packed(path.name):
        raise OperatorError("bot-archive", bot=spec)
    if is_notebook(path.name):
        raise OperatorError("bot-is-notebook", bot=spec)
    return program_plan(spec, path, path.parent, tools)


def is_source(path: Path) -> bool:
    """Whether a file is a source by its name, whatever it holds."""
    return by_ending(path.name) is not None and path.suffix != ".exe"
