"""From what a bot is meant by to its build plan."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dohyo.bots.bot import declares
from dohyo.bots.build_plan import BuildPlan, named
from dohyo.bots.content import is_notebook, is_of_folder, is_packed, is_unpacked, printable
from dohyo.bots.hand_in import Area, HandInCopy, link_error
from dohyo.bots.prepared import MAX_MISSING, Basis, content_of
from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.sources import file_plan
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.core import parameters
from dohyo.core.bot_spec import BotSpec, CommandLine, HandIn, Sample, Speaking, text_of
from dohyo.core.errors import OperatorError
from dohyo.core.sandbox import BUILT
from dohyo.languages import by_ending
from dohyo.languages.brought import code_of

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox
    from dohyo.bots.isolated_reader import IsolatedReader

FILE, FOLDER, COMMAND = "file", "folder", "command"  # kinds of what is examined


class Recognised(NamedTuple):
    """A build plan, and the folder with the copy of the hand-in, empty for an operator's command line.

    `alone` is a file that was handed in without its folder. `basis` is what was looked at, if a record of that would
    be whole (`prepared.py`).
    """

    plan: BuildPlan
    staged: str = ""
    alone: bool = False
    basis: Basis | None = None


class HandIns:
    """How hand-ins are taken in. A context manager: the process that reads them ends with it.

    Copies are made in `area`. That process is started, in `build_sandbox`, when the first hand-in has to be read that
    may be a stranger's. `apart` are the real paths of hand-ins, which never belong to another one; `follow` lets
    others belong.
    """

    def __init__(
        self,
        area: Area,
        tools: Tools,
        build_sandbox: BuildSandbox | None,
        apart: Collection[str],
        *,
        follow: bool,
    ) -> None:
        self.area = area
        self._tools = tools
        self._build_sandbox = build_sandbox
        self._apart = apart
        self._follow = follow
        self._reader: IsolatedReader | None = None

    @property
    def own_files(self) -> bool:
        """Whether hand-ins are built under neutral paths."""
        return self._build_sandbox is not None and self._build_sandbox.own_files

    @property
    def reader(self) -> IsolatedReader:
        """What reads hand-ins that may be a stranger's."""
        if self._reader is None:
            from dohyo.bots.isolated_reader import IsolatedReader

            self._reader = IsolatedReader(self.area, self._tools, self._build_sandbox, self._apart, self._follow)
        return self._reader

    def __enter__(self) -> HandIns:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.end()


def recognise(spec: BotSpec, samples: Mapping[str, Path], tools: Tools, hand_ins: HandIns) -> Recognised:
    """What is meant, by its type. Raises `OperatorError` with the remedy when it is not there, or not usable."""
    if isinstance(spec, Speaking):
        return recognise(_spelled_out(spec), samples, tools, hand_ins)
    if isinstance(spec, CommandLine):
        return _command(spec, tools, hand_ins)
    if isinstance(spec, HandIn):
        return _with_arguments(_hand_in(spec, tools, hand_ins), spec, spec.names_files)
    assert isinstance(spec, Sample), spec
    return _with_arguments(_sample(spec, samples, tools, hand_ins), spec, names_files=True)


def _spelled_out(engine: Speaking) -> HandIn | Sample | CommandLine:
    """The program with the words that say what it speaks."""
    program = engine.program
    if isinstance(program, CommandLine):
        return CommandLine((*program.words, *engine.settings))
    return msgspec.structs.replace(program, arguments=(*program.arguments, *engine.settings))


def _hand_in(spec: HandIn, tools: Tools, hand_ins: HandIns) -> Recognised:
    """The build plan for a hand-in; an error of its own where it is not there any more."""
    path, called = Path(spec.path), printable(spec.typed or spec.path)
    try:
        mode = path.stat().st_mode
    except PermissionError as error:
        raise OperatorError("bot-unreadable", bot=called) from error
    except (OSError, ValueError) as error:
        if os.path.islink(path):
            raise link_error(path, called) from None
        raise OperatorError("bot-gone", bot=called) from error
    return _path(called, path, mode, tools, hand_ins, is_ours=False, entry=spec.entry)


def _sample(spec: Sample, samples: Mapping[str, Path], tools: Tools, hand_ins: HandIns) -> Recognised:
    """The build plan for a sample bot, which is ours."""
    path = samples.get(spec.name) or samples.get(spec.name.lower())
    if path is None:
        from dohyo.bots.unknown import unknown

        raise unknown(spec.name, samples)
    path = Path(os.path.abspath(path))
    return _path(printable(spec.name), path, path.stat().st_mode, tools, hand_ins, is_ours=True)


