"""How good a position is for each seat, by search in the compiled rules: a chance to win, and how sure that is.

Positions are judged by `dohyo.search`, so a game needs no line of code for it; it may bring a better judge
(`Game.judge`). Each position is searched a few times, with other random numbers: the mean is the judgement, the
spread between the searches its uncertainty. Used by `dohyo.guests.analysis.analysis`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.core.game import Game

if TYPE_CHECKING:
    from dohyo.search import Search

RUNS = 4  # searches of a position
WIDE = 2.35  # half of a 90 % interval, in standard errors of so few runs (Student, 3 degrees of freedom)
NORMAL = 1.645  # the same in standard errors of many
FLOOR = 1e-3  # of a share, raised to its power: no search is certain


class Judged(NamedTuple):
    """By seat the chance and its half interval; by acting seat and action the value and how often it was tried.

    `values`: by seat what the search found, -1..1, of which the chances are made. `beside`: the same for players who
    see all that a tree does, where a game's judge keeps the two `apart`.
    """

    chance: tuple[float, ...]
    error: tuple[float, ...]
    options: dict[int, dict[int, tuple[float, int]]]
    playouts: int
    values: tuple[float, ...]
    beside: Judged | None = None


def search_of(game: Game, seats: int, *, compiled: bool = True, seed: int = 0) -> Search:
    """The search that judges positions of a game, as the game wants it.

    Raises `OperatorError` for `compiled` without the extra `fast`.
    """
    from dohyo.search import Search

    judge = game.judge()
    return Search(
        game,
        seats,
        compiled=compiled,
        value=judge.value,
        rate=judge.rate,
        policy=judge.policy,
        moves=judge.moves,
        room=judge.room,
        horizon=judge.horizon,
        ahead=judge.ahead,
        explore=judge.explore,
        seed=seed,
        by_win=True,
    )


class Analyst:
    """Judges positions of one game, for so many seats. One at a time; each thread has one of its own."""

    def __init__(self, game: Game, seats: int, *, compiled: bool = True) -> None:
        """Raises `OperatorError` for `compiled` without the extra `fast`."""
        self.game, self.seats, self.by = game, seats, game.judge()
        self._searches = [search_of(game, seats, compiled=compiled) for _ in range(RUNS)]

    def judge(
        self,
        worlds: Any,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        seed: int = 0,
        deciding: bool = True,
    ) -> Judged:
        """Judge a position, which may be any of these states; the same for the same `playouts` and `seed`.

        `deciding` says that the worlds are what the acting seat knows, and its actions are of interest. Otherwise it
        is the true state: where a game's judge is `blind`, nobody then acts by what nobody sees. Where it keeps two
        ways of judging `apart`, each gets half of the time, and the options are the tree's.
        """
        for run, search in enumerate(self._searches):
            search.reseed(seed * RUNS + run)
        parts = RUNS * (2 if self.by.apart else 1)
        share = None if seconds is None else seconds / parts
        each = None if playouts is None else max(1, playouts // parts)
        depth = self.by.depth if deciding or not self.by.blind else 0
        if not self.by.apart:
            return self._look(worlds, depth, self.by.horizon, share, each)
        tree = self._look(worlds, depth, 0, share, each)
        policy = self._look(worlds, 0, self.by.horizon, share, each)
        return policy._replace(options=tree.options, playouts=policy.playouts + tree.playouts, beside=tree)

    def _look(self, worlds: Any, depth: int, horizon: int, seconds: float | None, playouts: int | None) -> Judged:
        """What the searches find, with a tree of this depth and so many turns played on below it."""
        for search in self._searches:
            search.limit_depth(depth)
            search.limit_horizon(horizon)
        found = [search.assess(worlds, seconds=seconds, playouts=playouts) for search in self._searches]
        values = tuple(fmean(one.values[seat] for one in found) for seat in range(self.seats))
        chance = chances_of(values, self.by.sharpness)
        runs = [chances_of(one.values, self.by.sharpness) for one in found]
        done = sum(one.playouts for one in found)
        spread = [WIDE * stdev(run[seat] for run in runs) / sqrt(RUNS) for seat in range(self.seats)]
        error = tuple(max(wide, sampling(one, done)) for wide, one in zip(spread, chance, strict=True))
        return Judged(chance, error, _together([one.options for one in found]), done, values)


def cost_of(better: Judged, played: Judged, seat: int, doubt: float) -> tuple[float, float, float]:
    """A seat's chance after one action and after another, and half of the 90 % interval of their difference.

    Where positions are judged in two ways, it is the one by which the difference is less sure.
    """
    ways = [(better, played)]
    if better.beside is not None and played.beside is not None:
        ways.append((better.beside, played.beside))
    found = [
        (kept.chance[seat], left.chance[seat], sqrt(kept.error[seat] ** 2 + left.error[seat] ** 2 + doubt**2))
        for kept, left in ways
    ]
    return min(found, key=lambda one: one[0] - one[1] - one[2])


def _together(runs: Sequence[dict[int, Any]]) -> dict[int, dict[int, tuple[float, int]]]:
    """By seat and action the mean value over all searches, and how often it was tried."""
    options: dict[int, dict[int, tuple[float, int]]] = {}
    for run in runs:
        for seat, tried in run.items():
            into = options.setdefault(seat, {})
            for option in tried:
                value, visits = into.get(option.action, (0.0, 0))
                into[option.action] = (value + option.value * option.visits, visits + option.visits)
    return {
        seat: {action: (total / visits, visits) for action, (total, visits) in tried.items() if visits}
        for seat, tried in options.items()
    }


def chances_of(values: Sequence[float], sharpness: float) -> tuple[float, ...]:
    """Chances that add up to 1, from how good a search found a position for each seat, -1..1."""
    shares = [_weight((value + 1) / 2, sharpness) for value in values]
    return tuple(share / sum(shares) for share in shares)


def sampling(chance: float, playouts: int) -> float:
    """Half of the 90 % interval of a share that so many playouts found, if they were independent of each other.

    Agresti and Coull's: a share of 0 in few playouts is not certain.
    """
    counted = playouts + NORMAL**2
    share = (chance * playouts + NORMAL**2 / 2) / counted
    return NORMAL * sqrt(share * (1 - share) / counted)


def chance_of(value: float, seats: int, sharpness: float) -> float:
    """A seat's chance from a value for it alone; the rest is taken to be shared by the others equally."""
    own = (value + 1) / 2
    other = (1 - own) / max(seats - 1, 1)
    return _weight(own, sharpness) / (_weight(own, sharpness) + (seats - 1) * _weight(other, sharpness))


def _weight(share: float, sharpness: float) -> float:
    """What a share of wins weighs among all seats' shares."""
    return float(max(max(share, 0.0) ** sharpness, FLOOR))
