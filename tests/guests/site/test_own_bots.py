"""An author's own bots: which version plays, retiring, one's own code, whole folders."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import own_bots
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.terms import Terms
from dohyo.series.store import open_store
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

if TYPE_CHECKING:
    from dohyo.guests.site.arena.opened import Arena
    from dohyo.series.store.database import Database

NUMBERS: Iterator[int] = itertools.count(1)
SHOWN = "plays</span>"
REFUSED = "refused</span>"


def author(site: RunningSite) -> Visitor:
    """Somebody new with an account."""
    return Visitor(site.url).sign_up(f"maker {next(NUMBERS)}")


@pytest.fixture(scope="module")
def ladder(site: RunningSite, organiser: Visitor) -> str:
    """A ladder of the module's tests."""
    return new_ladder(organiser, "shoot-em-up", "Versions")


def handed_in(who: Visitor, ladder: str, bot: str, more: bytes = b"") -> str:
    """Hand in a good bot, and wait until it plays; where it is."""
    place = who.hand_in(ladder, bot, "robot.py", GOOD.read_bytes() + more)
    assert SHOWN in who.await_text(place, SHOWN, REFUSED)
    return place


def number_of(who: Visitor, bot: str) -> str:
    """The number of a bot, in addresses."""
    found = re.search(r'id="bot-(\d+)">' + bot, who.get("/my/bots").text)
    assert found is not None
    return found[1]


def playing(site: RunningSite, ladder: str, bot: str) -> list[Entrant]:
    """The versions of a bot that take part, by the store."""
    with open_store(str(site.folder / "arena.db")) as store:
        entrants = store.entrants(store.contest(ladder).id)
    return [each for each in entrants if each.name == bot and each.until is None]


def test_an_older_version_plays_again_with_its_own_results(site: RunningSite, ladder: str) -> None:
    """An author lets an older version play instead of the newer one, and goes on to hand in newer ones."""
    ann = author(site)
    handed_in(ann, ladder, "Two lives")
    (first,) = playing(site, ladder, "Two lives")
    handed_in(ann, ladder, "Two lives", b"# second\n")
    (second,) = playing(site, ladder, "Two lives")
    number = number_of(ann, "Two lives")
    assert ann.post(f"/my/bots/{number}/version", {"version": "1"}).status_code == 303
    (again,) = playing(site, ladder, "Two lives")
    assert (again.number, again.version) == (first.number, first.version)
    assert second.number != again.number
    shown = ann.get("/my/bots").text
    assert shown.count(SHOWN) == 1
    assert "replaced</span>" in shown
    handed_in(ann, ladder, "Two lives", b"# third\n")
    (third,) = playing(site, ladder, "Two lives")
    assert third.follows == first.number


def test_a_version_has_one_number_everywhere(site: RunningSite, ladder: str) -> None:
    """Where an earlier version was refused, the public page counts as the author's pages do."""
    ann = author(site)
    ann.await_text(ann.hand_in(ladder, "Counted", "robot.py", b"def (:"), REFUSED)
    handed_in(ann, ladder, "Counted", b"# two\n")
    page = f"/ladders/{ladder}/bots/Counted"
    versions = Visitor(site.url).get(page).text.partition('id="versions-title"')[2]
    assert re.findall(r"version \d+", versions.partition("</section>")[0]) == ["version 2"]
    handed_in(ann, ladder, "Counted", b"# three\n")
    versions = Visitor(site.url).get(page).text.partition('id="versions-title"')[2]
    assert re.findall(r"version \d+", versions.partition("</section>")[0]) == ["version 3", "version 2"]


