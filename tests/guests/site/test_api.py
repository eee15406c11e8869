"""The site as programs use it: tokens, calls, and what they may not do."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from time import monotonic, sleep, time
from typing import Any

import httpx
import pytest

from dohyo.core.replay_format import decode
from dohyo.guests.site_client.telling import STATES
from tests.guests.site.conftest import GOOD, OPEN, PATIENCE, RunningSite, Visitor, new_ladder
from tests.guests.site.contests import do, enter, new_contest

NUMBERS: Iterator[int] = itertools.count(1)
PROBLEM = "application/problem+json"
TURN = b"    kind, dx, dy = choose(x, y)\n"
NOISY = GOOD.read_bytes().replace(TURN, b"    print('my secret plan', file=sys.stderr, flush=True)\n" + TURN)


def author(site: RunningSite) -> Visitor:
    """Somebody new with an account."""
    return Visitor(site.url).sign_up(f"programmer {next(NUMBERS)}")


def token_of(visitor: Visitor, *scopes: str, days: int = 30) -> str:
    """Make a token on the page, and read it there."""
    until = (datetime.now(UTC).date() + timedelta(days=days)).isoformat()
    answer = visitor.post("/tokens", {"name": "test", "until": until, **dict.fromkeys(scopes, "yes")})
    assert answer.status_code == 200, answer.text
    found = re.search(r"dohyo_[\w-]{40,}", answer.text)
    assert found is not None, answer.text
    return found[0]


def change(site: RunningSite, statement: str, *values: object) -> None:
    """Change the site's database behind its back."""
    with sqlite3.connect(site.folder / "site.db", timeout=60) as database:
        database.execute(statement, values)
    database.close()


PROGRAMS: list[Program] = []  # to be closed at the end of a test


class Program:
    """A program with a token; without one, anybody's."""

    def __init__(self, site: RunningSite, token: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=f"{site.url}/api/v1", headers=headers, timeout=60.0)
        PROGRAMS.append(self)

    def get(self, path: str, **more: Any) -> httpx.Response:
        """Ask."""
        return self.http.get(path, **more)

    def hand_in(self, slug: str, bot: str, content: bytes, filename: str = "bot.py") -> httpx.Response:
        """Hand in a file."""
        return self.http.post(f"/ladders/{slug}/hand-ins", data={"bot": bot}, files={"file": (filename, content)})

    def await_state(self, number: int, *wanted: str) -> dict[str, Any]:
        """A hand-in, once it is in one of these states."""
        end = monotonic() + PATIENCE
        while monotonic() < end:
            found: dict[str, Any] = self.get(f"/hand-ins/{number}").json()
            if found["state"] in wanted:
                return found
            sleep(0.2)
        raise AssertionError(found)


def is_problem(answer: httpx.Response, status: int, code: str = "") -> bool:
    """Whether an answer tells a problem as RFC 9457 says, of this status."""
    told = answer.json()
    assert answer.status_code == told["status"] == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    assert told["title"]
    assert told["detail"]
    return not code or told["code"] == code


@pytest.fixture(scope="module")
def ladder(site: RunningSite, organiser: Visitor) -> str:
    """A ladder of the module's tests."""
    return new_ladder(organiser, "shoot-em-up", "Programs")


@pytest.fixture(scope="module")
def nobody(site: RunningSite) -> Iterator[Program]:
    """A program without a token."""
    found = Program(site)
    PROGRAMS.remove(found)
    yield found
    found.http.close()


@pytest.fixture(scope="module")
def somebody(site: RunningSite) -> Iterator[Visitor]:
    """An author, where it does not matter who."""
    found = author(site)
    OPEN.remove(found)
    yield found
    found.http.close()


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """A test's programs have ended after it."""
    yield
    while PROGRAMS:
        PROGRAMS.pop().http.close()


