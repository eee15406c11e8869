"""People play at the site: against samples and bots of ladders, one match each, kept for them alone."""

from __future__ import annotations

import json
import re
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.guests.site.test_accessible import trouble

pytestmark = pytest.mark.xdist_group("site")

WAIT = PATIENCE * 1000  # milliseconds


def wish(visitor: Visitor, body: dict[str, Any], mark: bool = True) -> tuple[int, Any]:
    """Ask the match's page for something, as its script does."""
    visitor.get("/sign-in")
    headers = {"X-CSRFToken": visitor.http.cookies.get("dohyo_form") or ""} if mark else {}
    answer = visitor.http.post("/my/play/wish", content=json.dumps(body), headers=headers)
    return answer.status_code, answer.json() if answer.headers["content-type"].startswith(
        "application/json"
    ) else None


def asked(visitor: Visitor) -> dict[str, Any]:
    """The state, once it is the person's turn or all is over."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        status, state = wish(visitor, {"told": {}})
        assert status == 200
        if state["ask"] or state["over"] or state["closed"]:
            return dict(state)
        visitor.get("/sign-in")  # takes a moment
    raise AssertionError(state)


def begin(visitor: Visitor, game: str = "connectx", **fields: str) -> None:
    """Begin a match as seat 0."""
    answer = visitor.post(f"/play/{game}", {"seat0": "me", "seat1": "random", **fields})
    assert (answer.status_code, answer.headers.get("location")) == (303, "/my/play"), answer.text


def test_a_match_is_played_and_kept(site: RunningSite) -> None:
    """It is played to its end, stands among one's own matches, and nobody else sees it."""
    me = Visitor(site.url).sign_up("Player One")
    begin(me)
    state = asked(me)
    while state["ask"]:
        number = state["ask"]["number"]
        status, told = wish(me, {"act": {"number": number, "line": state["ask"]["choices"][0]["text"]}})
        assert (status, told) == (200, {"said": ""})
        assert wish(me, {"act": {"number": number, "line": "0"}})[1]["said"]  # twice changes nothing
        state = asked(me)
    assert not state["over"]["unfinished"]
    place = wish(me, {"told": {}})[1]["replay"]
    assert place == re.findall(r"/my/plays/\d+", me.get("/my/plays").text)[0]
    assert me.get(place).status_code == me.get(f"{place}/board").status_code == 200
    other = Visitor(site.url).sign_up("Player Two")
    for path in (place, f"{place}/board", f"{place}/replay"):
        assert other.get(path).status_code == 404
        assert Visitor(site.url).get(path).status_code == 404
    answer = me.post(f"{place}/from", {"turn": "2", "seat0": "random", "seat1": "me"})
    assert answer.status_code == 303, answer.text
    state = asked(me)
    assert state["ask"]["seat"] == 1
    assert state["ask"]["turn"] in (2, 3)
    me.post(f"{place}/remove")
    assert me.get(place).status_code == 404


def test_what_a_stranger_may_not(site: RunningSite) -> None:
    """Nobody plays without an account or a form's mark, against a bot that is not offered, or a seat of nobody's."""
    nobody = Visitor(site.url)
    assert nobody.get("/play/connectx").status_code == 401
    assert nobody.get("/play/no-game").status_code == 404
    assert wish(nobody, {"told": {}})[0] == 404
    me = Visitor(site.url).sign_up("Player Three")
    for fields in ({"seat1": "/bin/sh"}, {"seat0": "random"}, {"seconds": "0"}, {"seat1": "uci:stockfish"}):
        assert me.post("/play/connectx", {"seat0": "me", "seat1": "random", **fields}).status_code == 422
    begin(me)
    state = asked(me)
    assert wish(me, {"told": {}}, mark=False)[0] == 403
    for body in ({}, {"told": {}, "act": {"number": 1}}, {"act": {"number": "x"}}, {"run": 1}):
        assert wish(me, body)[0] == 400
    assert wish(me, {"act": {"number": state["ask"]["number"], "line": "99"}})[1]["said"]
    assert asked(me)["ask"]["number"] == state["ask"]["number"]


