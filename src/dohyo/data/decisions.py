"""Decisions of recorded matches as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy

from dohyo.core.game import Game

Array = numpy.ndarray[Any, numpy.dtype[Any]]


class Episodes(NamedTuple):
    """What one seat did in one match, for each such seat: arrays with an item for each episode.

    The decisions of episode e are those from `start[e]` up to `start[e + 1]`; `start` has one item more.
    """

    start: Array
    """(episodes + 1,) int64."""
    match: Array
    """(episodes,) int64: the place of its match in `Decisions.matches`."""
    seat: Array
    """(episodes,) int64."""
    payoff: Array
    """(episodes,) float64: what the match was worth to the seat, without shaping."""
    final: Array
    """(episodes, planes, ...): what the seat sees when the match is over."""


class LeftOut(NamedTuple):
    """Replays that are not among the matches, for one reason: how many, and of the first its name and a sentence."""

    replays: int
    label: str
    reason: str


class Decisions(msgspec.Struct, frozen=True):
    """Decisions, a row of each array for each; those of an episode are together, in their order.

    As a sequence it has an item for each decision, a dictionary of arrays `observation`, `action`, `mask` (not
    without masks) and `return`: what a `torch.utils.data.DataLoader` takes.
    """

    game: Game
    observations: Array
    """(n, planes, ...) of the game's own type; float32 within -1 .. 1 where they are scaled."""
    actions: Array
    """(n,) int64: below the game's number of actions."""
    masks: Array | None
    """(n, actions) int8: 1 for what was legal; none where it was not asked for.

    A recorded action need not be: a game may accept what it never offers, such as giving up."""
    returns: Array
    """(n,) float32: the sum of the discounted rewards from this decision on."""
    rewards: Array
    """(n,) float32: what came until the seat's next decision, or the end; without shaping only at the end."""
    turns: Array
    """(n,) int64: the number of the turn."""
    episodes: Episodes
    matches: tuple[str, ...]
    """Where each match was found."""
    left_out: Mapping[str, LeftOut] = {}
    """Replays that could not be used, by the key of the reason; at most what was met until here."""

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self.actions)

    def __getitem__(self, at: Any) -> dict[str, Any]:
        """The arrays of one decision, or of several: a number, a slice, or an array of numbers."""
        if isinstance(at, int) and not -len(self) <= at < len(self):
            raise IndexError(at)
        found = {"observation": self.observations[at], "action": self.actions[at]}
        if self.masks is not None:
            found["mask"] = self.masks[at]
        return {**found, "return": self.returns[at]}

    def __getitems__(self, at: Sequence[int]) -> list[dict[str, Any]]:
        """The items at several places, as PyTorch's loaders ask for them."""
        return [self[one] for one in at]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[at] for at in range(len(self)))

    def episode(self, number: int) -> slice:
        """The rows of one episode."""
        return slice(int(self.episodes.start[number]), int(self.episodes.start[number + 1]))

    def split(self, share: float, seed: int = 0) -> tuple[Decisions, Decisions]:
        """Two parts by whole matches, drawn by the seed: a share of these, and the rest.

        Decisions of one match are alike, so what is learned from some of them is not tried on others.
        """
        order = numpy.random.default_rng(seed).permutation(len(self.matches))
        first = set(order[: round(share * len(order))].tolist())
        is_first = numpy.array([at in first for at in self.episodes.match.tolist()], bool)
        return self.take(is_first.nonzero()[0]), self.take((~is_first).nonzero()[0])

    def take(self, episodes: Sequence[int] | Array) -> Decisions:
        """The decisions of some episodes, by their numbers, in that order."""
        chosen, start = numpy.asarray(episodes, numpy.int64), self.episodes.start
        rows = numpy.concatenate(
            [numpy.zeros(0, numpy.int64), *(numpy.arange(start[e], start[e + 1]) for e in chosen)]
        )
        old = self.episodes
        each = (old.match[chosen], old.seat[chosen], old.payoff[chosen], old.final[chosen])
        return Decisions(
            self.game,
            self.observations[rows],
            self.actions[rows],
            None if self.masks is None else self.masks[rows],
            self.returns[rows],
            self.rewards[rows],
            self.turns[rows],
            Episodes(numpy.concatenate([[0], numpy.cumsum(numpy.diff(start)[chosen])]), *each),
            self.matches,
            self.left_out,
        )


def joined(parts: Iterable[Decisions]) -> Decisions:
    """All decisions of several parts of one game, at least one, as one."""
    every = list(parts)
    if len(every) == 1:
        return every[0]
    rows = numpy.cumsum([0, *(len(part) for part in every)])
    matches = numpy.cumsum([0, *(len(part.matches) for part in every)])

    def each(name: str) -> Any:
        return numpy.concatenate([getattr(part, name) for part in every])

    def of_episodes(name: str) -> Any:
        return numpy.concatenate([getattr(part.episodes, name) for part in every])

    starts = [part.episodes.start[:-1] + first for part, first in zip(every, rows, strict=False)]
    numbers = [part.episodes.match + first for part, first in zip(every, matches, strict=False)]
    episodes = Episodes(
        numpy.concatenate([*starts, rows[-1:]]),
        numpy.concatenate(numbers),
        of_episodes("seat"),
        of_episodes("payoff"),
        of_episodes("final"),
    )
    return Decisions(
        every[0].game,
        each("observations"),
        each("actions"),
        None if every[0].masks is None else each("masks"),
        each("returns"),
        each("rewards"),
        each("turns"),
        episodes,
        tuple(label for part in every for label in part.matches),
        every[-1].left_out,
    )
