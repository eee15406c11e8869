"""Bots of a ladder that stay at home, as its judge sees them: who enters, and who cannot play at this moment."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

from dohyo.core.contest import Version
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import distant, ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.distant.kind import LANGUAGE, bot_at_home, digest_of
from dohyo.guests.site.distant.line import there
from dohyo.series import roster
from dohyo.series.session import ContestSession
from dohyo.series.store.database import Database

FRESH = 0.5  # seconds for which it counts who is there


class AtHome:
    """Those of one ladder. Who was connected once takes part from then on, and plays whenever it is connected."""

    def __init__(self, home: Path, database: Database, ladder: Ladder, session: ContestSession) -> None:
        """`home` is the site's folder."""
        self._home, self._database, self._ladder, self._session = home, database, ladder, session
        self._numbers: dict[str, int] = {}  # of bots, by the digest that each has in the store
        self._may_play = True
        self._there: set[int] = set()
        self._looked = -FRESH
        self._know(distant.of_ladder(database, ladder))

    def look(self, *, may_play: bool) -> None:
        """Let those enter that are new, and are there. Unless they `may_play` here, all of them are missing."""
        now = ladders.as_now(self._database, self._ladder)
        self._may_play = may_play and now is not None and bool(now.distant)
        bots = distant.of_ladder(self._database, self._ladder)
        self._know(bots)
        if not bots or not self._may_play:
            return
        entered = {each.version.digest for each in self._session.loop.roster.read()}
        for number in self._connected():
            if number in bots and digest_of(number) not in entered:
                with suppress(OperatorError):  # one that is out stays so
                    version = Version(bots[number], digest_of(number), LANGUAGE)
                    roster.enter_version(self._session.store, self._session.contest, version)

    def missing(self) -> set[int]:
        """The entrants that stay at home and cannot be reached, by their numbers in the store."""
        if not self._numbers:
            return set()
        here = self._connected() if self._may_play else set()
        own = {each.number: self._numbers.get(each.version.digest) for each in self._session.loop.roster.stored}
        return {entrant for entrant, bot in own.items() if bot is not None and bot not in here}

    def _connected(self) -> set[int]:
        if monotonic() - self._looked > FRESH:
            self._there, self._looked = there(self._home), monotonic()
        return self._there

    def _know(self, bots: Mapping[int, str]) -> None:
        for number, name in bots.items():
            if digest_of(number) not in self._numbers:
                self._numbers[digest_of(number)] = number
                bot = bot_at_home(self._home, number, name)
                self._session.loop.roster.add(Version(name, bot.digest, LANGUAGE), bot)
