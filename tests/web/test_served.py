"""A page from a server on one's own machine: who may ask it for what, and the button that has the match analysed."""

from __future__ import annotations

import base64
import importlib.util
import json
import re
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse

import msgspec
import pytest
from playwright.sync_api import Page

from dohyo.core.replay_format import encode
from dohyo.guests.analysis import worker
from dohyo.guests.analysis.worker import analyse_to
from dohyo.i18n import Speaker
from dohyo.series import onward
from dohyo.system import interpreter
from dohyo.web.page import html
from dohyo.web.served import local, running
from dohyo.web.served import server as served
from dohyo.web.served.running import MatchAnalysis, Order
from dohyo.web.served.server import PageServer
from tests.guests.analysis.test_analysis import Greedy, played
from tests.web.conftest import DESKTOP, PHONE, Pages, wait

BLUNDER = "3031323"  # seat 1 plays so badly that other moves win more when the search plays on
FEW, ENDLESS = 400, 10**9  # playouts
PATIENCE = 60
# Stands for a worker: it says something, and then does what its test wants.
HANGS = 'import sys; print(\'{"told":"begun"}\', flush=True); sys.stdin.buffer.readlines()'
ENDS = 'print(\'{"told":"begun"}\')'
ANSWERS = 'print(\'{"analysis":[],"note":""}\')'
GOES_ON = 'import time\nwhile True:\n    print(\'{"told":"more"}\', flush=True)\n    time.sleep(0.01)'
GOOD = {"Content-Type": "application/json"}

