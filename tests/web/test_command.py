"""The command that a page gives to copy: how a match without an analysis gets one."""

from __future__ import annotations

import pytest

from dohyo.match.command_lines import command
from tests.web.conftest import PHONE, Open, page_of, wait
from tests.web.matches import decided

LINE = command("analyse", "evening match 7 of 30.replay", "--html", f"{'long' * 40}.html")

# The parts of the command that are on more than one line.
BROKEN = """nodes => nodes.filter(node => {
    const words = document.createRange();
    words.selectNodeContents(node);
    return new Set([...words.getClientRects()].map(box => box.top)).size > 1;
}).map(node => node.textContent)"""


@pytest.mark.parametrize("size", [(1024, 600), PHONE, (320, 640)])
def test_command_is_shown_whole_and_copied_as_it_is(show: Open, size: tuple[int, int]) -> None:
    """No option is broken, nor any word that has room in a line; what is copied, or selected, is the command."""
    page = show(page_of(decided(), command=LINE), size=size)
    assert page.locator(".command span").evaluate_all(BROKEN) == [f"{'long' * 40}.html"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    node = page.locator(".command")
    assert node.evaluate("node => { getSelection().selectAllChildren(node); return String(getSelection()); }") == LINE
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.get_by_role("button", name="Copy the command").click()
    wait(page, "window.copied")
    assert page.evaluate("copied") == LINE
    assert page.locator(".notice").inner_text() == "Command copied"


def test_command_is_one_node(show: Open) -> None:
    """Sentence, command and button stand together: whoever has something better takes their place."""
    page = show(page_of(decided(), command=LINE))
    assert page.locator(".chart-panel > .asking").count() == 1
    assert page.locator(".chart-panel:has(.asking) > *").count() == 2
