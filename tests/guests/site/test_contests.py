"""Contests of a site, by the real command with its judge: from the form to who won, and what an organiser decides."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any
from urllib.parse import unquote

import pytest
from litestar import Router

from dohyo import games
from dohyo.bench.check.check import check_bot
from dohyo.core.bot_spec import HandIn
from dohyo.guests.site.api import routes as api
from dohyo.guests.site.application import PAGES
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.contest_form import read_form
from dohyo.guests.site.arena.standings import all_lines
from dohyo.guests.site.whole_numbers import whole
from dohyo.series.store import open_store
from tests.guests.site.conftest import GOOD, OPEN, PATIENCE, SHORT, RunningSite, Visitor, new_ladder
from tests.guests.site.contests import at, do, enter, new_contest, wide
from tests.guests.site.test_site import _judges

NUMBERS: Iterator[int] = itertools.count(1)


def author(site: RunningSite) -> Visitor:
    """Somebody new with an account."""
    return Visitor(site.url).sign_up(f"entrant {next(NUMBERS)}")


def test_a_contest_is_played_to_its_end_through_a_restart_of_the_judge(site: RunningSite, organiser: Visitor) -> None:
    """Three bots hand in, the organiser starts, the judge is killed: each match once, and who won is said."""
    slug = new_contest(organiser, "Finals", rounds="3")
    ann, bob = author(site), author(site)
    enter(ann, slug, "Ann One", "Ann Two")
    enter(bob, slug, "Bob")
    assert "takes hand-ins" in Visitor(site.url).get(f"/ladders/{slug}").text
    do(organiser, slug, "start")
    Visitor(site.url).await_text(f"/ladders/{slug}", "/matches/")
    for process in _judges(site):
        os.kill(process, signal.SIGKILL)
    page = Visitor(site.url).await_text(f"/ladders/{slug}", 'class="winner"')
    assert "18 matches played" in page
    for name in ("Ann One", "Ann Two", "Bob"):
        assert name in page
    numbers = re.findall(r"/my/bots/(\d+)", bob.get("/my/bots").text)
    choice = bob.post(f"/my/bots/{numbers[0]}/version", {"version": "1"})
    assert choice.status_code == 422, "nobody chooses another version once a contest has closed"
    late = bob.post(f"/ladders/{slug}/hand-in", {"bot": "Bob"}, files={"file": ("a.py", GOOD.read_bytes())})
    assert late.status_code == 422
    assert "No more hand-ins" in late.text
    told = organiser.get(f"/ladders/{slug}/organise").text
    assert "started it" in told
    assert "is over" not in told


# --- who may hand in, and when


def refusal(author: Visitor, slug: str, bot: str = "Robot") -> str:
    """Why nothing is taken from this author now."""
    answer = author.post(f"/ladders/{slug}/hand-in", {"bot": bot}, files={"file": ("a.py", GOOD.read_bytes())})
    assert answer.status_code == 422, answer.status_code
    return answer.text


def test_nothing_is_taken_before_a_contest_opens(site: RunningSite, organiser: Visitor) -> None:
    """An announced contest says from when on; the organiser's button opens it earlier."""
    slug = new_contest(organiser, "Tomorrow", opens=at(1), closes=at(2), starts=at(2))
    eve = author(site)
    assert "announced" in eve.get(f"/ladders/{slug}").text
    assert "not taken yet" in refusal(eve, slug)
    do(organiser, slug, "open")
    assert eve.hand_in(slug, "Early", "a.py", GOOD.read_bytes())
    do(organiser, slug, "close")
    assert "has closed" in refusal(eve, slug)


