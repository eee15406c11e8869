"""A teacher with a class: its gradebook comes in, its students get links, and see what others do not."""

from __future__ import annotations

import base64
import csv
import io
import itertools
import re
from collections.abc import Iterator

import httpx
import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.groups import gradebook, roster
from dohyo.guests.site.people.pseudonyms import pseudonym
from tests.guests.site.conftest import GOOD, RunningSite, Visitor

NUMBERS: Iterator[int] = itertools.count(1)

MOODLE = (
    '"First name","Last name","ID number",Institution,"Email address","Quiz: one (Real)","Last downloaded"\r\n'
    '"Ada","Lovelace","s1","","ada@example.org","8.00","1700000000"\r\n'
    '"太郎","山田","s2","","taro@example.jp","-","1700000000"\r\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (55)\n"
    "    Points Possible,,,,,10.0\n"
    '"Lovelace, Ada",101,u1,ada@example.org,A,9\n'
    '"Student, Test",102,,x,A,\n'
)
TABLE = "学籍番号;氏名;メール\r\n001;山田 太郎;taro@example.jp\r\n002;鈴木;bad\r\n001;二人目;\r\n;;\r\n003;;\r\n"


def names(content: bytes) -> list[tuple[str, str, str]]:
    """What is done with each line of a gradebook, and for whom."""
    return [(one.what, one.entry.name, one.entry.ident) for one in roster.plan(gradebook.read(content), [])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_gradebooks_are_recognised_in_any_usual_encoding(encoding: str) -> None:
    """Moodle's and Canvas's columns and a table's are known, with its students, also with semicolons."""
    assert names(MOODLE.encode(encoding)) == [("new", "Ada Lovelace", "s1"), ("new", "山田 太郎", "s2")]
    assert gradebook.read(MOODLE.encode(encoding)).kind == "moodle"
    canvas = gradebook.read(CANVAS.encode(encoding))
    assert canvas.kind == "canvas"
    assert [one.what for one in roster.plan(canvas, [])] == ["nobody", "new", "nobody"]
    told = roster.plan(gradebook.read(TABLE.encode(encoding)), [])
    assert [(one.what, one.problem) for one in told] == [
        ("new", ""),
        ("wrong", "serve.line-mail"),
        ("wrong", "serve.line-twice-ident"),
        ("wrong", "serve.line-no-name"),
    ]
    assert [one.entry.line for one in told] == [2, 3, 4, 6]


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "serve-csv-no-text"),
        (b"PK\x03\x04\x00\x00", "serve-csv-no-text"),
        (b"\xff\xfe\x00", "serve-csv-encoding"),
        (b"Name\n\x81\x00\xff", "serve-csv-encoding"),
        (b"a,b\n1,2\n", "serve-csv-no-names"),
        (b'Name\n"x\n', "serve-csv-broken"),
        (b"Name\n" * 5000, "serve-csv-many"),
        (b"Name" + b",a" * 400, "serve-csv-many"),
        (b"Name\n" + b"a" * 200_000, "serve-csv-broken"),
        (b"Name\n" + b"a\n" * 600_000, "serve-csv-large"),
    ],
)
def test_what_is_no_gradebook_is_refused_in_a_sentence(content: bytes, key: str) -> None:
    """Whatever is uploaded, there is one sentence about it, and nothing takes long."""
    with pytest.raises(OperatorError) as refused:
        gradebook.read(content)
    assert refused.value.key == key


def test_a_student_is_known_again_in_a_later_file() -> None:
    """By number or mail, or by the name where there is no other; two who share a name alone are two."""
    known = [roster.Student(7, "Ada King", "ada@example.org", "", None, "", "")]
    told = roster.plan(gradebook.read(CANVAS.encode()), known)
    assert [(one.what, one.student) for one in told if one.what != "nobody"] == [("changed", 7)]
    twins = b"Name,ID\nKim,1\nKim,2\n"
    assert [one.what for one in roster.plan(gradebook.read(twins), [])] == ["new", "new"]
    there = [roster.Student(1, "Kim", "", "1", None, "", ""), roster.Student(2, "Kim", "", "2", None, "", "")]
    assert [one.student for one in roster.plan(gradebook.read(twins), there)] == [1, 2]


# --- on the site


def new_class(organiser: Visitor, content: bytes = b"") -> str:
    """A class, and in it whom a gradebook names; its address."""
    answer = organiser.post("/classes", {"title": f"Class {next(NUMBERS)}"})
    assert answer.status_code == 303, answer.text
    place = str(answer.headers["location"])
    if content:
        assert upload(organiser, place, content).status_code == 303
        page = organiser.get(f"{place}/import").text
        file = re.search(r'name="file" value="(\w+)"', page)
        assert file is not None
        assert organiser.post(f"{place}/import/take", {"file": file[1]}).status_code == 303
    return place


