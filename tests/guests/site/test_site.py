"""A site as people use it: the real command, its judge, and browsers without a window."""

from __future__ import annotations

import itertools
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.uploads import packed
from dohyo.guests.site.groups import gradebook
from dohyo.guests.site.people.accounts import LONGEST_NAME, key_of, plain_name
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.guests.site.test_outsiders import addresses

NUMBERS: Iterator[int] = itertools.count(1)
SHOWN = "plays</span>"
REFUSED = "refused</span>"


def author(site: RunningSite) -> Visitor:
    """Somebody new with an account."""
    return Visitor(site.url).sign_up(f"author {next(NUMBERS)}")


@pytest.fixture(scope="module")
def ladder(site: RunningSite, organiser: Visitor) -> str:
    """A ladder of the module's tests."""
    return new_ladder(organiser, "shoot-em-up", "Robots")


def test_a_good_bot_is_checked_and_stands_on_the_ladder(site: RunningSite, ladder: str) -> None:
    """Whoever hands in a good bot finds it among the standings, with matches that anybody can watch."""
    alice = author(site)
    place = alice.hand_in(ladder, "Lightning", "robot.py", GOOD.read_bytes())
    found = alice.await_text(place, SHOWN, REFUSED)
    assert SHOWN in found
    assert "without a fault" in found
    board = alice.get(f"{place}/board")
    assert board.status_code == 200
    assert 'id="viewer"' in board.text
    page = Visitor(site.url).await_text(f"/ladders/{ladder}/bots/Lightning", "/matches/")
    match = page.partition(f'href="/ladders/{ladder}/matches/')[2].partition('"')[0]
    watched = Visitor(site.url).get(f"/ladders/{ladder}/matches/{match}/board")
    assert watched.status_code == 200
    assert 'id="viewer"' in watched.text


def test_a_bot_that_does_not_build_is_refused_in_the_compilers_words(site: RunningSite, ladder: str) -> None:
    """What the compiler says stands on the page, without a path of the server's."""
    bob = author(site)
    place = bob.hand_in(ladder, "Broken", "broken.py", b"def (:\n")
    found = bob.await_text(place, SHOWN, REFUSED)
    assert REFUSED in found
    assert os.fspath(site.folder) not in found
    assert "Broken" not in Visitor(site.url).get(f"/ladders/{ladder}").text


def test_a_bot_that_answers_nonsense_is_refused_with_what_it_wrote(site: RunningSite, ladder: str) -> None:
    """A finding says what is wrong, and shows the bot's own line with its markup as text."""
    carol = author(site)
    source = b"while True:\n    input()\n    print('<script>alert(1)</script>', flush=True)\n"
    place = carol.hand_in(ladder, "Scripted", "scripted.py", source)
    found = carol.await_text(place, SHOWN, REFUSED)
    assert REFUSED in found
    assert "Wrong:" in found
    assert "<script>alert" not in found
    assert "&lt;script&gt;alert" in found


def test_the_judge_goes_on_where_it_was_killed(site: RunningSite, ladder: str) -> None:
    """A judge that is killed while it examines a hand-in is started again, and the hand-in is not lost."""
    dora = author(site)
    places = [dora.hand_in(ladder, f"Dora {number}", "robot.py", GOOD.read_bytes()) for number in range(2)]
    dora.await_text(places[0], "is being checked", SHOWN)
    for process in _judges(site):
        os.kill(process, signal.SIGKILL)
    for place in places:
        assert SHOWN in dora.await_text(place, SHOWN, REFUSED)


def _judges(site: RunningSite) -> list[int]:
    assert site.process is not None
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"dohyo.guests.site.judging.judge" in words and str(site.process.pid).encode() in words:
            found.append(int(entry.parent.name))
    return found


def test_the_folder_is_its_owners_alone(site: RunningSite) -> None:
    """Nobody else on the machine reads hand-ins or passwords' digests."""
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o700


# --- what nobody may do


