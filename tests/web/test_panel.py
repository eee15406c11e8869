"""What stands beside the board: moves, faults, standard error, inputs, the cards of the bots, the final standings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind, Proof
from dohyo.core.playback import moments
from dohyo.core.referee import Answer
from dohyo.games.drop_block import GAME
from dohyo.web import content
from dohyo.web.page import html
from tests.games.abotcalypse.matches import play as abotcalypse
from tests.web.conftest import DESKTOP, PHONE, Open, wait
from tests.web.matches import HOSTILE, decided, play, troubled
from tests.web.test_content import near_sighted

SEEN = "plan \\x1b[31mred\\x1b[0m\\x00 \\u202eback</pre><script>alert(2)</script>\nsecond line"


def test_moves_with_times_faults_and_standard_error(show: Open) -> None:
    """The panel tells who moved and how, how long it thought, each fault with its detail, and what it wrote."""
    page = show(troubled(), "#t=4")
    panel = page.locator(".panel")
    assert panel.locator("h2").inner_text() == "Turn 4"
    assert panel.locator(".name").inner_text() == HOSTILE
    assert panel.locator("pre").first.inner_text() == SEEN
    page.evaluate("dohyo.seek(6)")
    assert panel.locator(".fault").inner_text().startswith("malformed: 'left' is none of")
    assert panel.locator(".action").inner_text() == "N"
    assert HOSTILE in panel.locator("pre").first.inner_text()
    assert panel.locator(".time").inner_text() == "12.3\u00a0ms"
    page.evaluate("dohyo.seek(7)")
    assert panel.locator(".fault").inner_text() == "exited, status 3: it ended by itself"
    assert "70000 bytes" in panel.inner_text()


def test_a_press_on_a_fault_shows_what_its_time_consisted_of(show: Open) -> None:
    """In the list of faults one presses, and the turn beside the board says why it was a time-out."""
    proof = Proof(charged=0.122, limit=0.1, wall=0.284, cpu=0.0004, ours=0.162)
    late = Fault(FaultKind.TIMEOUT, "no answer in time", proof=proof)

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        return Answer(None, (late,), 0.122) if turn == 9 else Answer("N", seconds=0.001)

    page = show(play(1, answers=answers, setup={"turns": 40}))
    page.locator(".faults .jump").first.click()
    told = page.locator(".panel .fault .measured")
    assert "it slept, or waited for something of its own" in told.inner_text()
    assert told.evaluate("node => getComputedStyle(node).display") == "block"


def test_strangers_text_makes_no_element(show: Open) -> None:
    """Names, replies and standard error are shown as text wherever they appear: no element comes of them."""
    page = show(troubled())
    for position in range(31):
        page.evaluate("position => dohyo.seek(position)", position)
        assert page.locator("img").count() == 0
        assert page.locator("#viewer script").count() == 0
    page.keyboard.press("?")
    assert page.locator("img").count() == 0
    assert page.get_by_text(HOSTILE).count() >= 2


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_inputs_on_demand(show: Open, size: tuple[int, int]) -> None:
    """A key shows the very input of a turn, which stays open from turn to turn; lines that changed are marked."""
    replay = decided()
    played = list(moments(GAME, replay))
    page = show(replay, "#t=30", size=size)
    assert page.locator("pre.input").count() == 0
    page.keyboard.press("i")
    for at in (31, 32, 60):
        page.evaluate("position => dohyo.seek(position)", at)
        seat = played[at - 1].turn.moves[0].seat
        shown = page.locator("pre.input").evaluate("node => node.textContent")
        assert shown == GAME.prompt(played[at - 1].before, seat).decode()
    before = GAME.prompt(played[59 - 4].before, seat).decode().split("\n")
    now = GAME.prompt(played[59].before, seat).decode().split("\n")
    changed = [line for line, old in zip(now, before, strict=True) if line != old]
    assert page.locator("pre.input mark").all_inner_texts() == [f"{line}\n" for line in changed]
    page.keyboard.press("i")
    assert not page.locator("pre.input").is_visible()


def test_a_match_too_long_for_its_page(show: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last turn says that the page ends there; in the place of inputs stands what to type."""
    monkeypatch.setattr(content, "MAX_MOVES", 10)
    monkeypatch.setattr(content, "MAX_SENT", 10)
    page = show(play(71))  # of no other test: pages are kept
    page.evaluate("() => dohyo.seek(1000)")
    assert page.get_by_text("The page ends here, as the match is too long for it").count() >= 1
    page.keyboard.press("i")
    expect(page.locator(".move .sent").first).to_contain_text("dohyo replay REPLAY --inputs")


