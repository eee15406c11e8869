"""Search over any game's rules, for bots: tree search (`Search`) and beam search (`Beam`).

The search calls the rules' own functions, plain or compiled (with the extra `fast`); nothing of a game is repeated.
`uct.py` is the tree search as bots call it, `tree.py` its loops; `beam_search.py` and `beam.py` the same for beams;
`playout.py` what both do with a state. `bot.py` has the `Thinker`, which answers in time (`turn_clock.py`).
`backend.py` gives rows and functions in plain Python or compiled, `ahead.py` those that a bot's build has compiled.
"""

from dohyo.search.beam_search import Beam
from dohyo.search.uct import Choice, Option, Search

__all__ = ["Beam", "Choice", "Option", "Search"]
