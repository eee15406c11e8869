"""Vector environments on a graphics card: in numba-cuda's simulator, and on a card where there is one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from dohyo.rl import League, VectorEnv
from tests.sim.test_cuda import has_card, run
from tests.skips import Reason, skip_for

AGREEMENTS = [
    "opponents inside agree",
    "rewards agree",
    "networks agree",
    "steps stay on the card",
    "wrong actions agree",
]
AGREEMENTS += ["copies agree"]
AGREEMENTS += ["PPO stays on the card"] if find_spec("torch") else []


def test_simulated_environments_are_those_of_a_processor(root: Path) -> None:
    """Step by step all that is returned is the same, and a step only starts kernels."""
    assert run(root, "tests.rl.on_card", "3", "12", simulated=True).splitlines() == AGREEMENTS


def test_environments_on_a_real_card_are_those_of_a_processor(root: Path) -> None:
    """The same on a card, where there is one."""
    if not has_card():
        skip_for(Reason.GPU, "no graphics card can be used here")
    assert run(root, "tests.rl.on_card", "300", "40").splitlines() == AGREEMENTS


def test_who_cannot_play_on_a_card_is_told() -> None:
    """A league draws by results, which are not fetched from a card; a policy has to be compiled."""
    with pytest.raises(ValueError, match="a league draws its members on the processor: device='cpu'"):
        VectorEnv("drop-block", 2, opponents=League({"random": "random"}), device="cuda")
    with pytest.raises(TypeError, match="cannot be compiled"):
        VectorEnv("wondev-woman", 2, opponents="sensei", device="cuda")
    with pytest.raises(ValueError, match="device is one of cpu, cuda"):
        VectorEnv("drop-block", 2, device="tpu")
