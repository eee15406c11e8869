"""A folder of hand-ins, checked one by one: a bot that does not build is a row like any other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from dohyo import clean
from dohyo.bench.check.check import check_bot, check_options
from dohyo.bench.check.findings import CheckReport, wrong
from dohyo.bots.content import is_notebook, is_packed
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import BuildError, MachineError, OperatorError
from dohyo.core.game import Game
from dohyo.i18n import Message
from dohyo.languages import by_ending
from dohyo.match.hand_in_names import Names

ASIDE = ("__pycache__", "__MACOSX", "node_modules")


def hand_ins(folder: Path) -> list[Path]:
    """The bots in a folder, by name: sources, programs, packed files and folders, but no texts and the like.

    A packed file counts even if it has to be unpacked by hand: the check tells its author so.
    Raises `OperatorError` when the folder cannot be read or holds none.
    """
    if found := [path for path in _entries(folder) if _is_bot(path)]:
        return found
    raise OperatorError("check-no-bots", folder=folder)


def no_hand_ins(folder: Path) -> list[Path]:
    """What else is in a folder of hand-ins, by name: documents and the like; nothing that is hidden.

    Raises `OperatorError` when the folder cannot be read.
    """
    return [path for path in _entries(folder) if not _is_bot(path)]


def _entries(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name.casefold())
    except OSError as error:
        raise OperatorError("cannot-read", path=folder, reason=error) from error
    return [path for path in entries if not path.name.startswith(".") and path.name not in ASIDE]


def _is_bot(path: Path) -> bool:
    """Whether it is a folder, a source, a program or an archive; a broken link counts, so that it gets its sentence.

    No link, however broken, raises an error here.
    """
    if os.path.isdir(path) or (os.path.islink(path) and not os.path.exists(path)):
        return True
    known = by_ending(path.name) is not None or is_packed(path.name) or is_notebook(path.name)
    return os.path.isfile(path) and (known or os.access(path, os.X_OK))


def check_all(
    game: Game,
    paths: list[Path],
    *,
    on_start: Callable[[Path], None] | None = None,
    names: Names | None = None,
    examine: Callable[[Path], CheckReport] | None = None,
    **options: Any,
) -> Iterator[CheckReport]:
    """The reports on bots, each as soon as it is done; `on_start` is called before each, `options` are `check_bot`'s.

    Each bot has its file's name; `names` say who handed it in. `examine` is what makes a report, if not `examined`
    in this process.

    Raises `OperatorError` for a wrong setup or clock before any bot is checked.
    """
    check_options(game, options.get("seed", 0), options.get("setup"), options.get("clock"))
    for path in paths:
        if on_start is not None:
            on_start(path)
        found = examined(game, path, **options) if examine is None else examine(path)
        if names is not None:
            found.person = names.of_hand_in(clean.storable(path.name), found.name if found.digest else "")
        found.name = path.name
        yield found


def examined(game: Game, path: Path, **options: Any) -> CheckReport:
    """The report on one hand-in, also on one that cannot be used; `options` are `check_bot`'s.

    Raises `OperatorError` where the hand-in is not to blame.
    """
    try:
        return check_bot(game, HandIn(str(path.absolute()), entry=True), **options)
    except OperatorError as error:
        refused = unusable_bot(game, path, error)
        if refused is None:
            raise
        return refused


def of_nobody(game: Game, paths: list[Path], names: Names) -> Iterator[CheckReport]:
    """Reports on what is no bot, and belongs to somebody of whom no bot was found; ask when all bots are known."""
    for path in paths:
        if person := names.of_other(clean.storable(path.name)):
            yield CheckReport(game.name, path.name, "", [wrong("check.no-hand-in")], person=person)


def read_names(path: str, paths: list[Path], others: list[Path]) -> Names:
    """Who handed in `paths`, and `others` that are no hand-ins, by a file of the operator, which must fit them.

    Raises `OperatorError` if it does not, or cannot be read (`dohyo.match.hand_in_names`).
    """
    tried = Names.of(path)
    for each in paths:
        tried.of_hand_in(clean.storable(each.name))
    for each in others:
        tried.of_other(clean.storable(each.name))
    tried.tell(lambda key, **details: None)
    return Names.of(path)


def alike_among(found: Sequence[CheckReport]) -> list[list[CheckReport]]:
    """Hand-ins that hold the very same files, whatever these are called: groups of two or more."""
    groups: dict[str, list[CheckReport]] = {}
    for each in found:
        if each.likeness:
            groups.setdefault(each.likeness, []).append(each)
    return [group for group in groups.values() if len(group) > 1]


def unusable_bot(game: Game, path: Path, error: OperatorError) -> CheckReport | None:
    """The report on a bot that is not there or does not build; none if the bot is not to blame."""
    if isinstance(error, MachineError):
        return None
    finding = wrong("check.unusable", error=_without_folder(error, f"{path.absolute().parent}/"))
    finding.errors = error.log.rstrip() if isinstance(error, BuildError) else ""
    known = by_ending(path.name)
    return CheckReport(game.name, path.name, known.name if known else "", [finding])


def _without_folder(error: OperatorError, folder: str) -> OperatorError:
    """The error as it is printed beside the hand-in's name, without the folder, which is the same in each row."""
    told = copy(error)
    values = error.message.values.items()
    told.message = Message(
        error.key, {name: value.replace(folder, "") if isinstance(value, str) else value for name, value in values}
    )
    return told