Serve = Callable[..., PageServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serve a match's page until the test ends: `serve(columns, language, playouts=FEW, worker=CODE)`.

    Numba, which would have to compile, is not there.
    """
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    running: list[tuple[PageServer, threading.Thread]] = []

    def serve_page(columns: str = BLUNDER, language: str = "en", playouts: int = FEW, worker: str = "") -> PageServer:
        if worker:
            monkeypatch.setattr(interpreter, "module", lambda *_: interpreter.alone(worker))
        server = PageServer(played(columns), Speaker(language), playouts)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        running.append((server, thread))
        return server

    yield serve_page
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.close()


def ask(
    server: PageServer, method: str = "GET", path: str | None = None, body: str | None = None, **headers: str | None
) -> HTTPResponse:
    """Ask a server as its own page would, but for these headers; one that is none is left out."""
    host = server.hosts[0]
    usual: dict[str, str | None] = {"Host": host}
    if method == "POST":
        usual |= {"Origin": f"http://{host}", **GOOD}
        body = '{"seconds":1}' if body is None else body
    own = usual | {name.replace("_", "-"): value for name, value in headers.items()}
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    connection.putrequest(method, server.path if path is None else path, skip_host=True, skip_accept_encoding=True)
    if body is not None:
        own = {"Content-Length": str(len(body)), **own}
    for name, value in own.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders((body or "").encode())
    return connection.getresponse()


def start(server: PageServer, **more: str | None) -> HTTPResponse:
    """Ask for an analysis."""
    return ask(server, "POST", f"{server.path}/analysis", **more)


def test_the_page_is_given_to_who_has_its_address(serve: Serve) -> None:
    """The page is at the address, and may be shown in no frame, kept nowhere, and read by no other page."""
    server = serve()
    for host in server.hosts:
        with closing(ask(server, Host=host)) as answer:
            assert (answer.status, answer.read()) == (200, server.page)
    told = dict(answer.getheaders())
    assert local.HEADERS.items() <= told.items()
    assert not [name for name in told if name.startswith("Access-Control")]
    assert server.address == f"http://127.0.0.1:{server.server_port}{server.path}"
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_each_start_has_its_own_address(serve: Serve) -> None:
    """Nobody can know an address from one that was there before; it holds 128 bits."""
    first, second = serve(), serve()
    assert first.path != second.path
    assert len(first.path) == len("/") + 22


@pytest.mark.parametrize(
    "path", ["/", "/analysis", "/{other}", "/{other}/analysis", "{own}/", "{own}/../", "{own}?x"]
)
def test_refused_without_the_secret(serve: Serve, path: str) -> None:
    """Whoever does not have the whole address gets nothing but a sentence, however it asks."""
    server = serve(worker=ENDS)
    where = path.format(other="A" * 22, own=server.path)
    for method in ("GET", "POST"):
        with closing(ask(server, method, where)) as answer:
            assert (answer.status, answer.read()) == (
                404,
                b"Nothing is here. Open the whole address that the terminal shows.",
            )


@pytest.mark.parametrize("host", [None, "evil.example", "evil.example:{port}", "127.0.0.1", "127.1:{port}"])
def test_refused_by_another_name(serve: Serve, host: str | None) -> None:
    """A site whose name turns into 127.0.0.1 gets nothing, though it knows the secret."""
    server = serve(worker=ENDS)
    name = host and host.format(port=server.server_port)
    for answer in (ask(server, Host=name), start(server, Host=name, Origin=f"http://{name}")):
        with closing(answer):
            assert answer.status == 404


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "https://{own}"])
def test_no_other_page_starts_an_analysis(serve: Serve, origin: str | None) -> None:
    """A page of another origin cannot start anything, though it knows the secret."""
    server = serve(worker=ENDS)
    with closing(start(server, Origin=origin and origin.format(own=server.hosts[0]))) as answer:
        assert answer.status == 403


@pytest.mark.parametrize(
    "body",
    [
        *("", "{}", "[]", "{", '{"seconds":0.5}', '{"seconds":601}', '{"seconds":"1"}', '{"seconds":1e999}'),
        *('{"seconds":NaN}', '{"seconds":1,"path":"/etc/passwd"}', " " * 201),
    ],
)
def test_only_what_the_button_asks_is_done(serve: Serve, body: str) -> None:
    """Seconds within bounds, and nothing else."""
    with closing(start(serve(worker=ENDS), body=body)) as answer:
        assert answer.status == 400


@pytest.mark.parametrize("header", ["Content_Length", "Content_Type"])
def test_a_request_must_say_what_it_carries(serve: Serve, header: str) -> None:
    """A body of no known size or of another kind, as a form of another page sends, is not read."""
    with closing(start(serve(worker=ENDS), **{header: None})) as answer:
        assert answer.status == 400


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "HEAD", "<script>"])
def test_other_methods_are_refused(serve: Serve, method: str) -> None:
    """What is not offered is refused without being repeated; a browser that asks first is not allowed anything."""
    with closing(ask(serve(), method)) as answer:
        assert answer.status == 501
        assert b"script" not in answer.read()


def test_what_is_no_request(serve: Serve) -> None:
    """Noise ends its own connection only."""
    server = serve()
    noises = (b"\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n")
    for noise in (*noises, b"A" * 70_000):
        with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as line:
            line.sendall(noise)
            line.shutdown(socket.SHUT_WR)
    with closing(ask(server)) as answer:
        assert answer.status == 200


def test_only_so_many_connections(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens more connections than there is room for is hung up on; the server ends with all of them open."""
    monkeypatch.setattr(local, "MAX_CONNECTIONS", 2)
    server = serve()
    lines = [socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) for _ in range(3)]
    assert lines[-1].recv(1) == b""
    server.shutdown()
    server.close()
    for line in lines:
        assert line.recv(1) == b""
        line.close()


@pytest.mark.parametrize("begun", ["", "GET / HTTP/1.1\r\nX: ", "POST {path}/analysis HTTP/1.1\r\n{own}\r\n\r\n"])
def test_a_request_has_to_come_in_time(serve: Serve, monkeypatch: pytest.MonkeyPatch, begun: str) -> None:
    """Whoever sends a byte now and then keeps no connection: there are few."""
    monkeypatch.setattr(local, "PATIENCE", 1.0)
    server = serve(worker=ENDS)
    host = server.hosts[0]
    own = f"Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: 200"
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        connection.sendall(begun.format(path=server.path, own=own).encode())
        connection.settimeout(0.2)
        for _ in range(100):  # 20 s
            try:
                connection.sendall(b" ")
                if connection.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("it is waited for")


