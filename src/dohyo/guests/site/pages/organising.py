"""The organiser's page of a ladder or a contest: what can be done with it, by buttons, and what was done."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body
from msgspec.structs import replace

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import contests, decisions, hand_ins, ladders
from dohyo.guests.site.arena.contest_form import digest_of, read_list, read_moment
from dohyo.guests.site.arena.contest_page import contest_page
from dohyo.guests.site.arena.ladders import Ladder, shown_title
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.edge.asking import Asking, going, organisers_only, text
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.audit import audit, deeds
from dohyo.i18n import Message

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
LONGEST = 100_000  # characters of a list of names
HERE = {  # errors of a command, in the words of this page
    "ruling-because": "serve-because",
    "ruling-long": "serve-because",
    "contest-match-number": "serve-numbers",
    "contest-match-range": "serve-numbers",
    "contest-no-entrant": "serve-no-bot",
    "contest-is-disqualified": "serve-is-out",
    "ruling-not-disqualified": "serve-not-out",
    "contest-not-paused": "serve-not-paused",
    "contest-over": "serve-is-over",
    "store-no-match": "serve-no-match",
    "rejudge-none-out": "serve-none-meant",
    "rejudge-none-void": "serve-none-meant",
    "rejudge-none-such": "serve-none-meant",
    "rejudge-none-such-of": "serve-none-meant",
    "rejudge-none-faulty": "serve-none-meant",
    "rejudge-none-played": "serve-none-meant",
}


class Wish(NamedTuple):
    """What somebody wants done: who, with which ladder, and what was written into the form."""

    ask: Asking
    person: Person
    ladder: Ladder
    form: dict[str, Any]

    def text(self, name: str, most: int = 500) -> str:
        """What was written into a field."""
        return text(self.form, name, most).strip()

    def note(self, what: str, **about: object) -> None:
        """Write to the log what was done in the store."""
        told = {"ladder": self.ladder.slug, **about}
        self.ask.database.write(lambda connection: audit(connection, self.person, what, told))

    def change(self, what: str, decide: Callable[[Ladder], dict[str, Any]]) -> None:
        """Change the ladder's row."""
        ladders.change(self.ask.database, self.person, self.ladder, what, decide)

    def change_terms(self, what: str, decide: Callable[[Terms], Terms]) -> None:
        """Change a contest's terms. Raises `OperatorError` for a ladder, which has none."""

        def act(ladder: Ladder) -> dict[str, Any]:
            if ladder.terms is None:
                raise OperatorError("serve-no-contest")
            return {"terms": decide(ladder.terms)}

        self.change(what, act)


# --- what can be done, by the name of its button


def _open(wish: Wish) -> None:
    now = time()

    def act(terms: Terms) -> Terms:
        if now >= terms.closes:
            raise OperatorError("serve-closed-already")
        return replace(terms, opens=min(now, terms.opens))

    wish.change_terms("open", act)


def _close(wish: Wish) -> None:
    now = time()
    wish.change_terms(
        "close", lambda terms: replace(terms, opens=min(now, terms.opens), closes=min(now, terms.closes))
    )


def _start(wish: Wish) -> None:
    now = time()

    def act(terms: Terms) -> Terms:
        if terms.ends is not None and now >= terms.ends:
            raise OperatorError("serve-is-over")
        opens, closes = min(now, terms.opens), min(now, terms.closes)
        return replace(terms, opens=opens, closes=closes, starts=min(now, terms.starts))

    wish.change_terms("start", act)


def _end(wish: Wish) -> None:
    now = time()

    def act(terms: Terms) -> Terms:
        if now < terms.starts:
            raise OperatorError("serve-not-begun")
        return replace(terms, ends=now if terms.ends is None else min(now, terms.ends))

    wish.change_terms("end", act)


def _freeze(wish: Wish) -> None:
    word = wish.text("at", 40)
    ladders.freeze(wish.ask.database, wish.person, wish.ladder, read_moment(word) if word else time())
    wish.ask.arena.forget(wish.ladder.slug)


def _reveal(wish: Wish) -> None:
    ladders.freeze(wish.ask.database, wish.person, wish.ladder, None)
    wish.ask.arena.forget(wish.ladder.slug)


def _rename(wish: Wish) -> None:
    title = shown_title(wish.text("title"))
    if not title:
        raise OperatorError("serve-title-empty")
    wish.change("rename", lambda ladder: {"title": title})


def _retire(wish: Wish) -> None:
    now = time()
    wish.change("retire", lambda ladder: {"retired": now})


def _return(wish: Wish) -> None:
    wish.change("return", lambda ladder: {"retired": None})


def _distant(wish: Wish) -> None:
    taken = wish.text("taken", 5) == "yes"
    ladders.take_distant(wish.ask.database, wish.person, wish.ladder, taken=taken)


def _list(wish: Wish) -> None:
    found = read_list(wish.text("listed", LONGEST))
    contests.write_list(wish.ask.database, wish.person, wish.ladder, found)


def _word(wish: Wish) -> None:
    word = wish.text("word").strip()
    digest = digest_of(word)
    wish.change_terms("word", lambda terms: replace(terms, word=digest, said=word))


