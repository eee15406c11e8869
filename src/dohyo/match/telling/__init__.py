"""What a match was, for people.

`summary.py` says for each seat how it ended; `fault_words.py` are sentences on faults and their times, `words.py` on
clocks and ends; `own_times.py` says which time was surely the bot's own; `annotations.py` reads what bots drew.
"""
