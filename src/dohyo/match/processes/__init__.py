"""One program of a match: started, read and written, timed, stopped.

`bot_process.py` is one process with its pipes and what came through them; `launch.py` starts it, `poller.py` waits
for several. `stopwatch.py` says what a clock charges, `process_tree.py` what a program used of the machine (read by
`system.py`), and whether it waited for pages of its memory. `watchdog.py` looks after programs that keep a pipe
locked, and sees whether the referee itself stood still. `system.py` has what only some systems can do.
"""
