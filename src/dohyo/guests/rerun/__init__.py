"""A bot fed with what a seat was sent in a recorded match: `dohyo rerun`, also under a debugger.

`command.py` is the command, `shown.py` prints where answers differ, `debugger.py` starts a debugger, and
`runtime/pdb_with_input.py` runs a bot in Python under pdb. What feeds the bot is `dohyo.bench.rerun`.
"""
