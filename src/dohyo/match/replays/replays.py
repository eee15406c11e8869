"""Replays as files: saved, loaded, verified. A file is compressed if its name ends in `.zst`."""

from __future__ import annotations

import os
from pathlib import Path

from dohyo.core import playback
from dohyo.core.replay import Replay
from dohyo.core.replay_format import LONGEST_HEADER, MAX_BYTES, begins, decode, encode
from dohyo.match import own_games
from dohyo.match.files import read_bounded, write_whole
from dohyo.match.replays import last


def save(replay: Replay, path: str | os.PathLike[str]) -> Path:
    """Write the replay to `path`, compressed when the name ends in `.zst`."""
    return write_whole(path, encode(replay, compressed=os.fspath(path).endswith(".zst")))


def load(path: str | os.PathLike[str]) -> Replay:
    """The replay in a file, compressed or not.

    Raises `OperatorError` if it cannot be read, and `ReplayError` if its content is not a complete replay.
    """
    return decode(read_bounded(path, MAX_BYTES + 1))


def find(word: str) -> Replay:
    """The replay that the operator names: a file, or `last` or `last-from` for a match that was played last.

    Raises `OperatorError` and `ReplayError` as `load` does.
    """
    return last.load(word)[0] if last.is_meant(word) else load(word)


def is_replay(path: str | os.PathLike[str]) -> bool:
    """Whether a file may be replaced by a replay: it begins as one, or is empty. Only its beginning is read."""
    start = read_bounded(path, LONGEST_HEADER)
    return not start or begins(start)


def verify(replay: Replay) -> int:
    """Play the recorded moves again and compare every turn; how many turns were compared.

    Raises `ReplayError` at the first difference.
    """
    return playback.verify(own_games.find(replay.header.game), replay)
