"""A turn passed on: by its address, by a link that is copied, as a picture; and a file that is dropped."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.covering import covering
from tests.web.conftest import DESKTOP, PHONE, Open, page_of, wait
from tests.web.matches import decided, troubled
from tests.web.test_annotations import annotated
from tests.web.test_long_names import GAMES
from tests.web.test_shoot_em_up import play as shoot_em_up

COLOURS = """async packed => {
    const image = new Image();
    image.src = `data:image/png;base64,${packed}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width, height: image.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
        const colour = "#" + [0, 1, 2].map(part => data[at + part].toString(16).padStart(2, "0")).join("");
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [image.width, image.height, Object.fromEntries([...counts].filter(([, count]) => count > 100))];
}"""


GROUNDS = {  # of each board, in the dark
    "abotcalypse": "#1b2a3f",
    "drop-block": "#d6bd8a",
    "shoot-em-up": "#1d3140",
    "wondev-woman": "#37424f",
}


def address(page: Page) -> str:
    """What stands behind the page's file name."""
    return str(page.evaluate("location.hash"))


def test_address_says_turn_seat_eyes_and_panels(show: Open) -> None:
    """What is shown is in the address, and an address shows it: turn, who is followed, whose eyes, what is open."""
    page = show(shoot_em_up(2, ["M 0 0"] * 20), "#t=5")
    page.keyboard.press("0")
    page.keyboard.press("v")
    page.keyboard.press("i")
    assert address(page) == "#t=5&seat=0&view=0&open=score,time,faults,input"
    page.locator(".chart-panel summary").first.click()
    wait(page, "location.hash === '#t=5&seat=0&view=0&open=time,faults,input'")

    other = show(shoot_em_up(2, ["M 0 0"] * 20), address(page))
    assert other.evaluate("dohyo.player.turn") == 6
    assert other.locator('.card[aria-pressed="true"] .name').inner_text() == "left"
    assert other.get_by_role("combobox", name="Seen by").input_value() == "1"
    assert other.locator(".charts .chart-panel[open]").count() == 1
    assert other.locator("details.sent[open]").count() == 1
    other.evaluate("location.hash = '#t=7'")
    wait(other, "dohyo.player.turn === 8")
    assert other.locator('.card[aria-pressed="true"]').count() == 0
    assert other.get_by_role("combobox", name="Seen by").input_value() == "0"


@pytest.mark.parametrize(
    "hostile", ["#t=-1", "#t=1e9", "#seat=9&view=7", "#t=&open=<b>,,", "#%", "#t=5&seat=x", "#open=" + "a," * 999]
)
def test_any_address_opens(show: Open, hostile: str) -> None:
    """What an address says that is not there is not heeded."""
    page = show(decided(), hostile)
    assert page.evaluate("dohyo.player.turn") in (0, 6)
    assert page.locator('.card[aria-pressed="true"]').count() == 0


def test_link_is_copied(show: Open) -> None:
    """The link is the page's own address with what is shown, also by the way of older browsers."""
    page = show(decided(), "#t=20&seat=2")
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.get_by_role("button", name="Copy a link").click()
    wait(page, "window.copied")
    assert page.evaluate("copied === location.href")
    assert page.evaluate("copied").endswith("#t=20&seat=2")
    assert page.locator(".notice").inner_text() == "Link copied"
    page.evaluate(
        """navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
           document.execCommand = command => { window.asked = command; return false; };"""
    )
    page.get_by_role("button", name="Copy a link").click()
    wait(page, "window.asked")
    wait(page, "document.querySelector('.notice').textContent.startsWith('The browser does not allow')")
    assert page.locator("textarea").count() == 0


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [DESKTOP, PHONE]))
def test_picture_of_a_turn(show: Open, tmp_path: Path, game: str, size: tuple[int, int]) -> None:
    """A press saves the board as PNG, in the colours of the page, with what bots drew."""
    replay = annotated(GAMES[game](), {3: "@mark 1 1 #ff00ff\n"})
    page = show(replay, "#t=3", size=size, color_scheme="dark")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    assert download.value.suggested_filename == f"{game}-{replay.header.seed}-3.png"
    download.value.save_as(tmp_path / "turn.png")
    width, height, colours = page.evaluate(COLOURS, base64.b64encode((tmp_path / "turn.png").read_bytes()).decode())
    assert max(width, height) >= 1200
    assert {"#191512", "#0072b2", "#ff00ff", GROUNDS[game]} <= set(colours)
    assert len(colours) > 8


# Two pictures of noise, of which the second one differs in a part, through the page's GIF and back.
NOISE = """async () => {
    const { createGif, paletteOf } = await import("dohyo/gif.js");
    const [wide, high] = [90, 80];
    const dice = (at) => (Math.imul(at + 1, 2654435761) >>> 13) & 3;
    const one = new Uint8ClampedArray(4 * wide * high).map((_, at) => (at % 4 === 3 ? 255 : 85 * dice(at)));
    const other = one.slice();
    for (let at = 4 * 40 * wide; at < 4 * 50 * wide; at++) if (at % 8 < 3) other[at] = 255 - one[at];
    const gif = createGif(wide, high, paletteOf([one, other]));
    for (const picture of [one, other, other]) gif.add(picture, 0.2);
    const decoder = new ImageDecoder({ data: await gif.blob().arrayBuffer(), type: "image/gif" });
    await decoder.tracks.ready;
    const same = [];
    for (const [number, wanted] of [one, other, other].entries()) {
        const { image } = await decoder.decode({ frameIndex: number });
        const pen = new OffscreenCanvas(wide, high).getContext("2d");
        pen.drawImage(image, 0, 0);
        image.close();
        same.push(pen.getImageData(0, 0, wide, high).data.every((part, at) => part === wanted[at]));
    }
    return [decoder.tracks.selectedTrack.frameCount, ...same];
}"""
LAST = """async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
    await decoder.tracks.ready;
    const count = decoder.tracks.selectedTrack.frameCount;
    const { image } = await decoder.decode({ frameIndex: count - 1 });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.displayWidth, image.displayHeight];
    canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
    return [count, canvas.toDataURL().split(",")[1]];
}"""


def test_film_of_a_stretch(show: Open, tmp_path: Path) -> None:
    """The turns that were asked for are saved as a GIF that a browser reads; afterwards the page is as it was."""
    replay = decided()
    page = show(replay, "#t=3", color_scheme="dark")
    assert page.evaluate(NOISE) == [3, True, True, True]
    page.get_by_role("button", name="Save a stretch").click()
    first, last = page.locator(".film input").all()
    assert (first.input_value(), last.input_value()) == ("3", "23")
    last.fill("2")
    page.locator(".film .small").click()
    assert page.locator(".film [role=status]").inner_text().startswith("A film has turns from 0")
    last.fill("23")
    page.locator(".film .small").click()
    page.keyboard.press("Escape")  # given up; the next one is not given up with it
    page.get_by_role("button", name="Save a stretch").click()
    first.fill("3")
    last.fill("5")
    with page.expect_download() as download:
        page.locator(".film .small").click()
    assert download.value.suggested_filename == f"drop-block-{replay.header.seed}-3-5.gif"
    download.value.save_as(tmp_path / "film.gif")
    count, picture = page.evaluate(LAST, base64.b64encode((tmp_path / "film.gif").read_bytes()).decode())
    assert count == 3 * 4
    width, height, colours = page.evaluate(COLOURS, picture)
    assert (width % 2, height % 2, max(width, height) > 480) == (0, 0, True)
    assert {GROUNDS["drop-block"], "#0072b2"} <= set(colours)
    assert not page.locator(".film").is_visible()
    assert page.evaluate("[dohyo.player.turn, dohyo.resting]") == [6, True]


def test_dropped_file_is_answered(show: Open) -> None:
    """A file on the page neither leaves it nor is shown: the page says how one of that replay is made."""
    page = show(page_of(troubled()))
    for name, told in (("m-1.replay.zst", "m-1.replay.zst"), ("$(x) <b>.replay", "FILE"), ("-x", "FILE")):
        stays = page.evaluate(
            """(name) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File(["x"], name));
                const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
                return !document.body.dispatchEvent(drop);
            }""",
            name,
        )
        assert stays
        assert f"dohyo replay {told} --html PAGE" in page.locator(".notice").inner_text()
