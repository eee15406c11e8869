"""A game held to every law, by the pytest of Dohyo's own environment: `dohyo laws GAME`.

`command.py` is the command. The laws are those of `dohyo.laws`, as `dohyo.pytest_plugin` makes tests of them.
"""
