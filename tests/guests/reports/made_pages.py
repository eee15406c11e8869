"""Pages of matches, made by processes of their own, some of which the system kills.

Each of those processes reads this file: it imports neither pytest nor a browser.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from msgspec.structs import replace

from dohyo import games
from dohyo.core import notices, replay_format
from dohyo.core.errors import MachineError
from dohyo.guests.reports import matches
from dohyo.guests.reports.matches import Recorded, pages
from dohyo.i18n import Speaker
from dohyo.web.plain.markup import Markup
from tests.series.made_contests import HOSTILE
from tests.web.matches import decided

FEW = 3  # matches that one process makes alone, here: other processes make as many as they would of more

GAME = games.find("drop-block")
AROUND = Markup('<nav class="around"><a href="../index.html">Back</a></nav>')


def recorded(number: int = 0) -> Recorded:
    """A match whose first bot has markup for a name."""
    replay = decided()
    first, *others = replay.header.seats
    replay.header = replace(replay.header, seats=(replace(first, name=HOSTILE), *others))
    return Recorded(number, replay_format.encode(replay), AROUND)


def made_in_order() -> None:
    """Make more pages than one process makes alone, one of them of a damaged replay, and look at all."""
    matches.FEW = FEW
    match = recorded()
    many = [match._replace(number=number) for number in range(FEW + 9)]
    many[FEW + 3] = many[FEW + 3]._replace(replay=b"damaged")
    made = list(pages(GAME, "viewer.js", Speaker("en"), iter(many)))
    assert [match.number for match, _ in made] == list(range(FEW + 9))
    assert [match.number for match, page in made if page is None] == [FEW + 3]
    assert len({page for _, page in made if page is not None}) == 1


MAKE = matches._make
ONCE, ALWAYS = FEW + 3, FEW + 7


def dying(match: Recorded) -> bytes | None:
    """Make a page; the process is killed over one match once, and over another one always."""
    flag = Path("killed-once")
    if match.number == ALWAYS or (match.number == ONCE and not flag.exists()):
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return MAKE(match)


def made_by_dying() -> None:
    """Make pages by processes that the system kills; what is told of it."""
    told: list[tuple[str, object]] = []
    matches.FEW = FEW
    matches._make = dying
    match = recorded()
    os.sched_getaffinity = lambda pid: {0, 1}
    many = [match._replace(number=number) for number in range(FEW + 20)]
    with notices.heard_by(lambda key, details: told.append((key, details["match"]))):
        made = list(pages(GAME, "viewer.js", Speaker("en"), iter(many)))
    assert [match.number for match, _ in made] == list(range(FEW + 20))
    assert [match.number for match, page in made if page is None] == [ALWAYS]
    assert told == [("site-page-killed", ALWAYS)]
    matches.MAX_LOST = 1
    try:
        list(pages(GAME, "viewer.js", Speaker("en"), iter(many)))
    except MachineError:
        return
    raise AssertionError("nothing was said of a process that was killed again")
