"""What of a folder is none of the bot: what a build left there, what tests the bot, old copies, and other programs.

People keep such things beside their bots. A file's or folder's name tells most of it, a source's own lines the rest;
where it is in doubt, the source counts as the bot's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from dohyo.bots.content import read_text
from dohyo.languages import Language

# What a build, a package manager or an editor has left. At the top of a folder: names that may mean more elsewhere.
_LEFT_AT_TOP = re.compile(r"(?:obj|bin|target|build|out|dist|_build|dist-newstyle|cmake-build-[^/]*)/.*")
_LEFT = re.compile(r"(?:.*/)?(?:node_modules|CMakeFiles|\.[^/]+)/.*")
# What belongs to making and testing a bot, not to the bot.
_ASIDE = re.compile(
    r"(?i:(.*/)?(tests?|__tests__|examples?|benchmarks?|(unit|integration|functional)[._-]?tests?)/.*"
    r"|(.*/)?(setup|conftest|__init__|build|(gulp|grunt)file|test_[^/]*|[^/]*_test|[^/]*\.(test|spec|config|conf)))"
    r"|project/\w*(Build|Dependencies|Settings|Versions)"  # of sbt, which are Scala themselves
    r"|(.*/)?([^/]*[._-][Tt]ests?|[^/]*[a-z0-9]Tests?)/.*"
)
# Old copies, by what stands beside the name of the file that they are copies of, or by their folder's name.
_OLD_NAME = re.compile(
    r"(?P<before>.+?)(?:[ ._-]++(?i:old|orig|original|backup|bak)\d{0,3}|Old\d{0,3}|(?i:[ -]++copy)|[ ]?\(\d{1,3}\))"
    r"|(?i:old|backup|copy of)[ ._-]++(?P<behind>.+)"
)
_OLD_FOLDER = re.compile(r"(?i:old|backups?|bak|archives?|attic|deprecated|legacy|obsolete|previous)")


def is_left(name: str) -> bool:
    """Whether a file, by its path in the folder, is what a build or a package manager has left."""
    return bool(_LEFT_AT_TOP.fullmatch(name) or _LEFT.fullmatch(name))


def is_aside(name: str) -> bool:
    """Whether a source, by its path in the folder, only makes or tests the bot."""
    return _ASIDE.fullmatch(str(PurePosixPath(name).with_suffix(""))) is not None


def is_test(language: Language, text: str) -> bool:
    """Whether a source in this language only tests the bot, by what it says."""
    return bool(language.tests) and re.search(language.tests, text, re.MULTILINE) is not None


def of_program(names: Sequence[str], language: Language, files: Mapping[str, Path]) -> list[str]:
    """Those of the sources that are no tests, by what they say, and no old copies; all of them if none is left."""
    texts = {name: read_text(files[name]) for name in names}
    kept = [name for name in names if not is_test(language, texts[name])]
    if language.begins and not any(re.search(language.begins, texts[name], re.MULTILINE) for name in kept):
        kept = list(names)  # a program with its tests in itself
    old = old_copies({name: texts[name] for name in kept})
    return [name for name in kept if name not in old] or list(names)


def old_copies(texts: Mapping[str, str]) -> set[str]:
    """Those of the sources, by name, that are old copies of others, which nothing else names."""
    current = {PurePosixPath(name).name for name in texts if not _in_old_folder(name)}
    found = {name for name in texts if _is_old(name, texts, current)}
    others = [text for name, text in texts.items() if name not in found]
    return {name for name in found if not any(_names(text, name) for text in others)}


def _is_old(name: str, known: Collection[str], current: Collection[str]) -> bool:
    """Whether a source is an old copy; `current` are the names of files that are in no folder of old ones."""
    path = PurePosixPath(name)
    named = _OLD_NAME.fullmatch(path.stem)
    if named is not None and str(path.with_name(f"{named['before'] or named['behind']}{path.suffix}")) in known:
        return True
    return _in_old_folder(name) and path.name in current


def _in_old_folder(name: str) -> bool:
    return any(_OLD_FOLDER.fullmatch(part) for part in PurePosixPath(name).parts[:-1])


def _names(text: str, name: str) -> bool:
    """Whether a text has a source's own name, or its folder's as a part of a longer name: `old/`, `old.`, `old::`."""
    path = PurePosixPath(name)
    folders = (part for part in path.parts[:-1] if _OLD_FOLDER.fullmatch(part))
    is_named = _OLD_NAME.fullmatch(path.stem) is not None and re.search(rf"\b{re.escape(path.stem)}\b", text)
    return bool(is_named) or any(re.search(rf"\b{re.escape(part)}(?:[/\\.]|::)", text) for part in folders)


def beginning(names: Iterable[str], language: Language, files: Mapping[str, Path]) -> list[str]:
    """The sources in which a program begins, by what they say (`Language.begins`)."""
    pattern = re.compile(language.begins, re.MULTILINE)
    return [name for name in names if pattern.search(read_text(files[name]))]
