"""The layers of the sandbox that this machine has, and a match under each of them.

The only file here that knows how a match is put into a box.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.replay import Replay
from dohyo.run.table import play_match
from tests.skips import Reason, skip_for

FREE = 4  # the layer that is none

# Small limits, so that a guest that passes them by 200 MiB harms nobody.
MEBIBYTES = 128
TASKS = 32
DISK = 16  # MiB
BUILD_MEBIBYTES = 256
BUILD_DISK = 48  # MiB


def need(layer: int) -> None:
    """Skip the test where this machine does not have the layer."""
    if layer != FREE:
        skip_for(Reason.KERNEL, f"no layer {layer} of the sandbox")


def play(layer: int, game: str, bots: list[str], **options: Any) -> Replay:
    """A match under a layer, with the small limits."""
    return play_match(game, bots, **options)
