"""From the operator's word for a bot to its build plan."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dohyo.bots.bot import declares
from dohyo.bots.build_plan import BuildPlan, named, split
from dohyo.bots.content import FOLDER_FILES, is_packed, is_unpacked, printable
from dohyo.bots.hand_in import Area, HandIn, link_error
from dohyo.bots.prepared import MOST_MISSING, Basis, content_of
from dohyo.bots.source_dependencies import Near, source_dependencies
from dohyo.bots.sources import file_plan
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.core.sandbox import BUILT
from dohyo.languages import by_ending

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox
    from dohyo.bots.isolated_reader import IsolatedReader

ENGINE = "uci:"  # before the word for a chess engine (`engines.py`)
FILE, FOLDER, COMMAND = "file", "folder", "command"  # kinds of what is examined


class Found(NamedTuple):
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
    others belong. `entries` says that hand-ins are what lies in a folder of such, and not named by the operator.
    """

    def __init__(
        self,
        area: Area,
        tools: Tools,
        build_sandbox: BuildSandbox | None,
        apart: Collection[str],
        *,
        follow: bool,
        entries: bool,
    ) -> None:
        self.area = area
        self.entries = entries
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


def recognise(
    spec: str, samples: Mapping[str, Path], tools: Tools, hand_ins: HandIns, *, is_command: bool = False
) -> Found:
    """What the operator means by `spec`: a path, the name of a sample bot, or a command line, in this order.

    With `is_command` it is a command line, whatever files there are. Raises `OperatorError` with the remedy when it
    is none of them, or not usable.
    """
    if not spec.strip() or "\0" in spec:
        raise OperatorError("bot-no-name")
    typed = spec
    if spec.startswith(ENGINE):
        from dohyo.bots.engines import spelled_out

        spec = spelled_out(spec)
    found = None if is_command else _existing(spec, samples, tools, hand_ins)
    found = found or _command(spec, tools, hand_ins)
    if found is None:
        found = _with_arguments(spec, samples, tools, hand_ins)
    if found is None:
        raise _unknown(typed, samples)
    return found


def _existing(spec: str, samples: Mapping[str, Path], tools: Tools, hand_ins: HandIns) -> Found | None:
    """The build plan for a path or a sample bot; None when `spec` is neither."""
    own = Path(os.path.expanduser(spec))
    for path in (own, samples.get(spec), samples.get(spec.lower())):
        if path is None:
            continue
        try:
            mode = path.stat().st_mode
        except PermissionError as error:
            raise OperatorError("bot-unreadable", bot=printable(spec)) from error
        except OSError:
            if path is own and os.path.islink(own):
                raise link_error(own, printable(spec)) from None
            continue  # not there; or too long for a path, or a loop of links: it may be a command line
        return _path(printable(spec), Path(os.path.abspath(path)), mode, tools, path is own, hand_ins)
    return None


def _command(spec: str, tools: Tools, hand_ins: HandIns) -> Found | None:
    """The build plan for a command line; of a source that it names, what belongs to it can be read as well."""
    from dohyo.bots.programs import command_plan

    plan = command_plan(printable(spec), spec, tools)
    if plan is None:
        return None
    shown = list(plan.shown)
    for path in [Path(shown_path) for shown_path in plan.shown if by_ending(os.path.basename(shown_path))]:
        if path.is_file():
            if path.is_symlink():
                raise link_error(path, printable(spec))
            taken = hand_ins.area.take_file(path, printable(spec))
            files = hand_ins.reader.examine(taken, COMMAND).files
            shown += [str(path.parent / name) for name in files]
    return Found(msgspec.structs.replace(plan, shown=tuple(dict.fromkeys(shown))))


def _with_arguments(spec: str, samples: Mapping[str, Path], tools: Tools, hand_ins: HandIns) -> Found | None:
    """The build plan for a source, a folder or a sample bot with arguments behind it: "bot.cpp --depth 3".

    The arguments are the operator's: files that they name can be read.
    """
    from dohyo.bots.programs import cut_name, digest_of_words

    words = split(spec)
    if len(words) < 2:
        return None
    found = _existing(words[0], samples, tools, hand_ins)
    if found is None:
        return None
    plan = found.plan
    return Found(
        msgspec.structs.replace(
            plan,
            spec=printable(spec),
            name=cut_name(" ".join([plan.name, *parameters.in_short(words[1:])])),
            command=(*plan.command, *words[1:]),
            digest=digest_of_words([plan.digest, *words[1:]]),
            shown=(*plan.shown, *named([word for word in words[1:] if os.path.isabs(word)], "/")),
        ),
        found.staged,
        found.alone,
    )


