"""Tree search as bots call it: a state and a limit in, a choice out. The search itself is `dohyo.search.tree`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from dohyo.core import flat
from dohyo.core.cheap_random import mixed
from dohyo.core.flat import MASK32
from dohyo.core.game import Game, State
from dohyo.core.given import check_game
from dohyo.core.policies import room_of
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.search import mixed_choices, tree
from dohyo.search.backend import Function, PlainBackend, check_rolled, field, parts_of, put_field, whole, workspace_of
from dohyo.search.of_program import backend_of

MIXED = None, "regret", "exp3"  # how seats that act at once choose: by UCB1, or as `mixed_choices.py` says
NODES, EDGES = 1 << 14, 1 << 18  # that a tree has room for
DEPTH = 64  # turns that a playout may take within the tree
LEAST = 4  # playouts that a position is assessed with, however little time there is
MAX_IN_A_BUNDLE = 1 << 16


class Option(msgspec.Struct, frozen=True):
    """What the search found out about an action: how often it was tried, and its average result, -1..1 by places.

    Where several seats act at once and the search mixes, `share` is how often it should be chosen, 0..1.
    """

    action: int
    visits: int
    value: float
    share: float | None = None


class Choice(msgspec.Struct, frozen=True):
    """What a search chose, after how many playouts; all options that it tried, the most visited first (of a search
    that does not know what the others are worth, none)."""

    action: int
    visits: int
    value: float
    playouts: int
    options: tuple[Option, ...] = ()


class Assessment(msgspec.Struct, frozen=True):
    """What a search found out about a position: by seat how good it is, by places -1..1, after how many playouts;
    and for each seat that acts there its options, the most visited first."""

    values: tuple[float, ...]
    playouts: int
    options: dict[int, tuple[Option, ...]]


class Searcher:
    """What all searches have: a game's rules, plain or compiled, and a choice within a limit."""

    bundle_seconds = 0.002  # how long compiled playouts run between two checks of the clock
    smallest_bundle = 1

    def __init__(self, game: Game, seats: int, compiled: bool, moves: Function | None = None) -> None:
        """`moves` stands for the rules' `legal`. Raises `OperatorError` for `compiled` without the extra `fast`."""
        check_game(game)
        self.game, self.seats = game, seats
        self._layout = game.rules.LAYOUT
        self._legal = moves or game.rules.legal
        self._backend = backend_of(compiled)
        self.compiled = not isinstance(self._backend, PlainBackend)  # a build may have given up
        self._bundle = self.smallest_bundle

    def choose(
        self,
        state: State,
        seat: int,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        worlds: Iterable[State] | None = None,
        until: float | None = None,
    ) -> Choice:
        """What the seat should do. The search takes `seconds`, lasts `until` a moment of `time.monotonic`, or makes
        `playouts` playouts, whatever comes first; at least one playout is made.

        `state` is a plain state with what the seat knows; `worlds` are states that may be the true one, by default
        `state` alone. What becomes of them, and what a playout is, says the class. Raises `ValueError` if the seat
        has nothing to decide, if dice are still to be rolled, and if no limit is given.
        """
        end = end_of(seconds, until, playouts)
        if worlds is None:
            check_rolled(self.game, state)
        options = self._options(state, seat)
        if len(options) == 1:
            return Choice(options[0], 0, 0.0, 0)
        return self._choice([state] if worlds is None else worlds, seat, options, end, playouts)

    def _choice(
        self, worlds: Iterable[State], seat: int, options: list[int], end: float, playouts: int | None
    ) -> Choice:
        """Which of these options the seat should take, found by the moment `end`."""
        raise NotImplementedError

    def _options(self, state: State, seat: int) -> list[int]:
        """What the seat may do. Raises `ValueError` if there is nothing."""
        options = flat.row_of(self.game.rules.ACTIONS)
        count = self._legal(state, seat, options) if self.game.rules.acts(state, seat) else 0
        if count == 0:
            raise ValueError(f"seat {seat} has nothing to decide here")
        return options[:count]

    def _worlds(self, states: Iterable[State]) -> Any:
        """These states as a row that the compiled functions take. Raises `ValueError` for what is no world."""
        return self._backend.worlds(self._layout, whole(self._backend, self.game, self.seats, states))

    def _resize(self, count: int, took: float) -> None:
        """Choose the size of the next bundle for the wanted time; it grows slowly, as trees make playouts longer."""
        wanted = int(count * self.bundle_seconds / max(took, 1e-6))
        self._bundle = max(self.smallest_bundle, min(wanted, 2 * self._bundle, MAX_IN_A_BUNDLE))


