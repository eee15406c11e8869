"""A recorded match as columns of numbers, for the compiled loop."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import DIGEST, Replay
from dohyo.data.wish import Wish, is_own

MAX_KNOWN = 1 << 16  # texts of actions that are kept with their numbers: strangers may write one action in many ways

MAX_NUMBER = 1 << 63  # of what an array of int64 holds


class Columns(NamedTuple):
    """A match: what it begins with, and its turns and moves one after the other."""

    start: bytes  # the packed state
    is_usual: bool  # whether the loop may try it
    digests: Any  # (turns,) int64
    dice_counts: Any  # (turns,)
    dice: list[int]
    move_counts: Any  # (turns,)
    movers: Any  # (moves,)
    actions: Any  # (moves,)
    wanted: Any  # (moves,) bool


class Reader:
    """Makes columns of a game's replays."""

    def __init__(self, game: Game, wish: Wish) -> None:
        self._game, self._wish = game, wish
        self._known: dict[str, int] = {}

    def columns(self, replay: Replay, seats: frozenset[int] | None = None) -> Columns:
        """The columns of a replay; only of these seats, if they are named, decisions are wanted.

        Raises `OperatorError` where it can be no match of this game, or what `OUT_OF_THE_RULES` lists.
        """
        header, turns = replay.header, replay.turns
        start = self._game.rules.LAYOUT.pack(playback.beginning(self._game, replay))
        for number, turn in enumerate(turns, header.first):
            if turn.turn != number:
                raise ReplayError("replay-turn-missing", turn=number)
        moves = [move for turn in turns for move in turn.moves]
        movers = numpy.array([move.seat for move in moves], numpy.int64)
        if len(moves) and not (movers.min() >= 0 and movers.max() < len(header.seats)):
            raise ReplayError("replay-malformed", error="seat")
        actions = numpy.array(self._numbers([move.action for move in moves]), numpy.int64)
        chosen = self._wish.seats_of(header, replay.result)
        wanted = numpy.zeros(len(header.seats), bool)
        wanted[list(chosen if seats is None else chosen & seats)] = True
        wanted = wanted[movers] & (actions >= 0) & (actions < self._game.rules.ACTIONS)
        if not self._wish.faulty:
            wanted &= numpy.array([is_own(move) for move in moves], bool)
        usual = header.start is None and self._game.adjudicator(header.setup) is None
        return Columns(
            start,
            usual,
            _checksums([turn.digest for turn in turns]),
            numpy.array([len(turn.dice) for turn in turns], numpy.int64),
            list(chain.from_iterable(turn.dice for turn in turns)),
            numpy.array([len(turn.moves) for turn in turns], numpy.int64),
            movers,
            actions,
            wanted,
        )

    def _numbers(self, texts: list[str]) -> list[int]:
        """The actions of these texts. Raises `ReplayError` for one that is none."""
        known = self._known
        if new := set(texts).difference(known):
            if len(known) + len(new) > MAX_KNOWN:
                known.clear()
                new = set(texts)
            for text in new:
                action = self._game.protocol.read(text)
                if action is None or not -MAX_NUMBER <= action < MAX_NUMBER:
                    raise ReplayError("replay-malformed", error="action")
                known[text] = action
        return [known[text] for text in texts]


def _checksums(digests: list[str]) -> Any:
    """Digests as numbers. Raises `ReplayError` for what is none."""
    whole = "".join(digests)
    try:
        packed = bytes.fromhex(whole)
    except ValueError as error:
        raise ReplayError("replay-malformed", error="digest") from error
    if packed.hex() != whole or any(len(digest) != DIGEST for digest in digests):
        raise ReplayError("replay-malformed", error="digest")
    return numpy.frombuffer(packed, ">u4").astype(numpy.int64)