def test_a_new_version_keeps_its_name(site: RunningSite, ladder: str) -> None:
    """The way to hand in a new version fills in the bot's name; where version 1 plays on, the refused one says so."""
    ann = author(site)
    handed_in(ann, ladder, "Name kept", b"# kept\n")
    link = re.search(r'href="([^"]*\?bot=[^"#]*)#hand-in"', ann.get("/my/bots").text)
    assert link is not None
    assert 'name="bot" value="Name kept"' in ann.get(link[1]).text
    assert "&lt;b&gt;" in ann.get(f"/ladders/{ladder}?bot=<b>").text
    place = ann.hand_in(ladder, "Name kept", "robot.py", b"def (:")
    text = ann.await_text(place, REFUSED)
    assert "Version 2 does not play: version 1 goes on playing." in text
    assert link[1] in text


def test_a_retired_bot_leaves_the_ladder_and_comes_back(site: RunningSite, ladder: str) -> None:
    """A retired bot is not among the standings, its results stay, and it can play again."""
    bea = author(site)
    place = handed_in(bea, ladder, "Tired")
    Visitor(site.url).await_text(f"/ladders/{ladder}/bots/Tired", "/matches/")
    number = number_of(bea, "Tired")
    assert bea.post(f"/my/bots/{number}/version", {"version": "0"}).status_code == 303
    assert "retired</span>" in bea.get("/my/bots").text
    assert "no longer plays in:" in bea.get(place).text
    assert playing(site, ladder, "Tired") == []
    assert f"/ladders/{ladder}/bots/Tired" not in Visitor(site.url).get(f"/ladders/{ladder}").text
    assert bea.post(f"/my/bots/{number}/version", {"version": "1"}).status_code == 303
    assert len(playing(site, ladder, "Tired")) == 1
    assert f"/ladders/{ladder}/bots/Tired" in Visitor(site.url).get(f"/ladders/{ladder}").text


def test_only_a_version_that_was_entered_can_play(site: RunningSite, ladder: str) -> None:
    """A version that was refused, or is none, is not chosen; the page says so."""
    cas = author(site)
    handed_in(cas, ladder, "Half good")
    place = cas.hand_in(ladder, "Half good", "robot.py", b"def (:\n")
    cas.await_text(place, REFUSED)
    number = number_of(cas, "Half good")
    for version in ("2", "7", "x", "-1", "9" * 30):
        answer = cas.post(f"/my/bots/{number}/version", {"version": version})
        assert answer.status_code == 422, version
        assert "no version" in answer.text
    assert len(playing(site, ladder, "Half good")) == 1


def test_anothers_bot_is_not_to_be_changed(site: RunningSite, ladder: str, organiser: Visitor) -> None:
    """Nobody lets somebody else's bot rest or change, or loads its code: not an organiser either."""
    dan, eve = author(site), author(site)
    place = handed_in(dan, ladder, "Not yours")
    number = number_of(dan, "Not yours")
    for who in (eve, organiser, Visitor(site.url)):
        assert who.post(f"/my/bots/{number}/version", {"version": "0"}).status_code == 404
        assert who.get(f"{place}/code").status_code == 404
    assert eve.http.post(f"/my/bots/{number}/version", data={"version": "0"}).status_code == 403
    assert len(playing(site, ladder, "Not yours")) == 1
    assert "Not yours" not in eve.get("/my/bots").text


def test_ones_own_code_is_given_as_a_file(site: RunningSite, ladder: str) -> None:
    """The code comes byte for byte, as a file that no browser opens, under a safe name."""
    fay = author(site)
    source = GOOD.read_bytes() + b"# <script>alert(1)</script>\n"
    place = fay.hand_in(ladder, "Kept", '../"x\r\ny.py', source)
    answer = fay.get(f"{place}/code")
    assert answer.content == source
    assert re.fullmatch(r'attachment; filename="[\w.+-]+"', answer.headers["content-disposition"])
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"] == "application/octet-stream"


# --- whole folders


def sent(who: Visitor, ladder: str, bot: str, files: dict[str, bytes]) -> tuple[int, str]:
    """Hand in a folder as a browser sends it; the status, and the text or the place."""
    parts = [("folder", (name, content)) for name, content in files.items()]
    answer = who.post(f"/ladders/{ladder}/hand-in", {"bot": bot}, files=parts)
    return answer.status_code, answer.headers.get("location", answer.text)


