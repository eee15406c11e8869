"""A replay shows itself in a notebook: a frame with the page, bounded, and safe from what bots are called."""

from __future__ import annotations

import html as markup
import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

import dohyo
from dohyo.core.replay import Replay, Seat
from dohyo.web import page as pages
from dohyo.web.page import replay_html
from tests.web.matches import decided

HOSTILE = 'x" onload="alert(1)"></iframe><script>alert(2)</script>\x1b[31m\u202e'


def named(name: str) -> Replay:
    """A match whose bots have this name."""
    match = decided()
    seats = tuple(Seat(name) for _ in match.header.seats)
    return replace(match, header=replace(match.header, seats=seats))


def test_a_frame_holds_the_page_and_nothing_gets_out_of_it() -> None:
    """One element with four attributes; names are inside the page, and cleaned in the title."""
    shown = replay_html(named(HOSTILE), "en")
    found = re.fullmatch(
        r'<iframe title="([^"<>]*)" width="100%" height="640" style="border: 0"'
        r' sandbox="allow-scripts allow-downloads" srcdoc="([^"<>]*)"></iframe>',
        shown,
    )
    assert found
    assert not {"\x1b", "\u202e"} & set(found[1])
    page = markup.unescape(found[2])
    assert page.startswith("<!doctype html>")
    assert "<script>alert(2)" not in page


def test_what_is_too_large_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the notebook would get too large, or there is no page, a sentence says so, in the language asked for."""
    monkeypatch.setattr(pages, "MAX_CHARACTERS", 1000)
    assert re.fullmatch(r"<p>This match makes a page of 0\.\d MB, .* --html PAGE</p>", replay_html(decided(), "en"))
    monkeypatch.setenv("DOHYO_LANG", "ja")
    assert "ノートブック" in replay_html(decided())
    unknown = replace(decided(), header=replace(decided().header, game="<b>"))
    assert "<b>" not in replay_html(unknown, "en")
    assert "There is no game" in replay_html(unknown, "en")


def test_a_browser_shows_it(browser: Browser) -> None:
    """In the frame of a notebook, without any rights, the viewer draws and answers its keys."""
    assert dohyo.load
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(f"<!doctype html><body>{decided()._repr_html_()}</body>")
    frame = page.frame_locator("iframe")
    frame.get_by_text("Start", exact=True).first.wait_for()
    frame.locator("body").click(position={"x": 300, "y": 300})
    page.keyboard.press("ArrowRight")
    frame.get_by_text("Turn 0").first.wait_for()
    assert errors == []
    page.close()
