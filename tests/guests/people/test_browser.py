"""Whole matches, played by a person in a real browser: won by the keyboard alone, lost on a phone by touch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import dohyo
from dohyo import games
from dohyo.bots.typed_words import plain
from dohyo.core import playback
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.observation import Observation
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.match.play import play_match
from dohyo.web.served.play_server import PlayServer
from tests.web.conftest import DESKTOP, PHONE

PATIENCE = 300_000  # milliseconds, for what takes a few seconds on an idle machine
ME = Elsewhere("me")


class Saying(dohyo.Bot):
    """Answers what it was made with."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers

    def begin(self) -> None:
        """From the first answer on."""
        self.left = list(self.answers)

    def act(self, observation: Observation) -> str:
        """The next answer."""
        return self.left.pop(0)


# A match of sample bots: the person sits where the first one won, or where another one lost, and does what it did.
SAMPLES = [
    ("drop-block", ["hunter", "random", "random", "random"], 2, {}),
    ("wondev-woman", ["climber", "random"], 5, {}),
    ("shoot-em-up", ["gunner", "random"], 6, {}),
    ("abotcalypse", ["builder", "random"], 1, {"turns": 20}),
]
# Against bots of which everything is known: the person's seat and lines, the bot's lines.
SHORT = [
    ("chess", 1, ["e7e5", "d8h4"], ["f2f3", "g2g4"], "won"),
    ("chess", 0, ["f2f3", "g2g4"], ["e7e5", "d8h4"], "lost"),
    ("go", 0, ["E5", "pass"], ["pass"], "won"),
    ("go", 1, ["pass"], ["E5", "pass"], "lost"),
]


@contextmanager
def served(
    game: str, specs: Sequence[Any], language: str = "en", **options: Any
) -> Iterator[tuple[str, list[Replay]]]:
    """The address of a match's page, and what was played, once it is over."""
    people = [seat for seat, spec in enumerate(specs) if spec == ME]
    ended: list[Replay] = []
    more = {"sandbox": "none", "seed": 1, **options}
    with closing(PlayServer(games.find(game), specs, people, Speaker(language), ended.append, **more)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.address, ended
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def opened(browser: Browser, address: str, size: tuple[int, int]) -> Iterator[Page]:
    """The page in a browser of this size, where nothing may go wrong."""
    is_phone = size == PHONE
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=is_phone,
        is_mobile=is_phone,
        reduced_motion="reduce",
    )
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(address)
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert wrong == []
    context.close()


def by_keyboard(page: Page, line: str) -> None:
    """Type it where the focus is: that is the line, whenever it is the person's turn."""
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def by_touch(page: Page, line: str) -> None:
    """Narrow the list, and tap what is meant."""
    page.locator(".act-line").fill(line)
    page.evaluate("document.querySelector('.act-list').scrollTo(0, 0)")
    buttons = page.locator(".act-list button")
    exact = page.locator(".act-list li").filter(has=page.locator("code", has_text=line))
    if buttons.count() == 1:
        buttons.first.tap()
    elif exact.count() == 1:
        exact.locator("button").tap()
    else:
        page.locator(".act-go").tap()


def play(page: Page, lines: Sequence[str], act: Callable[[Page, str], None]) -> None:
    """Answer each question with the next line."""
    last: int | None = None
    for line in lines:
        last = await_question(page, last)
        act(page, line)


def await_question(page: Page, last: int | None) -> int:
    """Wait for a question after the `last` one; its number."""
    found: int = page.evaluate(
        """async (last) => {
            const end = performance.now() + 60000;
            while (!globalThis.dohyo?.ask || dohyo.ask.number === last) {
                if (performance.now() > end) throw new Error("waited in vain");
                await new Promise(requestAnimationFrame);
            }
            return dohyo.ask.number;
        }""",
        last,
    )
    return found


def played_by(replay: Replay, seat: int) -> list[str]:
    """What a seat did."""
    return [move.action for turn in replay.turns for move in turn.moves if move.seat == seat]


