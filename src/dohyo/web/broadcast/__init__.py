"""A contest as a page for a big screen: the board, who plays, what is said, how the standings move.

`telling.py` makes events of what is told (`dohyo.series.broadcast`), `page.py` the page and the frame in which a game
is drawn, `server.py` is a server of it on one's own machine. A site serves the same files. In the browser
`broadcast.js` joins the parts: `stage.js` the board's frame (inside of it: `frame.js`) and its turns, `seats.js` who
plays, `lines.js` what is said, `table.js` the standings.
"""
