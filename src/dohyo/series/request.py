"""What the operator asks for: from a contest file (TOML), or by flags, which mean the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dohyo.bots.content import printable
from dohyo.bots.resolution import existing
from dohyo.core.bot_spec import BotSpec
from dohyo.core.bounds import is_deeper, read_toml
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.executors.refereed.file import ENDING
from dohyo.i18n import Message
from dohyo.match.files import read_bounded
from dohyo.series import formats

USUAL = "require"  # sandbox: a contest is where strangers' bots meet
MAX_WORKERS = 1024
LARGEST = 4 << 20  # bytes of a contest file: ten thousand bots, each named by its path
DEEPEST = 8  # levels of nested lists and tables
LONGEST = 200  # characters of a contest's name, and of a value in a sentence
LONGEST_WORD = 100_000  # characters of a path or of a command line


class ContestRequest(msgspec.Struct, kw_only=True):
    """A contest as the operator asks for it, not yet looked at.

    `bots` are pairs of a name, which may be empty, and a hand-in, or a word that is still to be read; `folder` holds
    more bots, and the file `names` says what those are called. Without a `seed`, the seed of the contest in the store
    is taken; for a new contest, one is drawn. `name` is the contest's name, `store` the place where it is kept. One
    that the operator has not named (`is_named`) begins in no store that holds another contest.
    """

    name: str
    store: str
    game: str
    format: str = formats.USUAL
    rounds: int = 1
    seed: int | None = None
    setup: dict[str, Any] = {}
    options: dict[str, Any] = {}
    bots: list[tuple[str, BotSpec | str]] = []
    folder: str | None = None
    names: str | None = None
    clock: str | Clock | None = None
    sandbox: str = USUAL
    pondering: bool = False
    fault_is_last: bool = False
    python: str | None = None
    workers: int | None = None
    is_named: bool = True


# What a contest file may say: the types that a value may have, and in words what is accepted.
KEYS: Mapping[str, tuple[tuple[type, ...], Message | str]] = {
    "name": ((str,), Message("takes.without-slash", {"text": '"..."'})),
    "store": ((str,), '"FILE" or "postgresql://..."'),
    "game": ((str,), Message("takes.a-game", {"text": '"..."'})),
    "format": ((str,), Message("takes.a-format", {"text": '"..."'})),
    "rounds": ((int,), Message("takes.whole")),
    "seed": ((int,), Message("takes.whole")),
    "setup": ((dict,), Message("takes.game-options")),
    "options": ((dict,), Message("takes.format-options")),
    "bots": ((list,), '["BOT", {name = "...", bot = "BOT"}]'),
    "folder": ((str,), Message("takes.a-folder", {"text": '"..."'})),
    "names": ((str,), Message("takes.a-table", {"text": '"..."'})),
    "clock": ((str, int, float), Message("takes.a-clock")),
    "sandbox": ((str,), "auto, require, none"),
    "pondering": ((bool,), "true, false"),
    "fault_is_last": ((bool,), "true, false"),
    "python": ((str,), Message("takes.a-program", {"text": '"..."'})),
    "workers": ((int,), Message("takes.whole")),
}
BOT_KEYS = ("name", "bot")


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
        types, takes = KEYS[key]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise _value(key, value, takes)
        if is_deeper(value, DEEPEST) or (isinstance(value, str) and not _is_word(value)):
            raise _value(key, value, takes)
    if "name" in table and ("/" in table["name"] or not table["name"].isprintable() or len(table["name"]) > LONGEST):
        raise _value("name", table["name"], KEYS["name"][1])
    if "game" not in table:
        raise OperatorError("contest-missing", key="game", remedy='write game = "..."')
    home, stem = Path(path).absolute().parent, Path(path).stem
    table["bots"] = [_bot(each, path) for each in table.get("bots", [])]
    for key in ("folder", "names", "store", *(("game",) if table["game"].endswith(ENDING) else ())):
        if key in table:
            table[key] = _from(home, table[key])
    if "clock" in table:
        table["clock"] = str(table["clock"])
    return ContestRequest(**{"name": stem, "store": str(home / f"{table.get('name', stem)}.db"), **table})


def _unknown(key: str, known: Mapping[str, Any] | tuple[str, ...], path: str) -> OperatorError:
    close = nearest(key, known)
    return OperatorError("contest-key-unknown", key=printable(key), path=path, nearest=close, known=", ".join(known))


def _value(key: str, value: object, takes: Message | str) -> OperatorError:
    """The sentence for a value that a key does not take."""
    try:
        shown = str(value)
    except (ValueError, RecursionError):
        shown = "..."
    return OperatorError("contest-value", key=key, value=printable(shown[:LONGEST]), takes=takes)


def _is_word(text: str) -> bool:
    """Whether a text can be a name, a path or a command line at all."""
    return "\0" not in text and len(text) <= LONGEST_WORD


def _bot(given: object, path: str) -> tuple[str, BotSpec | str]:
    """A bot's name, or an empty one, and what is there under its word, or the word for it."""
    if isinstance(given, dict):
        for key in given:
            if key not in BOT_KEYS:
                raise _unknown(key, BOT_KEYS, path)
        name, word = given.get("name", ""), given.get("bot")
    else:
        name, word = "", given
    if not isinstance(word, str) or not isinstance(name, str):
        raise _value("bots", given, KEYS["bots"][1])
    if not _is_word(name) or not _is_word(word):
        raise _value("bots", given, KEYS["bots"][1])
    word = _from(Path(path).absolute().parent, word)
    return name, existing(word) or word


def _from(home: Path, word: str) -> str:
    """A path relative to `home`; anything else (a sample bot's name, a URL) stays as it is."""
    beside = home / os.path.expanduser(word)
    known = "://" not in word and (
        os.path.exists(beside) or word.startswith((".", "~")) or word.endswith((".db", "/"))
    )
    return os.path.abspath(beside) if known else word
