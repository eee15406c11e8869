"""A bot's page, all its matches, and two bots against each other."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get

from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.bot_facts import PAGE, BotFacts
from dohyo.guests.site.arena.contest_page import placed_as
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.meetings import MOST, Score, head_to_head
from dohyo.guests.site.arena.outs import outs, with_outs
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import Played, bot_page, match_played, ranked
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.groups.feedback import how_sure
from dohyo.guests.site.pages.charts import rating_chart
from dohyo.guests.site.pages.contests import place_in_contest
from dohyo.guests.site.pages.ladders import with_authors
from dohyo.guests.site.tables import MAX_NUMBER


@get("/ladders/{slug:str}/bots/{name:str}", sync_to_thread=True)
def show_bot(ask: Asking, slug: str, name: str) -> Response[Any]:
    """A bot: how it stands and how sure that is, its versions, whom it beats, where it fails, its last matches."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    with seen(ask.arena, ladder, ask.person) as store:
        found = bot_page(store, slug, name)
    if found is None:
        return ask.nothing()
    (line,) = with_authors(ask, ladder, [found.line])
    mine = (
        with_outs(ask.arena, hand_ins.of_person(ask.database, ask.person, ladder), ask.person) if ask.person else []
    )
    sure = ask.say("serve.pauses-placeless") if found.pauses else how_sure(ask.speaker, line, found.placed)
    if ladder.terms is not None:  # there places follow from the format
        line = placed_as(place_in_contest(ask, ladder, name), line)
        sure = ask.say("serve.place-by-format")
    if (out := outs(ask.arena, ladder, ask.person).get(name)) is not None:
        sure = ask.say("serve.out-placeless")
    numbers = hand_ins.numbers(ask.database, ladder, name)
    return ask.page(
        "bot",
        ladder=ladder,
        line=line,
        sure=sure,
        facts=found.facts,
        numbers=numbers,
        chart=_chart(ask, found.facts, numbers),
        most=MOST,
        recent=found.recent,
        pauses=found.pauses,
        out=out,
        mine=[one for one in mine if one.bot == name],
    )


def _chart(ask: Asking, facts: BotFacts, numbers: dict[str, int]) -> str | None:
    """The chart of its ratings, as markup, with the `numbers` of its versions; none while there are too few."""
    points = facts.points
    if not points:
        return None
    ends = ask.say("serve.chart-first"), ask.say("serve.chart-now")
    first, last = round(points[0].rating), round(points[-1].rating)
    label = ask.say("serve.chart-told", first=first, last=last)
    known = [numbers.get(version.digest) for version in reversed(facts.versions)]
    names = ["" if number is None else ask.say("serve.version", number=number) for number in known]
    return rating_chart(points, label, ends, names)


class Matches(msgspec.Struct, frozen=True):
    """One page of a bot's matches, and the number before which the next page goes on; none on the last one."""

    played: list[Played]
    before: int | None


@get("/ladders/{slug:str}/bots/{name:str}/matches", sync_to_thread=True)
def show_matches(ask: Asking, slug: str, name: str, before: int | None = None) -> Response[Any]:
    """All matches of a bot, the newest first, page by page."""
    ladder = ladders.find(ask.database, slug, ask.person)
    found = None if ladder is None else _matches(ask, ladder, name, before)
    if found is None:
        return ask.nothing()
    return ask.page("bot-matches", ladder=ladder, bot=name, found=found)


def _matches(ask: Asking, ladder: Ladder, name: str, before: int | None) -> Matches | None:
    if before is not None and not 0 <= before <= MAX_NUMBER:
        return None
    with seen(ask.arena, ladder, ask.person) as store, ranked(store, ladder.slug) as there:
        if store is None or there is None or name not in there[1].at:
            return None
        contest, ranking = there
        results = store.last_played(contest, PAGE, ranking.versions[name], before=before)
    played = [match_played(result, ranking.entrants) for result in reversed(results)]
    return Matches(played, results[0].fixture.number if len(results) == PAGE else None)


@get("/ladders/{slug:str}/bots/{name:str}/against/{other:str}", sync_to_thread=True)
def show_head_to_head(ask: Asking, slug: str, name: str, other: str) -> Response[Any]:
    """Two bots against each other."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or name == other:
        return ask.nothing()
    with seen(ask.arena, ladder, ask.person) as store, ranked(store, slug) as there:
        if store is None or there is None or not {name, other} <= there[1].at.keys():
            return ask.nothing()
        contest, ranking = there
        one, two = (ranking.order[ranking.at[each]] for each in (name, other))
        found = head_to_head(store, contest, one, two)
    return ask.page(
        "against",
        ladder=ladder,
        one=name,
        other=other,
        found=found,
        verdict=in_words(ask, found.score, name, other),
        most=MOST,
        recent=[match_played(result, ranking.entrants) for result in found.matches],
    )


def in_words(ask: Asking, score: Score, one: str, other: str) -> str:
    """Who is better, and how sure that is."""
    if not score.matches:
        return ask.say("serve.never-met", one=one, other=other)
    if score.verdict == "worse":
        return ask.say("serve.clearly-better", one=other, other=one)
    key = {"better": "serve.clearly-better", "unclear": "serve.who-is-unclear", "few": "serve.met-seldom"}
    return ask.say(key[score.verdict], one=one, other=other)


def bot_path(slug: str, name: str) -> str:
    """Where a bot's page is."""
    return f"/ladders/{slug}/bots/{quote(name, safe='')}"


HANDLERS = [show_bot, show_matches, show_head_to_head]