def test_a_program_hands_in_and_reads_what_came_of_it(
    site: RunningSite, organiser: Visitor, ladder: str, nobody: Program
) -> None:
    """With a token, a bot is handed in, its state and findings are read, then its standing, matches and replay.

    What it wrote to standard error is in the replay for its author alone, and not for an organiser.
    """
    program = Program(site, token_of(author(site), "read", "hand-in"))
    answer = program.hand_in(ladder, "Noisy", NOISY)
    assert answer.status_code == 201, answer.text
    found = program.await_state(answer.json()["id"], "entered", "refused")
    assert found["state"] == "entered", found
    assert found["language"] == "python"
    assert decode(program.get(f"/hand-ins/{found['id']}/replay").content).header.seats[0].name == "Noisy"
    items = matches_of(nobody, ladder, "Noisy")
    assert program.get(f"/ladders/{ladder}/bots/Noisy").json()["matches"] > 0
    place = f"/ladders/{ladder}/matches/{items[0]['number']}"
    assert nobody.get(place).json() == items[0]
    assert b"my secret plan" in _texts(program.get(f"{place}/replay").content)
    public = nobody.get(f"{place}/replay").content
    assert b"my secret plan" not in _texts(public)
    assert not any(seat.digest for seat in decode(public).header.seats), "by it a bot is known again"
    for other in (token_of(author(site), "read"), token_of(organiser, "read", "organise")):
        another = Program(site, other)
        assert b"my secret plan" not in _texts(another.get(f"{place}/replay").content)


def matches_of(program: Program, ladder: str, bot: str) -> list[dict[str, Any]]:
    """The matches of a bot, once it has some."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        items: list[dict[str, Any]] = program.get(f"/ladders/{ladder}/matches", params={"bot": bot}).json()["items"]
        if items:
            return items
        sleep(0.2)
    raise AssertionError(bot)


def _texts(replay: bytes) -> bytes:
    return "\n".join(move.stderr for turn in decode(replay).turns for move in turn.moves).encode()


def test_a_state_is_told_by_a_word_that_says_what_goes_on(site: RunningSite, ladder: str) -> None:
    """A hand-in that the judge has begun with is `checking`, one whose bot has left `retired`; both are known."""
    program = Program(site, token_of(author(site), "read", "hand-in"))
    number = program.hand_in(ladder, "Words", b"def (:").json()["id"]
    program.await_state(number, "refused")
    change(site, "UPDATE hand_ins SET state = 'examined', judge = 'another' WHERE id = ?", number)
    assert program.get(f"/hand-ins/{number}").json()["state"] == "checking"
    change(site, "UPDATE hand_ins SET state = 'entered' WHERE id = ?", number)
    assert program.get("/hand-ins").json()["items"][0]["state"] == "retired"
    document = program.get("/openapi.json").json()
    known = document["components"]["schemas"]["HandInOut"]["properties"]["state"]["enum"]
    assert {*known} == {*STATES}
    assert {"checking", "retired"} < {*STATES}
    assert "examined" not in known


def test_a_source_is_handed_in_as_json(site: RunningSite, ladder: str) -> None:
    """A source in JSON is a hand-in as a file is; one that does not build is refused in the compiler's words."""
    program = Program(site, token_of(author(site), "hand-in"))
    body = {"bot": "Worded", "filename": "worded.py", "source": "def (:\n"}
    answer = program.http.post(f"/ladders/{ladder}/hand-ins", json=body)
    assert answer.status_code == 201, answer.text
    found = program.await_state(answer.json()["id"], "entered", "refused")
    assert found["state"] == "refused"
    assert "SyntaxError" in json.dumps(found)


