"""Puzzles that were tried: games with dice, secrets, more than two seats, or moves at the same time.

Theory of operation
-------------------
Nobody can prove anything there. A search proposes decisions in which one action looks much better than all others,
by what its seat could know. Then the match is played on after each legal action, in pairs with the same luck
(`dohyo.series.branches`). Where a seat does not see all, luck also draws the state, among those that fit everything
it was sent; where others act in the same turn, what they do, as often as the search would.

It is a puzzle if the seat comes first in at least `HOLDS` of the matches after one action, in at most `LEAVES` after
each other one, and both would be no chance. Then all is played anew, with other luck, twice as often, by players who
think twice as long: what is not said again is not known, and no puzzle.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dohyo.core import seeds
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import Moment, beginning
from dohyo.core.replay import Replay
from dohyo.search.analyst_belief import beliefs_of
from dohyo.series.analyst import chance_of, search_of
from dohyo.series.branches import STEP, Branch, End, PlaysOn, Tally
from dohyo.series.puzzles.puzzle import Other

HOLDS, LEAVES = 0.8, 0.45  # of the first places
GAP = 0.15  # of a chance, by which the search must like one action more than all others
LOOKS = 1, 2, 4, 8  # pairs for each action after which most proposals are dropped
PAIRS = 16  # by which the first look decides; the second one takes twice as many
MOST_ACTIONS = 16  # of a position that can be tried
PROPOSALS = 6  # of a match
PLAYOUTS = 1200, 60  # of the search that proposes, compiled and in plain Python
LIKELY = 200, 20  # of the search that says what others do in the same turn
WORLDS = 24  # that are kept of what a seat could know
BELIEVING = 0.2  # seconds in which states that fit are looked for, for a turn


class Proposal(NamedTuple):
    """A decision in which an action looks much better than the others; `worlds` are what its seat could know."""

    moment: Moment
    seat: int
    action: int
    gap: float
    worlds: Sequence[State]


class Tried(NamedTuple):
    """A puzzle that was tried: in how many matches the solution came first, and each other action."""

    solution: int
    won: float
    times: int
    checked: int
    others: tuple[Other, ...]


class Proposer:
    """Looks through matches of one game, with so many seats, for such decisions."""

    def __init__(self, game: Game, seats: int, *, compiled: bool = True) -> None:
        self.game, self.seats, self.compiled = game, seats, compiled
        self._search = search_of(game, seats, compiled=compiled)
        self._at = 0 if compiled else 1

    def proposals(self, replay: Replay, played: Sequence[Moment], until: float) -> list[Proposal]:
        """The likeliest ones of a match, the likeliest first, as far as it can be gone through until that moment."""
        found: list[Proposal] = []
        if self.game.information is Information.PERFECT:
            for moment in reversed(played):  # near the end something hangs on a turn, and a search sees it
                if time.monotonic() >= until:
                    break
                for seat, action in enumerate(moment.actions):
                    if action is not None:
                        found += self._of(moment, seat, [moment.before])
        else:
            for moment, seat, worlds in self._known(replay, played, until):
                found += self._of(moment, seat, worlds)
        return sorted(found, key=lambda one: -one.gap)[:PROPOSALS]

    def likely(self, state: State, seat: int, luck: random.Random) -> dict[int, int]:
        """What the others do who act in the same turn, as often as the search tries it."""
        others = [one for one in self.game.acting(state, self.seats) if one != seat]
        if not others:
            return {}
        self._search.reseed(luck.getrandbits(30))
        found = self._search.assess([state], playouts=LIKELY[self._at]).options
        actions = {}
        for one in others:
            tried = {each.action: each.visits for each in found.get(one, ())}
            legal = list(self.game.legal_actions(state, one))
            weights = [tried.get(action, 0) for action in legal]
            actions[one] = luck.choices(legal, weights if any(weights) else None)[0]
        return actions

    def _of(self, moment: Moment, seat: int, worlds: Sequence[State]) -> list[Proposal]:
        """The decision, if it may be a puzzle: none or one."""
        legal = list(self.game.legal_actions(moment.before, seat))
        if not 2 <= len(legal) <= MOST_ACTIONS:
            return []
        self._search.reseed(moment.turn.turn % (1 << 30))
        found = self._search.assess(worlds, playouts=PLAYOUTS[self._at]).options.get(seat, ())
        tried = [(self._chance(one.value), one.action) for one in found if one.visits and one.action in legal]
        if len(tried) < 2:
            return []
        (best, action), (second, _) = sorted(tried, reverse=True)[:2]
        return [Proposal(moment, seat, action, best - second, worlds)] if best - second >= GAP else []

    def _chance(self, value: float) -> float:
        return chance_of(value, self.seats, self.game.judge().sharpness)

    def _known(
        self, replay: Replay, played: Sequence[Moment], until: float
    ) -> Iterator[tuple[Moment, int, list[State]]]:
        """What each seat could know before each of its turns, where anything but the true state fits."""
        beliefs = beliefs_of(self.game, self.seats, range(self.seats), compiled=self.compiled)
        for at, moment in enumerate(played):
            for belief in beliefs:
                if time.monotonic() >= until:
                    return
                belief.seconds = BELIEVING
                if at == 0:
                    belief.begin(beginning(self.game, replay), moment.turn.dice, moment.before)
                else:
                    belief.follow(played[at - 1].actions, moment.turn.dice, moment.before)
                if moment.actions[belief.seat] is not None and not belief.is_true:
                    yield moment, belief.seat, self._plain(belief.worlds)

    def _plain(self, worlds: Any) -> list[State]:
        """Some of the worlds as plain states."""
        layout, count = self.game.rules.LAYOUT, min(WORLDS, len(worlds))
        if isinstance(worlds, list):
            return [layout.copy(worlds[at]) for at in range(count)]
        from dohyo.sim import records

        return [records.read(layout, worlds, at) for at in range(count)]


class Trying:
    """Tries proposals: `by` plays on at first, `deeper` the second time."""

    def __init__(self, proposer: Proposer, by: PlaysOn, deeper: PlaysOn, seed: int) -> None:
        self.game, self.seats = proposer.game, proposer.seats
        self._proposer, self._by, self._deeper, self._seed = proposer, by, deeper, seed

    def look(self, one: Proposal, until: float) -> Tried | None:
        """The puzzle in a proposal; none if there is none, or it is not known by that moment."""
        legal = list(self.game.legal_actions(one.moment.before, one.seat))
        first = _Matches(self, one, legal, self._by, "first", until)
        if not first.say(PAIRS, one.action):
            return None
        second = _Matches(self, one, legal, self._deeper, "second", until)
        if not second.say(2 * PAIRS, one.action):
            return None
        won = second.won(one.action)
        others = tuple(
            Other(self.game.protocol.text(action), won=second.won(action), times=second.times)
            for action in legal
            if action != one.action
        )
        return Tried(one.action, won, second.times, second.played, others)

    def branch(self, one: Proposal, action: int, look: str, luck: int) -> Branch | None:
        """Where the match goes on after an action; none where the state that is drawn does not allow it."""
        turn, rules = one.moment.turn.turn, self.game.rules
        drawn = random.Random(seeds.derived(self._seed, look, turn, one.seat, luck))
        state = rules.LAYOUT.copy(one.worlds[drawn.randrange(len(one.worlds))])
        others = self._proposer.likely(state, one.seat, drawn)
        if action not in self.game.legal_actions(state, one.seat):
            return None
        actions: list[Any] = [others.get(seat, 0) for seat in range(self.seats)]
        actions[one.seat] = action
        rules.step(state, actions, None)
        self.game.reseat(state)
        return Branch(state, turn + 1, seeds.derived(self._seed, f"{look} luck", turn, luck))


class _Matches:
    """Matches that are played on after each action of one decision, by one group of players."""

    def __init__(
        self, trying: Trying, one: Proposal, legal: Sequence[int], by: PlaysOn, look: str, until: float
    ) -> None:
        self._trying, self._one, self._legal, self._by, self._look = trying, one, legal, by, look
        self._until = until
        self._ends: dict[int, list[End | None]] = {action: [] for action in legal}
        self.times = self.played = 0

    def play(self, times: int) -> bool:
        """Play up to so many matches after each action; whether all came to an end."""
        while self.times < times:
            if time.monotonic() >= self._until:
                return False
            now = range(self.times, min(times, self.times + STEP))
            wanted = [(action, luck) for action in self._legal for luck in now]
            branches = [self._trying.branch(self._one, action, self._look, luck) for action, luck in wanted]
            if None in branches:  # what is legal in one state and not in another cannot be compared
                return False
            ends = self._by.ends([one for one in branches if one is not None], self._until)
            for (action, _), end in zip(wanted, ends, strict=True):
                self._ends[action].append(end)
            if None in ends:
                return False
            self.times, self.played = now.stop, self.played + len(ends)
        return True

    def say(self, times: int, solution: int) -> bool:
        """Whether so many matches after each action say that it is a puzzle; few are played where it is none."""
        for few in LOOKS:
            if not self.play(few) or not self.may_be(solution):
                return False
        return self.play(times) and self.is_puzzle(solution)

    def won(self, action: int) -> float:
        """How many first places there were after an action."""
        return sum(end.shares[self._one.seat] for end in self._ends[action] if end is not None)

    def may_be(self, solution: int) -> bool:
        """Whether more matches may say that it is a puzzle: at first many others may have won by chance."""
        if self._share(solution) < HOLDS - 0.3:
            return False
        if self.times < LOOKS[2]:
            others = [self._share(action) for action in self._legal if action != solution]
            return sum(others) / len(others) <= LEAVES + 0.3
        return all(self._share(action) <= LEAVES + 0.3 for action in self._legal if action != solution)

    def is_puzzle(self, solution: int) -> bool:
        """Whether one action holds what all others give away, and chance would not say so."""
        if self._share(solution) < HOLDS:
            return False
        return all(self._is_worse(action, solution) for action in self._legal if action != solution)

    def _is_worse(self, action: int, solution: int) -> bool:
        tally = Tally()
        for end, better in zip(self._ends[action], self._ends[solution], strict=True):
            tally.add(end, better, self._one.seat)
        return self._share(action) <= LEAVES and tally.is_known

    def _share(self, action: int) -> float:
        return self.won(action) / max(1, self.times)
