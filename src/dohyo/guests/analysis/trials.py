"""Whether another action would have been better: both are played on, with the same luck, until that is known.

Theory of operation
-------------------
The search proposes decisions, and for each some actions that it likes at least as much as the one that was played.
In a first round each of these is played on once or twice: that chooses, together with what the search thinks, as if
that were some more matches. Then they are played on anew, the likeliest first, with luck of their own, each until the
difference is known, or can hardly become known, or the time is over. Only these later matches are told: those that
chose are not evidence.

Few matches for each of many decisions would name nothing, however clear a mistake is: with 150 matches for 15
decisions, of which one is worth half of the chance, it is named so in most analyses, and in none if all have as many
matches as each other (`tests/guests/analysis/test_trials.py` has the first).

Where a seat does not know all, or others act in the same turn, every other pair begins not with what was, but with
what could have been: a state that the seat could not tell from the true one, and actions of the others that the
search finds likely. A decision is a mistake only if it is one in what could have been, and in what was: one that cost
nothing in the match is none of its turning points.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dohyo.core import seeds
from dohyo.core.game import Game, State
from dohyo.guests.analysis.kept import PlayedTurn
from dohyo.series.branches import ALIKE, STEP, TIMES, Branch, End, PlaysOn, Tally

LOOKED = 0.3  # of the time for the first round
PRIOR = 6  # matches that what the search thinks counts for, when it is chosen
ALTERNATIVES = 2  # actions of a decision that are tried
DECISIONS = 32  # that are tried, at most
CONFIRMED = 6  # that are played on anew, where no time ends it
AT_ONCE = 4  # decisions that are looked at side by side
LEAST = 0.1  # of the first place an action must win more, to be told
MAX_TIMES = 2 * TIMES  # pairs of one alternative
LUCKS = 3 * TIMES  # numbers of luck for one alternative: some allow no pair
MANY = 24  # pairs, after which little hope is given up


class Option(NamedTuple):
    """An action that may have been better than the one that was played, and how much better the search finds it."""

    action: int
    gap: float


class Decision(NamedTuple):
    """A decision that may have been a mistake.

    `place` is its turn's in the list of moments. `state` draws a state that the seat took to be possible, `others`
    likely actions of the others in a state; where there is nothing to draw, `varies` is not set. `options` come the
    likeliest first.
    """

    place: int
    seat: int
    played: int
    options: tuple[Option, ...]
    varies: bool
    state: Callable[[random.Random], State]
    others: Callable[[State, random.Random], dict[int, int]]


class Trying(NamedTuple):
    """What is played on just now, to be told: from which turn, which of how many that is, and when it ends at last.

    `kind`: "curve" goes on as it was; "look" is the first round of a decision's trial, "again" the one that counts.
    `until` is a moment of `time.monotonic`; none: it takes as long as it takes.
    """

    kind: str
    turn: int
    at: int
    of: int
    until: float | None


class Verdict(NamedTuple):
    """An action that is known to be better, with the matches that say so."""

    decision: Decision
    better: int
    tally: Tally


class Tried:
    """What came of all trials: verdicts, how many decisions were tried, and matches from what was."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.decisions = 0
        self.matches = 0
        self.as_played: dict[int, dict[int, End]] = {}  # by place, ends after the turn as it was, by their seed


class _Trial:
    """One action against the one that was played."""

    def __init__(self, decision: Decision, option: Option) -> None:
        self.decision, self.option = decision, option
        self.first = Tally()  # that chooses
        self.all, self.drawn, self.true = Tally(), Tally(), Tally()
        self.next = 0  # luck that comes next

    @property
    def key(self) -> tuple[int, int]:
        """Which decision it is of."""
        return self.decision.place, self.decision.seat

    @property
    def is_known(self) -> bool:
        """Whether it is better, by what could have been, and by what was."""
        if not self.all.is_known or self.all.gain < LEAST:
            return False
        return not self.decision.varies or (self.drawn.gain > 0 and self.true.gain >= 0)

    @property
    def is_open(self) -> bool:
        """Whether more matches may tell."""
        if self.is_known or self.all.times >= MAX_TIMES or self.all.is_always_alike:
            return False
        least = LEAST / 2 if self.all.times < MANY else LEAST
        return self.all.times < STEP or (self.all.can_be_known(MAX_TIMES) and self.all.gain > least)

    @property
    def likely(self) -> float:
        """How much better it seems to be, by the matches that choose and by the search."""
        return (self.first.gain * self.first.times + PRIOR * self.option.gap) / (self.first.times + PRIOR)