def test_anothers_hand_in_is_not_to_be_seen(site: RunningSite, ladder: str, organiser: Visitor) -> None:
    """A hand-in, its board and its events are its author's and the organisers'; for others they are not there."""
    eve, fay = author(site), author(site)
    place = eve.hand_in(ladder, "Secret plan", "secret.py", GOOD.read_bytes())
    eve.await_text(place, SHOWN)
    for path in (place, f"{place}/board", f"{place}/events"):
        assert fay.get(path).status_code == 404
        assert Visitor(site.url).get(path).status_code == 404
    assert organiser.get(place).status_code == 200


@pytest.mark.parametrize("odd", ["%00", "a%00b", "%ff", "a" * 300, "..%2f..%2fsite.db", "9" * 40])
def test_a_path_that_nothing_can_have_leads_nowhere(site: RunningSite, ladder: str, odd: str) -> None:
    """What no file and no row can be called is not found, in every place of an address; the server breaks at none."""
    field = re.compile(r"\{\w+:\w+\}")
    with_fields = [each for each in addresses("GET") if field.search(each)]
    paths = [field.sub(lambda _: odd, each) for each in with_fields]
    paths += [each.replace("{slug:str}", ladder, 1) for each in with_fields if each.count("{") > 1]
    paths += [f"/{odd}", f"/static/{odd}", f"/modules/othello/{odd}", f"/api/v1/{odd}"]
    visitor = Visitor(site.url)
    for path in paths:
        assert 400 <= visitor.get(field.sub(lambda _: odd, path)).status_code < 500, path


def test_a_long_name_is_compared_by_its_beginning() -> None:
    """To compose many marks takes a time that grows with their square, in which the site would answer nobody."""
    assert len(key_of("a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}" * 1000)) < 5 * LONGEST_NAME
    assert len(gradebook._named("a" * 10_000)) == gradebook.LONGEST_HEADING


def test_a_name_with_a_zero_byte_is_nobodys() -> None:
    """PostgreSQL takes no such byte: the name is looked for under another one, which nobody can have."""
    assert key_of("Anna\0") == "anna\ufffd"
    with pytest.raises(OperatorError):
        plain_name("Anna\ufffd", "serve-name-bad")


def test_a_bots_name_belongs_to_its_author(site: RunningSite, ladder: str) -> None:
    """Nobody hands in a version of somebody else's bot, or of a sample bot, also not in other letters."""
    gil, hal = author(site), author(site)
    gil.hand_in(ladder, "Gil's own", "robot.py", GOOD.read_bytes())
    for name in ("Gil's own", "gil'S  OWN", "gunner", "GUNNER"):
        answer = hal.post(f"/ladders/{ladder}/hand-in", {"bot": name}, files={"file": ("a.py", GOOD.read_bytes())})
        assert answer.status_code == 422, name
        assert "belongs to somebody else" in answer.text


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "<b>bold</b>",
        "a" * 31,
        "../../up",
        "a\u202eb",
        "a\u200bb",
        "-",
        "name\nline",
        "g\u0443nner",
        "gunner\u3164",
        "\u1160",
    ],
)
def test_an_impossible_name_is_refused_beside_the_form(site: RunningSite, ladder: str, name: str) -> None:
    """A name that could mislead, or break a page or a path, is refused in one sentence."""
    answer = author(site).post(f"/ladders/{ladder}/hand-in", {"bot": name}, files={"file": ("a.py", b"1")})
    if name == "name\nline":  # blanks of any kind are one blank
        assert answer.status_code == 303
        return
    assert answer.status_code == 422
    assert "A bot&#39;s name has 1 to 30" in answer.text


def test_a_file_name_leads_nowhere(site: RunningSite, ladder: str) -> None:
    """The name that a browser gives a file is only a name: no part of it is a path."""
    ida = author(site)
    place = ida.hand_in(ladder, "Ida", "../../../etc/cron.d/robot.py", GOOD.read_bytes())
    found = ida.await_text(place, SHOWN, REFUSED)
    assert "robot.py" in found
    assert "cron" not in found


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ("佐々木.py", GOOD.read_bytes()),
        ("हिन्दी.py", GOOD.read_bytes()),
        ("吉田.zip", packed([("フォルダ/main.py", GOOD.read_bytes())])[1]),
    ],
    ids=["source", "marks", "zip"],
)
def test_a_file_name_of_any_writing_is_kept(site: RunningSite, ladder: str, given: str, content: bytes) -> None:
    """A file that is called in Japanese or Hindi is built by its ending, plays, and comes back under its name."""
    ken = author(site)
    place = ken.hand_in(ladder, f"Ken {given[:2]}", given, content)
    found = ken.await_text(place, SHOWN, REFUSED)
    assert SHOWN in found, found
    assert given in found
    code = ken.get(f"{place}/code")
    assert code.content == content
    assert code.headers["content-disposition"] == f"attachment; filename*=UTF-8''{quote(given)}"


