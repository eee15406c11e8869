"""What every package shares: games, states, faults, replays, the referee. No input or output, no clock.

`game.py` says what a game must provide, `flat.py` in which language its rules are written, `text.py` how they write
text, `options.py` what an operator may choose. `referee.py` plays a match, `faults.py` lists what a bot can do wrong,
`clock.py` how long it may think. `replay.py` is a match as data, `replay_format.py` its bytes, `playback.py` leads
back from it to states. `dialogue.py` is how games describe programs that they bring along; `seeds.py` derives seeds;
`errors.py` lists those of operators.
"""
