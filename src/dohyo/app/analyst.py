"""How good a position is for each seat, by search in the compiled rules: a chance to win, and how sure that is.

Positions are judged by `dohyo.search`, so a game needs no line of code for it; it may bring a better judge
(`Game.judge`). Each position is searched a few times, with other random numbers: the mean is the judgement, the
spread between the searches its uncertainty. Used by `dohyo.app.analysis`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.core.game import Game, Information

if TYPE_CHECKING:
    from dohyo.search import Search
    from dohyo.search.uct import Assessment

RUNS = 4  # searches of a position
WIDE = 2.35  # half of a 90 % interval, in standard errors of so few runs (Student, 3 degrees of freedom)
NORMAL = 1.645  # the same in standard errors of many
FLOOR = 1e-3


class Judged(NamedTuple):
    """By seat the chance and its half interval; by acting seat and action the value and how often it was tried.

    `values`: by seat what the search found, -1..1, of which the chances are made.
    """

    chance: tuple[float, ...]
    error: tuple[float, ...]
    options: dict[int, dict[int, tuple[float, int]]]
    playouts: int
    values: tuple[float, ...]


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
        is the true state. Where a game's judge is `blind`, nobody then acts by what a tree sees; and where everybody
        knows the true state, half of the time goes to the chances, half to the actions.
        """
        for run, search in enumerate(self._searches):
            search.reseed(seed * RUNS + run)
        share = None if seconds is None else seconds / RUNS
        each = None if playouts is None else max(1, playouts // RUNS)
        depths = [self.by.depth if deciding or not self.by.blind else 0]
        if deciding and self.by.blind and self.game.information is Information.PERFECT:
            depths = [0, self.by.depth]
            share = None if share is None else share / 2
            each = None if each is None else max(1, each // 2)
        looks = [self._look(worlds, depth, share, each) for depth in depths]
        runs = [one.values for one in looks[0]]
        values = tuple(fmean(run[seat] for run in runs) for seat in range(self.seats))
        chance = chances_of(values, self.by.sharpness)
        apart = [chances_of(run, self.by.sharpness) for run in runs]
        done = sum(one.playouts for one in looks[0])
        spread = [WIDE * stdev(run[seat] for run in apart) / sqrt(RUNS) for seat in range(self.seats)]
        error = tuple(max(wide, sampling(one, done)) for wide, one in zip(spread, chance, strict=True))
        all_done = sum(one.playouts for look in looks for one in look)
        return Judged(chance, error, _together([one.options for one in looks[-1]]), all_done, values)

    def _look(self, worlds: Any, depth: int, seconds: float | None, playouts: int | None) -> list[Assessment]:
        """What each search finds, with a tree of this depth."""
        for search in self._searches:
            search.limit_depth(depth)
        return [search.assess(worlds, seconds=seconds, playouts=playouts) for search in self._searches]


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
    shares = [max((value + 1) / 2, FLOOR) ** sharpness for value in values]
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
    own = max((value + 1) / 2, FLOOR)
    other = max(1 - own, FLOOR) / max(seats - 1, 1)
    return float(own**sharpness / (own**sharpness + (seats - 1) * other**sharpness))
