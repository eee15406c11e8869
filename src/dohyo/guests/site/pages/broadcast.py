"""A ladder or a contest as a broadcast for a big screen: `dohyo.series.broadcast`, in the page of `web/broadcast`.

Whoever sees all of it sees what is played, as on the page of live matches. For whom its standings are frozen it is a
film of what was played before: it is made of the store that ends at that moment, so nothing of later can be in it.
"""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.concurrency import sync_to_thread

from dohyo import clean, games
from dohyo.core.contest import Entrant, Fixture
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import Ranking, count_played, ranked
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.judging.followers import EACH, EACH_PLACE, FOLLOWERS, Event, Watching, stream_of
from dohyo.guests.site.people.accounts import Person
from dohyo.series.broadcast.interest import Known
from dohyo.series.broadcast.programme import Programme
from dohyo.series.broadcast.stage import Row, Stage, Table
from dohyo.series.store import Store
from dohyo.web.broadcast import page
from dohyo.web.broadcast.page import Addresses
from dohyo.web.broadcast.telling import MAX_ROWS, Telling


@get("/ladders/{slug:str}/broadcast", sync_to_thread=True)
def show_broadcast(ask: Asking, slug: str) -> Response[Any]:
    """The page for a big screen."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    nonce = secrets.token_urlsafe(16)
    game = games.find(ladder.game)
    where = _addresses(ask, ladder.game, f"/ladders/{ladder.slug}/broadcast/events")
    return _html(page.html(ladder.title, game, where, ask.speaker, nonce), page.POLICY.format(nonce=nonce))


@get("/broadcast/frames/{game:str}", sync_to_thread=True)
def show_broadcast_frame(ask: Asking, game: str) -> Response[Any]:
    """The frame that draws matches of a game."""
    try:
        found = games.find(game)
    except OperatorError:
        return ask.nothing()
    nonce = secrets.token_urlsafe(16)
    made = page.frame(found, _addresses(ask, found.name, ""), ask.speaker, nonce)
    return _html(made, page.FRAME_POLICY.format(nonce=nonce))


@get("/broadcast/files/{name:str}", sync_to_thread=True)
def show_broadcast_file(ask: Asking, name: str) -> Response[Any]:
    """A script or a style of the page or the frame."""
    path = page.files().get(name)
    if path is None:
        return ask.nothing()
    kind = page.KINDS[path.suffix]
    return Response(Path(path).read_bytes(), media_type=kind, headers={"Cache-Control": "max-age=300"})


@get("/ladders/{slug:str}/broadcast/events")
async def follow_broadcast(ask: Asking, slug: str) -> Response[Any]:
    """What is told, as it happens."""
    ladder = await sync_to_thread(ladders.find, ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    person, until = ask.person, sight(ladder, ask.person).until
    seen_now = [ladder]

    def may() -> bool:
        """Whether this person still sees it as it was when it began."""
        now = ladders.find(ask.database, slug, person)
        seen_now[:] = [] if now is None else [now]
        return now is not None and sight(now, person).until == until

    def told(event: Event) -> Event | None:
        """The event, unless it is hidden from this moment on."""
        return event if seen_now and sight(seen_now[0], person).until == until else None

    who, each = (f"from {ask.origin}", EACH_PLACE) if person is None else (f"person {person.id}", EACH)
    source = partial(BroadcastSource, ask.arena, ask.site.live, ladder, person)
    return stream_of(
        FOLLOWERS.stream(Watching(who, each, told, may), ("broadcast", ladder.id, until, ladder.delay), source)
    )


def _addresses(ask: Asking, game: str, events: str) -> Addresses:
    base = ask.request.app.state.outside.base
    return Addresses(
        f"{base}/broadcast/files", f"{base}{events}", f"{base}/broadcast/frames/{game}", f"{base}/modules/{game}"
    )


def _html(content: str, policy: str) -> Response[Any]:
    return Response(content, media_type="text/html", headers={"Content-Security-Policy": policy})


class SiteStage(Stage):
    """A contest of a site: the order of its bots is the one that the site's pages have, and so are their names."""

    def __init__(self, store: Store, live: Path, ladder: Ladder, is_whole: bool) -> None:
        self._ladder = ladder
        is_live = is_whole and ladder.delay < ladders.UNTIL_OVER
        super().__init__(store, ladder.slug, is_live=is_live)
        self._live = live if is_live else None
        self._series, self.delay = ladder.series, ladder.delay

    def close(self) -> None:
        """The store is the site's."""

    def table(self) -> Table:
        """The standings: of a contest by its format, of a ladder by the ratings that are published."""
        if self._ladder.terms is not None:
            return super().table()
        with ranked(self.store, self._ladder.slug) as found:
            if found is None:
                return Table()
            contest, ranking = found
            self._learn(ranking.entrants)
            return Table(_rows(ranking), _known(ranking), count_played(self.store, contest))

    def entrants(self) -> list[Entrant]:
        """Who takes part at the moment."""
        return [each for each in self.store.entrants(self.contest.id) if not each.is_away]

    def upcoming(self, most: int = MAX_ROWS) -> list[Fixture]:
        """What comes next: nothing for whom something is hidden."""
        return super().upcoming(most) if self.is_live else []

    def _learn(self, entrants: list[Entrant]) -> None:
        super()._learn(entrants)
        self.names = {each.number: clean.line(each.name) for each in entrants}


def _rows(ranking: Ranking) -> tuple[Row, ...]:
    lines = [(number, ranking.lines[number]) for number in ranking.order[:MAX_ROWS]]
    return tuple(
        Row(number, clean.line(line.bot), line.place, float(line.rating or 0), line.matches, line.rating is not None)
        for number, line in lines
    )


def _known(ranking: Ranking) -> dict[int, Known]:
    return {
        number: Known(clean.line(line.bot), line.place, line.rating, line.low, line.high, line.matches)
        for number, line in ranking.lines.items()
    }


class BroadcastSource:
    """What is broadcast of a ladder or a contest to those who see the same of it."""

    is_over = False

    def __init__(self, arena: Arena, live: Path, ladder: Ladder, person: Person | None) -> None:
        self._arena, self._live, self._ladder, self._person = arena, live, ladder, person
        self._is_whole = sight(ladder, person).is_whole
        self._stage: SiteStage | None = None
        self._programme: Programme | None = None
        self._telling = Telling()

    def close(self) -> None:
        """Let go of what is open."""
        if self._programme is not None:
            self._programme.close()

    def more(self) -> list[Event]:
        """What is new. The store is opened for this moment alone."""
        with seen(self._arena, self._ladder, self._person) as store:
            if store is None or not self._begin(store):
                return []
            assert self._programme is not None
            told = self._telling.events(self._programme.more())
        return [Event(each.name, each.data, each.begins) for each in told]

    def _begin(self, store: Store) -> bool:
        """Whether there is something to broadcast; then it has begun."""
        if self._stage is None:
            if self._ladder.slug not in {contest.name for contest in store.contests()}:
                return False
            self._stage = SiteStage(store, self._live, self._ladder, self._is_whole)
            self._programme = Programme(self._stage)
        self._stage.store = store
        return True


HANDLERS = [show_broadcast, show_broadcast_frame, show_broadcast_file, follow_broadcast]
