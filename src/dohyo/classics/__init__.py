"""The classic games: chess, Go, backgammon, Battlesnake, connect four, ConnectX, Othello, Hex, Kuhn and Leduc poker.

Each is one file of rules; connect four is a folder, an example for who writes such a game. `dohyo.games` finds them
by name when they are asked for; they are not imported for anything else, and `all_games` has only Dohyo's own four.
`chess.py` is a game's file of rules, with a folder `chess` beside it where it needs more, as `docs/games.md`
describes; `chess_notation/` reads and writes what chess players exchange. `docs/classics.md` says how each is played,
and how its rules are known to be right.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
TITLES = {  # what `dohyo games` lists, without importing any
    "backgammon": "Backgammon",
    "battlesnake": "Battlesnake",
    "chess": "Chess",
    "connect-four": "Connect four",
    "connectx": "ConnectX",
    "go": "Go",
    "hex": "Hex",
    "kuhn-poker": "Kuhn poker",
    "leduc-poker": "Leduc poker",
    "othello": "Othello",
}
NAMES = tuple(TITLES)


def file_of(name: str) -> Path | None:
    """The file of the classic game of this name, of rules or of a package; none if there is none."""
    if name.replace("_", "-") not in TITLES:
        return None
    module = name.replace("-", "_")
    package = FOLDER / module / "__init__.py"
    return package if package.is_file() else FOLDER / f"{module}.py"