def test_standings_and_matches_come_in_pages(site: RunningSite, organiser: Visitor, nobody: Program) -> None:
    """Pages follow each other without a gap, and end. Those of a contest that is over stay as they are."""
    ladder = new_contest(organiser, "Pages", rounds="1")
    enter(author(site), ladder, "Page A", "Page B", "Page C")
    do(organiser, ladder, "start")
    organiser.await_text(f"/ladders/{ladder}", 'class="winner"')
    whole = nobody.get(f"/ladders/{ladder}/standings").json()["items"]
    assert len(whole) > 2
    pages, after = [], 0
    while after is not None:
        page = nobody.get(f"/ladders/{ladder}/standings", params={"after": after, "limit": 2}).json()
        pages += page["items"]
        after = page["next"]
    assert [line["bot"] for line in pages] == [line["bot"] for line in whole]
    first = nobody.get(f"/ladders/{ladder}/matches", params={"limit": 1}).json()
    then = nobody.get(f"/ladders/{ladder}/matches", params={"limit": 1, "after": first["next"]}).json()
    assert then["items"][0]["number"] == first["items"][0]["number"] - 1


def test_an_organisers_token_makes_a_ladder(site: RunningSite, organiser: Visitor) -> None:
    """Only a token that may organise makes a ladder; without that, an organiser's token is an author's."""
    body = {"game": "othello", "title": "By program"}
    program = Program(site, token_of(organiser, "organise"))
    answer = program.http.post("/ladders", json=body)
    assert answer.status_code == 201, answer.text
    assert program.http.post("/ladders", json={"game": "no such"}).json()["code"] == "no-game"
    weaker = Program(site, token_of(organiser, "read", "hand-in"))
    assert is_problem(weaker.http.post("/ladders", json=body), 403, "scope")


def test_calls_are_described_as_openapi(nobody: Program, visitor: Visitor) -> None:
    """The description is OpenAPI 3.1, and a page for people has every call, with nothing from elsewhere."""
    document = nobody.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    page = visitor.get("/api/v1").text
    for path in document["paths"]:
        assert path in page
    for place in re.findall(r"""(?:src|href|action)=["']([^"']*)""", page):
        assert place.removeprefix(str(visitor.http.base_url)).startswith(("/", "#")), place


# --- tokens


def test_a_tokens_secret_is_shown_once_and_kept_nowhere(site: RunningSite) -> None:
    """The page shows a secret when it is made; afterwards neither a page nor the database has it."""
    visitor = author(site)
    secret = token_of(visitor, "read")
    page = visitor.get("/tokens").text
    assert secret not in page
    assert "never" in page
    Program(site, secret).get("/me")
    assert str(date.today().year) in visitor.get("/tokens").text
    for file in site.folder.glob("site.db*"):
        assert secret.encode() not in file.read_bytes()


def test_a_revoked_token_is_over(site: RunningSite) -> None:
    """After its owner revoked it a token opens nothing; nobody else can revoke it."""
    visitor, other = author(site), author(site)
    program = Program(site, token_of(visitor, "read"))
    number = re.search(r"/tokens/(\d+)/revoke", visitor.get("/tokens").text)
    assert number is not None
    assert other.post(number[0]).status_code == 404
    assert program.get("/me").status_code == 200
    assert visitor.post(number[0]).status_code == 303
    assert is_problem(program.get("/me"), 401)
    assert is_problem(program.get("/ladders"), 401)


def test_a_token_ends_by_itself(site: RunningSite, somebody: Visitor) -> None:
    """After its end a token opens nothing."""
    program = Program(site, token_of(somebody, "read"))
    assert program.get("/me").status_code == 200
    change(site, "UPDATE tokens SET until = ? WHERE id = (SELECT max(id) FROM tokens)", time() - 1)
    assert is_problem(program.get("/me"), 401)


