"""What else the dice may have dealt before the first turn, where a seat was told a part of that.

A whole deal that was rolled anew hardly ever shows a seat what it saw: a map, its own units. So numbers of the deal
are looked at one by one. One is hidden if it may be another one and the seat is told the same; those alone are drawn
anew. Nothing is said where that cannot be found out: no other value of a number may be possible alone, as in a deck
of cards, or the game may not say exactly which states are possible (`Game.possible`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random

from dohyo.core.game import Game, State
from dohyo.core.possible import why_impossible

SEED = 1
ROLLS = 200  # deals that are rolled for it
MIXES = 4  # times as many are made of them, whose numbers come from one or from several
TRIED = 12  # other values of a number, after which it is taken for told

Deal = tuple[int, ...]
_DEFAULTS = dict(zip(Game.__struct_fields__[::-1], Game.__struct_defaults__[::-1], strict=False))
NOT_SAID = _DEFAULTS["possible"]  # what a game has that says nothing of it


def redeals(
    game: Game, seats: int, start: State, dealt: Sequence[int], fits: Callable[[Deal], bool], until: float | None
) -> Iterator[Deal]:
    """Deals in which the numbers that the seat was not told are drawn anew; none where it is unknown which those are.

    `dealt` is the true one. `fits` says whether the seat may be told the same after a deal. `until` is a moment of
    `time.monotonic`, by which it must be known which numbers were told; none: no limit.
    """
    if game.possible is NOT_SAID or game.fields:  # ranges of fields do not say which numbers go together
        return
    truth = tuple(dealt)
    rolls = [roll for roll in rolls_of(game, start) if len(roll) == len(truth)]
    can_be = partial(can_be_dealt, game, seats, start)
    hidden: set[int] = set()
    for at in range(len(truth)):
        tried = _tried(truth, rolls, at, can_be)
        if tried is None or (until is not None and time.monotonic() >= until):
            return
        if any(fits(deal) for deal in tried):
            hidden.add(at)
    for apart in range(MIXES):
        for first in range(len(rolls)):
            deal = tuple(
                rolls[(first + apart * at) % len(rolls)][at] if at in hidden else value
                for at, value in enumerate(truth)
            )
            if can_be(deal):
                yield deal


def _tried(truth: Deal, rolls: Sequence[Deal], at: int, can_be: Callable[[Deal], bool]) -> list[Deal] | None:
    """Possible deals that differ from the true one in this place, alone or with one beside it, as x and y of a cell.

    None at all: it is unknown whether it may be another number. An empty list: it never is one.
    """
    other = [roll for roll in rolls if roll[at] != truth[at]]
    for places in ({at}, {at, at + 1}, {at - 1, at}):
        deals = dict.fromkeys(
            tuple(roll[one] if one in places else value for one, value in enumerate(truth)) for roll in other
        )
        if found := list(islice(filter(can_be, deals), TRIED)):
            return found
    return None if other else []


def rolls_of(game: Game, start: State) -> Iterator[Deal]:
    """Deals as the rules roll them."""
    source, numbers = game.source(SEED), [0] * game.rules.DICE
    for _ in range(ROLLS):
        count = game.rules.roll(game.rules.LAYOUT.copy(start), source, numbers)
        yield tuple(numbers[:count])


def can_be_dealt(game: Game, seats: int, start: State, deal: Deal) -> bool:
    """Whether the rules allow what this deal leads to."""
    state = game.rules.LAYOUT.copy(start)
    try:
        game.rules.deal(state, list(deal), None)
    except Exception:  # numbers that do not go together
        return False
    return why_impossible(game, state, seats) is None


def closest(
    game: Game, seats: int, start: State, same: Callable[[Deal], int], whole: int, tries: int, until: float
) -> Deal | None:
    """A deal after which a seat may be told what it was told; none if `tries` changes did not lead to one.

    `same` says of a deal how many bytes at the beginning of that text are right, `whole` how many it has. One or two
    numbers after the other are taken from other deals, as long as no less of the text is right.
    """
    rolls = list(dict.fromkeys(rolls_of(game, start)))
    if game.possible is NOT_SAID or game.fields or not rolls:
        return None
    best = max(rolls, key=same)
    rolls = [roll for roll in rolls if len(roll) == len(best)]
    right, chance = same(best), Random(SEED)
    for _ in range(tries):
        if right >= whole or time.monotonic() >= until:
            break
        at, other = chance.randrange(len(best)), chance.choice(rolls)
        places = {at, at + chance.randrange(2)}
        deal = tuple(other[one] if one in places else number for one, number in enumerate(best))
        if deal == best or not can_be_dealt(game, seats, start, deal):
            continue
        if (now := same(deal)) >= right:
            best, right = deal, now
    return best if right >= whole else None
