"""Many compiled games in which a league's members play the other seats: networks for all their games at once.

The rules run compiled, and between two decisions of the learner's the members are asked turn by turn: compiled
policies in a compiled loop, networks with one call for all games in which they are to move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import numpy

from dohyo.app.python_bot import is_bot
from dohyo.core.flat import flat
from dohyo.core.game import Game
from dohyo.rl.league import Batched, League, scores_by
from dohyo.rl.observer import Observer
from dohyo.rl.opponents import RANDOM, Opponent
from dohyo.sim.batch import BatchMatch
from dohyo.sim.one_seat import MOST_IDLE, OneSeat
from dohyo.sim.turns import uniform_legal, within
from dohyo.sim.whole_program import compile_loops

# Names that are left open here, and supplied when it is compiled.
legal: Any = None
policy: Any = None


@flat
def choose_span(first: int, last: int, seats: Any, states: Any, slots: Any, out: Any, scratch: Any) -> None:
    """What a policy does on the seat that `seats` says of each slot, into `out`; nothing where that is -1."""
    options = scratch[0].options
    for at in range(first, last):
        if seats[at] >= 0:
            count = legal(states[at], seats[at], options)
            out[at] = within(policy(states[at], seats[at], options, count, slots[at]), options)


@cache
def _known(game_identity: int) -> dict[Any, Any]:
    return {}


def _choose(game: Game, chosen: Callable[..., Any]) -> Any:
    """The loop of a policy, compiled once."""
    found = _known(id(game))
    if chosen not in found:
        parts: dict[str, Callable[..., Any]] = {"legal": game.rules.legal, "policy": chosen}
        found[chosen] = game, *compile_loops([choose_span], parts)  # so that the identity is never given to another
    return found[chosen][1]


def is_quick(player: Opponent) -> bool:
    """Whether a member can play here: no process, no `dohyo.Bot`."""
    return player == RANDOM or (callable(player) and not is_bot(player))


class LeagueGames(OneSeat):
    """As `OneSeat`, with the members of a `league` on the other seats, drawn anew for each match.

    `members` (n, seats - 1) says who, the first behind the learner.
    """

    def __init__(
        self, game: Game, n: int, league: League, observer: Observer, setup: Mapping[str, Any] | None, **options: Any
    ) -> None:
        """Raises `TypeError` for a league with members that cannot play here, and what `OneSeat` raises."""
        self._league, self._observer = league, observer
        self._chance = numpy.random.default_rng(0)
        _check(league)
        super().__init__(game, n, 0, setup, **options)

    def copy(self) -> LeagueGames:
        """As `BatchMatch.copy`, with the same league."""
        twin = super().copy()
        assert isinstance(twin, LeagueGames)
        twin._chance = deepcopy(self._chance)
        return twin

    def _lead_in(self, chosen: Any) -> int:
        """Draw members for the new games, and play until the learner is asked."""
        if not hasattr(self, "members"):
            self.members = numpy.full((self.n, self.seats - 1), "", object)
        _check(self._league)
        if chosen.all():
            self._chance = numpy.random.default_rng(self._words)
        waiting = chosen.copy()
        for _ in range(MOST_IDLE):
            for i in waiting.nonzero()[0].tolist():
                self.members[i] = self._league.draw(self.seats - 1, self._chance)
            over = self._until_asked(waiting, numpy.zeros(self.n, numpy.bool_), numpy.zeros(self.n, numpy.int64))
            if not over.any():
                self.done[:] = False
                self._rewards[:] = 0
                return 0
            waiting = over
            BatchMatch.reset(self, over)
        return int(waiting.sum())

    def _moved(self, given: Any) -> None:
        """Play the learners' actions, and on until they are asked again; what has ended waits."""
        going = self._slots["ended"] == 0
        over = self._until_asked(going, going.copy(), given)
        for i in over.nonzero()[0].tolist():
            places = self.endings[i, :-1].tolist()
            self._league.record(self.members[i].tolist(), scores_by(places, int(self.learners[i])))

    def _until_asked(self, which: Any, left: Any, given: Any) -> Any:
        """Play the games of `which`; `left`: the learner has an action, in `given`. Returns which are over."""
        rows, over = numpy.arange(self.n), numpy.zeros(self.n, numpy.bool_)
        rewards = numpy.zeros_like(self._rewards)
        while True:
            asked = self.acting()
            playing = which & ~over & (left | ~asked[rows, self.learners])
            if not playing.any():
                break
            actions = numpy.zeros((self.n, self.seats), numpy.int64)
            mine = playing & asked[rows, self.learners]
            actions[mine, self.learners[mine]] = given[mine]
            left = left & ~mine
            self._ask(playing, asked, actions)
            held = ~playing & (self._slots["ended"] == 0)
            self._slots["ended"][held] = 1  # for this turn they wait
            BatchMatch.step(self, actions)
            self._slots["ended"][held] = 0
            ended = self.done & playing
            rewards[ended] = self._rewards[ended]
            for i in ended.nonzero()[0].tolist():
                ranks = [0] * self.seats
                self.endings[i, -1] = self.game.rules.places(self.unpack(i), ranks)
                self.endings[i, :-1] = ranks
            over |= ended
        self.done[:], self._rewards[:] = over, rewards
        return over

    def _ask(self, playing: Any, asked: Any, actions: Any) -> None:
        """Let the members fill in the actions of the seats that are asked in these games."""
        seen, masks = None, None
        for k in range(self.seats - 1):
            seats = (self.learners + 1 + k) % self.seats
            due = playing & asked[numpy.arange(self.n), seats]
            for name in set(self.members[due, k].tolist()):
                at = (due & (self.members[:, k] == name)).nonzero()[0]
                player: Any = self._league.players[name]
                if player == RANDOM or getattr(player, "__flat__", False):
                    wanted = numpy.full(self.n, -1, numpy.int64)
                    wanted[at] = seats[at]
                    out = numpy.zeros(self.n, numpy.int64)
                    loop = _choose(self.game, uniform_legal if player == RANDOM else player)
                    self._run(loop, (wanted, self.states, self._slots, out), scratch=4)
                    actions[at, seats[at]] = out[at]
                    continue
                if seen is None:
                    seen, masks = self._observer.scaled(self.observe()), self.legal().astype(numpy.int8)
                views, mask = seen[at, seats[at]], masks[at, seats[at]]  # type: ignore[index]
                if isinstance(player, Batched):
                    actions[at, seats[at]] = player.many(views, mask)
                else:
                    actions[at, seats[at]] = [int(player(*both)) for both in zip(views, mask, strict=True)]


def _check(league: League) -> None:
    """Raises `TypeError` for a member that cannot play in compiled games."""
    slow = [name for name, player in league.players.items() if not is_quick(player)]
    if slow:
        raise TypeError(
            f"{', '.join(slow)}: a bot cannot play inside a VectorEnv, only functions; dohyo.rl.vectorize takes all"
        )
