"""A contest as pages, for readers who did not watch it: `dohyo contest report`, `dohyo contest site`.

    page.py       all of it as one file
    site.py       the same as a folder of files, with a page for each bot and each match
    content.py    what the page shows, from the store
    certainty.py  how sure it is, in sentences
    standings.py  the standings with their intervals
    brackets.py   the brackets of knock-outs, and who held the hill
    sections.py   everything below: pairs, ratings over time, seats, times, faults, the last matches of each bot
    drawings.py   the drawings
    matches.py    a match's page, and the viewer that all of them share; in little room: compact.py, columns.py
    command.py    the commands

They say who is better and how sure that is. The report is a page without a script, as `dohyo.web.plain` makes them.
Widths are in percent: a drawing grows with the screen, but its letters do not.
"""
