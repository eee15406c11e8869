"""What only the author of a bot sees of its matches: requested ones, what it was sent and wrote, why it lost."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body, Parameter

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.guests.site.arena import analyses, ladders, own_bots, own_turns, replays, requests
from dohyo.guests.site.arena.blunders import Blunders, ask_for_more, blunders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.losses import losses
from dohyo.guests.site.arena.match_told import match_told
from dohyo.guests.site.arena.requests import Request
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.edge.asking import Asking, download, going, html, text
from dohyo.guests.site.edge.security import VIEWER_POLICY
from dohyo.guests.site.pages.own_bots import playing_bot
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.match.hand_in_names import received_name
from dohyo.series.store import Store
from dohyo.web import page as viewer

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
MAX_OFFERED = 100  # bots of a ladder that a field proposes

Page = Annotated[int, Parameter(ge=1, le=100_000)]


class OwnMatch(msgspec.Struct, frozen=True):
    """A match with bots of somebody's own, at the address `place`: `request` is 0 where it is a ladder's."""

    ladder: Ladder
    request: int
    number: int
    place: str
    replay: Replay
    seats: tuple[int, ...]

    @property
    def name(self) -> str:
        """A name for files."""
        return (
            f"{self.ladder.slug}-request-{self.request}-{self.number}"
            if self.request
            else f"{self.ladder.slug}-{self.number}"
        )


def of_ladder(ask: Asking, slug: str, number: int) -> OwnMatch | None:
    """A match of a ladder in which a bot of this person played; none otherwise."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or ask.person is None:
        return None
    found = replays.find(ask.arena, ladder, ask.person, number)
    mine = own_bots.whose(ask.database, ladder, ask.person)
    if found is None or not mine:
        return None
    replay = replays.for_authors(found[1], mine)
    seats = tuple(at for at, seat in enumerate(replay.header.seats) if seat.name in mine)
    return OwnMatch(ladder, 0, number, f"/ladders/{slug}/matches/{number}", replay, seats) if seats else None


def of_request(ask: Asking, number: int, match: int) -> OwnMatch | None:
    """A match that this person has requested; none otherwise."""
    request = _request(ask, number)
    played = next((one for one in request.played if one.number == match), None) if request else None
    if request is None or played is None:
        return None
    replay = decode(ask.site.files().get(played.replay, replays.MAX_REPLAY))
    seats = tuple(at for at, seat in enumerate(request.seats) if seat.mine)
    whole = replays.for_seats(replay, seats)
    return OwnMatch(request.ladder, number, match, f"/my/matches/{number}/{match}", whole, seats)


def _request(ask: Asking, number: int) -> Request | None:
    if ask.person is None or not 0 <= number <= MAX_NUMBER:
        return None
    return requests.find(ask.database, ask.person, number)


# --- matches that one requests


@get("/my/matches", sync_to_thread=True)
def show_requests(ask: Asking, bot: int = 0) -> Response[Any]:
    """What one has requested, and the form for more, with one of one's bots."""
    if ask.person is None:
        return ask.needs_account()
    chosen = playing_bot(ask, bot) if bot else None
    if chosen is not None and chosen.ladder.terms is not None:  # in a contest nothing is asked for
        chosen = None
    return ask.page("own-matches", **_listed(ask, chosen))


def _listed(ask: Asking, bot: own_bots.OwnBot | None) -> dict[str, Any]:
    assert ask.person is not None
    there_are = {ladder.id for ladder in ladders.all_of(ask.database, ask.person) if ladder.terms is None}
    every = own_bots.of_person(ask.database, ask.person)
    mine = [one for one in every if one.entered and one.ladder.id in there_are]
    chosen = bot or next(iter(mine), None)
    fewest, most = requests.seats_of(chosen.ladder) if chosen else (0, 0)
    with_whom: list[str] = []
    if chosen is not None:
        with seen(ask.arena, chosen.ladder, ask.person) as store:
            there = own_bots.entrants_of(store, chosen.ladder)
        own = {one.name for one in mine if one.ladder.id == chosen.ladder.id}
        with_whom = [each.name for each in there if not each.is_away and each.name not in own][:MAX_OFFERED]
        for one in mine:
            if one.ladder.id == chosen.ladder.id:
                with_whom += [f"{one.name}@{each.version}" for each in one.entered]
    return {
        "requests": requests.of_person(ask.database, ask.person),
        "bots": mine,
        "chosen": chosen,
        "offered": with_whom,
        "fewest": fewest,
        "words": [chosen.name if chosen and not seat else "" for seat in range(most)],
        "seed": "",
        "count": "1",
        "most": requests.MAX_MATCHES,
        "wrong": False,
    }


