"""The sentences: read from a file for each language, looked up by their keys, filled.

`say("unknown-game", "ja", name="chess", ...)` fills the sentence's `{places}`. What a language lacks is said in
English. A game adds the sentences that are its own by `Game.catalogue`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from dohyo import clean

Catalogue = Mapping[str, Mapping[str, str]]
"""Language: key: sentence."""

HERE = Path(__file__).parent
USUAL = "en"
LANGUAGES = (USUAL, *sorted(path.stem for path in HERE.glob("*.json") if path.stem != USUAL))
# Sections that are no sentences by their keys, but looked up by the English.
BY_ENGLISH = ("help", "examples", "phrases")


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


def has(key: str, own: Catalogue | None = None) -> bool:
    """Whether there is a sentence of this key."""
    return key in _sentences(USUAL) or key in (own or {}).get(USUAL, {})


def all_keys(own: Catalogue | None = None) -> Iterable[str]:
    """The keys of all sentences: ours, or a game's own."""
    return _sentences(USUAL).keys() if own is None else own.get(USUAL, {}).keys()


def sentence(key: str, language: str, own: Catalogue | None = None) -> str:
    """The sentence as it stands in the catalogue, its places not filled; raises `KeyError` where there is none."""
    for asked in (language, USUAL) if language in LANGUAGES else (USUAL,):
        for table in ((own or {}).get(asked, {}), _sentences(asked)):
            if key in table:
                return table[key]
    raise KeyError(key)


def say(
    sentence_key: str,
    language: str = USUAL,
    own: Catalogue | None = None,
    /,
    **details: object,
) -> str:
    """The sentence of that key in `language`, its places filled from `details`.

    A sentence is one line, whatever it quotes: details but for numbers are cleaned (`dohyo.clean`). `own` holds a
    game's own sentences, looked at first. Raises `KeyError` for a key that is nowhere: that is a defect of ours.
    """
    found = sentence(sentence_key, language, own)
    if not details:
        return found
    told = details if language == USUAL else _translated(details, language)
    return found.format(**{name: _detail(value) for name, value in told.items()})


def _translated(details: Mapping[str, object], language: str) -> Mapping[str, object]:
    """The details of a sentence, those that were written down in English in this language."""
    from dohyo.i18n.values import in_language

    patterns = section(language, "phrases") if language in LANGUAGES else {}
    return {name: in_language(name, value, language, patterns) for name, value in details.items()}


def _detail(value: object) -> object:
    if isinstance(value, int | float):
        return _Count(value) if type(value) is int else value
    return clean.line(str(value))


class _Count(int):
    """A number that chooses the form of the word beside it: `{turns} {turns:turn|turns}`."""

    def __format__(self, spec: str) -> str:
        one, either, many = spec.partition("|")
        return (one if self == 1 else many) if either else super().__format__(spec)


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
