"""The last match of `dohyo play`, kept for the word `last`, which may stand wherever a replay is named.

Each folder in which somebody types has its own: what is played in another one, in another terminal, changes nothing.
Whoever loads it is told which match it is.

A match that goes on from a replay (`--from`) is kept apart, for the word `last-from`: so `last@31` means the same
match each time, however often one goes on from it.

Each is the file with the highest number in a private folder of the cache, below one of the word's; a few before it
stay for those who read one just now. None is written over: some file systems write to the disk then before they go
on, and that takes as long as a match. Where there are many folders, those in which nothing was played for long go. Of
two matches that end at once one or the other is the last. A file has the lines of a replay without their checksum,
which is made when somebody reads it, and before them what was typed. `DOHYO_LAST=0` in the environment turns it off.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from dohyo import clean
from dohyo.bots import cache
from dohyo.bots.typed_words import Named
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, HandIn
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import FORMAT, Replay
from dohyo.system import cache_mark

WORD = "last"
WORD_FROM = "last-from"  # the last match that went on from a replay
VARIABLE = "DOHYO_LAST"
FOLDERS = {word: word for word in (WORD, WORD_FROM)}  # in the cache, by word
MAX_FILES = 4
MAX_FOLDERS = 100  # in which somebody typed, by word
MAX_BYTES = 1 << 24  # of a match that is kept: more takes longer to write than somebody who plays should wait
OLD = 3600  # seconds after which nobody writes a file any more
AT_ONCE = 256  # turns that are written at once


class Typed(msgspec.Struct, frozen=True):
    """What was typed for each seat, and in which folder.

    `bots` is what that meant for the bot alone, without its name: a hand-in, where there was one of this name then,
    or the operator's word.
    """

    words: tuple[str, ...]
    folder: str
    bots: tuple[HandIn | str, ...] = ()


def is_meant(word: str) -> bool:
    """Whether a word for a replay means a last match: also where a file, perhaps a stranger's, is called so."""
    return word in FOLDERS


def word_for(replay: Replay) -> str:
    """The word that means this match once it is kept."""
    return WORD if replay.header.start is None else WORD_FROM


def keep(replay: Replay, words: Sequence[str | Named | BotSpec]) -> str:
    """Keep a match, and what was typed for its bots; the word that means it, empty if it is not kept.

    If it cannot be, no earlier one is either: it would be taken for this one.
    """
    if _is_off():
        return ""
    word = word_for(replay)
    try:
        place = _place(word)
        if not place.exists():
            cache_mark.mark(cache.location())
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            place.mkdir(exist_ok=True, mode=0o700)
            if cache_mark.is_marked(cache.location()):  # in a folder of somebody's own it may be theirs
                _forget(place.parent)
        known = _kept(place)
    except (OSError, OperatorError):
        return ""
    try:
        _write(
            place,
            _pieces(replay, _typed(words)),
            known[-1][0] + 1 if known else 1,
        )
        is_kept, old = True, known[: 1 - MAX_FILES]
    except (OSError, ValueError):  # a folder whose name is no text is a ValueError
        is_kept, old = False, known
    for name in (*(name for _, name in old), *_left(place)):
        with suppress(OSError):  # another match may be faster
            os.unlink(place / name)
    return word if is_kept else ""


def _typed(words: Sequence[str | Named | BotSpec]) -> Typed:
    """What was typed, as far as it can be written down: what cannot names nothing that is there."""
    meant = [one if isinstance(one, Named) else Named("", one) for one in words]
    texts = tuple(clean.storable(f"{one.name}={one.text}" if one.name else one.text) for one in meant)
    bots = (
        HandIn(clean.storable(one.bot.path)) if isinstance(one.bot, HandIn) else clean.storable(one.text)
        for one in meant
    )
    return Typed(texts, os.getcwd(), tuple(bots))