def test_a_list_a_word_and_a_number_of_bots_bound_who_enters(site: RunningSite, organiser: Visitor) -> None:
    """Only whoever is on the list, or has said the word, hands in, and not more bots than the contest says."""
    kai, lou = author(site), author(site)
    name = f"entrant {next(NUMBERS)}"
    slug = new_contest(organiser, "For some", entry="list", listed=f"{name.upper()}\nSomebody Else", each="1")
    late = Visitor(site.url).sign_up(name)
    assert "not on the list" in refusal(kai, slug)
    assert late.hand_in(slug, "First", "a.py", GOOD.read_bytes())
    assert "1 at most. You have: First." in refusal(late, slug, "Second")
    spoken = new_contest(organiser, "By word", entry="word", word="Cherry blossom")
    assert "who know its word" in refusal(lou, spoken)
    assert lou.post(f"/ladders/{spoken}/enter", {"word": "plum blossom"}).status_code == 422
    assert 'value="cherryBLOSSOM"' in lou.get(f"/ladders/{spoken}/enter?word=cherryBLOSSOM").text
    assert lou.post(f"/ladders/{spoken}/enter", {"word": "cherryBLOSSOM"}).status_code == 303
    assert lou.hand_in(spoken, "Spoken", "a.py", GOOD.read_bytes())
    for reader in (kai, lou):  # it is for organisers to read again, and for nobody else
        assert "Cherry" not in reader.get(f"/ladders/{spoken}").text
    assert "The word is Cherry blossom." in organiser.get(f"/ladders/{spoken}/organise").text
    assert "who know its word" in refusal(kai, spoken)


def test_a_refused_bot_keeps_nobody_from_handing_in_another(site: RunningSite, organiser: Visitor) -> None:
    """A bot that never passed takes no place: one of another name is taken. Then the first may not play beside it."""
    slug, mei = new_contest(organiser, "One each", each="1"), author(site)
    mei.await_text(mei.hand_in(slug, "Misnamed", "a.py", b"def (:\n"), "refused</span>")
    place = mei.hand_in(slug, "Named", "a.py", GOOD.read_bytes())
    assert "1 at most. You have: Named." in refusal(mei, slug, "Misnamed")
    mei.await_text(place, "entered", "refused</span>")
    assert "1 at most. You have: Named." in refusal(mei, slug, "Misnamed")
    assert mei.hand_in(slug, "Named", "a.py", GOOD.read_bytes())


def test_refused_bots_are_not_without_number(site: RunningSite, organiser: Visitor) -> None:
    """Each takes a name from everybody else: a person has so many names in a contest, whatever became of them."""
    slug, mei = new_contest(organiser, "Names", each="1"), author(site)
    at, number = Path(site.folder / "site.db"), hand_ins.MAX_BOTS
    mei.await_text(mei.hand_in(slug, "Name 0", "a.py", b"def (:\n"), "refused</span>")
    with closing(sqlite3.connect(at, 60)) as database, database:
        ladder, person = database.execute("SELECT ladder, person FROM bots ORDER BY id DESC").fetchone()
        for each in range(1, number):
            row = (ladder, person, f"Name {each}", f"name{each}")
            database.execute("INSERT INTO bots (ladder, person, name, key) VALUES (?, ?, ?, ?)", row)
    said = f"Names of bots of one person here: {number} at most, refused ones among them. You have: Name 0, "
    assert said in refusal(mei, slug, "One more")  # while one of them may play
    assert mei.hand_in(slug, "Name 1", "a.py", GOOD.read_bytes())


@pytest.mark.parametrize("game", ["shoot-em-up", "wondev-woman"])
def test_the_japanese_form_for_a_contest_is_japanese(organiser: Visitor, game: str) -> None:
    """Every format and option of the form is told in Japanese: nowhere do three English words stand in a row."""
    page = organiser.http.get(f"/contests/new?game={game}", headers={"Accept-Language": "ja"}).text
    told = re.sub(r"<[^>]*>", "\n", page.partition("<main")[2])
    assert "強いか" in told
    assert re.findall(r".*\b[A-Za-z]+,? [a-z]+ [a-z]+\b.*", told) == []


def test_a_contest_is_called_one_by_its_organiser(site: RunningSite, organiser: Visitor) -> None:
    """The page that organises a contest, and the ways there, say contest; those of a ladder say ladder."""
    contest = new_contest(organiser, "Named rightly")
    ladder = new_ladder(organiser, "shoot-em-up", "Named so, too")
    for slug, kind, other in ((contest, "contest", "ladder"), (ladder, "ladder", "contest")):
        for path in (f"/ladders/{slug}", f"/ladders/{slug}/organise"):
            page = organiser.get(path).text
            assert (f"Organise this {kind}" in page, f"Organise this {other}" in page) == (True, False), path


