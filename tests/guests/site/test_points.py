"""Points from standings, and the gradebook that takes them."""

from __future__ import annotations

import csv
import io
import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import contest_page
from dohyo.guests.site.arena.contest_page import ContestPage, Place, contest_lines
from dohyo.guests.site.arena.standings import Line
from dohyo.guests.site.groups import gradebook, points
from dohyo.guests.site.groups.filled import filled
from dohyo.guests.site.groups.points import Rule
from dohyo.guests.site.groups.roster import Student
from tests.guests.site.conftest import GOOD, RunningSite, Visitor
from tests.guests.site.contests import wide
from tests.guests.site.test_classes import CANVAS, MOODLE, class_ladder, new_class, student_of

LINES = [
    Line("Ace", place=1, rating=1700),
    Line("strong", place=2, rating=1600),
    Line("Deuce", place=3, rating=1500),
    Line("Ace two", place=3, rating=1500),
    Line("weak", place=5, rating=1400),
    Line("New"),
]
OWNERS = {"Ace": 1, "Ace two": 1, "Deuce": 2, "New": 3}
STUDENTS = [Student(n, f"S{n}", "", "", n if n < 4 else None, "", "") for n in (1, 2, 3, 4)]


def got(rule: Rule) -> list[float | None]:
    """The points of the four students."""
    return [one.points for one in points.score(rule, LINES, OWNERS, STUDENTS)]


def test_points_follow_the_rule_and_the_best_bot() -> None:
    """By place in class, by rating beside a sample bot, by sample bots below; within bounds."""
    assert got(Rule()) == [10.0, 8.0, 4.0, None]
    assert got(Rule(nobody=0.0))[3] == 0.0
    assert got(Rule("rating", sample="strong", base=5.0, hundred=2.0)) == [7.0, 3.0, 0.0, None]
    assert got(Rule("rating", sample="strong", base=5.0, hundred=2.0, most=6.0))[0] == 6.0
    assert got(Rule("beaten", each=3.0)) == [6.0, 3.0, 0.0, None]
    with pytest.raises(OperatorError):
        got(Rule("rating", sample="Ace"))


