"""The sentences: read from a file for each language, looked up by their keys.

What a language lacks is said in English. A game adds the sentences that are its own by `Game.catalogue`, a guest by
files of the same kind in its folder `words`. A package brings another language, or sentences of its own guest, by an
entry point that names a folder of such files:

    [project.entry-points."dohyo.words"]
    klingon = "dohyo_klingon.words"  # the folder dohyo_klingon/words, with tlh.json

No code of a guest or a package is imported for this.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

Catalogue = Mapping[str, Mapping[str, str]]
"""Language: key: sentence."""

HERE = Path(__file__).parent
WORDS = "words"  # the folder of a guest's sentences, beside its `door.py`
GROUP = "dohyo.words"  # the entry points of packages that bring sentences
USUAL = "en"
LANGUAGES = (USUAL, *sorted(path.stem for path in HERE.glob("*.json") if path.stem != USUAL))
"""The languages that Dohyo itself brings."""
OF_NO_LANGUAGE = ("c", "posix")  # locales that a machine has where nobody chose one: packages are not asked for them
# Sections that are no sentences by their keys, but looked up by the English.
BY_ENGLISH = ("help", "examples")


def load(folder: Path) -> Catalogue:
    """The sentences of a game, from the files `en.json`, `ja.json`, ... of a folder, each with keys and sentences."""
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


@cache
def languages() -> tuple[str, ...]:
    """All languages of messages, those that Dohyo brings first, then those of packages that somebody installed."""
    brought = sorted(path.stem for folder in _brought() for path in folder.glob("*.json"))
    return tuple(dict.fromkeys((*LANGUAGES, *brought)))


def is_known(language: str) -> bool:
    """Whether there are messages in this language; packages are looked at only for one that Dohyo does not bring."""
    return language in LANGUAGES or language in languages()


@cache
def _brought() -> tuple[Path, ...]:
    """The folders of sentences that installed packages bring."""
    from dohyo import installed

    named = installed.entry_points(GROUP).values()
    return tuple(Path(folder) for name in named if (folder := installed.folder_of(name)) is not None)


@cache
def section(language: str, name: str) -> Mapping[str, str]:
    """A part of a language's files as it stands there; empty where the language has none."""
    return {**_in(_brought(), language).get(name, {}), **_in(_ours(), language).get(name, {})}


@cache
def _ours() -> tuple[Path, ...]:
    """The folders of Dohyo's own sentences and of its guests'."""
    return HERE, *sorted(HERE.parent.glob(f"guests/*/{WORDS}"))


@cache
def _in(folders: tuple[Path, ...], language: str) -> dict[str, dict[str, str]]:
    """What the files of these folders have in a language, by section. The first sentence of a key is meant."""
    found: dict[str, dict[str, str]] = {}
    for folder in folders:
        if (path := folder / f"{language}.json").exists():
            for name, sentences in _read(path).items():
                found[name] = {**sentences, **found.get(name, {})}
    return found


def _read(path: Path) -> dict[str, dict[str, str]]:
    """The sections of a file; nothing of one that is no such file."""
    try:
        sections = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        sections = None
    if not isinstance(sections, dict) or not all(
        isinstance(part, dict) and all(isinstance(text, str) for text in part.values()) for part in sections.values()
    ):
        _BROKEN.append(str(path))
        return {}
    return sections


_BROKEN: list[str] = []


def broken(language: str) -> list[str]:
    """The files of packages in this language that are no files of sentences."""
    _in(_brought(), language)
    return _BROKEN


@cache
def _sentences(language: str) -> Mapping[str, str]:
    """All of Dohyo's and its guests' sentences of a language, by their keys."""
    return _without_sections(_in(_ours(), language))


@cache
def _sentences_brought(language: str) -> Mapping[str, str]:
    """Those of installed packages; looked for last, because that takes a while."""
    return _without_sections(_in(_brought(), language))


def _without_sections(sections: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, sentences in sections.items():
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
    return _found(key, USUAL, own) is not None


def _found(key: str, language: str, own: Catalogue | None) -> str | None:
    """The sentence in this language, none where it has none."""
    for table in ((own or {}).get(language, {}), _sentences(language), _OF_GAMES.get(language, {})):
        if key in table:
            return table[key]
    return _sentences_brought(language).get(key)


def all_keys(own: Catalogue | None = None) -> Iterable[str]:
    """The keys of all sentences: ours, or a game's own."""
    return _sentences(USUAL).keys() if own is None else own.get(USUAL, {}).keys()


def sentence(key: str, language: str, own: Catalogue | None = None) -> str:
    """The sentence as it stands in the catalogue, its places not filled; raises `KeyError` where there is none."""
    for asked in (language, USUAL):
        if (there := _found(key, asked, own)) is not None:
            return there
    raise KeyError(key)


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of `DOHYO_LANG`, otherwise of the POSIX locale; English if we do not have that language."""
    names = ("DOHYO_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    code = code_of(next(filter(None, map(environment.get, names)), USUAL))
    return code if code not in OF_NO_LANGUAGE and is_known(code) else USUAL


def code_of(locale: str) -> str:
    """The language that a locale names, as `ja` in `ja_JP.UTF-8`; nobody need know it."""
    code = locale.replace("-", "_").split("_")[0].split(".")[0].lower()
    return {"jp": "ja"}.get(code, code)  # the country, which many write for the language
