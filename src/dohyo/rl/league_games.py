"""Many compiled games in which a league's members play the other seats: networks for all their games at once.

The rules run compiled, and between two decisions of the learner's the members are asked turn by turn: compiled
policies in a compiled loop, networks with one call for all games in which they are to move, programs game by game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy

from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.match.python_bot import is_bot
from dohyo.rl.compiled_opponents import compiled
from dohyo.rl.league import Batched, League, scores_by
from dohyo.rl.league_programs import ProgramMatches, Programs
from dohyo.rl.observer import Observer
from dohyo.rl.opponents import RANDOM, Opponent, weaker_form
from dohyo.sim.batch import BatchMatch
from dohyo.sim.one_seat import MAX_IDLE, OneSeat


def is_quick(player: Opponent) -> bool:
    """Whether a member can play here: no process, no `dohyo.Bot`."""
    return player == RANDOM or (callable(player) and not is_bot(player))


class LeagueGames(OneSeat):
    """`n` games: the learner plays one seat of each, and members of a `league`, drawn for each match, the others.

    `members` (n, seats - 1) says who, the first behind the learner. With `programs`, members may be programs.
    """

    _of_slots = (*OneSeat._of_slots, "members")

    def __init__(
        self,
        game: Game,
        n: int,
        league: League,
        observer: Observer,
        setup: Mapping[str, Any] | None,
        programs: Programs | None = None,
        *,
        seats: int,
        **options: Any,
    ) -> None:
        """Raises `TypeError` for members that cannot play here, `OperatorError`, and what `OneSeat` raises."""
        self._league, self._observer = league, observer
        self._chance = numpy.random.default_rng(0)
        complete = resolve(game.options, setup or {}, game.catalogue)
        self._program_matches = None if programs is None else ProgramMatches(game, complete, seats, programs)
        super().__init__(game, n, 0, setup, seats=seats, **options)

    def copy(self) -> LeagueGames:
        """A copy of these games, which goes on by itself, with the same league."""
        tables = deepcopy(self._program_matches)  # which is refused while programs play
        twin = super().copy()
        assert isinstance(twin, LeagueGames)
        twin._chance, twin._program_matches = deepcopy(self._chance), tables
        return twin

    def reset(self, which: Any = None, seed: int | Sequence[int] | None = None) -> None:
        """Begin new games, and play them until the learner is asked; with a seed, members are drawn anew from it."""
        self._is_seeded_anew = seed is not None
        super().reset(which, seed)

    def _lead_in(self, chosen: Any) -> int:
        """Draw members for the new games, and play until the learner is asked."""
        if not hasattr(self, "members"):
            self.members = numpy.full((self.n, self.seats - 1), "", object)
        self._check()
        if self._is_seeded_anew:
            self._chance, self._is_seeded_anew = numpy.random.default_rng((self.games.low, self.games.high)), False
        waiting = chosen.copy()
        for _ in range(MAX_IDLE):
            for i in waiting.nonzero()[0].tolist():
                self.members[i] = self._league.draw(self.seats - 1, self._chance)
                self._seat_programs(i)
            over = self._until_asked(waiting, numpy.zeros(self.n, numpy.bool_), numpy.zeros(self.n, numpy.int64))
            if not over.any():
                self.done[:] = False
                self.games.rewards[:] = 0
                return 0
            waiting = over
            BatchMatch.reset(self, over)
        return int(waiting.sum())

    def _check(self) -> None:
        """Raises `TypeError` for a member that cannot play in compiled games, or not without `programs`."""
        slow = [name for name, player in self._league.players.items() if not self._is_quick(player)]
        if slow and self._program_matches is None:
            raise TypeError(
                f"{', '.join(slow)}: a bot plays inside a VectorEnv only if it is made with programs=Programs(), as"
                " each of its matches is a process, a thousand times slower than compiled ones;"
                " dohyo.rl.vectorize gives single environments"
            )

    def _policy(self, player: Opponent) -> Any:
        """The flat policy that a member is; with `programs` the word for a sample bot means its program."""
        if self._program_matches is not None:
            player = weaker_form(self.game, player)
        return compiled(self.game, player) if self._program_matches is None or is_quick(player) else None

    def _is_quick(self, player: Opponent) -> bool:
        """Whether a member plays without a process here."""
        return is_quick(player) or self._policy(player) is not None

    def _programs_of(self, i: int) -> dict[int, tuple[str, Any]]:
        """The programs among the members of a slot, with their names, by seat."""
        seated = {(int(self.learners[i]) + 1 + k) % self.seats: name for k, name in enumerate(self.members[i])}
        players = self._league.players
        return {seat: (name, players[name]) for seat, name in seated.items() if not self._is_quick(players[name])}

    def _seat_programs(self, i: int) -> None:
        """Start the programs of a slot's new match; those of the last one end."""
        if self._program_matches is not None:
            self._program_matches.end(i)
            if members := self._programs_of(i):
                self._program_matches.begin(i, self.seed_of(i), members)

    def close(self) -> None:
        """End all programs. Their matches cannot go on: begin others."""
        if self._program_matches is not None:
            self._program_matches.close()

    def stop(self, which: Any) -> None:
        """Stop the games that `which` (n,), bool, names: nobody has won. Their programs end."""
        super().stop(which)
        for i in which.nonzero()[0].tolist():
            if self._program_matches is not None:
                self._program_matches.end(i)

    def _moved(self, given: Any) -> None:
        """Play the learners' actions, and on until they are asked again; what has ended waits."""
        going = self.games.slots["ended"] == 0
        for i in going.nonzero()[0].tolist() if self._program_matches is not None else ():
            if i not in self._program_matches and self._programs_of(i):  # type: ignore[operator]
                raise ValueError(f"the programs of game {i} have been ended: begin another match with reset()")
        over = self._until_asked(going, going.copy(), given)
        for i in over.nonzero()[0].tolist():
            places = self.endings[i, :-1].tolist()
            self._league.record(self.members[i].tolist(), scores_by(places, int(self.learners[i])))

    def _until_asked(self, which: Any, left: Any, given: Any) -> Any:
        """Play the games of `which`; `left`: the learner has an action, in `given`. Returns which are over."""
        rows, over = numpy.arange(self.n), numpy.zeros(self.n, numpy.bool_)
        slots, rewards = self.games.slots, numpy.zeros_like(self.games.rewards)
        try:
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
                self._ask_programs(playing, asked, actions)
                held = ~playing & (slots["ended"] == 0)
                slots["ended"][held] = 1  # for this turn they wait
                self.place.step(self.games, actions, None, None, self._answered)
                slots["ended"][held] = 0
                ended = self.done & playing
                rewards[ended] = self.games.rewards[ended]
                for i in ended.nonzero()[0].tolist():
                    self._note_end(i)
                    if self._program_matches is not None:
                        self._program_matches.end(i)
                over |= ended
        except BaseException:  # whatever fails, programs end
            self.close()
            raise
        self.done[:] = over
        self.games.rewards[:] = rewards
        return over

    def _note_end(self, i: int) -> None:
        """Note the places, the reason and the points of a game that is over."""
        state, ranks = self.unpack(i), [0] * self.seats
        self.endings[i, -1] = self.game.rules.places(state, ranks)
        self.endings[i, :-1] = ranks
        self.points[i] = self.game.score(state, self.seats) or 0.0

    def _ask(self, playing: Any, asked: Any, actions: Any) -> None:
        """Let the members fill in the actions of the seats that are asked in these games."""
        seen, masks = None, None
        for k in range(self.seats - 1):
            seats = (self.learners + 1 + k) % self.seats
            due = playing & asked[numpy.arange(self.n), seats]
            for name in set(self.members[due, k].tolist()):
                at = (due & (self.members[:, k] == name)).nonzero()[0]
                player: Any = self._league.players[name]
                if not self._is_quick(player):
                    continue
                if (chosen := self._policy(player)) is not None:
                    wanted = numpy.full(self.n, -1, numpy.int64)
                    wanted[at] = seats[at]
                    out = numpy.zeros(self.n, numpy.int64)
                    self.decide(chosen, wanted, out)
                    actions[at, seats[at]] = out[at]
                    continue
                if seen is None:
                    seen, masks = self._observer.scaled(self.observe()), self.legal().astype(numpy.int8)
                views, mask = seen[at, seats[at]], masks[at, seats[at]]  # type: ignore[index]
                if isinstance(player, Batched):
                    actions[at, seats[at]] = player.many(views, mask)
                else:
                    actions[at, seats[at]] = [int(player(*both)) for both in zip(views, mask, strict=True)]

    def _ask_programs(self, playing: Any, asked: Any, actions: Any) -> None:
        """Let programs fill in the actions of their seats: those that the referee beside their match has taken."""
        if self._program_matches is not None and len(self._program_matches):
            for i in playing.nonzero()[0].tolist():
                if i in self._program_matches:
                    self._program_matches.decide(i, asked[i].nonzero()[0].tolist(), actions[i])
