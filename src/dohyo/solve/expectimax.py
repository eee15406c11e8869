"""Expectimax: look some turns ahead, over all actions and all rolls; for games in which nothing is hidden.

Each seat takes what is best for itself (with two seats of which one wins what the other loses: expectiminimax), and
dice count by their probabilities (`dohyo.core.chance`). Source: Michie, Game-playing and game-learning automata
(1966); for more seats: Luckhardt and Irani, An algorithmic solution of n-person games (AAAI 1986).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dohyo.core.chance import MAX_OUTCOMES, Dice
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Information, State
from dohyo.core.given import check_game
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.solve.turns import actions_of, stepped


class Expected(NamedTuple):
    """The best action found for the seat that acts, what the position is worth to each seat if it is taken, and by
    legal action what it is worth to the seat that acts."""

    action: int
    values: tuple[float, ...]
    options: dict[int, float]


class Expectimax:
    """A search for `seats` seats that take turns: `choose(state, depth)`.

    What an end is worth says `reward`: "place", "score", "margin", or a function of one's own (`dohyo.core.rewards`).
    What is left after `depth` turns is judged by `value(state, seat)`, in the same measure; without it by the reward,
    as if the match ended there. Dice may show `outcomes` things at most. All is plain Python.

    Raises `OperatorError` for a game that hides something, and for a reward that the game does not have or that
    pays for steps; `ValueError`
    for a number of seats that it does not have.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        *,
        value: Callable[[State, int], float] | None = None,
        reward: Payoff = PLACE,
        outcomes: int = MAX_OUTCOMES,
    ) -> None:
        check_game(game)
        self._rewards = rewards_at_end(game, seats, reward)
        if game.information is Information.IMPERFECT:
            raise OperatorError("solve-hidden", game=game.name)
        self.game, self.seats, self._value = game, seats, value
        self._dice = Dice(game, outcomes)

    def choose(self, state: State, depth: int = 2) -> Expected:
        """The best action in a state, found by looking `depth` turns ahead, at least one; the first of equal ones.

        Raises `ValueError` for a state in which nobody acts, because the match is over or the dice move; and
        `OperatorError` where several seats act at once, or dice may show too much to be counted.
        """
        if depth < 1:
            raise ValueError("`depth` is 1 or more")
        if self.game.rules.over(state) or self.game.rules.needs_dice(state):
            raise ValueError("in this state nobody acts: the match is over, or the dice are to move")
        seat = self._acting(state)
        each = {action: self._after(state, seat, action, depth) for action in actions_of(self.game, state, seat)}
        best = max(each, key=lambda action: each[action][seat])
        return Expected(best, tuple(each[best]), {action: values[seat] for action, values in each.items()})

    def values(self, state: State, depth: int) -> list[float]:
        """What a state is worth to each seat, by looking `depth` turns ahead; the dice may be to move in it.

        Raises what `choose` raises, but for `ValueError`.
        """
        rules = self.game.rules
        if rules.over(state):
            return self._rewards.payoffs_of(state)
        if rules.needs_dice(state):
            total = [0.0] * self.seats
            for follows, outcome in self._dice.after(state):
                share = float(outcome.probability)
                for seat, value in enumerate(self.values(follows, depth)):
                    total[seat] += share * value
            return total
        if depth <= 0:
            return self._judged(state)
        seat = self._acting(state)
        found = [self._after(state, seat, action, depth) for action in actions_of(self.game, state, seat)]
        return max(found, key=lambda values: values[seat])

    def _judged(self, state: State) -> list[float]:
        if self._value is None:
            return self._rewards.payoffs_of(state)
        return [float(self._value(state, seat)) for seat in range(self.seats)]

    def _acting(self, state: State) -> int:
        acting = self.game.acting(state, self.seats)
        if len(acting) != 1:
            raise OperatorError("solve-together", game=self.game.name)
        return acting[0]

    def _after(self, state: State, seat: int, action: int, depth: int) -> list[float]:
        """What it is worth that the seat does this."""
        return self.values(stepped(self.game, state, self.seats, [(seat, action)]), depth - 1)
