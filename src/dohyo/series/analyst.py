"""How good a position is for each seat, by search in the compiled rules: a chance to win, and how sure that is.

Positions are judged by `dohyo.search`, so a game needs no line of code for it; it may bring a better judge
(`Game.judge`). Each position is searched a few times, with other random numbers: the mean is the judgement, the
spread between the searches its uncertainty. Where two seats take turns and nothing is hidden or left to chance, up to
half of the time goes to a proof first (`dohyo.search.Proof`): what is proven is no estimate. Used by
`dohyo.guests.analysis.analysis` and by who looks for puzzles.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.core.game import Game, State

if TYPE_CHECKING:
    from dohyo.search import Proof, Proven, Search

RUNS = 4  # searches of a position
WIDE = 2.35  # half of a 90 % interval, in standard errors of so few runs (Student, 3 degrees of freedom)
NORMAL = 1.645  # the same in standard errors of many
FLOOR = 1e-3  # of a share, raised to its power: no search is certain
PROVING = 0.5  # the part of a position's time in which a proof may be looked for
A_PLAYOUT = 16  # positions that a proof looks at in about the time of a playout


class Judged(NamedTuple):
    """By seat the chance and its half interval; by acting seat and action the value and how often it was tried.

    `values`: by seat what the search found, -1..1, of which the chances are made. `beside`: the same for players who
    see all that a tree does, where a game's judge keeps the two `apart`. `proven`: what was proven, if it is the
    position's result; then its chances are 1, 0 or a half, without an error. An option with a proven result has its
    value, 1, 0 or -1, as if it had been tried most of all where nothing better can be had, and never where it loses
    needlessly.
    """

    chance: tuple[float, ...]
    error: tuple[float, ...]
    options: dict[int, dict[int, tuple[float, int]]]
    playouts: int
    values: tuple[float, ...]
    beside: Judged | None = None
    proven: Proven | None = None


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
        self._proof = proof_of(game, seats=seats, compiled=compiled)

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
        ways of judging `apart`, each gets half of the time, and the options are the tree's. A proof gets up to half
        of it before; if it settles all, nothing else is searched.
        """
        if self._proof is None or len(worlds) != 1:
            return self._search(worlds, seconds, playouts, seed, deciding)
        begin = time.monotonic()
        proven = self._prove(worlds, seconds, playouts)
        if proven is not None and proven.is_whole:
            return with_proof(Judged((), (), {}, 0, ()), proven)
        left = None if seconds is None else max(0.0, seconds - (time.monotonic() - begin))
        judged = self._search(worlds, left, None if playouts is None else playouts - playouts // 2, seed, deciding)
        return judged if proven is None else with_proof(judged, proven)

    def prove(self, judged: Judged, state: State, seconds: float) -> Judged:
        """The judgement of a position with what so much more time proves of it; the same where that is nothing."""
        if self._proof is None:
            return judged
        proven = self._proof.prove(state, seconds=seconds, keep=True)
        return judged if proven is None else with_proof(judged, proven)

    @property
    def proves(self) -> bool:
        """Whether results can be proven in this game."""
        return self._proof is not None

    def _prove(self, worlds: Any, seconds: float | None, playouts: int | None) -> Proven | None:
        """What can be proven of a position in half of its time.

        What was found for other positions of the match is used, unless the same is to be found each time.
        """
        assert self._proof is not None
        return self._proof.prove(
            self._plain(worlds),
            seconds=None if seconds is None else PROVING * seconds,
            playouts=None if playouts is None else playouts // 2 * A_PLAYOUT,
            keep=playouts is None,
        )

    def _plain(self, worlds: Any) -> State:
        """The only world as a plain state."""
        if isinstance(worlds, list):
            return worlds[0]
        from dohyo.sim import records

        return records.read(self.game.rules.LAYOUT, worlds, 0)

    def _search(self, worlds: Any, seconds: float | None, playouts: int | None, seed: int, deciding: bool) -> Judged:
        """What the searches say of a position, in one way or in two."""
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


def proof_of(game: Game, *, seats: int, compiled: bool = True) -> Proof | None:
    """What proves results of a game's positions; none where that cannot be done.

    Raises `OperatorError` for `compiled` without the extra `fast`.
    """
    from dohyo.search.proof import Proof, is_provable

    return Proof(game, compiled=compiled) if is_provable(game, seats) else None


def with_proof(judged: Judged, proven: Proven) -> Judged:
    """A judgement, with what was proven in the place of what was estimated."""
    tried = dict(judged.options.get(proven.seat, {}))
    most = sum(visits for _, visits in tried.values()) + 1
    for one in proven.actions:
        value, visits = tried.get(one.action, (0.0, 0))
        if one.result is not None:
            needless = one.result < (0 if proven.result is None else proven.result)
            best = one.result == proven.result
            tried[one.action] = float(one.result), 0 if needless else most if best else visits
        elif proven.result == 0 and visits:  # a better one would have been proven
            tried[one.action] = min(value, 0.0), visits
    if proven.result:  # a win rather soon, a defeat rather late
        best_ones = [one for one in proven.actions if one.result == proven.result]
        first = min(best_ones, key=lambda one: (one.plies or 0) * (proven.result or 0), default=None)
        if first is not None:
            tried[first.action] = float(proven.result), most + 1
    options = {**judged.options, proven.seat: tried} if proven.actions else judged.options
    if proven.result is None:
        return judged._replace(options=options)
    values = [float(proven.result), -float(proven.result)]
    if proven.seat == 1:
        values.reverse()
    chance = tuple((value + 1) / 2 for value in values)
    return judged._replace(chance=chance, error=(0.0, 0.0), values=tuple(values), options=options, proven=proven)


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
