"""Which game the operator's word means: one of Dohyo's, or that of a referee's file (docs/other-arenas.md).

Such a file (TOML) says which program of others referees its game. Only an operator's own word may be a file: for a
game's name from a replay or a store, which a stranger may have written, there is `dohyo.games.find`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dohyo import clean, games
from dohyo.core.bounds import is_deeper, read_toml
from dohyo.core.errors import OperatorError
from dohyo.core.external_referee import (
    LONGEST_WORD,
    MAX_PLAYERS,
    MAX_SECONDS,
    MAX_WORDS,
    NAME,
    PLACE,
    PLAYERS,
    REPLAY_PATH,
    SEED,
    ExternalReferee,
    game_of,
    place_of,
)
from dohyo.core.game import Game
from dohyo.core.match_contracts import CONTRACTS
from dohyo.core.options import nearest
from dohyo.match.files import read_bounded

ENDING = ".toml"
LARGEST = 1 << 16  # bytes
LONGEST_SHOWN = 200  # characters of a value in a sentence
DEEPEST = 4
# What the file may say, and in words what is accepted.
KEYS: Mapping[str, str] = {
    "name": '"..." of a-z, 0-9 and -',
    "command": '"...", what starts the referee',
    "result": ", ".join(CONTRACTS),
    "players": f"a whole number, 1 - {MAX_PLAYERS}, or [fewest, most]",
    "seconds": f"seconds for a match, more than 0, at most {MAX_SECONDS:g}",
    "seed_bits": "a whole number, 8 - 63",
    "files": '["FILE", "FOLDER"]',
}
NEEDED = ("name", "command", "result", "players")


def game_of_word(word: str) -> Game:
    """The game of this name, or the game of this referee's file.

    Raises `OperatorError` when there is none, or for what is wrong with the file.
    """
    return read(word) if word.endswith(ENDING) else games.find(word)


def read(path: str | os.PathLike[str]) -> Game:
    """The game of a referee's file.

    Raises `OperatorError` if it cannot be read, lacks something, or says something that cannot be meant.
    """
    shown = os.fspath(path)
    table = _table(shown)
    for key in table:
        if key not in KEYS:
            close = nearest(key, KEYS)
            known = ", ".join(KEYS)
            raise OperatorError("referee-file-key", key=clean.line(key), path=shown, nearest=close, known=known)
    for key in NEEDED:
        if key not in table:
            raise OperatorError("referee-file-lacks", path=shown, key=key, takes=KEYS[key])
    home = Path(path).absolute().parent
    referee = ExternalReferee(
        name=_text(table, "name", re.compile(NAME)),
        command=_command(table),
        result=_contract(table),
        players=_players(table),
        seconds=_seconds(table),
        seed_bits=_whole(table, "seed_bits", 8, 63) if "seed_bits" in table else 63,
        files=_files(table, home),
        file=str(Path(path).absolute()),
    )
    _check_places(referee, shown)
    return game_of(msgspec.structs.replace(referee, digest=_digest(referee)))


def _table(path: str) -> dict[str, Any]:
    content = read_bounded(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise OperatorError("referee-file-large", path=path, kibibytes=LARGEST >> 10)
    try:
        table = read_toml(content)
    except (ValueError, RecursionError) as error:
        raise OperatorError("referee-file-malformed", path=path, error=clean.line(str(error))) from error
    if is_deeper(table, DEEPEST):
        raise OperatorError("referee-file-malformed", path=path, error="tables in tables")
    return table


def _wrong(table: dict[str, Any], key: str) -> OperatorError:
    """The sentence for a value that a key does not take."""
    try:
        value = str(table[key])
    except ValueError:  # a number of thousands of digits
        value = "..."
    return OperatorError("referee-value", key=key, value=clean.line(value, LONGEST_SHOWN), takes=KEYS[key])


def _text(table: dict[str, Any], key: str, form: re.Pattern[str]) -> str:
    value = table[key]
    if not isinstance(value, str) or not form.fullmatch(value):
        raise _wrong(table, key)
    return value


def _contract(table: dict[str, Any]) -> Any:
    if table["result"] not in CONTRACTS:
        raise _wrong(table, "result")
    return table["result"]


def _whole(table: dict[str, Any], key: str, low: int, high: int) -> int:
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _wrong(table, key)
    return value


def _seconds(table: dict[str, Any]) -> float:
    value = table.get("seconds", 60.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_SECONDS:
        raise _wrong(table, "seconds")
    return float(value)


def _players(table: dict[str, Any]) -> tuple[int, int]:
    value = table["players"]
    both = value if isinstance(value, list) else [value, value]
    if len(both) != 2:
        raise _wrong(table, "players")
    fewest, most = both
    for number in both:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_PLAYERS:
            raise _wrong(table, "players")
    if fewest > most:
        raise _wrong(table, "players")
    return fewest, most


def _is_word(word: object) -> bool:
    return isinstance(word, str) and 0 < len(word) <= LONGEST_WORD and "\0" not in word


def _command(table: dict[str, Any]) -> tuple[str, ...]:
    value = table["command"]
    if not isinstance(value, str):
        raise _wrong(table, "command")
    try:
        words = tuple(shlex.split(value))
    except ValueError as error:
        raise _wrong(table, "command") from error
    if not 0 < len(words) <= MAX_WORDS or not all(map(_is_word, words)):
        raise _wrong(table, "command")
    return words


def _files(table: dict[str, Any], home: Path) -> tuple[str, ...]:
    value = table.get("files", [])
    if not isinstance(value, list) or len(value) > MAX_WORDS or not all(map(_is_word, value)):
        raise _wrong(table, "files")
    for name in value:
        if not (home / os.path.expanduser(name)).exists():
            raise OperatorError("cannot-read", path=clean.line(name), reason=os.strerror(2))
    return tuple(value)


def _check_places(referee: ExternalReferee, path: str) -> None:
    """Raise `OperatorError` for a command that would not get every player."""
    found = {place for word in referee.command for place in PLACE.findall(word)}
    fewest, most = referee.players
    known = {SEED, PLAYERS, REPLAY_PATH, *(place_of(at) for at in range(1, most + 1))}
    if strange := sorted(found - known):
        raise OperatorError("referee-place", path=path, place=strange[0], known=", ".join(sorted(known)))
    if not found and referee.result == "brutaltester":
        return
    all_named = {place_of(at) for at in range(1, most + 1)} <= found and fewest == most
    if PLAYERS not in referee.command and not all_named:
        raise OperatorError("referee-place-missing", path=path, first=place_of(1), last=place_of(most))


def _digest(referee: ExternalReferee) -> str:
    """SHA-256 over what the file says and the content of the files that its command and `files` name.

    Of a folder only the name counts.
    """
    whole = hashlib.sha256(msgspec.json.encode(referee.stored))
    for name in (*referee.command, *referee.files):
        place = os.path.join(referee.home, os.path.expanduser(name))
        try:
            if not stat.S_ISREG(os.stat(place).st_mode):
                continue
            with open(place, "rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except (OSError, ValueError):
            continue
    return whole.hexdigest()
