"""A contest as one page: who is better and how sure that is, for somebody who was not there.

    content.py    what the page shows, from the store
    certainty.py  how sure it is, in sentences
    markup.py     HTML and SVG as values, every text escaped
    plots.py      the drawings
    brackets.py   knock-outs as they went; hills.py: who held the hill
    latest.py     the last matches of each bot, where there is no page for that
    standings.py  the table with its intervals; sections.py everything below it
    page.py       all of it as one file

There is no script in it. Its policy (CSP) allows its own style and nothing else, so colours come from classes, and
positions from attributes of SVG: widths in percent, so that a drawing grows with the screen and its letters do not.
"""
