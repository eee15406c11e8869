"""Bots to begin from, `dohyo new bot`: a game's description of its input, written as a program in any language.

`folder.py` makes the folder, `recording.py` plays the match whose input its test gives to the bot. `writer.py` has
what the languages share; each language is one file with a class of it.
"""