def _path(spec: str, path: Path, mode: int, tools: Tools, strange: bool, hand_ins: HandIns) -> Found:
    """The build plan for something that is there, from the copy that is made of it; it may be a stranger's."""
    if path.is_symlink():
        raise link_error(path, spec)
    if stat.S_ISREG(mode) and path.name in FOLDER_FILES and not hand_ins.entries:
        path, mode = path.parent, stat.S_IFDIR
        if path.is_symlink():
            raise link_error(path, spec)
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
    if strange:
        plan = hand_ins.reader.examine(taken, kind)
    else:
        near = BesideCopy(taken)
        plan = recognise_copy(kind, spec, taken.root, taken.alone, tools, near)
    basis = basis_of(taken, plan) if kind == FILE and is_source(path) else None
    taken.keep_only(plan.files if kind == FILE else taken.files)
    return _settled(plan, taken, hand_ins)._replace(basis=basis)


def basis_of(taken: HandIn, plan: BuildPlan) -> Basis | None:
    """What was looked at to recognise a lone source; none where that was a whole folder, or Dohyo's own sources."""
    if taken.is_listed or len(taken.missing) > MOST_MISSING or (plan.steps and OWN_PYTHON in plan.uses):
        return None
    files = {name: content_of(path) for name, path in taken.paths().items()}
    return Basis(str(taken.origin), taken.alone, files, tuple(plan.files), tuple(sorted(taken.missing)))


def _settled(plan: BuildPlan, taken: HandIn, hand_ins: HandIns) -> Found:
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
    return Found(found, str(kept), bool(taken.alone))


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
    return program_plan(spec, path, path.parent, tools)


def is_source(path: Path) -> bool:
    """Whether a file is a source by its name, whatever it holds."""
    return by_ending(path.name) is not None and path.suffix != ".exe"


class BesideCopy(Near):
    """What lies beside a lone source of ours, a sample bot: brought without a question."""

    def __init__(self, taken: HandIn) -> None:
        self._taken = taken

    def has(self, path: Path) -> bool:
        with suppress(ValueError):
            name = path.relative_to(self._taken.root).as_posix()
            return name in self._taken.files or (".." not in name and self._taken.bring(name))
        return False

    def java_sources(self, folder: Path) -> list[Path]:
        self._taken.is_listed = True
        with suppress(ValueError):
            origin = self._taken.origin / folder.relative_to(self._taken.root)
            return sorted(folder / source.name for source in origin.glob("*.java"))
        return []


def _is_near(spec: str, name: str) -> bool:
    """Whether a word may be a name, misspelt; what both end in makes no two names alike."""
    from dohyo.core.spelling import is_near

    (stem, ending), (other, same) = os.path.splitext(spec), os.path.splitext(name)
    return is_near(stem, other) if ending == same else is_near(spec, name) or is_near(stem, name)


def _engine(spec: str) -> str | None:
    """The word for a chess engine of this name, where systems keep such programs; none if there is none."""
    from dohyo.bots.engines import GAMES

    is_there = "/" not in spec and any(os.access(f"{folder}/{spec}", os.X_OK) for folder in GAMES)
    return f"{ENGINE}{spec}" if is_there else None


def _unknown(spec: str, samples: Mapping[str, Path]) -> OperatorError:
    """The error for a word that means nothing here, with what was probably meant."""
    import difflib

    path = Path(os.path.abspath(os.path.expanduser(spec)))
    typed, spec = spec, spec.rstrip("/") or spec  # 'bots/' is looked for where 'bots' would be
    beside = []
    if os.path.isdir(path.parent) and os.access(path.parent, os.R_OK | os.X_OK):
        given = os.path.dirname(spec)
        beside = [os.path.join(given, name) for name in os.listdir(path.parent) if not name.startswith(".")]
    stems = {os.path.splitext(name)[0]: name for name in sorted(beside)}
    plain = sorted(name for name in samples if "." not in name)
    near: list[str] = []
    for known in (samples if "." in spec else plain, stems, beside):
        near += [one for one in difflib.get_close_matches(spec, list(known), n=2, cutoff=0.6) if _is_near(spec, one)]
    if (engine := _engine(spec)) is not None:
        near.insert(0, engine)
    meant = list(dict.fromkeys(stems.get(name, name) if name not in samples else name for name in near))
    return OperatorError(
        "bot-unknown",
        bot=printable(typed),
        nearest=f" ({', '.join(printable(name) for name in meant[:3])}?)" if meant else "",
        samples=", ".join(plain) or "-",
    )
