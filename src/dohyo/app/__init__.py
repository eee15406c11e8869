"""Use cases: what commands, the web and environments share, joined from games, bots, runner, sandbox and store.

One match: `play.py` plays it, from the names of bots to its replay; `clocks.py` reads its clock, `fastpath.py`
chooses the loop for its ordinary turns, `compiled_loop.py` compiles it, `shipped_loop.py` loads what ships of it,
`working_copies.py` copies the folders of bots that keep files, `sandboxing.py` starts programs in the sandbox.
`replays.py` saves, loads and verifies replays; `files.py` writes a file completely or not at all; `last.py` keeps the
last match; `summary.py` says what happened in a replay, `annotations.py` what a bot drew in it.

Many matches: `executors/` plays them, in this process, in worker processes or on a cluster; `contest/` runs contests
that are kept in a store; `compare.py` and `revisions.py` say whether a bot improved.

The bots of a folder: `folder_bots.py` finds and builds them; `folder_contest.py` runs programs such as `koth` over
them. `dialogue.py` runs a game's program that talks with one bot (`arena`); `stderr_relay.py` shows the bot's errors.

`doctor.py` says what this machine can do for bots.
"""
