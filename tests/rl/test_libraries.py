"""The examples in `examples/train/libraries`, each where its library is installed: they learn.

Nobody needs these libraries to work on Dohyo: where one is not, there is nothing to skip. To run them all, in an
environment of its own: `pip install -e '.[rl]' -r examples/train/libraries/requirements.txt pytest`, then this file.
"""

from __future__ import annotations

import importlib.util
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from dohyo import games

FOLDER = Path(__file__).parents[2] / "examples" / "train" / "libraries"

pytestmark = pytest.mark.filterwarnings("ignore")  # of these libraries


def example(name: str, folder: Path = FOLDER) -> Any:
    """The example of this name."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_says_how_it_is_run_and_is_tested_here() -> None:
    """With the line that installs what it needs."""
    here = Path(__file__).read_text(encoding="utf-8")
    found = sorted(FOLDER.glob("*.py"))
    assert found
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert re.search(r"pip install 'dohyo\[rl\]' \w+", text), path
        assert f"python {path.name}" in text
        assert f'example("{path.stem}")' in here


if find_spec("sb3_contrib"):

    def test_maskable_ppo_learns_connect_four() -> None:
        """On the fast path, with masks."""
        assert example("maskable_ppo").learn() > 0.4


if find_spec("torch"):

    def test_ppo_in_one_file_learns_connect_four() -> None:
        """With nothing but PyTorch."""
        assert example("clean_ppo").learn() > 0.4

    def test_ppo_for_a_card_learns_connect_four_on_a_processor() -> None:
        """The same program, where there is no card; that it stays on one: `test_card_vector`."""
        import torch  # type: ignore[import-not-found,unused-ignore]

        torch.set_num_threads(1)
        ppo = example("card_ppo", FOLDER.parent)
        connect_four = games.load(FOLDER.parents[1] / "connect_four")
        assert ppo.learn(64, 30, device="cpu", game=connect_four, threads=1, say=lambda line: None) > 0.4

    def test_arrays_become_tensors_without_a_copy() -> None:
        """What a batch returns and what a tensor holds are the same memory."""
        import torch  # type: ignore[import-not-found,unused-ignore]

        from dohyo.games import find
        from dohyo.sim import BatchMatch

        batch = BatchMatch(find("shoot-em-up"), 3, threads=1)
        for array in (batch.rewards(), batch.legal(), batch.observe()):
            for tensor in (torch.from_numpy(array), torch.from_dlpack(array)):
                assert tensor.data_ptr() == array.ctypes.data


if find_spec("supersuit") and find_spec("stable_baselines3"):

    def test_supersuit_takes_the_parallel_environment() -> None:
        """All seats learn with one network, over whole matches."""
        assert len(example("supersuit_ppo").learn(1000).ep_info_buffer) > 8


if find_spec("torchrl"):

    def test_torchrl_learns_connect_four() -> None:
        """Through its wrapper, with masks."""
        first, last = example("torchrl_reinforce").learn()
        assert last > first + 0.1