@post("/my/matches/request/{bot:int}", sync_to_thread=True)
def request_matches(ask: Asking, bot: int, data: Form) -> Response[Any]:
    """Ask for matches in the ladder of one of one's bots."""
    chosen = playing_bot(ask, bot)
    if chosen is None or ask.person is None:
        return ask.nothing()
    _, most = requests.seats_of(chosen.ladder)
    words = [text(data, f"seat{seat}", 60) for seat in range(most)]
    seed, count = text(data, "seed", 20).strip(), text(data, "count", 10).strip()
    try:
        requests.ask(ask.database, ask.arena, chosen.ladder, ask.person, words, seed, count)
    except OperatorError as error:
        values = {"words": words, "seed": seed, "count": count, "wrong": True}
        return ask.problem("own-matches", error, **{**_listed(ask, chosen), **values})
    return going("/my/matches")


@post("/my/matches/{number:int}/remove", sync_to_thread=True)
def remove_request(ask: Asking, number: int) -> Response[Any]:
    """Withdraw a request, and forget what was played of it."""
    request = _request(ask, number)
    if request is None or ask.person is None:
        return ask.nothing()
    requests.remove(ask.database, ask.person, number)
    return going("/my/matches")


# --- one match


@get("/my/matches/{number:int}/{match:int}", sync_to_thread=True)
def show_requested(ask: Asking, number: int, match: int) -> Response[Any]:
    """A requested match."""
    return _show(ask, of_request(ask, number, match))


@get("/ladders/{slug:str}/matches/{number:int}/own", sync_to_thread=True)
def show_own(ask: Asking, slug: str, number: int) -> Response[Any]:
    """A ladder's match, for the author of a bot in it."""
    return _show(ask, of_ladder(ask, slug, number))


def _show(ask: Asking, match: OwnMatch | None, wrong: str = "") -> Response[Any]:
    if match is None or ask.person is None:
        return ask.nothing()
    found = analyses.find(ask.database, ask.person, match.ladder, match.request, match.number)
    shown = next((one for one in analyses.shown(ask.site, found) if one.get("seat") is None), {})
    points = [one for one in shown.get("points", ()) if one["seat"] in match.seats]
    ended = match_told(match.replay, ask.speaker, match.seats)
    return ask.page(
        "own-match",
        match=match,
        names=[seat.name for seat in match.replay.header.seats],
        places=match.replay.result.places,
        can_pull=doors.has_command("pull"),
        can_analyse=bool(doors.brought("analyses").get("match")),
        analysis=found,
        points=points[:10],
        note=(found.note if found else "") or shown.get("note", ""),
        wrong=wrong,
        match_told=ended,
        own_faults=[fault for one in ended.seats if one.is_own for fault in one.faults],
    )


@get("/my/matches/{number:int}/{match:int}/board", sync_to_thread=True)
def show_requested_board(ask: Asking, number: int, match: int) -> Response[Any]:
    """The viewer with a requested match."""
    return _board(ask, of_request(ask, number, match))


@get("/ladders/{slug:str}/matches/{number:int}/own/board", sync_to_thread=True)
def show_own_board(ask: Asking, slug: str, number: int) -> Response[Any]:
    """The viewer with a ladder's match, and what one's own bots wrote for their author alone."""
    return _board(ask, of_ladder(ask, slug, number))


def _board(ask: Asking, match: OwnMatch | None) -> Response[Any]:
    if match is None or ask.person is None:
        return ask.nothing()
    found = analyses.find(ask.database, ask.person, match.ladder, match.request, match.number)
    page = viewer.html(match.replay, ask.speaker, analysis=analyses.shown(ask.site, found))
    return html(page, VIEWER_POLICY)


@get("/my/matches/{number:int}/{match:int}/turns", sync_to_thread=True)
def show_requested_turns(
    ask: Asking, number: int, match: int, seat: int = -1, page: Page = 1, turn: int = -1
) -> Response[Any]:
    """What one's own bot was sent and wrote in a requested match; with a turn, the page that has it."""
    return _turns(ask, of_request(ask, number, match), seat, page, turn)


@get("/ladders/{slug:str}/matches/{number:int}/own/turns", sync_to_thread=True)
def show_own_turns(
    ask: Asking, slug: str, number: int, seat: int = -1, page: Page = 1, turn: int = -1
) -> Response[Any]:
    """What one's own bot was sent and wrote in a ladder's match; with a turn, the page that has it."""
    return _turns(ask, of_ladder(ask, slug, number), seat, page, turn)


def _turns(ask: Asking, match: OwnMatch | None, seat: int, page: int, turn: int) -> Response[Any]:
    if match is None:
        return ask.nothing()
    at = match.seats[0] if seat == -1 else seat
    if at not in match.seats:
        return ask.nothing()
    wanted = page if turn < 0 else own_turns.page_with(match.replay, at, turn)
    found = own_turns.page_of(match.replay, at, wanted, ask.speaker)
    return ask.page("own-turns", match=match, seat=at, found=found, name=match.replay.header.seats[at].name)


