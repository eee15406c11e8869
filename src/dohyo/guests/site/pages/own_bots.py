"""An author's own bots: versions, which of them plays, and their code as it was handed in."""

from __future__ import annotations

from time import time
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import hand_ins, ladders, own_bots
from dohyo.guests.site.arena.own_bots import OwnBot
from dohyo.guests.site.arena.own_faults import BotFaults, faults_of
from dohyo.guests.site.arena.quota import in_megabytes, kept_by
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.edge.asking import Asking, download, going, text
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import MAX_NUMBER

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
MAX_DIGITS = 9  # of a version's number


@get("/my/bots", sync_to_thread=True)
def show_bots(ask: Asking) -> Response[Any]:
    """Each bot with its versions."""
    if ask.person is None:
        return ask.needs_account()
    return ask.page("own-bots", **_listed(ask, ask.person))


def _listed(ask: Asking, person: Person) -> dict[str, Any]:
    """What the page shows: the bots, and how much is kept of what may be."""
    kept = kept_by(ask.database, person)
    values = {"size": kept.megabytes, "most": in_megabytes(ask.quota.size)}
    told = ask.say("serve.kept", **values, versions=kept.versions, most_versions=ask.quota.versions)
    bots = own_bots.with_outs_of(ask.arena, own_bots.of_person(ask.database, person), person)
    now = time()
    may = {
        "open_now": {bot.id for bot in bots if bot.ladder.takes_hand_ins(now)},
        "may_retire": {bot.id for bot in bots if bot.plays and bot.ladder.may_be_left(now)},
    }
    return {"bots": bots, "kept": told, "faults": _faults(ask, bots), **may}


def _faults(ask: Asking, bots: list[OwnBot]) -> dict[int, BotFaults]:
    """What one's bots did wrong, by their numbers; nothing of a ladder that is not there for this person any more."""
    found: dict[int, BotFaults] = {}
    there = {ladder.id for ladder in ladders.all_of(ask.database, ask.person)}
    for ladder in {bot.ladder.id: bot.ladder for bot in bots if bot.ladder.id in there}.values():
        mine = {bot.name: bot.id for bot in bots if bot.ladder.id == ladder.id}
        with seen(ask.arena, ladder, ask.person) as store:
            found |= {mine[name]: one for name, one in faults_of(store, ladder.slug, mine).items()}
    return found


def own_bot(ask: Asking, number: int) -> OwnBot | None:
    """The bot of this number, if it is this person's."""
    if ask.person is None or not 0 <= number <= MAX_NUMBER:
        return None
    return own_bots.find(ask.database, ask.person, number)


def playing_bot(ask: Asking, number: int) -> OwnBot | None:
    """One of one's bots, if its ladder is there for this person: who has left a class sees nothing of it any more."""
    bot = own_bot(ask, number)
    if bot is None or ladders.find(ask.database, bot.ladder.slug, ask.person) is None:
        return None
    return bot


@post("/my/bots/{number:int}/version", sync_to_thread=True)
def choose_version(ask: Asking, number: int, data: Form) -> Response[Any]:
    """Let another version play; without one, none."""
    version = text(data, "version", MAX_DIGITS)
    is_retired = version in ("", "0")
    bot = own_bot(ask, number) if is_retired else playing_bot(ask, number)
    if bot is None or ask.person is None:
        return ask.nothing()
    try:
        if is_retired:
            own_bots.retire(ask.database, ask.arena, bot)
        else:
            own_bots.choose(ask.database, ask.arena, bot, int(version) if version.isdecimal() else 0)
    except OperatorError as error:
        return ask.problem("own-bots", error, **_listed(ask, ask.person), wrong=bot.id)
    return going("/my/bots")


@post("/my/bots/{number:int}/delete", sync_to_thread=True)
def delete_version(ask: Asking, number: int, data: Form) -> Response[Any]:
    """Delete the files of a version that does not play."""
    version, bot = text(data, "version", MAX_DIGITS), own_bot(ask, number)
    if bot is None or ask.person is None:
        return ask.nothing()
    try:
        wanted = int(version) if version.isdecimal() else 0
        own_bots.delete_version(ask.database, ask.site.files(), bot, wanted)
    except OperatorError as error:
        return ask.problem("own-bots", error, **_listed(ask, ask.person), wrong=bot.id)
    return going("/my/bots")


@get("/hand-ins/{number:int}/code", sync_to_thread=True)
def load_code(ask: Asking, number: int) -> Response[Any]:
    """What was handed in, byte for byte: for its author alone."""
    found = hand_ins.find(ask.database, number) if 0 <= number <= MAX_NUMBER else None
    if found is None or ask.person is None or found.person != ask.person.id or not found.file:
        return ask.nothing()
    return download(ask.site.files().get(found.file), found.filename)


HANDLERS = [show_bots, choose_version, delete_version, load_code]
