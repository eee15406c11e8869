"""Connect four by us and by the peers, alternating in one run: how many times as fast ours is.

Ours runs on one thread, and on all; the peers use as many cores as they choose, and that number is printed. If a peer
has several modes, the fastest counts. A ratio is the median over the rounds, each from figures that were measured one
after the other: of one thread of ours by wall time, of all threads likewise, and of one thread by processor time,
which other work on the machine disturbs less.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy

from dohyo import games
from dohyo.sim import BatchMatch
from dohyo.sim.loops import cores
from peers import PEERS, PeerError, Speed, close, measure, versions

GAME = "connect-four"
GAMES = 4096
STEPS = 50  # of a rollout, in one go


def by_rollouts(batch: BatchMatch) -> Callable[[], tuple[int, float, float]]:
    """Random play; steps, and seconds by the wall and of processor time."""

    def play() -> tuple[int, float, float]:
        start, used = perf_counter(), process_time()
        batch.rollout(STEPS)
        return GAMES * STEPS, perf_counter() - start, process_time() - used

    return play


def by_steps(batch: BatchMatch) -> Callable[[], tuple[int, float, float]]:
    """A step, then the observation and the mask of who moves next; the choice of actions is not timed, as theirs."""
    seen, mask = batch.observe(mover=True), batch.legal(mover=True)
    chooser = numpy.random.default_rng(4)

    def play() -> tuple[int, float, float]:
        actions = (mask * chooser.random(mask.shape, numpy.float32)).argmax(1)
        start, used = perf_counter(), process_time()
        batch.step(actions, observe=seen, legal=mask)
        return GAMES, perf_counter() - start, process_time() - used

    return play


def ours(mode: str, threads: int, play: Callable[[], tuple[int, float, float]], seconds: float) -> Speed:
    """Our figure over so many seconds."""
    steps, wall, used = 0, 0.0, 0.0
    while wall < seconds:
        done = play()
        steps, wall, used = steps + done[0], wall + done[1], used + done[2]
    how = "one thread" if threads == 1 else f"{threads} threads"
    return Speed("dohyo", mode, how, GAMES, steps / wall, used / wall)


def beside_peers(rounds: int, seconds: float) -> None:
    """Measure ours and every peer that can be had, in rounds; print figures, and `peer_ratio NAME=`."""
    there = []
    for name in PEERS:
        try:
            told = " ".join(f"{what} {version}" for what, version in versions(name).items())
            print(f"peer {name}: {told}", flush=True)
            there.append(name)
        except PeerError as error:
            print(f"peer {name} cannot be measured here: {error}", flush=True)
    game = games.find(GAME)
    ways: dict[tuple[str, int], Any] = {}
    for threads in sorted({1, cores()}):
        ways["rollout", threads] = by_rollouts(BatchMatch(game, GAMES, 1, threads=threads))
        ways["step", threads] = by_steps(BatchMatch(game, GAMES, 1, threads=threads, illegal="trust"))
    for play in ways.values():
        play()  # compiled here
    found = []
    for _ in range(rounds):
        mine = [ours(*way, play, seconds) for way, play in ways.items()]
        found.append(mine + [speed for name in there for speed in measure(name, seconds)])
    close()
    table(found)
    for mode, what in (("rollout", "peer_ratio"), ("step", "peer_step_ratio")):
        for name in there:
            every = zip(*(ratios(figures, name, mode) for figures in found), strict=True)
            one, all_threads, processor = (median(values) for values in every)
            print(
                f"{what} {name}={one:.1f}  (all threads {all_threads:.1f}; by processor time {processor:.1f})",
                flush=True,
            )


def ratios(figures: list[Speed], name: str, mode: str) -> tuple[float, float, float]:
    """How many times a peer's best figure of a mode ours is in a round.

    On one thread and on all by wall time; and on one by processor time.
    """
    mine, theirs = (
        [(speed.steps_per_s, speed.steps_per_s / speed.cores) for speed in figures if speed[:2] == (who, mode)]
        for who in ("dohyo", name)
    )
    best, best_by_processor = (max(values) for values in zip(*theirs, strict=True))
    return mine[0][0] / best, mine[-1][0] / best, mine[0][1] / best_by_processor


def table(found: list[list[Speed]]) -> None:
    """One line for each figure: the median over the rounds, the least and the most."""
    print(f"{'connect four':14}{'mode':9}{'n':>6}  {'M steps/s':>9}  {'least':>8}  {'most':>8}  cores  how")
    for speeds in zip(*found, strict=True):
        rates = sorted(speed.steps_per_s / 1e6 for speed in speeds)
        cores = median(speed.cores for speed in speeds)
        name, mode, how, n = speeds[0][:4]
        figures = f"{median(rates):9.3f}  {rates[0]:8.3f}  {rates[-1]:8.3f}  {cores:5.2f}"
        print(f"{name:14}{mode:9}{n:6}  {figures}  {how}", flush=True)