def upload(organiser: Visitor, place: str, content: bytes) -> httpx.Response:
    """Send a gradebook to be looked at."""
    return organiser.post(f"{place}/import", files={"file": ("grades.csv", content)})


def links(organiser: Visitor, place: str) -> dict[str, str]:
    """New links of a class by the names of its students, as the file says that the page offers."""
    page = organiser.post(f"{place}/links").text
    found = re.search(r'href="data:text/csv;base64,([^"]+)"', page)
    assert found is not None, page
    rows = list(csv.reader(io.StringIO(base64.b64decode(found[1]).decode("utf-8-sig"))))
    assert all(row[3] in page for row in rows[1:])
    return {row[0]: "/join/" + row[3].rpartition("/")[2] for row in rows[1:]}


def test_a_students_link_makes_his_account_once(site: RunningSite, organiser: Visitor) -> None:
    """With his link a student makes an account, which stands beside his name; then the link is used up."""
    place = new_class(organiser, MOODLE.encode())
    found = links(organiser, place)
    assert set(found) == {"Ada Lovelace", "山田 太郎"}
    ada = Visitor(site.url)
    assert "Ada Lovelace" in ada.get(found["Ada Lovelace"]).text
    name = f"ada {next(NUMBERS)}"
    bad = ada.post(found["Ada Lovelace"], {"name": name, "password": "short", "has_account": "no"})
    assert bad.status_code == 422
    assert f'value="{name}"' in bad.text
    done = ada.post(found["Ada Lovelace"], {"name": name, "password": "correct horse", "has_account": "no"})
    assert done.status_code == 303
    assert "Sign out" in ada.get("/").text
    assert name in organiser.get(place).text
    assert Visitor(site.url).get(found["Ada Lovelace"]).status_code == 410
    fields = {"name": "another", "password": "correct horse", "has_account": "no"}
    assert Visitor(site.url).post(found["Ada Lovelace"], fields).status_code == 410
    newer = links(organiser, place)
    assert set(newer) == {"山田 太郎"}
    assert Visitor(site.url).get(found["山田 太郎"]).status_code == 410, "a newer link replaces it"
    twice = ada.post(newer["山田 太郎"])
    assert twice.status_code == 422
    assert "Ada Lovelace" in twice.text


def test_who_has_an_account_joins_with_it(site: RunningSite, organiser: Visitor) -> None:
    """A student signs in by his link with the account that he has; an organiser can also name it for him."""
    place = new_class(organiser, MOODLE.encode())
    found = links(organiser, place)
    name = f"taro {next(NUMBERS)}"
    Visitor(site.url).sign_up(name)
    taro = Visitor(site.url)
    fields = {"name": name, "has_account": "yes"}
    assert taro.post(found["山田 太郎"], {**fields, "password": "wrong horse"}).status_code == 422
    assert taro.post(found["山田 太郎"], {**fields, "password": "correct horse"}).status_code == 303
    assert name in organiser.get(place).text
    other = f"other {next(NUMBERS)}"
    Visitor(site.url).sign_up(other)
    give = re.search(rf'action="({place}/students/\d+/give)"', organiser.get(place).text)
    assert give is not None
    assert organiser.post(give[1], {"account": "nobody at all"}).status_code == 422
    assert organiser.post(give[1], {"account": other}).status_code == 303
    assert other in organiser.get(place).text
    assert organiser.post(give[1].replace("/give", "/part")).status_code == 303
    assert other not in organiser.get(place).text
    assert organiser.post(give[1].replace("/give", "/remove"), {"sure": "yes"}).status_code == 303
    assert "Ada" not in organiser.get(place).text
    assert organiser.post(f"{place}/remove", {"sure": "yes"}).status_code == 303
    assert organiser.get(place).status_code == 404


def test_a_class_is_not_removed_by_one_press(site: RunningSite, organiser: Visitor) -> None:
    """Its list of students cannot be brought back: the form asks first, and the site too, where no browser does."""
    place = new_class(organiser, MOODLE.encode())
    form = organiser.get(place).text.partition(f'action="{place}/remove"')[2].partition("</form>")[0]
    assert re.search(r'type="checkbox" name="sure" value="yes" required>[^<]*, with its list of students \(\d', form)
    refused = organiser.post(f"{place}/remove")
    assert refused.status_code == 422
    assert "cannot be brought back" in refused.text
    assert "Ada" in organiser.get(place).text
    assert organiser.post(f"{place}/remove", {"sure": "yes"}).status_code == 303
    assert organiser.get(place).status_code == 404


