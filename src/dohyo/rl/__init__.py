"""Environments for learners: every game with the interfaces that training programs use.

    import gymnasium
    import dohyo.rl

    env = gymnasium.make("dohyo/drop-block-v1", opponents=["hunter", "random", "random"])

    Env          a Gymnasium environment: one seat learns, the others are policies, or bots as processes
    VectorEnv    the same for thousands of games at once, on compiled rules
    vectorize    a VectorEnv, or if an opponent cannot be compiled (a bot), as many Env one after the other
    League       opponents that are drawn by rating; `Batched` is one that decides for many games at once,
                 `Programs` lets a VectorEnv's league have bots among them
    Reward       what a learner gets: places, points, a function of one's own; and pay for each step
    AEC          a PettingZoo environment in which agents act one after the other; every seat learns
    Parallel     the same, where all act at once (`parallel_env`: only for games of which that is true)

`env.py`, `vector.py` and `zoo.py` hold these. `agent_match.py` is one match in which agents play, `observer.py` what
an agent sees and may do, `opponents.py` who plays on the other seats, `registration.py` the names in Gymnasium;
`picture.py` draws, `sb3.py` is for Stable-Baselines3, `puffer.py` for PufferLib.

Importing this package registers every game with Gymnasium as `dohyo/NAME-vVERSION`. `docs/learning.md` explains the
observations, masks, rewards and seeds of all of them.

Raises `OperatorError` if Gymnasium, PettingZoo or NumPy is not installed.
"""

from __future__ import annotations

import importlib

from dohyo.core.errors import OperatorError


def require(*names: str) -> None:
    """Import these modules. Raises `OperatorError` for one that is not installed."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise OperatorError("needs-rl", library=name) from error


require("numpy", "gymnasium", "pettingzoo")

from dohyo.core.rewards import Reward  # noqa: E402
from dohyo.rl.env import Env  # noqa: E402
from dohyo.rl.league import Batched, League  # noqa: E402
from dohyo.rl.league_programs import Programs  # noqa: E402
from dohyo.rl.registration import register, register_all  # noqa: E402
from dohyo.rl.vector import VectorEnv, vectorize  # noqa: E402
from dohyo.rl.zoo import AEC, Parallel, parallel_env  # noqa: E402

register_all()

__all__ = [
    "AEC",
    "Batched",
    "Env",
    "League",
    "Parallel",
    "Programs",
    "Reward",
    "VectorEnv",
    "parallel_env",
    "register",
    "vectorize",
]
