"""One match: from the names of bots to a replay.

`play.py` plays a match: it finds the bots (`found_bots.py`; what was typed is read by `bots/typed_words.py`,
`git_trees.py` fetches what `git:REV` names, `folder_bots.py` finds a folder's hand-ins), reads the clock
(`clocks.py`), and hands both to `running.py`, which asks the players turn by turn. `verdict.py` decides which fault
it was, and nothing else does.

    processes/   one program: started, watched, timed, stopped
    players/     those that are asked: programs, objects of this process, engines, servers
    loops/       ordinary turns in one loop, in Python or compiled
    replays/     replays as files, and the last match
    telling/     what a match was, for people: its summary, its faults in words

`sandboxing.py` says what each program sees and may use, `working_copies.py` copies the folders of bots that keep
files. `python_bot.py` is for bots as classes. `own_games.py` knows which games that lie in a folder may run.
"""
