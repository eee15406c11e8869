"""Dohyo, the arena for programs that play games.

    import dohyo

    replay = dohyo.play("drop-block", ["hunter", "random", "./mine.cpp", "python3 other.py"], seed=7)
    print(replay.result.places)
    dohyo.save(replay, "m.replay")

    play(game, bots, *, seed, setup, clock, resume, python, pondering, sandbox, on_turn, on_progress)
                                                                play one match; its replay
    save(replay, path), load(path)                              a replay as a file, compressed if it ends in .zst
    verify(replay)                                              play the recorded moves again, compare every state
    Bot                                                         a bot as a class: write its method `act`
    standings(store, name)                                      a contest's standings, with `to_frame()`
    matches(store, name, bot)                                   its matches by seat, with `to_frame()`
    ratings(store, name)                                        its ratings, batch by batch, with `to_frame()`
    compare(game, candidate, baselines, ...)                    whether a bot is better, with `to_frame()`
    Replay                                                      header, turns and result of a match; a notebook shows
                                                                it, and `to_frame()` makes a data frame of it
    OperatorError                                               what you got wrong, in one sentence
    Interrupted                                                 Ctrl-C during a match; holds the replay so far

What stands in `__all__` is stable; everything else may move between versions.
"""

from dohyo.system import interpreter

interpreter.forget_current_folder()  # before anything of the standard library is imported, even `__future__`

TYPE_CHECKING = False  # as of `typing`, which is not imported here: see `dohyo.cli`
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"
__all__ = [
    "Bot",
    "Interrupted",
    "OperatorError",
    "Replay",
    "__version__",
    "compare",
    "load",
    "matches",
    "play",
    "ratings",
    "save",
    "standings",
    "verify",
]

# Modules are imported when they are used: a start should not pay for what it does not need.
_HOMES = {
    "Bot": "dohyo.match.python_bot",
    "Interrupted": "dohyo.match.play",
    "OperatorError": "dohyo.core.errors",
    "Replay": "dohyo.core.replay",
    "compare": "dohyo.series.notebook",
    "load": "dohyo.match.replays.replays",
    "matches": "dohyo.series.notebook",
    "play": "dohyo.match.play",
    "ratings": "dohyo.series.notebook",
    "save": "dohyo.match.replays.replays",
    "standings": "dohyo.series.notebook",
    "verify": "dohyo.match.replays.replays",
}

if TYPE_CHECKING:
    from dohyo.core.errors import OperatorError
    from dohyo.core.replay import Replay
    from dohyo.match.play import Interrupted
    from dohyo.match.play import play_match as play
    from dohyo.match.python_bot import Bot
    from dohyo.match.replays.replays import load, save, verify


def __getattr__(name: str) -> "Any":
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'dohyo' has no attribute {name!r}", name=name)
    found = getattr(importlib.import_module(_HOMES[name]), "play_match" if name == "play" else name)
    if name in ("Interrupted", "Replay", "load", "play"):
        importlib.import_module("dohyo.core.replay").Replay.shown_by = _Shows()
    return found


class _Shows:
    """Shows replays: by packages above the one that defines them, imported when that is asked for."""

    def html(self, replay: "Any") -> "Any":
        """The replay as an element of HTML, as notebooks show it; see `dohyo.web.page`."""
        import importlib

        return importlib.import_module("dohyo.web.page").replay_html(replay)

    def frame(self, replay: "Any", library: str) -> "Any":
        """The replay's moves as a data frame of `pandas` or `polars`."""
        import importlib

        dataframes = importlib.import_module("dohyo.series.dataframes")
        return dataframes.frame(dataframes.moves_of(replay), library)

    def reason(self, key: str, game: str | None, sentences: "Any") -> "Any":
        """Why a match ended, as a sentence; `key` is the reason's key in the replay's result."""
        import importlib

        return importlib.import_module("dohyo.match.telling.words").reason(key, game, sentences)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