def test_points_of_a_contest_follow_its_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has the better rating is not before whoever has won, and who is disqualified is not there."""
    there = [Place(1, "Deuce", "3", rating=1500, lost=1), Place(2, "Ace", "2", rating=1700, won=1)]
    there.append(Place(None, "weak", "0", out="copied"))
    monkeypatch.setattr(contest_page, "contest_page", lambda *_: ContestPage(places=there, played=3))
    asked: Any = None
    lines = contest_lines(asked, asked, SimpleNamespace(slug="x"), asked)  # type: ignore[arg-type]
    assert [(line.bot, line.place, line.rating) for line in lines] == [("Deuce", 1, 1500), ("Ace", 2, 1700)]
    assert [one.points for one in points.score(Rule(), lines, OWNERS, STUDENTS)] == [8.0, 10.0, None, None]


@pytest.mark.parametrize(
    "field", [{"rest": "-1"}, {"rest": "nan"}, {"most": "1e9"}, {"place1": "x"}, {"place1": "0"}]
)
def test_a_rule_of_other_things_than_numbers_is_refused(field: dict[str, str]) -> None:
    """What a form says is checked before anything is counted."""
    with pytest.raises(OperatorError):
        points.read({"kind": "places", "points1": "3", **field})
    assert points.read({}) == Rule()


def test_a_rule_is_read_in_full_width_digits() -> None:
    """What a Japanese keyboard writes is the same number, also with its full stop."""
    written = {"place1": "1", "points1": "2.5", "rest": "0"}
    as_wide = {name: wide(value) for name, value in written.items()}
    assert points.read({"kind": "places", **as_wide}) == points.read({"kind": "places", **written})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_all_but_one_column_stays_byte_for_byte(encoding: str) -> None:
    """A column is added at the end, with its title and in Canvas's line the points that can be had."""
    for text in (MOODLE, CANVAS, MOODLE.rstrip(), "\r\n" + MOODLE + "\r\n"):
        content = text.encode(encoding)
        read = gradebook.read(content)
        assert filled(read, 0, "", {}, "10") == content
        line = read.records[-1].line
        added = filled(read, None, "Robots, final", {line: "7.5"}, "10").decode(encoding)
        for before, after in zip(text.splitlines(), added.splitlines(), strict=True):
            assert after.startswith(before)
        told = gradebook.read(filled(read, None, "Robots, final", {line: "7.5"}, "10"))
        assert told.columns()[-1] == "Robots, final"
        assert told.records[-1].cells[-1] == "7.5"
        if read.kind == "canvas":
            assert told.records[0].cells[-1] == "10"
        other = gradebook.read(filled(read, 5, "", {line: "7.5"}, "10"))
        assert other.records[-1].cells == [*read.records[-1].cells[:5], "7.5", *read.records[-1].cells[6:]]


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=5), st.sampled_from(",;\t"))
def test_whatever_is_in_a_gradebook_no_cell_becomes_a_formula(rows: list[list[str]], delimiter: str) -> None:
    """For any cells: those that are harmless stay, no other one begins as a formula, and the new column is right."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([["Name", "ID", "=1+1"], *rows])
    content = out.getvalue().encode()
    read = gradebook.read(content)
    values = {record.line: "3" for record in read.records}
    made = gradebook.read(filled(read, None, "New", values, "10"))
    for before, after in zip(read.records, made.records, strict=True):
        assert after.cells[-1] == "3"
        for old, new in zip(before.cells, after.cells, strict=False):
            assert new == old or clean.FORMULA.match(old) or ";" in old
            assert not new.startswith(("=", "@"))
    assert made.columns() == ["Name", "ID", "'=1+1", "New"]


def test_points_go_back_into_the_gradebook(site: RunningSite, organiser: Visitor) -> None:
    """The page shows what each student would get; the file is the imported one with a column; others get nothing."""
    place = new_class(organiser, MOODLE.encode())
    slug = class_ladder(organiser, place, "For points")
    student = student_of(site, organiser, place, "Ada Lovelace")
    source = (GOOD.parents[3] / "games/general/bots/random.py").read_bytes()
    student.await_text(student.hand_in(slug, "Adas", "a.py", source), "plays</span>")
    group = place.rpartition("/")[2]
    asked = {"group": group, "kind": "places", "place1": "1", "points1": "9", "rest": "2", "nobody": "zero"}
    page = organiser.http.get(f"/ladders/{slug}/points", params=asked)
    assert page.status_code == 200
    assert re.search(r"Ada Lovelace.*?Adas.*?<td class=\"number strong\">[92]</td>", page.text, re.DOTALL)
    wrong = organiser.http.get(f"/ladders/{slug}/points", params={**asked, "rest": "many"})
    assert wrong.status_code == 422
    for who in (student, Visitor(site.url)):
        assert who.get(f"/ladders/{slug}/points").status_code in (401, 404)
        assert who.post(f"/ladders/{slug}/points/export", asked).status_code in (401, 404)
    answer = organiser.post(f"/ladders/{slug}/points/export", {**asked, "column": "", "title": "Robots"})
    rows = [*csv.reader(io.StringIO(answer.content.decode()))]
    assert [row[-1] for row in rows][0::2] == ["Robots", "0"]
    assert rows[1][-1] in ("9", "2")
    assert answer.content.decode().splitlines()[0] == MOODLE.splitlines()[0] + ",Robots"


def test_only_columns_that_can_hold_points_are_proposed() -> None:
    """By no gradebook can a name, a number of a student, an address or a moment be chosen to be overwritten."""
    assert gradebook.read(MOODLE.encode()).takes() == {5: "Quiz: one (Real)"}
    assert gradebook.read(CANVAS.encode()).takes() == {5: "Essay (55)"}
    table = "学籍番号,氏名,備考,レポート,課題\r\n1,山田,欠席,,8\r\n2,鈴木,,,-\r\n"
    assert gradebook.read(table.encode()).takes() == {3: "レポート", 4: "課題"}
    read = gradebook.read(MOODLE.encode())
    assert [read.holds(5, {2, 3}), read.holds(5, {3}), read.holds(3, {2, 3})] == [1, 0, 0]


def test_what_is_filled_is_replaced_after_a_question_alone(organiser: Visitor) -> None:
    """A column of names is refused; one that holds points asks first; one that is empty for these is just filled."""
    place = new_class(organiser, MOODLE.encode())
    slug = class_ladder(organiser, place, "For columns")
    asked = {"group": place.rpartition("/")[2], "kind": "places", "nobody": "zero", "title": "x"}
    export = f"/ladders/{slug}/points/export"
    for column in ("0", "2", "4", "6", "99"):
        refused = organiser.post(export, {**asked, "column": column})
        assert refused.status_code == 422
        assert "cannot hold points" in refused.text
    question = organiser.post(export, {**asked, "column": "5"})
    assert question.status_code == 422
    assert "already holds something for 1 of the" in question.text
    assert '<option value="5" selected>' in question.text
    answer = organiser.post(export, {**asked, "column": "5", "replace": "yes"})
    assert [row[5] for row in csv.reader(io.StringIO(answer.content.decode()))] == ["Quiz: one (Real)", "0", "0"]
