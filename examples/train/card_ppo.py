"""PPO that never leaves the graphics card: games, policy and learning; Drop-Block against random play.

pip install 'dohyo[rl,cuda]' torch
python card_ppo.py [--games 4096] [--updates 200] [--device cuda] [--graph]

Observations, masks, rewards and actions stay in the card's memory: the environment's arrays and PyTorch's tensors are
the same memory. The host starts kernels and waits once an update, to print a line. `--graph` records a step of all
games, the policy's choice included, as one CUDA graph. With `--device cpu` the same program learns on a processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn

from dohyo.core.game import Game
from dohyo.rl import VectorEnv

STEPS, EPOCHS, PARTS = 32, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.2, 0.01, 0.5


class Agent(nn.Module):
    """A policy and a value over the same observation."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the probabilities of legal actions, (k, actions), and values, (k,)."""
        found = self.body(seen)
        logits = self.actor(found).masked_fill(masks == 0, -1e9)
        return logits.log_softmax(1), self.critic(found).squeeze(1)


def drawn(logs: torch.Tensor) -> torch.Tensor:
    """An action of each row, drawn by these probabilities, without a question to the host."""
    noise = torch.empty_like(logs).exponential_().log()
    return (logs - noise).argmax(1)  # of the Gumbel distribution: the largest is a draw


class Rows(NamedTuple):
    """What was seen and done in so many steps of all games, (STEPS, games, ...)."""

    seen: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    logs: torch.Tensor
    values: torch.Tensor
    rewards: torch.Tensor
    ends: torch.Tensor


class Collector:
    """Plays all games by the policy, and keeps what it saw."""

    def __init__(
        self, envs: Any, agent: Agent, device: str, seed: int, tensor: Callable[[Any], torch.Tensor]
    ) -> None:
        """`tensor` makes a tensor of an array of the environment's, on the same memory."""
        self.envs, self.agent, self.tensor = envs, agent, tensor
        seen, info = envs.reset(seed=seed)
        self._take(seen, info["action_mask"])
        games = envs.num_envs

        def room(*shape: int, kind: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(STEPS, games, *shape, dtype=kind, device=device)

        masks = room(*self.masks.shape[1:], kind=torch.int8)
        actions = room(kind=torch.int64)
        self.rows = Rows(room(*self.seen.shape[1:]), masks, actions, room(), room(), room(), room())
        self.action = torch.zeros(games, dtype=torch.int64, device=device)
        self.log, self.value = torch.zeros(games, device=device), torch.zeros(games, device=device)
        self.won = torch.zeros(2, device=device)  # rewards of matches that have ended, and how many

    def _take(self, seen: Any, masks: Any) -> None:
        self.seen, self.masks = self.tensor(seen), self.tensor(masks)

    def step(self) -> None:
        """One decision in every game; `action`, `log`, `value`, `before` say what it was."""
        with torch.no_grad():
            logs, value = self.agent(self.seen, self.masks)
            self.action.copy_(drawn(logs))
            self.log.copy_(logs.gather(1, self.action[:, None]).squeeze(1))
            self.value.copy_(value)
        seen, rewards, ended, _, info = self.envs.step(self.given(self.action))
        self._take(seen, info["action_mask"])  # where they are the card's, the memory that they were in before
        self.reward, self.end = self.tensor(rewards), self.tensor(ended)

    def given(self, actions: torch.Tensor) -> Any:
        """Actions as the environment takes them."""
        return actions if actions.is_cuda else actions.numpy()

    def collect(self, step: Callable[[], None]) -> torch.Tensor:
        """Fill all rows; returns the value of what is seen after them."""
        rows = self.rows
        for k in range(STEPS):
            rows.seen[k].copy_(self.seen)
            rows.masks[k].copy_(self.masks)
            step()
            done = ((rows.actions, self.action), (rows.logs, self.log), (rows.values, self.value))
            for kept, now in (*done, (rows.rewards, self.reward), (rows.ends, self.end)):
                kept[k].copy_(now)
        self.won += torch.stack([(rows.rewards * rows.ends).sum(), rows.ends.sum()])
        with torch.no_grad():
            return self.agent(self.seen, self.masks)[1]


def improve(agent: Agent, optimiser: torch.optim.Optimizer, rows: Rows, value: torch.Tensor) -> None:
    """One update of PPO; `value` is that of what is seen after the last step."""
    gains, gain = torch.zeros_like(rows.values), torch.zeros_like(value)
    for k in reversed(range(STEPS)):
        goes_on = 1 - rows.ends[k]
        delta = rows.rewards[k] + GAMMA * value * goes_on - rows.values[k]
        gain = delta + GAMMA * LAMBDA * goes_on * gain
        gains[k] = gain
        value = rows.values[k]
    seen, masks, actions, logs, values, *_ = (column.flatten(0, 1) for column in rows)
    gains = gains.flatten()
    returns = gains + values
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gains), device=gains.device).chunk(PARTS):
            found, judged = agent(seen[part], masks[part])
            ratio = (found.gather(1, actions[part, None]).squeeze(1) - logs[part]).exp()
            wanted = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
            policy_loss = -torch.min(wanted * ratio, wanted * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            value_loss = (judged - returns[part]).pow(2).mean()
            entropy = -(found.exp() * found).sum(1).mean()
            optimiser.zero_grad()
            (policy_loss + VALUE * value_loss - ENTROPY * entropy).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5, foreach=True)
            optimiser.step()


