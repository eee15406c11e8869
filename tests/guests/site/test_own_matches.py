"""What authors ask the judge for: matches of their own, what was sent and written, why a bot lost."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from random import Random
from time import time

import pytest
from sqlalchemy import update

from dohyo.core.replay_format import decode
from dohyo.guests.site import tables
from dohyo.guests.site.arena.losses import compared
from dohyo.series.costs import Own
from tests.guests.site.conftest import GOOD, OPEN, RunningSite, Visitor, new_ladder

NUMBERS: Iterator[int] = itertools.count(1)
SOURCE = (GOOD.parents[3] / "games/general/bots/random.py").read_bytes()
SECRET = "only-for-its-author"


def author(site: RunningSite) -> Visitor:
    """Somebody new with an account."""
    return Visitor(site.url).sign_up(f"asker {next(NUMBERS)}")


def talking(word: str) -> bytes:
    """A bot that writes this to standard error."""
    return SOURCE.replace(b"import", f"import sys\nprint({word!r}, file=sys.stderr, flush=True)\nimport".encode(), 1)


@pytest.fixture(scope="module")
def ladder(organiser: Visitor) -> str:
    """A ladder of short matches."""
    return new_ladder(organiser, "othello", "Requests")


class Asker:
    """An author with a bot that plays, and its number."""

    def __init__(self, site: RunningSite, ladder: str, bot: str, word: str = SECRET) -> None:
        self.who, self.bot = author(site), bot
        self.who.await_text(self.who.hand_in(ladder, bot, "a.py", talking(word)), "plays</span>")
        found = re.search(r'id="bot-(\d+)">' + bot, self.who.get("/my/bots").text)
        assert found is not None
        self.number = found[1]

    def ask(self, *seats: str, **more: str) -> tuple[int, str]:
        """Ask for matches; the status and the text."""
        fields = {f"seat{seat}": name for seat, name in enumerate(seats)} | {"count": "1", **more}
        answer = self.who.post(f"/my/matches/request/{self.number}", fields)
        return answer.status_code, answer.text

    def played(self, count: int) -> list[str]:
        """The places of the matches of the newest request, once so many were played."""
        newest = re.findall(r"/my/matches/(\d+)/remove", self.who.get("/my/matches").text)[0]
        places = [f"/my/matches/{newest}/{number}" for number in range(count)]
        self.who.await_text("/my/matches", f'"{places[-1]}"')
        return places


@pytest.fixture(scope="module")
def ann(site: RunningSite, ladder: str) -> Iterator[Asker]:
    """An author with a bot."""
    found = Asker(site, ladder, "Annbot")
    OPEN.remove(found.who)
    yield found
    found.who.http.close()


@pytest.fixture(scope="module")
def bob(site: RunningSite, ladder: str) -> Iterator[Asker]:
    """Another one."""
    found = Asker(site, ladder, "Bobbot", "a-word-of-Bob")
    OPEN.remove(found.who)
    yield found
    found.who.http.close()


def test_an_author_asks_for_matches_that_count_for_nothing(
    site: RunningSite, ladder: str, ann: Asker, bob: Asker
) -> None:
    """The judge plays what was asked for, on these seeds; only who asked sees it, and no ladder knows of it."""
    assert ann.ask("Annbot@1", "Bobbot", count="2", seed="41")[0] == 303
    places = ann.played(2)
    seeds = []
    for place in places:
        content = ann.who.get(f"{place}/files/replay").content
        replay = decode(content)
        seeds.append(replay.header.seed)
        assert [seat.name for seat in replay.header.seats] == ["Annbot", "Bobbot"]
        assert SECRET.encode() in content
        assert b"a-word-of-Bob" not in content
        assert "a-word-of-Bob" not in ann.who.get(f"{place}/board").text
    assert seeds == [41, 42]
    for path in ("", "/board", "/turns", "/files/replay", "/files/input?seat=0", "/files/turns?seat=0"):
        for who in (bob.who, Visitor(site.url)):
            assert who.get(places[0] + path).status_code == 404, path
    assert bob.who.post(f"{places[0]}/analyse").status_code == 404
    assert bob.who.post(places[0].rpartition("/")[0] + "/remove").status_code == 404
    assert "Annbot" not in bob.who.get("/my/matches").text.partition("requests")[2].replace("Annbot@", "")
    for path in (f"/ladders/{ladder}", f"/ladders/{ladder}/bots/Bobbot", "/"):
        assert "/my/matches/1" not in Visitor(site.url).get(path).text


def test_what_a_bot_without_faults_wrote_stands_on_its_hand_in(site: RunningSite, ladder: str) -> None:
    """Its author reads what it wrote to standard error in its check match, as an organiser does; nobody else."""
    who = author(site)
    page = who.hand_in(ladder, "Talkbot", "a.py", talking("<i>a thought</i>"))
    who.await_text(page, "&lt;i&gt;a thought&lt;/i&gt;")
    assert Visitor(site.url).get(page).status_code in (303, 404)


def test_what_a_bot_was_sent_and_wrote_is_its_authors(site: RunningSite, ladder: str, ann: Asker, bob: Asker) -> None:
    """Of a ladder's match each author sees the own bot's inputs and standard error, and nothing of the other's."""
    ann.ask("Annbot", "Bobbot")
    place = ann.played(1)[0]
    turns = ann.who.get(f"{place}/turns?seat=0").text
    assert "board" in turns
    assert ann.who.get(f"{place}/turns?seat=1").status_code == 404
    assert ann.who.get(f"{place}/files/input?seat=1").status_code == 404
    whole = ann.who.get(f"{place}/files/input?seat=0")
    assert "attachment" in whole.headers["content-disposition"]
    lines = [json.loads(line) for line in ann.who.get(f"{place}/files/turns?seat=0").text.splitlines()]
    assert "".join(line["sent"] for line in lines) == whole.text[: sum(len(line["sent"]) for line in lines)]
    page = ann.who.await_text(f"/ladders/{ladder}/bots/Annbot", "/matches/")
    own = re.findall(rf"/ladders/{ladder}/matches/\d+", page)[0]
    assert f"{own}/own" in ann.who.get(own).text
    assert SECRET.encode() in ann.who.get(f"{own}/own/files/replay").content
    for path in ("/own", "/own/board", "/own/turns", "/own/files/replay"):
        assert Visitor(site.url).get(own + path).status_code == 404
        assert author(site).get(own + path).status_code == 404


