"""The layers of the sandbox that this machine has, and a match under each of them.

The only file here that knows how a match is put into a sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from dohyo.core.replay import Replay
from dohyo.core.sandbox import SandboxFactory, Shown
from dohyo.match.play import play_match
from dohyo.sandbox import FOR_BUILDING, FOR_READING, Limits, Sandbox, at_layer, landlock
from dohyo.sandbox.machine import survey
from tests.skips import Reason, skip_for

FREE = 4  # the layer that is none

# Small limits, so that a guest that passes them by 200 MiB harms nobody.
MEBIBYTES = 128
TASKS = 32
DISK = 16  # MiB
BUILD_MEBIBYTES = 256
BUILD_DISK = 48  # MiB
# What an older Landlock does not know; the page says so.
LANDLOCK = {"signals": 6, "writes_itself": 3, "writes_neighbour": 3}
SMALL = Limits(memory=MEBIBYTES << 20, tasks=TASKS, disk=DISK << 20)
SMALL_BUILDING = Limits(memory=BUILD_MEBIBYTES << 20, tasks=64, disk=BUILD_DISK << 20)


class SmallSandbox(Sandbox):
    """A sandbox with the small limits, whatever it is asked for."""

    def factory(
        self, shown: Shown, environment: Mapping[str, str], limits: Limits = SMALL, **options: Any
    ) -> SandboxFactory | None:
        """What makes a sandboxed run, as of any sandbox; hand-ins are read within the usual limits."""
        small = {FOR_BUILDING: SMALL_BUILDING, FOR_READING: FOR_READING}.get(limits, SMALL)
        return super().factory(shown, environment, small, **options)


@cache
def small_sandbox(layer: int) -> Sandbox | None:
    """The sandbox of a layer with small limits; none where this machine has no such layer.

    Layer 3 is taken without a control group: the table tells what it promises where there is none.
    """
    sandbox = at_layer(layer)
    if sandbox is None:
        return None
    small = SmallSandbox.__new__(SmallSandbox)
    small.__dict__.update(sandbox.__dict__)
    if layer == 3:
        small._groups = None
    for bound in (True, False):  # the filters are made once, and stay open: nothing that a test leaves behind
        small.factory(Shown("/"), {}, bound=bound)
    return small


def has_all_for(layer: int, guest: str) -> bool:
    """Whether this machine's layer, where it has it, has all that holds this guest."""
    return layer != 3 or LANDLOCK.get(guest, 0) <= landlock.version()


def need(layer: int, guest: str = "") -> None:
    """Skip the test where this machine does not have the layer, or not all that holds this guest."""
    if not has_all_for(layer, guest):
        skip_for(Reason.KERNEL, f"Landlock holds {guest} from its version {LANDLOCK[guest]} on")
    if small_sandbox(layer) is None:
        why = next((known.reason for known in survey() if known.number == layer), "")
        skip_for(Reason.KERNEL, f"no layer {layer} of the sandbox ({why})")


def play(layer: int, game: str, bots: list[str], **options: Any) -> Replay:
    """A match under a layer, with the small limits."""
    sandbox = small_sandbox(layer)
    assert sandbox is not None
    return play_match(game, bots, sandbox=sandbox, **options)
