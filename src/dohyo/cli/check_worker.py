"""A process that examines hand-ins for `dohyo check`, one at a time, until its socket ends.

It is started as a worker of the pool is, and ends as that does (`dohyo.executors.pool_worker`).
"""

from __future__ import annotations

import pickle
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.executors.pool_worker import READY, main

if TYPE_CHECKING:
    from dohyo.core.replay import Replay


class CheckOrder(msgspec.Struct, frozen=True):
    """A hand-in to be examined: options of `check_bot`, by which each process comes to the same; `keeps`: whether the
    replay of the first match that goes wrong is wanted."""

    game: str
    path: str
    seed: int
    setup: dict[str, Any]
    clock: str | None
    python: str | None
    sandbox: str
    debug: bool
    keeps: bool


class CheckAnswer(msgspec.Struct, frozen=True):
    """A pickled `CheckReport`, empty where none could be made here; and an encoded replay, if one is wanted."""

    report: bytes = b""
    replay: bytes = b""


def examined(order: CheckOrder) -> CheckAnswer:
    """What an order asks for. What is nobody's hand-in's fault is left to who asked: there it is raised again."""
    from dohyo.bench.check import hand_ins
    from dohyo.core import replay_format
    from dohyo.match import own_games

    kept: list[Replay] = []
    options = {name: getattr(order, name) for name in ("seed", "setup", "clock", "python", "sandbox", "debug")}
    keep = kept.append if order.keeps else None
    try:
        found = hand_ins.examined(own_games.find(order.game), Path(order.path), keep=keep, **options)
        return CheckAnswer(pickle.dumps(found), replay_format.encode(kept[0]) if kept else b"")
    except (OperatorError, pickle.PicklingError):
        return CheckAnswer()


def serve(descriptor: int, name: str, cores: list[int], folder: str) -> None:
    """Examine what comes, and answer."""
    import tempfile

    from dohyo.executors.messages import MessageChannel
    from dohyo.executors.scheduling import pin_to

    pin_to(cores)
    tempfile.tempdir = folder
    with socket.socket(fileno=descriptor) as end:
        end.set_inheritable(False)
        channel = MessageChannel(end, CheckOrder)
        channel.send(READY)
        while channel.open:
            for order in channel.receive():
                channel.send(examined(order))
                if not channel.heard:
                    return


if __name__ == "__main__":
    main(serve)
