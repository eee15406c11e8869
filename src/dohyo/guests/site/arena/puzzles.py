"""Puzzles from the matches of ladders that everybody may see: where they are kept, who has tried them, ratings.

Of contests, of ladders for a class and of those whose standings are frozen there are none, and none is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from threading import Lock
from time import time
from weakref import WeakKeyDictionary, proxy

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.people.accounts import Person
from dohyo.series.puzzles.file import Attempt
from dohyo.series.puzzles.puzzle import Position, Puzzle, Source, position_of
from dohyo.series.puzzles.ratings import PuzzleRatings
from dohyo.series.store.database import Database

MAX_PUZZLES = 2000  # of a game's rules
MAX_TRIES = 50_000  # of a game, of which ratings are made: the last ones
CHOSEN_AMONG = 200  # that a person has not tried


def is_public(ladder: Ladder) -> bool:
    """Whether everybody may see a ladder's matches, and so puzzles from them."""
    return ladder.group is None and ladder.terms is None and not ladder.is_frozen(time())


def public(database: Database) -> list[int]:
    """The numbers of these ladders."""
    return [ladder.id for ladder in ladders.all_of(database, None) if is_public(ladder)]


# --- the judge's part


def looked(database: Database, ladder: Ladder) -> int:
    """The newest match of a ladder in which puzzles were looked for; -1 for none."""
    of = tables.puzzle_looks
    found = database.read(
        lambda connection: connection.execute(select(of.c.match).where(of.c.ladder == ladder.id)).scalar()
    )
    return -1 if found is None else int(found)


def note_looked(database: Database, ladder: Ladder, match: int) -> None:
    """Remember that a match was looked through."""
    of = tables.puzzle_looks

    def act(connection: Connection) -> None:
        known = connection.execute(update(of).where(of.c.ladder == ladder.id).values(match=match))
        if not known.rowcount:
            connection.execute(insert(of).values(ladder=ladder.id, match=match))

    database.write(act)


def keep(database: Database, ladder: Ladder, match: int, found: Sequence[Puzzle]) -> int:
    """Keep puzzles from a match, without the names of who played it; how many are new."""
    of, new = tables.puzzles, 0
    source = Source(f"{ladder.slug} {match}")

    def act(connection: Connection) -> int:
        nonlocal new
        new = 0
        there = connection.execute(select(func.count()).where(_now_of(ladder.game))).scalar_one()
        for puzzle in found[: max(0, MAX_PUZZLES - there)]:
            if connection.execute(select(of.c.id).where(of.c.id == puzzle.id)).first() is None:
                content = msgspec.json.encode(msgspec.structs.replace(puzzle, source=source)).decode()
                row = {"id": puzzle.id, "ladder": ladder.id, "match": match, "game": ladder.game}
                connection.execute(insert(of).values(**row, content=content, at=time()))
                new += 1
        return new

    return database.write(act)


# --- for whoever solves them


def counts(database: Database) -> dict[str, int]:
    """By game, how many puzzles there are."""
    of = tables.puzzles
    asked = select(of.c.game).where(of.c.ladder.in_(public(database))).distinct()
    there = database.read(lambda connection: connection.execute(asked).scalars().all())
    return {game: count for game in sorted(there) if (count := len(names(database, game)))}


def find(database: Database, game: str, name: str) -> Position | None:
    """A puzzle of a game; none if there is none, or the rules are others by now."""
    of = tables.puzzles
    asked = select(of.c.content).where(of.c.id == name, of.c.game == game, of.c.ladder.in_(public(database)))
    content = database.read(lambda connection: connection.execute(asked).scalar())
    return None if content is None else _position(content)


def _now_of(game: str) -> ColumnElement[bool]:
    """What the puzzles of a game's present rules have in common: their JSON begins with the game and its rules.

    Each of the others would be read only to be refused, for whoever asks for the next puzzle. Raises `OperatorError`
    for a game that is not installed.
    """
    of = tables.puzzles
    beginning = msgspec.json.encode({"game": game, "rules": games.find(game).version}).decode()
    return and_(of.c.game == game, of.c.content.startswith(f"{beginning[:-1]},", autoescape=True))