def test_one_match_each(site: RunningSite) -> None:
    """Who begins another one leaves the first, and what was played of it is kept."""
    me = Visitor(site.url).sign_up("Player Four")
    begin(me)
    state = asked(me)
    wish(me, {"act": {"number": state["ask"]["number"], "line": "3"}})
    asked(me)
    begin(me)
    assert "left before the end" in me.get("/my/plays").text
    assert asked(me)["ask"]["turn"] == 0


def test_hidden_things_stay_hidden(site: RunningSite) -> None:
    """Nothing that is sent tells what the person's seat may not see."""
    me = Visitor(site.url).sign_up("Player Five")
    begin(me, "kuhn-poker")
    state = asked(me)
    cards = state["steps"][0]["frame"]["fields"]["card"]["values"]
    assert cards[0]
    assert cards[1] is None


def test_a_ladders_bots_can_be_met(site: RunningSite, organiser: Visitor) -> None:
    """Also one that somebody has handed in, as far as one may ask for it; it plays as it does in the ladder."""
    slug = new_ladder(organiser, "shoot-em-up", "To be played at")
    author = Visitor(site.url).sign_up("Met author")
    author.await_text(author.hand_in(slug, "Left", "bot.py", GOOD.read_bytes() + b"# met\n"), "It plays now in")
    me = Visitor(site.url).sign_up("Player Six")
    assert '<option value="Left"' in me.get("/play/shoot-em-up", ladder=slug).text
    begin(me, "shoot-em-up", ladder=slug, seat1="Left")
    state = asked(me)
    wish(me, {"act": {"number": state["ask"]["number"], "line": state["ask"]["choices"][0]["text"]}})
    state = asked(me)  # it plays at random: its first shot may hit
    assert state["ask"]["turn"] == 2 if state["ask"] else not state["over"]["unfinished"]
    me.post("/play/shoot-em-up", {"seat0": "me", "seat1": "random"})
    assert "Left" in me.get("/my/plays").text


@pytest.mark.parametrize(("size", "touch"), [((1280, 800), False), ((390, 844), True)])
def test_it_is_played_in_a_browser(site: RunningSite, browser: Browser, size: tuple[int, int], touch: bool) -> None:
    """The board is pointed at through its frame, which has nothing of the site's; the keyboard does without it."""
    context = browser.new_context(
        base_url=site.url, locale="en", has_touch=touch, viewport={"width": size[0], "height": size[1]}
    )
    page, wrong = context.new_page(), []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    _sign_up(page, f"Browser {size[0]}")
    page.goto("/play/connectx")
    page.get_by_role("button", name="Begin").click()
    line = page.get_by_role("textbox", name="Type an action")
    expect(page.locator(".act-list button").first).to_be_visible(timeout=WAIT)
    assert trouble(page) == []
    line.fill("3")
    line.press("Enter")
    expect(page.locator(".act-note")).to_contain_text("(2)", timeout=WAIT)
    frame = page.frame_locator("iframe")
    cell = frame.locator(".pick.open").first
    box = cell.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y) if touch else page.mouse.click(x, y)
    expect(page.locator(".act-note")).to_contain_text("(4)", timeout=WAIT)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".act-note")).to_contain_text("(2)", timeout=WAIT)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".play-end")).to_contain_text("You lose", timeout=WAIT)
    expect(page.locator("main")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("link", name="Look at the match").click()
    page.wait_for_url("**/my/plays/*")
    assert wrong == []
    context.close()


def _sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up")
    page.locator('main input[name="name"]').fill(name)
    page.locator('main input[name="password"]').fill("correct horse")
    page.locator("main form button").first.click()
    page.wait_for_url(lambda url: "/sign-up" not in url)
