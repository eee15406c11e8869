"""Bots that are servers: asked over HTTP, neither started nor contained here.

`http_players.py` asks them, `http_addresses.py` says which addresses may be asked, `server_verdict.py` which fault it
was.
"""