def test_a_pasted_source_keeps_its_japanese_name(site: RunningSite, ladder: str) -> None:
    """A source that is pasted under a file name in Japanese is of the language that its ending says."""
    ken = author(site)
    fields = {"bot": "Pasted", "filename": "佐々木.py", "source": GOOD.read_text()}
    answer = ken.post(f"/ladders/{ladder}/hand-in", fields)
    found = ken.await_text(answer.headers["location"], SHOWN, REFUSED)
    assert SHOWN in found, found
    assert "佐々木.py" in found


def test_a_name_is_one_persons(site: RunningSite, visitor: Visitor) -> None:
    """Two people do not have one name, also not in other letters; the form says so."""
    Visitor(site.url).sign_up("Mia Moss")
    for name in ("Mia Moss", "mia  MOSS", "miamoss"):
        answer = visitor.post("/sign-up", {"name": name, "password": "long enough", "invitation": ""})
        assert answer.status_code == 422
        assert "called" in answer.text


def test_only_organisers_make_ladders(site: RunningSite, visitor: Visitor) -> None:
    """Authors and visitors do not make ladders, whatever they send."""
    assert visitor.post("/ladders/new", {"game": "chess", "title": ""}).status_code == 401
    assert author(site).post("/ladders/new", {"game": "chess", "title": ""}).status_code == 403


def test_an_invitation_makes_one_organiser(site: RunningSite, organiser: Visitor) -> None:
    """The link that the site printed is good for one account; afterwards it says so."""
    again = Visitor(site.url)
    secret = site.link.rpartition("/")[2]
    assert again.get(f"/organise/{secret}").status_code == 410
    answer = again.post("/sign-up", {"name": "Second", "password": "long enough", "invitation": secret})
    assert answer.status_code == 422
    assert "used up" in answer.text


def test_the_page_says_how_a_terminal_signs_in_first(site: RunningSite, ladder: str, visitor: Visitor) -> None:
    """Beside how a bot is handed in from a terminal stands how one signs in there, with the site's address."""
    page = visitor.sign_up("Terminal Tom").get(f"/ladders/{ladder}").text
    assert page.index("dohyo login http") < page.index(f"dohyo submit BOT {ladder}")


def test_a_form_without_the_pages_mark_is_refused(site: RunningSite, ladder: str) -> None:
    """A form that another site sends in somebody's name does nothing: without its mark, or with another origin."""
    jo = author(site)
    assert jo.http.post("/sign-out").status_code == 403
    mark = jo.http.cookies.get("dohyo_form")
    headers = {"Origin": "https://elsewhere.example"}
    assert jo.http.post("/sign-out", data={"_csrf_token": mark}, headers=headers).status_code == 403
    assert "Sign out" in jo.get("/").text


def test_a_session_is_new_after_signing_in_and_over_after_signing_out(site: RunningSite, visitor: Visitor) -> None:
    """A cookie that somebody planted before, or kept from before, is nobody's session."""
    visitor.http.cookies.set("dohyo_session", "planted", domain="127.0.0.1", path="/")
    visitor.sign_up(f"author {next(NUMBERS)}")
    secrets = [cookie.value for cookie in visitor.http.cookies.jar if cookie.name == "dohyo_session"]
    assert "planted" not in secrets[-1:]
    assert visitor.post("/sign-out").status_code == 303
    kept = Visitor(site.url)
    kept.http.cookies.set("dohyo_session", secrets[-1] or "", domain="127.0.0.1", path="/")
    assert "Sign out" not in kept.get("/").text


