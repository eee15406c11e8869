"""From the operator's word for a bot to its recipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from dohyo.bots.content import printable
from dohyo.bots.declared import COMMANDS, TOML, declared_recipe, declares
from dohyo.bots.languages import by_ending
from dohyo.bots.programs import command_recipe, own_program, program_recipe
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
    shown = printable(spec)
    if not spec.strip() or "\0" in spec:
        raise OperatorError("bot-no-name")
    path = Path(os.path.abspath(os.path.expanduser(spec)))
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except PermissionError as error:
        raise OperatorError("bot-unreadable", bot=shown) from error
    except OSError:
        pass  # too long for a path, or a loop of links: it may be a command line
    else:
        return _path(shown, path, status.st_mode, tools)
    sample = samples.get(spec) or samples.get(spec.lower())
    if sample is not None:
        return _path(shown, Path(os.path.abspath(sample)), sample.stat().st_mode, tools)
    recipe = command_recipe(shown, spec, tools)
    if recipe is not None:
        return recipe
    raise _unknown(spec, path, samples)


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


def _unknown(spec: str, path: Path, samples: Mapping[str, Path]) -> OperatorError:
    """The error for a word that means nothing here, with what was probably meant."""
    import difflib

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
