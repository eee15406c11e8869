"""pgx's connect four: arrays of games in JAX, here on the CPU, with whatever threads JAX takes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset
from playing import Way, serve, timed

GAMES = (1024, 4096)
STEPS = 64  # in one go

game = pgx.make("connect_four")
step = jax.vmap(auto_reset(game.step, game.init))


def choose(key: jax.Array, mask: jax.Array) -> jax.Array:
    """One of the legal actions; a good deal faster on a CPU than the logarithms of its documentation."""
    return jnp.argmax(jnp.where(mask, jax.random.uniform(key, mask.shape), -1.0), axis=-1)


def begin(n: int) -> tuple[pgx.State, jax.Array]:
    """Games at their beginning, and a key."""
    return jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(4), n)), jax.random.key(5)


def rollout(n: int) -> Callable[[], int]:
    """Many steps in one compiled call; a game that is over makes place for the next."""
    state, key = begin(n)

    def turn(carry: tuple[pgx.State, jax.Array], _: None) -> tuple[tuple[pgx.State, jax.Array], jax.Array]:
        state, key = carry
        key, choice, fresh = jax.random.split(key, 3)
        state = step(state, choose(choice, state.legal_action_mask), jax.random.split(fresh, n))
        return (state, key), state.terminated.sum()

    run = jax.jit(lambda state, key: jax.lax.scan(turn, (state, key), None, length=STEPS), donate_argnums=0)

    def play() -> int:
        nonlocal state, key
        (state, key), ended = run(state, key)
        ended.block_until_ready()
        return n * STEPS

    return play


def single_steps(n: int) -> Callable[[], tuple[int, float]]:
    """One compiled call a step, whose new states hold observations and masks; only these calls are timed."""
    state, key = begin(n)
    chosen = jax.jit(lambda key, mask: (choose(key, mask), *jax.random.split(key)))
    one = jax.jit(lambda state, actions, key: step(state, actions, jax.random.split(key, n)), donate_argnums=0)

    def play() -> tuple[int, float]:
        nonlocal state, key
        seconds = 0.0
        for _ in range(STEPS):
            actions, key, fresh = jax.block_until_ready(chosen(key, state.legal_action_mask))
            start = perf_counter()
            state = jax.block_until_ready(one(state, actions, fresh))
            seconds += perf_counter() - start
        return n * STEPS, seconds

    return play


serve(
    ["pgx", "jax", "jaxlib"],
    [
        *(Way("rollout", "jit, vmap and scan, on the CPU", n, timed(rollout(n))) for n in GAMES),
        *(Way("step", "jit and vmap, a call a step, on the CPU", n, single_steps(n)) for n in GAMES),
    ],
)
