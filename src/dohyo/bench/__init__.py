"""One bot on the bench.

`check/` says what is wrong with a bot, and why. `rerun.py` feeds it what a seat was sent in a recorded match,
`python_runner.py` starts one in Python below a program of ours, `disagreement.py` finds where two bots first answer
differently.
"""
