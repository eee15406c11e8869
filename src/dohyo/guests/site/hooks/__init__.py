"""Webhooks: what happens to a person's own bots is told to an address of his.

`webhooks.py` is what is registered, `outbox.py` what is still to be told. `deliverer.py` is a thread of the web
server that tells it, by `sending.py`, which connects to no address inside.
"""