def _command(spec: CommandLine, tools: Tools, hand_ins: HandIns) -> Recognised:
    """The build plan for a command line; of a source that it names, what belongs to it can be read as well."""
    from dohyo.bots.programs import command_plan

    called = printable(text_of(spec))
    plan = command_plan(called, list(spec.words), tools)
    shown = list(plan.shown)
    for path in [Path(shown_path) for shown_path in plan.shown if by_ending(os.path.basename(shown_path))]:
        if path.is_file():
            if path.is_symlink():
                raise link_error(path, called)
            taken = hand_ins.area.take_file(path, called)
            files = hand_ins.reader.examine(taken, COMMAND).files
            shown += [str(path.parent / name) for name in files]
    return Recognised(msgspec.structs.replace(plan, shown=tuple(dict.fromkeys(shown))))


def _with_arguments(found: Recognised, spec: HandIn | Sample, names_files: bool) -> Recognised:
    """The build plan with arguments behind the program: "bot.cpp --depth 3".

    Files that they name can be read, and count, if the arguments are the operator's.
    """
    words = spec.arguments
    if not words:
        return found
    from dohyo.bots.programs import cut_name, digest_of_words

    plan = found.plan
    shown = named([word for word in words if os.path.isabs(word)], "/") if names_files else []
    return Recognised(
        msgspec.structs.replace(
            plan,
            spec=printable(text_of(spec)),
            name=cut_name(" ".join([plan.name, *parameters.in_short(words)])),
            command=(*plan.command, *words),
            digest=digest_of_words([plan.digest, *words], names_files),
            shown=(*plan.shown, *shown),
        ),
        found.staged,
        found.alone,
    )


def _path(
    spec: str, path: Path, mode: int, tools: Tools, hand_ins: HandIns, *, is_ours: bool, entry: bool = False
) -> Recognised:
    """The build plan for something that is there, from the copy that is made of it; `spec` is what messages call it.

    What is not ours may be a stranger's.
    """
    if path.is_symlink():
        raise link_error(path, spec)
    if stat.S_ISREG(mode) and is_of_folder(path.name) and not entry:
        # A shell's `*` names one that a stranger has put among others' hand-ins: it never means the whole folder.
        raise OperatorError("bot-names-manifest", bot=spec, folder=printable(str(path.parent)))
    if stat.S_ISDIR(mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise OperatorError("bot-unreadable", bot=spec)
        taken, kind = hand_ins.area.take_folder(path, spec), FOLDER
    elif not stat.S_ISREG(mode):
        raise OperatorError("bot-odd-file", bot=spec, file=printable(path.name))
    elif not os.access(path, os.R_OK):
        raise OperatorError("bot-unreadable", bot=spec)
    elif is_unpacked(path.name):
        taken, kind = hand_ins.reader.unpack(path, spec), FOLDER
    else:
        taken, kind = hand_ins.area.take_file(path, spec), FILE
    if is_ours:
        plan = recognise_copy(kind, spec, taken.root, taken.alone, tools, BesideCopy(taken))
    else:
        taken.follows = taken.follows and not entry
        plan = hand_ins.reader.examine(taken, kind)
    basis = basis_of(taken, plan) if kind == FILE and is_source(path) else None
    taken.keep_only(plan.files if kind == FILE else taken.files)
    return _settled(plan, taken, hand_ins)._replace(basis=basis)


def basis_of(taken: HandInCopy, plan: BuildPlan) -> Basis | None:
    """What was looked at to recognise a lone source; none where that was a whole folder, or Dohyo's own sources."""
    if taken.is_listed or len(taken.missing) > MAX_MISSING or (plan.steps and OWN_PYTHON in plan.uses):
        return None
    files = {name: content_of(path) for name, path in taken.paths().items()}
    code = code_of(plan.language)
    return Basis(str(taken.origin), taken.alone, files, tuple(plan.files), tuple(sorted(taken.missing)), code)


def _settled(plan: BuildPlan, taken: HandInCopy, hand_ins: HandIns) -> Recognised:
    """The build plan with all that it names of the copy in the place where that stays."""
    root = taken.root
    kept, digest = hand_ins.area.settle(taken)
    placed = {
        name: content if isinstance(content, bytes) else kept / content.relative_to(root)
        for name, content in plan.placed.items()
    }
    # A build may write down where it lies: one made under a neutral path is no use elsewhere.
    tools = (*plan.tools, BUILT if hand_ins.own_files else "")
    if OWN_PYTHON in plan.uses and plan.steps:
        from dohyo.bots.declared import own_version

        tools = (*tools, own_version())
    found = msgspec.structs.replace(plan, placed=placed, digest=digest, tools=tools)
    return Recognised(found, str(kept), bool(taken.alone))


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


class BesideCopy(Near):
    """What lies beside a lone source of ours, a sample bot: brought without a question."""

    def __init__(self, taken: HandInCopy) -> None:
        self._taken = taken

    def has(self, path: Path) -> bool:
        with suppress(ValueError):
            name = path.relative_to(self._taken.root).as_posix()
            return name in self._taken.files or (".." not in name and self._taken.bring(name))
        return False

    def sources(self, folder: Path, ending: str) -> list[Path]:
        self._taken.is_listed = True
        with suppress(ValueError):
            origin = self._taken.origin / folder.relative_to(self._taken.root)
            return sorted(folder / source.name for source in origin.glob(f"*{ending}"))
        return []
