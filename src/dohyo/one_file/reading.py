"""A file of rules is read: imported, and completed by what stands beside it and by the defaults."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.flat import WIDTH, OverflowsError
from dohyo.core.game import Game
from dohyo.core.referee import Referee
from dohyo.i18n import load
from dohyo.one_file.making import game_of, known_names
from dohyo.one_file.names import check_spelling

# Files in the folder beside.
PARTS = ("setup", "protocol", "frame", "terminal", "observation_space", "outcome", "starter")


def read(module: ModuleType, loader: Any, file: Path, folder: Path, general_bots: Path) -> None:
    """Carry out a file of rules as `module`, whose GAME it has then.

    What the files in `folder` define counts as if it stood in the file; the folder need not be there. A GAME of the
    file's own stays. Raises `OperatorError`.
    """
    _carry_out(module, loader, file)
    if hasattr(module, "GAME"):
        return
    names = dict(vars(module))
    for part in PARTS:
        if (folder / f"{part}.py").is_file():
            beside = importlib.import_module(f"{module.__name__}.{part}")
            names |= {key: value for key, value in vars(beside).items() if not key.startswith("__")}
    beside_it = [folder / f"{part}.py" for part in (*PARTS, "reading")]
    check_spelling(file, [each for each in beside_it if each.is_file()], known_names())
    if (folder / "reading.py").is_file():  # whose `read` is another one than the protocol's
        names["READING"] = importlib.import_module(f"{module.__name__}.reading")
    vars(module)["GAME"] = game_of(names, file, folder, general_bots, load(folder / "i18n"))


def of_a_game(error: BaseException) -> OperatorError | None:
    """The sentence for what a game's own rules have raised, with the line of its file; none for any other error."""
    found = None
    if isinstance(error, OverflowsError):
        wider = [kind for kind in WIDTH if WIDTH[kind] > WIDTH[error.kind] and kind != "f8"]
        remedy = "game-file-overflow-wider" if wider and isinstance(error.value, int) else "game-file-overflow"
        about = {"layout": error.layout, "field": error.field, "value": error.value, "kind": error.kind}
        return OperatorError(remedy, **about, wider=wider[-1] if wider else "", **_when(error))
    for frame, line in traceback.walk_tb(error.__traceback__):
        game = frame.f_globals.get("GAME")
        file = frame.f_code.co_filename
        if isinstance(game, Game) and game.file is not None and str(game.file) == file:  # not the defaults of it
            told = f"{type(error).__name__}: {error}"
            about = {"file": file, "line": line, "error": told, "function": frame.f_code.co_name}
            found = OperatorError("game-file-raises", **about, **_when(error))
    return found


def _when(error: BaseException) -> dict[str, str]:
    """The turn and the seed of the match whose rules have raised this, where one was played."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        for value in frame.f_locals.values():
            if isinstance(value, Referee):
                found = {"turn": getattr(value, "turn", "?"), "seed": getattr(value, "seed", "?")}
                return {name: str(number) for name, number in found.items()}
    return {"turn": "?", "seed": "?"}


def _carry_out(module: ModuleType, loader: Any, file: Path) -> None:
    """Run the file. Whatever it raises is its author's to mend: told as a sentence, with its line."""
    try:
        loader.exec_module(module)
    except OperatorError:
        raise
    except Exception as error:
        lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == str(file)]
        line = getattr(error, "lineno", None) or (lines or [0])[-1]
        told = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
        raise OperatorError("game-file-fails", file=file, line=line or 0, error=told) from error