def _position(content: str) -> Position | None:
    try:
        return position_of(msgspec.json.decode(content, type=Puzzle))
    except (OperatorError, msgspec.MsgspecError):
        return None


def names(database: Database, game: str) -> list[str]:
    """The puzzles of a game by their identifiers, the oldest first; none of rules that are others by now."""
    of = tables.puzzles
    try:
        is_there = _now_of(game), of.c.ladder.in_(public(database))
    except OperatorError:
        return []
    asked = select(of.c.id).where(*is_there).order_by(of.c.at, of.c.id)
    return list(database.read(lambda connection: connection.execute(asked).scalars().all()))


def tried(database: Database, person: Person, game: str) -> dict[str, bool]:
    """What a person has tried of a game, in this order, and whether it was solved."""
    of = tables.puzzle_tries
    asked = select(of.c.puzzle, of.c.solved).where(of.c.person == person.id, of.c.game == game).order_by(of.c.id)
    return {row[0]: bool(row[1]) for row in database.read(lambda connection: connection.execute(asked).all())}


def note_try(database: Database, person: Person, one: Position, solved: bool) -> None:
    """Keep a person's first answer; later ones count for nothing."""
    of = tables.puzzle_tries
    row = {"person": person.id, "puzzle": one.id, "game": one.game.name, "solved": int(solved), "at": time()}

    def act(connection: Connection) -> None:
        same = select(of.c.id).where(of.c.person == person.id, of.c.puzzle == one.id)
        if connection.execute(same).first() is None:
            tables.inserted(connection, of, row)

    database.write(act)


class Ratings:
    """The ratings of puzzles and people, by game; each try is taken in once."""

    def __init__(self, database: Database) -> None:
        self._database = proxy(database)
        self._by_game: dict[str, tuple[int, PuzzleRatings]] = {}
        self._lock = Lock()

    def of(self, game: str) -> PuzzleRatings:
        """Those of a game, as they are now; a person's name in them is the number."""
        table = tables.puzzle_tries
        with self._lock:
            last, ratings = self._by_game.get(game, (0, PuzzleRatings()))
            asked = select(table.c.id, table.c.person, table.c.puzzle, table.c.solved)
            newer = asked.where(table.c.game == game, table.c.id > last).order_by(table.c.id.desc()).limit(MAX_TRIES)
            rows = self._database.read(lambda connection: connection.execute(newer).all())
            for number, person, puzzle, solved in reversed(rows):
                ratings.take(Attempt(puzzle, str(person), bool(solved)))
                last = number
            self._by_game[game] = last, ratings
            return ratings


_RATINGS: WeakKeyDictionary[Database, Ratings] = WeakKeyDictionary()


def ratings_of(database: Database, game: str) -> PuzzleRatings:
    """The ratings of a game's puzzles and of who solves them, as they are now."""
    return _RATINGS.setdefault(database, Ratings(database)).of(game)


def nearest(fresh: Sequence[str], ratings: PuzzleRatings, person: Person) -> str:
    """The puzzle that is as hard as a person is good; the first one where that is not known."""
    own = ratings.of_solver(str(person.id))
    if own is None or not own.is_known:
        return fresh[0]
    far = {name: ratings.of_puzzle(name) for name in fresh[:CHOSEN_AMONG]}
    return min(far, key=lambda name: 1e6 if (found := far[name]) is None else abs(found.points - own.points))


def next_after(known: Sequence[str], passed: Collection[str], after: str) -> str:
    """The first of the puzzles that is none of those passed over; behind them, the one that follows `after`."""
    fresh = [name for name in known if name not in passed and name != after]
    if fresh and after not in known:
        return fresh[0]
    at = known.index(after) if after in known else -1
    return known[(at + 1) % len(known)]
