"""Where the matches are in which puzzles are looked for: stores, replays, folders of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.match.replays.places import is_store, replay_files
from dohyo.series.store import Store, open_store

LABEL = 200  # characters of a match's name in a file of puzzles
MAX_REPLAY = 1 << 26  # bytes; a larger one is not read for this


class Match(msgspec.Struct, frozen=True):
    """One match: by what it is known again, what it is called, and how its replay is read."""

    key: str
    label: str
    read: Callable[[], Replay]


class Matches(msgspec.Struct):
    """All matches, those of the last words last, and the stores that are open for them."""

    matches: list[Match] = []
    stores: list[Store] = []

    def close(self) -> None:
        """Close the stores."""
        for store in self.stores:
            store.close()


def gathered(words: Sequence[str], game: str | None) -> Matches:
    """The matches that words name, of a game if it is given, as far as that is known before they are read.

    Raises `OperatorError` where there are none.
    """
    found = Matches([], [])
    try:
        if len(words) == 1:
            _check_alone(words[0])
        for word in words:
            if is_store(word):
                store = open_store(word)
                found.stores.append(store)
                found.matches += _of_store(store, word, game)
            else:
                found.matches += [
                    Match(_key(path), clean.line(path, LABEL), _reader(path)) for path in replay_files([word])
                ]
        if not found.matches:
            raise OperatorError("puzzles-no-matches", place=clean.line(words[0]))
    except BaseException:
        found.close()
        raise
    return found


def _check_alone(word: str) -> None:
    """Raise `OperatorError` for the only word if it is a file, and neither a store nor a replay.

    Among many files one that is none is told at the end, and does no harm.
    """
    if os.path.isdir(word) or is_store(word):
        return
    try:
        _reader(word)()
    except ReplayError as error:
        raise OperatorError("puzzles-no-matches", place=clean.line(word)) from error


def _key(path: str) -> str:
    """A path, or what stands for one that is too long, or no text: two matches never have the same."""
    if len(path) <= LABEL and clean.storable(path) == path:
        return path
    return f"sha256:{hashlib.sha256(os.fsencode(path)).hexdigest()}"


def _reader(path: str) -> Callable[[], Replay]:
    def read() -> Replay:
        from dohyo.match.replays import replays

        return replays.find(path)

    return read


def _of_store(store: Store, word: str, game: str | None) -> Iterator[Match]:
    """The matches of all contests of a store that have a replay, the newest of each first."""
    for contest in store.contests():
        if game is not None and contest.game != game:
            continue
        with closing(store.played(contest.id)) as played:  # type: ignore[type-var]
            known = [(one.fixture.number, one.replay) for one in played if one.replay is not None]
        for number, digest in reversed(known):
            yield Match(
                f"{contest.game}:{digest}", clean.line(f"{contest.name} {number}", LABEL), _stored(store, digest)
            )


def _stored(store: Store, digest: str) -> Callable[[], Replay]:
    def read() -> Replay:
        return decode(store.files.get(digest, MAX_REPLAY))

    return read


def read(match: Match) -> Replay | None:
    """The replay of a match; none of one that is no replay, is not there any more, or was not finished."""
    try:
        replay = match.read()
    except (OperatorError, ReplayError, OSError):
        return None
    return replay if replay.turns and not replay.result.unfinished else None