@pytest.mark.parametrize(("game", "bots", "seed", "setup"), SAMPLES)
@pytest.mark.parametrize("ends", ["won", "lost"])
def test_a_match_against_sample_bots(
    browser: Browser, game: str, bots: list[str], seed: int, setup: dict[str, object], ends: str
) -> None:
    """Its page leads from the first question to the end, and what was played is a replay as any other."""
    model = play_match(game, bots, seed=seed, sandbox="none", setup=setup)
    places = model.result.places
    seat = places.index(1) if ends == "won" else places.index(max(places))
    specs = [ME if at == seat else plain(bot) for at, bot in enumerate(bots)]
    size, act = (DESKTOP, by_keyboard) if ends == "won" else (PHONE, by_touch)
    with served(game, specs, seed=seed, setup=setup) as (address, ended), opened(browser, address, size) as page:
        play(page, played_by(model, seat), act)
        said = "You win" if ends == "won" else "You lose"
        expect(page.locator(".play-end")).to_contain_text(said, timeout=PATIENCE)
        assert ended[0].result.places == places
        assert playback.verify(games.find(game), ended[0]) == len(model.turns)
        page.locator(".play-end a").first.press("Enter")
        expect(page.locator(".from-button")).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize(("game", "seat", "mine", "theirs", "ends"), SHORT)
def test_chess_and_go(browser: Browser, game: str, seat: int, mine: list[str], theirs: list[str], ends: str) -> None:
    """Won by the keyboard alone; lost on a phone, where cells of the board are touched."""
    specs: list[Any] = [ME, ME]
    specs[1 - seat] = Saying(*theirs)
    size, act = (DESKTOP, by_keyboard) if ends == "won" else (PHONE, touch_cells)
    with served(game, specs) as (address, ended), opened(browser, address, size) as page:
        play(page, mine, act)
        expect(page.locator(".play-end")).to_contain_text(
            "You win" if ends == "won" else "You lose", timeout=PATIENCE
        )
        assert not ended[0].result.unfinished


def touch_cells(page: Page, line: str) -> None:
    """Touch the action's cells, one after the other; tap it in the list if it has none."""
    cells = page.evaluate("line => dohyo.ask.choices.find(({ text }) => text === line).cells", line)
    if not cells:
        by_touch(page, line)
    for cell in cells:
        x, y = page.evaluate("cell => dohyo.board.place(cell)", cell)
        page.touchscreen.tap(x, y)


def test_on_from_a_lost_position(browser: Browser) -> None:
    """Who has lost goes back in the match's page, takes the winner's seat there, and wins; by the keyboard alone."""
    specs = [ME, Saying("e7e5", "d8h4")]
    with served("chess", specs) as (address, _), opened(browser, address, DESKTOP) as page:
        play(page, ["f2f3", "g2g4"], by_keyboard)
        expect(page.locator(".play-end a").first).to_be_focused(timeout=PATIENCE)
        page.keyboard.press("Enter")
        expect(page.locator(".from-button")).to_be_visible(timeout=PATIENCE)
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.locator(".from-button").press("Enter")
        sheet = page.locator("dialog.from")
        expect(sheet).to_contain_text("Turn 2")
        selects = sheet.locator("select")
        selects.nth(1).select_option("me")
        selects.nth(0).select_option("random")
        sheet.get_by_role("button", name="Play", exact=True).press("Enter")
        page.wait_for_url("**/play/2")
        expect(page.locator(".act-list button").first).to_be_visible(timeout=PATIENCE)
        await_question(page, None)
        by_keyboard(page, "d8h4")
        expect(page.locator(".play-end")).to_contain_text("You win", timeout=PATIENCE)


def test_many_actions_are_offered_by_their_beginning(browser: Browser) -> None:
    """Of Wondev Woman's dozens of actions one first chooses who goes where, then what is built; the keyboard does."""
    with (
        served("wondev-woman", [ME, plain("random")], seed=5, setup={"map": "square"}) as (address, _),
        opened(browser, address, DESKTOP) as page,
    ):
        last = await_question(page, None)
        offered = page.evaluate("dohyo.ask.choices.map(({ text }) => text)")
        groups = page.locator(".act-list button")
        assert len(offered) > 24
        assert groups.count() < len(offered) / 2
        counts = page.locator(".act-group code").all_text_contents()
        alone = groups.count() - len(counts)
        assert sum(map(int, counts)) + alone == len(offered), "each is somewhere"
        page.locator(".act-group").first.focus()
        label = page.locator(".act-group span").first.inner_text().removesuffix("\u2026")
        page.keyboard.press("Enter")
        inner = page.locator(".act-list button span").all_text_contents()
        assert len(inner) == int(counts[0])
        assert all(words.startswith(label) for words in inner)
        expect(page.locator(".act-list button").first).to_be_focused()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        assert groups.count() == len(counts) + alone, "taken back"
        page.locator(".act-group").first.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        await_question(page, last)
