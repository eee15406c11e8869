"""A contest file: what the operator asks for, as TOML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from dohyo.bots.content import decode, printable
from dohyo.bots.typed_words import existing
from dohyo.core.asked import Field, check, fields, refused
from dohyo.core.bot_spec import BotSpec
from dohyo.core.bounds import is_deeper, read_toml
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.executors.refereed import kind_named_in
from dohyo.match.files import read_bounded
from dohyo.series.request import ContestRequest, NamedBot

LARGEST = 4 << 20  # bytes of a contest file: ten thousand bots, each named by its path
DEEPEST = 8  # levels of nested lists and tables

# What a contest file may say.
KEYS: Mapping[str, Field] = {field.name: field for field in fields(ContestRequest)}
CURLY = "\u201c\u201d\u201e\u301d\u301f\uff02\u300c\u300d\u300e\u300f"  # quotes that are not TOML's
# A line with a value in which no quotes, brackets or backslashes are
UNQUOTED = re.compile(rf"""\s*(?P<key>[\w-]+)\s*=\s*(?P<value>[^"'\[\]{{}}#\\{CURLY}]+)(?:#.*)?""")
LONGEST_LINE = 1000  # characters of such a line
MOST_TRIED = 20  # lines with wide signs that may be what is wrong: the whole file is read again for each
# Parts of a line: a text or a comment, which stays as it is; a text in curly quotes; and all else, sign by sign.
PARTS = re.compile(rf"""(?P<kept>"(?:[^"\\]|\\.)*"|'[^']*'|\#.*)|[{CURLY}](?P<text>[^{CURLY}"\\]*)[{CURLY}]|.""")
# What an input method writes in the place of TOML's own signs and digits.
WIDE: Mapping[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x3000: " ",
    0x2018: "'",
    0x2019: "'",
    0x3001: ",",
    0x3002: ".",
}
AT_LINE = re.compile(r"at line (\d+)")
BOT_KEYS = NamedBot.__struct_fields__


def read_file(path: str) -> ContestRequest:
    """What a contest file asks for; its paths are relative to its own folder.

    Raises `OperatorError` if it cannot be read, is not TOML, has an unknown key or a value of a wrong type, or names
    no game.
    """
    content = read_bounded(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise OperatorError("contest-file-large", path=path, mebibytes=LARGEST >> 20)
    text = ""
    try:
        text = decode(content, strict=True)  # as editors on Windows write it, too
        table = read_toml(text.encode())
    except (ValueError, RecursionError) as error:  # no text, no TOML, a number of thousands of digits, too deep
        raise _malformed(text.splitlines(), path, str(error)) from error
    for key, value in table.items():
        if key not in KEYS:
            raise _unknown(key, KEYS, path)
        if key == "bots" and isinstance(value, list):  # which of them is wrong, `_bot` says
            continue
        _check(key, value)
        if is_deeper(value, DEEPEST):
            raise refused(KEYS[key], value, key, "contest-value")
    if "game" not in table:
        raise OperatorError("contest-missing", key="game", remedy='write game = "..."')
    home, stem = Path(path).absolute().parent, Path(path).stem
    table["bots"] = [_bot(each, path) for each in table.get("bots", [])]
    for key in ("folder", "names", "store", *(("game",) if kind_named_in(table["game"]) else ())):
        if key in table:
            table[key] = _from(home, table[key])
    if "clock" in table:
        table["clock"] = str(table["clock"])
    return ContestRequest(**{"name": stem, "store": str(home / f"{table.get('name', stem)}.db"), **table})


def _malformed(lines: Sequence[str], path: str, error: str) -> OperatorError:
    """The error for a file that is no TOML: how to write its first wrong line, where that is known."""
    if found := _wide(lines, path, error) or _unquoted(lines, path, error):
        return found
    where = AT_LINE.search(error)
    line = "" if where is None else where[1]
    key = "contest-file-malformed-at" if line else "contest-file-malformed"
    return OperatorError(key, path=path, line=line, error=printable(error))


def _wide(lines: Sequence[str], path: str, error: str) -> OperatorError | None:
    """The error for a file whose first mistake are full-width signs or curly quotes; none for others."""
    rights = ((at, line if len(line) > LONGEST_LINE else PARTS.sub(_narrow, line)) for at, line in enumerate(lines))
    for at, right in islice((each for each in rights if each[1] != lines[each[0]]), MOST_TRIED):
        if _helps(lines, at, right, error):
            return OperatorError("contest-file-wide", path=path, line=at + 1, right=printable(right.strip()))
    return None


def _narrow(part: re.Match[str]) -> str:
    """A part of a line, with TOML's own signs."""
    if part["kept"] is not None:
        return part["kept"]
    return part[0].translate(WIDE) if part["text"] is None else f'"{part["text"]}"'


def _unquoted(lines: Sequence[str], path: str, error: str) -> OperatorError | None:
    """The error for a file whose first mistake is a text without quotes, as in game = drop-block; none for others."""
    for at, line in enumerate(lines):
        found = UNQUOTED.fullmatch(line[:LONGEST_LINE])
        value = "" if found is None else found["value"].strip()
        if found is None or not value or _value_of(value) is not None:
            continue
        key = found["key"].strip()
        if key in KEYS and value.lower() in ("true", "false"):
            right = f"{key} = {value.lower()}"
        elif key not in KEYS or _is_taken(key, value):
            right = f'{key} = "{value}"'
        else:
            continue
        if not _helps(lines, at, right, error):  # that was not what is wrong
            return None
        return OperatorError("contest-file-quotes", path=path, line=at + 1, right=printable(right))
    return None


def _helps(lines: Sequence[str], at: int, right: str, error: str) -> bool:
    """Whether a file's error is another one, or none, with this in the place of a line."""
    try:
        read_toml("\n".join([*lines[:at], right, *lines[at + 1 :]]).encode())
    except (ValueError, RecursionError) as other:
        return str(other) != error
    return True


def _value_of(text: str) -> object:
    """What a text means as a value in TOML; nothing where it is none."""
    try:
        return read_toml(f"value = {text}".encode()).get("value")
    except (ValueError, RecursionError):
        return None


def _check(key: str, value: object) -> None:
    """Raise `OperatorError` for a value that a key does not take; one that it takes without quotes is told so."""
    meant = _value_of(value) if isinstance(value, str) else None
    if meant is not None and not _is_taken(key, value) and _is_taken(key, meant):
        raise OperatorError("contest-value-quoted", key=key, right=printable(f"{key} = {value}"))
    check(KEYS[key], value, key, "contest-value")


def _is_taken(key: str, value: object) -> bool:
    try:
        check(KEYS[key], value, key)
    except OperatorError:
        return False
    return True


def _unknown(key: str, known: Iterable[str], path: str) -> OperatorError:
    close = nearest(key, list(known))
    return OperatorError("contest-key-unknown", key=printable(key), path=path, nearest=close, known=", ".join(known))


def _bot(given: object, path: str) -> tuple[str, BotSpec | str]:
    """A bot's name, or an empty one, and what is there under its word, or the word for it."""
    for key in given if isinstance(given, dict) else ():
        if key not in BOT_KEYS:
            raise _unknown(key, BOT_KEYS, path)
    check(KEYS["bots"], [given], "bots", "contest-value")
    name, word = (given.get("name", ""), given["bot"]) if isinstance(given, dict) else ("", str(given))
    meant = _from(Path(path).absolute().parent, word)
    return name, existing(meant, word if os.path.abspath(word) == meant else "") or meant


def _from(home: Path, word: str) -> str:
    """A path relative to `home`; anything else (a sample bot's name, a URL) stays as it is."""
    beside = home / os.path.expanduser(word)
    known = "://" not in word and (
        os.path.exists(beside) or word.startswith((".", "~")) or word.endswith((".db", "/"))
    )
    return os.path.abspath(beside) if known else word
