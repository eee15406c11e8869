"""The fast path: ordinary turns of a match are played in a loop of their own, many at a time.

`kernel.py` is the loop that is compiled together with a game's rules, and says what an ordinary turn is;
`python_loop.py` is the same loop where nothing is compiled; `driver.py` runs either one in a match, writes its turns
into the replay, and hands back each turn that the loop could not finish. Which loop a match gets, and when the
compiled one pays, is decided in `dohyo/app/fastpath.py`.
"""
