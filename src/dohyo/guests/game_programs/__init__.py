"""Programs that games bring along: `dohyo arena`, `dohyo koth`.

A game describes such a program in `Game.commands` as a pure state machine (`dohyo.core.dialogue`); here is what runs
it. `command.py` makes the command line of each. `dialogue.py` carries out the requests of one that talks with a
program, line by line through `line_client.py`; `folder_contest.py` those of one that holds a contest of a folder.
"""