class Search(Searcher):
    """UCT for any game: several seats, simultaneous moves, dice, hidden information.

    `value(s, seat)` says how good a state is for a seat, between -1 and 1, at the end of a playout, `horizon` turns
    below the tree; without `value`, the places that the rules would give there count. `policy(s, seat, options,
    count, luck)` chooses actions in playouts, by default any legal action. `moves(s, seat, out)` fills in the actions
    to be searched, instead of the rules' `legal`. `rate(s, scratch)` fills `scratch.result` for all seats at once, in
    the place of `value`; `room` are fields that it may work in, (name, kind, length) as of a `Layout`. All these are
    flat functions. With `ahead`, an action is first judged by the value of the state right after it, all actions of a
    node at once; this helps if `value` is good and there are many actions. `explore` is the weight of exploration.
    With `by_win`, of the places at the end of a match only the first counts.

    `reward` is what ends are worth: "place", "score", "margin" or a flat function (`dohyo.core.rewards`). By any but
    "place", `value`, `rate` and the values that are found are payoffs, not bound to -1..1, and `explore` counts in
    halves of the range of the results so far. The same seed and number of playouts give the same choice, compiled or
    not.

    With `mixed="regret"` (regret matching) or `"exp3"`, seats that act at once draw their actions, as in
    rock-paper-scissors: then each option of a choice has a `share`, and the action is drawn by these.

    One of the `worlds` is drawn for each playout. With `compiled`, the constructor takes seconds if nothing was
    compiled before, otherwise about 0.5 s.
    Raises `ValueError` for what is not a flat function, `OperatorError` for `compiled` without the extra `fast`, and
    what `dohyo.core.rewards.rewards_at_end` raises.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        *,
        compiled: bool = False,
        value: Function | None = None,
        rate: Function | None = None,
        policy: Function | None = None,
        moves: Function | None = None,
        room: Sequence[tuple[str, str, int]] = (),
        horizon: int = 64,
        ahead: bool = False,
        explore: float = 1.4,
        seed: int = 0,
        nodes: int = NODES,
        edges: int = EDGES,
        by_win: bool = False,
        mixed: str | None = None,
        reward: Payoff = PLACE,
    ) -> None:
        super().__init__(game, seats, compiled, moves)
        if mixed not in MIXED:
            raise ValueError(f"`mixed` is {mixed!r}, and must be one of {', '.join(map(repr, MIXED))}")
        rewards = rewards_at_end(game, seats, reward)
        parts = parts_of(game, seats, value, policy, moves, rate, rewards)
        if by_win and not rewards.by_place:
            raise ValueError("`by_win` is about places: leave it out, or the reward")
        told = {"horizon": horizon, "ahead": int(ahead), "explore": explore, "by_win": int(by_win)}
        told["adapts"] = int(not rewards.by_place)
        told |= {"by_places": int(value is None and rate is None), "by_rate": int(rate is not None)}
        told["depth"] = DEPTH * seats
        told["mixed"] = MIXED.index(mixed)
        rooms = (*room_of(policy, given=room), *mixed_choices.scratch_fields(game.rules.ACTIONS, DEPTH * seats))
        self._workspace = workspace_of(self._backend, game, seats, seed, DEPTH * seats, rooms, **told)
        self._tree = self._backend.blank(tree.tree_layout(nodes, edges, seats, mixed is not None), 1)[0]
        self._is_mixed = mixed is not None
        self._draws = Random(seed)
        self._grow: Callable[..., None] = self._backend.over(self._layout, tree.grow, parts)
        self._more(self._backend.blank(self._layout, 1), 0, fresh=True)  # compiles, plays nothing

    def _more(self, worlds: Any, playouts: int, fresh: bool) -> None:
        """Make this number of playouts, on request in a new tree."""
        states, source, scratch = self._workspace
        self._grow(worlds, states, source, self._tree, scratch, playouts, int(fresh))

    def _choice(
        self, worlds: Iterable[State], seat: int, options: list[int], end: float, playouts: int | None
    ) -> Choice:
        done = self._think(self._worlds(worlds), end, playouts)
        found = self._found(seat)
        if drawn := self._drawn(found, options):
            return Choice(drawn.action, drawn.visits, drawn.value, done, tuple(ranked(found)))
        return choice_of(found, options, done)

    def _drawn(self, found: list[Option], legal: list[int]) -> Option | None:
        """One of the legal options, by their shares; none where they have none."""
        shared = sorted((one for one in found if one.share and one.action in legal), key=lambda one: one.action)
        return self._draws.choices(shared, [one.share or 0.0 for one in shared])[0] if shared else None

    def reseed(self, seed: int) -> None:
        """Begin with other random numbers: the same ones for the same seed."""
        rules = self.game.rules
        self._draws = Random(seed)
        put_field(self._workspace.scratch, "word", mixed(seed & MASK32))
        source = self._backend.worlds(rules.SOURCE, [self.game.source(seed)])[0]
        self._workspace = self._workspace._replace(source=source)

    def limit_depth(self, turns: int) -> None:
        """Let playouts take at most so many turns within the tree from now on, none with 0, `DEPTH` at most."""
        put_field(self._workspace.scratch, "depth", min(turns, DEPTH) * self.seats)

    def limit_horizon(self, turns: int) -> None:
        """Let playouts be played on for so many turns below the tree from now on."""
        put_field(self._workspace.scratch, "horizon", turns)

    def assess(
        self,
        worlds: Iterable[State],
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        until: float | None = None,
    ) -> Assessment:
        """How good a position is for every seat, and what those may do there that act; limits as for `choose`.

        `worlds` are the states that may be the true one: one is drawn for each playout. A match that is over there
        is judged by its places. Raises `ValueError` if no limit is given.
        """
        end = end_of(seconds, until, playouts)
        self._bundle = self.smallest_bundle  # the last position may have been a thousand times as quick
        done = self._think(self._worlds(worlds), end, playouts, LEAST)
        totals = field(self._workspace.scratch, "total")
        options = {seat: tuple(ranked(found)) for seat in range(self.seats) if (found := self._found(seat))}
        return Assessment(tuple(float(totals[seat]) / done for seat in range(self.seats)), done, options)

    def _think(self, worlds: Any, end: float, playouts: int | None, least: int = 1) -> int:
        """Make playouts in bundles, `least` at any rate, and check the clock in between; returns their number."""
        done = 0
        while playouts is None or done < playouts:
            begin = time.monotonic()
            if done >= least and begin >= end:
                break
            count = min(self._bundle, (playouts or done + self._bundle) - done)
            self._more(worlds, count, fresh=done == 0)
            done += count
            if self.compiled:
                self._resize(count, time.monotonic() - begin)
        return done

    def _found(self, seat: int) -> list[Option]:
        """The seat's options at the root."""
        action, first, following, visits, total = (
            field(self._tree, name) for name in ("action", "first", "next", "visits", "total")
        )
        found = []
        edge = int(first[seat])
        while edge != tree.NONE:
            times = int(visits[edge])
            share = float(field(self._tree, "share")[edge]) if self._is_mixed else 0.0
            found.append(Option(int(action[edge]), times, float(total[edge]) / max(times, 1), share or None))
            edge = int(following[edge])
        return with_shares(found)


