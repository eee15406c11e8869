"""Bots that stay at home play on a real site: by `dohyo connect`, by hand, and by the documentation's example."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from dohyo.guests.site.distant.delays import FIRST, GAIN
from dohyo.guests.verify.stored import verify_matches
from dohyo.series.store import open_store
from dohyo.system.websocket import TEXT, Frames
from tests.guests.site.conftest import PATIENCE, RunningSite, Visitor
from tests.guests.site.distant.cutting import CuttingProxy
from tests.guests.site.distant.homes import (
    BOT,
    ByHand,
    Connected,
    legal,
    marked_ladder,
    replay_of,
    results_of,
    token_to_play,
)

pytestmark = pytest.mark.xdist_group("distant")
EXAMPLE = Path(__file__).parents[4] / "examples" / "stay_at_home.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bot."""
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


@pytest.fixture
def connected(folder: Path, ladder: str, token: str) -> Iterator[list[Connected]]:
    """Bots that are ended after the test."""
    found: list[Connected] = []
    yield found
    for one in found:
        if one.process.poll() is None:
            one.stop(signal.SIGKILL)
        elif one.process.stdout is not None:
            one.process.stdout.close()


def await_results(arena: RunningSite, ladder: str, bot: str, most: int) -> list[tuple[int, int, tuple[str, ...]]]:
    """Those matches, once there are so many."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        if len(found := results_of(arena, ladder, bot)) >= most:
            return found
        sleep(0.2)
    raise AssertionError(found)


def test_a_bot_plays_from_afar_as_it_is(
    arena: RunningSite, author: Visitor, ladder: str, token: str, folder: Path, connected: list[Connected]
) -> None:
    """A program plays whole matches without a fault; the replay says which seat was distant and what was charged."""
    one = Connected(folder, arena.url, token, ladder, "mine.py", "--name", "Plain", "--matches", "3")
    connected.append(one)
    one.until("is connected")
    assert "connected" in author.get(f"/ladders/{ladder}/at-home").text
    one.until("is over")
    one.until("is over")
    one.until("is over")
    assert one.process.wait(PATIENCE) == 0, one.lines
    found = await_results(arena, ladder, "Plain", 3)
    assert all(not faults for _, _, faults in found)
    number, seat, _ = found[0]
    replay = replay_of(author, ladder, number)
    assert [each.protocol for each in replay.header.seats] == ["distant" if at == seat else "" for at in (0, 1)]
    own = [move for turn in replay.turns for move in turn.moves if move.seat == seat]
    assert own
    given = [move.wall - move.seconds for move in own if move.wall is not None and move.seconds is not None]
    assert given, "nothing of the way was given back"
    assert all(0 <= each <= FIRST + GAIN * len(own) for each in given)
    seeds = {replay_of(author, ladder, number).header.seed for number, _, _ in found}
    assert len(seeds) == len(found)  # it may remember what came before
    with open_store(str(arena.folder / "arena.db")) as store:
        assert list(verify_matches(store, store.contest(ladder), [number for number, _, _ in found])) == []


def test_the_ways_delay_is_given_back(
    arena: RunningSite, author: Visitor, ladder: str, token: str, folder: Path, connected: list[Connected]
) -> None:
    """Through a way of 60 ms each way, what is charged stays near what the bot took, and the rest is shown."""
    with CuttingProxy(arena.url, delay=0.06) as proxy:
        one = Connected(folder, proxy.url, token, ladder, "mine.py", "--name", "Slow way", "--matches", "1")
        connected.append(one)
        one.until("is over")
        assert one.process.wait(PATIENCE) == 0
    ((number, seat, faults), *_) = await_results(arena, ladder, "Slow way", 1)
    assert not faults
    moves = [move for turn in replay_of(author, ladder, number).turns for move in turn.moves if move.seat == seat]
    told = [(move.seconds, move.wall) for move in moves if move.seconds is not None]
    assert all(wall is not None and wall >= 0.119 for _, wall in told), told
    assert all(wall - seconds >= 0.1 for seconds, wall in told if wall is not None), told


class Cutter:
    """Cuts a way at a moment of the protocol: each of `moments` once, in order, at the first occasion."""

    def __init__(self, proxy: CuttingProxy, moments: list[str]) -> None:
        self._proxy, self.left = proxy, moments
        self._frames: Frames | None = None
        self._asked = False
        proxy.on_site, proxy.on_client = self.from_site, self.from_client

    def from_site(self, content: bytes) -> None:
        """Something comes from the site."""
        if content.startswith(b"HTTP/1.1 101"):
            self._frames = Frames(1 << 20, from_client=True)
        self._asked = b'"turn"' in content or (self._asked and b'"end"' not in content)
        for moment, sign in (("start", b'"start"'), ("turn", b'"turn"'), ("end", b'"end"')):
            if sign in content:
                self._cut(moment)
        if self._asked and b'"turn"' not in content:
            self._cut("while asked")

    def from_client(self, content: bytes) -> None:
        """Something comes from the bot."""
        if self._frames is None or content.startswith(b"GET "):
            return
        for event in self._frames.feed(content):
            if event.kind == TEXT and b'"ready"' in event.content:
                self._cut("ready")
            if event.kind == TEXT and b'"answer"' in event.content:
                self._cut("answer")

    def _cut(self, moment: str) -> None:
        if self.left and self.left[0] == moment:
            self.left.pop(0)
            self._frames = None
            self._proxy.cut()


def test_a_connection_may_be_lost_at_any_moment(
    arena: RunningSite, ladder: str, token: str, folder: Path, connected: list[Connected]
) -> None:
    """Cut at any moment of the protocol, the matches are played, and nothing is the bot's fault.

    As a match begins, as the bot is ready, before a turn comes, before an answer arrives, and at the end.
    """
    moments = ["start", "ready", "turn", "answer", "turn", "answer", "end", "end", "start"]
    with CuttingProxy(arena.url) as proxy:
        cutter = Cutter(proxy, moments)
        one = Connected(folder, proxy.url, token, ladder, "mine.py", "--name", "Cut", "--matches", "5")
        connected.append(one)
        for _ in range(5):
            one.until("is over")
        assert one.process.wait(PATIENCE) == 0
        assert not cutter.left
        assert proxy.cuts == 9
    found = await_results(arena, ladder, "Cut", 5)
    assert all(not faults for _, _, faults in found), found


def test_a_bot_that_is_not_there_is_not_waited_for(
    arena: RunningSite, ladder: str, token: str, folder: Path, connected: list[Connected]
) -> None:
    """When the bot has gone, the ladder goes on with the others, and nothing is held against the bot."""
    one = Connected(folder, arena.url, token, ladder, "mine.py", "--name", "Gone")
    connected.append(one)
    one.until("is over")
    assert one.stop(signal.SIGINT) == 130
    await_results(arena, ladder, "Gone", 1)
    two = Connected(folder, arena.url, token, ladder, "mine.py", "--name", "Stays", "--matches", "2")
    connected.append(two)
    two.until("is over")
    two.until("is over")
    assert all(not faults for _, _, faults in results_of(arena, ladder, "Gone"))


def test_the_example_of_the_documentation_plays_as_it_stands(arena: RunningSite, ladder: str, token: str) -> None:
    """The example without Dohyo plays a match, and ends with a sentence where it is not wanted."""
    words = [sys.executable, str(EXAMPLE), arena.url]
    process = subprocess.Popen([*words, token, ladder, "Example"])
    try:
        found = await_results(arena, ladder, "Example", 1)
        assert not found[0][2]
        other = ByHand(arena.url)
        other.hello(token, ladder, "Example")
        assert process.wait(PATIENCE) == 1  # another one of its name has taken over
        other.close()
    finally:
        process.kill()
        process.wait()
    refused = subprocess.run([*words, "dohyo_wrong", ladder, "Example"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "token" in refused.stderr
    page = (EXAMPLE.parents[1] / "docs" / "connect.md").read_text()
    assert EXAMPLE.read_text().strip() in page
    assert sum(bool(line.strip()) for line in EXAMPLE.read_text().splitlines()[1:]) <= 40


def test_a_bot_whose_program_fails_is_out_and_says_so(
    arena: RunningSite, author: Visitor, ladder: str, token: str, folder: Path, connected: list[Connected]
) -> None:
    """A program that ends by itself is a fault of the bot, told at both ends; the command goes on with the next."""
    (folder / "broken.py").write_text("import sys\nsys.stdin.readline()\nsys.exit(3)\n")
    one = Connected(folder, arena.url, token, ladder, "broken.py", "--name", "Broken")
    connected.append(one)
    assert "exit status 3" in one.until("The bot failed")
    one.until("is over for this bot")
    one.until("begins")
    one.stop(signal.SIGINT)
    ((number, seat, faults), *_) = await_results(arena, ladder, "Broken", 1)
    assert faults == ("exited",)
    replay = replay_of(author, ladder, number)
    (fault,) = [each for turn in replay.turns for move in turn.moves for each in move.faults if move.seat == seat]
    assert fault.code == "distant-failed"
    assert "exit status 3" in str(fault.values["said"])


def test_a_bot_that_thinks_too_long_is_late(arena: RunningSite, author: Visitor, ladder: str, token: str) -> None:
    """A bot that answers pings and not its turn is late; its answer afterwards counts for nothing."""
    hand = ByHand(arena.url)
    hand.hello(token, ladder, "Thinker")
    hand.await_type("welcome")
    start = hand.await_type("start")
    hand.say({"type": "ready", "match": start["match"]})
    turn = hand.await_type("turn")
    end = hand.await_type("end")  # it answers pings meanwhile
    assert end["stopped"]
    hand.say({"type": "answer", "match": turn["match"], "number": turn["number"], "line": legal(turn["input"])[0]})
    ((number, seat, faults), *_) = await_results(arena, ladder, "Thinker", 1)
    assert faults == ("timeout",)
    hand.close()
    replay = replay_of(author, ladder, number)
    (move,) = [move for turn in replay.turns for move in turn.moves if move.seat == seat and move.faults]
    assert move.seconds is not None
    assert turn["limit"] <= move.seconds


def test_a_site_that_ends_holds_nothing_against_anybody(folder: Path, connected: list[Connected]) -> None:
    """Where the site is killed in the middle of a match and starts again, the bot comes back and plays on."""
    site = RunningSite(folder / "arena")
    site.start("--workers", "1")
    try:
        organiser = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
        slug = marked_ladder(organiser)
        with CuttingProxy(site.url) as proxy:
            one = Connected(folder, proxy.url, token_to_play(organiser), slug, "mine.py", "--name", "Back")
            connected.append(one)
            one.until("begins")
            site.stop(signal.SIGKILL)
            one.until("is lost")
            site.start("--workers", "1")
            proxy.aim(site.url)
            one.until("is connected")
            one.until("is over:")
            found = await_results(site, slug, "Back", 1)
            assert all(not faults for _, _, faults in found)
            assert one.stop(signal.SIGTERM) == 143
    finally:
        site.stop()
