"""Feedback for participants: their own page, everybody's for organisers, and files to send."""

from __future__ import annotations

import email
import email.policy
import io
import re
import zipfile

from dohyo.guests.site.groups.feedback import Letter, packed
from tests.guests.site.conftest import GOOD, RunningSite, Visitor
from tests.guests.site.test_classes import MOODLE, class_ladder, new_class, student_of

SOURCE = (GOOD.parents[3] / "games/general/bots/random.py").read_bytes()


def test_a_letter_is_a_mail_and_leads_nowhere_else() -> None:
    """With an address it is a draft to that one; names and subjects make no other header, and no other path."""
    letters = [
        Letter("../../Ada\r\nBcc: x@y", "ada@example.org", "Tag, 太郎", "A\r\nBcc: z@example.org"),
        Letter("", "", "b", ""),
    ]
    archive = zipfile.ZipFile(io.BytesIO(packed(letters)))
    mail, text = archive.namelist()
    assert re.fullmatch(r"001-[\w-]+(\.[\w-]+)*\.eml", mail)
    assert text == "002-student.txt"
    told = email.message_from_bytes(archive.read(mail), policy=email.policy.default)
    assert told["To"] == "ada@example.org"
    assert told["Bcc"] is None
    assert told.get_content().strip() == "Tag, 太郎"


def test_feedback_is_read_by_its_participant_and_sent_by_organisers(site: RunningSite, organiser: Visitor) -> None:
    """A student reads his own; organisers read and save everybody's; others have no way to it."""
    place = new_class(organiser, MOODLE.encode())
    slug = class_ladder(organiser, place, "Fed back")
    ada, taro = (student_of(site, organiser, place, name) for name in ("Ada Lovelace", "山田 太郎"))
    hand_in = ada.hand_in(slug, "Adas", "a.py", SOURCE)
    ada.await_text(hand_in, "plays</span>")
    address = f"/ladders/{slug}/feedback"
    own = ada.await_text(address, "Match ", "beaten", "matches. Against")
    assert "Adas: what was handed in" in own
    assert f'href="{hand_in}"' in own
    assert "Adas" not in taro.get(address).text
    assert Visitor(site.url).get(address).status_code == 404
    number = re.search(rf'href="{address}/(\d+)"', organiser.get(address).text)
    assert number is not None
    assert "Adas: what was handed in" in organiser.get(f"{address}/{number[1]}").text
    assert organiser.get(f"{address}/999999").status_code == 404
    for who in (ada, taro):
        assert who.get(f"{address}/{number[1]}").status_code == 404
        assert who.post(f"{address}/files").status_code == 404
    answer = organiser.post(f"{address}/files", {"group": place.rpartition("/")[2]})
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == ["001-Ada-Lovelace.eml"]
    told = email.message_from_bytes(archive.read("001-Ada-Lovelace.eml"), policy=email.policy.default)
    assert told["To"] == "ada@example.org"
    assert f"{site.url}/ladders/{slug}" in told.get_content()
    everybody = zipfile.ZipFile(io.BytesIO(organiser.post(f"{address}/files", {"group": ""}).content))
    assert len(everybody.namelist()) == 1
    assert everybody.namelist()[0].endswith(".txt")
