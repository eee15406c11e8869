"""Puzzles that are proven: games of two seats that take turns, see all, and roll no dice after the start.

Theory of operation
-------------------
Two kinds of question are asked of a position, both to the end of each line and without any estimate:

* Which actions win, whatever is answered, and which do not (`dohyo.search.Proof`)? If all is proven, and one action
  alone wins, it is a puzzle. Where such proofs say nothing of a game, as in chess, few are looked for.
* Where that is not known (in chess nobody can prove that a quiet move does not win), which actions win within so many
  turns? Alpha-beta whose only values are won and not won looks at all of them. If one alone does, and none of the
  others does in two turns more either, it is a puzzle: win within so many turns.

A win in the very next turn is none: it is seen, not found.

What was found is asked anew: a proof with an empty table, up to twice as many positions and twice the time; a win
within so many turns answer by answer. Only what is said twice is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from dohyo.core.flat import flat
from dohyo.core.game import Game, State
from dohyo.search import AlphaBeta, Proof, Proven, Result
from dohyo.series.puzzles.puzzle import Other

SEATS = 2
POSITIONS = 1_500_000, 1_500  # a proof looks at, compiled and in plain Python ...
SECONDS = 0.5, 60.0  # ... or for so long; the second look at a puzzle for twice as long
WITHIN = (3, 5)  # turns of both seats
LOOKED_AT = 2_000_000, 4_000  # positions in which a win within so many turns is looked for, for one action
REPLY = 0.25  # of a proof's positions and time are for the answer to an action
TRIED, WORTH = 24, 0.05  # after so many proofs, so many of them must have said something, or no more are looked for
FEWEST = 2  # actions of a position, one of which is the solution


class UnknownError(Exception):
    """It is not known within the limit."""


class Found:
    """A puzzle that was proven: its solution, what the others come to, within how many turns it wins."""

    def __init__(self, solution: int, others: tuple[Other, ...], within: int | None, positions: int) -> None:
        self.solution, self.others, self.within, self.positions = solution, others, within, positions


@flat
def nothing(s: Any, seat: int) -> float:
    """No position is worth more than another one before the match is over."""
    return 0.0


class Prover:
    """Looks for proven puzzles in positions of one game. Raises `OperatorError` for `compiled` without the extra.

    After each look `is_unclear` says whether it is not known if there is one.
    """

    def __init__(self, game: Game, *, compiled: bool = True) -> None:
        self.game = game
        self.is_unclear = False
        self._proof = Proof(game, compiled=compiled)
        self._at = 0 if compiled else 1
        self._searches: dict[int, AlphaBeta] = {}
        self._proofs = self._told = self._looked = 0
        self._made: Callable[[int], AlphaBeta] = lambda depth: AlphaBeta(
            game, value=nothing, compiled=compiled, depth=depth
        )

    def warm(self, state: State) -> None:
        """Look at a position shortly, so that all is compiled."""
        self._proof.prove(state, playouts=1)
        for depth in range(1, max(WITHIN) + 2):
            self._searches.setdefault(depth, self._made(depth))

    def look(self, state: State, until: float, *, deep: bool = True) -> Found | None:
        """The puzzle in a position; none if there is none, or it is not known by a moment of `time.monotonic`.

        Without `deep`, only wins within very few turns are looked for, which takes a hundredth of the time.
        """
        self.is_unclear = False
        (seat,) = self.game.acting(state, SEATS)
        legal = list(self.game.legal_actions(state, seat))
        if len(legal) < FEWEST:
            return None
        try:
            if self._wins(state, seat, 1, until):
                return None
            near = WITHIN if deep else WITHIN[:1]
            plies = next((each for each in near if self._wins(state, seat, each, until)), None)
        except UnknownError:
            plies = None
        if plies is None and not (deep and self._is_worth_it()):
            return None
        proven = self._proof.prove(state, until=self._end(until, 1), playouts=POSITIONS[self._at], keep=True)
        self._count(proven)
        if proven is not None and proven.is_whole:
            return self._whole(state, proven, until)
        wins = [] if proven is None else [one for one in proven.actions if one.result is Result.WIN]
        self.is_unclear = not wins and plies is None
        if plies is None or len(wins) > 1:
            return None
        try:
            return self._within(state, seat, legal, plies, until)
        except UnknownError:
            return None

    def _is_worth_it(self) -> bool:
        """Whether proofs have said something of positions of this game where no win is near, or were seldom tried."""
        return self._proofs < TRIED or self._told >= WORTH * self._proofs

    def _count(self, proven: Proven | None) -> None:
        self._proofs += 1
        self._told += proven is not None and proven.result is not None

    def _end(self, until: float, part: float) -> float:
        """When a proof has to be found, in so many parts of the usual time."""
        return min(until, time.monotonic() + part * SECONDS[self._at])

    # --- all is known

    def _whole(self, state: State, proven: Proven, until: float) -> Found | None:
        wins = [one.action for one in proven.actions if one.result is Result.WIN]
        if len(wins) != 1:
            return None
        again = self._proof.prove(state, until=self._end(until, 2), playouts=2 * POSITIONS[self._at])
        if again is None or not again.is_whole or _results(again) != _results(proven):
            return None
        others = tuple(
            Other(
                self.game.protocol.text(one.action),
                "draw" if one.result is Result.DRAW else "loss",
                self._reply(state, one.action, one.result, until),
            )
            for one in again.actions
            if one.action != wins[0]
        )
        return Found(wins[0], others, None, proven.positions + again.positions)

    def _reply(self, state: State, action: int, result: Result | None, until: float) -> str:
        """The answer to an action by which the other side keeps what it has got; empty if it is not known."""
        after = self._after(state, action)
        rules = self.game.rules
        if rules.over(after):
            return ""
        most = int(REPLY * POSITIONS[self._at])
        proven = self._proof.prove(after, until=self._end(until, REPLY), playouts=most, keep=True)
        if proven is None:
            return ""
        acts = 0 if rules.acts(state, 0) else 1
        wanted = result if proven.seat == acts else (None if result is None else Result(-result))
        best = [one for one in proven.actions if one.result is wanted]
        if not best or proven.seat == acts:
            return ""
        return str(self.game.protocol.text(min(best, key=lambda one: one.plies or 0).action))

    # --- within so many turns

    def _within(self, state: State, seat: int, legal: Sequence[int], plies: int, until: float) -> Found | None:
        """The puzzle of which action wins within so many turns. Raises `UnknownError`."""
        self._looked = 0
        winning = [one for one in legal if self._wins(self._after(state, one), seat, plies - 1, until)]
        if len(winning) != 1:
            return None
        (solution,) = winning
        if not self._answers_all(self._after(state, solution), seat, plies - 1, until):
            return None
        rest = [one for one in legal if one != solution]
        if any(self._wins(self._after(state, one), seat, plies + 1, until) for one in rest):
            return None
        text = self.game.protocol.text
        return Found(solution, tuple(Other(text(one)) for one in rest), plies, self._looked)

    def _answers_all(self, state: State, seat: int, plies: int, until: float) -> bool:
        """The second look: whether the seat wins after each answer, one by one by the plain rules."""
        rules = self.game.rules
        if rules.over(state):
            return self._result(state, seat) is Result.WIN
        (mover,) = self.game.acting(state, SEATS)
        replies = self.game.legal_actions(state, mover)
        return all(self._wins(self._after(state, one), seat, plies - 1, until) for one in replies)

    def _wins(self, state: State, seat: int, plies: int, until: float) -> bool:
        """Whether a seat wins within so many turns from here, whatever is answered. Raises `UnknownError`."""
        rules, game = self.game.rules, self.game
        if rules.over(state):
            return self._result(state, seat) is Result.WIN
        if plies <= 0:
            return False
        if time.monotonic() >= until:
            raise UnknownError
        (mover,) = game.acting(state, SEATS)
        legal = list(game.legal_actions(state, mover))
        if len(legal) == 1:  # a search chooses it without looking further
            return self._wins(self._after(state, legal[0]), seat, plies - 1, until)
        if plies not in self._searches:
            self._searches[plies] = self._made(plies)
        most = LOOKED_AT[self._at]
        found = self._searches[plies].choose(state, mover, playouts=most, until=until)
        self._looked += found.playouts
        if found.playouts >= most or time.monotonic() >= until:
            raise UnknownError
        return found.value > 0.5 if mover == seat else found.value < -0.5

    # --- the rules

    def _after(self, state: State, action: int) -> State:
        after = self.game.rules.LAYOUT.copy(state)
        self.game.rules.step(after, [action] * SEATS, None)
        return after

    def _result(self, state: State, seat: int) -> Result:
        ranks = [0] * SEATS
        self.game.rules.places(state, ranks)
        return Result((ranks[seat] < ranks[1 - seat]) - (ranks[seat] > ranks[1 - seat]))


def _results(proven: Proven) -> list[tuple[int, Result | None]]:
    return [(one.action, one.result) for one in proven.actions]