def test_a_folder_is_handed_in_whole(site: RunningSite, ladder: str) -> None:
    """The files of a folder arrive with their paths, without what tools left behind, and the bot plays."""
    gus = author(site)
    half = GOOD.read_bytes()
    files = {"mine/main.py": b"import runpy\nrunpy.run_module('lib.play', run_name='__main__')\n"}
    files |= {
        "mine/lib/play.py": half,
        "mine/lib/__init__.py": b"",
        "mine/.git/config": b"secret",
        "mine/bot.toml": b"",
    }
    files |= {"mine/bot.toml": b'run = ["python3", "main.py"]\n', "mine/__pycache__/x.pyc": b"\0"}
    status, place = sent(gus, ladder, "Foldered", files)
    assert status == 303
    found = gus.await_text(place, SHOWN, REFUSED)
    assert SHOWN in found, found
    code = gus.get(f"{place}/code")
    assert 'filename="mine.zip"' in code.headers["content-disposition"]
    assert b".git" not in code.content
    assert b"lib/play.py" in code.content


@pytest.mark.parametrize(
    "name", ["../out.py", "/etc/passwd", "a/../../b.py", "a//b.py", "a/./b.py", "x" * 300 + ".py"]
)
def test_a_path_that_leaves_the_folder_is_refused(site: RunningSite, ladder: str, name: str) -> None:
    """No name in a folder leads out of it; one sentence beside the field says which is wrong."""
    hal = author(site)
    status, text = sent(hal, ladder, "Leaves", {"bot/main.py": GOOD.read_bytes(), name: b"x"})
    assert status == 422
    assert "no name that a file" in text
    assert 'aria-invalid="true"' in text


def test_a_pasted_source_is_taken_whole_or_not_at_all(site: RunningSite, ladder: str) -> None:
    """What is longer than a form takes is refused in a sentence; nothing of it is cut off and handed in."""
    kay = author(site)
    pasted = {"bot": "Pasted", "filename": "a.py", "source": "#" * ((1 << 20) + 1)}
    answer = kay.post(f"/ladders/{ladder}/hand-in", pasted, files={"file": ("", b"")})
    assert answer.status_code == 422
    assert "at most 1048576 characters" in answer.text
    assert "Pasted" not in kay.get("/my/bots").text


def test_too_many_files_and_none_are_refused(site: RunningSite, ladder: str) -> None:
    """A folder of more files than a bot needs is refused, and so is one that holds nothing but tools' leavings."""
    ida = author(site)
    assert sent(ida, ladder, "Many", {f"bot/{n}.txt": b"" for n in range(501)})[0] == 422
    assert sent(ida, ladder, "None", {"bot/.git/config": b"x"})[0] == 422
    assert 'value="Many"' in sent(ida, ladder, "Many", {f"bot/{n}.txt": b"" for n in range(501)})[1]


@pytest.mark.parametrize("state", ["running", "stopped", "not begun yet"])
def test_who_takes_part_in_a_contest_that_has_begun_stays(state: str) -> None:
    """Nobody leaves a contest that is being played: it could be done in somebody's favour."""

    class Begun:
        @contextmanager
        def opened(self) -> Iterator[Any]:
            yield (
                None if state == "not begun yet" else SimpleNamespace(contest=lambda _: SimpleNamespace(state=state))
            )

    terms = Terms(opens=0.0, closes=1.0, starts=2.0, format="round-robin")
    bot = own_bots.OwnBot(1, "Robot", Ladder(1, "cup", "Cup", "shoot-em-up", played=terms), 1, [])
    nothing, begun = cast("Database", None), cast("Arena", Begun())
    with pytest.raises(OperatorError) as caught:
        own_bots.retire(nothing, begun, bot)
    assert caught.value.key == "serve-version-fixed"
