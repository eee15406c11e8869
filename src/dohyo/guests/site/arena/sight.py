"""What somebody may see of a ladder or a contest at this moment: every page asks here before it shows a result."""

from __future__ import annotations

import msgspec

from dohyo.core.contest import Result
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.people.accounts import Person


class Sight(msgspec.Struct, frozen=True):
    """What is shown. `until`: results that were reached after this moment are not there (none: all are)."""

    until: float | None = None

    def shows(self, result: Result) -> bool:
        """Whether a result may be seen, and so its replay, and that it was played at all."""
        return self.until is None or result.at <= self.until


def sight(ladder: Ladder, person: Person | None) -> Sight:
    """What this person (none: a visitor) sees of a ladder."""
    return Sight()
