"""What every package shares: games, states, faults, replays, the referee. No input or output, no clock.

`game.py` says what a game must provide, `flat.py` defines the language of its rules, `text.py` how they write text,
`options.py` what an operator may choose. `referee.py` judges and plays a match, `faults.py` lists what a bot can do
wrong, `clock.py` says how long it may think. `replay.py` is the file of a match, `playback.py` gets the states back
from it. `dialogue.py` is for programs that games bring along; `seeds.py` derives seeds; `errors.py` those of
operators.
"""
