"""Signing in by a provider of OpenID Connect: by a real one, and by one that lies."""

from __future__ import annotations

import itertools
import os
import re
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import time
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

from dohyo.core.errors import OperatorError
from dohyo.guests.site.people import provider
from dohyo.guests.site.people.provider import AwayError, Client, Provider, read_provider
from tests.guests.site import glewlwyd, proxies
from tests.guests.site.conftest import RunningSite, Visitor
from tests.guests.site.glewlwyd import Glewlwyd

pytestmark = pytest.mark.xdist_group("site-provider")

NUMBERS = itertools.count(1)


class Signing(NamedTuple):
    """A site and who signs people in to it."""

    site: RunningSite
    by: Glewlwyd


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory, full: bool) -> Iterator[Signing]:
    """A site to which glewlwyd signs people in, beside passwords."""
    folder = tmp_path_factory.mktemp("provider")
    port = proxies.free_port()
    with glewlwyd.running(folder, proxies.free_port()) as by:
        by.set_up(f"http://127.0.0.1:{port}/sign-in/back")
        running = RunningSite(folder / "arena", is_light=not full)
        running.start("--workers", "1", "--port", str(port), "--provider", os.fspath(named(folder, by.issuer)))
        try:
            yield Signing(running, by)
        finally:
            running.stop()


def named(folder: Path, issuer: str, more: str = "") -> Path:
    """A file that names a provider."""
    (folder / "secret").write_text(glewlwyd.SECRET)
    lines = [f'issuer = "{issuer}"', f'client = "{glewlwyd.CLIENT}"', 'title = "The Club"', more]
    path = folder / f"provider{len(more)}.toml"
    path.write_text("\n".join([*lines, f'secret_file = "{folder / "secret"}"']))
    return path


def set_out(visitor: Visitor, to: str = "/account") -> str:
    """Press the button: where the provider is."""
    answer = visitor.get(f"/sign-in/provider?next={to}")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def come_back(visitor: Visitor, signing: Signing, browser: httpx.Client, to: str = "/account") -> httpx.Response:
    """Press the button, sign in there, and come back: what the site answers."""
    back = urlsplit(signing.by.send_back(browser, set_out(visitor, to)))
    return visitor.get(f"{back.path}?{back.query}")


def new_name() -> str:
    """A name of somebody at the provider."""
    return f"member{next(NUMBERS)}"


def rows(site: RunningSite, question: str, *values: str) -> list[Any]:
    """What the site's database says."""
    with closing(sqlite3.connect(site.folder / "site.db")) as database:
        return database.execute(question, values).fetchall()


