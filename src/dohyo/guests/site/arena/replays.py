"""The replay of a ladder's match as somebody may see it: what a bot wrote for its author alone is its author's."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Move, Replay
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import MAX_NUMBER

MAX_REPLAY = 64 << 20  # bytes


def find(arena: Arena, ladder: Ladder, person: Person | None, number: int) -> tuple[Result, Replay] | None:
    """A match that this person (none: a visitor) may see, and its whole replay; none if there is none."""
    there = stored(arena, ladder, person, number)
    return None if there is None else (there[0], decode(there[1]))


def stored(arena: Arena, ladder: Ladder, person: Person | None, number: int) -> tuple[Result, bytes] | None:
    """A match that this person may see, and the bytes of its replay as the store has them; none if there is none."""
    if not 0 <= number <= MAX_NUMBER:
        return None
    try:
        with seen(arena, ladder, person) as store:
            if store is None:
                return None
            contest = store.contest(ladder.slug)
            result = store.result(contest, number)
            if result.replay is None:
                return None
            return result, store.files.get(result.replay, MAX_REPLAY)
    except OperatorError as error:
        if error.key in ("store-no-match", "store-no-contest"):
            return None
        raise


def for_authors(replay: Replay, own: Collection[str] = ()) -> Replay:
    """The replay without what bots wrote to standard error and as comments, but for the `own` ones, by name."""
    return for_seats(replay, {at for at, seat in enumerate(replay.header.seats) if seat.name in own})


def for_seats(replay: Replay, seats: Collection[int]) -> Replay:
    """The replay without what bots wrote for their authors alone, but for those on these seats.

    Others' digests are left out as well: by the digest of its files a bot is known again where its author has another
    name, and whoever guesses a source could prove whose it is.
    """

    def known(move: Move) -> Move:
        if move.seat in seats:
            return move
        return replace(move, stderr="", stderr_dropped=0, comments="", comments_dropped=0)

    turns = [replace(turn, moves=tuple(map(known, turn.moves))) for turn in replay.turns]
    last = tuple(move for move in replay.result.last if move.seat in seats)
    there = [seat if at in seats else replace(seat, digest="") for at, seat in enumerate(replay.header.seats)]
    header = replace(replay.header, seats=tuple(there))
    return replace(replay, header=header, turns=turns, result=replace(replay.result, last=last))
