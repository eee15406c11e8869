"""A contest as one page: who is better and how sure that is, for readers who did not watch it.

    page.py       all of it as one file
    site.py       the same as a folder of files, with a page for each bot and each match
    content.py    what the page shows, from the store
    certainty.py  how sure it is, in sentences
    standings.py  the standings with their intervals
    brackets.py   the brackets of knock-outs, and who held the hill
    sections.py   everything below: pairs, ratings over time, seats, times, faults, the last matches of each bot
    plots.py      the drawings
    markup.py     HTML and SVG as values, every text escaped

The page has no script. Its policy (CSP) allows its own style and nothing else. So colours come from classes and
positions from attributes of SVG. Widths are in percent: a drawing grows with the screen, but its letters do not.
"""