def test_one_at_a_time_and_no_longer_than_the_page_is_open(serve: Serve) -> None:
    """A second window is told that an analysis runs; when the first hangs up, another can run."""
    server = serve(worker=HANGS)
    first = start(server)
    assert first.readline() == b'{"told":"begun"}\n'
    process = server.analysis._process
    assert process is not None
    with closing(start(server)) as second:
        assert (second.status, json.loads(second.read())) == (
            409,
            {"none": "The match is being analysed already, in another window."},
        )
    assert process.poll() is None
    first.close()
    process.wait(PATIENCE)
    while (third := start(server)).status == 409:  # until that is noticed
        third.close()
    assert third.readline() == b'{"told":"begun"}\n'
    process = server.analysis._process
    assert process is not None
    server.shutdown()
    server.close()
    assert third.read() == b""  # not that the analysis has failed
    assert process.poll() is not None
    third.close()


def test_a_worker_that_fails_is_told_of(serve: Serve) -> None:
    """Where a worker ends without a result, the page has a sentence for it, and what was found before stays."""
    server = serve(worker=ENDS)
    server.analysis.found = b"before"
    with closing(start(server)) as answer:
        lines = [json.loads(line) for line in answer.read().splitlines()]
    assert lines == [{"told": "begun"}, {"none": "The analysis has failed; the terminal may say why."}]
    assert server.analysis.found == b"before"


@pytest.mark.parametrize("worker", [HANGS, GOES_ON])
def test_a_worker_that_takes_too_long_is_ended(serve: Serve, monkeypatch: pytest.MonkeyPatch, worker: str) -> None:
    """However long somebody has made the match, its analysis ends, and another can run."""
    monkeypatch.setattr(running, "BESIDE", 0.5)
    server = serve(worker=worker)
    for _ in range(2):
        with closing(start(server)) as answer:
            last = json.loads(answer.read().splitlines()[-1])
        assert last == {"none": "The match is too long to be analysed in this time."}


def test_the_result_is_kept(serve: Serve) -> None:
    """What an analysis found is given again, to whoever has the address."""
    server = serve(worker=ANSWERS)
    with closing(ask(server, path=f"{server.path}/analysis")) as answer:
        assert (answer.status, answer.read()) == (204, b"")
    with closing(start(server)) as answer:
        assert answer.read() == b'{"done":true}\n'
    with closing(ask(server, path=f"{server.path}/analysis")) as answer:
        assert json.loads(answer.read()) == {"analysis": [], "note": ""}


@pytest.mark.parametrize(("worker", "told"), [(ANSWERS, b'"done":true'), (ENDS, b'"none":')])
def test_a_worker_may_end_before_it_was_told_what_to_do(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, worker: str, told: bytes
) -> None:
    """Whoever asked hears what it said, or that it failed; the connection does not just end."""

    def order(analysis: MatchAnalysis, process: subprocess.Popen[bytes], seconds: float) -> None:
        """As it is when the worker was quicker."""
        process.wait()
        raise BrokenPipeError

    monkeypatch.setattr(MatchAnalysis, "_order", order)
    with closing(start(serve(worker=worker))) as answer:
        assert told in answer.read()


