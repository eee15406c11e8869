"""Matches that people play at this moment: in the process of the web server, a few at a time.

Theory of operation
-------------------
A stranger decides how long such a match lasts, so it must not cost anything while he thinks: each person has one, all
together have few, the bots' programs are paused while they are not to move, and a match ends when its page has been
silent for some minutes, or after hours in any case. Bots run in the sandbox that the judge's bots run in, with the
ladder's clock. Hints are made by one process at a time, for all.

A web server that runs nobody's program (`dohyo serve --only web`) has none of this. Where several web servers share a
site, a match is where it was begun.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from dohyo import doors
from dohyo.bots import Bot, archive
from dohyo.bots.samples import samples_of
from dohyo.bots.typed_words import Named
from dohyo.core.bot_spec import BotSpec, Sample
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import encode
from dohyo.guests.site.arena import plays
from dohyo.guests.site.arena.house import clock_of, house
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import leaving, limits
from dohyo.guests.site.people.accounts import Person
from dohyo.i18n import Speaker
from dohyo.match.people.hints import Hints
from dohyo.match.people.sitting import Sitting, Terms
from dohyo.match.play import new_seed
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

ME = "me"  # the kind of player, and its word in forms
MAX_SITTINGS = 8  # at a time
IDLE = 300.0  # seconds of silence after which nobody is there any more
LONGEST = 3 * 3600.0  # seconds of a match
HINT_SECONDS = 2.0
MAX_BOT = 32 << 20  # bytes of a packed bot
LONGEST_NAME = 60


class Seated(NamedTuple):
    """Who sits on a seat: what it is called, and the bot; none for the person."""

    name: str
    bot: BotSpec | None = None


class Running(NamedTuple):
    """A match that a person plays: its number among all, who sits where, and when it began."""

    number: int
    sitting: Sitting
    names: tuple[str, ...]
    mine: tuple[int, ...]
    begun: float
    kept: list[int]  # the number of the match, once it is kept


class Sittings:
    """All that are played here. `sandbox` is what bots run in."""

    def __init__(self, site: SiteFolder, database: Database, sandbox: str) -> None:
        self._site, self._database, self._sandbox = site, database, sandbox
        self._running: dict[int, Running] = {}  # by person
        self._lock = threading.Lock()
        self._begun = 0
        self._hints = Hints.found()

    def begin(
        self,
        person: Person,
        game: Game,
        seats: Sequence[Seated],
        speaker: Speaker,
        resume: tuple[Replay, int] | None = None,
        seconds: int | None = None,
    ) -> None:
        """Begin a match of a person, in the place of the one that it plays already. Raises `OperatorError`."""
        mine = tuple(at for at, seat in enumerate(seats) if seat.bot is None)
        if ME not in doors.brought("players"):
            raise OperatorError("serve-play-not-here")
        if not mine:
            raise OperatorError("serve-play-nobody")
        limits.take(self._database, limits.PLAY, str(person.id))
        self.leave(person)
        kept: list[int] = []
        sitting = Sitting(
            game,
            [_player(person, seconds) if seat.bot is None else Named(seat.name, seat.bot) for seat in seats],
            mine,
            speaker,
            terms=Terms(hints=self._hints, hint_seconds=HINT_SECONDS, idle=IDLE),
            on_end=lambda replay: kept.extend(self._keep(person, replay, mine)),
            seed=new_seed(),
            clock=clock_of(game.name),
            sandbox=self._sandbox,
            pondering=False,
            resume=resume,
        )
        with self._lock:
            self._sweep()
            between = self._running.pop(person.id, None)  # that another request of the same person has begun
            left = self._left_alone() if len(self._running) >= MAX_SITTINGS else None
            is_full = len(self._running) >= MAX_SITTINGS
            if not is_full:
                self._begun += 1
                names = tuple(seat.name for seat in seats)
                self._running[person.id] = Running(self._begun, sitting, names, mine, monotonic(), kept)
                sitting.start()
        for ended in (between, left):
            if ended is not None:
                ended.sitting.close()
        if is_full:
            raise OperatorError("serve-play-full", most=MAX_SITTINGS)

    def _left_alone(self) -> Running | None:
        """Take out the match that was left alone for longest, if that is as long as a silent page is waited for.

        Otherwise pages that are only left open would keep all places for hours.
        """
        person = max(self._running, key=lambda one: self._running[one].sitting.untouched)
        return self._running.pop(person) if self._running[person].sitting.untouched > IDLE else None

    def of(self, person: Person) -> Running | None:
        """The match that a person plays, or has just played; none if there is none."""
        with self._lock:
            self._sweep(person.id)
            return self._running.get(person.id)

    def leave(self, person: Person) -> None:
        """End what a person plays; what was played is kept."""
        with self._lock:
            running = self._running.pop(person.id, None)
        if running is not None:
            running.sitting.close()

    def may_hint(self, person: Person) -> None:
        """Note that a hint is asked for. Raises `OperatorError` for too many."""
        limits.take(self._database, limits.HINT, str(person.id))

    def close(self) -> None:
        """End all."""
        if self._hints is not None:
            self._hints.close()
        with self._lock:
            every = list(self._running.values())
            self._running = {}
        for running in every:
            running.sitting.close()

    def _sweep(self, but: int = 0) -> None:
        """Forget those that are over, and end those that last too long; called with the lock held."""
        now = monotonic()
        for person, running in list(self._running.items()):
            is_long = now - running.begun > LONGEST
            if is_long:
                running.sitting.close(0.0)
            if person != but and (running.sitting.is_over or is_long):
                del self._running[person]

    def _keep(self, person: Person, replay: Replay, mine: tuple[int, ...]) -> list[int]:
        """Keep a match, if anything was played; its number."""
        if not replay.played:
            return []
        files = self._site.files()
        digest = files.put(encode(replay))
        number = plays.record(self._database, person.id, replay, mine, digest)
        if not number:
            leaving.remove_files(self._database, files, [digest])
        return [number] if number else []


def _player(person: Person, seconds: int | None) -> Bot:
    """The person as a player, who has so many seconds for each turn, or as many as it takes."""
    address = ME if seconds is None else f"{ME}:{seconds}"
    digest = hashlib.sha256(f"{address} {person.id}".encode()).hexdigest()
    return Bot(person.name[:LONGEST_NAME], (), "", digest, "", address=address)


def samples(game: Game) -> dict[str, BotSpec]:
    """The sample bots that can be played against, by name."""
    found: dict[str, BotSpec] = {name: Sample(name) for name in sorted(samples_of(game)) if "." not in name}
    return found


def opponents(game: Game, there: Sequence[Entrant], files: AnyFiles, hides: bool) -> dict[str, Callable[[], BotSpec]]:
    """The bots of a ladder that can be played against, by name; where standings are frozen, its first ones alone."""
    own = house(game.name)
    found: dict[str, Callable[[], BotSpec]] = {}
    for entrant in there:
        if entrant.is_away:
            continue
        if entrant.name in own:
            found[entrant.name] = lambda name=entrant.name: own[name]  # type: ignore[misc]
        elif not hides and entrant.version.archive:
            digest = entrant.version.archive
            found[entrant.name] = lambda digest=digest: archive.unpack(files.get(digest, MAX_BOT))  # type: ignore[misc]
    return found
