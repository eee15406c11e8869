"""PPO in plain JAX: connect four against random play.

pip install 'dohyo[rl]' jax
python jax_ppo.py            # learns
python jax_ppo.py --compare  # decisions a second: a loop in Python, and one inside jit that calls out to the games
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.experimental import io_callback

from dohyo import games
from dohyo.rl import VectorEnv

CONNECT_FOUR = games.find("connect-four")
GAMES, STEPS, EPOCHS, PARTS = 64, 32, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, RATE = 0.99, 0.95, 0.2, 0.01, 0.5, 2e-3


def new_network(key: Any, size: int, actions: int, hidden: int = 64) -> dict[str, Any]:
    """The numbers of a network with one hidden layer for the policy, and one for the value."""
    keys = jax.random.split(key, 4)
    shapes = {"in": (size, hidden), "policy": (hidden, actions), "value in": (size, hidden), "value": (hidden, 1)}
    return {
        name: (jax.random.normal(key, shape) / numpy.sqrt(shape[0]), jnp.zeros(shape[1]))
        for key, (name, shape) in zip(keys, shapes.items(), strict=True)
    }


def judge(network: dict[str, Any], seen: Any, mask: Any) -> tuple[Any, Any]:
    """The logarithms of the policy, over legal actions alone, and the value; of many positions."""
    rows = seen.reshape(len(seen), -1)

    def layer(name: str, values: Any) -> Any:
        return values @ network[name][0] + network[name][1]

    logits = layer("policy", jnp.tanh(layer("in", rows)))
    value = layer("value", jnp.tanh(layer("value in", rows)))[:, 0]
    return jax.nn.log_softmax(jnp.where(mask > 0, logits, -1e9)), value


@jax.jit
def choose(network: dict[str, Any], key: Any, seen: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
    """The next key; of each game an action, the logarithm of its probability, and the value."""
    key, now = jax.random.split(key)
    logs, value = judge(network, seen, mask)
    action = jax.random.categorical(now, logs)
    return key, action, logs[jnp.arange(len(action)), action], value


def loss_of(network: dict[str, Any], batch: dict[str, Any]) -> Any:
    """PPO's, of one part of the data."""
    logs, value = judge(network, batch["seen"], batch["mask"])
    ratio = jnp.exp(logs[jnp.arange(len(value)), batch["action"]] - batch["log"])
    gain = (batch["gain"] - batch["gain"].mean()) / (batch["gain"].std() + 1e-8)
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(logs) * jnp.where(batch["mask"] > 0, logs, 0)).sum(1).mean()
    return policy + VALUE * ((value - batch["return"]) ** 2).mean() - ENTROPY * entropy


@jax.jit
def improve(network: Any, moments: Any, count: Any, key: Any, data: dict[str, Any], last: Any) -> tuple[Any, ...]:
    """An update; `data` is (STEPS, GAMES, ...), `last` the value of what is seen after the last step."""

    def back(carry: tuple[Any, Any], row: tuple[Any, Any, Any]) -> tuple[tuple[Any, Any], Any]:
        advantage, after = carry
        value, reward, done = row
        advantage = reward + GAMMA * after * (1 - done) - value + GAMMA * LAMBDA * (1 - done) * advantage
        return (advantage, value), advantage

    rows = (data["value"], data["reward"], data["done"])
    _, gains = jax.lax.scan(back, (jnp.zeros(GAMES), last), rows, reverse=True)
    flat = {name: values.reshape(-1, *values.shape[2:]) for name, values in {**data, "gain": gains}.items()}
    flat["return"] = flat["gain"] + flat["value"]

    def part(carry: tuple[Any, Any, Any], chosen: Any) -> tuple[tuple[Any, Any, Any], None]:
        network, moments, count = carry
        gradient = jax.grad(loss_of)(network, {name: values[chosen] for name, values in flat.items()})
        return adam(network, moments, count + 1, gradient), None

    size = GAMES * STEPS
    order = jnp.concatenate([jax.random.permutation(one, size) for one in jax.random.split(key, EPOCHS)])
    return jax.lax.scan(part, (network, moments, count), order.reshape(EPOCHS * PARTS, -1))[0]


def adam(network: Any, moments: tuple[Any, Any], count: Any, gradient: Any) -> tuple[Any, Any, Any]:
    """A step of Adam."""
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], gradient)
    size = RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    network = jax.tree.map(lambda w, m, v: w - size * m / (jnp.sqrt(v) + 1e-8), network, first, second)
    return network, (first, second), count


