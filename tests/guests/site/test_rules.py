"""The page of a ladder's rules: what is played there, what a program reads and writes, and bots to begin from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dohyo import classics, games
from dohyo.core.options import resolve
from dohyo.guests.site.pages.input_text import first_input, input_parts
from dohyo.guests.site.pages.rules import LANGUAGES
from dohyo.guests.site.pages.rules_text import as_markup, coded, for_players
from dohyo.guests.starters import names
from dohyo.i18n import ENGLISH, Speaker
from tests.guests.site.conftest import RunningSite, Visitor, new_ladder

EVERY = ("abotcalypse", "drop-block", "shoot-em-up", "wondev-woman", *classics.NAMES)
JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


@pytest.mark.parametrize("name", [name for name in EVERY if name != "connect-four"])  # whose README shows it whole
def test_each_games_input_is_told_line_by_line(name: str) -> None:
    """What a program is really sent has each line that is told of, and Japanese says what each of them means."""
    game = games.find(name)
    setup = resolve(game.options, {}, game.catalogue)
    parts = input_parts(game, setup, ENGLISH.knowing(game.catalogue))
    assert parts is not None
    assert parts.turn
    assert parts.answers
    example = first_input(game, setup, game.seats[0])
    assert example is not None
    for told in parts.turn:
        word, _, rest = told.form.partition(" ")
        if rest == "...":
            assert re.search(rf"^{word} ", example.sent, re.MULTILINE), told.form
    japanese = input_parts(game, setup, Speaker("ja").knowing(game.catalogue))
    assert japanese is not None
    for told in (*japanese.start, *japanese.turn):
        assert JAPANESE.search(told.meaning) or not told.meaning, told.form
        assert all(JAPANESE.search(meaning) for _, meaning in told.own), told.form


@pytest.mark.parametrize("name", EVERY)
def test_each_game_has_rules_for_those_who_have_only_a_browser(name: str) -> None:
    """They are some sentences in both languages, without the command line's options."""
    folder = games.find(name).folder
    for file in ("README.md", "README.ja.md"):
        text = for_players(Path(folder, file).read_text(encoding="utf-8"))
        assert len(re.findall(r"\.\s|。", text)) >= 6, file
        for word in ("--setup", "--clock", "dohyo games", "dohyo play"):
            assert word not in text, file


def test_what_is_for_operators_is_left_out() -> None:
    """A game's text says by two comments what is not for those who read a ladder's rules."""
    text = "A\n<!-- operators -->\n`--clock`\n<!-- players -->\nB\n<!-- operators -->\nC"
    assert for_players(text).split() == ["A", "B"]


def test_japanese_goes_on_without_blanks() -> None:
    """Where a line of the source ends in the middle of a Japanese sentence, no blank is shown; elsewhere one is."""
    assert "落ちます、次に" in str(as_markup("落ちます、\n次に"))
    assert "one\ntwo" in str(as_markup("one\ntwo"))
    assert str(coded("`a<` b")) == "<code>a&lt;</code> b"


def test_the_words_for_a_starter_are_true() -> None:
    """The page names the languages that `dohyo new bot` knows."""
    assert set(LANGUAGES.split(", ")) == set(names())


def test_the_page_leads_to_a_bot(organiser: Visitor, visitor: Visitor) -> None:
    """Whoever has only the site's address reads what is sent and answered, and loads a sample bot's source."""
    slug = new_ladder(organiser, "othello", "Rules of Othello")
    page = visitor.get(f"/ladders/{slug}/rules").text
    for told in ("outflank", "<code>board ...</code>", "legal d3 c4 f5 e6", "dohyo new bot othello --lang python"):
        assert told in page
    load = visitor.get(f"/ladders/{slug}/samples/random.py")
    assert load.headers["content-disposition"].startswith("attachment")
    assert "sys.stdin" in load.text
    for other in ("nothing.py", "..%2F__init__.py", "README.md"):
        assert visitor.get(f"/ladders/{slug}/samples/{other}").status_code == 404


def test_a_ladder_plays_what_its_organiser_chose(site: RunningSite, organiser: Visitor, visitor: Visitor) -> None:
    """Setup and time of a new ladder are asked for where somebody wants it, said on its rules, and played."""
    first = organiser.post("/ladders/new", {"game": "drop-block", "title": "Short", "more": "yes"})
    assert first.status_code == 200
    assert 'name="setup.turns"' in first.text
    wrong = organiser.post("/ladders/new", {"game": "drop-block", "title": "Short", "setup.turns": "many"})
    assert wrong.status_code == 422
    assert "turns" in wrong.text.partition('id="wrong-setup.turns"')[2].partition("</p>")[0]
    assert 'value="Short"' in wrong.text
    made = organiser.post(
        "/ladders/new", {"game": "drop-block", "title": "Short", "setup.turns": "40", "clock": "0.25"}
    )
    assert made.status_code == 303
    place = made.headers["location"]
    page = visitor.get(f"{place}/rules").text
    assert "may take 0.25 s" in page
    assert re.search("<dt>turns</dt><dd>40<", page)
    visitor.await_text(place, "1 match played", "2 matches played", "3 matches played", "4 matches played")


def test_an_address_that_leads_nowhere_has_a_page_like_others(site: RunningSite, visitor: Visitor) -> None:
    """It has the site's navigation and a way to sign in; for a program it is a problem."""
    answer = visitor.get("/nonsense")
    assert answer.status_code == 404
    assert 'href="/feed.atom"' in answer.text
    assert 'href="/sign-in' in answer.text
    assert visitor.get("/api/v1/nonsense").headers["content-type"].startswith("application/problem+json")
