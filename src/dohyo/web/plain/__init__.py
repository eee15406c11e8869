"""Pages without a script, to be read as they are: sentences, tables, drawings.

`page.py` makes one of a body: its style, its policy (CSP), its foot. `markup.py` has HTML and SVG as values, every
text escaped; `scales.py` says where a value stands in a drawing.

A page makes no request; its policy allows its own style and nothing else. So colours come from classes (`page.css`,
`tables.css`, `drawings.css`, and the style of whoever makes the page) and positions from attributes of SVG.
"""