def test_who_is_new_chooses_a_name_and_is_known_from_then_on(signing: Signing) -> None:
    """The first time an account is made, without a password; afterwards the button signs in at once."""
    browser, visitor = signing.by.add(new_name()), Visitor(signing.site.url)
    assert "Sign in with The Club" in visitor.get("/sign-in").text
    page = come_back(visitor, signing, browser)
    assert "One more step" in page.text
    assert visitor.http.cookies.get("dohyo_session") is None
    name = f"Player {next(NUMBERS)}"
    answer = visitor.post("/sign-in/new", {"name": name})
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert name in visitor.get("/account").text
    assert rows(signing.site, "SELECT password FROM people WHERE name = ?", name) == [("",)]
    again = Visitor(signing.site.url)
    answer = come_back(again, signing, browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert name in again.get("/").text
    assert Visitor(signing.site.url).post("/sign-in", {"name": name, "password": ""}).status_code == 422


def test_an_account_is_tied_by_whoever_is_signed_in_to_it(signing: Signing) -> None:
    """An account with a password can be entered both ways, by its owner alone."""
    browser, owner = signing.by.add(new_name()), Visitor(signing.site.url).sign_up(f"Owner {next(NUMBERS)}")
    assert "Connect" in come_back(owner, signing, browser).text
    assert owner.post("/sign-in/new", {}).status_code == 303
    other = Visitor(signing.site.url)
    assert come_back(other, signing, browser).status_code == 303
    assert "Owner" in other.get("/").text
    assert "You can sign in with The Club" in other.get("/account").text


def test_who_is_known_as_another_is_not_tied_again(signing: Signing) -> None:
    """What belongs to one account already is not given to the account of a session: the first one is entered."""
    browser = signing.by.add(new_name())
    first = Visitor(signing.site.url).sign_up(f"First {next(NUMBERS)}")
    come_back(first, signing, browser)
    first.post("/sign-in/new", {})
    second = Visitor(signing.site.url).sign_up(f"Second {next(NUMBERS)}")
    assert come_back(second, signing, browser).status_code == 303
    assert "First" in second.get("/").text


def test_a_name_alone_gives_nobody_an_account(signing: Signing) -> None:
    """Whoever is called at the provider as somebody is here is not that person."""
    name = new_name()
    Visitor(signing.site.url).sign_up(name)
    stranger = Visitor(signing.site.url)
    come_back(stranger, signing, signing.by.add(name))
    refused = stranger.post("/sign-in/new", {"name": name})
    assert refused.status_code == 422
    assert "already" in refused.text
    assert stranger.http.cookies.get("dohyo_session") is None


def test_what_another_browser_brings_back_counts_for_nothing(signing: Signing) -> None:
    """A code signs nobody in but the browser that has set out for it, and that once."""
    browser = signing.by.add(new_name())
    victim, thief = Visitor(signing.site.url), Visitor(signing.site.url)
    back = urlsplit(signing.by.send_back(browser, set_out(thief)))
    assert victim.get(f"{back.path}?{back.query}").status_code == 400  # no way out
    code, state = (parse_qs(back.query)[name][0] for name in ("code", "state"))
    other = parse_qs(urlsplit(set_out(victim)).query)["state"][0]
    assert victim.get(f"/sign-in/back?code={code}&state={state}").status_code == 400  # another's way
    assert victim.get(f"/sign-in/back?code={code}&state={other}").status_code == 502  # his own, with another's code
    assert thief.get(f"{back.path}?{back.query}&iss=https://evil.example").status_code == 400
    for visitor in (victim, thief):
        assert visitor.http.cookies.get("dohyo_session") is None


def test_where_one_goes_afterwards_is_here(signing: Signing) -> None:
    """The page after signing in is one of this site."""
    browser, visitor = signing.by.add(new_name()), Visitor(signing.site.url)
    come_back(visitor, signing, browser)
    visitor.post("/sign-in/new", {"name": f"Wanderer {next(NUMBERS)}"})
    for to in ("https://evil.example", "//evil.example", "/\\evil.example"):
        assert come_back(visitor, signing, browser, to).headers["location"] == "/"


def test_the_provider_can_be_the_only_way_in(signing: Signing, tmp_path: Path) -> None:
    """Then there are no passwords; also whoever opened the first link comes by the provider."""
    port = proxies.free_port()
    path = named(tmp_path, signing.by.issuer, "only = true")
    callback = f"http://127.0.0.1:{port}/sign-in/back"
    content = {"redirect_uri": [callback], **signing.by.boss.get(f"/client/{glewlwyd.CLIENT}").json()}
    content["redirect_uri"] = [*content["redirect_uri"], callback]
    assert signing.by.boss.put(f"/client/{glewlwyd.CLIENT}", json=content).status_code == 200
    running = RunningSite(tmp_path / "arena")
    running.start("--workers", "1", "--port", str(port), "--provider", os.fspath(path))
    try:
        visitor = Visitor(running.url)
        assert 'type="password"' not in visitor.get("/sign-in").text
        for form in ("/sign-in", "/sign-up"):
            answer = visitor.post(form, {"name": "Somebody", "password": "correct horse"})
            assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
        link = urlsplit(running.link).path
        found = re.search(r'href="(/sign-in/provider\?next=[^"]*)"', visitor.get(link).text)
        assert found is not None
        browser = signing.by.add(new_name())
        back = urlsplit(signing.by.send_back(browser, str(visitor.get(found[1]).headers["location"])))
        visitor.get(f"{back.path}?{back.query}")
        assert visitor.post("/sign-in/new", {"name": "Ms Sato"}).headers["location"] == link
        assert visitor.post(link, {}).headers["location"] == "/ladders/new"
        assert visitor.get("/ladders/new").status_code == 200
    finally:
        running.stop()


# --- one that lies

ISSUER = "https://login.example"
KEY = ECKey.generate_key("P-256", parameters={"kid": "one", "alg": "ES256", "use": "sig"})
NONCE = "drawn for this browser"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client of a provider that answers what a test says."""
    places = {name: f"{ISSUER}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
    answers: dict[str, Any] = {
        f"{ISSUER}/.well-known/openid-configuration": {"issuer": ISSUER, **places},
        places["jwks_uri"]: {"keys": [KEY.as_dict(private=False)]},
    }
    monkeypatch.setattr(provider, "_ask", lambda method, url, **more: msgspec.json.encode(answers[url]))
    made = Client(Provider(ISSUER, "dohyo", "Example", secret="s"), "https://club.example/sign-in/back")
    vars(made)["answers"] = answers
    return made


def claims(**more: Any) -> dict[str, Any]:
    """What an honest token says."""
    now = int(time())
    honest = {"iss": ISSUER, "sub": "42", "aud": "dohyo", "exp": now + 300, "iat": now, "nonce": NONCE}
    return {name: value for name, value in {**honest, **more}.items() if value is not None}


def redeem(client: Client, token: str) -> provider.Visitor:
    """Let the provider give this token for a code."""
    vars(client)["answers"][f"{ISSUER}/token_endpoint"] = {"id_token": token, "access_token": "a"}
    return client.redeem("code", NONCE, "verifier")


def signed(told: dict[str, Any], key: Any = KEY, **header: str) -> str:
    """A token."""
    return jwt.encode({"alg": "ES256", "kid": "one", **header}, told, key)


def test_an_honest_token_counts(client: Client) -> None:
    """Who it is about is known; also where clocks differ by a minute."""
    assert redeem(client, signed(claims(preferred_username="ann"))) == provider.Visitor(ISSUER, "42", "ann")
    early, late = int(time()) + 60, int(time()) - 60
    assert redeem(client, signed(claims(iat=early, nbf=early))).subject == "42"
    assert redeem(client, signed(claims(exp=late))).subject == "42"


WRONG = {
    "issuer": {"iss": "https://other.example"},
    "audience": {"aud": "another"},
    "several audiences": {"aud": ["dohyo", "another"]},
    "authorised party": {"aud": ["dohyo", "another"], "azp": "another"},
    "nonce": {"nonce": "drawn for somebody else"},
    "no nonce": {"nonce": None},
    "over": {"exp": 1_000_000_000},
    "no end": {"exp": None},
    "from the future": {"iat": 4_000_000_000},
    "no subject": {"sub": None},
    "empty subject": {"sub": ""},
    "long subject": {"sub": "x" * 300},
    "number as subject": {"sub": 42},
    "other access token": {"at_hash": "AAAA"},
}


@pytest.mark.parametrize("told", WRONG.values(), ids=WRONG)
def test_a_token_that_is_wrong_counts_for_nothing(client: Client, told: dict[str, Any]) -> None:
    """Each claim is looked at."""
    with pytest.raises(AwayError):
        redeem(client, signed(claims(**told)))


def test_a_token_that_is_not_signed_by_its_keys_counts_for_nothing(client: Client) -> None:
    """Another's key, none, a password that everybody knows, and what is no token at all."""
    other = ECKey.generate_key("P-256", parameters={"kid": "one"})
    known = OctKey.import_key(msgspec.json.encode(KEY.as_dict(private=False)))
    header = "eyJhbGciOiJub25lIn0"  # {"alg":"none"}
    unsigned = f"{header}.{signed(claims()).split('.')[1]}."
    shared = jwt.encode({"alg": "HS256", "kid": "one"}, claims(), known)
    for token in (signed(claims(), other), shared, unsigned, "", "a.b.c", "." * 1000):
        with pytest.raises(AwayError):
            redeem(client, token)


@pytest.mark.parametrize(
    "told",
    [
        {"issuer": "https://other.example"},
        {"token_endpoint": "http://login.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": 7},
        {"authorization_endpoint": "https://user:password@login.example"},
    ],
)
def test_a_provider_that_says_it_is_another_is_not_asked(client: Client, told: dict[str, Any]) -> None:
    """What it says of itself is looked at before a browser or a secret is sent anywhere."""
    answers = vars(client)["answers"]
    answers[f"{ISSUER}/.well-known/openid-configuration"] |= told
    with pytest.raises(AwayError):
        client.address("state", NONCE, "verifier")


def test_an_answer_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that sends and sends is left."""
    monkeypatch.setattr(provider, "MAX_ANSWER", 10_000)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def send() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                    while True:
                        connection.sendall(b" " * 1000)
                except OSError:
                    pass  # the site has left

        sending = threading.Thread(target=send)
        sending.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(AwayError, match="large"):
            Client(Provider(address, "dohyo", "Example"), "").address("", "", "")
        sending.join()


@pytest.mark.parametrize(
    "content",
    [
        "",
        'issuer = "http://login.example"\nclient = "a"\ntitle = "b"',
        'issuer = "https://login.example"\nclient = "a"\ntitle = ""',
        'issuer = "https://login.example"\nclient = "a"\ntitle = "b"\nsecret = "here"',
        'issuer = "https://login.example"\nclient = "a"\ntitle = "b"\ncolour = "red"',
        "issuer = [",
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path: Path, content: str) -> None:
    """The operator reads what is missing, before a site begins."""
    (tmp_path / "provider.toml").write_text(content)
    with pytest.raises(OperatorError) as refused:
        read_provider(os.fspath(tmp_path / "provider.toml"))
    assert refused.value.key == "serve-provider-file"
