"""Dohyo's games with the interface of Kaggle's environments: `make`, `run`, `render`.

    from dohyo.kaggle import make

    def agent(observation, configuration):
        return observation.legal_actions[0]

    env = make("drop-block", configuration={"turns": 40, "seed": 7}, debug=True)
    env.run([agent, "hunter", "random", "random"])
    env.render(mode="ipython")

    make(name, configuration, debug)    an `Environment`: `run`, `reset`, `step`, `train`, `render`, `toJSON`
    evaluate(name, agents, ...)         the rewards of several matches
    bot_of(agent)                       such an agent as a `dohyo.Bot`: `bot_of(agent).run()` makes its file a program

An agent is a function of an observation, or of an observation and the configuration; or what `dohyo.play` takes: the
name of a bot, a path, a `dohyo.Bot`. `docs/kaggle.md` says what is the same as there, and what differs.

`environment.py` is the environment, and what `train` returns; `agents.py` makes bots of functions, `steps.py` makes
steps of turns. The interface is that of kaggle-environments 1.33, of which nothing is needed or imported; a game that
Kaggle has too is seen as there: `make("connectx")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.kaggle.agents import Struct, bot_of
    from dohyo.kaggle.environment import Environment, evaluate, make

__all__ = ["Environment", "Struct", "bot_of", "evaluate", "make"]


if not TYPE_CHECKING:  # who checks types sees the names above, and finds a misspelt one

    def __getattr__(name):
        import importlib

        if name not in __all__:
            raise AttributeError(f"module 'dohyo.kaggle' has no attribute {name!r}", name=name)
        home = "agents" if name in ("Struct", "bot_of") else "environment"  # a bot's program needs `bot_of` alone
        return getattr(importlib.import_module(f"dohyo.kaggle.{home}"), name)