def test_what_a_worker_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far it is, and what the page shows; or why there is nothing to show."""
    monkeypatch.setattr(onward, "BySearch", lambda *_: Greedy())  # who thinks less of each move

    def said(columns: str, seconds: float = 1) -> list[dict[str, object]]:
        lines: list[dict[str, object]] = []
        analyse_to(lines.append, played(columns) if columns else empty, Order(0, seconds, 40, False, "en"))
        return lines

    empty = played(BLUNDER)
    empty.turns.clear()
    first, *between, last_told, result = said(BLUNDER)
    assert any(str(one["told"]).startswith("Other actions are tried: turn ") for one in between)
    assert str(first["told"]).startswith("Thinking about the match")
    assert last_told["done"] == last_told["of"]
    assert set(result) == {"analysis", "note"}
    assert said("")[-1] == {"none": "Nobody played a turn in this match: there is nothing to judge."}


def test_a_worker_ends_with_who_started_it() -> None:
    """A worker whose input ends was left by a server that was killed: it ends at once, whatever it does."""
    packed = encode(played(BLUNDER))
    order = Order(len(packed), 1, ENDLESS, False, "en")
    process = subprocess.Popen(
        interpreter.module(worker.__name__, "/"),
        env=interpreter.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(msgspec.json.encode(order) + b"\n" + packed)
        process.stdin.flush()
        assert b"Thinking" in process.stdout.readline()
        process.stdin.close()
        try:
            assert process.wait(PATIENCE) == 1
        finally:
            process.kill()


def test_only_a_served_page_may_ask(serve: Serve) -> None:
    """A page that is a file may make no request at all; a served one asks its own server only."""
    assert "; connect-src 'self'\"" in serve().page.decode()
    assert "connect-src" not in html(played(BLUNDER))


# --- in a browser


@pytest.fixture
def look(pages_of_file: Pages) -> Iterator[Callable[..., Page]]:
    """Open a served page: `look(server, size, complaints=0)`; it may ask nobody but its server."""
    complaints: list[str] = []
    asked: set[str] = set()
    listeners = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: asked.add(request.url.partition("#")[0]),
    }
    servers: list[PageServer] = []
    with pages_of_file.of_test(listeners) as page_of:

        def open_(server: PageServer, size: tuple[int, int] = DESKTOP) -> Page:
            servers.append(server)
            page = page_of(size)
            page.goto(server.address)
            wait(page, "window.dohyo")
            return page

        yield open_
        assert [one for one in complaints if "422" not in one] == [], "but for what is no replay"
    pages = {f"http://{server.hosts[0]}{path}" for server in servers for path in server.shown()}
    own = pages | {f"{page}/{word}" for page in pages for word in ("analysis", "replay")}
    assert {address for address in asked if not address.startswith("data:")} <= own


def test_the_button_shows_chances_turning_points_and_better_lines(serve: Serve, look: Callable[..., Page]) -> None:
    """A press has the match analysed; the page shows what `analyse --html` shows, also after a reload."""
    page = look(serve())
    assert "chances" not in page.evaluate("dohyo.charts()")
    assert page.locator(".command").count() == 0
    assert "Numba is not installed" in page.locator(".analyse").inner_text()
    page.get_by_role("button", name="Analyse", exact=True).click()
    for _ in range(2):
        wait(page, "dohyo.charts().chances")
        assert page.evaluate("dohyo.charts().chances.lines") == [8, 8]
        point = page.locator(".chart-panel .jumps li").first
        told = re.search(r"random 1 \(seat 1\) played .; (.) was better", point.inner_text())
        assert told is not None
        point.get_by_role("button", name="Play the better line").click()
        assert page.evaluate("dohyo.variation.turns[dohyo.variation.base]")[0]["action"] == told[1]
        page.keyboard.press("Escape")
        assert page.get_by_role("button", name="Analyse again").is_visible()
        page.reload()
        wait(page, "window.dohyo")
    wait(page, "dohyo.charts().chances")
    page.locator(".chart-panel .jumps li").first.get_by_role("button", name="Play the better line").click()
    page.keyboard.press("End")
    wait(page, "location.hash.startsWith(`#t=${dohyo.variation.turns.length - 1}&line=`)")
    shown = page.evaluate("location.hash")
    page.reload()
    wait(page, "window.dohyo")
    wait(page, "dohyo.variation")
    assert page.evaluate("location.hash") == shown, "the line that was shown"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_an_analysis_is_stopped(serve: Serve, look: Callable[..., Page], size: tuple[int, int]) -> None:
    """While it runs there is a button to stop it, in Japanese too; the page is then as before."""
    server = serve(language="ja", worker=HANGS)
    page = look(server, size)
    page.get_by_role("button", name="解析する").click()
    wait(page, "document.querySelector('.analyse [role=status]').textContent === 'begun'")
    process = server.analysis._process
    assert process is not None
    page.get_by_role("button", name="中止").click()
    process.wait(PATIENCE)
    assert page.get_by_role("button", name="解析する").is_visible()
    assert page.locator(".analyse [role=status]").inner_text() == ""


def test_who_leaves_the_page_stops_it(serve: Serve, look: Callable[..., Page]) -> None:
    """An analysis that nobody waits for does not run."""
    server = serve(worker=HANGS)
    page = look(server)
    page.get_by_role("button", name="Analyse", exact=True).click()
    wait(page, "document.querySelector('.analyse [role=status]').textContent === 'begun'")
    process = server.analysis._process
    assert process is not None
    page.goto("about:blank")
    process.wait(PATIENCE)


DROP = """content => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], "other.replay"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


