"""Matches in columns, as a site's pages carry them: the browser makes the same of them as of any other page."""

from __future__ import annotations

import base64
import json
import math
import random
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from dohyo import games
from dohyo.core import replay_format
from dohyo.core.replay import Replay
from dohyo.guests.reports import matches
from dohyo.guests.reports.columns import Rows, column
from dohyo.guests.reports.compact import NOT_SHOWN, compact
from dohyo.guests.reports.matches import Recorded, match_page
from dohyo.i18n import Speaker
from dohyo.web import content as of_content
from dohyo.web.content import content
from dohyo.web.plain.markup import Markup
from tests.web.conftest import Open
from tests.web.matches import play
from tests.web.test_long_names import GAMES
from tests.web.values import pairs, value

READ = """async cases => {
    const { values } = await import("dohyo/columns.js");
    return cases.map(([node, count, reference, rows]) => JSON.stringify(values(node, count, reference, rows)));
}"""
EXPAND = """async content => {
    const { expand } = await import("dohyo/columns.js");
    const { views, turns, inputs } = expand(content);
    const sent = inputs.read().map(turn => Object.fromEntries(turn));
    return { views: views.map(({ seat, read }) => ({ seat, frames: read() })), turns, inputs: sent };
}"""


def text(value: Any) -> str:
    """A value as JSON, with JavaScript's numbers: there 1.0 is 1, and a zero's sign does not matter here."""

    def number(told: str) -> float:
        return float(told) + 0.0

    return json.dumps(json.loads(json.dumps(value), parse_float=number, parse_int=number), sort_keys=True)


