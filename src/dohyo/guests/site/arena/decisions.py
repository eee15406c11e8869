"""What an organiser decides about bots and matches of a contest: as `dohyo contest` does it, by a page."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import DISQUALIFY, InForce
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.pausing import failing, pauses
from dohyo.series import rulings, taking_part
from dohyo.series.rulings import Wanted
from dohyo.series.session import ContestView, look

MAX_NUMBERS = 500  # characters


class Bots(msgspec.Struct, frozen=True):
    """The bots of a contest that has begun: who plays, who is out and why, who pauses and since which matches."""

    names: list[str] = []
    out: dict[str, str] = {}
    paused: dict[str, list[int]] = {}
    is_begun: bool = False


def bots_of(arena: Arena, ladder: Ladder) -> Bots:
    """The bots of a contest; nobody before it has begun."""
    with arena.opened() as store:
        if store is None or ladder.slug not in {each.name for each in store.contests()}:
            return Bots()
        contest = store.contest(ladder.slug)
        entrants = store.entrants(contest.id)
        out = InForce(store.rulings_of_bots(contest.id)).disqualified
        names = dict.fromkeys(each.name for each in entrants)
        paused = {each.name: failing(store, contest, each) for each in entrants if pauses(each)}
        return Bots([name for name in names if name not in out], {n: r.because for n, r in out.items()}, paused, True)


def disqualify(arena: Arena, ladder: Ladder, bot: str, because: str) -> None:
    """Take a bot out. Raises `OperatorError` where it is not there, or out already, and without a reason."""
    told = rulings.reason(because, needed=True)
    _rule(arena, ladder, lambda view: rulings.disqualify(view, bot, told))


def take_back(arena: Arena, ladder: Ladder, bot: str) -> None:
    """Let a disqualified bot take part again. Raises `OperatorError` where it is not disqualified."""
    _rule(arena, ladder, lambda view: rulings.take_back(view, DISQUALIFY, "", bot=bot))


def again_by_bot(arena: Arena, ladder: Ladder, bot: str, everything: bool, because: str) -> int:
    """Have a bot's matches played again: those in which it had a fault, or all; how many these are."""
    return _again(arena, ladder, lambda view: rulings.chosen(view, Wanted(bot=bot, everything=everything)), because)


def again_by_number(arena: Arena, ladder: Ladder, words: str, because: str) -> int:
    """Have matches played again by their numbers, `7` or `7-12`, with blanks or commas between; how many."""
    numbers = rulings.numbers_of(words[:MAX_NUMBERS].replace(",", " ").split())
    if not numbers:
        raise OperatorError("serve-numbers")
    return _again(arena, ladder, lambda view: rulings.chosen(view, Wanted(numbers=numbers)), because)


def again_by_time(arena: Arena, ladder: Ladder, since: float, until: float, because: str) -> int:
    """Have all matches played again that ended between two moments, as the judge did not work well; how many."""

    def choose(view: ContestView) -> tuple[int, ...]:
        played = view.store.played(view.contest.id)
        found = tuple(each.fixture.number for each in played if since <= each.at <= until)
        if not found:
            raise OperatorError("serve-no-matches-then")
        return found

    return _again(arena, ladder, choose, because)


def resume(arena: Arena, ladder: Ladder, bot: str) -> None:
    """Let a bot that pauses play again. Raises `OperatorError` where it does not pause."""
    with arena.opened() as store:
        if store is None:
            raise OperatorError("serve-not-begun")
        taking_part.resume(store, store.contest(ladder.slug), bot)


def _again(arena: Arena, ladder: Ladder, choose: Callable[[ContestView], tuple[int, ...]], because: str) -> int:
    told = rulings.reason(because, needed=False)
    numbers: tuple[int, ...] = ()

    def act(view: ContestView) -> None:
        nonlocal numbers
        numbers = choose(view)
        rulings.ask_again(view, numbers, told)
        rulings.reopen(view)

    _rule(arena, ladder, act)
    return len(numbers)


def _rule(arena: Arena, ladder: Ladder, act: Callable[[ContestView], object]) -> None:
    with arena.opened() as store:
        if store is None or ladder.slug not in {each.name for each in store.contests()}:
            raise OperatorError("serve-not-begun")
        act(look(store, ladder.slug, results=False))
        if ladder.terms is not None:  # those of a ladder the judge publishes, however many its matches are
            rulings.publish(look(store, ladder.slug))
