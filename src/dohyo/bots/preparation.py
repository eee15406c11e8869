"""Prepares bots: recognises what is meant, builds what has to be built, and writes records of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dohyo import clean
from dohyo.bots.bot import BUILD, Bot, fill
from dohyo.bots.build_plan import OURS, RUNTIME, BuildPlan, Recognised, allowed, named
from dohyo.bots.content import is_of_folder, is_unpacked, printable
from dohyo.bots.hand_in import Area, HandInCopy, link_error
from dohyo.bots.prepared import MAX_MISSING, Basis, Prepared, content_of
from dohyo.bots.recognise import COMMAND, FILE, FOLDER, is_source, recognise_copy
from dohyo.bots.samples import found_sample
from dohyo.bots.source_dependencies import Near
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.core import parameters
from dohyo.core.bot_spec import BotSpec, CommandLine, HandIn, Sample, Speaking, text_of
from dohyo.core.errors import OperatorError
from dohyo.core.sandbox import BUILT
from dohyo.languages import by_ending
from dohyo.languages.brought import code_of

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox
    from dohyo.bots.cache import Built
    from dohyo.bots.isolated_reader import IsolatedReader


def prepare(
    specs: Sequence[BotSpec],
    records: Prepared,
    python: str | None,
    build_seconds: float | None,
    build_sandbox: BuildSandbox | None,
) -> dict[BotSpec, Bot]:
    """The bots that are meant, each of which is there once; for the other arguments see `typed_words.resolve`.

    What can be written down of a bot goes to the `records`: nothing where the operator has named an interpreter.
    """
    tools = Tools(records.cache, python, records.debug)
    with Area(records.cache) as area, Recognition(records, area, tools, build_sandbox) as recognition:
        known = {spec: recognition.of(spec) for spec in specs}
    seconds = allowed() if build_seconds is None else build_seconds
    built = _build_all(list(known.values()), records.cache, seconds, build_sandbox)
    bots = {spec: _bot(spec, found, made) for (spec, found), made in zip(known.items(), built, strict=True)}
    if python is None and not tools.asked:
        for spec, found in known.items():
            if found.basis is not None:
                records.note(spec, bots[spec], found.basis, tools.searched)
    return bots


class Recognition:
    """From what bots are meant by to their build plans. A context manager: the process that reads hand-ins ends with
    it, which is started when the first has to be read that may be a stranger's. Copies are made in `area`.
    """

    def __init__(self, terms: Prepared, area: Area, tools: Tools, build_sandbox: BuildSandbox | None) -> None:
        self._terms, self._area, self._tools, self._build_sandbox = terms, area, tools, build_sandbox
        self._apart = terms.apart()
        self._reader: IsolatedReader | None = None

    def __enter__(self) -> Recognition:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.end()

    @property
    def reader(self) -> IsolatedReader:
        """What reads hand-ins that may be a stranger's."""
        if self._reader is None:
            from dohyo.bots.isolated_reader import IsolatedReader

            follow = self._terms.follow
            self._reader = IsolatedReader(self._area, self._tools, self._build_sandbox, self._apart, follow)
        return self._reader

    def of(self, spec: BotSpec) -> Recognised:
        """What is meant, by its type. Raises `OperatorError` with the remedy when it is not there, or not usable."""
        program, settings = (spec.program, spec.settings) if isinstance(spec, Speaking) else (spec, ())
        if isinstance(program, CommandLine):
            found = self._command(CommandLine((*program.words, *settings)))
        else:
            assert isinstance(program, HandIn | Sample), program
            program = replace(program, arguments=(*program.arguments, *settings))
            found = self._hand_in(program) if isinstance(program, HandIn) else self._sample(program)
            found = _with_arguments(found, program)
        return found._replace(programs=self._tools.programs(found.plan.uses))

    def _hand_in(self, spec: HandIn) -> Recognised:
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
        return self._path(called, path, mode, is_ours=False, entry=spec.entry)

    def _sample(self, spec: Sample) -> Recognised:
        """The build plan for a sample bot, which is ours."""
        samples = self._terms.samples
        path = found_sample(samples, spec.name)
        if path is None:
            from dohyo.bots.kinds import unknown

            raise unknown(spec.name, samples)
        path = Path(os.path.abspath(path))
        return self._path(printable(spec.name), path, path.stat().st_mode, is_ours=True)

    def _command(self, spec: CommandLine) -> Recognised:
        """The build plan for a command line; of a source that it names, what belongs to it can be read as well."""
        from dohyo.bots.programs import command_plan

        called = printable(text_of(spec))
        plan = command_plan(called, list(spec.words), self._tools)
        shown = list(plan.shown)
        for path in [Path(shown_path) for shown_path in plan.shown if by_ending(os.path.basename(shown_path))]:
            if path.is_file():
                if path.is_symlink():
                    raise link_error(path, called)
                files = self.reader.examine(self._area.take_file(path, called), COMMAND).files
                shown += [str(path.parent / name) for name in files]
        return Recognised(replace(plan, shown=tuple(dict.fromkeys(shown))))

    def _path(self, spec: str, path: Path, mode: int, *, is_ours: bool, entry: bool = False) -> Recognised:
        """The build plan for something that is there, from the copy that is made of it; `spec` is what messages call
        it. What is not ours may be a stranger's.
        """
        if path.is_symlink():
            raise link_error(path, spec)
        if stat.S_ISREG(mode) and is_of_folder(path.name) and not entry:
            # A shell's `*` names one that a stranger has put among others' hand-ins: it never means the whole folder.
            raise OperatorError("bot-names-manifest", bot=spec, folder=printable(str(path.parent)))
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OperatorError("bot-odd-file", bot=spec, file=printable(path.name))
        if not os.access(path, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
            raise OperatorError("bot-unreadable", bot=spec)
        if stat.S_ISDIR(mode):
            taken, kind = self._area.take_folder(path, spec), FOLDER
        elif is_unpacked(path.name):
            taken, kind = self.reader.unpack(path, spec), FOLDER
        else:
            taken, kind = self._area.take_file(path, spec), FILE
        if is_ours:
            tools = self._tools.for_samples()
            plan = recognise_copy(kind, spec, taken.root, taken.alone, tools, BesideCopy(taken))
        else:
            taken.follows = taken.follows and not entry
            plan = self.reader.examine(taken, kind)
        basis = basis_of(taken, plan) if kind == FILE and is_source(path) else None
        taken.keep_only(plan.files if kind == FILE else taken.files)
        return self._settled(plan, taken)._replace(basis=basis)

    def _settled(self, plan: BuildPlan, taken: HandInCopy) -> Recognised:
        """The build plan with all that it names of the copy in the place where that stays."""
        root = taken.root
        kept, digest = self._area.settle(taken)
        placed = {
            name: content if isinstance(content, bytes) else kept / content.relative_to(root)
            for name, content in plan.placed.items()
        }
        # A build may write down where it lies: one made under a neutral path is no use elsewhere.
        tools = (*plan.tools, BUILT if self._terms.own_files else "")
        if OWN_PYTHON in plan.uses and plan.steps:
            from dohyo.bots.declared import own_version

            tools = (*tools, own_version())
        return Recognised(replace(plan, placed=placed, digest=digest, tools=tools), str(kept), bool(taken.alone))


def _with_arguments(found: Recognised, spec: HandIn | Sample) -> Recognised:
    """The build plan with arguments behind the program: "bot.cpp --depth 3".

    Files that they name can be read, and count, if the arguments are the operator's.
    """
    words = spec.arguments
    if not words:
        return found
    from dohyo.bots.programs import cut_name, digest_of_words

    plan, names_files = found.plan, isinstance(spec, Sample) or spec.names_files
    shown = named([word for word in words if os.path.isabs(word)], "/") if names_files else []
    plan = replace(
        plan,
        spec=printable(text_of(spec)),
        name=cut_name(" ".join([plan.name, *parameters.in_short(words)])),
        command=(*plan.command, *words),
        digest=digest_of_words([plan.digest, *words], names_files),
        shown=(*plan.shown, *shown),
    )
    return found._replace(plan=plan, basis=None)


def basis_of(taken: HandInCopy, plan: BuildPlan) -> Basis | None:
    """What was looked at to recognise a lone source; none where that was a whole folder, or Dohyo's own sources."""
    if taken.is_listed or len(taken.missing) > MAX_MISSING or (plan.steps and OWN_PYTHON in plan.uses):
        return None
    files = {name: content_of(path) for name, path in taken.paths().items()}
    code = code_of(plan.language)
    return Basis(str(taken.origin), taken.alone, files, tuple(plan.files), tuple(sorted(taken.missing)), code)


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


def _build_all(
    found: Sequence[Recognised], where: Path, seconds: float, build_sandbox: BuildSandbox | None
) -> list[Built | None]:
    """The build of every plan, in order; None for one that needs no building."""
    if not any(each.plan.builds for each in found):
        return [None for _ in found]
    from dohyo.bots.builds import find, folder_of, key_of
    from dohyo.bots.newly_kept import note_to_build, note_used

    keys = [key_of(each.plan) if each.plan.builds else "" for each in found]
    wanted = {key: each for key, each in zip(keys, found, strict=True) if key}
    for key in wanted:
        note_used(folder_of(where, key))
    done = {key: find(where, each.plan, key) for key, each in wanted.items()}
    if missing := {key: each for key, each in wanted.items() if done[key] is None}:
        from dohyo.bots.building import build_side_by_side

        for key in missing:
            note_to_build(folder_of(where, key))
        done.update(build_side_by_side(missing, where, seconds, build_sandbox))
    return [done.get(key) for key in keys]


def _bot(spec: BotSpec, found: Recognised, made: Built | None) -> Bot:
    plan, staged, built = found.plan, found.staged, made.folder if made else ""
    form = (*plan.command, plan.folder)
    *command, folder = fill(form, staged, built)
    return Bot(
        name=clean.storable(plan.name),
        command=tuple(command),
        folder=folder,
        digest=plan.digest,
        language=plan.language,
        lifetime=plan.lifetime,
        log=made.log if made else "",
        copied=plan.folder == BUILD,
        form=form if staged else (),
        staged=staged,
        built=built,
        programs=found.programs,
        shown=(*plan.shown, *([OURS] if RUNTIME in plan.uses else [])),
        debug=plan.debug,
        spec=spec,
        is_lone=found.alone,
        left_out=tuple(map(clean.storable, plan.left_out)),
        apart=tuple(map(clean.storable, plan.apart)),
    )