def shape(dice: random.Random) -> Callable[[int], Any]:
    """Values of one kind, by time: numbers that count or wander, texts, arrays and things in them, members."""
    step, start = dice.randrange(-3, 4), dice.randrange(-100, 100)
    words = [dice.choice(["", "a", "N", "12 b"]) for _ in range(9)]
    odd = [dice.choice([None, True, False, 7, -1 << 60, 0.25, 1e300, "x", [], {}, [1, [2]]]) for _ in range(9)]
    things = [[at, 1.5 * at, 0.125, at] for at in range(5)]
    return dice.choice(
        [
            lambda at: start + step * at,
            lambda at: start * at % 97,
            lambda at: (start + step * at) / 1000,
            lambda at: words[at % 9],
            lambda at: odd[at % 9],
            lambda at: [start, at, words[at % 9]],
            lambda at: [start] * (at % 4),
            lambda at: [[x + at, y, dx, dy] for x, y, dx, dy in things[at // 4 :]],
            lambda at: {"a": at, **({"b": words[at % 9]} if at % 3 else {})},
        ]
    )


def cases() -> list[tuple[list[Any], list[Any] | None, list[Any] | None]]:
    """Columns, some with a reference from which some are hidden, some with rows; and values of any shape."""
    dice = random.Random(11)
    found: list[tuple[list[Any], list[Any] | None, list[Any] | None]] = []
    for _ in range(100):
        make, count = shape(dice), dice.randrange(1, 40)
        own = [make(at) for at in range(count)]
        hidden = [None if dice.random() < 0.3 else one for one in own]
        fewer = [one[:1] if isinstance(one, list) else one for one in own]
        rows = [{"a": [one, at], "b": None if at % 2 else at} for at, one in enumerate(own)]
        sent = [[at, one, -1 if at % 2 else at] for at, one in enumerate(own)]
        found += [(own, None, None), (hidden, own, None), (fewer, own, None), (sent, None, rows)]
    found += [([value(dice) for _ in range(dice.randrange(6))], None, None) for _ in range(100)]
    return found + [([new, old], [old, new], None) for old, new in pairs(100)]


def test_browser_reads_columns(show: Open) -> None:
    """What is put into columns comes out the same, for values of every shape, with and without a reference."""
    page = show(play(1, setup={"turns": 1}))
    known = cases()
    nodes = [
        [column(own, reference, None if rows is None else Rows(rows)), len(own), reference, rows]
        for own, reference, rows in known
    ]
    for made, node, (own, _, _) in zip(page.evaluate(READ, json.loads(json.dumps(nodes))), nodes, known, strict=True):
        assert text(json.loads(made)) == text(own), node
    kinds = {kind for kind in "=idbstlkpovm@j" if f'["{kind}", ' in json.dumps(nodes)}
    assert kinds == set("=idbstlkpovm@j")


@pytest.mark.parametrize("name", GAMES)
def test_a_match_in_columns_is_the_same(name: str, show: Open) -> None:
    """Frames of all views, moves and inputs; of the moves without what no page shows, of times what one shows."""
    told = content(games.find(name), GAMES[name](), form=dict)
    page = show(play(1, setup={"turns": 1}))
    made = page.evaluate(EXPAND, json.loads(json.dumps(compact(told))))
    assert text(made["views"]) == text(told["views"])
    assert text(made["inputs"]) == text(told["inputs"])
    for old, new in zip(told["turns"], made["turns"], strict=True):
        for move, same in zip(old, new, strict=True):
            assert abs(move.pop("seconds", 0) - same.pop("seconds", 0)) <= 0.005
            assert text({key: move[key] for key in move if key not in NOT_SHOWN}) == text(same)


def test_columns_are_small() -> None:
    """Numbers that count are a few characters each, and what is always the same is there once."""
    frames = [{"turn": at, "fog": True, "blocks": [at % 3, -at]} for at in range(200)]
    assert len(json.dumps(column(frames))) < 800
    hidden = [frame | {"blocks": None} if at % 2 else frame for at, frame in enumerate(frames)]
    assert len(json.dumps(column(hidden, frames))) < 1200


def test_no_number_is_rounded() -> None:
    """In what a seat was sent, one that a browser would round stays a text; what is no number stays as it is."""
    told = content(games.find("drop-block"), play(1, setup={"turns": 2}), form=dict)
    told["inputs"][0]["0"][0] = "9007199254740993 -1 18446744073709551617"
    made = json.dumps(compact(told)["inputs"])
    assert '"9007199254740993"' in made
    assert '"18446744073709551617"' in made
    assert column([1.5, math.nan, math.inf])[0] == "j"


def page_of(replay: Replay) -> bytes:
    """The page of a match of Drop-Block."""
    page = match_page(
        games.find("drop-block"), "v.js", Speaker("en"), Recorded(7, replay_format.encode(replay), Markup(""))
    )
    assert page is not None
    return page


def packed_in(page: bytes) -> bytes:
    """What a page carries, as JSON."""
    found = re.search(rb'id="replay"[^>]*>([^<]+)<', page)
    assert found is not None
    return zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS)


def test_a_page_that_would_be_too_large_says_where_the_inputs_are(
    show: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the seats were sent is left out, and in its place stands what to type."""
    replay = play(1, setup={"turns": 40})
    usual = page_of(replay)
    monkeypatch.setattr(matches, "ROOM", len(usual) - len(replay_format.encode(replay)) - 1)
    assert len(page_of(replay)) < len(usual)
    monkeypatch.setattr(matches, "ROOM", 1 << 30)
    monkeypatch.setattr(of_content, "MAX_SENT", 10)
    assert b"7.replay.zst" in packed_in(page_of(replay))
    page = show(replay)
    left_out = compact(content(games.find("drop-block"), replay, form=dict)) | {"inputs": {"replay": "7.replay.zst"}}
    page.evaluate(
        """async content => {
            const { expand } = await import("dohyo/columns.js");
            const { mount } = await import("dohyo/viewer.js");
            const view = await import("game/view.js");
            const root = document.getElementById("viewer");
            root.replaceChildren();
            window.dohyo = mount(root, Object.assign(content, expand(content)), view);
            dohyo.seek(3);
        }""",
        json.loads(json.dumps(left_out)),
    )
    page.locator(".move summary").first.click()
    expect(page.locator(".move .sent").first).to_contain_text("dohyo replay 7.replay.zst --inputs")
