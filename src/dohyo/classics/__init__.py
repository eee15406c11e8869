"""The classic games: chess, Go, backgammon, Battlesnake, ConnectX, Othello, Hex, Kuhn and Leduc poker.

Each is one file of rules. `dohyo.games` finds them by name when they are asked for; they are not imported for
anything else, and `all_games` has only Dohyo's own four. `chess.py` is a game's file of rules, with a folder `chess`
beside it where it needs more, as `docs/games.md` describes; `chess_notation/` reads and writes what chess players
exchange. `docs/classics.md` says how each is played, and how its rules are known to be right.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
TITLES = {  # what `dohyo games` lists, without importing any
    "backgammon": "Backgammon",
    "battlesnake": "Battlesnake",
    "chess": "Chess",
    "connectx": "ConnectX",
    "go": "Go",
    "hex": "Hex",
    "kuhn-poker": "Kuhn poker",
    "leduc-poker": "Leduc poker",
    "othello": "Othello",
}
NAMES = tuple(TITLES)


def file_of(name: str) -> Path | None:
    """The file of rules of the classic game of this name; none if there is none."""
    return FOLDER / f"{name.replace('-', '_')}.py" if name.replace("_", "-") in TITLES else None
