"""From sources to decisions: replays are read, those that can be used are played again, some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Unpack

import numpy

from dohyo import clean
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game
from dohyo.core.options import some_of
from dohyo.core.playback import OUT_OF_THE_RULES
from dohyo.core.replay import Replay
from dohyo.data.again import Again, Arrays, Match
from dohyo.data.decisions import Decisions, Episodes, LeftOut, joined
from dohyo.data.reading import Scan, replays
from dohyo.data.scanning import ScannedReplay
from dohyo.data.sources import Found, Source, found
from dohyo.data.wish import Asked, Wish, wish
from dohyo.match import own_games

AT_ONCE = 1 << 16  # decisions in arrays, unless the caller says otherwise
MOVES = 8  # others' moves for each of these that are kept meanwhile
PARTS = 16  # turns, dice and letters of setups for each of these that are kept meanwhile: strangers pack them well
MAX_LETTERS = 1 << 24  # of comments, where an adjudicator reads them
LARGEST = 1 << 30  # bytes that the arrays of one match may take
MAX_NAMED, LONGEST_NAME = 1000, 80  # bots that are noted for a sentence, and characters of each


def load(
    sources: Source | Iterable[Source],
    *,
    game: str | Game | None = None,
    contest: str | None = None,
    store: str | None = None,
    **asked: Unpack[Asked],
) -> Decisions:
    """All decisions of recorded matches as arrays; for more than fit into memory there is `chunks`.

    `sources` are one or more of: a replay, its file, a folder (those in it, `.replay` and `.replay.zst`), a store
    (`contest` names one of its contests), a Parquet file of `dohyo contest export`, whose rows say which seats of
    which matches of a `store` are meant. `game` is needed where replays are of several, and may be a game with an
    observation of one's own.

    `bots` (names) and `seats` (numbers from 0) say whose decisions are wanted, by default everybody's; with `winners`
    only those of seats that came first. What the rules answered in the place of a bot that had a fault is left out,
    unless `faulty` is set; and what is no action for a learner, such as giving up. `masks` False leaves out what was
    legal, `scaled` makes observations float32 within -1 .. 1. `reward` is "place", "score", "margin", a flat
    function or a `Reward`, `discount` what a reward is worth a decision later (1).

    A seat's observations are made of its own view. A match that was not finished has no returns, and is left out. So
    is a replay in a folder or a store that cannot be read, is of other rules, or does not follow from the rules:
    `left_out` says how many and why. One that was named by itself is an error then.

    Raises `OperatorError` for such, for a word that names nothing, and where no decision is left.
    """
    return joined(chunks(sources, game=game, contest=contest, store=store, **asked))


def chunks(
    sources: Source | Iterable[Source],
    *,
    size: int = AT_ONCE,
    game: str | Game | None = None,
    contest: str | None = None,
    store: str | None = None,
    **asked: Unpack[Asked],
) -> Iterator[Decisions]:
    """Decisions piece by piece, in bounded memory: of whole matches, until there are `size` decisions.

    All else is as for `load`, also what is raised; `left_out` of a piece says what was left out until then.
    """
    yield from part_of(0, 1, sources, size, game, contest, store, asked)


def part_of(
    part: int,
    parts: int,
    sources: Source | Iterable[Source],
    size: int,
    game: str | Game | None,
    contest: str | None,
    store: str | None,
    asked: Asked,
) -> Iterator[Decisions]:
    """What `chunks` gives, of one of so many parts of the replays: each is read for one part only.

    A part may be empty where another is not. What is raised is as if all were read; `sources` are read again then.
    """
    if size < 1:
        raise ValueError(f"size is a number of decisions, at least 1, not {size!r}")
    reading = _Reading(wish(**asked), game, size)
    if parts > 1:
        reading.settle(found(sources, contest, store))
    yield from reading.pieces(islice(found(sources, contest, store), part, None, parts))
    if reading.made:
        return
    others = (one for at, one in enumerate(found(sources, contest, store)) if at % parts != part)
    if parts == 1 or not any(True for _ in reading.pieces(others)):
        raise reading.nothing()


class _Reading:
    """What was read so far of some sources."""

    def __init__(self, asked: Wish, game: str | Game | None, size: int) -> None:
        self._wish, self._size = asked, size
        self._game = own_games.find(game) if isinstance(game, str) else game
        self._is_given = game is not None
        self._again = None if self._game is None else Again(self._game, asked)
        self._left_out: dict[str, LeftOut] = {}
        self._names: dict[str, None] = {}  # bots that were met
        self._count = 0
        self.made = 0  # decisions

    def settle(self, every: Iterable[Found]) -> None:
        """Take the game of the first replay that can be read, unless one was named: the same for each part."""
        for _, replay in replays(every):
            if self._game is not None:
                return
            if isinstance(replay, Replay):
                with suppress(OperatorError):
                    self._game_of(replay)

    def pieces(self, every: Iterable[Found]) -> Iterator[Decisions]:
        """The decisions of all that is found, some at a time. Raises what `load` raises, but not `nothing`."""
        for matches in self._groups(every):
            piece = self._made(matches)
            self.made += len(piece)
            if len(piece):
                yield piece

    def _groups(self, every: Iterable[Found]) -> Iterator[list[Match]]:
        """Matches in which somebody decides, as many at a time as there is room for."""
        waiting: list[Match] = []
        rows = moves = parts = letters = 0
        for one, replay in replays(every, self._scan_of):
            self._count += 1
            match = self._match(one, replay)
            del replay  # it may be large, and so may the next one
            if match is None or not match.columns.rows:
                continue
            waiting.append(match)
            rows += match.columns.rows
            moves += len(match.columns.movers)
            parts += match.columns.parts
            if match.replay is not None:
                letters += sum(len(move.comments) for turn in match.replay.turns for move in turn.moves)
            is_much = moves >= MOVES * self._size or parts >= PARTS * self._size or letters >= MAX_LETTERS
            if rows >= self._size or is_much:
                yield waiting
                waiting, rows, moves, parts, letters = [], 0, 0, 0, 0
        if waiting:
            yield waiting

    def _scan_of(self, replays: int) -> Scan | None:
        return None if self._again is None else self._again.scan_of(replays)

    def _match(self, one: Found, replay: Replay | ScannedReplay | OperatorError) -> Match | None:
        """A match; none if it is left out. Raises `OperatorError` if it was named by itself."""
        try:
            if isinstance(replay, OperatorError):
                raise replay
            game = self._game_of(replay)
        except OperatorError as error:
            self._leave_out(one, error)
            return None
        if self._again is None:
            self._again = Again(game, self._wish)  # what it raises is no fault of this replay
        try:
            if replay.result.unfinished:
                raise ReplayError("data-unfinished")
            match = self._again.match(one, replay)
            self._check_size(self._again, match.columns.rows)
        except OUT_OF_THE_RULES as error:
            self._leave_out(one, ReplayError("replay-malformed", error=clean.line(str(error))[:200]))
            return None
        except OperatorError as error:
            self._leave_out(one, error)
            return None
        self._note(replay)
        return match

    def _game_of(self, replay: Replay | ScannedReplay) -> Game:
        """The game that this is about. Raises `OperatorError` for a replay of another one."""
        name = replay.header.game
        if self._game is None:
            self._game = own_games.find(name)
        if name != self._game.name:
            if not self._is_given:
                names = clean.line(f"{self._game.name}, {name}")
                raise SeveralGamesError("data-several-games", games=names, first=self._game.name)
            raise OperatorError("data-other-game", game=clean.line(name))
        return self._game

    def _check_size(self, again: Again, rows: int) -> None:
        if rows * again.bytes_a_row > LARGEST:
            raise OperatorError("data-too-long", rows=rows, most=LARGEST >> 20)

    def _note(self, replay: Replay | ScannedReplay) -> None:
        for seat in replay.header.seats:
            if len(self._names) < MAX_NAMED and seat.name not in self._names:
                self._names.setdefault(clean.line(seat.name, LONGEST_NAME))

    def _leave_out(self, one: Found, error: OperatorError) -> None:
        """Count a replay that cannot be used. Raises the error where that is not the caller's to be spared."""
        if one.named or isinstance(error, SeveralGamesError):
            raise error
        before = self._left_out.get(error.key)
        told = (
            LeftOut(1, clean.line(one.label), str(error))
            if before is None
            else before._replace(replays=before.replays + 1)
        )
        self._left_out[error.key] = told

    def _made(self, matches: Sequence[Match]) -> Decisions:
        """The decisions of these matches."""
        assert self._again is not None
        made = self._again.arrays(matches)
        for at, error in made.failed.items():
            self._leave_out(matches[at].found, error)
        labels = tuple(clean.line(match.found.label) for match in matches)
        return _decisions(self._again, made, labels, dict(self._left_out))

    def nothing(self) -> OperatorError:
        """Why there is not a single decision."""
        if self._names and not (
            self._left_out and self._count == sum(one.replays for one in self._left_out.values())
        ):
            known = some_of(list(self._names))
            return OperatorError("data-nothing", count=self._count, known=known)
        first = next(iter(self._left_out.values()), LeftOut(0, "", ""))
        if not first.label:
            return OperatorError("data-no-sources")
        return OperatorError("data-unread", count=self._count, label=first.label, reason=first.reason)


class SeveralGamesError(OperatorError):
    """Replays are of several games, and the caller has not said which one is meant."""


def _decisions(again: Again, made: Arrays, labels: tuple[str, ...], left_out: Mapping[str, LeftOut]) -> Decisions:
    """What the caller gets of arrays."""
    lengths = numpy.diff(made.start)
    last = made.start[1:] - 1
    discount, promised = again.wish.reward.discount, made.promised
    rewards = -promised
    rewards[:-1] += discount * promised[1:]
    rewards[last] = made.payoff - promised[last]
    left = numpy.repeat(last, lengths) - numpy.arange(len(promised))
    returns = discount**left * numpy.repeat(made.payoff, lengths) - promised
    return Decisions(
        again.game,
        made.seen,
        made.actions,
        made.masks,
        returns.astype(numpy.float32),
        rewards.astype(numpy.float32),
        made.turns,
        Episodes(made.start, made.match, made.seat, made.payoff, made.finals),
        labels,
        left_out,
    )
