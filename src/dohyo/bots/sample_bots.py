"""The sample bots that come with a game."""

from __future__ import annotations

from pathlib import Path

from dohyo.bots.declared import declares
from dohyo.bots.languages import LANGUAGES, by_ending


def samples(folder: Path) -> dict[str, Path]:
    """The sample bots in a game's `bots` folder, by name: "random", and with the ending "random.py", "random.cpp".

    Without an ending the bot in Python is meant, else the one whose language comes first in the table. Names with
    capitals are also there in lower case. A folder that is not there holds no samples.
    """
    if not folder.is_dir():
        return {}
    order = {language.name: rank for rank, language in enumerate(LANGUAGES)}
    found: list[tuple[int, str, Path]] = []
    for path in folder.iterdir():
        if path.name.startswith(("_", ".")):
            continue
        language = by_ending(path.name) if path.is_file() else None
        if language is not None:
            found.append((order[language.name], path.name, path))
        elif path.is_dir() and declares(path):
            found.append((len(order), path.name, path))
    names: dict[str, Path] = {}
    for _, name, path in sorted(found):
        for known in (name, name.lower(), path.stem.lower()):
            names.setdefault(known, path)
    return names
