"""Plays matches: how bots are started, asked, timed, judged and ended. `match.py` plays one match between them.

`players.py` asks all players of a match, whatever they are; `player.py` is the interface that each of them has, and
`per_match.py` and `per_turn.py` are the two kinds: a process for a match, a process for a turn. Both hold a
`bot_process.py` (one process, its pipes, what came through them), start it by `launch.py` and wait by `poller.py`.
Which fault it was is decided in `verdict.py`, and nowhere else. Time: `stopwatch.py` (what a clock charges),
`process_tree.py` (what a program used of the machine, read by `usage.py`), `heartbeat.py` (whether the referee itself
stood still).
`line_client.py` talks with one program, line after line, for dialogues of games; `read_timer.py` breaks into a
blocking read. `system.py` has what only some systems can do. `fastpath/` plays ordinary turns in a loop of their
own.
"""
