"""Boards in pages: a match plays by itself, in a frame that has nothing of the site's."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from dohyo.core.bot_spec import Sample
from dohyo.games import find
from dohyo.guests.site.pages.boards import MAX_TURNS, frames_of
from dohyo.i18n import ENGLISH
from dohyo.match.play import play_match
from dohyo.web.content import content
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder

WAIT = PATIENCE * 1000  # milliseconds
TRIES = """() => {
  const found = [];
  for (const tried of [() => document.cookie, () => localStorage.length, () => parent.document.title])
    try { found.push(String(tried())); } catch { found.push("refused"); }
  return found;
}"""


@pytest.fixture(scope="module")
def played(site: RunningSite, organiser: Visitor) -> str:
    """A ladder on which something was played."""
    slug = new_ladder(organiser, "shoot-em-up", "To be seen")
    author = Visitor(site.url).sign_up("Board author")
    author.await_text(author.hand_in(slug, "Seen", "bot.py", GOOD.read_bytes() + b"# board\n"), "It plays now in")
    author.await_text(f"/ladders/{slug}", f"/ladders/{slug}/matches/")
    return slug


def test_frames_are_those_of_the_viewer() -> None:
    """What a board draws is what the viewer shows of the match."""
    game = find("shoot-em-up")
    replay = play_match(game, [Sample("random")] * 2, setup=game.demo, sandbox="none")
    told = frames_of(game, replay, ENGLISH)
    view = content(game, replay)["views"][0]
    assert (told["first"], told["changes"]) == (view["first"], view["changes"][:MAX_TURNS])
    assert len(told["moves"]) == len(told["changes"])
    assert all(key.startswith(("shoot-em-up.", "fault.", "viewer.general.")) for key in told["words"])


def test_what_bots_wrote_is_not_in_the_frames(visitor: Visitor, played: str) -> None:
    """Standard error and comments are their author's alone, also in a match that plays by itself."""
    number = re.findall(rf"/ladders/{played}/matches/(\d+)", visitor.get(f"/ladders/{played}").text)[0]
    told = json.loads(visitor.get(f"/ladders/{played}/matches/{number}/frames").text)
    assert {key for moves in told["moves"] for move in moves for key in move} == {"seat", "action", "faults"}
    assert visitor.get(f"/ladders/{played}/matches/99999999/frames").status_code == 404
    assert visitor.get("/boards/none").status_code == 404


def test_the_first_page_plays_a_match(site: RunningSite, browser: Browser, played: str) -> None:
    """It moves by itself, and can be paused; nothing is asked of another host, and nothing is an error."""
    context = browser.new_context(base_url=site.url, locale="en")
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    bar = page.locator(".board progress")
    expect(bar).not_to_have_js_property("value", 0, timeout=WAIT)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    frame = next(one for one in page.frames if "/boards/" in one.url)
    assert frame.locator("#board svg, #board canvas").count()
    assert frame.evaluate(TRIES) == ["refused", "refused", "refused"]
    assert all(url.startswith((site.url, "data:")) for url in asked)
    assert wrong == []
    context.close()


def test_who_wants_no_motion_sees_the_end(site: RunningSite, browser: Browser, played: str) -> None:
    """With reduced motion nothing moves before somebody lets it."""
    context = browser.new_context(base_url=site.url, locale="en", reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    page.wait_for_function(
        "() => { const bar = document.querySelector('.board progress'); return bar.value === bar.max; }"
    )
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    context.close()


def test_a_viewer_has_no_origin(visitor: Visitor, site: RunningSite, browser: Browser, played: str) -> None:
    """A game's drawing that a stranger's package brings can read no cookie, whether in a frame or on its own."""
    number = re.findall(rf"/ladders/{played}/matches/(\d+)", visitor.get(f"/ladders/{played}").text)[0]
    path = f"/ladders/{played}/matches/{number}"
    assert 'sandbox="allow-scripts allow-downloads"' in visitor.get(path).text
    for alone in (f"{path}/board", "/boards/shoot-em-up"):
        assert visitor.get(alone).headers["content-security-policy"].startswith("sandbox allow-scripts")
    context = browser.new_context(base_url=site.url, locale="en")
    page = context.new_page()
    page.goto(path)
    viewer = page.frame_locator("iframe.viewer")
    expect(viewer.locator("#viewer canvas, #viewer svg").first).to_be_visible(timeout=WAIT)
    frame = next(one for one in page.frames if one.url.endswith("/board"))
    assert frame.evaluate(TRIES) == ["refused", "refused", "refused"]
    context.close()