def test_a_token_of_a_closed_account_opens_nothing(site: RunningSite) -> None:
    """Whoever may not sign in any more does not come in by a program either."""
    visitor = author(site)
    program = Program(site, token_of(visitor, "read"))
    name = program.get("/me").json()["name"]
    change(site, "UPDATE people SET closed = 1 WHERE name = ?", name)
    assert is_problem(program.get("/me"), 401)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "", "until": "2999-01-01", "read": "yes"}, "1 to 60"),
        ({"name": "x", "until": "2999-01-01", "read": "yes"}, "within 366 days"),
        ({"name": "x", "until": "soon", "read": "yes"}, "within 366 days"),
        ({"name": "x", "until": "2020-01-01", "read": "yes"}, "within 366 days"),
        ({"name": "x", "until": "2999-01-01"}, "Choose what"),
        ({"name": "x", "until": "2999-01-01", "organise": "yes"}, "Choose what"),
    ],
)
def test_an_impossible_token_is_refused_beside_the_form(somebody: Visitor, fields: dict[str, str], said: str) -> None:
    """What is wrong with a new token is said beside the form; authors make none that organises."""
    answer = somebody.post("/tokens", fields)
    assert answer.status_code == 422
    assert said in answer.text


def test_scopes_bound_a_token(site: RunningSite, ladder: str, somebody: Visitor) -> None:
    """A token does what its scopes say and nothing else; the answer names the scope that it lacks."""
    visitor = somebody
    reads, hands_in = Program(site, token_of(visitor, "read")), Program(site, token_of(visitor, "hand-in"))
    answer = reads.hand_in(ladder, "Not so", GOOD.read_bytes())
    assert is_problem(answer, 403, "scope")
    assert 'scope="hand-in"' in answer.headers["www-authenticate"]
    assert is_problem(hands_in.get("/ladders"), 403, "scope")
    assert hands_in.get("/hand-ins").status_code == 200


def test_anothers_hand_ins_are_not_there(site: RunningSite, ladder: str, organiser: Visitor) -> None:
    """Nobody reads another's hand-in, its replay or that it is there; organisers do, by a token that organises."""
    number = Program(site, token_of(author(site), "hand-in")).hand_in(ladder, "Hers", b"def (:\n").json()["id"]
    other = Program(site, token_of(author(site), "read", "hand-in"))
    for path in (f"/hand-ins/{number}", f"/hand-ins/{number}/replay"):
        assert other.get(path).json() == other.get(path.replace(str(number), "2000000000")).json()
        assert is_problem(other.get(path), 404)
    assert other.get("/hand-ins").json()["items"] == []
    assert is_problem(Program(site, token_of(organiser, "read")).get(f"/hand-ins/{number}"), 404)
    assert Program(site, token_of(organiser, "read", "organise")).get(f"/hand-ins/{number}").status_code == 200


def test_frozen_results_are_not_told(site: RunningSite, ladder: str, organiser: Visitor, nobody: Program) -> None:
    """While standings are frozen, a program sees what its person sees: no count, no match, no replay of later."""
    another = Program(site, token_of(author(site), "read", "hand-in"))
    assert another.hand_in(ladder, "Hidden", GOOD.read_bytes()).status_code == 201
    played = matches_of(nobody, ladder, "Hidden")
    place = f"/ladders/{ladder}/matches/{played[0]['number']}"
    weak, strong = (Program(site, token_of(organiser, "read", *more)) for more in ((), ("organise",)))
    change(site, "UPDATE ladders SET frozen = 1.0 WHERE slug = ?", ladder)
    try:
        for program in (nobody, another, weak):
            assert program.get(f"/ladders/{ladder}/matches").json()["items"] == []
            assert program.get(f"/ladders/{ladder}/standings").json()["matches"] == 0
            assert is_problem(program.get(place), 404)
            assert is_problem(program.get(f"{place}/replay"), 404)
        assert strong.get(place).json() == played[0]
    finally:
        change(site, "UPDATE ladders SET frozen = NULL WHERE slug = ?", ladder)