def test_a_student_is_not_removed_by_one_press(site: RunningSite, organiser: Visitor) -> None:
    """The same care as for a whole class: a number and an address are lost with the line."""
    place = new_class(organiser, MOODLE.encode())
    form = re.search(rf'action="({place}/students/\d+/remove)"(.*?)</form>', organiser.get(place).text, re.DOTALL)
    assert form is not None
    assert re.search(r'type="checkbox" name="sure" value="yes" required>[^<]* shall go from this class', form[2])
    before = organiser.get(place).text.count("/remove")
    refused = organiser.post(form[1])
    assert (refused.status_code, "cannot be brought back" in refused.text) == (422, True)
    assert organiser.get(place).text.count("/remove") == before
    assert organiser.post(form[1], {"sure": "yes"}).status_code == 303
    assert organiser.get(place).text.count("/remove") == before - 1
    assert organiser.post(form[1], {"sure": "yes"}).status_code == 404
    assert organiser.post(form[1]).status_code == 404


def test_only_what_was_looked_at_is_imported(site: RunningSite, organiser: Visitor) -> None:
    """A bad file is told beside the form; a file that was not looked at last is not taken."""
    place = new_class(organiser)
    assert organiser.get(f"{place}/import").status_code == 404
    bad = upload(organiser, place, b"a,b\n1,2\n")
    assert bad.status_code == 422
    assert "No column has names" in bad.text
    assert organiser.post(f"{place}/import").status_code in (400, 422)
    assert upload(organiser, place, MOODLE.encode()).status_code == 303
    assert organiser.post(f"{place}/import/take", {"file": "0" * 64}).status_code == 422
    assert "Ada" not in organiser.get(place).text


def test_a_gradebooks_formulas_and_markup_are_only_text(site: RunningSite, organiser: Visitor) -> None:
    """A student's name may be anything: no page runs it, and no spreadsheet that opens our files does."""
    hostile = 'Name,ID\n"=HYPERLINK(""http://x"")",=1+1\n<script>alert(1)</script>,@x\n'
    place = new_class(organiser, hostile.encode())
    text = organiser.get(place).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    page = organiser.post(f"{place}/links").text
    assert "<script>alert" not in page
    assert "open on this computer only" in page  # the site of this test is reached at 127.0.0.1
    found = re.search(r'href="data:text/csv;base64,([^"]+)"', page)
    assert found is not None
    cells = [cell for row in csv.reader(io.StringIO(base64.b64decode(found[1]).decode("utf-8-sig"))) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "-"))]


def test_students_and_visitors_cannot_reach_classes(site: RunningSite, organiser: Visitor) -> None:
    """For a student the pages about classes are not there, with any method; a visitor has to sign in."""
    place = new_class(organiser, MOODLE.encode())
    student = Visitor(site.url)
    link = links(organiser, place)["Ada Lovelace"]
    fields = {"name": f"ada {next(NUMBERS)}", "password": "correct horse", "has_account": "no"}
    assert student.post(link, fields).status_code == 303
    for path in ("/classes", place, f"{place}/import"):
        assert student.get(path).status_code == 404, path
        assert Visitor(site.url).get(path).status_code == 401, path
    for path in (
        "/classes",
        f"{place}/links",
        f"{place}/remove",
        f"{place}/students/1/remove",
        f"{place}/import/take",
    ):
        assert student.post(path, {"title": "Mine"}).status_code == 404, path
        assert Visitor(site.url).post(path, {"title": "Mine"}).status_code == 401, path
    assert upload(student, place, MOODLE.encode()).status_code == 404
    assert "taro@example.jp" in organiser.get(place).text
    for path in (f"/classes/{10**20}", "/classes/999999"):
        assert organiser.get(path).status_code == 404
    assert student.get("/join/nothing").status_code == 410


# --- ladders for a class alone


def student_of(site: RunningSite, organiser: Visitor, place: str, name: str) -> Visitor:
    """A student of a class with an account of his own."""
    found = Visitor(site.url)
    fields = {"name": f"student {next(NUMBERS)}", "password": "correct horse", "has_account": "no"}
    assert found.post(links(organiser, place)[name], fields).status_code == 303
    return found


