"""`dohyo login`, `submit`, `status` and `pull`, with a real site and with such as nobody should trust."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site_client.command import _no_ladder
from dohyo.guests.site_client.login import address_of
from dohyo.guests.site_client.packing import packed
from dohyo.guests.site_client.values import SiteLadder, SiteLadders
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.guests.site.contests import new_contest
from tests.guests.site.test_api import Program, author, token_of


class Keyboard:
    """Somebody's terminal: a home of his own, and a folder where he is."""

    def __init__(self, home: Path) -> None:
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DOHYO_")}
        self.environment = {**kept, "XDG_CONFIG_HOME": os.fspath(home / "config"), "DOHYO_LANG": "en"}

    def type(self, *words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """Type a command; what it printed and its exit status."""
        return subprocess.run(
            [sys.executable, "-m", "dohyo", *words],
            input=typed,
            cwd=self.home,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


@pytest.fixture
def keyboard(tmp_path: Path) -> Keyboard:
    """A terminal that knows no site yet."""
    return Keyboard(tmp_path)


@pytest.fixture(scope="module")
def ladder(site: RunningSite, organiser: Visitor) -> str:
    """A ladder of the module's tests."""
    return new_ladder(organiser, "shoot-em-up", "By command")


def test_a_bot_goes_to_a_ladder_and_its_match_comes_home(site: RunningSite, keyboard: Keyboard, ladder: str) -> None:
    """Sign in, hand in a folder, read how it stands, fetch a match of it, and run the bot again with its input."""
    secret = token_of(author(site), "read", "hand-in")
    done = keyboard.type("login", site.url, typed=secret + "\n")
    assert done.returncode == 0, done.stderr
    assert "read, hand in" in done.stdout
    assert secret not in done.stdout + done.stderr
    told = keyboard.type("login", site.url, "--json", typed=secret + "\n")
    assert json.loads(told.stdout)["token"]["scopes"] == ["read", "hand-in"]
    assert secret not in told.stdout + told.stderr
    kept = keyboard.home / "config/dohyo/site.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    folder = keyboard.home / "Homebody"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "main.py").write_bytes(GOOD.read_bytes())
    done = keyboard.type("submit", "Homebody", ladder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Homebody plays in {ladder}" in done.stdout
    assert "without a fault" in done.stdout
    end = monotonic() + PATIENCE
    visitor = Visitor(site.url)
    place = f"/api/v1/ladders/{ladder}/matches?bot=Homebody"
    while not (items := visitor.get(place).json()["items"]):
        assert monotonic() < end
        sleep(0.2)
    done = keyboard.type("pull", f"{site.url}/ladders/{ladder}/matches/{items[0]['number']}")
    assert done.returncode == 0, done.stderr
    replay = f"{ladder}-{items[0]['number']}.replay"
    seats = [each["bot"] for each in items[0]["seats"]]
    seat = seats.index("Homebody")
    told = json.loads(keyboard.type("pull", f"{ladder}/{items[0]['number']}", "--json").stdout)
    assert (told["file"], told["game"], told["seats"]) == (replay, "shoot-em-up", seats)
    again = keyboard.type("rerun", replay, str(seat), "Homebody", "--sandbox", "auto", "--until", "3")
    assert again.returncode == 0, again.stderr
    assert "Homebody" in keyboard.type("status").stdout
    stands = json.loads(keyboard.type("status", "--json").stdout)
    (own,) = [each for each in stands["bots"] if each["ladder"] == ladder]
    assert (stands["site"], own["bot"], own["state"]) == (site.url, "Homebody", "entered")
    assert own["standing"]["matches"] >= 1


@pytest.mark.parametrize(("name", "kept"), [("佐々木.py", "佐々木.py"), ("フォルダ", "フォルダ.zip")])
def test_a_bot_is_handed_in_under_a_japanese_name(
    site: RunningSite, keyboard: Keyboard, ladder: str, name: str, kept: str
) -> None:
    """A file, and a folder, that are called in Japanese alone are handed in under those names, and play."""
    where = {"DOHYO_SITE": site.url, "DOHYO_TOKEN": (secret := token_of(author(site), "read", "hand-in"))}
    bot = keyboard.home / name
    if name != kept:
        bot.mkdir()
        bot /= "main.py"
    bot.write_bytes(GOOD.read_bytes())
    done = keyboard.type("submit", name, ladder, "--json", **where)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert (told["state"], told["bot"]) == ("entered", Path(name).stem)
    assert Program(site, secret).get(f"/hand-ins/{told['id']}").json()["filename"] == kept


def test_a_refused_bot_is_told_in_the_examiners_words(site: RunningSite, keyboard: Keyboard, ladder: str) -> None:
    """What does not build ends with status 1 and what the compiler says; CI needs nothing but the environment."""
    (keyboard.home / "broken.py").write_text("def (:\n")
    environment = {"DOHYO_SITE": site.url, "DOHYO_TOKEN": token_of(author(site), "hand-in")}
    done = keyboard.type("submit", "broken.py", ladder, "--name", "Broken by command", **environment)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "SyntaxError" in done.stdout
    assert "was refused" in done.stdout
    assert not (keyboard.home / "config").exists()
    told = keyboard.type("submit", "broken.py", ladder, "--name", "Broken by command", "--json", **environment)
    assert (told.returncode, json.loads(told.stdout)["state"]) == (1, "refused"), told.stderr
    done = keyboard.type("submit", "broken.py", ladder, "--name", "gunner", "--no-wait", **environment)
    assert done.returncode == 2
    assert "belongs to somebody else" in done.stderr


def test_without_waiting_the_command_ends_at_once(site: RunningSite, keyboard: Keyboard, ladder: str) -> None:
    """With --no-wait a hand-in that is accepted is a success, whatever the check finds later."""
    (keyboard.home / "broken.py").write_text("def (:\n")
    environment = {"DOHYO_SITE": site.url, "DOHYO_TOKEN": token_of(author(site), "hand-in")}
    done = keyboard.type("submit", "broken.py", ladder, "--no-wait", **environment)
    assert done.returncode == 0, done.stderr
    assert "/hand-ins/" in done.stdout


def test_a_contest_is_entered_by_its_word(site: RunningSite, organiser: Visitor, keyboard: Keyboard) -> None:
    """Without the word the sentence says where and how to say it; with it one hands in, and it is asked for once."""
    contest = new_contest(organiser, "By a word", entry="word", word="open sesame")
    known = {"DOHYO_SITE": site.url, "DOHYO_TOKEN": token_of(author(site), "read", "hand-in")}
    (keyboard.home / "Wordy.py").write_bytes(GOOD.read_bytes())
    words = ("submit", "Wordy.py", contest, "--no-wait")
    done = keyboard.type(*words, **known)
    assert done.returncode == 2
    assert f"{site.url}/ladders/{contest}#hand-in" in done.stderr
    assert "--word" in done.stderr
    assert "not the word" in keyboard.type(*words, "--word", "open barley", **known).stderr
    done = keyboard.type(*words, "--word", "Open Sesame", **known)
    assert done.returncode == 0, done.stderr
    assert keyboard.type(*words, **known).returncode == 0
    link = organiser.get(f"/ladders/{contest}/organise").text
    assert f'value="{site.url}/ladders/{contest}/enter?word=open%20sesame"' in link
    assert "The word is open sesame." in link
    organiser.post(f"/ladders/{contest}/organise", {"do": "word", "word": "other & one"})
    assert f"/ladders/{contest}/enter?word=other%20%26%20one" in organiser.get(f"/ladders/{contest}/organise").text


def test_what_is_wrong_with_a_hand_in_is_named(site: RunningSite, keyboard: Keyboard, ladder: str) -> None:
    """A ladder that is none: which there are, the likeliest first. A name that cannot be: which sign is wrong."""
    known = {"DOHYO_SITE": site.url, "DOHYO_TOKEN": token_of(author(site), "read", "hand-in")}
    (keyboard.home / "Lost.py").write_bytes(GOOD.read_bytes())
    done = keyboard.type("submit", "Lost.py", f"{ladder}x", **known)
    assert done.returncode == 2
    assert f"There is no ladder or contest '{ladder}x'" in done.stderr
    assert f"there are: {ladder}" in " ".join(done.stderr.split())
    done = keyboard.type("submit", "Lost.py", ladder, "--name", "Lost+Found", **known)
    assert done.returncode == 2
    assert "cannot have: +" in " ".join(done.stderr.split())


def test_a_ladder_of_any_page_is_named() -> None:
    """On a site with more ladders than one page of the API has, the likeliest is named first, wherever it is."""

    class Pages:
        def get(self, path: str, _: object) -> SiteLadders:
            after = int(path.rpartition("=")[2])
            page = [SiteLadder(f"ladder-{at}", "") for at in range(after, after + 100)]
            return SiteLadders(page, after + 100)

    error = _no_ladder(Pages(), "there", "ladder-234x")  # type: ignore[arg-type]
    assert str(error.message.values["known"]).startswith("ladder-234, ladder-0, ")


def test_what_was_handed_in_is_never_called_lost(stranger: tuple[str, type[Stranger]], keyboard: Keyboard) -> None:
    """If the site goes away during the check, the command says that the bot is there, and has a status of its own."""
    url, kind = stranger
    kind.status, kind.body = 200, b"no answer of a site"
    kind.made = json.dumps({"id": 7, "ladder": "x", "bot": "B", "version": 1, "state": "waiting"}).encode()
    (keyboard.home / "B.py").write_text("")
    done = keyboard.type("submit", "B.py", "x", DOHYO_SITE=url, DOHYO_TOKEN="dohyo_x")
    assert done.returncode == 3, done.stderr
    assert "It was handed in, as B" in done.stdout
    told = keyboard.type("submit", "B.py", "x", "--json", DOHYO_SITE=url, DOHYO_TOKEN="dohyo_x")
    assert (told.returncode, json.loads(told.stdout)["id"]) == (3, 7)


def test_a_token_that_is_none_is_not_kept(site: RunningSite, keyboard: Keyboard) -> None:
    """A wrong token, or none, is told in one sentence, and nothing is stored."""
    for typed in ("dohyo_" + "x" * 43, "", "two words"):
        done = keyboard.type("login", site.url, typed=typed)
        assert done.returncode == 2
        assert done.stderr.strip()
    assert not (keyboard.home / "config").exists()
    done = keyboard.type("status")
    assert done.returncode == 2
    assert "dohyo login" in done.stderr


def test_a_kept_token_that_others_can_read_is_not_used(keyboard: Keyboard) -> None:
    """Where others on this machine could read the token, the command says so, and does not send it."""
    kept = keyboard.home / "config/dohyo/site.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps({"site": "http://127.0.0.1:1", "token": "dohyo_x"}))
    kept.chmod(0o644)
    done = keyboard.type("status")
    assert done.returncode == 2
    assert "can read" in done.stderr


@pytest.mark.parametrize("half", ["DOHYO_SITE", "DOHYO_TOKEN"])
def test_half_of_the_environment_is_not_enough(keyboard: Keyboard, half: str) -> None:
    """A token is never sent to another site than it was meant for: both are told, or none."""
    done = keyboard.type("status", **{half: "https://contest.example"})
    assert done.returncode == 2
    assert "DOHYO_" in done.stderr


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://contest.example/", "https://contest.example"),
        ("https://contest.example/under/here", "https://contest.example/under/here"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://localhost", "http://localhost"),
        ("http://192.168.0.5", "site-plain"),
        ("http://localhost.evil.example", "site-plain"),
        ("http://127.0.0.1@evil.example", "site-no-address"),
        ("https://contest.example?x", "site-no-address"),
        ("https://a b", "site-no-address"),
        ("https://a\r\nHost: b", "site-no-address"),
        ("ftp://contest.example", "site-no-address"),
        ("contest.example", "site-no-address"),
        ("https://[", "site-no-address"),
        ("https://x:99999", "site-no-address"),
        ("", "site-no-address"),
    ],
)
def test_addresses_of_sites(url: str, told: str) -> None:
    """An address is https, or this machine's own; anything else is refused in one sentence."""
    try:
        found = address_of(url)
    except OperatorError as error:
        found = error.key
    assert found == told


# --- a site that nobody should trust


class Stranger(BaseHTTPRequestHandler):
    """Answers what a test wants, and notes which tokens it was sent."""

    status, headers_told, body, seen = 200, {}, b"", []  # type: ignore[var-annotated]
    made = b""  # what a hand-in is answered with

    def do_GET(self) -> None:
        """Answer."""
        type(self).seen.append(self.headers.get("Authorization", ""))
        self.send_response(self.status)
        for name, value in self.headers_told.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    def do_POST(self) -> None:
        """Take a hand-in."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.made)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def stranger() -> Iterator[tuple[str, type[Stranger]]]:
    """A server of somebody else: its address, and what it answers."""
    kind = type("Somebody", (Stranger,), {"seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", kind
    server.shutdown()
    thread.join()
    server.server_close()


def test_no_redirection_is_followed(stranger: tuple[str, type[Stranger]], keyboard: Keyboard) -> None:
    """A site that sends us on gets no token sent on: the command says where it points."""
    url, kind = stranger
    kind.status, kind.headers_told = 302, {"Location": f"{url}/elsewhere"}
    done = keyboard.type("login", url, typed="dohyo_secret")
    assert done.returncode == 2
    assert "/elsewhere" in done.stderr
    assert len(kind.seen) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        b"[" * 100_000,
        b'{"name": 1, "token": null}',
        b"\xff\xfe",
        b"x" * (5 << 20),
        json.dumps({"name": "a", "token": {"name": "b", "scopes": [], "until": 1e300}, "role": 1}).encode(),
    ],
)
@pytest.mark.parametrize("status", [200, 503, 400])
def test_any_answer_is_told_in_one_sentence(
    stranger: tuple[str, type[Stranger]], body: bytes, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever a site answers, the command ends with a sentence, and never with a traceback."""
    from dohyo.cli import main

    url, kind = stranger
    kind.status, kind.body = status, body
    monkeypatch.setenv("XDG_CONFIG_HOME", os.fspath(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("dohyo_secret"))
    assert main.run(["login", url]) in (0, 2)


def test_what_a_site_says_cannot_play_the_terminal(stranger: tuple[str, type[Stranger]], keyboard: Keyboard) -> None:
    """Control sequences in a site's words do not reach the terminal, and its sentence stays one line."""
    url, kind = stranger
    kind.status = 422
    kind.body = json.dumps({"detail": "\x1b]0;mine\x07\x1b[2J\nerror: none\u202e"}).encode()
    done = keyboard.type("login", url, typed="dohyo_secret")
    assert done.returncode == 2
    assert not {"\x1b", "\x07", "\u202e"} & {*done.stderr}
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_replay_that_is_none_is_not_written(stranger: tuple[str, type[Stranger]], keyboard: Keyboard) -> None:
    """What a site gives for a replay is looked at before it is written."""
    url, kind = stranger
    kind.body = b"#!/bin/sh\n"
    done = keyboard.type("pull", "othello/3", DOHYO_SITE=url, DOHYO_TOKEN="dohyo_x")
    assert done.returncode == 2
    assert list(keyboard.home.iterdir()) == []
    for match in ("../../3", "a/b/3", f"{url}.evil/ladders/a/matches/3", "othello", "othello/99999999999"):
        assert keyboard.type("pull", match, DOHYO_SITE=url, DOHYO_TOKEN="dohyo_x").returncode == 2
    assert len(kind.seen) == 1


# --- what is sent


def test_a_folder_is_packed_as_it_would_be_checked(tmp_path: Path) -> None:
    """A folder's zip has its files, its links and what can be executed, and not what tools leave behind."""
    folder = tmp_path / "My bot"
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("secret")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "src/data.txt").write_text("1")
    (folder / "link").symlink_to("src/data.txt")
    name, filename, content = packed(os.fspath(folder))
    assert (name, filename) == ("My bot", "My bot.zip")
    assert packed(os.fspath(folder))[2] == content
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        modes = {info.filename: info.external_attr >> 16 for info in zipped.infolist()}
    assert set(modes) == {"run", "src/data.txt", "link"}
    assert modes["run"] & 0o111
    assert stat.S_ISLNK(modes["link"])


def test_a_link_that_leaves_is_not_followed(tmp_path: Path) -> None:
    """Nothing outside of the folder is sent."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "main.py").symlink_to("/etc/passwd")
    with pytest.raises(OperatorError):
        packed(os.fspath(folder))


def test_too_much_is_not_sent(tmp_path: Path) -> None:
    """What no site would take is refused before it is sent."""
    (tmp_path / "large.py").write_bytes(b"#" * (11 << 20))
    with pytest.raises(OperatorError) as caught:
        packed(os.fspath(tmp_path / "large.py"))
    assert caught.value.key == "site-large"
