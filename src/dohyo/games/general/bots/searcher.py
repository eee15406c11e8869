"""Looks ahead by the game's own rules, in any game of one file, and needs nothing but Dohyo itself.

Where all is seen, a tree of playouts, or alpha-beta; where cards are hidden, it learns how often to do what.
`docs/search.md` says what else a search of yours can be told.
"""

import dohyo
from dohyo import games
from dohyo.search.any_game import AnyGame


class Searcher(dohyo.Bot):
    """Thinks for as long as the clock allows."""

    def begin(self):
        """Make the search before the first turn comes."""
        self.search = AnyGame(games.find(self.game), self.setup, self.seed)

    def act(self, observation):
        """What the search says."""
        return self.search.choose(observation, observation.seat, self.deadline)


if __name__ == "__main__":
    Searcher.run()
