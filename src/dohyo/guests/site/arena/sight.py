"""What somebody may see of a ladder or a contest at this moment: every page asks here before it shows a result.

While a ladder is frozen, whoever is no organiser sees it as it was at that moment: `seen` gives a store that holds
nothing else, so no count, rating or pending match of later can be shown by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import time

import msgspec

from dohyo.core.contest import Result
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store import Store


class Sight(msgspec.Struct, frozen=True):
    """What is shown. `until`: results that were reached after this moment are not there (none: all are).

    `is_frozen` says that something is hidden from visitors and authors at this moment, also to an organiser, who
    sees all: then the page says so.
    """

    until: float | None = None
    is_frozen: bool = False

    def shows(self, result: Result) -> bool:
        """Whether a result may be seen, and so its replay, and that it was played at all."""
        return self.until is None or result.at <= self.until

    @property
    def is_whole(self) -> bool:
        """Whether everything is shown, also what is drawn, waits or is being played at this moment."""
        return self.until is None


def sight(ladder: Ladder, person: Person | None) -> Sight:
    """What this person (none: a visitor) sees of a ladder."""
    if not ladder.is_frozen(time()):
        return Sight()
    return Sight(None if person is not None and person.is_organiser else ladder.frozen, True)


@contextmanager
def seen(arena: Arena, ladder: Ladder, person: Person | None) -> Iterator[Store | None]:
    """The store of the matches as this person may see it, for a block: to read the contest `ladder.slug` from.

    While that is frozen, for others than organisers it is a copy that ends at that moment: with it everything that
    reads a store, standings, ratings by batch, pairs, tallies, brackets, shows what there was then. None before the
    judge has begun.
    """
    until = sight(ladder, person).until
    if until is None:
        with arena.opened() as store:
            yield store
    else:
        with arena.opened_at(ladder.slug, until) as store:
            yield store
