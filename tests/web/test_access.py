"""Everybody can use the viewer: on a phone, by voice, with any eyes, in the dark."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

from tests.web.conftest import DESKTOP, PHONE, Open, wait
from tests.web.matches import decided

TEXT_ON = [
    ("--ink", "--paper"),
    ("--ink", "--card"),
    ("--quiet", "--paper"),
    ("--quiet", "--card"),
    ("--accent", "--card"),
    ("--bad", "--card"),
    ("--card", "--ink"),
    ("--ink", "--mark"),
]
BOARD_TEXT_ON = [
    ("--ink", "--clay"),
    ("--ink", "--loose1"),
    ("--ink", "--loose2"),
    ("--ink", "--loose3"),
    ("--ink", "--pale"),
    ("--on-void", "--void"),
]
CONTRAST = """async ([pairs, where]) => {
    const { luminance } = await import("dohyo/seats.js");
    const style = getComputedStyle(document.querySelector(where));
    const light = name => luminance(style.getPropertyValue(name).trim());
    return pairs.map(([text, ground]) => {
        const [low, high] = [light(text), light(ground)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(show: Open, scheme: str) -> None:
    """Every colour of text has a contrast of at least 4.5 with what it stands on, in bright and dark pages."""
    page = show(decided(), color_scheme=scheme)
    for where, pairs in ((":root", TEXT_ON), (".drop-block", BOARD_TEXT_ON)):
        for pair, contrast in zip(pairs, page.evaluate(CONTRAST, [pairs, where]), strict=True):
            assert contrast >= 4.5, f"{pair} in {scheme}: {contrast:.2f}"


def test_numbers_stand_out_from_their_seats_colour(show: Open) -> None:
    """The number on a seat's sign can be read on its colour, for a hundred seats."""
    page = show(decided())
    contrasts = page.evaluate(
        """async () => {
            const { looks, luminance } = await import("dohyo/seats.js");
            return looks(Array.from({ length: 100 }, () => ({ name: "x" }))).map(({ colour, ink }) => {
                const [low, high] = [luminance(colour), luminance(ink)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
            });
        }"""
    )
    assert min(contrasts) >= 4.5


def test_seats_differ_in_shape_and_number(show: Open) -> None:
    """The signs of the first eight seats differ in shape, those of all in number: nobody needs colours."""
    page = show(decided())
    seats = page.evaluate(
        """async () => (await import("dohyo/seats.js")).looks(Array.from({ length: 8 }, () => ({ name: "x" })))"""
    )
    for one, other in combinations(seats, 2):
        assert one["shape"] != other["shape"]
        assert one["number"] != other["number"]
        assert one["label"] != other["label"]


@pytest.mark.parametrize("size", [PHONE, (320, 640), (820, 1180), DESKTOP])
def test_nothing_sticks_out(show: Open, size: tuple[int, int]) -> None:
    """At any usual width nothing has to be scrolled sideways, and the board uses the width of a phone."""
    page = show(decided(), "#t=50", size=size)
    page.keyboard.press("i")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    board = page.locator(".drop-block").bounding_box()
    assert board is not None
    assert board["width"] >= min(size[0], size[1] * 0.6) * 0.95


def test_targets_are_large_enough_for_a_finger(show: Open) -> None:
    """On a phone every button, choice and card is at least 44 pixels high and wide, and none lies over another."""
    page = show(decided(), "#t=50", size=PHONE, has_touch=True, is_mobile=True)
    boxes = page.evaluate(
        """[...document.querySelectorAll("button, select, summary")].filter(node => node.checkVisibility())
            .map(node => { const { left, top, right, bottom } = node.getBoundingClientRect();
                           return { name: node.ariaLabel || node.textContent, left, top, right, bottom }; })"""
    )
    assert len(boxes) >= 12
    for box in boxes:
        assert box["right"] - box["left"] >= 44, box
        assert box["bottom"] - box["top"] >= 44, box
        assert box["left"] >= 0, box
        assert box["right"] <= PHONE[0], box
    controls = page.locator(".controls > *").evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect())")
    assert all(first["right"] <= second["left"] for first, second in pairwise(controls))


def test_everything_has_a_name(show: Open) -> None:
    """Every button, choice and slider has a name for a screen reader; the board is described in words."""
    page = show(decided(), "#t=50")
    unnamed = page.evaluate(
        """[...document.querySelectorAll("button, select, input, dialog, [role=img]")]
            .filter(node => !(node.ariaLabel || node.labels?.length || node.textContent.trim())).length"""
    )
    assert unnamed == 0
    described = page.get_by_role("img").first.get_attribute("aria-label")
    assert described is not None
    assert described.startswith("Turn 50: ")


def test_steps_are_said_aloud(show: Open) -> None:
    """A step says its turn and what happened to a screen reader; while playing it is silent."""
    page = show(decided())
    said = page.locator("[aria-live=polite]")
    assert said.inner_text() == "Start: the players stand ready"
    page.keyboard.press("ArrowRight")
    wait(page, "dohyo.resting")
    first = said.inner_text()
    assert first.startswith("Turn 0: hunter ")
    page.keyboard.press("Space")
    wait(page, "dohyo.player.turn >= 3")
    page.keyboard.press("-")
    assert said.inner_text() == first


def test_focus_can_be_seen(show: Open) -> None:
    """Going through the page by the tab key, whatever has the focus is outlined."""
    page = show(decided(), "#t=50")
    reached: list[Any] = []
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                """() => { const node = document.activeElement;
                    const outlined = node.matches(".timeline input") ? node.parentElement : node;
                    return [node.tagName, getComputedStyle(outlined).outlineStyle]; }"""
            )
        )
    assert {style for tag, style in reached if tag != "BODY"} == {"solid"}
    assert {"BUTTON", "SELECT", "INPUT", "SUMMARY"} <= {tag for tag, _ in reached}
