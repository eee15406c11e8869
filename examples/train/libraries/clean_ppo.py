"""PPO in one file, in the style of CleanRL, with nothing but PyTorch: connect four against random play.

pip install 'dohyo[rl]' torch
python clean_ppo.py
"""

from __future__ import annotations

import numpy
import torch
from torch import nn
from torch.distributions import Categorical

from dohyo import games
from dohyo.rl import VectorEnv

CONNECT_FOUR = games.find("connect-four")
GAMES, STEPS, EPOCHS, PARTS = 64, 32, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.2, 0.01, 0.5


class Agent(nn.Module):
    """A policy and a value over the same observation."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.actor = nn.Sequential(nn.Flatten(), nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
        self.critic = nn.Sequential(nn.Flatten(), nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))

    def choice(self, seen: torch.Tensor, masks: torch.Tensor) -> Categorical:
        """The policy, over legal actions alone."""
        return Categorical(logits=self.actor(seen).masked_fill(~masks, -1e9))


def learn(updates: int = 30, seed: int = 1) -> float:
    """The mean score of the last updates' matches: -1 all lost, 0 as good as random play, 1 all won."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs = VectorEnv(CONNECT_FOUR, GAMES, seat=None, scaled=True, autoreset_mode="SameStep", threads=1)
    agent = Agent(int(numpy.prod(envs.single_observation_space.shape)), envs.single_action_space.n)
    optimiser = torch.optim.Adam(agent.parameters(), 1e-3, eps=1e-5)
    seen, info = envs.reset(seed=seed)
    scores: list[float] = []
    for _ in range(updates):
        rows = []
        for _ in range(STEPS):
            views, masks = torch.from_numpy(seen), torch.from_numpy(info["action_mask"]).bool()
            with torch.no_grad():
                choice, value = agent.choice(views, masks), agent.critic(views).squeeze(1)
                action = choice.sample()
            seen, rewards, done, _, info = envs.step(action.numpy())
            scores += rewards[done].tolist()
            ends = (torch.from_numpy(rewards).float(), torch.from_numpy(done).float())
            rows.append((views, masks, action, choice.log_prob(action), value, *ends))
        with torch.no_grad():
            value = agent.critic(torch.from_numpy(seen)).squeeze(1)
        improve(agent, optimiser, rows, value)
    return float(numpy.mean(scores[-200:]))


def improve(agent: Agent, optimiser: torch.optim.Optimizer, rows: list[tuple], value: torch.Tensor) -> None:
    """One update of PPO; `value` is that of what is seen after the last step."""
    advantages, advantage = [], torch.zeros(GAMES)
    for _, _, _, _, before, reward, done in reversed(rows):
        delta = reward + GAMMA * value * (1 - done) - before
        advantage = delta + GAMMA * LAMBDA * (1 - done) * advantage
        advantages.append(advantage)
        value = before
    views, masks, actions, logs, values, *_ = (torch.cat(column) for column in zip(*rows, strict=True))
    gains = torch.cat(advantages[::-1])
    returns = gains + values
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gains)).chunk(PARTS):
            choice = agent.choice(views[part], masks[part])
            ratio = (choice.log_prob(actions[part]) - logs[part]).exp()
            gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            value_loss = (agent.critic(views[part]).squeeze(1) - returns[part]).pow(2).mean()
            loss = policy_loss + VALUE * value_loss - ENTROPY * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


if __name__ == "__main__":
    print(f"mean score {learn():+.2f}; random play has 0")