@pytest.mark.parametrize("size", [(1024, 600), (761, 300)])
def test_no_panel_is_squeezed(show: Open, size: tuple[int, int]) -> None:
    """However little room there is beside the board, each panel shows all that is in it: their column is scrolled."""
    page = show(troubled(), "#t=4", size=size)
    cut = "nodes => nodes.filter(node => node.scrollHeight > node.clientHeight + 2).map(node => node.className)"
    assert page.locator("aside > *, .chart-panel").evaluate_all(cut) == []


def test_focus_stays_in_the_list_of_moves(show: Open) -> None:
    """From turn to turn the focus stays at the same seat, and at the same thing of it; all of it has a name."""
    page = show(abotcalypse(3, bots=3, turns=8), "#t=2")
    page.keyboard.press("i")
    names = page.locator(".panel article").evaluate_all("nodes => nodes.map(node => node.ariaLabel)")
    assert len(names) == len(set(names)) > 1
    unnamed = "nodes => nodes.filter(node => node.role !== 'region' || !node.ariaLabel).length"
    assert page.locator(".panel pre[tabindex]").evaluate_all(unnamed) == 0
    focused = "[document.activeElement.tagName, document.activeElement.closest('article')?.ariaLabel]"
    for part, tag in (("summary", "SUMMARY"), ("pre.input", "PRE"), (".row button", "BUTTON")):
        page.locator("article").nth(1).locator(part).focus()
        for turn in (3, 4):
            page.evaluate("turn => dohyo.seek(turn)", turn)
            assert page.evaluate(focused) == [tag, names[1]]


def test_stopped_program_was_not_asked(show: Open) -> None:
    """After the fault that stopped it, the panel says that a program was not asked."""
    page = show(troubled(), "#t=10")
    page.keyboard.press("i")
    page.locator(".sent", has_text="was not asked").wait_for()


def test_one_bot_can_be_followed(show: Open) -> None:
    """A press on a bot's card, or its number, keeps its latest move in the panel; marks are then its own turns."""
    page = show(decided(), "#t=22")
    page.keyboard.press("1")
    assert page.locator(".card").nth(1).get_attribute("aria-pressed") == "true"
    assert page.locator(".panel h2").inner_text() == "Turn 21 (now at 22)"
    page.keyboard.press("n")
    wait(page, "dohyo.player.turn === 26")
    assert page.locator(".panel h2").inner_text() == "Turn 25"
    page.locator(".card").nth(1).click()
    assert page.locator(".card").nth(1).get_attribute("aria-pressed") == "false"
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    assert page.locator('.card[aria-pressed="true"]').count() == 0


def test_cards_say_how_each_player_fares(show: Open) -> None:
    """A card tells that its player stands, is stunned, or in which turn it fell."""
    replay = decided()
    page = show(replay, f"#t={len(replay.turns)}")
    for seat, player in enumerate(page.evaluate("dohyo.frame.players")):
        status = page.locator(".card .status").nth(seat).inner_text()
        if player["fell"] is not None:
            assert status == f"fell in turn {player['fell']}"
        else:
            assert status in ("standing", f"stunned for {player['stun']}")


@pytest.mark.parametrize(
    ("language", "wins", "reason"),
    [("en", "{} wins", "last player standing"), ("ja", "{} の勝ち", "最後まで生き残った")],
)
def test_final_standings_are_shown_at_the_end(show: Open, language: str, wins: str, reason: str) -> None:
    """At the end, and not before, winner, reason and places are shown, in the page's language."""
    replay = decided()
    winner = replay.result.winner
    assert winner is not None
    page = show(replay, language=language)
    assert not page.locator(".banner").is_visible()
    assert not page.locator(".standings").is_visible()
    page.keyboard.press("End")
    names = [seat.name for seat in replay.header.seats]
    label = names[winner] if names.count(names[winner]) == 1 else f"{names[winner]} ({winner})"
    assert page.locator(".banner").inner_text().split("\n")[-2:] == [wins.format(label), reason]
    assert reason in page.locator(".standings").inner_text()
    places = [int(text) for text in page.locator(".standings .place").all_inner_texts()]
    assert places == sorted(replay.result.places)
    assert page.locator(".standings tbody .name").first.inner_text() == names[winner]


