"""The catalogues: every language, the same places, no sentence asked for that is not there, none left over."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from dohyo import i18n
from dohyo.games import all_games
from dohyo.i18n import catalogue
from dohyo.i18n.catalogue import USUAL, sentence
from tests.quality.project import ROOT, SOURCE, parsed, python_files

ASKING = ("say", "tell", "OperatorError", "BuildError", "ReplayError", "DohyoError")


def places(sentence: str) -> set[str]:
    """The names of a sentence's places."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def tables() -> dict[str, dict[str, str]]:
    """The common sentences and those of every game: by key, then by language."""
    table = {key: {language: sentence(key, language) for language in i18n.LANGUAGES} for key in i18n.all_keys()}
    for game in all_games().values():
        own = set().union(*game.catalogue.values())
        assert not table.keys() & own, f"{game.name} overwrites sentences"
        for key in own:
            table[key] = {language: game.catalogue[language].get(key, "") for language in i18n.LANGUAGES}
    return table


@cache
def asked() -> list[tuple[Path, int, str, set[str] | None]]:
    """Every sentence asked for by name in the source: file, line, key, the details given (None: not known)."""
    found: list[tuple[Path, int, str, set[str] | None]] = []
    for path in python_files():
        if not path.is_relative_to(SOURCE):
            continue
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            key = node.args[0]
            if name in ASKING and isinstance(key, ast.Constant) and isinstance(key.value, str):
                given = {keyword.arg for keyword in node.keywords}
                known = None if None in given else {str(word) for word in given}
                found.append((path.relative_to(ROOT), node.lineno, key.value, known))
    return found


def test_every_key_has_both_languages() -> None:
    """Each key has a sentence in every language, none of them empty."""
    for key, sentences in tables().items():
        assert all(sentence.strip() for sentence in sentences.values()), key
    for language in i18n.LANGUAGES:
        assert set(catalogue._sentences(language)) == set(i18n.all_keys()), language


def test_languages_have_the_same_places() -> None:
    """A sentence's places are the same in every language, and all of them are named."""
    for key, sentences in tables().items():
        first, *others = sentences.values()
        assert all(name.isidentifier() for name in places(first)), key
        assert all(places(other) == places(first) for other in others), key


def test_every_sentence_asked_for_is_there() -> None:
    """Whoever asks for a sentence by name finds it, and fills every place of it."""
    table = tables()
    found = asked()
    assert len(found) > 10
    for path, line, key, given in found:
        assert key in table, f"{path}:{line} asks for '{key}'"
        missing = places(table[key][USUAL]) - given if given is not None else set()
        assert not missing, f"{path}:{line} leaves {missing} of '{key}' empty"


# Sentences that are asked for by a part of their key: ends that are put behind a whole one, details by their code.
BUILT = re.compile(r".+(\.do|\.all|-with)|detail\..+|system\.E[A-Z]+")
GUESTS = sorted(path.parent.name for path in (SOURCE / "guests").glob("*/door.py"))


@cache
def written(guest: str = "") -> tuple[set[str], list[re.Pattern[str]]]:
    """Every text of a guest's source, or of all else, and what those with places in them may become."""
    texts, patterns = set(), set()
    home = SOURCE / "guests" / guest if guest else SOURCE
    for path in python_files():
        if not path.is_relative_to(home) or (not guest and path.is_relative_to(SOURCE / "guests")):
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values
                ]
                patterns.add("".join(parts))
    for path in home.rglob("*.html") if guest else ():
        said = re.findall(r"""say\(["']([^"']+)["']( \+)?""", path.read_text(encoding="utf-8"))
        texts |= {key for key, _ in said}
        patterns |= {f"{re.escape(key)}.+" for key, more in said if more}
    if not guest:
        for path in SOURCE.rglob("*.js"):
            texts |= set(re.findall(r'"([^"\n]+)"', path.read_text(encoding="utf-8")))
    return texts, [re.compile(pattern) for pattern in sorted(patterns) if re.match(r"[a-z]{3}", pattern)]


def keys_in(folder: Path) -> set[str]:
    """The keys of the sentences that lie in a folder."""
    sections = json.loads((folder / "en.json").read_bytes())
    return {key for name, part in sections.items() if name not in catalogue.BY_ENGLISH for key in part}


@pytest.mark.parametrize("guest", ["", *(name for name in GUESTS if (SOURCE / "guests" / name / "words").exists())])
def test_every_sentence_is_asked_for(guest: str) -> None:
    """No sentence is left over, and a guest has its own: the key, or how it is put together, stands in its source."""
    texts, patterns = written(guest)
    for key in keys_in(SOURCE / "guests" / guest / "words" if guest else catalogue.HERE):
        whole = key in texts or BUILT.fullmatch(key) is not None
        assert whole or any(pattern.fullmatch(key) for pattern in patterns), f"nobody says '{key}'"


def test_a_guest_brings_both_languages() -> None:
    """Of each of its sentences, and none that is another's or the core's."""
    known = keys_in(catalogue.HERE)
    for words in sorted(SOURCE.glob("guests/*/words")):
        own = [{key for name, part in json.loads((words / f"{language}.json").read_bytes()).items()
                if name not in catalogue.BY_ENGLISH for key in part} for language in i18n.LANGUAGES]  # fmt: skip
        assert own[0] == own[1], words
        assert not own[0] & known, words
        known |= own[0]


def test_a_key_stands_once_in_a_file() -> None:
    """In one section alone: of two sentences of a key, one would never be said."""
    for path in (*catalogue.HERE.glob("*.json"), *SOURCE.glob("guests/*/words/*.json")):
        parts = {
            name: part for name, part in json.loads(path.read_bytes()).items() if name not in catalogue.BY_ENGLISH
        }
        keys = [key for part in parts.values() for key in part]
        assert len(keys) == len(set(keys)), path


def test_nobody_says_the_sentences_of_a_guest_but_itself() -> None:
    """What the core or another guest says lies in the core's words, so that a guest can be taken away."""
    homes = {key: words.parent.name for words in SOURCE.glob("guests/*/words") for key in keys_in(words)}
    assert homes
    for guest in ("", *GUESTS):
        for key in written(guest)[0] & homes.keys():
            assert homes[key] == guest, f"'{key}' of {homes[key]}, said by {guest or 'the core'}"


def test_a_sentence_left_over_is_noticed() -> None:
    """A key that nothing asks for is in no text and fits no pattern."""
    texts, patterns = written()
    assert "nobody-says-this" not in texts
    assert not any(pattern.fullmatch("nobody" + "-says-that") for pattern in patterns)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (None, "-"),
        (0, "0 ms"),
        (0.00025, "0.25 ms"),
        (0.0099, "9.9 ms"),
        (0.0125, "12 ms"),
        (1, "1.00 s"),
        (61, "61.00 s"),
    ],
)
def test_a_time_is_written_for_people(seconds: float | None, told: str) -> None:
    """Seconds from one on; below that milliseconds, two digits of few. Japanese has its own word for seconds."""
    assert i18n.ENGLISH.duration(seconds) == told
    assert i18n.Speaker("ja").duration(seconds) == told.replace(" s", " 秒")