def test_a_wrong_password_and_an_unknown_name_are_told_alike(site: RunningSite, visitor: Visitor) -> None:
    """Signing in does not tell who has an account; and a password cannot be tried for ever."""
    name = f"author {next(NUMBERS)}"
    Visitor(site.url).sign_up(name)
    wrong = visitor.post("/sign-in", {"name": name, "password": "wrong", "next": "/"})
    unknown = visitor.post("/sign-in", {"name": "nobody at all", "password": "wrong", "next": "/"})
    assert wrong.status_code == unknown.status_code == 422
    assert wrong.text.replace(name, "") == unknown.text.replace("nobody at all", "")
    for _ in range(9):
        visitor.post("/sign-in", {"name": name, "password": "wrong", "next": "/"})
    refused = visitor.post("/sign-in", {"name": name, "password": "correct horse", "next": "/"})
    assert refused.status_code == 429


@pytest.mark.parametrize("to", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "\t//x"])
def test_signing_in_leads_only_to_pages_of_the_site(site: RunningSite, visitor: Visitor, to: str) -> None:
    """The address to go on to comes from a form, and is not believed."""
    name = f"author {next(NUMBERS)}"
    Visitor(site.url).sign_up(name)
    answer = visitor.post("/sign-in", {"name": name, "password": "correct horse", "next": to})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"


def test_a_link_that_is_for_somebody_leads_there_after_signing_in(
    site: RunningSite, organiser: Visitor, visitor: Visitor, ladder: str
) -> None:
    """A visitor at a hand-in is offered to sign in, as at an address with nothing there, and is then led there."""
    ann = author(site)
    place = ann.hand_in(ladder, "For Ann", "bot.py", b"def (:")
    there, nothing = visitor.get(f"{place}?from=mail"), visitor.get("/hand-ins/999999?from=mail")
    assert there.status_code == nothing.status_code == 404
    assert there.text.replace(place, "X") == nothing.text.replace("/hand-ins/999999", "X")
    link = re.search(r'href="(/sign-in\?next=[^"]+)"', there.text)
    assert link is not None
    form = re.search(r'name="next" value="([^"]+)"', visitor.get(link[1]).text)
    assert form is not None
    assert form[1] == f"{place}?from=mail"
    assert ann.get(link[1]).headers["location"] == f"{place}?from=mail"
    assert "/sign-in?next" not in ann.get("/hand-ins/999999").text
    assert 'value="/"' in visitor.get("/sign-in?next=https://elsewhere.example/").text


def test_a_large_body_is_taken_only_from_somebody_with_an_account(site: RunningSite, visitor: Visitor) -> None:
    """Nobody fills the memory of the server: not without an account, and not with more than 10 MB."""
    large = {"file": ("a.py", b"#" * (1 << 20))}
    assert visitor.post("/ladders/x/hand-in", {"bot": "a"}, files=large).status_code == 413
    huge = {"file": ("a.py", b"#" * (11 << 20))}
    assert author(site).post("/ladders/x/hand-in", {"bot": "a"}, files=huge).status_code == 413


def test_a_form_is_small(site: RunningSite, visitor: Visitor) -> None:
    """Only a hand-in or a list may be large: any other form is read before it is known who sends it."""
    assert visitor.post("/sign-in", {"name": "a" * 20_000, "password": "b", "next": "/"}).status_code == 413
    assert author(site).post("/sign-out", {"more": "a" * 20_000}).status_code == 413
    many, writer = {f"f{number}": "" for number in range(4000)}, author(site)
    assert writer.post("/contests/new", many).status_code == 413, "many fields cost everybody time"
    assert writer.post("/contests/new", dict(list(many.items())[:2900])).status_code == 404
    assert writer.post("/ladders/x/announce", {"text": "a" * 39_000}).status_code == 404
    assert writer.post("/ladders/x/announce", {"text": "a" * 50_000}).status_code == 413


