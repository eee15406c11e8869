"""One bot on the bench.

`check/` says what is wrong with a bot, and why. `rerun.py` feeds it what a seat was sent in a recorded match,
`debugger.py` does that under a debugger, `disagreement.py` finds where two bots first answer differently.
"""
