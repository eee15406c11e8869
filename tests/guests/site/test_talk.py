"""What organisers announce at a ladder, and what is asked and answered there."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.people import accounts
from dohyo.guests.site.tables import open_site
from dohyo.guests.site.talk import questions
from tests.guests.site.conftest import RunningSite, Visitor, new_ladder
from tests.guests.site.test_classes import MOODLE, class_ladder, new_class, student_of


def test_an_announcement_is_for_whoever_sees_the_ladder(site: RunningSite, organiser: Visitor) -> None:
    """It stands on the ladder's page and on the first page; markup and other addresses than links are text."""
    place = new_class(organiser, MOODLE.encode())
    slug = class_ladder(organiser, place, "Told")
    words = (
        "Final on *Friday*. <script>alert(1)</script> [x](javascript:alert(1)) [site](https://example.org) ![i](/x)"
    )
    assert organiser.post(f"/ladders/{slug}/teaching/announce", {"text": ""}).status_code == 422
    assert organiser.post(f"/ladders/{slug}/teaching/announce", {"text": words}).status_code == 303
    student = student_of(site, organiser, place, "Ada Lovelace")
    for path in ("/", f"/ladders/{slug}"):
        page = student.get(path).text
        assert "<em>Friday</em>" in page, path
        assert "<script>alert" not in page
        assert 'href="javascript' not in page
        assert '<a href="https://example.org">site</a>' in page
        assert '<img src="/x"' not in page
    assert "Friday" not in Visitor(site.url).get("/").text
    number = re.search(r"announcements/(\d+)/withdraw", organiser.get(f"/ladders/{slug}/teaching").text)
    assert number is not None
    address = f"/ladders/{slug}/teaching/announcements/{number[1]}/withdraw"
    assert student.post(address).status_code == 404
    assert student.post(f"/ladders/{slug}/teaching/announce", {"text": "Mine"}).status_code == 404
    assert organiser.post(address).status_code == 303
    assert "Friday" not in student.get("/").text


def test_a_question_is_private_until_it_is_answered_to_all(site: RunningSite, organiser: Visitor) -> None:
    """An author asks the organisers; others read it only with an answer to all, and never who asked."""
    slug = new_ladder(organiser, "othello", "Asked")
    address = f"/ladders/{slug}/questions"
    asking, other = Visitor(site.url).sign_up("Asking author"), Visitor(site.url).sign_up("Other reader")
    assert asking.post(address, {"text": "Is <b>it</b> fair?"}).status_code == 303
    assert Visitor(site.url).post(address, {"text": "Me too"}).status_code == 401
    assert "1 open" in organiser.get(f"/ladders/{slug}").text
    assert "1 open" not in other.get(f"/ladders/{slug}").text
    page = organiser.get(address).text
    assert "Is &lt;b&gt;it&lt;/b&gt; fair?" in page
    assert "Asking author" in page
    for who in (other, Visitor(site.url)):
        assert "fair?" not in who.get(address).text
    answer = re.search(rf"{address}/(\d+)/answer", page)
    assert answer is not None
    assert other.post(answer[0], {"text": "No"}).status_code == 404
    assert organiser.post(answer[0], {"text": "Yes, to you"}).status_code == 303
    assert "Yes, to you" in asking.get(address).text
    assert "Yes, to you" not in other.get(address).text
    assert organiser.post(answer[0], {"text": "Yes, to all", "public": "yes"}).status_code == 303
    for who in (other, Visitor(site.url)):
        page = who.get(address).text
        assert "Yes, to all" in page
        assert "Asking author" not in page
    assert organiser.post(f"{address}/999999/answer", {"text": "x"}).status_code == 404


def test_nobodys_questions_are_hidden_behind_those_of_one(tmp_path: Path) -> None:
    """A few of one author wait at a ladder; when one was answered there is room for another."""
    with closing(open_site(str(tmp_path / "site.db"))) as database:
        ann, bob = (accounts.sign_up(database, name, "correct horse", "here") for name in ("Ann", "Bob"))
        ladder, other = ladders.make(database, ann, "othello"), ladders.make(database, ann, "hex")
        for number in range(questions.MAX_OPEN):
            questions.ask(database, ann, ladder, f"Is it {number}?")
        with pytest.raises(OperatorError) as refused:
            questions.ask(database, ann, ladder, "And this?")
        assert refused.value.key == "serve-questions-wait"
        for person, where in ((bob, ladder), (ann, other)):
            questions.ask(database, person, where, "Is it fair?")
        assert questions.answer(database, bob, ladder, 1, "Yes.", public=False)
        questions.ask(database, ann, ladder, "And this?")


def test_who_waits_for_a_word_finds_a_mark_on_every_page(site: RunningSite, organiser: Visitor) -> None:
    """Organisers see that a question waits, its author that it is answered, also anew, until the answer was read."""
    slug = new_ladder(organiser, "othello", "Marks")
    page, answers, waits = f"/ladders/{slug}/questions", "1 answer to you", "question waits"
    ann = Visitor(site.url).sign_up("Asks and waits")
    bob = Visitor(site.url).sign_up("Asks nothing")
    assert ann.post(page, {"text": "May I use a library?"}).status_code == 303
    assert re.search(r"questions? waits?<", organiser.get("/").text)
    assert answers not in ann.get("/").text
    number = re.findall(r"questions/(\d+)/answer", organiser.get(page).text)[0]
    for text in ("Yes.", "Yes, a small one."):
        assert organiser.post(f"{page}/{number}/answer", {"text": text}).status_code == 303
        assert f'href="{page}">{answers}' in ann.get("/my/bots").text
        assert answers not in bob.get("/").text
        assert text in ann.get(page).text
        assert answers not in ann.get("/").text
    assert f"{page}" not in organiser.get("/account").text
    assert waits not in ann.get("/").text