def test_whoever_is_signed_in_sends_long_texts_and_lists(
    site: RunningSite, visitor: Visitor, organiser: Visitor, ladder: str
) -> None:
    """What a page takes arrives whole, also in Japanese, and what is a little longer is refused beside its field."""
    question, told = "問" * 2000, "告" * 4000
    assert visitor.post(f"/ladders/{ladder}/questions", {"text": question}).status_code == 413
    asking = author(site)
    assert asking.post(f"/ladders/{ladder}/questions", {"text": question}).status_code == 303
    assert question in asking.get(f"/ladders/{ladder}/questions").text
    assert asking.post(f"/ladders/{ladder}/questions", {"text": question + "問"}).status_code == 422
    assert organiser.post(f"/ladders/{ladder}/teaching/announce", {"text": told}).status_code == 303
    assert told in organiser.get(f"/ladders/{ladder}").text
    names = [f"参加者の長い名前であと何文字か続くもの{number:05}" for number in range(2000)]
    listed = {"title": "A list", "game": "chess", "entry": "list", "listed": "\n".join(names), "each": "none"}
    assert names[-1] in organiser.post("/contests/new", listed).text
    assert asking.post("/contests/new", {**listed, "title": "問" * 80_000}).status_code == 413


@pytest.mark.parametrize(
    "path", ["/hand-ins/{}", "/hand-ins/{}/board", "/hand-ins/{}/events", "/ladders/x/matches/{}"]
)
def test_a_number_without_end_is_nothing(site: RunningSite, path: str) -> None:
    """An address with a number that no row can have leads nowhere, as any other."""
    assert author(site).get(path.format(10**20)).status_code == 404


def test_an_origin_that_is_no_address_is_another_site(site: RunningSite) -> None:
    """A header that cannot be read is not ours."""
    jo = author(site)
    mark = jo.http.cookies.get("dohyo_form")
    answer = jo.http.post("/sign-out", data={"_csrf_token": mark}, headers={"Origin": "http://["})
    assert answer.status_code == 403


def test_who_looks_at_the_store_takes_nothing_away(site: RunningSite, ladder: str) -> None:
    """`dohyo contest show` beside a running site: both judge and pages still use the store's own log."""
    words = ["contest", "show", os.fspath(site.folder / "arena.db"), "--name", ladder]
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "dohyo", *words], capture_output=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
    Visitor(site.url).get(f"/ladders/{ladder}")
    assert site.process is not None
    for process in (site.process.pid, *_judges(site)):
        names = [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir() if entry.is_symlink()]
        assert not [name for name in names if "arena.db" in name and name.endswith("(deleted)")]


def test_rules_and_a_bot_to_begin_from_are_there(visitor: Visitor, ladder: str) -> None:
    """Whoever has only the site's address can read the rules, and the source of a bot that plays."""
    found = visitor.get(f"/ladders/{ladder}/rules").text
    assert "def " in found
    assert "Shoot" in found


def test_organisers_see_all_hand_ins(site: RunningSite, organiser: Visitor, ladder: str) -> None:
    """An organiser finds each hand-in from the ladder's page; others find only their own."""
    ned = author(site)
    place = ned.hand_in(ladder, "Ned's", "a.py", GOOD.read_bytes())
    assert f'href="{place}"' in organiser.get(f"/ladders/{ladder}").text
    assert f'href="{place}"' in ned.get(f"/ladders/{ladder}").text
    assert f'href="{place}"' not in author(site).get(f"/ladders/{ladder}").text


def test_pages_allow_no_foreign_script(visitor: Visitor) -> None:
    """Every answer has a policy that allows scripts of the site alone, and no frame around it."""
    for path in ("/", "/sign-in", "/nothing-here", "/static/site.css", "/health"):
        headers = visitor.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path


def test_pages_follow_the_browsers_language_and_a_choice(visitor: Visitor) -> None:
    """A Japanese browser gets Japanese pages, and whoever chooses English gets that from then on."""
    visitor.http.headers["Accept-Language"] = "ja,en;q=0.5"
    assert '<html lang="ja">' in visitor.get("/").text
    assert visitor.post("/language", {"language": "en", "path": "/sign-up"}).headers["location"] == "/sign-up"
    assert '<html lang="en">' in visitor.get("/").text


