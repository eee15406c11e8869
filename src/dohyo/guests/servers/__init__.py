"""Bots that are servers: asked over HTTP, neither started nor contained here.

`group.py` asks them, and says which fault it was; `http_addresses.py` says which addresses may be asked,
`messages.py` what they are sent (`telling.py`: in a recorded match); `kind.py` reads their addresses, and joins
these. What a game's messages say is the game's matter.
"""
