"""The examples in `examples/train/libraries`, each where its library is installed: they learn.

Nobody needs these libraries to work on Dohyo: where one is not, there is nothing to skip. To run them all, in an
environment of its own: `pip install -e '.[rl]' -r examples/train/libraries/requirements.txt pytest`, then this file.
"""

from __future__ import annotations

import importlib.util
import re
import signal
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
        assert re.search(r"pip install 'dohyo\[rl\]' '?\w+", text), path
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


if find_spec("jax"):

    def test_ppo_in_plain_jax_learns_connect_four() -> None:
        """As one compiled program that calls out to the games."""
        assert example("jax_ppo").learn() > 0.4

    def test_both_loops_in_jax_play_the_same() -> None:
        """The one in Python, and the one inside JAX: what is seen, done and won."""
        import jax  # type: ignore[import-not-found,unused-ignore]
        import numpy

        module = example("jax_ppo")
        told = []
        for play in (module.in_python, module.inside):
            envs, network, seen, mask = module.make(5)
            told.append(play(envs, network, jax.random.key(3), seen, mask)[3])
        for name, values in told[0].items():
            assert numpy.allclose(values, told[1][name], atol=1e-5), name

    def test_arrays_are_jaxs_without_a_copy_both_ways() -> None:
        """What a batch or an environment returns is JAX's memory, and what JAX has computed is NumPy's."""
        import jax
        import numpy

        from dohyo.games import find
        from dohyo.rl import VectorEnv
        from dohyo.sim import BatchMatch

        batch = BatchMatch(find("shoot-em-up"), 37, threads=1)
        arrays = [batch.rewards(), batch.legal(), batch.observe(), batch.done]
        for copy in (True, False):
            for scaled in (True, False):
                envs = VectorEnv("shoot-em-up", 37, scaled=scaled, copy=copy, threads=1)
                arrays += [envs.reset(seed=1)[0], envs.step(numpy.full(37, 4))[-1]["action_mask"]]
        for array in arrays:
            assert jax.dlpack.from_dlpack(array).unsafe_buffer_pointer() == array.ctypes.data
        actions = jax.numpy.full(37, 4)
        assert numpy.asarray(actions).ctypes.data == actions.unsafe_buffer_pointer()
        envs.step(actions)


if find_spec("supersuit") and find_spec("stable_baselines3"):

    def test_two_seats_learn_goofspiel_through_supersuit() -> None:
        """With one network, by playing each other; measured against random play."""
        before, after = example("supersuit_ppo").learn()
        assert before < 0
        assert after > 0.2


if find_spec("ray") and find_spec("torch"):

    def test_rllib_learns_connect_four() -> None:
        """Through its own vectors and its module with masks."""
        first, last = example("rllib_ppo").learn()
        assert last > first + 0.15


if find_spec("pufferlib") and find_spec("torch"):

    def test_pufferlibs_trainer_learns_connect_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """On its buffers; it leaves a link where it is imported, and takes the signal of Ctrl-C for itself."""
        monkeypatch.chdir(tmp_path)
        before = signal.getsignal(signal.SIGINT)
        try:
            assert example("puffer_ppo").learn() > 0.4
        finally:
            signal.signal(signal.SIGINT, before)


if find_spec("torchrl"):

    def test_torchrl_learns_connect_four() -> None:
        """Through its wrapper, with masks."""
        first, last = example("torchrl_reinforce").learn()
        assert last > first + 0.1
