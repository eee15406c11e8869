"""The puzzles' page in a real browser: ten are solved, by keyboard alone and by touch; who may ask its server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from dohyo.core.errors import OperatorError
from dohyo.guests.puzzles.proving import Prover
from dohyo.guests.puzzles.serving import PuzzleServer
from dohyo.i18n import Speaker
from dohyo.series.puzzles.file import Written, read
from dohyo.series.puzzles.puzzle import Puzzle, position_of
from tests.guests.puzzles.positions import GAME, drawn, puzzle_of
from tests.web.conftest import DESKTOP, PHONE, wait

TEN = 10
Serve = Callable[..., PuzzleServer]


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """Ten puzzles, found in random positions."""
    prover = Prover(GAME, compiled=False)
    puzzles: dict[str, Puzzle] = {}
    for state in drawn(1000, range(7, 11), seed=5):
        one = prover.look(state, time.monotonic() + 600)
        if one is not None:
            made = puzzle_of(state, one.solution, others=one.others)
            puzzles[position_of(made).id] = made
        if len(puzzles) == TEN:
            return list(puzzles.values())
    raise AssertionError("there are not enough")


@pytest.fixture
def serve(tmp_path: Path, found: list[Puzzle]) -> Iterator[Serve]:
    """Serve them until the test ends."""
    running: list[tuple[PuzzleServer, threading.Thread]] = []

    def begin(language: str = "en", name: str = "me") -> PuzzleServer:
        path = str(tmp_path / "p.jsonl")
        if not running:
            with Written(path) as written:
                for puzzle in found:
                    written.add(puzzle)
        server = PuzzleServer(path, None, name, Speaker(language))
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        running.append((server, thread))
        return server

    yield begin
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a server's page of a size; nothing is reported as an error until the test ends."""
    errors: list[str] = []
    pages: list[Page] = []

    def open_page(server: PuzzleServer, size: tuple[int, int], *, touch: bool = False) -> Page:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        pages.append(page)
        page.goto(server.address)
        wait(page, "window.dohyo?.puzzle")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not errors


def solution(found: list[Puzzle], page: Page) -> str:
    """The solution of the puzzle that is shown."""
    shown = page.evaluate("dohyo.puzzle.id")
    return next(one.solution for one in found if position_of(one).id == shown)


def test_ten_are_solved_by_keyboard_alone(serve: Serve, opened: Callable[..., Page], found: list[Puzzle]) -> None:
    """The line to type in has the focus, then the way to the next one; each first answer is kept in the file."""
    page = opened(serve(), DESKTOP)
    for count in range(1, TEN + 1):
        page.keyboard.type(solution(found, page))
        page.keyboard.press("Enter")
        wait(page, "document.querySelector('.puzzle-result.right')")
        assert page.inner_text(".puzzle-standing dd").strip() == str(count)
        assert page.evaluate("document.activeElement.textContent") == "Next puzzle"
        before = page.evaluate("dohyo.puzzle.id")
        page.keyboard.press("Enter")
        wait(page, f"dohyo.puzzle.id !== {json.dumps(before)}")
    kept = read(str(serve().solver._written.path)).attempts
    assert [one.solved for one in kept] == [True] * TEN
    assert "You have tried this one before" in page.inner_text("aside")


def test_ten_are_solved_on_a_phone_by_touch(serve: Serve, opened: Callable[..., Page], found: list[Puzzle]) -> None:
    """By a cell of the board, or an entry of the list; nothing lies outside the screen's width."""
    page = opened(serve("ja"), PHONE, touch=True)
    for count in range(TEN):
        action = solution(found, page)
        at = page.evaluate("dohyo.puzzle.choices.map((one) => one.text)").index(action)
        if count % 2:
            page.tap(f".act-list li:nth-child({at + 1}) button")
        else:
            page.evaluate(f"dohyo.acting.pick(dohyo.puzzle.choices[{at}].cells[0])")
        wait(page, "document.querySelector('.puzzle-result.right')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        before = page.evaluate("dohyo.puzzle.id")
        page.tap(".puzzle-row button")
        wait(page, f"dohyo.puzzle.id !== {json.dumps(before)}")


def test_a_wrong_answer_says_why_and_can_be_tried_again(
    serve: Serve, opened: Callable[..., Page], found: list[Puzzle]
) -> None:
    """What takes the win is told; another try is right, but counts no more; what is not legal never counts."""
    server = serve()
    page = opened(server, DESKTOP)
    right = solution(found, page)
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    wait(page, "document.querySelector('.act-note').textContent.includes('99')")
    assert not server.solver._written.known.attempts
    wrong = next(one for one in page.evaluate("dohyo.puzzle.choices.map((one) => one.text)") if one != right)
    page.fill(".act-line", wrong)
    page.press(".act-line", "Enter")
    wait(page, "document.querySelector('.puzzle-result.wrong')")
    assert "It is proven: after" in page.inner_text(".puzzle-result")
    page.keyboard.press("Enter")  # try again
    wait(page, "!document.querySelector('.act-line').readOnly")
    page.fill(".act-line", right)
    page.press(".act-line", "Enter")
    wait(page, "document.querySelector('.puzzle-result.right')")
    assert [one.solved for one in server.solver._written.known.attempts] == [False]
    assert page.inner_text(".puzzle-standing dd").strip() == "0"


def test_the_solution_is_not_in_the_page(serve: Serve, opened: Callable[..., Page], found: list[Puzzle]) -> None:
    """Neither in what the page carries nor in a puzzle; who asks for it has not solved it."""
    server = serve()
    page = opened(server, DESKTOP)
    assert "solution" not in page.evaluate("JSON.stringify(dohyo.puzzle)")
    page.click("text=Show the solution")
    wait(page, "document.querySelector('.puzzle-result.right')")
    assert "The solution is" in page.inner_text(".puzzle-result")
    assert [one.solved for one in server.solver._written.known.attempts] == [False]


def ask(server: PuzzleServer, method: str, path: str, body: Any = None, **headers: str) -> int:
    """The status of an answer to a request as the page would make it, but for these headers."""
    usual = {"Host": server.hosts[0], "Origin": f"http://{server.hosts[0]}", "Content-Type": "application/json"}
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    content = None if body is None else json.dumps(body)
    connection.request(method, path, content, {**usual, **headers})
    status = connection.getresponse().status
    connection.close()
    return status


def test_strangers_are_refused(serve: Serve) -> None:
    """Another path, another host, another page's request, a body of another form: nothing is answered or kept."""
    server = serve()
    path = f"{server.path}/connectx"
    assert ask(server, "GET", "/") == 404
    assert ask(server, "GET", server.path, Host="evil.example") == 404
    assert ask(server, "POST", f"{path}/next", {}, Origin="http://evil.example") == 403
    assert ask(server, "POST", f"{path}/next", {"more": 1}) == 400
    assert ask(server, "POST", f"{path}/answer", {"id": "x" * 3000}) == 400
    assert ask(server, "POST", f"{path}/answer", {"id": "0" * 16, "action": "1"}) == 404
    assert ask(server, "POST", f"{path}/next", {}) == 200
    assert not server.solver._written.known.attempts


def test_a_file_without_any_is_refused(tmp_path: Path) -> None:
    """A sentence says how to search for some."""
    path = str(tmp_path / "none.jsonl")
    Written(path).close()
    with pytest.raises(OperatorError, match="search for some"):
        PuzzleServer(path, None, "me", Speaker("en"))
