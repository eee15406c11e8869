"""An author learns at once, and in words, what a bot did wrong: in its check match, and on its ladder."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from dohyo import games
from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.replay_format import encode
from dohyo.core.seeds import of_bot
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins, ladders, own_faults
from dohyo.guests.site.arena.own_turns import page_with
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.examine import examine
from dohyo.guests.site.people import accounts
from dohyo.laws.matches import play
from dohyo.series.store import Store
from dohyo.series.store.records import Contest
from tests.guests.site.conftest import OPEN, RunningSite, Visitor, new_ladder
from tests.guests.site.crashing import CHECKED, SAID, crashing


@pytest.mark.parametrize("spared", [[], [str(of_bot(1, 0))]], ids=["crashes", "spared"])
def test_a_fault_in_the_match_that_is_shown_is_a_finding(tmp_path: Path, spared: list[str]) -> None:
    """A bot whose check was faultless enters; what it did wrong in the match that is shown stands first, in words."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    database = tables.open_site(site.site)
    try:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        number = hand_ins.hand_in(
            database, site.files(), ladder, author, "Bot", "a.py", crashing([*CHECKED, *spared])
        )
        row = hand_ins.find(database, number)
        assert row is not None
        outcome = examine(site, row, "auto")
    finally:
        database.close()
    found = outcome.examined
    assert found.fit
    assert outcome.replay
    assert found.faulty == (not spared)
    told = [(one.severity, one.where.get("en", ""), one.said["en"]) for one in found.findings]
    if spared:
        assert not [one for one in told if one[0] != "fine"]
        assert any("It played 2 matches" in said for _, _, said in told)
        return
    severity, where, said = told[0]
    assert (severity, said) == ("warning", f"It crashed (exit status 1): {SAID}")
    assert where.startswith("Its check match, turn ")
    assert where.endswith("(its turn 3)")
    assert any("2 other matches against 'random' without a fault" in said for _, _, said in told)
    assert all(one.where["ja"].startswith("検査の試合") for one in found.findings[:1])
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found


@pytest.fixture(scope="module")
def slug(organiser: Visitor) -> str:
    """A ladder of short matches."""
    return new_ladder(organiser, "othello", "Crashes")


class Crashed:
    """An author whose bot has failed until it paused: where its hand-in is, and its own number."""

    def __init__(self, site: RunningSite, slug: str) -> None:
        self.who = Visitor(site.url).sign_up("crasher")
        self.place = self.who.hand_in(slug, "Crasher", "a.py", crashing())
        self.who.await_text("/my/bots", "It pauses")
        found = re.search(r'id="bot-(\d+)">Crasher', self.who.get("/my/bots").text)
        assert found is not None
        self.number = found[1]


@pytest.fixture(scope="module")
def crashed(site: RunningSite, slug: str) -> Iterator[Crashed]:
    """Such an author."""
    found = Crashed(site, slug)
    OPEN.remove(found.who)
    yield found
    found.who.http.close()


def test_every_page_about_a_bot_begins_with_its_faults(crashed: Crashed, slug: str, organiser: Visitor) -> None:
    """That it pauses, how often it failed, where and why, and links to these matches, before all else."""
    feedback = f"/ladders/{slug}/feedback"
    pages = {"/my/bots": "<table", crashed.place: 'class="findings"', feedback: "Crasher: what"}
    pages |= {f"/my/bots/{crashed.number}/losses": "points a match on average"}
    for path, later in pages.items():
        text = html.unescape(crashed.who.get(path).text)
        before, _, behind = text.partition(later)
        assert behind, path
        assert re.search(r"It had a fault in (\d+) of its \1 matches", before), path
        assert re.search(r"It crashed in turn \d+: " + re.escape(SAID), before), path
        assert re.search(rf"/ladders/{slug}/matches/\d+", before), path
        if "losses" not in path:
            assert "It pauses: it failed in its last 5 matches" in before, path
            assert "pauses" in behind or path == crashed.place, path
            assert "plays</span>" not in text, path
    assert 'class="state pauses"' in crashed.who.get(crashed.place).text
    japanese = crashed.who.http.get("/my/bots", headers={"Accept-Language": "ja"}).text
    assert "で異常終了しました：a.py:9" in japanese
    others = organiser.get(feedback).text
    found = re.search(rf"{feedback}/\d+", others)
    assert found is not None
    seen = organiser.get(found[0]).text
    assert "It had a fault in" in seen
    checked = organiser.get(crashed.place).text.partition('class="findings"')[0]
    for text in (seen.partition("what was handed in")[0], checked):
        assert "It pauses" in text
        assert "a.py:9" not in text  # what it wrote to standard error is its author's


