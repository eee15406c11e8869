"""TorchRL: its wrapper, its modules, and REINFORCE: connect four against random play.

pip install 'dohyo[rl]' torchrl
python torchrl_reinforce.py
"""

from __future__ import annotations

import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torch import nn
from torchrl.data import Categorical
from torchrl.envs import GymWrapper
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MaskedCategorical

from dohyo import games
from dohyo.rl import Env

CONNECT_FOUR = games.find("connect-four")


def learn(matches: int = 600, seed: int = 1) -> tuple[float, float]:
    """The mean scores of the first and of the last third of the matches."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    match_env = Env(CONNECT_FOUR, scaled=True)
    actions = int(match_env.action_space.n)
    env = GymWrapper(match_env, categorical_action_encoding=True)
    mask = Categorical(2, shape=torch.Size([actions]), dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": mask}))
    env.set_seed(seed)
    size = env.observation_spec["observation"].shape.numel()
    network = nn.Sequential(nn.Flatten(-3), nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
    policy = ProbabilisticTensorDictSequential(
        TensorDictModule(network, ["observation"], ["logits"]),
        TensorDictModule(lambda mask: mask.bool(), ["action_mask"], ["legal"]),
        ProbabilisticTensorDictModule(
            {"logits": "logits", "mask": "legal"},
            ["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        ),
    )
    optimiser = torch.optim.Adam(network.parameters(), 3e-3)
    scores: list[float] = []
    for _ in range(matches // 20):
        losses = []
        for _ in range(20):
            match = env.rollout(42, policy)
            scores.append(match["next", "reward"].sum().item())
            losses.append(-(scores[-1] - sum(scores) / len(scores)) * match["action_log_prob"].sum())
        optimiser.zero_grad()
        torch.stack(losses).mean().backward()
        optimiser.step()
    third = len(scores) // 3
    return sum(scores[:third]) / third, sum(scores[-third:]) / third


if __name__ == "__main__":
    print("mean scores, first and last third: {:+.2f} {:+.2f}".format(*learn()))