def in_python(envs: VectorEnv, network: Any, key: Any, seen: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
    """Play STEPS decisions in every game, in a loop of Python's. Returns the next key, what is seen, and the data.

    NumPy's arrays become JAX's, and the other way round, without a copy.
    """
    rows = []
    for _ in range(STEPS):
        key, action, log, value = choose(network, key, seen, mask)
        observations, reward, done, _, info = envs.step(numpy.asarray(action))
        ends = {"reward": jnp.asarray(reward, jnp.float32), "done": jnp.asarray(done, jnp.float32)}
        rows.append({"seen": seen, "mask": mask, "action": action, "log": log, "value": value, **ends})
        seen, mask = jax.dlpack.from_dlpack(observations), jax.dlpack.from_dlpack(info["action_mask"])
    return key, seen, mask, {name: jnp.stack([row[name] for row in rows]) for name in rows[0]}


@partial(jax.jit, static_argnames="envs")
def inside(envs: VectorEnv, network: Any, key: Any, seen: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
    """The same, to the last digit, as one compiled program that calls out to the games.

    It is an `io_callback` since a step changes them: a `pure_callback` JAX may leave out, or call twice.
    """

    def played(action: Any) -> tuple[Any, ...]:
        observations, reward, done, _, info = envs.step(numpy.asarray(action))
        return observations, info["action_mask"], numpy.float32(reward), numpy.float32(done)

    def step(carry: tuple[Any, Any, Any], _: None) -> tuple[tuple[Any, Any, Any], dict[str, Any]]:
        key, seen, mask = carry
        key, action, log, value = choose(network, key, seen, mask)
        number = jax.ShapeDtypeStruct(value.shape, jnp.float32)
        after, allowed, reward, done = io_callback(played, (seen, mask, number, number), action, ordered=True)
        row = {"seen": seen, "mask": mask, "action": action, "log": log, "value": value}
        return (key, after, allowed), {**row, "reward": reward, "done": done}

    (key, seen, mask), data = jax.lax.scan(step, (key, seen, mask), None, STEPS)
    return key, seen, mask, data


def make(count: int = GAMES) -> tuple[VectorEnv, Any, Any, Any]:
    """The games, and a network for them; what is seen first, and the mask."""
    envs = VectorEnv(CONNECT_FOUR, count, seat=None, scaled=True, autoreset_mode="SameStep", threads=1)
    size = int(numpy.prod(envs.single_observation_space.shape))
    observations, info = envs.reset(seed=1)
    network = new_network(jax.random.key(1), size, int(envs.single_action_space.n))
    return envs, network, jnp.asarray(observations), jnp.asarray(info["action_mask"])


def learn(updates: int = 30, seed: int = 1, play: Any = inside) -> float:
    """The mean score of the last quarter's matches: -1 all lost, 0 as good as random play, 1 all won."""
    envs, network, seen, mask = make()
    key = jax.random.key(seed)
    moments = (jax.tree.map(jnp.zeros_like, network),) * 2
    count: Any = 0
    scores: list[float] = []
    for _ in range(updates):
        key, seen, mask, data = play(envs, network, key, seen, mask)
        key, now = jax.random.split(key)
        last = judge(network, seen, mask)[1]
        network, moments, count = improve(network, moments, count, now, data, last)
        scores += data["reward"][data["done"] > 0].tolist()
    return float(numpy.mean(scores[-len(scores) // 4 :]))


def compare() -> None:
    """Decisions a second of both, one after the other, five times."""
    for count in (64, 1024, 8192):
        envs, network, seen, mask = make(count)
        taken: dict[Any, list[float]] = {in_python: [], inside: []}
        for turn in range(6):
            for play, seconds in taken.items():
                began = time.process_time()
                _, seen, mask, _ = jax.block_until_ready(play(envs, network, jax.random.key(1), seen, mask))
                if turn:  # the first compiles
                    seconds.append(time.process_time() - began)
        for play, seconds in taken.items():
            speed = count * STEPS / min(seconds)
            print(f"{count:5} games, {play.__name__:9}: {speed:9,.0f} decisions a processor second")


if __name__ == "__main__":
    if "--compare" in sys.argv:
        compare()
    else:
        print(f"mean score {learn():+.2f}; random play has 0")
