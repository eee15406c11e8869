"""The sentences: read from a file for each language, looked up by their keys.

What a language lacks is said in English. A game adds the sentences that are its own by `Game.catalogue`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

Catalogue = Mapping[str, Mapping[str, str]]
"""Language: key: sentence."""

HERE = Path(__file__).parent
USUAL = "en"
LANGUAGES = (USUAL, *sorted(path.stem for path in HERE.glob("*.json") if path.stem != USUAL))
# Sections that are no sentences by their keys, but looked up by the English.
BY_ENGLISH = ("help", "examples")


def load(folder: Path) -> Catalogue:
    """The sentences of a game, from the files `en.json`, `ja.json`, ... of a folder, each with keys and sentences."""
    return {
        language: json.loads(path.read_bytes())
        for language in LANGUAGES
        if (path := folder / f"{language}.json").exists()
    }


@cache
def section(language: str, name: str) -> Mapping[str, str]:
    """A part of a language's file as it stands there; empty where the language has none."""
    return _sections(language).get(name, {})


@cache
def _sections(language: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((HERE / f"{language}.json").read_bytes())
    return found


@cache
def _sentences(language: str) -> Mapping[str, str]:
    """All sentences of a language, by their keys."""
    found: dict[str, str] = {}
    for name, sentences in _sections(language).items():
        if name not in BY_ENGLISH:
            found.update(sentences)
    return found


def know(own: Catalogue) -> None:
    """Remember a game's sentences, so that what is told of it can be said without it; ours are looked at first."""
    for language, sentences in own.items():
        _OF_GAMES.setdefault(language, {}).update(sentences)


_OF_GAMES: dict[str, dict[str, str]] = {}  # by language, of all games that this process has


def has(key: str, own: Catalogue | None = None) -> bool:
    """Whether there is a sentence of this key."""
    return any(key in table for table in ((own or {}).get(USUAL, {}), _sentences(USUAL), _OF_GAMES.get(USUAL, {})))


def all_keys(own: Catalogue | None = None) -> Iterable[str]:
    """The keys of all sentences: ours, or a game's own."""
    return _sentences(USUAL).keys() if own is None else own.get(USUAL, {}).keys()


def sentence(key: str, language: str, own: Catalogue | None = None) -> str:
    """The sentence as it stands in the catalogue, its places not filled; raises `KeyError` where there is none."""
    for asked in (language, USUAL) if language in LANGUAGES else (USUAL,):
        for table in ((own or {}).get(asked, {}), _sentences(asked), _OF_GAMES.get(asked, {})):
            if key in table:
                return table[key]
    raise KeyError(key)


def duration(seconds: float | None) -> str:
    """A time in a form for people; a dash for none."""
    if seconds is None:
        return "-"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.2g} ms"


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of `DOHYO_LANG`, otherwise of the POSIX locale; English if we do not have that language."""
    for name in ("DOHYO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            code = environment[name].replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]
