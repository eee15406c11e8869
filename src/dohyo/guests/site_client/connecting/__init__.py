"""`dohyo connect`: a bot plays on a site and stays where it is.

`command.py` is the command, `wire.py` has the messages (docs/connect.md), `socket.py` the connection,
`coming_back.py` what makes a new one when it is lost and hands on what comes, `playing.py` one match, with the bot's
program in it.
"""
