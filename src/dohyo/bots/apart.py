"""What of a folder that is taken as one bot looks like further bots: a class may have a hand-in called `main.py`.

A source is used where a source that is used has its name as a word: that is true of whatever a language imports, and
errs on the side of saying nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from dohyo.bots.aside import is_aside, is_left, old_copies
from dohyo.bots.bot import COMMANDS, TOML
from dohyo.bots.content import Content, is_packed, read_text
from dohyo.languages import by_ending

READ_ENTRIES = 100  # entries of a folder that are looked at, and how much of text: who has more is told nothing
READ_TEXT = 1 << 20  # bytes


def apart(used: Collection[str], content: Content) -> tuple[str, ...]:
    """The entries at the top of a folder that look like bots of their own, and of which the program uses nothing.

    `used` are the sources of the program, by relative name.
    """
    known = {PurePosixPath(name).stem for name in used} | {name.partition("/")[0] for name in used}
    entries = dict.fromkeys(filter(None, map(_entry_of_bot, content.files)))
    rest = [entry for entry in entries if entry not in known and PurePosixPath(entry).stem not in known][
        :READ_ENTRIES
    ]
    sources = [entry for entry in rest if by_ending(entry) is not None and entry in content.files]
    texts = {name: read_text(content.files[name]) for name in (*used, *sources)}
    if sum(map(len, texts.values())) > READ_TEXT:
        return ()
    words = _words(texts[name] for name in used)
    while called := [entry for entry in rest if _words([PurePosixPath(entry).stem]) <= words]:
        words |= _words(texts.get(entry, "") for entry in called)
        rest = [entry for entry in rest if entry not in called]
    old = old_copies(texts)
    return tuple(entry for entry in rest if entry not in old)


def _entry_of_bot(name: str) -> str:
    """The entry at the top that looks like a bot by this file: a source, a packed file, a folder with a main one."""
    entry, _, inside = name.partition("/")
    path = PurePosixPath(name)
    language = by_ending(name)
    if is_left(name) or is_aside(name) or is_aside(entry):
        return ""
    if not inside:
        return entry if language is not None or is_packed(name) else ""
    is_main = language is not None and path.stem.lower() in ("main", "bot", *language.mains)
    return entry if "/" not in inside and (is_main or path.name in (TOML, COMMANDS)) else ""


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w+", text)}