def _out(wish: Wish) -> None:
    bot, because = wish.text("bot"), wish.text("because", 2000)
    decisions.disqualify(wish.ask.arena, wish.ladder, bot, because)
    wish.note("out", bot=bot, because=because)


def _back(wish: Wish) -> None:
    bot = wish.text("bot")
    decisions.take_back(wish.ask.arena, wish.ladder, bot)
    wish.note("back", bot=bot)


def _resume(wish: Wish) -> None:
    bot = wish.text("bot")
    decisions.resume(wish.ask.arena, wish.ladder, bot)
    wish.note("resume", bot=bot)


def _again_bot(wish: Wish) -> None:
    bot, because = wish.text("bot"), wish.text("because", 2000)
    everything = wish.text("everything") == "yes"
    count = decisions.again_by_bot(wish.ask.arena, wish.ladder, bot, everything, because)
    wish.note("again-bot", bot=bot, count=count, because=because)


def _again_matches(wish: Wish) -> None:
    numbers, because = wish.text("numbers", decisions.MAX_NUMBERS), wish.text("because", 2000)
    count = decisions.again_by_number(wish.ask.arena, wish.ladder, numbers, because)
    wish.note("again-matches", numbers=numbers, count=count, because=because)


def _again_judge(wish: Wish) -> None:
    since, until = read_moment(wish.text("since", 40)), read_moment(wish.text("until", 40))
    because = wish.text("because", 2000)
    count = decisions.again_by_time(wish.ask.arena, wish.ladder, since, until, because)
    wish.note("again-judge", count=count, because=because)


DEEDS: dict[str, Callable[[Wish], None]] = {
    "open": _open,
    "close": _close,
    "start": _start,
    "end": _end,
    "freeze": _freeze,
    "reveal": _reveal,
    "rename": _rename,
    "retire": _retire,
    "return": _return,
    "distant": _distant,
    "list": _list,
    "word": _word,
    "out": _out,
    "back": _back,
    "resume": _resume,
    "again-bot": _again_bot,
    "again-matches": _again_matches,
    "again-judge": _again_judge,
}


# --- the page


@get("/ladders/{slug:str}/organise", sync_to_thread=True)
def organise_page(ask: Asking, slug: str) -> Response[Any]:
    """What an organiser can do with a ladder, and what was done."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    ladder = ladders.find(ask.database, slug, ask.person)
    return ask.nothing() if ladder is None else _page(ask, ladder)


@post("/ladders/{slug:str}/organise", sync_to_thread=True)
def organise(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Do what a button says, or say beside it why it cannot be done."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    ladder = ladders.find(ask.database, slug, ask.person)
    name = text(data, "do", 40)
    if ladder is None or name not in DEEDS or ask.person is None:
        return ask.nothing()
    try:
        DEEDS[name](Wish(ask, ask.person, ladder, data))
    except OperatorError as error:
        told = _in_words(ask, error)
        return _page(ask, ladder, 422, problems={name: told}, typed={key: text(data, key, LONGEST) for key in data})
    return going(f"/ladders/{slug}/organise")


def _in_words(ask: Asking, error: OperatorError) -> str:
    """What was wrong with a form of this page. An error that is not about one is raised again."""
    if error.key in HERE:
        return ask.say(HERE[error.key])
    if error.key.startswith("serve-"):
        return error.say(ask.speaker)
    raise error


def _page(ask: Asking, ladder: Ladder, status: int = 200, **more: Any) -> Response[Any]:
    now, terms = time(), ladder.terms
    page = contest_page(ask.arena, ask.database, ladder, ask.person) if terms else None
    told = [
        (deed.at, deed.person, ask.speaker.say_any(Message(f"serve.audit.{deed.what}", deed.about)))
        for deed in deeds(ask.database, ladder.slug)
    ]
    return ask.page(
        "organise-ladder",
        status=status,
        ladder=ladder,
        terms=terms,
        game=games.find(ladder.game).title,
        phase="" if terms is None or page is None else terms.phase(now, page.is_over),
        is_frozen=ladder.is_frozen(now),
        is_set=ladder.frozen is not None and now < ladder.frozen,
        bots=decisions.bots_of(ask.arena, ladder),
        listed=contests.listed(ask.database, ladder) if terms is not None and terms.entry != "all" else [],
        word_link=ask.address(f"/ladders/{ladder.slug}/enter?word={quote(terms.said, safe='')}") if terms else "",
        waiting=contests.unexamined(ask.database, ladder),
        deeds=told,
        **{"problems": {}, "typed": {}, **more},
    )


@post("/ladders/{slug:str}/resume/{name:str}", sync_to_thread=True)
def resume_own(ask: Asking, slug: str, name: str) -> Response[Any]:
    """Let one's own bot play again that pauses because it failed again and again."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or ask.person is None:
        return ask.nothing()
    if name not in hand_ins.bots_of(ask.database, ask.person, ladder):
        return ask.nothing()
    try:
        decisions.resume(ask.arena, ladder, name)
    except OperatorError as error:
        if error.key not in HERE and not error.key.startswith("serve-"):
            raise  # otherwise it plays again already, or is gone
    return going(f"/ladders/{slug}")


HANDLERS = [organise_page, organise, resume_own]
