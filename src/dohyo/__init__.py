"""Dohyo, the arena for programs that play games.

    import dohyo

    replay = dohyo.play("drop-block", ["hunter", "random", "./mine.cpp", "python3 other.py"], seed=7)
    print(replay.result.places)
    dohyo.save(replay, "m.replay")

    play(game, bots, *, seed, setup, clock, resume, first, python, pondering, sandbox, on_turn, on_progress)
                                                                play one match; its replay
    compare(game, candidate, baselines, ...)                    whether a bot is better, with `to_frame()`
    contest(game, bots, *, folder, format, rounds, store, ...)  hold a contest, or go on with it; its standings
    matches(store, name, bot)                                   its matches by seat, with `to_frame()`
    ratings(store, name)                                        its ratings, batch by batch, with `to_frame()`
    standings(store, name)                                      its standings, with `to_frame()`
    analyse(replay)                                             why a match went as it did: chances, turning points
    save(replay, path), load(path)                              a replay as a file, compressed if it ends in .zst
    verify(replay)                                              play the recorded moves again, compare every state
    Bot                                                         a bot as a class: write its method `act`
    Observation, Action                                         what `act` is given, and what it returns
    Replay                                                      header, turns and result of a match; a notebook shows
                                                                it, and `to_frame()` makes a data frame of it
    OperatorError                                               what you got wrong, in one sentence
    Interrupted                                                 Ctrl-C during a match; holds the replay so far

What stands in `__all__` is stable; everything else may move between versions.
"""

from dohyo.system import interpreter

interpreter.forget_current_folder()  # before anything of the standard library is imported, even `__future__`

TYPE_CHECKING = False  # as of `typing`, which is not imported here: see `dohyo.cli`

__version__ = "0.1.0"
__all__ = [
    "Action",
    "Bot",
    "Interrupted",
    "Observation",
    "OperatorError",
    "Replay",
    "__version__",
    "analyse",
    "compare",
    "contest",
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
    "Action": "dohyo.core.observation",
    "Bot": "dohyo.match.python_bot",
    "Interrupted": "dohyo.match.play",
    "Observation": "dohyo.core.observation",
    "OperatorError": "dohyo.core.errors",
    "Replay": "dohyo.core.replay",
    "analyse": "dohyo.series.from_python",
    "compare": "dohyo.series.from_python",
    "contest": "dohyo.series.from_python",
    "load": "dohyo.match.replays.replays",
    "matches": "dohyo.series.from_python",
    "play": "dohyo.match.from_python",
    "ratings": "dohyo.series.from_python",
    "save": "dohyo.match.replays.replays",
    "standings": "dohyo.series.from_python",
    "verify": "dohyo.match.replays.replays",
}

if TYPE_CHECKING:  # the same for those who check types: with a `__getattr__`, every misspelt name would be one
    from typing import Any

    from dohyo.core.errors import OperatorError
    from dohyo.core.observation import Action, Observation
    from dohyo.core.replay import Replay
    from dohyo.match.from_python import play
    from dohyo.match.play import Interrupted
    from dohyo.match.python_bot import Bot
    from dohyo.match.replays.replays import load, save, verify
    from dohyo.series.from_python import analyse, compare, contest, matches, ratings, standings
else:

    def __getattr__(name):
        import importlib

        if name not in _HOMES:
            raise AttributeError(f"module 'dohyo' has no attribute {name!r}", name=name)
        found = getattr(importlib.import_module(_HOMES[name]), name)
        if name not in ("Action", "Bot", "Observation", "OperatorError"):  # all others may hand out replays
            importlib.import_module("dohyo.core.replay").Replay.shown_by = _Shows()
        return found


class _Shows:
    """Shows replays: by packages above the one that defines them, imported when that is asked for."""

    def html(self, replay: "Replay") -> str:
        """The replay as an element of HTML, as notebooks show it; see `dohyo.web.page`."""
        import importlib

        shown: str = importlib.import_module("dohyo.web.page").replay_html(replay)
        return shown

    def frame(self, replay: "Replay", library: str) -> "Any":
        """The replay's moves as a data frame of `pandas` or `polars`."""
        import importlib

        dataframes = importlib.import_module("dohyo.series.dataframes")
        return dataframes.frame(dataframes.moves_of(replay), library)

    def reason(self, key: str, game: str | None, sentences: "Any") -> str:
        """Why a match ended, as a sentence; `key` is the reason's key in the replay's result."""
        import importlib

        told: str = importlib.import_module("dohyo.match.telling.words").reason(key, game, sentences)
        return told


def __dir__() -> list[str]:
    return sorted(__all__)
