"""Contests for the tests of a site: made by the form, played by its judge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.guests.site.conftest import GOOD, Visitor

SHOWN = "plays in the contest</span>"
DAY = timedelta(days=1)


def at(days: float) -> str:
    """A moment in so many days, as a form has it."""
    return (datetime.now(UTC) + days * DAY).strftime("%Y-%m-%dT%H:%M:%S")


def wide(text: str) -> str:
    """Digits and signs as wide as kanji, as a Japanese keyboard writes them."""
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


def new_contest(organiser: Visitor, title: str, game: str = "shoot-em-up", **fields: str) -> str:
    """Make a contest that takes hand-ins now; its name in addresses."""
    usual = {
        "opens": at(-1),
        "closes": at(1),
        "starts": at(1),
        "format": "round-robin",
        "rounds": "1",
        "entry": "all",
    }
    answer = organiser.post("/contests/new", {"title": title, "game": game, "each": "3", **usual, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


def do(organiser: Visitor, slug: str, deed: str, **fields: str) -> None:
    """Press a button of the organiser's page."""
    answer = organiser.post(f"/ladders/{slug}/organise", {"do": deed, **fields})
    assert answer.status_code == 303, answer.text


def enter(author: Visitor, slug: str, *names: str) -> None:
    """Hand in good bots under these names, and wait until all are checked."""
    places = [author.hand_in(slug, name, "robot.py", GOOD.read_bytes() + f"# {name}\n".encode()) for name in names]
    for place in places:
        found = author.await_text(place, "entered", "refused</span>")
        assert "refused</span>" not in found, found
