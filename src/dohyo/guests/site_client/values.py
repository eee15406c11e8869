"""What a site answers, as far as it is looked at. All of it is a stranger's: it is cleaned when it is shown."""

from __future__ import annotations

import msgspec


class OwnToken(msgspec.Struct):
    """A token: what it may do, and when it ends, in seconds from 1970."""

    name: str
    scopes: list[str]
    until: float


class Me(msgspec.Struct):
    """Whose token it is."""

    name: str
    token: OwnToken


class SiteLadder(msgspec.Struct):
    """A ladder or a contest: its name in addresses, and its title."""

    slug: str
    title: str


class SiteLadders(msgspec.Struct):
    """A page of those that are there for whose token it is; `next` is null on the last one."""

    items: list[SiteLadder]
    next: int | None = None


class SiteHandIn(msgspec.Struct):
    """A hand-in and its state, and why its bot is disqualified; empty if it is not."""

    id: int
    ladder: str
    bot: str
    version: int
    state: str
    disqualified: str = ""


class SiteHandIns(msgspec.Struct):
    """Hand-ins, the newest first."""

    items: list[SiteHandIn]


class SiteFinding(msgspec.Struct):
    """What the check found."""

    severity: str
    said: str
    where: str
    advice: str
    count: int
    input: str
    written: str
    errors: str


class ExaminedHandIn(SiteHandIn, kw_only=True):
    """A hand-in, and what the check found."""

    reason: str
    log: str
    findings: list[SiteFinding]


class SiteStanding(msgspec.Struct):
    """How a bot stands; `low` and `high` bound its rating with 95 %, none if that says nothing yet."""

    place: int | None
    rating: int | None
    matches: int
    low: int | None = None
    high: int | None = None


class SiteProblem(msgspec.Struct):
    """Why something was not done (RFC 9457)."""

    detail: str
