"""The fast path: ordinary turns of a match are played in a loop of their own, many at a time.

`kernel.py` is the loop that is compiled together with a game's rules, and says what an ordinary turn is;
`python_loop.py` is the same loop in plain Python, for where nothing is compiled. `driver.py` runs either loop in a
match, writes its turns into the replay, and returns each turn that the loop could not finish to the caller.
`dohyo/app/fastpath.py` decides which loop a match gets, and when compiling is worth its time.
"""
