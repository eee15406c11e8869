"""Where the matches of a bot are: replays in files and folders, or a contest's store; each is read when asked for.

Most of what is said of a bot compares it with others, so their matches are read too, as many again as the bot's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import some_of
from dohyo.core.replay import Header, Replay
from dohyo.core.spelling import closest
from dohyo.match.replays.places import is_store, replay_files

if TYPE_CHECKING:
    from dohyo.core.contest import Result
    from dohyo.series.store import Store

MAX_REPLAY = 1 << 26  # bytes; a larger one is not read for this


class Match(msgspec.Struct, frozen=True):
    """One match: its number among all, what it is called, who sat where, and how its replay is read.

    `file` names its replay as a word of a command; `save` is the command that writes it there first, if it lies in a
    store. `number` is its number in the store, or its place among the files.
    """

    number: int
    label: str
    names: tuple[str, ...]
    file: str
    save: str
    read: Callable[[], Replay]


class Gathered(msgspec.Struct):
    """The matches that are looked at: the bot's own and others', and how many of what was there could not be."""

    game: Game
    bot: str
    own: list[Match]
    others: list[Match]
    left_out: int = 0
    more: int = 0  # matches of the bot that were not read, since there are so many
    store: Any = None  # the open store, if they are in one

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()


def gathered(words: Sequence[str], bot: str, most: int, name: str | None = None) -> Gathered:
    """The last matches of a bot, at most so many, in a store or in files and folders of replays.

    Raises `OperatorError` where there are none, or for a word that is neither.
    """
    stores = [word for word in words if is_store(word)]
    if stores and len(words) > 1:
        raise OperatorError("coach-one-store", store=stores[0])
    if stores:
        return _of_store(stores[0], bot, most, name)
    if name is not None:
        raise OperatorError("coach-name-of-store", name=name)
    return _of_files(words, bot, most)


def unknown(bot: str, names: Sequence[str]) -> OperatorError:
    """The error for a bot that took part in nothing."""
    near = closest(bot, names)
    told = sorted(names, key=lambda one: (one != near, not one.startswith(bot), one))  # likeliest first
    return OperatorError("coach-no-bot", bot=bot, known=some_of([clean.line(one) for one in told]))


# --- files


def _of_files(words: Sequence[str], bot: str, most: int) -> Gathered:
    files = replay_files(words)
    if not files:
        raise OperatorError("coach-no-replays", place=words[0])
    heads: list[tuple[str, Header]] = []
    marks: set[bytes] = set()
    left_out = 0
    for path in files:
        if (head := _head(path)) is None:
            left_out += 1
        elif head.mark not in marks:  # a copy is no other match
            marks.add(head.mark)
            heads.append((path, head.header))
    if not heads:
        raise OperatorError("coach-no-replays", place=words[0])
    own = [path for path, head in heads if any(seat.name == bot for seat in head.seats)]
    if not own:
        raise unknown(bot, [*{seat.name for _, head in heads for seat in head.seats}])
    all_own = {*own}
    game = _game_of({head.game for path, head in heads if path in all_own})
    known = [(path, head) for path, head in heads if head.game == game.name]
    mine = {*own[-most:]}
    others = [path for path, _ in known if path not in all_own][-most:]
    made = {
        path: Match(at, path, tuple(seat.name for seat in head.seats), path, "", _reader(path))
        for at, (path, head) in enumerate(known)
    }
    left_out += len(heads) - len(known)
    return Gathered(
        game,
        bot,
        [made[one] for one in own if one in mine],
        [made[one] for one in others],
        left_out,
        len(own) - len(mine),
    )


class _Head(NamedTuple):
    """The header of a replay, and what tells its match from others: copies have the same, packed or not."""

    header: Header
    mark: bytes


def _head(path: str) -> _Head | None:
    """The head of a replay that is whole; none if a file is none."""
    try:
        replay = _reader(path)()
    except OperatorError:
        return None
    encoder, mark = msgspec.json.Encoder(), blake2b(digest_size=16)
    for part in (replay.header, *replay.turns, replay.result, replay.cpu):  # all of it: a claim must not hide a match
        mark.update(encoder.encode(part))
    return _Head(replay.header, mark.digest())


def _reader(path: str) -> Callable[[], Replay]:
    def read() -> Replay:
        from dohyo.match.replays import replays

        return replays.find(path)

    return read


def _game_of(names: set[str]) -> Game:
    """The game of this name. Raises `OperatorError` where the matches are of several."""
    from dohyo.match import own_games

    if len(names) > 1:
        raise OperatorError("coach-several-games", games=", ".join(sorted(names)))
    return own_games.find(next(iter(names)))


# --- a store


def _of_store(word: str, bot: str, most: int, name: str | None) -> Gathered:
    from dohyo.series.store import open_store

    store = open_store(word)
    try:
        return _within(store, word, bot, most, name)
    except BaseException:
        store.close()
        raise


def _within(store: Store, word: str, bot: str, most: int, name: str | None) -> Gathered:
    """The matches of a store that is open."""
    from dohyo.cli.contest_looks import kept_replay
    from dohyo.series.session import look

    view = look(store, name, results=False)
    if view.game.referee is not None:
        raise OperatorError("coach-refereed", game=view.game.name)
    names = {each.number: each.name for each in view.entrants}
    mine = [number for number, each in names.items() if each == bot]
    if not mine:
        raise unknown(bot, [*{*names.values()}])
    contest = view.contest
    own = [one for one in store.last_played(contest.id, most, mine) if one.replay is not None]
    if not own:
        raise OperatorError("coach-no-matches", bot=bot, store=store.shown)
    seen = {one.fixture.number for one in own}
    recent = store.last_played(contest.id, 2 * most + len(own))
    others = [one for one in recent if not {*one.fixture.seats} & {*mine} and one.replay is not None]
    more = max(0, len(store.played_by(contest.id, mine)) - len(seen))

    def match(one: Result) -> Match:
        number, digest = one.fixture.number, one.replay or ""
        seats = tuple(names[each] for each in one.fixture.seats)
        kept = kept_replay(word, number, name, None)
        return Match(number, str(number), seats, kept.word, kept.save, _stored(store, digest, seats))

    return Gathered(view.game, bot, [*map(match, own)], [*map(match, others[-most:])], 0, more, store)


def _stored(store: Store, digest: str, seats: Sequence[str]) -> Callable[[], Replay]:
    def read() -> Replay:
        from dohyo.core.replay_format import decode
        from dohyo.series.renaming import under_names

        return under_names(decode(store.files.get(digest, MAX_REPLAY)), seats)

    return read


def all_of(found: Gathered) -> Iterator[Match]:
    """The bot's own matches, then the others'."""
    return chain(found.own, found.others)