@get("/my/matches/{number:int}/{match:int}/files/{what:str}", sync_to_thread=True)
def load_requested(ask: Asking, number: int, match: int, what: str, seat: int = -1) -> Response[Any]:
    """A file about a requested match."""
    return _file(ask, of_request(ask, number, match), what, seat)


@get("/ladders/{slug:str}/matches/{number:int}/own/files/{what:str}", sync_to_thread=True)
def load_own(ask: Asking, slug: str, number: int, what: str, seat: int = -1) -> Response[Any]:
    """A file about a ladder's match: the replay with one's own standard error, all inputs, or all turns."""
    return _file(ask, of_ladder(ask, slug, number), what, seat)


def _file(ask: Asking, match: OwnMatch | None, what: str, seat: int) -> Response[Any]:
    if match is None or what not in ("replay", "input", "turns"):
        return ask.nothing()
    name = received_name(match.name)
    if what == "replay":
        return download(encode(match.replay), f"{name}.replay")
    if seat not in match.seats:
        return ask.nothing()
    if what == "input":
        return download(own_turns.whole_input(match.replay, seat), f"{name}-seat{seat}-input.txt")
    return download(own_turns.as_lines(match.replay, seat), f"{name}-seat{seat}.jsonl")


@post("/my/matches/{number:int}/{match:int}/analyse", sync_to_thread=True)
def analyse_requested(ask: Asking, number: int, match: int) -> Response[Any]:
    """Let the judge say why a requested match went as it did."""
    return _analyse(ask, of_request(ask, number, match))


@post("/ladders/{slug:str}/matches/{number:int}/own/analyse", sync_to_thread=True)
def analyse_own(ask: Asking, slug: str, number: int) -> Response[Any]:
    """Let the judge say why a ladder's match went as it did."""
    return _analyse(ask, of_ladder(ask, slug, number))


def _analyse(ask: Asking, match: OwnMatch | None) -> Response[Any]:
    if match is None or ask.person is None or not doors.brought("analyses").get("match"):
        return ask.nothing()
    language = ask.speaker.language
    try:
        analyses.ask(ask.database, ask.person, match.ladder, match.request, match.number, language)
    except OperatorError as error:
        if not error.key.startswith("serve-"):
            raise
        page = _show(ask, match, error.say(ask.speaker))
        page.status_code = 429 if error.key == "serve-too-often" else 422
        return page
    return going(match.place if match.request else f"{match.place}/own")


# --- all matches of a bot


@get("/my/bots/{number:int}/losses", sync_to_thread=True)
def show_losses(ask: Asking, number: int, version: int = 0) -> Response[Any]:
    """What cost one's bot the most points."""
    bot = playing_bot(ask, number)
    return ask.nothing() if bot is None or ask.person is None else _losses(ask, bot, version)


def _losses(ask: Asking, bot: own_bots.OwnBot, version: int = 0, wrong: str = "", status: int = 200) -> Response[Any]:
    chosen = next((one for one in bot.entered if one.version == version), None)
    digest = chosen.digest if chosen else ""
    with seen(ask.arena, bot.ladder, ask.person) as store:
        found = None if store is None else losses(store, bot.ladder.slug, bot.name, digest)
        mistakes = None if store is None else _blunders(ask, store, bot, digest)
    told: dict[str, Any] = {"version": chosen.version if chosen else 0, "can_pull": doors.has_command("pull")}
    told |= {"mistakes": mistakes, "can_analyse": bool(doors.brought("analyses").get("match")), "wrong": wrong}
    return ask.page("losses", status=status, bot=bot, found=found, **told)


def _blunders(ask: Asking, store: Store, bot: own_bots.OwnBot, digest: str = "") -> Blunders:
    assert ask.person is not None
    return blunders(ask.database, ask.site.files(), store, bot.ladder, ask.person, bot.name, digest)


@post("/my/bots/{number:int}/losses", sync_to_thread=True)
def analyse_lost(ask: Asking, number: int) -> Response[Any]:
    """Let the judge analyse the last matches that one's bot lost."""
    bot = playing_bot(ask, number)
    if bot is None or ask.person is None or not doors.brought("analyses").get("match"):
        return ask.nothing()
    with seen(ask.arena, bot.ladder, ask.person) as store:
        found = None if store is None else _blunders(ask, store, bot)
    try:
        if found is not None:
            ask_for_more(ask.database, ask.person, bot.ladder, found, ask.speaker.language)
    except OperatorError as error:
        if not error.key.startswith("serve-"):
            raise
        return _losses(ask, bot, 0, error.say(ask.speaker), 429 if error.key == "serve-too-often" else 422)
    return going(f"/my/bots/{number}/losses#decisions-title")


HANDLERS = [
    show_requests,
    request_matches,
    remove_request,
    show_requested,
    show_own,
    show_requested_board,
    show_own_board,
    show_requested_turns,
    show_own_turns,
    load_requested,
    load_own,
    analyse_requested,
    analyse_own,
    show_losses,
    analyse_lost,
]