def test_a_cookie_signs_nobody_in_to_the_api(site: RunningSite, ladder: str, organiser: Visitor) -> None:
    """A browser that is signed in is a stranger to the API, and a token opens no page."""
    assert is_problem(organiser.get("/api/v1/me"), 401)
    answer = organiser.post(f"/api/v1/ladders/{ladder}/hand-ins", {"bot": "x"}, files={"file": ("a.py", b"1")})
    assert is_problem(answer, 401)
    secret = token_of(organiser, "read", "organise")
    answer = Visitor(site.url).http.get("/tokens", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


# --- what is wrong is told as a problem


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/ladders/none", 404),
        ("GET", "/ladders/No%20Slug", 400),
        ("GET", "/ladders?limit=0", 400),
        ("GET", "/ladders?limit=many", 400),
        ("GET", "/ladders?after=99999999999999999999", 400),
        ("GET", "/ladders/none/matches/99999999999999999999", 400),
        ("GET", "/hand-ins", 401),
        ("DELETE", "/ladders", 405),
        ("POST", "/ladders/none/hand-ins", 401),
    ],
)
def test_every_error_is_a_problem(nobody: Program, method: str, path: str, status: int) -> None:
    """Whatever goes wrong is answered as RFC 9457 says."""
    assert is_problem(nobody.http.request(method, path), status)


@pytest.fixture(scope="module")
def hands_in(site: RunningSite) -> str:
    """A token of somebody who has handed in nothing."""
    return token_of(author(site), "hand-in")


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"json": {"bot": "x"}}, 400),
        ({"json": []}, 400),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"[" * 5000, "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "text/plain"}}, 415),
        ({"data": {"bot": "x", "file": "no file"}}, 415),
        ({"files": {"file": ("a.py", b"1")}}, 400),
        ({"files": {"file": ("a.py", b"1")}, "data": {"bot": ["a", "b"]}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=a"}}, 400),
        ({"files": {"file": ("a.py", b"")}, "data": {"bot": "x"}}, 422),
        ({"files": {"file": ("a.py", b"1")}, "data": {"bot": "<b>"}}, 422),
        ({"files": {"file": ("a.py", b"1")}, "data": {"bot": "gunner"}}, 422),
    ],
)
def test_a_hand_in_that_is_none_is_a_problem(
    site: RunningSite, ladder: str, hands_in: str, more: Any, status: int
) -> None:
    """A body that cannot be taken is refused with what is wrong, and nothing of it is stored."""
    program = Program(site, hands_in)
    assert is_problem(program.http.post(f"/ladders/{ladder}/hand-ins", **more), status)
    assert program.get("/hand-ins").json()["items"] == []


def test_what_is_too_large_is_a_problem(site: RunningSite, ladder: str, nobody: Program, somebody: Visitor) -> None:
    """Nobody without a token that hands in sends much; with one, at most what a hand-in may be."""
    much = b"x" * (1 << 20)
    assert is_problem(nobody.hand_in(ladder, "Large", much), 413)
    assert is_problem(Program(site, token_of(somebody, "read")).hand_in(ladder, "Large", much), 413)
    program = Program(site, token_of(somebody, "hand-in"))
    assert is_problem(program.hand_in(ladder, "Large", much * 11), 413)
    assert is_problem(program.http.post("/ladders", content=much), 413)


def test_calls_are_limited_and_say_so(site: RunningSite, somebody: Visitor) -> None:
    """Each answer says how many calls are left; after too many, when to come again. Others go on."""
    program = Program(site, token_of(somebody, "read"))
    answer = program.get("/me")
    most = int(answer.headers["ratelimit-limit"])
    assert int(answer.headers["ratelimit-remaining"]) == most - 1
    for _ in range(most):
        answer = program.get("/me")
    assert is_problem(answer, 429)
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert Program(site, token_of(somebody, "read")).get("/me").status_code == 200


def test_sentences_follow_the_callers_language(nobody: Program) -> None:
    """What is wrong is told in the language that the program asks for."""
    told = nobody.get("/nothing", headers={"Accept-Language": "ja"}).json()
    assert re.search(r"[\u3040-\u30ff]", json.dumps(told, ensure_ascii=False))
