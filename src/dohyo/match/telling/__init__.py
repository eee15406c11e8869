"""What a match was, for people.

`summary.py` says for each seat how it ended; `fault_words.py`, `proof_words.py` and `reasons.py` are sentences on
faults, times and ends; `own_times.py` says which time was surely the bot's own; `annotations.py` reads what bots
drew, `text_board.py` draws a state as text.
"""
