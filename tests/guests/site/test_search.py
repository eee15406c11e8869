"""Search: bots, authors, ladders, matches and pairs are found by what they are called, as far as they may be seen."""

from __future__ import annotations

import pytest

from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder


@pytest.fixture(scope="module")
def slug(site: RunningSite, organiser: Visitor) -> str:
    """A ladder with two bots of authors."""
    slug = new_ladder(organiser, "shoot-em-up", "Where 探し物 is")
    for name, bot in (("探す 花子", "夏の花火"), ("Seeker", "O'Hara 2.0")):
        author = Visitor(site.url).sign_up(name)
        page = author.hand_in(slug, bot, "bot.py", GOOD.read_bytes() + f"# {bot}\n".encode())
        author.await_text(page, "It plays now in")
    Visitor(site.url).await_text(f"/ladders/{slug}", f"/ladders/{slug}/matches/")
    return slug


@pytest.mark.parametrize("wanted", ["夏の花火", "花火", "なつ", "seeker", "SEEK", "花子", "探し", "o'hara2.0", "2.0"])
def test_by_any_part_of_a_name(visitor: Visitor, slug: str, wanted: str) -> None:
    """Bots by their own names and by their authors', ladders by their titles; capitals and blanks do not matter."""
    text = visitor.get(f"/search?q={wanted}").text
    assert (f'href="/ladders/{slug}' in text) == (wanted != "なつ")


@pytest.mark.parametrize("between", [" vs ", ", ", "、", " \u2013 ", " 対 "])
def test_two_bots_lead_to_their_page(visitor: Visitor, slug: str, between: str) -> None:
    """Two whole names, however somebody writes them beside each other."""
    text = visitor.get("/search", q=f"夏の花火{between}o'hara 2.0").text
    assert f'href="/ladders/{slug}/bots/%E5%A4%8F%E3%81%AE%E8%8A%B1%E7%81%AB/against/O%27Hara%202.0"' in text


def test_a_match_by_its_number(visitor: Visitor, slug: str) -> None:
    """A number is a match's, on each ladder that has it."""
    assert f'href="/ladders/{slug}/matches/0"' in visitor.get("/search?q=0").text
    assert "/matches/" not in visitor.get("/search?q=999999999").text
    assert visitor.get("/search?q=99999999999999999999").status_code == 200


def test_what_is_asked_is_only_text(visitor: Visitor, slug: str) -> None:
    """Marks of a query match themselves alone, markup is text, and a long question is cut."""
    for wanted in ("%", "_", "夏%", "\\", "<script>alert(1)</script>", "x" * 5000, " ", "\x00"):
        answer = visitor.get("/search", q=wanted)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert f'href="/ladders/{slug}/bots' not in answer.text


def test_what_waits_or_was_refused_is_not_found(site: RunningSite, organiser: Visitor, visitor: Visitor) -> None:
    """A bot that does not play is on no page, and is not found either."""
    own = new_ladder(organiser, "shoot-em-up", "")
    author = Visitor(site.url).sign_up("Hasty author")
    author.await_text(author.hand_in(own, "Half done", "bot.py", b"print('?')\n"), "It does not play yet")
    assert f'href="/ladders/{own}/bots' not in visitor.get("/search?q=Half done").text
    assert f'href="/ladders/{own}/bots' not in visitor.get("/search?q=Hasty author").text


def test_a_pseudonym_is_not_undone_by_a_search(site: RunningSite, organiser: Visitor, visitor: Visitor) -> None:
    """Where authors' names are hidden, nobody but organisers finds a bot by its author, and no feed tells it."""
    own = new_ladder(organiser, "shoot-em-up", "Hidden names")
    author = Visitor(site.url).sign_up("Zoe")
    author.await_text(author.hand_in(own, "Masked", "bot.py", GOOD.read_bytes() + b"# mask\n"), "It plays now in")
    author.await_text(f"/ladders/{own}", f"/ladders/{own}/matches/")
    assert f'href="/ladders/{own}/bots' in visitor.get("/search?q=zoe").text
    assert "Zoe" in visitor.get(f"/ladders/{own}/feed.atom").text
    organiser.post(f"/ladders/{own}/teaching/pseudonyms", {"hidden": "yes"})
    for letters in ("zoe", "zo"):
        assert f'href="/ladders/{own}/bots/Masked' not in visitor.get(f"/search?q={letters}").text
    assert "Zoe" not in visitor.get(f"/ladders/{own}/feed.atom").text
    assert f'href="/ladders/{own}/bots/Masked' in visitor.get("/search?q=masked").text
    assert f'href="/ladders/{own}/bots/Masked' in organiser.get("/search?q=zoe").text
