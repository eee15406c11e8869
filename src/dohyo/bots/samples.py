"""The sample bots of a game, by name: which files of its `bots` folder they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo.bots.bot import declares

if TYPE_CHECKING:
    from dohyo.core.game import Game


class Samples(Mapping[str, Path]):
    """The sample bots in a folder, by name; the folder is read when the first of them is asked for.

    Those in the `general` folder, which play several games, come after it.
    """

    def __init__(self, folder: Path, general: Path | None = None) -> None:
        self.folder = folder
        self._general = general

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """What the names follow from: the names of files, and with a slash of folders that declare a bot."""
        if not self.folder.is_dir():
            return ()
        paths = [path for path in self.folder.iterdir() if not path.name.startswith(("_", "."))]
        files = [path.name for path in paths if path.is_file()]
        return tuple(sorted([*files, *(f"{path.name}/" for path in paths if path.is_dir() and declares(path))]))

    def may_have(self, name: str) -> bool:
        """Whether a sample bot may be called so in any spelling, by the names of files alone."""
        every = (*self.entries, *(Samples(self._general).entries if self._general else ()))
        return name.lower().partition(".")[0] in {entry.rstrip("/").lower().partition(".")[0] for entry in every}

    @cached_property
    def _paths(self) -> dict[str, Path]:
        from dohyo.languages import all_languages, by_ending

        order = {language.name: rank for rank, language in enumerate(all_languages())}
        found: list[tuple[int, str]] = []
        for entry in self.entries:
            language = None if entry.endswith("/") else by_ending(entry)
            if language is not None:
                found.append((order[language.name], entry))
            elif entry.endswith("/"):
                found.append((len(order), entry[:-1]))
        names: dict[str, Path] = {}
        for _, name in sorted(found):
            path = self.folder / name
            for known in (name, name.lower(), path.stem.lower()):
                names.setdefault(known, path)
        for known, path in (Samples(self._general) if self._general else {}).items():
            names.setdefault(known, path)
        return names

    def __getitem__(self, name: str) -> Path:
        return self._paths[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def samples(folder: Path) -> Samples:
    """The sample bots in a game's `bots` folder, by name: "random", and with the ending "random.py", "random.cpp".

    Without an ending the bot in Python is meant, else the one whose language comes first in the table. Names with
    capitals are also there in lower case. A folder that is not there holds no samples.
    """
    return Samples(folder)


def found_sample(samples: Mapping[str, Path], name: str) -> Path | None:
    """The sample bot of this name, in any spelling; none if there is none."""
    return samples.get(name) or samples.get(name.lower())


def samples_of(game: Game) -> Samples:
    """The sample bots of a game: those in its own folder, then those that play every game with its protocol."""
    general = None if game.general_bots is None else Path(game.general_bots)
    return Samples(Path(game.folder) / "bots", general)


def sample_bots(game: Game) -> dict[str, Path]:
    """The game's sample bots, each under one name: without its ending if that is unique."""
    names: dict[Path, str] = {}
    for name, path in samples_of(game).items():
        names[path] = min(names.get(path, name), name, key=lambda known: (len(known), known != known.lower()))
    return {name: path for path, name in sorted(names.items(), key=lambda pair: pair[1])}
