"""A contest site from the command line: `dohyo login`, `submit`, `status` and `pull`.

`command.py` has the commands, `login.py` which site and which token are meant, `client.py` asks the site, `values.py`
is what it answers, `packing.py` makes one file of what is handed in, `telling.py` says what came of it.
"""
