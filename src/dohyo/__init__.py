"""Dohyo, the arena for programs that play games.

    import dohyo

    replay = dohyo.play("drop-block", ["hunter", "random", "./mine.cpp", "python3 other.py"], seed=7)
    print(replay.result.places)
    dohyo.save(replay, "m.replay")

What stands in `__all__` is stable; everything else may move between versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["OperatorError", "Replay", "__version__", "load", "play", "save", "verify"]

# The rooms are imported when they are used: a start should not pay for what it does not need.
_HOMES = {
    "OperatorError": "dohyo.core.errors",
    "Replay": "dohyo.core.replay",
    "load": "dohyo.run.files",
    "play": "dohyo.run.table",
    "save": "dohyo.run.files",
    "verify": "dohyo.run.files",
}

if TYPE_CHECKING:
    from dohyo.core.errors import OperatorError
    from dohyo.core.replay import Replay
    from dohyo.run.files import load, save, verify
    from dohyo.run.table import play_match as play


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'dohyo' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), "play_match" if name == "play" else name)
