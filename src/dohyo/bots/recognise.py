"""From the operator's word for a bot to its recipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from dohyo.bots.content import printable
from dohyo.bots.declared import COMMANDS, TOML, declared_recipe, declares
from dohyo.bots.languages import by_ending
from dohyo.bots.programs import command_recipe, cut_name, digest_of_words, own_program, program_recipe, split
from dohyo.bots.recipe import Recipe
from dohyo.bots.sources import file_recipe, folder_recipe
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError

# Files that stand for the folder they lie in.
_FOLDER_FILES = (TOML, COMMANDS, "Cargo.toml", "go.mod", "package.json")
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")


def recognise(spec: str, samples: Mapping[str, Path], tools: Tools) -> Recipe:
    """What the operator means by `spec`: a path, the name of a sample bot, or a command line, in this order.

    Raises `OperatorError` with the remedy when it is none of them, or not usable.
    """
    if not spec.strip() or "\0" in spec:
        raise OperatorError("bot-no-name")
    recipe = _existing(spec, samples, tools) or command_recipe(printable(spec), spec, tools)
    if recipe is None:
        recipe = _with_arguments(spec, samples, tools)
    if recipe is None:
        raise _unknown(spec, samples)
    return recipe


def _existing(spec: str, samples: Mapping[str, Path], tools: Tools) -> Recipe | None:
    """The recipe for a path or a sample bot; None when `spec` is neither."""
    for path in (Path(os.path.expanduser(spec)), samples.get(spec), samples.get(spec.lower())):
        if path is None:
            continue
        try:
            mode = path.stat().st_mode
        except PermissionError as error:
            raise OperatorError("bot-unreadable", bot=printable(spec)) from error
        except OSError:
            continue  # not there; or too long for a path, or a loop of links: it may be a command line
        return _path(printable(spec), Path(os.path.abspath(path)), mode, tools)
    return None


def _with_arguments(spec: str, samples: Mapping[str, Path], tools: Tools) -> Recipe | None:
    """The recipe for a source, a folder or a sample bot with arguments behind it: "bot.cpp --depth 3"."""
    words = split(spec)
    if len(words) < 2:
        return None
    recipe = _existing(words[0], samples, tools)
    if recipe is None:
        return None
    return msgspec.structs.replace(
        recipe,
        spec=printable(spec),
        name=cut_name(" ".join([recipe.name, *words[1:]])),
        command=(*recipe.command, *words[1:]),
        digest=digest_of_words([recipe.digest, *words[1:]]),
    )


def _path(spec: str, path: Path, mode: int, tools: Tools) -> Recipe:
    """The recipe for something that is there."""
    if stat.S_ISREG(mode) and path.name in _FOLDER_FILES:
        path, mode = path.parent, stat.S_IFDIR
    if stat.S_ISDIR(mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise OperatorError("bot-unreadable", bot=spec)
        found = declared_recipe(spec, path, tools) if declares(path) else folder_recipe(spec, path, tools)
    elif not stat.S_ISREG(mode):
        raise OperatorError("bot-odd-file", bot=spec, file=printable(path.name))
    elif not os.access(path, os.R_OK):
        raise OperatorError("bot-unreadable", bot=spec)
    else:
        found = _file(spec, path, tools)
    return found


def _file(spec: str, path: Path, tools: Tools) -> Recipe:
    """The recipe for one file: a compiled program whatever it is called, a source by its ending, or an executable."""
    language = by_ending(path.name)
    if language is not None and not (path.suffix == ".exe" and own_program(path)):
        return file_recipe(spec, path, language, tools)
    if path.suffix.lower() in _ARCHIVES:
        raise OperatorError("bot-archive", bot=spec)
    return program_recipe(spec, path)


def _unknown(spec: str, samples: Mapping[str, Path]) -> OperatorError:
    """The error for a word that means nothing here, with what was probably meant."""
    import difflib

    path = Path(os.path.abspath(os.path.expanduser(spec)))
    beside = []
    if path.parent.is_dir() and os.access(path.parent, os.R_OK | os.X_OK):
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
        bot=printable(spec),
        nearest=f" ({', '.join(printable(name) for name in meant[:3])}?)" if meant else "",
        samples=", ".join(plain) or "-",
    )
