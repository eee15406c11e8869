"""Bots that are servers: asked over HTTP, neither started nor contained here.

`group.py` asks them, `words.py` reads their addresses, `http_addresses.py` says which addresses may be asked,
`messages.py` what they are sent (`telling.py`: in a recorded match), `server_verdict.py` which fault it was;
`kind.py` joins these. What a game's messages say is the game's matter.
"""
