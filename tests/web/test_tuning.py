"""The page of a tuning: what it shows, and that it runs and requests nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import msgspec

from dohyo.guests.tune.page import html
from dohyo.guests.tune.record import Record
from dohyo.i18n import Speaker
from tests.guests.tune.drawn import BOT, Drawn, bump, run, tuning


def test_a_page_of_plots() -> None:
    """A plot for each parameter, the surface of two numbers, marks for best and default; nothing runs or loads."""
    params = ("a=0.0..1.0:default=0.2", "c=1..9:default=3", "mode=x,y")
    tuned = run(tuning(Record(None), params, matches=60), Drawn(bump))
    tuned.bot = msgspec.structs.replace(BOT, name="<script>alert(1)</script>")
    page = html(tuned, None, "dohyo play wondev-woman '<b> DOHYO_PARAM_A=0.7' ...", "better")
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) == 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)  # well-formed
    assert page.count('class="best"') == page.count('class="default"') + 1 == 4
    assert "<script" not in page
    assert "<b>" not in page
    assert re.search(r"To play with these values:</p>\s*<pre>dohyo play wondev-woman", page)
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    assert "default-src 'none'" in page
    assert "最良" in html(tuned, None, "bot", "better", Speaker("ja"))
    assert "To play with these values" not in html(tuned, None, "", "better")  # a bot at a revision


def test_a_page_recommends_what_is_better_only() -> None:
    """Where no better values were found it says so, and not how to play with those that were."""
    tuned = run(tuning(Record(None)), Drawn(bump))
    page = html(tuned, None, "dohyo play", "no-difference")
    assert "No better values found; keep yours" in page
    assert "To play with these values" not in page
    assert "params = {" not in page


def test_a_page_of_nothing() -> None:
    """Before the first generation there is nothing to draw, and the page says so."""
    assert "No match has been played yet." in html(tuning(Record(None)), None, "bot", "open")
