"""The beginning of a contest: what is played, and by whom: the versions that play when nobody hands in any more."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec

from dohyo import games
from dohyo.core.bot_spec import BotSpec, HandIn
from dohyo.core.errors import HandInError
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.house import clock_of, house
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.examine import Examined
from dohyo.i18n import LANGUAGES, Speaker
from dohyo.match.found_bots import find_bots
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.request import ContestRequest
from dohyo.series.session import begin
from dohyo.series.store.database import Database

TABLES = 4  # of a batch: short, so that whoever hands in is not kept waiting


def request_of(site: SiteFolder, ladder: Ladder, sandbox: str) -> ContestRequest:
    """What is asked for: a ladder of the game's sample bots, which others join, or a contest by its terms."""
    terms, played = ladder.terms, ladder.played
    samples: list[tuple[str, Any]] = list(house(ladder.game).items())
    if terms is None:
        own: dict[str, Any] = {"format": "ladder", "options": {"batch": TABLES}, "bots": samples}
    else:
        own = {
            "format": terms.format,
            "rounds": terms.rounds,
            "options": terms.options,
            "bots": samples if terms.samples else [],
        }
    return ContestRequest(
        game=ladder.game,
        name=ladder.slug,
        is_named=True,
        setup=played.setup,
        clock=clock_of(ladder.game, played.clock),
        sandbox=sandbox,
        store=site.arena,
        **own,
    )


def begin_contest(site: SiteFolder, database: Database, ladder: Ladder, sandbox: str) -> None:
    """Begin a contest in the store, with everybody whose hand-in passed the check.

    A hand-in that cannot be built any more is refused, and the others play. Raises `OperatorError` where it cannot
    begin: too few bots for its format, for example.
    """
    folder = site.work / f"contest-{ladder.id}"
    shutil.rmtree(folder, ignore_errors=True)
    request = request_of(site, ladder, sandbox)
    try:
        own = [(one.bot, spec) for one in hand_ins.finals(database, ladder) if (spec := _spec(site, one, folder))]
        usable = [(name, spec) for name, spec in own if _builds(database, ladder, name, spec, sandbox)]
        asked = msgspec.structs.replace(request, bots=[*usable, *request.bots])
        files = site.arena_files()
        begin(asked, frozen=False, leave_out=lambda bot, error: None, files=files).store.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _spec(site: SiteFolder, hand_in: HandInRow, folder: Path) -> BotSpec:
    """What was handed in, in a folder of its own."""
    own = folder / str(hand_in.id)
    own.mkdir(mode=0o700, parents=True)
    path = own / hand_in.filename
    path.write_bytes(site.files().get(hand_in.file))
    return HandIn(str(path), entry=True)


def _builds(database: Database, ladder: Ladder, name: str, spec: BotSpec, sandbox: str) -> bool:
    """Whether a bot can still be built; one that cannot is refused."""
    try:
        find_bots(games.find(ladder.game), [spec], None, sandbox_of(sandbox), follow=False)
    except HandInError as error:
        reason = {language: error.say(Speaker(language)) for language in LANGUAGES}
        found = msgspec.json.encode(Examined(False, reason=reason)).decode()
        for one in hand_ins.finals(database, ladder):
            if one.bot == name:
                hand_ins.refuse(database, one.id, found)
        return False
    return True
