"""A game in one file: what a file of rules declares, completed to a `Game` by general defaults.

A file declares the fields of its state, which actions are legal, and what a turn does. All else follows from the
fields by their names and shapes, where neither the file nor the folder of its name beside it says it: `reading.py`
reads these, `making.py` completes rules and facts, `source.py` writes the flat functions of the defaults (the prompt,
the observation, to give up), `default_prompt.py` says what the prompt is, and reads it back for a bot that is a
class, `fields.py` says what is known of a field, `drawing.py` draws it. `docs/games.md` says what may stand in such
a file.
"""

from dohyo.one_file.making import game_of
from dohyo.one_file.reading import of_a_game, read

__all__ = ["game_of", "of_a_game", "read"]
