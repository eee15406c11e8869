"""One program of a match: started, read and written, timed, stopped.

`bot_process.py` is one process with its pipes and what came through them; `launch.py` starts it, `poller.py` waits
for several, `ending.py` pauses and ends it with all that it started. `stopwatch.py` says what a clock charges,
`process_tree.py` what a program used of the machine (by `system/proc.py`), and whether it waited for pages of its
memory. `watchdog.py` looks after programs that keep a pipe locked, `heartbeat.py` notices that the referee itself
stood still.
"""
