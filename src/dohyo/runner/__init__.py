"""Plays matches: how bots are started, asked, timed, judged and ended. `match.py` plays one match between them.

`players.py` asks all players of a match, of whatever kind. `player.py` is the interface of a player. `per_match.py`
and `per_turn.py` are its two kinds: one process for the whole match, or one process for each turn. Both use
`bot_process.py` (one process, its pipes, what came through them), `launch.py` to start it and `poller.py` to wait for
it. Which fault it was is decided in `verdict.py`, and nowhere else. Time: `stopwatch.py` (what a clock charges),
`usage.py` (how much of the machine's time a program used), `heartbeat.py` (whether the referee itself stood still).
`line_client.py` talks with one program, line after line, for the dialogues of games; `read_timer.py` interrupts a
blocking read. `system.py` has what differs between operating systems. `fastpath/` is the fast path: it plays ordinary
turns in a loop of their own.
"""
