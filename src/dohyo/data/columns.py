"""A recorded match as columns of numbers, for the compiled loop."""

from __future__ import annotations

import re
from typing import NamedTuple

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import DIGEST, Replay
from dohyo.data.wish import Wish, is_own

MAX_KNOWN = 1 << 16  # texts of actions that are kept with their numbers: strangers may write one action in many ways

HEX = re.compile("[0-9a-f]*")
MAX_NUMBER = 1 << 63  # of what an array of int64 holds


class Columns(NamedTuple):
    """A match: what it begins with, and its turns and moves one after the other.

    As lists: most matches are short, and an array for each takes longer than all that is done with it.
    """

    start: bytes  # the packed state
    is_usual: bool  # whether the loop may try it
    digests: str  # 8 hex digits a turn
    dice_counts: list[int]  # a turn each
    dice: list[int]
    move_counts: list[int]  # a turn each
    movers: list[int]  # a move each
    actions: list[int]
    kept: list[bool]  # whether this is a decision, if its seat is wanted
    seats: frozenset[int]  # that are wanted
    rows: int  # at most so many decisions are wanted


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
        if [turn.turn for turn in turns] != list(range(header.first, header.first + len(turns))):
            raise ReplayError("replay-malformed", error="turn")
        moves = [move for turn in turns for move in turn.moves]
        movers = [move.seat for move in moves]
        if moves and not (min(movers) >= 0 and max(movers) < len(header.seats)):
            raise ReplayError("replay-malformed", error="seat")
        chosen = self._wish.seats_of(header, replay.result)
        chosen = chosen if seats is None else chosen & seats
        kept = [True] * len(moves) if self._wish.faulty else list(map(is_own, moves))
        return Columns(
            start,
            header.start is None and self._game.adjudicator(header.setup) is None,
            _checked([turn.digest for turn in turns]),
            [len(turn.dice) for turn in turns],
            [number for turn in turns for number in turn.dice],
            [len(turn.moves) for turn in turns],
            movers,
            self._numbers([move.action for move in moves]),
            kept,
            frozenset(chosen),
            len(moves) if len(chosen) == len(header.seats) else sum(map(chosen.__contains__, movers)),
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


def _checked(digests: list[str]) -> str:
    """Digests as one text. Raises `ReplayError` for what is none."""
    whole = "".join(digests)
    if not {DIGEST}.issuperset(map(len, digests)) or not HEX.fullmatch(whole):
        raise ReplayError("replay-malformed", error="digest")
    return whole