@pytest.mark.parametrize(
    ("places", "language", "words"),
    [
        ((1, 3, 1, 4), "en", "First: hunter, Yokozuna"),
        ((1, 3, 1, 4), "ja", "1 位：hunter、Yokozuna"),
        ((1, 1, 1, 1), "en", "A draw"),
        ((1, 1, 1, 1), "ja", "引き分け"),
    ],
)
def test_shared_first_place_names_who_shares_it(
    show: Open, places: tuple[int, ...], language: str, words: str
) -> None:
    """Where some share the first place and others have lost, those are named; a draw is when all are level."""
    replay = decided()
    replay.result = msgspec.structs.replace(replay.result, places=places, winner=None)
    page = show(replay, language=language)
    page.keyboard.press("End")
    shown = page.locator(".banner strong").inner_text()
    assert shown.replace("\u2068", "").replace("\u2069", "") == words


def test_many_who_share_the_first_place_are_counted(show: Open) -> None:
    """Of more than six who share the first place, six are named, and the others counted."""
    replay = abotcalypse(2, bots=20, turns=5)
    survivors = replay.result.places.count(1)
    assert 6 < survivors < 20
    page = show(replay)
    page.keyboard.press("End")
    shown = page.locator(".banner strong").inner_text()
    assert shown.startswith("First: ")
    assert shown.count(",") == 5
    assert shown.endswith(f" and {survivors - 6} more")


def test_unfinished_match_says_so(show: Open) -> None:
    """An interrupted match ends with a word about it, and no places."""
    page = show(play(3, until=17))
    page.keyboard.press("End")
    assert page.locator(".banner").inner_text().split("\n") == ["Unfinished", "interrupted before the end"]
    assert page.locator(".standings .place").all_inner_texts() == ["\u2013"] * 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_result_covers_nothing_of_the_board(show: Open, size: tuple[int, int]) -> None:
    """How the match ended stands beside or below a square board, whose last row stays to be seen."""
    page = show(decided(), size=size)
    page.keyboard.press("End")
    board, banner = page.locator(".board").bounding_box(), page.locator(".banner").bounding_box()
    assert board is not None
    assert banner is not None
    assert banner["x"] >= board["x"] + board["width"] or banner["y"] >= board["y"] + board["height"]


def test_match_without_turns_can_be_opened(show: Open) -> None:
    """A match that ended before its first turn shows its beginning, its end, and keys that do no harm."""
    page = show(play(3, setup={"turns": 0}))
    for key in ("Space", "ArrowRight", "ArrowLeft", "n", "p", "End", "1", "i", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("dohyo.player.turn") == 0
    assert page.evaluate("dohyo.drawn().players.every(Boolean)")
    assert page.locator(".banner").inner_text().startswith("A draw")


def test_last_words_are_shown_at_the_end(show: Open) -> None:
    """What a bot wrote after its last turn stands at the end of the match; a stopped program is told of."""
    page = show(troubled(), "#t=29")
    assert "After the last turn" in page.locator(".panel").inner_text()
    assert "last words" in page.locator(".panel").inner_text()
    assert "as EOFError, is no fault" in page.locator(".panel").inner_text()
    assert "program stopped in turn 6" in page.locator(".standings").inner_text()
    page.keyboard.press("ArrowLeft")
    wait(page, "dohyo.resting")
    assert "last words" not in page.locator(".panel").inner_text()


def test_match_can_be_seen_with_one_seats_eyes(show: Open) -> None:
    """Where seats see less than all, a choice and a key switch between everybody's view and each seat's."""
    page = show(html(play(5, letters="UDLRN", setup={"turns": 20}), game=near_sighted()))
    players = "dohyo.drawn().players.map(Boolean)"
    assert page.evaluate(players) == [True] * 4
    page.keyboard.press("v")
    assert page.evaluate(players) == [True, False, False, False]
    page.get_by_role("combobox", name="Seen by").select_option("3")
    assert page.evaluate(players) == [False, False, True, False]
    page.keyboard.press("End")
    assert page.evaluate(players) == [False, False, True, False]


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (Clock(turn=0.0, bank=1.0, increment=0.1), "1+0.1"),
        (Clock(turn=0.0, bank=90.0, moves=40, mode="fair"), "40/90+0 (mode=fair)"),
        (Clock(turn=0.1, bank=5.0, increment=0.2), "0.1\u00a0s (bank=5, increment=0.2)"),
    ],
)
def test_the_clock_is_told_as_it_was_typed(show: Open, clock: Clock, told: str) -> None:
    """Time for a whole match stands there as at chess, and no increment is missing."""
    replay = play(3, until=2)
    page = show(msgspec.structs.replace(replay, header=msgspec.structs.replace(replay.header, clock=clock)))
    assert page.locator("header .about").inner_text().endswith(f" \u00b7 {told}")
