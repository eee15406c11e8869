"""Bots to begin from, `dohyo new bot`: a game's description of its input, written as a program in any language.

`folder.py` makes the folder, `recording.py` plays the match whose input its test gives to the bot.

`skeleton.py` is the one program that all of them are. How a language writes it is a file of `languages/`, with what
`language.py` describes; a new language is one file more. `writer.py` takes the game's description apart,
`templates.py` fills texts that have gaps.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "languages"


def names() -> tuple[str, ...]:
    """The names of all languages, Python first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "python", name)))