def with_shares(found: list[Option]) -> list[Option]:
    """These options, with shares that sum to 1, if they have any."""
    whole = sum(one.share or 0.0 for one in found)
    if whole <= 0:
        return found
    return [Option(one.action, one.visits, one.value, (one.share or 0.0) / whole) for one in found]


def end_of(seconds: float | None, until: float | None, playouts: int | None) -> float:
    """The moment when thinking has to end."""
    if seconds is None and until is None and playouts is None:
        raise ValueError("say how long to think: `seconds`, `until` or `playouts`")
    ends = [until] if until is not None else []
    if seconds is not None:
        ends.append(time.monotonic() + seconds)
    return min(ends, default=float("inf"))


def choice_of(found: list[Option], legal: list[int], playouts: int) -> Choice:
    """The most visited of the actions that are legal in the state itself; of equally visited ones, the better."""
    options = ranked(found)
    allowed = [option for option in options if option.action in legal]
    if not allowed:
        return Choice(legal[0], 0, 0.0, playouts, tuple(options))
    best = allowed[0]
    return Choice(best.action, best.visits, best.value, playouts, tuple(options))


def ranked(found: list[Option]) -> list[Option]:
    """The most visited first; of equally visited ones, the better."""
    return sorted(found, key=lambda option: (-option.visits, -option.value, option.action))
