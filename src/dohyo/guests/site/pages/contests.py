"""Contests: the form that makes one, a contest's page, and how somebody enters who has to say a word first."""

from __future__ import annotations

from collections.abc import Mapping
from time import time
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import games
from dohyo.core import asked
from dohyo.core.descriptions import option_in
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import Option, takes_in
from dohyo.guests.site.arena import contest_form, contests, hand_ins, ladders
from dohyo.guests.site.arena.contest_form import Draft, shown_value, written_moment
from dohyo.guests.site.arena.contest_page import Place, contest_page
from dohyo.guests.site.arena.house import begins_alike, clock_of, house
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.outs import with_outs
from dohyo.guests.site.arena.sight import sight
from dohyo.guests.site.arena.terms import Phase
from dohyo.guests.site.arena.uploads import MAX_BYTES, MAX_FILES
from dohyo.guests.site.edge.asking import Asking, download, going, organisers_only, text
from dohyo.guests.site.groups import roster
from dohyo.guests.site.pages.playable import playable
from dohyo.guests.site.pages.rules import time_of
from dohyo.guests.site.pages.teaching import chosen
from dohyo.guests.site.talk import announcements, questions
from dohyo.i18n.catalogue import has
from dohyo.series import formats
from dohyo.series.request import ContestRequest

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
MAX_FIELDS = 300
LONGEST = 100_000  # characters of a list of names
MOMENTS = ("opens", "closes", "starts", "ends")
FIRST = 3  # lines on the first page
COMMON = ("round-robin", "swiss", "single-elimination", "double-elimination", "ladder")


@get("/contests/new", sync_to_thread=True)
def new_contest_page(ask: Asking, game: str = "") -> Response[Any]:
    """The form for a new contest: the game first, as its options are part of the form."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    there = playable(ask)
    if game not in {one["name"] for one in there}:
        return ask.page("contest-game", games=there)
    now = time()
    written = {
        "opens": written_moment(now),
        "closes": written_moment(now + contest_form.WEEK),
        "starts": written_moment(now + contest_form.WEEK),
        "format": formats.USUAL,
        "entry": "all",
        "each": "1",
        "rounds": "1",
    }
    return _form(ask, games.find(game), written, Draft())


@post("/contests/new", sync_to_thread=True)
def new_contest(ask: Asking, data: Form) -> Response[Any]:
    """Make a contest, or say beside each field what is wrong with it."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    there = playable(ask)
    name = text(data, "game", 100)
    if name not in {one["name"] for one in there}:
        return ask.page("contest-game", status=422, games=there)
    written = {key: text(data, key, LONGEST) for key in list(data)[:MAX_FIELDS]}
    draft = contest_form.read_form(games.find(name), written, time())
    if draft.terms is not None:
        try:
            made = contests.make(
                ask.database, ask.organiser, name, draft.title, draft.terms, draft.listed, chosen(data)
            )
        except OperatorError as error:
            if not error.key.startswith("serve-"):
                raise
            draft.errors["title"] = error
        else:
            return going(f"/ladders/{made.slug}")
    return _form(ask, games.find(name), written, draft, 422)


def _form(ask: Asking, game: Game, written: dict[str, str], draft: Draft, status: int = 200) -> Response[Any]:
    """The form, with what was written, and what is wrong with it beside each field."""
    errors = {name: error.say(ask.speaker.knowing(game.catalogue)) for name, error in draft.errors.items()}
    known = formats.all_formats()
    order = [*(name for name in COMMON if name in known), *(name for name in known if name not in COMMON)]
    rounds = next(each for each in asked.fields(ContestRequest) if each.name == "rounds")
    return ask.page(
        "new-contest",
        status=status,
        game=game,
        written={**written, **{name: _moment_again(written.get(name, "")) for name in MOMENTS}},
        errors=errors,
        setup=setup_fields(ask, game, written),
        formats=[(name, _said(ask, f"serve.format.{name}", name), _of_format(ask, name, written)) for name in order],
        is_alike=begins_alike(game),
        most_rounds=rounds.said.at_most,
        most_each=contest_form.MAX_EACH,
        most_delay=contest_form.MAX_DELAY,
        clock=clock_of(game.name) or "",
        groups=roster.all_of(ask.database),
        group=chosen(dict(written)),
    )


def _moment_again(word: str) -> str:
    """A moment that was written, as the field shows it again; empty for what is none."""
    try:
        return written_moment(contest_form.read_moment(word)) if word else ""
    except OperatorError:
        return ""


def setup_fields(ask: Asking, game: Game, written: Mapping[str, str]) -> list[dict[str, Any]]:
    """The options of a game's setup, as fields."""
    options = [option_in(game, each, ask.speaker) for each in game.options]
    return [_field(ask, each, f"setup.{each.name}", each.about, written) for each in options]


def _of_format(ask: Asking, name: str, written: dict[str, str]) -> list[dict[str, Any]]:
    """The options of a format, as fields."""
    found = []
    for option in formats.find(name).info.options:
        about = _said(ask, f"serve.option.{option.name}", option.about)
        found.append(_field(ask, option, f"option.{name}.{option.name}", about, written))
    return found


def _field(ask: Asking, option: Option, name: str, about: str, written: Mapping[str, str]) -> dict[str, Any]:
    """An option as a field of the form: what it means, what it takes, and what is usual."""
    return {
        "name": name,
        "key": option.name,
        "about": about,
        "takes": takes_in(option, ask.speaker),
        "usual": shown_value(option.default),
        "is_switch": isinstance(option.default, bool),
        "value": written.get(name, ""),
    }


