"""Bots that are called otherwise after a contest has begun: a name was misspelt, or the list of names was corrected.

Versions, matches and ratings stay. What was recorded of a match has the names of its time, and stays as it is; where
it is shown, it has those of now (`under_names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.notices import Tell
from dohyo.core.options import nearest, some_of
from dohyo.core.replay import Replay
from dohyo.match.found_bots import check_name
from dohyo.match.hand_in_names import composed
from dohyo.series.formats import find
from dohyo.series.formats.named import renamed
from dohyo.series.spec import Contender, Spec, as_stored, of_stored
from dohyo.series.store.records import Contest

if TYPE_CHECKING:
    from dohyo.series.store import Store


def rename(store: Store, contest: Contest, old: str, new: str) -> dict[str, str]:
    """Give a bot of a contest another name, also while it runs; the name that it has by the one that it had.

    Raises `OperatorError` as `keep_names`, and while the contest runs if an option of its format names the bot.
    """
    if named_in(of_stored(contest.spec), old):
        store.lease(contest.id).close()  # whoever plays it looks that bot up by its name
    return keep_names(store, contest, {old: new})


def keep_names(store: Store, contest: Contest, names: Mapping[str, str]) -> dict[str, str]:
    """Give bots of a contest other names, all at once: two may swap theirs; the names by those that they had.

    Raises `OperatorError` for a bot that is not there, and for a name that is none, is the bot's already, or another
    one's.
    """

    def check(entrants: list[Entrant], plain: dict[str, Any]) -> dict[str, str]:
        return checked(contest, entrants, names)

    return store.rename(contest.id, check, lambda plain, now: as_stored(spec_with(of_stored(plain), now)), time())


def call_as_listed(store: Store, contest: Contest, names: Mapping[str, str], tell: Tell) -> None:
    """Give bots the names that the operator's list has for them now, by those that they had, and tell so."""
    for old, new in keep_names(store, contest, names).items():
        tell("contest.renamed", bot=old, now=new)


def checked(contest: Contest, entrants: Sequence[Entrant], names: Mapping[str, str]) -> dict[str, str]:
    """The new names as they are kept, by the old ones, of those who take part. Raises as `keep_names`."""
    known = list(dict.fromkeys(each.name for each in entrants))
    found: dict[str, str] = {}
    for typed, wanted in names.items():
        old = typed if typed in known else next((each for each in known if composed(each) == composed(typed)), None)
        if old is None:
            close = nearest(typed, known)
            raise OperatorError(
                "contest-no-entrant", bot=typed, name=contest.name, nearest=close, known=some_of(known) or "-"
            )
        found[old] = check_name(composed(wanted))
        if found[old] == old:
            raise OperatorError("contest-called-so", bot=old, name=contest.name)
    taken = [composed(found.get(each, each)) for each in known]
    for new in found.values():
        if taken.count(new) > 1:
            raise OperatorError("contest-name-taken", bot=new, name=contest.name)
    return found


def spec_with(spec: Spec, names: Mapping[str, str]) -> Spec:
    """The terms of a contest, with bots' new names by the old ones."""

    def called(bots: Iterable[Contender]) -> tuple[Contender, ...]:
        return tuple(replace(each, name=names.get(each.name, each.name)) for each in bots)

    known = {old: names.get(now, now) for old, now in spec.renamed.items()} | dict(names)
    return replace(
        spec,
        bots=called(spec.bots),
        joined=called(spec.joined),
        alike=tuple(tuple(names.get(each, each) for each in group) for group in spec.alike),
        options=renamed(spec.options, find(spec.format).info.options, names),
        renamed={old: now for old, now in known.items() if old != now},
    )


def former(spec: Spec) -> dict[str, str]:
    """The names of now by those that bots of a contest had before, but for names that another bot has now."""
    now = {each.name for each in (*spec.bots, *spec.joined)}
    return {old: name for old, name in spec.renamed.items() if old not in now}


def named_in(spec: Spec, name: str) -> bool:
    """Whether an option of the contest's format names this bot."""
    return renamed(spec.options, find(spec.format).info.options, {name: ""}) != spec.options


def under_names(replay: Replay, names: Sequence[str]) -> Replay:
    """A replay, by seat with the names that its bots have now; the same one where they have them."""
    seats = replay.header.seats
    if len(names) != len(seats) or all(seat.name == name for seat, name in zip(seats, names, strict=True)):
        return replay
    called = tuple(replace(seat, name=name) for seat, name in zip(seats, names, strict=True))
    return replace(replay, header=replace(replay.header, seats=called))
