"""Bots that stay at home: they play over a WebSocket, on ladders that are marked for them.

The web server holds their connections: `homes.py` has one for each bot, `chairs.py` a seat of a match with its clock,
`switchboard.py` joins these and lets matches come to them. A match is played where all are, in a worker of the judge:
there the bot is a kind of player (`kind.py`), whose group (`group.py`) asks through a socket in the site's folder
(`line.py`). `wire.py` has the messages of the bots' own protocol, which docs/connect.md explains, `delays.py` what is
given back of the way's delay, `telling.py` what a seat was sent in a recorded match.
"""
