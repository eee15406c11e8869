"""From the operator's word for a bot to its recipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dohyo.bots.companions import Near, companions
from dohyo.bots.content import printable
from dohyo.bots.declared import FOLDER_FILES, declared_recipe, declares, own_version
from dohyo.bots.languages import by_ending
from dohyo.bots.packed import is_packed, is_unpacked
from dohyo.bots.programs import (
    command_recipe,
    cut_name,
    digest_of_words,
    named,
    own_program,
    program_recipe,
    split,
)
from dohyo.bots.recipe import Recipe
from dohyo.bots.sources import file_recipe, folder_recipe
from dohyo.bots.staging import HandIn, link_error
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.core.errors import OperatorError
from dohyo.core.sandbox import BUILT

if TYPE_CHECKING:
    from dohyo.bots.intake import Intake

FILE, FOLDER, COMMAND = "file", "folder", "command"  # kinds of what is examined


class Found(NamedTuple):
    """A recipe, and the folder with the copy of the hand-in, empty for an operator's command line.

    `alone` is a file that was handed in without its folder.
    """

    recipe: Recipe
    staged: str = ""
    alone: bool = False


def recognise(
    spec: str, samples: Mapping[str, Path], tools: Tools, intake: Intake, *, is_command: bool = False
) -> Found:
    """What the operator means by `spec`: a path, the name of a sample bot, or a command line, in this order.

    With `is_command` it is a command line, whatever files there are. Raises `OperatorError` with the remedy when it
    is none of them, or not usable.
    """
    if not spec.strip() or "\0" in spec:
        raise OperatorError("bot-no-name")
    found = None if is_command else _existing(spec, samples, tools, intake)
    found = found or _command(spec, tools, intake)
    if found is None:
        found = _with_arguments(spec, samples, tools, intake)
    if found is None:
        raise _unknown(spec, samples)
    return found


def _existing(spec: str, samples: Mapping[str, Path], tools: Tools, intake: Intake) -> Found | None:
    """The recipe for a path or a sample bot; None when `spec` is neither."""
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
        return _path(printable(spec), Path(os.path.abspath(path)), mode, tools, path is own, intake)
    return None


def _command(spec: str, tools: Tools, intake: Intake) -> Found | None:
    """The recipe for a command line; of a source that it names, what belongs to it can be read as well."""
    recipe = command_recipe(printable(spec), spec, tools)
    if recipe is None:
        return None
    shown = list(recipe.shown)
    for path in [Path(shown_path) for shown_path in recipe.shown if by_ending(os.path.basename(shown_path))]:
        if path.is_file():
            if path.is_symlink():
                raise link_error(path, printable(spec))
            taken = intake.area.take_file(path, printable(spec))
            files = intake.examine(taken, COMMAND).files
            shown += [str(path.parent / name) for name in files]
    return Found(msgspec.structs.replace(recipe, shown=tuple(dict.fromkeys(shown))))


def _with_arguments(spec: str, samples: Mapping[str, Path], tools: Tools, intake: Intake) -> Found | None:
    """The recipe for a source, a folder or a sample bot with arguments behind it: "bot.cpp --depth 3".

    The arguments are the operator's: files that they name can be read.
    """
    words = split(spec)
    if len(words) < 2:
        return None
    found = _existing(words[0], samples, tools, intake)
    if found is None:
        return None
    recipe = found.recipe
    return Found(
        msgspec.structs.replace(
            recipe,
            spec=printable(spec),
            name=cut_name(" ".join([recipe.name, *words[1:]])),
            command=(*recipe.command, *words[1:]),
            digest=digest_of_words([recipe.digest, *words[1:]]),
            shown=(*recipe.shown, *named([word for word in words[1:] if os.path.isabs(word)], "/")),
        ),
        found.staged,
        found.alone,
    )


def _path(spec: str, path: Path, mode: int, tools: Tools, strange: bool, intake: Intake) -> Found:
    """The recipe for something that is there, from the copy that is made of it; it may be a stranger's."""
    if path.is_symlink():
        raise link_error(path, spec)
    if stat.S_ISREG(mode) and path.name in FOLDER_FILES and not intake.entries:
        path, mode = path.parent, stat.S_IFDIR
        if path.is_symlink():
            raise link_error(path, spec)
    if stat.S_ISDIR(mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise OperatorError("bot-unreadable", bot=spec)
        taken, kind = intake.area.take_folder(path, spec), FOLDER
    elif not stat.S_ISREG(mode):
        raise OperatorError("bot-odd-file", bot=spec, file=printable(path.name))
    elif not os.access(path, os.R_OK):
        raise OperatorError("bot-unreadable", bot=spec)
    elif is_unpacked(path.name):
        taken, kind = intake.unpack(path, spec), FOLDER
    else:
        taken, kind = intake.area.take_file(path, spec), FILE
    if strange:
        recipe = intake.examine(taken, kind)
    else:
        near = BesideCopy(taken)
        recipe = recognise_copy(kind, spec, taken.root, taken.alone, tools, near)
    taken.keep_only(recipe.files if kind == FILE else taken.files)
    return _settled(recipe, taken, intake)


def _settled(recipe: Recipe, taken: HandIn, intake: Intake) -> Found:
    """The recipe with all that it names of the copy in the place where that stays."""
    root = taken.root
    kept, digest = intake.area.settle(taken)
    placed = {
        name: content if isinstance(content, bytes) else kept / content.relative_to(root)
        for name, content in recipe.placed.items()
    }
    # A build may write down where it lies: one made under a neutral path is no use elsewhere.
    tools = (*recipe.tools, BUILT if intake.own_files else "")
    if OWN_PYTHON in recipe.uses and recipe.steps:
        tools = (*tools, own_version())
    found = msgspec.structs.replace(recipe, placed=placed, digest=digest, tools=tools)
    return Found(found, str(kept), bool(taken.alone))


def recognise_copy(kind: str, spec: str, root: Path, file: str, tools: Tools, near: Near) -> Recipe:
    """The recipe for a copy of a hand-in: a folder, or with `file` that one in it; `near` brings what lies beside.

    Raises `OperatorError` with the remedy where it cannot be used.
    """
    path = root / file
    if kind == COMMAND:
        language = by_ending(file)
        files = companions(path, language.name, near) if language is not None else [path]
        return Recipe(spec, "", (), "", "", files=tuple(one.relative_to(root).as_posix() for one in files))
    if kind == FILE:
        return _file(spec, path, tools, near)
    return declared_recipe(spec, root, tools) if declares(root) else folder_recipe(spec, root, tools)


def _file(spec: str, path: Path, tools: Tools, near: Near) -> Recipe:
    """The recipe for one file: a compiled program whatever it is called, a source by its ending, or an executable."""
    language = by_ending(path.name)
    if language is not None and not (path.suffix == ".exe" and own_program(path)):
        return file_recipe(spec, path, language, tools, near)
    if is_packed(path.name):
        raise OperatorError("bot-archive", bot=spec)
    return program_recipe(spec, path, path.parent, tools)


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
        with suppress(ValueError):
            origin = self._taken.origin / folder.relative_to(self._taken.root)
            return sorted(folder / source.name for source in origin.glob("*.java"))
        return []


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
        near += difflib.get_close_matches(spec, list(known), n=2, cutoff=0.6)
    meant = list(dict.fromkeys(stems.get(name, name) if name not in samples else name for name in near))
    return OperatorError(
        "bot-unknown",
        bot=printable(typed),
        nearest=f" ({', '.join(printable(name) for name in meant[:3])}?)" if meant else "",
        samples=", ".join(plain) or "-",
    )
