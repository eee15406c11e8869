"""What is asked and answered, as msgspec reads and writes it, and OpenAPI describes it.

Times are seconds from 1970 (UTC).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar.params import Parameter
from msgspec import Meta

from dohyo.guests.site.arena.contest_form import LONGEST_WORD
from dohyo.guests.site.arena.hand_ins import LONGEST_FILENAME
from dohyo.guests.site.arena.ladders import LONGEST_TITLE
from dohyo.guests.site.people.accounts import LONGEST_NAME
from dohyo.guests.site.tables import MAX_NUMBER

MAX_PAGE, USUAL_PAGE = 100, 50
LONGEST_SOURCE = 1 << 20  # characters
SLUG = r"^[a-z0-9-]{1,100}$"
SEEN = r"^[^\x00-\x1f\x7f]*$"

Number = Annotated[int, Parameter(gt=-1, le=MAX_NUMBER)]
Slug = Annotated[str, Parameter(pattern=SLUG, description="A ladder's name in addresses.")]
BotName = Annotated[str, Parameter(min_length=1, max_length=60, pattern=SEEN, description="A bot's name.")]
After = Annotated[
    int, Parameter(gt=-1, le=MAX_NUMBER, description="Go on behind the last page: its `next`. 0: begin.")
]
Limit = Annotated[int, Parameter(ge=1, le=MAX_PAGE, description="How many at most.")]


class TokenOut(msgspec.Struct):
    """A token: what it may do, and when it ends."""

    name: str
    scopes: list[str]
    until: float


class Me(msgspec.Struct):
    """Whose token it is."""

    name: str
    role: Literal["author", "organiser"]
    token: TokenOut


class ContestOut(msgspec.Struct):
    """When a contest takes hand-ins and is played, and by which format; it ends by itself where `ends` is null."""

    state: Literal["announced", "open", "closed", "playing", "over"]
    opens: float
    closes: float
    starts: float
    ends: float | None
    format: str
    rounds: int


class LadderOut(msgspec.Struct):
    """A ladder, or a contest. `played` is false while the judge cannot play it.

    What was reached after `frozen` is hidden at this moment from who is no organiser; null: nothing is. `contest` is
    null of a ladder.
    """

    slug: str
    title: str
    game: str
    played: bool
    frozen: float | None
    contest: ContestOut | None


class Ladders(msgspec.Struct):
    """A page of ladders; `next` is null on the last one."""

    items: list[LadderOut]
    next: int | None


class NewLadder(msgspec.Struct, forbid_unknown_fields=True):
    """A ladder to be made."""

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    title: Annotated[str, Meta(max_length=LONGEST_TITLE)] = ""


class Standing(msgspec.Struct):
    """A bot's line. Without matches it has no rating; `low` and `high` are null if they say nothing yet.

    `disqualified` says why it is; empty: it is not.
    """

    bot: str
    author: str
    place: int | None
    rating: int | None
    low: int | None
    high: int | None
    matches: int
    won: int
    drawn: int
    lost: int
    faulty: int
    disqualified: str


class Standings(msgspec.Struct):
    """A page of standings, the best first; `matches` were played in all."""

    items: list[Standing]
    matches: int
    next: int | None


class SeatOut(msgspec.Struct):
    """Who sat where, and which place it took (1 the best, equal ones shared)."""

    bot: str
    place: int


class MatchOut(msgspec.Struct):
    """A match: its number in the ladder, when it ended, and its seats."""

    number: int
    at: float
    seats: list[SeatOut]


class Matches(msgspec.Struct):
    """A page of matches, the newest first."""

    items: list[MatchOut]
    next: int | None


class HandInOut(msgspec.Struct):
    """A hand-in: `waiting`, `checking` (the judge has begun), `refused`, `entered` (it plays), `replaced` by another
    version of its bot, `retired` with its bot, or `disqualified`: why its bot is, says the field of this name.
    """

    id: int
    ladder: str
    bot: str
    version: int
    author: str
    filename: str
    at: float
    state: Literal["waiting", "checking", "refused", "entered", "replaced", "retired", "disqualified"]
    disqualified: str


class HandIns(msgspec.Struct):
    """A page of hand-ins, the newest first."""

    items: list[HandInOut]
    next: int | None


class FindingOut(msgspec.Struct):
    """What the check found, in words; texts that a bot was sent, or wrote, where they explain it."""

    severity: str
    said: str
    where: str
    advice: str
    count: int
    input: str
    written: str
    errors: str


class ExaminedHandIn(HandInOut):
    """A hand-in with what is known of it. `reason` says why it cannot be used, `log` what the compiler printed.

    Until it is examined, all of this is empty; `match` says whether there is a replay of its check match.
    """

    language: str
    reason: str
    log: str
    findings: list[FindingOut]
    match: bool


class HandInSource(msgspec.Struct, forbid_unknown_fields=True):
    """A source that is handed in as JSON; the file name's ending says its language."""

    bot: Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_NAME)]
    filename: Annotated[str, Meta(min_length=1, max_length=LONGEST_FILENAME)]
    source: Annotated[str, Meta(min_length=1, max_length=LONGEST_SOURCE)]
    word: Annotated[str, Meta(max_length=LONGEST_WORD, description="Of a contest that is entered by a word.")] = ""
