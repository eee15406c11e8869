"""A recorded match as columns of numbers, for the compiled loop."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import DIGEST, Header, Move, Replay, Result
from dohyo.data.scanning import MAX_NUMBER, ScannedReplay, numbers
from dohyo.data.wish import Wish, is_own

MAX_KNOWN = 1 << 16  # texts of actions that are kept with their numbers: strangers may write one action in many ways
MAX_BEGINNINGS, LONGEST_SETUP = 1 << 10, 1 << 12  # setups that are kept with their first states; bytes of one as JSON

NUMBER, DICE, MOVES, DIGESTS = map(attrgetter, ("turn", "dice", "moves", "digest"))
SEAT, ACTION, FAULTS, SECONDS = map(attrgetter, ("seat", "action", "faults", "seconds"))


class Beginning(NamedTuple):
    """How matches of a setup, between so many, begin."""

    setup: Mapping[str, Any]
    start: bytes  # the packed state
    is_usual: bool  # whether the loop may try them
    own: int = 0  # bytes of the setup as JSON, until another match shares it


class Columns(NamedTuple):
    """A match: what it begins with, and its turns and moves one after the other, as bytes that NumPy can join.

    Most matches are short: an array of NumPy's for each column takes longer than all that is done with it.
    """

    beginning: Beginning
    seed: int
    first: int  # the number of the first turn
    players: int
    result: Result  # without last words
    digests: bytes  # 4 a turn
    dice_counts: bytes  # 2 a turn, in the machine's order
    dice: array[int]
    move_counts: bytes  # a turn each
    movers: bytes  # a move each
    actions: array[int]
    kept: bytes  # 1 for each move that is a decision, if its seat is wanted
    seats: frozenset[int]  # that are wanted
    rows: int  # at most so many decisions are wanted

    @property
    def is_usual(self) -> bool:
        """Whether the loop may try it."""
        return self.beginning.is_usual

    @property
    def parts(self) -> int:
        """What it takes in memory beside its moves: turns, dice, and bytes of a setup of its own."""
        return len(self.move_counts) + len(self.dice) + self.beginning.own


class Reader:
    """Makes columns of a game's replays."""

    def __init__(self, game: Game, wish: Wish) -> None:
        self._game, self._wish = game, wish
        self._known: dict[str, int] = {}
        self._beginnings: dict[tuple[bytes, int], Beginning] = {}

    def columns(self, replay: Replay | ScannedReplay, seats: frozenset[int] | None = None) -> Columns:
        """The columns of a replay; only of these seats, if they are named, decisions are wanted.

        Raises `OperatorError` where it can be no match of this game, or what `OUT_OF_THE_RULES` lists.
        """
        return self._told(replay, seats) if isinstance(replay, ScannedReplay) else self._read(replay, seats)

    def _told(self, told: ScannedReplay, seats: frozenset[int] | None) -> Columns:
        header, moves = told.header, len(told.movers)
        beginning, players = self._beginning(Replay(header, [], told.result)), len(header.seats)
        chosen = self._chosen(header, told.result, seats)
        is_all = self._wish.faulty or 0 not in told.kept
        return Columns(
            beginning,
            header.seed,
            header.first,
            players,
            _without_last_words(told.result),
            told.digests,
            told.dice_counts,
            numbers(told.dice),
            told.move_counts,
            told.movers,
            numbers(told.actions),
            b"\1" * moves if is_all else told.kept,
            chosen,
            moves if len(chosen) == players else sum(map(chosen.__contains__, told.movers)),
        )

    def _chosen(self, header: Header, result: Result, seats: frozenset[int] | None) -> frozenset[int]:
        chosen = frozenset(self._wish.seats_of(header, result))
        return chosen if seats is None else chosen & seats

    def _read(self, replay: Replay, seats: frozenset[int] | None) -> Columns:
        header, turns, result = replay.header, replay.turns, replay.result
        beginning, players = self._beginning(replay), len(header.seats)
        if list(map(NUMBER, turns)) != list(range(header.first, header.first + len(turns))):
            raise ReplayError("replay-malformed", error="turn")
        dice, parts = list(map(DICE, turns)), list(map(MOVES, turns))
        moves = list(chain.from_iterable(parts))
        movers = _seats(list(map(SEAT, moves)), players)
        chosen = self._chosen(header, result, seats)
        is_all = self._wish.faulty or not (any(map(FAULTS, moves)) or None in map(SECONDS, moves))
        has_dice = any(dice)
        return Columns(
            beginning,
            header.seed,
            header.first,
            players,
            _without_last_words(result),
            _digests(list(map(DIGESTS, turns))),
            array("H", list(map(len, dice))).tobytes() if has_dice else bytes(2 * len(dice)),
            array("q", list(chain.from_iterable(dice)) if has_dice else ()),
            bytes(map(len, parts)),
            movers,
            self._numbers(moves),
            b"\1" * len(moves) if is_all else bytes(map(is_own, moves)),
            chosen,
            len(moves) if len(chosen) == players else sum(map(chosen.__contains__, movers)),
        )

    def _beginning(self, replay: Replay) -> Beginning:
        """How the match begins; worked out once for a setup. Raises what `columns` raises."""
        header = replay.header
        playback.check_frame(self._game, replay)
        if header.start is not None:
            return self._begun(replay, len(msgspec.json.encode(header.setup)))
        key = msgspec.json.encode(header.setup), len(header.seats)
        found = self._beginnings.get(key)
        if found is None:
            found = self._begun(replay, len(key[0]))
            if len(self._beginnings) >= MAX_BEGINNINGS:
                self._beginnings.clear()
            if len(key[0]) <= LONGEST_SETUP:
                self._beginnings[key] = found._replace(own=0)
        return found

    def _begun(self, replay: Replay, own: int) -> Beginning:
        header = replay.header
        start = self._game.rules.LAYOUT.pack(playback.beginning(self._game, replay))
        is_usual = header.start is None and self._game.adjudicator(header.setup) is None
        return Beginning(header.setup, start, is_usual, own)

    def _numbers(self, moves: Sequence[Move]) -> array[int]:
        """The actions of these moves. Raises `ReplayError` for one that is none."""
        with suppress(KeyError):
            return array("q", list(map(self._known.__getitem__, map(ACTION, moves))))
        texts, known = list(map(ACTION, moves)), self._known
        new = set(texts).difference(known)
        if len(known) + len(new) > MAX_KNOWN:
            known.clear()
            new = set(texts)
        for text in new:
            action = self._game.protocol.read(text)
            if action is None or not -MAX_NUMBER <= action < MAX_NUMBER:
                raise ReplayError("replay-malformed", error="action")
            known[text] = action
        return array("q", [known[text] for text in texts])


def _without_last_words(result: Result) -> Result:
    return msgspec.structs.replace(result, last=()) if result.last else result


def _seats(movers: list[int], players: int) -> bytes:
    """Seats as bytes. Raises `ReplayError` where one is none."""
    if movers and not (min(movers) >= 0 and max(movers) < players):
        raise ReplayError("replay-malformed", error="seat")
    return bytes(movers)


def _digests(texts: list[str]) -> bytes:
    """Digests as bytes. Raises `ReplayError` for what is none."""
    whole = "".join(texts)
    with suppress(ValueError):
        found = bytes.fromhex(whole)
        if found.hex() == whole and {DIGEST}.issuperset(map(len, texts)):
            return found
    raise ReplayError("replay-malformed", error="digest")
