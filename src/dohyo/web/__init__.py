"""Pages for browsers: the replay viewer, and pages without a script.

`page.py` makes one HTML file of a replay (`html`), with what `content.py` works out about the match and the modules
of `viewer/`. There `start.js` starts the page and `viewer.js` joins the parts to one player; a game draws its board
in its own `view.js`. `differences.py` says how frames travel: as changes between two JSON values. `plain/` makes
pages without a script; `served/` gives a replay's page from a server on one's own machine.
"""