def test_modules_of_the_viewer_are_given_and_nothing_else(visitor: Visitor) -> None:
    """What draws a game is there by its name; other files are not."""
    assert visitor.get("/modules/chess/game/view.js").status_code == 200
    for path in ("/modules/chess/game/../../../setup.py", "/modules/none/game/view.js", "/modules/chess/x"):
        assert visitor.get(path).status_code == 404, path


# --- the command


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    """Accounts, sessions, ladders and bots outlast the end of the command, and the link is not printed again."""
    running = RunningSite(tmp_path / "site")
    running.start("--workers", "1")
    try:
        boss = Visitor(running.url).sign_up("Boss", invitation=running.link.rpartition("/")[2])
        slug = new_ladder(boss, "shoot-em-up", "Evenings")
        place = boss.hand_in(slug, "Mine", "mine.py", GOOD.read_bytes() + b"# mine\n")
        boss.await_text(place, SHOWN)
        running.stop()
        running.link = ""
        running.start("--workers", "1")
        assert running.link == ""
        boss.http.base_url = running.url  # type: ignore[assignment]
        assert "Sign out" in boss.get("/").text
        Visitor(running.url).await_text(f"/ladders/{slug}/bots/Mine", "/matches/")
    finally:
        running.stop()


def test_a_folder_is_one_sites_alone(site: RunningSite) -> None:
    """A second site in the same folder is refused, and takes nothing from the first; another link can be had."""
    command = [sys.executable, "-m", "dohyo", "serve", os.fspath(site.folder), "--port", "0"]
    kept = site.folder / "work" / "of the judge"
    kept.write_text("in use")
    answer = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert answer.returncode == 2
    assert "runs in" in answer.stderr
    assert kept.read_text() == "in use"
    more = [*command[:-1], site.url.rpartition(":")[2], "--invite"]
    answer = subprocess.run(more, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert answer.returncode == 0
    secret = answer.stdout.strip().rpartition("/")[2]
    second = Visitor(site.url).sign_up(f"author {next(NUMBERS)}", invitation=secret)
    assert second.get("/ladders/new").status_code == 200


def test_who_is_disqualified_is_refused_and_others_go_on(site: RunningSite, organiser: Visitor) -> None:
    """A bot that the operator has disqualified by `dohyo contest` stays out, and nobody else waits for it."""
    slug = new_ladder(organiser, "shoot-em-up", "Fair play")
    kim, lee = author(site), author(site)
    kim.await_text(first := kim.hand_in(slug, "Cheat", "a.py", GOOD.read_bytes()), SHOWN)
    words = ["contest", "disqualify", os.fspath(site.folder / "arena.db"), "Cheat", "--name", slug]
    command = [sys.executable, "-m", "dohyo", *words, "--because", "copied"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    for page in ("/my/bots", f"/ladders/{slug}", first, f"/ladders/{slug}/bots/Cheat"):
        told = kim.get(page).text
        assert "isqualified" in told, page
        assert "copied" in told, page
    assert "copied" in Visitor(site.url).get(f"/ladders/{slug}").text
    assert Visitor(site.url).get(f"/api/v1/ladders/{slug}/bots/Cheat").json()["disqualified"] == "copied"
    form = {"bot": "cheat"}, {"file": ("a.py", GOOD.read_bytes() + b"#\n")}
    again = kim.post(f"/ladders/{slug}/hand-in", form[0], files=form[1])
    assert (again.status_code, "disqualified here (copied)" in again.text) == (422, True)
    other = lee.hand_in(slug, "Honest", "a.py", GOOD.read_bytes() + b"# mine\n")
    assert SHOWN in lee.await_text(other, SHOWN, REFUSED)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    """A site begins in an empty folder: in another one, one sentence says so, and nothing changes."""
    (tmp_path / "thesis.tex").write_text("mine")
    command = [sys.executable, "-m", "dohyo", "serve", os.fspath(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert answer.returncode == 2
    assert "thesis.tex" in answer.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_place_for_files_that_nobody_knows_makes_nothing(tmp_path: Path) -> None:
    """It is said before a link is printed, a folder is made, or a port is taken."""
    command = [sys.executable, "-m", "dohyo", "serve", os.fspath(tmp_path / "site"), "--files", "gopher://x"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "gopher" in answer.stderr
    assert [*tmp_path.iterdir()] == []
