"""A referee's file (TOML), which says what program of others referees its game (docs/other-arenas.md)."""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.core.bounds import is_deeper, read_toml
from dohyo.core.errors import OperatorError
from dohyo.core.external_referee import MAX_PLAYERS, NAME
from dohyo.core.options import nearest
from dohyo.guests.arenas.match_contracts import CONTRACTS, Contract
from dohyo.guests.arenas.referees.terms import (
    LONGEST_WORD,
    MAX_SECONDS,
    MAX_WORDS,
    PLACE,
    PLAYERS,
    REPLAY_PATH,
    SEED,
    RefereeTerms,
    place_of,
)
from dohyo.match.files import read_bounded

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
Word = Annotated[str, Meta(min_length=1, max_length=LONGEST_WORD, pattern=r"^[^\x00]*\Z")]
Command = Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MAX_WORDS)]
Number = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]


class RefereeFile(msgspec.Struct, frozen=True):
    """What such a file says, key by key."""

    name: Annotated[str, Meta(pattern=NAME)]
    command: str
    result: Contract
    players: Number | Annotated[list[Number], Meta(min_length=2, max_length=2)]
    seconds: Annotated[float, Meta(gt=0, le=MAX_SECONDS)] = 60.0
    seed_bits: Annotated[int, Meta(ge=8, le=63)] = 63
    files: Annotated[tuple[Word, ...], Meta(max_length=MAX_WORDS)] = ()


def read(path: str | os.PathLike[str]) -> RefereeTerms:
    """What a referee's file says.

    Raises `OperatorError` if it cannot be read, lacks something, or says something that cannot be meant.
    """
    shown = os.fspath(path)
    table = _table(shown)
    for key in table:
        if key not in KEYS:
            close = nearest(key, KEYS)
            known = ", ".join(KEYS)
            raise OperatorError("referee-file-key", key=clean.line(key), path=shown, nearest=close, known=known)
    said = _said(table, shown)
    fewest, most = said.players if isinstance(said.players, list) else (said.players, said.players)
    if fewest > most:
        raise _wrong(table, "players")
    place = Path(path).absolute()
    for name in said.files:
        if not (place.parent / os.path.expanduser(name)).exists():
            raise OperatorError("cannot-read", path=clean.line(name), reason=os.strerror(2))
    referee = RefereeTerms(
        name=said.name,
        command=_command(table),
        result=said.result,
        players=(fewest, most),
        seconds=said.seconds,
        seed_bits=said.seed_bits,
        files=said.files,
        file=str(place),
    )
    _check_places(referee, shown)
    return msgspec.structs.replace(referee, digest=_digest(referee))


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


def _said(table: dict[str, Any], path: str) -> RefereeFile:
    """What the table says. Raises `OperatorError` for what is missing, and for a value that its key does not take."""
    found = {}
    for field in msgspec.structs.fields(RefereeFile):
        if field.name in table:
            try:
                found[field.name] = msgspec.convert(table[field.name], field.type)
            except msgspec.ValidationError as error:
                raise _wrong(table, field.name) from error
        elif field.required:
            raise OperatorError("referee-file-lacks", path=path, key=field.name, takes=KEYS[field.name])
    return RefereeFile(**found)


def _wrong(table: dict[str, Any], key: str) -> OperatorError:
    """The sentence for a value that a key does not take."""
    try:
        value = str(table[key])
    except ValueError:  # a number of thousands of digits
        value = "..."
    return OperatorError("referee-value", key=key, value=clean.line(value, LONGEST_SHOWN), takes=KEYS[key])


def _command(table: dict[str, Any]) -> tuple[str, ...]:
    """The words of the command."""
    try:
        return msgspec.convert(shlex.split(table["command"]), Command)
    except ValueError as error:  # quotes that do not close; too many words, or too long ones
        raise _wrong(table, "command") from error


def _check_places(referee: RefereeTerms, path: str) -> None:
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


def _digest(referee: RefereeTerms) -> str:
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