def test_a_replay_that_is_dropped_opens(serve: Serve, look: Callable[..., Page]) -> None:
    """Its page comes in the place of the one on which it was dropped, can be analysed, and does not end the other."""
    server = serve(worker=ANSWERS)
    page = look(server)
    other = played("0101010")
    page.evaluate(DROP, base64.b64encode(encode(other, compressed=True)).decode())
    page.wait_for_url(f"**{server.path}/1*")
    wait(page, "window.dohyo")
    assert page.evaluate("dohyo.player.last") == other.played
    page.evaluate(DROP, base64.b64encode(b"no replay").decode())
    wait(page, "!document.querySelector('.notice').hidden")
    assert page.locator(".notice").inner_text() != ""
    assert page.evaluate("location.pathname") == f"{server.path}/1"
    with closing(ask(server)) as answer:
        assert (answer.status, answer.read()) == (200, server.page)
    with closing(ask(server, "POST", f"{server.path}/1/analysis")) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    ("path", "origin", "kind", "status"),
    [
        ("/{other}/replay", None, "application/octet-stream", 404),
        ("{own}/replay", "http://evil.example", "application/octet-stream", 403),
        ("{own}/replay", None, "application/json", 400),
        ("{own}/replay", None, "application/octet-stream", 422),
    ],
)
def test_who_may_open_a_replay(serve: Serve, path: str, origin: str | None, kind: str, status: int) -> None:
    """Only our own page may have a replay opened, and only what is a replay is; nothing else is told."""
    server = serve(worker=ENDS)
    more = {"Content_Type": kind} | ({"Origin": origin} if origin else {})
    with closing(
        ask(server, "POST", path.format(other="A" * 22, own=server.path), "what is no replay", **more)
    ) as answer:
        assert answer.status == status
    assert list(server.shown()) == [server.path]


def test_few_replays_stay_open(serve: Serve) -> None:
    """Of many that are opened, the first ones go; the one that the command named stays."""
    server = serve(worker=ENDS)
    content = encode(played("0101010"))
    for _ in range(served.MAX_OPENED + 2):
        server.open(lambda: content)
    assert list(server.shown()) == [
        server.path,
        *(f"{server.path}/{number}" for number in range(3, served.MAX_OPENED + 3)),
    ]


def test_large_replays_do_not_pile_up(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of a few bytes may unpack to very many: those that were opened before go, the last one stays."""
    server = serve(worker=ENDS)
    content = encode(played("0101010"))
    server.open(lambda: content)
    ((_, one),) = list(server.shown().items())[1:]
    monkeypatch.setattr(served, "MAX_KEPT", 2 * one.size)
    for _ in range(3):
        server.open(lambda: content)
    assert list(server.shown()) == [server.path, *(f"{server.path}/{number}" for number in (3, 4))]
    monkeypatch.setattr(served, "MAX_KEPT", 1)
    server.open(lambda: content)
    assert list(server.shown()) == [server.path, f"{server.path}/5"]
