"""What somebody looks for: bots, authors, ladders, matches by number, two bots against each other.

Names are compared as everywhere (`key_of`): whole ones come first, then those that begin so, then those with it
inside, so Japanese names are found by any part. Nothing is found that its ladder's page does not show to this person:
not a bot that waits, not one that came after the standings were frozen, and no author by a name that is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Column, ColumnElement, Select, case, select

from dohyo import games
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import ranked
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.series.store.database import Database

LONGEST = 60  # characters of what is looked for
MOST = 20  # results of a kind
LOOKED_AT = 200  # rows that fit, of which not all may be seen
NUMBER = re.compile(r"#?([0-9]{1,10})")
BETWEEN = re.compile(r"\s+(?:vs\.?|v|against|\u2013|-|x|対)\s+|\s*[,、\u00d7]\s*", re.IGNORECASE)


class FoundBot(msgspec.Struct, frozen=True):
    """A bot of a ladder, and its author; empty for a sample bot."""

    ladder: Ladder
    bot: str
    author: str


class Found(msgspec.Struct):
    """What was found. `pairs` are two bots of a ladder, `matches` a ladder's match by its number."""

    ladders: list[Ladder] = []
    bots: list[FoundBot] = []
    by_author: list[FoundBot] = []
    pairs: list[tuple[Ladder, str, str]] = []
    matches: list[tuple[Ladder, int]] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing."""
        return not (self.ladders or self.bots or self.by_author or self.pairs or self.matches)


class Search:
    """Looks for somebody among the ladders that are there for this person."""

    def __init__(self, database: Database, arena: Arena, person: Person | None, ladders: Iterable[Ladder]) -> None:
        self._database = database
        self._arena = arena
        self._person = person
        self._ladders = {ladder.id: ladder for ladder in ladders}

    def find(self, text: str) -> Found:
        """Everything of this name or number."""
        wanted = " ".join("".join(filter(str.isprintable, text[:LONGEST])).split())
        key = key_of(wanted)
        if not key:
            return Found()
        return Found(
            [ladder for ladder in self._ladders.values() if _fits(ladder, key)][:MOST],
            self._bots(tables.bots.c.key, key),
            self._bots(tables.people.c.key, key, self._tells_author),
            self._pairs(wanted),
            self._matches(wanted),
        )

    def _bots(
        self, column: Column[str], key: str, fits: Callable[[FoundBot], bool] = lambda found: True
    ) -> list[FoundBot]:
        """The bots whose own key, or whose author's, fits, as far as they may be seen."""
        asked = _asked(column, key, [*self._ladders])
        rows = self._database.read(lambda connection: connection.execute(asked).all())
        names: dict[int, list[str]] = {}
        for ladder, bot in rows:
            names.setdefault(ladder, []).append(bot)
        there = {number: self._playing(number, own) for number, own in names.items() if number in self._ladders}
        found = [there[ladder][bot] for ladder, bot in rows if bot in there.get(ladder, {})]
        return [each for each in found if fits(each)][:MOST]

    def _tells_author(self, found: FoundBot) -> bool:
        """Whether the name that is told of an author is his own: else what is found would tell letters of it."""
        return not found.ladder.pseudonyms or (self._person is not None and self._person.is_organiser)

    def _playing(self, number: int, names: list[str]) -> dict[str, FoundBot]:
        """Those of these bots that play in a ladder, as this person sees it."""
        ladder = self._ladders[number]
        with seen(self._arena, ladder, self._person) as store, ranked(store, ladder.slug) as there:
            here = [] if there is None else [name for name in names if name in there[1].at]
        authors = hand_ins.authors(self._database, ladder, here, self._person)
        return {name: FoundBot(ladder, name, authors.get(name, "")) for name in here}

    def _pairs(self, wanted: str) -> list[tuple[Ladder, str, str]]:
        """Two bots by their whole names, in each ladder that has both."""
        parts = [part for part in BETWEEN.split(wanted) if part]
        if len(parts) != 2:
            return []
        one, other = ({found.ladder.id: found for found in self._whole(part)} for part in parts)
        both = [number for number in one if number in other and one[number].bot != other[number].bot]
        return [(self._ladders[number], one[number].bot, other[number].bot) for number in both][:MOST]

    def _whole(self, name: str) -> list[FoundBot]:
        """The bots of exactly this name."""
        key = key_of(name)
        return [found for found in self._bots(tables.bots.c.key, key) if key_of(found.bot) == key]

    def _matches(self, wanted: str) -> list[tuple[Ladder, int]]:
        """The matches of this number."""
        number = NUMBER.fullmatch(wanted)
        if number is None or int(number[1]) > MAX_NUMBER:
            return []
        at = int(number[1])
        return [(ladder, at) for ladder in list(self._ladders.values())[-MOST:] if self._has_match(ladder, at)]

    def _has_match(self, ladder: Ladder, number: int) -> bool:
        with seen(self._arena, ladder, self._person) as store, ranked(store, ladder.slug) as there:
            return store is not None and there is not None and bool(store.results_of(there[0], [number]))


def _fits(ladder: Ladder, key: str) -> bool:
    """Whether a ladder is called so, or its game."""
    return key in key_of(ladder.title) or key in key_of(games.find(ladder.game).title)


def _asked(column: Column[str], key: str, ladders: list[int]) -> Select[tuple[int, str]]:
    """The ladders and names of bots that fit: whole names first, then those that begin so, then the others."""
    bots, people = tables.bots.c, tables.people.c
    fits = column.contains(key, autoescape=True)
    asked = select(bots.ladder, bots.name).where(bots.ladder.in_(ladders))
    if column is people.key:  # the people first: there are fewer
        who = select(people.id).where(fits).order_by(*_best_first(people.key, key)).limit(MOST)
        return asked.where(bots.person.in_(who), bots.house == 0).order_by(bots.key, bots.ladder).limit(LOOKED_AT)
    return asked.where(fits).order_by(*_best_first(bots.key, key), bots.ladder).limit(LOOKED_AT)


def _best_first(column: Column[str], key: str) -> tuple[ColumnElement[int], Column[str]]:
    return case((column == key, 0), (column.startswith(key, autoescape=True), 1), else_=2), column
