"""A contest file: what the operator asks for, as TOML."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dohyo.bots.content import printable
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
BOT_KEYS = NamedBot.__struct_fields__


def read_file(path: str) -> ContestRequest:
    """What a contest file asks for; its paths are relative to its own folder.

    Raises `OperatorError` if it cannot be read, is not TOML, has an unknown key or a value of a wrong type, or names
    no game.
    """
    content = read_bounded(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise OperatorError("contest-file-large", path=path, mebibytes=LARGEST >> 20)
    try:
        table = read_toml(content)
    except (ValueError, RecursionError) as error:  # no text, no TOML, a number of thousands of digits, too deep
        raise OperatorError("contest-file-malformed", path=path, error=printable(str(error))) from error
    for key, value in table.items():
        if key not in KEYS:
            raise _unknown(key, KEYS, path)
        if key == "bots" and isinstance(value, list):  # which of them is wrong, `_bot` says
            continue
        check(KEYS[key], value, key, "contest-value")
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
    word = _from(Path(path).absolute().parent, word)
    return name, existing(word) or word


def _from(home: Path, word: str) -> str:
    """A path relative to `home`; anything else (a sample bot's name, a URL) stays as it is."""
    beside = home / os.path.expanduser(word)
    known = "://" not in word and (
        os.path.exists(beside) or word.startswith((".", "~")) or word.endswith((".db", "/"))
    )
    return os.path.abspath(beside) if known else word