def recorded(collector: Collector) -> Callable[[], None]:
    """A step of all games as a CUDA graph: what the host then starts is one thing."""
    with torch.cuda.stream(side := torch.cuda.Stream()):
        collector.step()  # compiles, and takes the memory that is needed
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        collector.step()
    return graph.replay


def learn(
    games: int = 4096,
    updates: int = 200,
    seed: int = 1,
    device: str = "cuda",
    graph: bool = False,
    *,
    game: str | Game = "drop-block",
    tensor: Callable[[Any], torch.Tensor] | None = None,
    say: Callable[[str], None] = print,
    **options: Any,
) -> float:
    """The mean score of the last tenth of the updates' matches: -1 all lost, 0 as good as random play, 1 all won."""
    torch.manual_seed(seed)
    options = {"seat": None, "scaled": True, "autoreset_mode": "SameStep", **options}
    if device != "cpu":
        options |= {"device": device, "stream": torch.cuda.current_stream}
    envs = VectorEnv(game, games, **options)
    size = envs.single_observation_space.shape
    agent = Agent(int(torch.tensor(size).prod()), int(envs.single_action_space.n)).to(device)
    optimiser = torch.optim.Adam(agent.parameters(), 1e-3, eps=1e-5)
    collector = Collector(envs, agent, device, seed, tensor or (lambda array: torch.as_tensor(array, device=device)))
    step = recorded(collector) if graph else collector.step
    began, score, late = time.perf_counter(), 0.0, torch.zeros(2, device=device)
    for update in range(1, updates + 1):
        collector.won.zero_()
        improve(agent, optimiser, collector.rows, collector.collect(step))
        if update > updates - max(1, updates // 10):
            late += collector.won
        if update % 10 == 0 or update == updates:
            total, ended = collector.won.tolist()  # the only wait
            score, speed = total / max(1, ended), update * STEPS * games / (time.perf_counter() - began)
            say(f"update {update}: mean score {score:+.2f} in {ended:.0f} matches, {speed:.3g} decisions a second")
    if device != "cpu":
        envs.check()
    total, ended = late.tolist()
    return float(total / max(1, ended))


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=4096)
    words.add_argument("--updates", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--device", default="cuda")
    words.add_argument("--graph", action="store_true")
    print(f"mean score {learn(**vars(words.parse_args())):+.2f}; random play has 0")
