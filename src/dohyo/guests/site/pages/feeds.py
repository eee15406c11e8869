"""Atom feeds of the site and of each ladder, for everybody: readers of feeds have no account."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from litestar import Response, get

from dohyo import clean
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.news import News, news_of, news_of_site
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.pages.bots import bot_path

ATOM = "http://www.w3.org/2005/Atom"
TYPE = "application/atom+xml"


@get("/feed.atom", sync_to_thread=True)
def site_feed(ask: Asking) -> Response[Any]:
    """What is new on all ladders."""
    news = news_of_site(ask.database, ask.arena, ladders.all_of(ask.database, None))
    return _feed(ask, ask.say("serve.title"), "/", "/feed.atom", news)


@get("/ladders/{slug:str}/feed.atom", sync_to_thread=True)
def ladder_feed(ask: Asking, slug: str) -> Response[Any]:
    """What is new on a ladder."""
    ladder = ladders.find(ask.database, slug, None)
    if ladder is None:
        return ask.nothing()
    page = f"/ladders/{slug}"
    return _feed(ask, ladder.title, page, f"{page}/feed.atom", news_of(ask.database, ask.arena, ladder))


def _feed(ask: Asking, title: str, page: str, own: str, news: Sequence[News]) -> Response[Any]:
    root = Xml.Element("feed", {"xmlns": ATOM, "xml:lang": ask.speaker.language})
    _text(root, "title", title)
    _text(root, "id", ask.address(page))
    _text(root, "updated", _moment(max((each.at for each in news), default=0.0)))
    Xml.SubElement(root, "link", {"rel": "self", "type": TYPE, "href": ask.address(own)})
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": ask.address(page)})
    _text(Xml.SubElement(root, "author"), "name", ask.say("serve.title"))
    for each in news:
        _entry(ask, root, each)
    content = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(content, media_type=f"{TYPE}; charset=utf-8", headers={"Cache-Control": "private, max-age=300"})


def _entry(ask: Asking, root: Xml.Element, each: News) -> None:
    entry = Xml.SubElement(root, "entry")
    slug = each.ladder.slug
    title = ask.say(f"serve.news-{each.kind}", bot=each.bot, number=each.number, ladder=each.ladder.title)
    _text(entry, "title", title)
    _text(entry, "id", f"{ask.address(f'/ladders/{slug}')}#{quote(each.name)}")
    _text(entry, "updated", _moment(each.at))
    Xml.SubElement(
        entry,
        "link",
        {
            "rel": "alternate",
            "type": "text/html",
            "href": ask.address(bot_path(slug, each.bot) if each.bot else f"/ladders/{slug}"),
        },
    )
    _text(
        Xml.SubElement(entry, "author"), "name", each.author or ask.say("serve.house" if each.bot else "serve.title")
    )
    _text(entry, "summary", title)


def _text(inside: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(inside, name).text = clean.line(text)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


HANDLERS = [site_feed, ladder_feed]
