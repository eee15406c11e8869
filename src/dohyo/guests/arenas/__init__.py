"""What users of other programs type, or what these programs say to each other, read as ours: one file for each.

`understood.py` has what the command lines share, `fastchess.py` reads those of fastchess and cutechess-cli,
`brutaltester.py` that of brutaltester. They give back the same contest in our own words, which are then carried out
as if they had been typed; so nothing is played by these, and nothing can differ.

`match_contracts.py` is what other arenas' runners read of a match, and what their referees print: `command.py` tells
a match so, and in `referees/` such a referee plays the matches of a game that Dohyo has no rules of.
"""
