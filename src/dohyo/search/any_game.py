"""What a seat should do in any game, with nothing said of the game but its rules: the sample bot `searcher`.

Which search fits follows from what the game declares. Where something is hidden, regrets are learned (`regrets.py`);
where matches have taught what lies where is worth how much (`learned.py`), alpha-beta looks ahead by that; in all
other games a tree of playouts grows (`uct.py`). All is plain Python, and needs no extra.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from typing import Any

from dohyo.core.game import Chance, Game, Information, Turns
from dohyo.core.observation import Observation
from dohyo.core.options import resolve
from dohyo.search.alpha_beta import AlphaBeta
from dohyo.search.learned import learned, value_of
from dohyo.search.regrets import Regrets
from dohyo.search.uct import Search

HORIZON = 1000  # turns of a playout: to the end of nearly every match
MAX_SECONDS = 0.1  # of a turn, however much time there is: nobody waits for a sample bot, nor does a ladder
MAX_PLAYOUTS = 5000
SEATS_FIELD = "seats"  # of states that say how many play


class AnyGame:
    """A search that fits the game. `setup` is the match's, as far as a bot is told."""

    def __init__(self, game: Game, setup: Mapping[str, Any], seed: int = 0) -> None:
        self.game = game
        self._setup = resolve(game.options, setup, game.catalogue)
        self._chance = Random(seed)
        self._seed = seed
        self._search: Search | AlphaBeta | None = None
        self._regrets: Regrets | None = None
        if game.seats[0] == game.seats[1]:
            self._begin(game.seats[0])

    def choose(self, observation: Observation, seat: int, until: float) -> int:
        """The action of this seat, found by that moment of `time.monotonic`, and within `MAX_SECONDS`."""
        if until > (most := time.monotonic() + MAX_SECONDS):
            until = most
        legal = [action.number for action in observation.legal_actions]
        if len(legal) == 1:
            return legal[0]
        if self.game.information is Information.IMPERFECT:
            return self._by_regrets(observation, legal, until)
        state = observation.state()
        if self._search is None:
            self._begin(int(getattr(state, SEATS_FIELD, self.game.seats[0])))
        assert self._search is not None
        return self._search.choose(state, seat, until=until, playouts=MAX_PLAYOUTS).action

    def _begin(self, seats: int) -> None:
        """Make the search for so many seats."""
        game = self.game
        if game.information is Information.IMPERFECT:
            self._regrets = Regrets(game, self._setup, seats, self._seed)
            return
        known = learned(game)
        if known is not None and game.turns is Turns.ALTERNATING and game.chance is not Chance.EVERY_TURN:
            self._search = AlphaBeta(game, value=value_of(known))
        else:
            self._search = Search(game, seats, horizon=HORIZON, seed=self._seed)

    def _by_regrets(self, observation: Observation, legal: list[int], until: float) -> int:
        """An action by lot, with the shares that were learned until then."""
        if self._regrets is None:
            seats = getattr(observation, SEATS_FIELD, 0)  # as many as the bot is told that play
            if not self.game.seats[0] <= seats <= self.game.seats[1]:
                return self._chance.choice(legal)
            self._begin(int(seats))
        assert self._regrets is not None
        self._regrets.learn(until)
        told = "".join(f"{line}\n" for line in observation.lines).encode()
        return self._chance.choices(legal, self._regrets.shares(told, len(legal)))[0]