def test_a_bot_that_pauses_stands_in_the_standings_for_its_author(
    site: RunningSite, crashed: Crashed, slug: str
) -> None:
    """Its author sees it there with its matches, and its page says to everybody that it pauses."""
    own = crashed.who.get(f"/ladders/{slug}").text
    assert "Your bots that pause" in own
    assert "Let it play again" in own
    assert f"/ladders/{slug}/bots/Crasher" in own.partition("Your bots that pause")[2]
    visitor = Visitor(site.url)
    other = visitor.get(f"/ladders/{slug}").text
    assert "Your bots that pause" not in other
    assert "It pauses" in visitor.get(f"/ladders/{slug}/bots/Crasher").text
    assert "a.py:9" not in visitor.get(f"/ladders/{slug}/bots/Crasher").text


def test_a_match_says_who_won_and_which_faults_there_were(site: RunningSite, crashed: Crashed, slug: str) -> None:
    """In words, above the board: the winner, each fault with its turn; for its author where and why, and a link."""
    found = re.search(rf"/ladders/{slug}/matches/(\d+)/own", crashed.who.get("/my/bots").text)
    assert found is not None
    page = f"/ladders/{slug}/matches/{found[1]}"
    text = html.unescape(Visitor(site.url).get(page).text).partition("<iframe")[0]
    assert re.search(r"[\w ]+ won: .*, after \d+ turns", text)
    turn = re.search(r"Turn (\d+): exited, status 1", text)
    assert turn is not None
    assert f'href="{page}/board#t={turn[1]}" target="board"' in text
    assert "a.py:9" not in text
    own = html.unescape(crashed.who.get(f"{page}/own").text)
    assert f"It crashed in turn {turn[1]}: {SAID}" in own.partition("<iframe")[0]
    assert f"It crashed in turn {turn[1]}: {SAID}" in own.partition("Why it went so")[2]
    link = re.search(rf'href="({page}/own/turns\?[^"]*#turn-{turn[1]})"', own)
    assert link is not None
    turns = crashed.who.get(link[1].partition("#")[0]).text
    assert f'id="turn-{turn[1]}"' in turns
    assert "ZeroDivisionError" in turns
    checked = html.unescape(crashed.who.get(crashed.place).text).partition("Its check match</h2>")[2]
    assert " won: " in checked
    assert "It crashed in turn" in checked.partition("<iframe")[0]


def test_the_page_of_a_turn_is_known() -> None:
    """A link to a turn leads to the page that has it; to one in which the bot was not asked, to the turn before."""
    turns = [Turn(at, moves=(Move(at % 2, "x", 0.1),)) for at in range(100)]
    replay = SimpleNamespace(turns=[*turns, Turn(100, moves=(Move(0, "x"),))])
    assert [page_with(cast(Replay, replay), 0, turn) for turn in (0, 38, 39, 40, 98, 99, 100)] == [
        1,
        1,
        1,
        2,
        3,
        3,
        3,
    ]


def test_a_replay_is_read_once_for_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """An author has many bots, and each replay may be long: pages made again read none of them anew."""
    replay = play(games.find("othello"), 3).replay
    first = replay.turns[0].moves[0]
    moves = (msgspec.structs.replace(first, faults=(Fault(FaultKind.TIMEOUT),)),)
    turns = [msgspec.structs.replace(replay.turns[0], moves=moves), *replay.turns[1:]]
    asked: list[str] = []
    stored = {"own": encode(msgspec.structs.replace(replay, turns=turns)), "broken": b"{"}

    def get(digest: str, most: int) -> bytes:
        asked.append(digest)
        return stored[digest]

    def result(contest: Contest, number: int) -> Result:
        return Result(Fixture(0, number, (5, 6), 1), (1, 2), replay="broken" if number else "own")

    monkeypatch.setattr(own_faults, "_READ", {})
    monkeypatch.setattr(own_faults, "REMEMBERED", 2)
    store = cast(Store, SimpleNamespace(result=result, files=SimpleNamespace(get=get)))
    entrant = cast(Entrant, SimpleNamespace(number=5 + first.seat))
    for _ in range(3):
        found = own_faults._first_fault(store, cast(Contest, None), entrant, 0)
        assert found is not None
        assert (found.fault.kind, found.seat, found.entrant) == (FaultKind.TIMEOUT, first.seat, 5 + first.seat)
        assert own_faults._first_fault(store, cast(Contest, None), entrant, 1) is None
    assert asked == ["own", "broken"]
    own_faults._first_fault(store, cast(Contest, None), entrant, 2)
    assert len(own_faults._READ) == 2
