"""Play where something is hidden, in a game small enough to be played through often: regrets by what a seat is told.

Theory of operation
-------------------
Counterfactual regret minimisation, with external sampling. Again and again the match is played from its beginning:
dice fall as they do, all seats but one act by what they have learned so far, and that one tries each of its
actions. What it would rather have done is added up under the text that it was sent there, which is all that it can
know. In a game of two where what one wins the other loses, the average of all these ways to play is one that nobody
can do better against, in the end; in Kuhn's and Leduc poker that takes a second or two in plain Python.

A text has to say what happened before, as the prompts of games in one file do. No game needs a line of code here. In
a large game most texts are met for the first time; then nothing is known, and any action is as good as another.

Source: Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization (NIPS 2009).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from dohyo.core import flat
from dohyo.core.game import Game, State

MAX_ROUNDS = 20_000  # after which more change little
MAX_STEPS = 3_000  # of one round: where there are more ways than that, the rest of it is played by lot
MAX_KNOWN = 1_000_000  # numbers that are kept, two for each action of a text; texts that come later are not learned
MAX_TEXT = 64 << 20  # bytes of all these texts
SMALL = 0.02  # a share below it is left out
SEEDS = 1 << 62


class _OverError(Exception):
    """The time is over."""


class Regrets:
    """What is best to do, learned by playing a game with these seats against itself.

    Raises nothing; a game in which nobody hides anything is only slower here than in a tree.
    """

    def __init__(self, game: Game, setup: Any, seats: int, seed: int = 0) -> None:
        self.game, self.seats = game, seats
        self._start = game.new_state(setup, seats)
        self._rules = game.rules
        self._chance = Random(seed)
        self._source = game.source(self._chance.randrange(SEEDS))
        self._dice = flat.row_of(max(1, game.rules.DICE))
        self._result = flat.row_of(seats)
        self.rounds = 0
        self.known: dict[bytes, tuple[list[float], list[float]]] = {}  # by text: regrets, and how often each was done
        self._begun = self._steps = self._kept = self._letters = 0
        self._until: float | None = None

    def learn(self, until: float | None = None, rounds: int = MAX_ROUNDS) -> None:
        """Play on until that moment of `time.monotonic`, or until so many rounds have been played in all.

        A round that is not over by then is broken off; what has been tried in it stays learned.
        """
        self._until = until
        with suppress(_OverError):
            while self.rounds < rounds:
                seat = self._begun % self.seats
                self._begun += 1  # if this is broken off, the next seat is next
                self._steps = 0
                self._play(self._rules.LAYOUT.copy(self._start), seat)
                self.rounds += seat == self.seats - 1

    def shares(self, told: bytes, count: int) -> list[float]:
        """How often a seat that is told this is to take each of its `count` legal actions; the sum is 1."""
        done = self.known.get(told, ([], [0.0] * count))[1]
        if len(done) != count or sum(done) <= 0:
            return [1 / count] * count
        whole = sum(done)
        kept = [share if share >= SMALL * whole else 0.0 for share in done]
        return [share / sum(kept) for share in kept]

    def _play(self, state: State, learner: int) -> float:
        """Play a match to its end; what it brings the learner."""
        rules = self._rules
        while True:
            if self._until is not None and time.monotonic() >= self._until:
                raise _OverError
            if rules.needs_dice(state) and not rules.over(state):
                rules.roll(state, self._source, self._dice)
                rules.deal(state, self._dice, None)
                continue
            if rules.over(state):
                return self._won(state, learner)
            acting = [seat for seat in range(self.seats) if rules.acts(state, seat)]
            actions = flat.row_of(self.seats)
            for seat in acting:
                if seat != learner:
                    options = list(self.game.legal_actions(state, seat))
                    actions[seat] = self._chosen(self.game.prompt(state, seat), options)
            self._steps += 1
            if learner in acting:
                options = list(self.game.legal_actions(state, learner))
                if len(options) > 1 and self._steps < MAX_STEPS:
                    return self._tried(state, learner, options, actions)
                actions[learner] = self._chance.choice(options)
            rules.step(state, actions, None)

    def _tried(self, state: State, learner: int, options: Sequence[int], actions: Any) -> float:
        """Try each option; what they bring on average, by what has been learned so far."""
        regret, _ = self._of(self.game.prompt(state, learner), len(options))
        shares = _by_regret(regret)
        worth = []
        for option in options:
            after = self._rules.LAYOUT.copy(state)
            actions[learner] = option
            self._rules.step(after, list(actions), None)
            worth.append(self._play(after, learner))
        mean = sum(share * each for share, each in zip(shares, worth, strict=True))
        for at, each in enumerate(worth):
            regret[at] += each - mean
        return mean

    def _chosen(self, told: bytes, options: Sequence[int]) -> int:
        """What a seat does that is told this, by what has been learned so far; it is noted."""
        regret, done = self._of(told, len(options))
        shares = _by_regret(regret)
        for at, share in enumerate(shares):
            done[at] += share
        return self._chance.choices(options, shares)[0]

    def _of(self, told: bytes, count: int) -> tuple[list[float], list[float]]:
        found = self.known.get(told)
        if found is None or len(found[0]) != count:
            found = [0.0] * count, [0.0] * count
            if self._kept + 2 * count <= MAX_KNOWN and self._letters + len(told) <= MAX_TEXT:
                self.known[told] = found
                self._kept += 2 * count
                self._letters += len(told)
        return found

    def _won(self, state: State, seat: int) -> float:
        """What the end brings a seat: its points, where the game counts any; otherwise its place, -1 to 1."""
        if self._rules.scores is not None:
            self._rules.scores(state, self._result)
            return float(self._result[seat])
        self._rules.places(state, self._result)
        mine = self._result[seat]
        better = sum(place > mine for place in self._result) - sum(place < mine for place in self._result)
        return float(better) / max(1, self.seats - 1)


def _by_regret(regret: Sequence[float]) -> list[float]:
    """What is regretted more is done more often; with no regret, anything."""
    above = [max(0.0, each) for each in regret]
    whole = sum(above)
    return [each / whole for each in above] if whole > 0 else [1 / len(regret)] * len(regret)
