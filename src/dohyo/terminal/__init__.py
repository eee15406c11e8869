"""What stands in a terminal. The command line reads words and asks; this shows what came of it.

`screen.py` prints: console, tables, progress. `summary.py` prints how a match ended, `faults.py` its faults in full,
`watch.py` shows a match turn by turn. `standings.py` is a contest's table, `contest_live.py` the same while it runs,
`brackets.py` draws knock-outs. What is said in words, here and on pages, is made in `match/telling` and
`series/telling`.
"""