@pytest.mark.parametrize(
    ("seats", "more", "said"),
    [
        (("Annbot", "nobody"), {}, "No bot called"),
        (("Annbot", "random@1"), {}, "not your bot"),
        (("Annbot", "Bobbot@1"), {}, "not your bot"),
        (("random", "Bobbot"), {}, "own bots"),
        (("Annbot@9", "random"), {}, "cannot play"),
        (("Annbot",), {}, "seats"),
        (("Annbot", "random"), {"count": "21"}, "1 to 20"),
        (("Annbot", "random"), {"count": "0"}, "1 to 20"),
        (("Annbot", "random"), {"count": "-1"}, "1 to 20"),
        (("Annbot", "random"), {"seed": "x"}, "whole number"),
        (("Annbot", "random"), {"seed": "9" * 10}, "whole number"),
    ],
)
def test_what_cannot_be_played_is_said_beside_the_form(
    ann: Asker, bob: Asker, seats: tuple[str, ...], more: dict[str, str], said: str
) -> None:
    """A request that cannot be played is refused in a sentence, and what was typed stays."""
    status, text = ann.ask(*seats, **more)
    assert status == 422
    assert said in text
    assert f'value="{seats[0]}"' in text


def test_nobody_asks_with_anothers_bot(site: RunningSite, ann: Asker) -> None:
    """The address of somebody else's bot asks for nothing, and a forged form neither."""
    eve = author(site)
    fields = {"seat0": "Annbot", "seat1": "random", "count": "1"}
    assert eve.post(f"/my/matches/request/{ann.number}", fields).status_code == 404
    assert ann.who.http.post(f"/my/matches/request/{ann.number}", data=fields).status_code == 403
    assert eve.get(f"/my/bots/{ann.number}/losses").status_code == 404


def test_frozen_standings_leak_nothing_to_who_asks(organiser: Visitor, site: RunningSite) -> None:
    """While standings are frozen, others' bots cannot be asked for; own ones and samples can."""
    slug = new_ladder(organiser, "othello", "Frozen requests")
    cas, dan = Asker(site, slug, "Casbot"), Asker(site, slug, "Danbot")
    database = tables.open_site(str(site.folder / "site.db"))
    try:
        frozen = update(tables.ladders).where(tables.ladders.c.slug == slug).values(frozen=time())
        database.write(lambda connection: connection.execute(frozen))
    finally:
        database.close()
    status, text = cas.ask("Casbot", "Danbot")
    assert status == 422
    assert "frozen" in text or "No bot called Danbot" in text
    assert cas.ask("Casbot", "random")[0] == 303
    assert dan.number != cas.number


def test_a_match_is_analysed_for_who_asks(ann: Asker, bob: Asker) -> None:
    """The button lets the judge say why; what was found is kept, and shown to its author alone."""
    ann.ask("Annbot", "random", seed="5")
    place = ann.played(1)[0]
    assert ann.who.post(f"{place}/analyse").status_code == 303
    text = ann.who.await_text(place, 'class="findings"', "Unclear", "could not be analysed")
    assert "The judge analyses it" not in text
    assert bob.who.get(place).status_code == 404


def test_matches_that_a_bot_lost_are_analysed_by_one_button(ladder: str, ann: Asker, bob: Asker) -> None:
    """The page about all its matches asks for the last lost ones, and says that they wait; nobody else's bot is."""
    place = f"/my/bots/{ann.number}/losses"
    ann.who.await_text(place, "Analyse the last matches it lost")
    assert bob.who.post(place).status_code == 404
    assert ann.who.post(place).status_code == 303
    ann.who.await_text(place, "It waits for the judge", "analysed match")


def test_only_what_the_counts_show_is_said_to_cost_points() -> None:
    """Twenty lost time-outs among clean wins cost points for sure; chance, and few matches, are unclear."""
    drawn = Random(1)
    own = [Own(n, n % 2, float(drawn.random() < 0.6), (), ("x",) if n % 3 else ("y",)) for n in range(200)]
    assert not [one for one in compared(own) if one.is_clear]
    late = [Own(200 + n, n % 2, 0.0, ("timeout",), ("x",)) for n in range(20)]
    (found,) = [one for one in compared(own + late) if one.is_clear and one.kind == "fault"]
    assert found.name == "timeout"
    assert found.match >= 200
    assert found.low < found.cost < found.high
    assert not [one for one in compared(own + late[:5]) if one.kind == "fault"]