def class_ladder(organiser: Visitor, place: str, title: str) -> str:
    """A ladder for a class alone; its name in addresses."""
    fields = {"game": "othello", "title": title, "group": place.rpartition("/")[2]}
    answer = organiser.post("/ladders/new", fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


def test_a_ladder_of_a_class_is_not_there_for_others(site: RunningSite, organiser: Visitor) -> None:
    """Its students and organisers see it; for everybody else it is not in lists, and 404 at each of its addresses."""
    place, other = new_class(organiser, MOODLE.encode()), new_class(organiser, MOODLE.encode())
    slug = class_ladder(organiser, place, "Only for 3B")
    student = student_of(site, organiser, place, "Ada Lovelace")
    outsiders = [student_of(site, organiser, other, "Ada Lovelace"), Visitor(site.url)]
    paths = [f"/ladders/{slug}{end}" for end in ("", "/rules", "/standings", "/bots/random")]
    for path in paths[:3]:
        assert student.get(path).status_code == organiser.get(path).status_code == 200, path
    assert "Only for 3B" in student.get("/").text
    for who in outsiders:
        for path in ("/", "/feed.atom", "/search?q=3B"):
            assert "Only for 3B" not in who.get(path).text, path
        for path in [
            *paths,
            f"/ladders/{slug}/feed.atom",
            f"/ladders/{slug}/live",
            f"/ladders/{slug}/questions",
            f"/ladders/{slug}/matches/0",
            f"/ladders/{slug}/matches/0/board",
        ]:
            assert who.get(path).status_code == 404, path
        sent = who.post(f"/ladders/{slug}/hand-in", {"bot": "Spy"}, files={"file": ("a.py", b"1")})
        assert sent.status_code == 404
    kept = organiser.post(f"{place}/remove", {"sure": "yes"})
    assert kept.status_code == 422, "a class with a ladder stays"
    assert student.post(f"/ladders/{slug}/teaching/class", {"group": ""}).status_code == 404
    assert student.get(f"/ladders/{slug}/teaching").status_code == 404
    assert organiser.post(f"/ladders/{slug}/teaching/class", {"group": ""}).status_code == 303
    assert "Only for 3B" in outsiders[1].get("/").text
    assert organiser.post(f"/ladders/{slug}/teaching/class", {"group": "999999"}).status_code == 422


def test_pseudonyms_hide_authors_from_all_but_themselves_and_organisers(
    site: RunningSite, organiser: Visitor
) -> None:
    """No page, feed or search tells an author's name; the pseudonym stays the same."""
    answer = organiser.post("/ladders/new", {"game": "othello", "title": "Masked"})
    slug = str(answer.headers["location"]).rpartition("/")[2]
    source = (GOOD.parents[3] / "games/general/bots/random.py").read_bytes()
    author, other = Visitor(site.url).sign_up("Hidden Author"), Visitor(site.url).sign_up("Curious Reader")
    author.await_text(author.hand_in(slug, "Maskedbot", "a.py", source), "plays</span>")
    paths = [f"/ladders/{slug}", f"/ladders/{slug}/bots/Maskedbot", f"/ladders/{slug}/standings", "/search?q=Hidden"]
    assert "Hidden Author" in other.await_text(f"/ladders/{slug}", "Maskedbot")
    assert organiser.post(f"/ladders/{slug}/teaching/pseudonyms", {"hidden": "yes"}).status_code == 303
    for who in (other, Visitor(site.url)):
        for path in [*paths, f"/ladders/{slug}/feed.atom"]:
            assert "Hidden Author" not in who.get(path).text, path
    names = {
        re.search(r'class="quiet"><bdi[^>]*>([A-Z][a-z]+)</bdi>', who.get(paths[1]).text)[1]  # type: ignore[index]
        for who in (other, Visitor(site.url))
    }
    assert len(names) == 1
    for who in (author, organiser):
        assert "Hidden Author" in who.get(paths[1]).text
    assert author.post(f"/ladders/{slug}/teaching/pseudonyms", {}).status_code == 404
    assert organiser.post(f"/ladders/{slug}/teaching/pseudonyms", {}).status_code == 303
    assert "Hidden Author" in other.get(paths[1]).text


def test_a_pseudonym_is_stable_and_nobody_elses() -> None:
    """It depends on secret, ladder and person; a thousand people of a ladder have names of their own."""
    assert pseudonym("secret", 1, 7) == pseudonym("secret", 1, 7)
    assert len({pseudonym("secret", 1, 7), pseudonym("other", 1, 7), pseudonym("secret", 2, 7)}) == 3
    assert len({pseudonym("secret", 1, person) for person in range(1000)}) >= 999