def test_numbers_are_read_in_full_width_digits() -> None:
    """What a Japanese keyboard writes is the same number in every field: rounds, bots, turns, a clock."""
    form = {"opens": at(-1), "closes": at(1), "starts": at(1), "rounds": wide("2"), "each": f" {wide('3')}"}
    draft = read_form(games.find("drop-block"), {**form, "delay": wide("10"), "clock": wide("0.5")}, time())
    assert draft.errors == {}
    assert draft.terms is not None
    assert (draft.terms.rounds, draft.terms.each, draft.terms.delay, draft.terms.clock) == (2, 3, 10, "0.5")


@pytest.mark.parametrize(
    "word", ["", "-1", f"{wide('1')}.5", "1e3", "٣x", "6", "²", "²²", "①", "1" * 40, "5\0", "five"]
)
def test_what_is_no_number_within_bounds_is_none(word: str) -> None:
    """Anything else than a whole number from 1 to 5 is not read as one."""
    assert whole(word, 1, 5) is None
    assert whole(wide("5"), 1, 5) == 5


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("closes", -2, "end after they begin"),
        ("starts", 0, "no more hand-ins are taken, or later"),
        ("ends", 0, "after the start"),
        ("opens", "next week", "This is no time"),
        ("format", "ladder", "does not end by itself"),
        ("format", "<script>", "&lt;script&gt;"),
        ("rounds", "0", "1"),
        ("option.round-robin.rotate", "perhaps", "yes"),
        ("setup.turns", "many", "turns"),
        ("clock", "soon", "soon"),
        ("each", "0", "from 1 to"),
        ("title", "x" * 70, "at most 60"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(organiser: Visitor, field: str, value: str | int, told: str) -> None:
    """A form that cannot be taken keeps what was typed, and says beside the field what is wrong with it.

    A number stands for a moment, in days from now: the names of tests are the same in every process.
    """
    form = {"title": "Typed", "game": "drop-block", "opens": at(-1), "closes": at(1), "starts": at(1)}
    answer = organiser.post(
        "/contests/new", {**form, "entry": "all", "each": "1", field: at(value) if isinstance(value, int) else value}
    )
    assert answer.status_code == 422
    name = "ends" if (field, value) == ("format", "ladder") else field
    beside = answer.text.partition(f'id="wrong-{name}"')[2].partition("</p>")[0]
    assert told in beside, answer.text
    assert 'value="Typed"' in answer.text or field == "title"


@pytest.mark.parametrize(("clock", "told"), [("0.25", "may take 0.25 s"), ("10+0.5", "10+0.5")])
def test_the_rules_page_has_the_contests_own_time_and_setup(organiser: Visitor, clock: str, told: str) -> None:
    """Whoever begins from the rules reads what will be played, not what the game's ladders have."""
    slug = new_contest(organiser, f"Own terms {clock}", "drop-block", **{"clock": clock, "setup.turns": "77"})
    page = organiser.get(f"/ladders/{slug}/rules").text
    assert told in page
    assert "<dt>turns</dt><dd>77<" in page


def test_organisers_alone_organise(site: RunningSite, organiser: Visitor) -> None:
    """No page and no button of an organiser works for an author or a visitor."""
    slug = new_contest(organiser, "Not yours")
    for somebody in (author(site), Visitor(site.url)):
        for path in ("/contests/new", f"/ladders/{slug}/organise", f"/ladders/{slug}/reveal"):
            assert somebody.get(path).status_code in (401, 403, 404)
        for deed in ("start", "freeze", "rename", "retire", "out"):
            answer = somebody.post(f"/ladders/{slug}/organise", {"do": deed, "title": "Mine", "bot": "x"})
            assert answer.status_code in (401, 403, 404)
        assert somebody.post("/contests/new", {"game": "chess"}).status_code in (401, 403, 404)
    assert "Not yours" in organiser.get(f"/ladders/{slug}").text


# --- frozen, and shown


@pytest.fixture(scope="module")
def played(site: RunningSite, organiser: Visitor) -> Iterator[tuple[str, Visitor, str]]:
    """A contest that is over: its name in addresses, an author who took part, and the place of a hand-in."""
    slug = new_contest(organiser, "To be frozen", format="swiss", rounds="4", readable="yes", samples="yes")
    ann = author(site)
    OPEN.remove(ann)
    place = ann.hand_in(slug, "Icy", "icy.py", GOOD.read_bytes() + b"# icy\n")
    ann.await_text(place, "entered", "refused</span>")
    do(organiser, slug, "start")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    yield slug, ann, place
    ann.http.close()


def addresses(slug: str, place: str, numbers: list[int], names: list[str]) -> list[str]:
    """Every address of the site that can be read, for a contest with these matches and bots."""
    pages = Router(path="/", route_handlers=[each for page in PAGES for each in page.HANDLERS])
    routes = [each for router in (pages, api.router()) for each in router.routes if "GET" in each.methods]
    found: set[str] = set()
    for route in routes:
        path = str(route.path_format)
        if path == "/metrics":  # for this machine's operator alone
            continue
        of_hand_in = "hand-ins" in path
        ways: list[dict[str, object]] = [{}]
        for parameter in re.findall(r"\{(\w+)\}", path):
            values: dict[str, Any] = {
                "slug": [slug],
                "ladder": [slug],
                "match": numbers,
                "number": [place.rpartition("/")[2]] if of_hand_in else numbers,
                "name": names,
                "bot": names,
                "other": names,
                "game": ["shoot-em-up"],
            }
            known = values.get(parameter, ["1"])
            ways = [{**way, parameter: value} for way in ways for value in known]
        found |= {path.format(**way) for way in ways if "static" not in path}
    return sorted(found)


def about(text: str, slug: str) -> str:
    """What a page of the whole site says of one contest: other tests' ladders go on meanwhile.

    The match that plays on the first page is left out, as it may be another one each time.
    """
    pieces = re.split(r'(?=<li class="card">|<section|</section>|</ul>|<entry>|<link |\{")', text)
    named = re.compile(rf"\b{re.escape(slug)}(?![\w-])")
    return "".join(each for each in pieces if named.search(each) and '<section class="stage"' not in each)


def read_all(somebody: Visitor, paths: list[str], slug: str) -> dict[str, tuple[int, str]]:
    """What somebody gets at these addresses of a contest, without what differs from answer to answer."""
    found = {}
    for path in paths:
        if path.endswith(("/live/events", "/broadcast/events")):  # which goes on for as long as somebody listens
            with somebody.http.stream("GET", path) as stream:
                found[path] = stream.status_code, ""
            continue
        answer = somebody.get(path)
        text = re.sub(r'name="_csrf_token" value="[^"]*"|nonce="[^"]*"|nonce-[\w-]+', "", answer.text)
        found[path] = answer.status_code, text if slug in path.split("/") else about(text, slug)
    return found


def test_nothing_leaks_while_frozen(site: RunningSite, organiser: Visitor, played: tuple[str, Visitor, str]) -> None:
    """At every address visitors and authors get what there was at that moment; nothing that happens later moves it.

    Later matches are not there, by guessed numbers either; organisers see all, marked; afterwards everybody does.
    """
    slug, ann, place = played
    with open_store(str(site.folder / "arena.db")) as store:
        contest = store.contest(slug)
        results = sorted(store.played(contest.id), key=lambda each: each.at)
        names = sorted({each.name for each in store.entrants(contest.id)})
    cut = len(results) // 3
    until = (results[cut].at + results[cut + 1].at) / 2
    late = {each.fixture.number for each in results if each.at > until}
    early = results[0].fixture.number
    paths = addresses(slug, place, [early, min(late), max(late)], [names[0], "Icy"])
    assert len(paths) > 40
    visitor = Visitor(site.url)
    whole = read_all(visitor, paths, slug)
    do(organiser, slug, "freeze", at=datetime.fromtimestamp(until, UTC).isoformat())
    seen = {somebody: read_all(somebody, paths, slug) for somebody in (visitor, ann)}
    for found in seen.values():
        page = found[f"/ladders/{slug}"][1]
        assert "frozen" in page
        assert 'class="winner"' not in page
        assert "is being played" in page
        for number in (min(late), max(late)):
            assert found[f"/ladders/{slug}/matches/{number}"][0] == 404
            assert found[f"/ladders/{slug}/matches/{number}/board"][0] == 404
        assert found[f"/ladders/{slug}/matches/{early}"][0] == 200
        for path, (_, text) in found.items():
            for number in late:
                assert f'href="/ladders/{slug}/matches/{number}"' not in text, path
        assert found[f"/ladders/{slug}/code/Icy"][0] == 404
    assert 'class="winner"' in organiser.get(f"/ladders/{slug}").text
    assert "you see everything" in organiser.get(f"/ladders/{slug}").text
    do(organiser, slug, "out", bot=names[0], because="copied")
    do(organiser, slug, "again-matches", numbers=f"{min(late)}, {early}", because="a test")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    for somebody, before in seen.items():
        for path, found_now in read_all(somebody, paths, slug).items():
            assert found_now == before[path], path
    do(organiser, slug, "back", bot=names[0])
    do(organiser, slug, "reveal")
    after = read_all(visitor, paths, slug)
    assert 'class="winner"' in after[f"/ladders/{slug}"][1]
    assert [path for path in paths if after[path][0] != whole[path][0]] == []


def test_places_are_the_formats_wherever_they_are_told(
    site: RunningSite, organiser: Visitor, played: tuple[str, Visitor, str]
) -> None:
    """What programs and participants read is what the contest's page shows, and no points follow from ratings."""
    slug, ann, _ = played
    page = Visitor(site.url).get(f"/ladders/{slug}").text
    rows = re.findall(r'<td class="number strong">(\d+)</td>\s*<th scope="row"><a href="[^"]+/bots/([^"]+)"', page)
    shown = [(unquote(name), int(place)) for place, name in rows]
    api = Visitor(site.url)
    told = api.get(f"/api/v1/ladders/{slug}/standings").json()["items"]
    assert [(each["bot"], each["place"]) for each in told] == shown
    place = dict(shown)["Icy"]
    assert api.get(f"/api/v1/ladders/{slug}/bots/Icy").json()["place"] == place
    assert f"Place {place} of {len(shown)}, by the format" in ann.get(f"/ladders/{slug}/feedback").text
    refused = organiser.get(f"/ladders/{slug}/points", kind="rating", sample=told[0]["bot"])
    assert refused.status_code == 422
    assert "points follow places" in refused.text


def test_nobody_has_won_while_frozen(site: RunningSite, organiser: Visitor, played: tuple[str, Visitor, str]) -> None:
    """A contest that ends while its standings are frozen is over for everybody; who won is told when all is shown."""
    slug, ann, _ = played
    do(organiser, slug, "freeze")
    do(organiser, slug, "end")
    for somebody in (Visitor(site.url), ann):
        page = somebody.get(f"/ladders/{slug}").text
        assert 'class="phase over"' in page
        assert 'class="winner"' not in page + somebody.get(f"/ladders/{slug}/part").text
    assert 'class="winner"' in organiser.get(f"/ladders/{slug}").text
    do(organiser, slug, "reveal")
    assert 'class="winner"' in Visitor(site.url).get(f"/ladders/{slug}").text


def test_a_contest_that_never_began_says_so_and_gives_no_code(site: RunningSite, organiser: Visitor) -> None:
    """With a single bot there is nothing to play: after its end nothing is to come, and its code is kept."""
    slug = new_contest(organiser, "Alone", readable="yes")
    ann = author(site)
    place = ann.hand_in(slug, "Lonely", "lonely.py", GOOD.read_bytes() + b"# lonely\n")
    assert "takes part in:" in ann.await_text(place, "entered", "refused</span>")
    do(organiser, slug, "start")
    do(organiser, slug, "end")
    page = Visitor(site.url).get(f"/ladders/{slug}").text
    assert "ended before a match was played" in page
    assert "The judge begins" not in page
    assert Visitor(site.url).get(f"/ladders/{slug}/code/Lonely").status_code == 404


# --- what an organiser decides


def test_a_bot_is_disqualified_and_taken_back(site: RunningSite, organiser: Visitor) -> None:
    """With a reason, which is needed; its place is gone, the log says who and why; taken back all is as before."""
    slug = new_contest(organiser, "Fair", rounds="1", samples="yes")
    ann = author(site)
    enter(ann, slug, "Copied")
    do(organiser, slug, "start")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    before = ann.get(f"/ladders/{slug}/part").text
    answer = organiser.post(f"/ladders/{slug}/organise", {"do": "out", "bot": "Copied", "because": " "})
    assert answer.status_code == 422
    assert "Say why" in answer.text
    do(organiser, slug, "out", bot="Copied", because="from <b>Bob</b>")
    row = ann.get(f"/ladders/{slug}/part").text
    assert 'class="out"' in row
    assert "disqualified: from &lt;b&gt;Bob&lt;/b&gt;" in row
    assert "from &lt;b&gt;Bob&lt;/b&gt;" in Visitor(site.url).get(f"/ladders/{slug}/bots/Copied").text
    told = organiser.get(f"/ladders/{slug}/organise").text
    assert "disqualified Copied: from &lt;b&gt;Bob&lt;/b&gt;" in told
    assert "Ms Sato" in told
    do(organiser, slug, "back", bot="Copied")
    assert ann.get(f"/ladders/{slug}/part").text == before


def test_matches_are_played_again_by_bot_by_number_and_by_time(site: RunningSite, organiser: Visitor) -> None:
    """Each time as many as are meant, with new results; the contest is over again afterwards."""
    slug = new_contest(organiser, "Again", rounds="1", samples="yes")
    enter(author(site), slug, "Repeated")
    do(organiser, slug, "start")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    nobody = organiser.post(f"/ladders/{slug}/organise", {"do": "again-bot", "bot": "Repeated", "because": ""})
    assert nobody.status_code == 422
    assert "No match that counts" in nobody.text
    for bad in ("seven", "900", ""):
        answer = organiser.post(f"/ladders/{slug}/organise", {"do": "again-matches", "numbers": bad})
        assert answer.status_code == 422, bad
    ways: list[tuple[str, dict[str, str], int]] = [
        ("again-bot", {"bot": "Repeated", "everything": "yes"}, 4),
        ("again-matches", {"numbers": "0, 2-3"}, 3),
        ("again-judge", {"since": at(-1), "until": at(1)}, 6),
    ]
    for count, (deed, fields, meant) in enumerate(ways, 1):
        do(organiser, slug, deed, because="the machine slept", **fields)
        organiser.await_text(f"/ladders/{slug}", 'class="winner"')
        with open_store(str(site.folder / "arena.db")) as store:
            contest = store.contest(slug)
            assert store.count_rulings(contest.id) == count
            assert store.pending(contest.id) == []
            assert len(store.rulings(contest.id)[-1].matches) == meant


def test_matches_are_played_again_after_a_contests_end(site: RunningSite, organiser: Visitor) -> None:
    """A contest whose last moment is past plays what is asked for, however long it takes, and is over again."""
    slug = new_contest(organiser, "Ended", rounds="1")
    slow = "import time\nslow = iter(range(3))\n" + GOOD.read_text().replace(
        "    what, *numbers = line.split()\n",
        "    what, *numbers = line.split()\n    next(slow, 9) < 9 and time.sleep(0.7)\n",
    )
    for name in ("Slow one", "Slow two"):
        ann = author(site)
        place = ann.hand_in(slug, name, "slow.py", f"{slow}# {name}\n".encode())
        assert "refused</span>" not in ann.await_text(place, "entered", "refused</span>")
    do(organiser, slug, "start")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    do(organiser, slug, "end")
    do(organiser, slug, "again-matches", numbers="0", because="the machine slept")
    with open_store(str(site.folder / "arena.db")) as store:
        contest, end = store.contest(slug), monotonic() + PATIENCE
        while (store.pending(contest.id) or store.contest(slug).state != "over") and monotonic() < end:
            sleep(SHORT)
        assert store.pending(contest.id) == []
        assert store.contest(slug).state == "over"


def seeds_of_check(folder: Path) -> list[str]:
    """The numbers that a bot is given for its dice while it is checked, however often."""
    told, bot = folder / "seeds", folder / "robot.py"
    tells = f"print(os.environ['DOHYO_SEED'], file=open({str(told)!r}, 'a'))\nx = y = 0"
    bot.write_text(GOOD.read_text().replace("x = y = 0", tells))
    check_bot(games.find("shoot-em-up"), HandIn(str(bot), entry=True), clock=1.0, sandbox="none")
    return sorted({*told.read_text().split()})


def test_a_bot_that_fails_again_and_again_pauses(site: RunningSite, organiser: Visitor, tmp_path: Path) -> None:
    """After five matches in a row its author reads so and lets it play again; others neither see nor may do that."""
    slug = new_ladder(organiser, "shoot-em-up", "Pausing")
    ann = author(site)
    fails = f"if os.environ['DOHYO_SEED'] not in {seeds_of_check(tmp_path)}:\n    sys.exit(3)\nx = y = 0"
    place = ann.hand_in(slug, "Flaky", "flaky.py", GOOD.read_text().replace("x = y = 0", fails).encode())
    ann.await_text(place, "plays</span>", "refused</span>")
    page = ann.await_text(f"/ladders/{slug}", "It pauses: it failed")
    assert re.search(r"<b>Flaky</b></p>\s*<p>It pauses: it failed in its last 5 matches", page)
    assert "It pauses: it failed" not in author(site).get(f"/ladders/{slug}").text
    assert "Flaky" in organiser.get(f"/ladders/{slug}/organise").text
    assert author(site).post(f"/ladders/{slug}/resume/Flaky").status_code == 404
    assert ann.post(f"/ladders/{slug}/resume/Flaky").status_code == 303
    ann.await_text(f"/ladders/{slug}", "It pauses: it failed")
    with open_store(str(site.folder / "arena.db")) as store:
        contest = store.contest(slug)
        (flaky,) = (each for each in store.entrants(contest.id) if each.name == "Flaky")
        assert len(flaky.absences) >= 1
        line = next(each for each in all_lines(store, slug) if each.bot == "Flaky")
        assert line.place is None, "whoever gives points knows that its author has a bot"


def test_what_is_archived_is_kept_and_rests(site: RunningSite, organiser: Visitor) -> None:
    """A ladder or contest that is archived can be read under its new title, and be brought back."""
    slug = new_contest(organiser, "Old")
    do(organiser, slug, "rename", title="Older")
    do(organiser, slug, "retire")
    ann = author(site)
    assert "archived" in refusal(ann, slug)
    assert "Older" in ann.get(f"/ladders/{slug}").text
    first = ann.get("/").text
    assert f'<li><a href="/ladders/{slug}">' in first
    assert f'<h3><a href="/ladders/{slug}">' not in first, "no card is made of it"
    do(organiser, slug, "return")
    assert ann.hand_in(slug, "Back", "a.py", GOOD.read_bytes())


def test_a_contest_says_who_has_entered_and_what_time_there_is(
    site: RunningSite, organiser: Visitor, visitor: Visitor
) -> None:
    """Before it begins its page names the bots that are in, the sample bots that will be, and the usual time too."""
    slug = new_contest(organiser, "Who comes", samples="yes")
    card = about(visitor.get("/").text, slug)
    assert "2 bots" in card
    assert "Nobody&#39;s bot has passed" in visitor.get(f"/ladders/{slug}").text
    enter(author(site), slug, "Early bird")
    page = visitor.get(f"/ladders/{slug}").text
    entered = page.partition('id="entered-title"')[2].partition("</section>")[0]
    assert "Early bird" in entered
    assert "Sample bots take part: gunner, random" in page
    assert "A turn may take 1 s." in page
    assert "3 bots" in about(visitor.get("/").text, slug)


def test_nobody_reveals_what_is_not_over(organiser: Visitor) -> None:
    """While a contest may still change, no place is shown there, and the organiser has no button for it."""
    slug = new_contest(organiser, "Too early", samples="yes")
    do(organiser, slug, "freeze")
    page = organiser.get(f"/ladders/{slug}/reveal").text
    assert "not over" in page
    assert 'id="reveal"' not in page
    assert f'href="/ladders/{slug}/reveal"' not in organiser.get(f"/ladders/{slug}/organise").text


def test_a_feed_tells_that_a_contest_is_over(visitor: Visitor, played: tuple[str, Visitor, str]) -> None:
    """A contest that ends because all is played has an entry for that, as one that ends by time."""
    slug = played[0]
    feed = visitor.get(f"/ladders/{slug}/feed.atom").text
    assert len(re.findall(r"<title>[^<]* is over</title>", feed)) == 1
