"""Search over any game's rules, for bots: tree search (`Search`) and beam search (`Beam`).

The rules' own functions are searched, plain or compiled (with the extra `fast`); nothing of a game is written again.
"""

from dohyo.search.planning import Beam
from dohyo.search.uct import Choice, Option, Search

__all__ = ["Beam", "Choice", "Option", "Search"]
