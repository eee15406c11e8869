"""A contest as one page: who is better and how sure that is, for somebody who was not there.

    page.py       all of it as one file
    site.py       the same as a folder of files, with a page for each bot and each match
    content.py    what the page shows, from the store
    certainty.py  how sure it is, in sentences
    standings.py  the standings with their intervals
    brackets.py   knock-outs as they went; hills.py: who held the hill
    sections.py   everything below: pairs, ratings over time, seats, times, faults, the last matches of each bot
    plots.py      the drawings
    markup.py     HTML and SVG as values, every text escaped

There is no script in it. Its policy (CSP) allows its own style and nothing else, so colours come from classes, and
positions from attributes of SVG: widths in percent, so that a drawing grows with the screen and its letters do not.
"""