class Trials:
    """Trials of the decisions of one match."""

    def __init__(self, game: Game, moments: Sequence[PlayedTurn], seats: int, seed: int, by: PlaysOn) -> None:
        self.game, self.moments, self.seats, self.by = game, moments, seats, by
        self._seed = seed
        self._ends: dict[tuple[int, int, int, int], End | None] = {}  # by decision, action and luck
        self._by_state: dict[tuple[str, int], End | None] = {}
        self.found = Tried()

    def carry_out(
        self,
        decisions: Sequence[Decision],
        until: float | None,
        tell: Callable[[], None],
        on_try: Callable[[Trying], None] = lambda trying: None,
    ) -> Tried:
        """Try these decisions, the likeliest mistakes first; `tell` is called after each step, `on_try` before it."""
        begun, self._on_try = time.monotonic(), on_try
        middle = None if until is None else begun + LOOKED * (until - begun)
        trials = self._first_round(decisions, middle, until, tell)
        chosen = _one_each(sorted(trials, key=lambda one: -one.likely))
        hopeful = sum(one.likely > 0 for one in chosen)
        for at, one in enumerate(chosen if until is not None else chosen[:CONFIRMED], 1):
            while one.likely > 0 and one.next < LUCKS and (until is None or time.monotonic() < until):
                self._tell("again", one.decision, at, hopeful, until)
                self._play_on(one, until)
                tell()
                if not one.is_open:
                    break
            if one.is_known:
                self.found.verdicts.append(Verdict(one.decision, one.option.action, one.all))
        return self.found

    # --- choosing

    def _first_round(
        self, decisions: Sequence[Decision], middle: float | None, until: float | None, tell: Callable[[], None]
    ) -> list[_Trial]:
        """Play each alternative on once, or twice where what could have been differs from what was."""
        found: list[_Trial] = []
        for begin in range(0, min(len(decisions), DECISIONS), AT_ONCE):
            if middle is not None and begin and time.monotonic() >= middle:
                break
            some = decisions[begin : begin + AT_ONCE]
            self._tell("look", some[0], begin + 1, min(len(decisions), DECISIONS), middle)
            trials = [_Trial(one, option) for one in some for option in one.options[:ALTERNATIVES]]
            for one in trials:
                one.next = 2 if one.decision.varies else 1
            wanted = [(one, luck) for one in trials for luck in range(one.next)]
            self._add(wanted, until)
            for one, luck in wanted:
                one.first.add(*self._pair(one, luck), one.decision.seat)
            found += trials
            self.found.decisions += len(some)
            tell()
        return found

    def _play_on(self, trial: _Trial, until: float | None) -> None:
        """Play a trial on up to its next look, with new luck."""
        more = STEP - trial.all.times % STEP if trial.all.times else ALIKE
        wanted = [(trial, luck) for luck in range(trial.next, trial.next + more)]
        trial.next += more
        self._add(wanted, until)
        for _, luck in wanted:
            pair, seat = self._pair(trial, luck), trial.decision.seat
            trial.all.add(*pair, seat)
            (trial.drawn if luck % 2 else trial.true).add(*pair, seat)

    def _tell(self, kind: str, decision: Decision, at: int, of: int, until: float | None) -> None:
        """Tell what is tried next."""
        self._on_try(Trying(kind, self.moments[decision.place].turn.turn, at, of, until))

    # --- matches

    def _pair(self, trial: _Trial, luck: int) -> tuple[End | None, End | None]:
        """How the match ended after what was played, and after the alternative."""
        decision = trial.decision
        key = decision.place, decision.seat
        return self._ends.get((*key, decision.played, luck)), self._ends.get((*key, trial.option.action, luck))

    def _add(self, wanted: Sequence[tuple[_Trial, int]], until: float | None) -> None:
        """Play what these pairs need and what has not been played yet."""
        keys: list[tuple[int, int, int, int]] = []
        same: list[tuple[str, int]] = []  # by key, the state and its luck: two decisions may lead to the same match
        branches: dict[tuple[str, int], Branch] = {}
        for trial, luck in wanted:
            decision = trial.decision
            for action in (decision.played, trial.option.action):
                key = decision.place, decision.seat, action, luck
                if key in self._ends or key in keys:
                    continue
                branch = self._branch(decision, action, luck)
                if branch is None:
                    self._ends[key] = None
                    continue
                one = self.game.rules.LAYOUT.digest(branch.state), branch.seed
                keys.append(key)
                same.append(one)
                if one not in self._by_state:
                    branches[one] = branch
        new = dict(zip(branches, self.by.ends(list(branches.values()), until), strict=True))
        self._by_state |= new
        self.found.matches += sum(end is not None for end in new.values())
        for key, one in zip(keys, same, strict=True):
            self._ends[key] = end = self._by_state[one]
            place = key[0]
            if end is not None and one in new and one[0] == self._after(place):
                self.found.as_played.setdefault(place, {})[one[1]] = end

    def _after(self, place: int) -> str:
        """The digest of the state after a turn, as it was."""
        return self.moments[place].turn.digest

    def _branch(self, decision: Decision, action: int, luck: int) -> Branch | None:
        """Where the match goes on after an action; none where the state that is drawn does not allow it."""
        moment, rules = self.moments[decision.place], self.game.rules
        turn = moment.turn.turn
        drawn = random.Random(seeds.derived(self._seed, "drawn", turn, decision.seat, luck))
        if decision.varies and luck % 2:
            state = decision.state(drawn)
            others = decision.others(state, drawn)
        else:
            state = rules.LAYOUT.copy(moment.before)
            others = {seat: one for seat, one in enumerate(moment.actions) if one is not None}
        if action not in self.game.legal_actions(state, decision.seat):
            return None
        actions: list[Any] = [others.get(seat, 0) for seat in range(self.seats)]
        actions[decision.seat] = action
        rules.step(state, actions, None)
        return Branch(state, turn + 1, seeds.derived(self._seed, "played on", turn, luck))


def _one_each(trials: Sequence[_Trial]) -> list[_Trial]:
    """The first alternative of each decision, in this order."""
    first: dict[tuple[int, int], _Trial] = {}
    for one in trials:
        first.setdefault(one.key, one)
    return list(first.values())