def load(word: str = WORD) -> tuple[Replay, Typed]:
    """The last match that a word means here, and what was typed for it; the operator is told which one it is.

    Raises `OperatorError` if none is kept.
    """
    from dohyo.core.replay_format import decode, with_checksum
    from dohyo.match.files import read_bounded
    from dohyo.match.own_games import take

    if _is_off():
        raise OperatorError("last-none", word=word)
    try:
        place = _place(word)
        file = place / _kept(place)[-1][1]
        content = read_bounded(file, MAX_BYTES + 1)
        when = time.localtime(file.stat().st_mtime)
        head, _, lines = content.partition(b"\n")
        found = decode(with_checksum(lines)), msgspec.json.decode(head, type=Typed)
    except (OSError, IndexError, OperatorError, ReplayError, msgspec.MsgspecError) as error:
        raise OperatorError("last-none", word=word) from error
    header = found[0].header
    bots = clean.line(", ".join(seat.name for seat in header.seats))
    told = {"game": header.game, "bots": bots, "seed": header.seed, "turns": found[0].played}
    take(header.game)  # it was played in this folder
    notices.tell("last-is", word=word, **told, when=time.strftime("%Y-%m-%d %H:%M", when))
    return found


def _is_off() -> bool:
    return os.environ.get(VARIABLE) == "0"


def _place(word: str) -> Path:
    """The folder for the matches that were played from the current folder."""
    here = hashlib.sha256(os.fsencode(os.path.realpath(os.getcwd()))).hexdigest()[:32]
    return cache.location() / FOLDERS[word] / here


def _forget(place: Path) -> None:
    """Remove what was kept for the folders that were used longest ago, and files of no folder, of older versions."""
    with os.scandir(place) as entries:
        found = sorted((one.stat(follow_symlinks=False).st_mtime, one.path, one.is_dir()) for one in entries)
    folders = [path for _, path, is_folder in found if is_folder]
    for path in [path for _, path, is_folder in found if not is_folder]:
        with suppress(OSError):
            os.unlink(path)
    for path in folders[:-MAX_FOLDERS]:
        shutil.rmtree(path, ignore_errors=True)


def _kept(place: Path) -> list[tuple[int, str]]:
    """The files of the folder with their numbers, the last one last.

    Raises `OSError` if the folder is not ours alone: others could read what bots wrote, or say what `last` is.
    """
    found = os.lstat(place)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError
    numbered = ((name.partition("-")[0], name) for name in os.listdir(place))
    return sorted((int(number), name) for number, name in numbered if number.isascii() and number.isdecimal())


def _left(place: Path) -> list[str]:
    """The files that a process was ended over while it wrote them: the unfinished ones that are old."""
    before = time.time() - OLD
    with suppress(OSError), os.scandir(place) as entries:
        return [one.name for one in entries if one.name.startswith(".") and one.stat().st_mtime < before]
    return []


def _pieces(replay: Replay, typed: Typed) -> Iterator[bytes]:
    """The file, piece by piece."""
    encoder = msgspec.json.Encoder()
    yield encoder.encode_lines([typed, msgspec.structs.replace(replay.header, dohyo=replay.header.dohyo or FORMAT)])
    turns = iter(replay.turns)
    while some := list(islice(turns, AT_ONCE)):
        yield encoder.encode_lines(some)
    end: dict[str, Any] = {"result": replay.result, "cpu": replay.cpu, "disturbed": replay.disturbed}
    yield encoder.encode(end) + b"\n"


def _write(place: Path, pieces: Iterator[bytes], number: int) -> None:
    """Write the file under a name of its own, then rename it. Raises `OSError`, also for one that is too large."""
    own = os.urandom(8).hex()
    temporary = place / f".{own}"
    size = 0
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for piece in pieces:
                size += len(piece)
                if size > MAX_BYTES:
                    raise OSError
                file.write(piece)
        temporary.rename(place / f"{number}-{own}")
    finally:
        temporary.unlink(missing_ok=True)