def _said(ask: Asking, key: str, otherwise: str) -> str:
    """A sentence of ours, or of what a guest has brought its own words."""
    return ask.say(key) if has(key, {}) else otherwise


# --- its page


def show_contest(ask: Asking, ladder: Ladder, status: int = 200, **typed: Any) -> Response[Any]:
    """A contest: when what happens, who stands where, and where to hand in while that is open."""
    assert ladder.terms is not None
    now, person = time(), ask.person
    page = contest_page(ask.arena, ask.database, ladder, person)
    is_organisers = person is not None and person.is_organiser
    game = games.find(ladder.game)
    return ask.page(
        "contest",
        status=status,
        ladder=ladder,
        told=announcements.last(ask.database, person, ladder),
        questions=questions.count_open(ask.database, ladder) if is_organisers else 0,
        terms=ladder.terms,
        game=game.title,
        page=page,
        phase=ladder.terms.phase(now, page.is_over),
        sight=sight(ladder, person),
        format=_said(ask, f"serve.format.{ladder.terms.format}", ladder.terms.format),
        time=time_of(ask, ladder, game),
        entered=entered(ask, ladder) if not page.is_begun else [],
        samples=list(house(game.name)) if ladder.terms.samples else [],
        setup=[(each, shown_value(value)) for each, value in ladder.terms.setup.items()],
        may_enter=person is not None and contests.may_enter(ask.database, ladder, person),
        mine=with_outs(ask.arena, hand_ins.of_person(ask.database, person, ladder), person) if person else [],
        everybody=hand_ins.of_ladder(ask.database, ladder) if is_organisers else [],
        most_files=MAX_FILES,
        most_bytes=MAX_BYTES,
        **{"bot": "", "source": "", "filename": "bot.py", "word": "", "wrong": "", **typed},
    )


def entered(ask: Asking, ladder: Ladder) -> list[tuple[str, str]]:
    """Which bots have entered a contest so far, with their authors as this person may know them."""
    names = [one.bot for one in hand_ins.finals(ask.database, ladder)]
    authors = hand_ins.authors(ask.database, ladder, names, ask.person)
    return [(name, authors.get(name, "")) for name in names]


class Card(msgspec.Struct, frozen=True):
    """A contest on the first page: how far it is, how many bots are in it, and once it is played who leads."""

    phase: Phase
    first: list[Place]
    bots: int


def contest_card(ask: Asking, ladder: Ladder) -> Card:
    """A contest as this person sees it, in short."""
    assert ladder.terms is not None
    page = contest_page(ask.arena, ask.database, ladder, ask.person)
    samples = len(house(ladder.game)) if ladder.terms.samples else 0
    bots = len(page.places) if page.is_begun else samples + len(hand_ins.finals(ask.database, ladder))
    return Card(ladder.terms.phase(time(), page.is_over), page.places[:FIRST], bots)


def place_in_contest(ask: Asking, ladder: Ladder, bot: str) -> Place | None:
    """A bot's line in a contest; none if it is not there."""
    page = contest_page(ask.arena, ask.database, ladder, ask.person)
    return next((each for each in page.places if each.bot == bot), None)


@get("/ladders/{slug:str}/enter", sync_to_thread=True)
def enter_page(ask: Asking, slug: str, word: str = "") -> Response[Any]:
    """Where a link leads that has the word in it: the contest's page, the word in its field."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or ladder.terms is None:
        return ask.nothing()
    return show_contest(ask, ladder, word=word[: contest_form.LONGEST_WORD])


@post("/ladders/{slug:str}/enter", sync_to_thread=True)
def enter(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Let somebody enter who knows the word."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or ladder.terms is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    word = text(data, "word", contest_form.LONGEST_WORD)
    try:
        contests.join(ask.database, ladder, ask.person, word)
    except OperatorError as error:
        if not error.key.startswith("serve-"):
            raise
        status = 429 if error.key == "serve-too-often" else 422
        return show_contest(ask, ladder, status, word=word, word_problem=error.say(ask.speaker))
    return going(f"/ladders/{slug}#hand-in")


@get("/ladders/{slug:str}/part", sync_to_thread=True)
def contest_part(ask: Asking, slug: str) -> Response[Any]:
    """The part of a contest's page that moves, for its script."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or ladder.terms is None:
        return ask.nothing()
    page = contest_page(ask.arena, ask.database, ladder, ask.person)
    return ask.page("contest-part", ladder=ladder, page=page, phase=ladder.terms.phase(time(), page.is_over))


@get("/ladders/{slug:str}/code/{name:str}", sync_to_thread=True)
def show_code(ask: Asking, slug: str, name: str) -> Response[Any]:
    """What somebody handed in, for everybody: after the end, where the contest says so, and nothing is hidden."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or not is_readable(ask, ladder):
        return ask.nothing()
    found = next((one for one in hand_ins.finals(ask.database, ladder) if one.bot == name), None)
    if found is None:
        return ask.nothing()
    return download(ask.site.files().get(found.file), found.filename)


def is_readable(ask: Asking, ladder: Ladder) -> bool:
    """Whether everybody may read the code of a contest's bots now: once they have played."""
    if ladder.terms is None or not ladder.terms.readable or not sight(ladder, ask.person).is_whole:
        return False
    page = contest_page(ask.arena, ask.database, ladder, ask.person)
    return page.is_begun and ladder.terms.phase(time(), page.is_over) == "over"


HANDLERS = [new_contest_page, new_contest, enter_page, enter, contest_part, show_code]
