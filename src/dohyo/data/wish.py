"""What is wanted of recorded matches: whose decisions, which arrays, and what a match was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import msgspec

from dohyo.core.faults import FaultKind
from dohyo.core.replay import Header, Move, Result
from dohyo.core.rewards import PLACE, Payoff, Reward

MISREAD = (FaultKind.MALFORMED, FaultKind.ILLEGAL)  # faults of a reply that came: the rules answered for it


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """Whose decisions become rows of arrays, and of which arrays; see `dohyo.data.load`."""

    bots: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    winners: bool = False
    faulty: bool = False
    masks: bool = True
    scaled: bool = False
    reward: Reward = Reward()

    def seats_of(self, header: Header, result: Result) -> set[int]:
        """The seats of a match whose decisions are wanted."""
        if not self.bots and not self.seats and not self.winners:
            return set(range(len(header.seats)))
        return {
            seat
            for seat, bot in enumerate(header.seats)
            if (not self.bots or bot.name in self.bots)
            and (not self.seats or seat in self.seats)
            and (not self.winners or (seat < len(result.places) and result.places[seat] == 1))
        }


class Asked(TypedDict, total=False):
    """A `Wish` as callers of `dohyo.data.load` say it."""

    bots: str | Sequence[str]
    seats: int | Sequence[int]
    winners: bool
    faulty: bool
    masks: bool
    scaled: bool
    reward: Payoff
    discount: float


def wish(
    bots: str | Sequence[str] = (),
    seats: int | Sequence[int] = (),
    winners: bool = False,
    faulty: bool = False,
    masks: bool = True,
    scaled: bool = False,
    reward: Payoff = PLACE,
    discount: float | None = None,
) -> Wish:
    """What a caller asks for, as one value."""
    worth = reward if isinstance(reward, Reward) else Reward(reward)
    if discount is not None:
        worth = msgspec.structs.replace(worth, discount=discount)
    return Wish(
        bots=(bots,) if isinstance(bots, str) else tuple(bots),
        seats=(seats,) if isinstance(seats, int) else tuple(seats),
        winners=bool(winners),
        faulty=bool(faulty),
        masks=bool(masks),
        scaled=bool(scaled),
        reward=worth,
    )


def is_own(move: Move) -> bool:
    """Whether the bot itself chose the recorded action: it was asked, and its reply was carried out."""
    if not move.faults:  # as nearly always
        return move.seconds is not None
    return move.reply is not None and all(fault.kind not in MISREAD for fault in move.faults)
