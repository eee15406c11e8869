"""A bot's page, its matches, two bots against each other: what is shown, and how sure it is said to be."""

from __future__ import annotations

import re

import pytest

from dohyo.guests.site.arena.bot_facts import Point
from dohyo.guests.site.arena.meetings import FEW, score_of
from dohyo.guests.site.arena.standings import Line, how_sure
from dohyo.guests.site.pages.charts import rating_chart
from dohyo.guests.site.pages.names import named
from dohyo.guests.site.pages.rules_text import as_markup
from dohyo.i18n import ENGLISH
from dohyo.series.store.records import Meeting
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder


def met(won: int, drawn: int, lost: int, alike: int = 1) -> list[Meeting]:
    """So many meetings; `alike` of them have the same seed."""
    places = [(1, 2)] * won + [(1, 1)] * drawn + [(2, 1)] * lost
    return [Meeting(at, at // alike, at % 2, one, 1 - at % 2, other) for at, (one, other) in enumerate(places)]


@pytest.mark.parametrize(
    ("meetings", "verdict"),
    [
        (met(0, 0, 0), "few"),
        (met(FEW - 1, 0, 0), "few"),
        (met(FEW, 0, 0), "better"),
        (met(0, 0, FEW), "worse"),
        (met(6, 0, 4), "unclear"),
        (met(0, 20, 0), "unclear"),
        (met(60, 0, 40), "better"),
        (met(60, 0, 40, alike=10), "unclear"),
    ],
)
def test_who_is_better_is_said_when_it_is_known(meetings: list[Meeting], verdict: str) -> None:
    """Few matches, close scores, and matches that came out alike because of their seed settle nothing."""
    score = score_of(meetings)
    assert score.verdict == verdict
    assert 0.0 <= score.low <= score.share <= score.high <= 1.0


def test_the_likely_places_are_said_in_words() -> None:
    """Below a table one reads who may be the best; before there are ratings nothing is said."""
    first, second = (
        Line("Anna", "", 1, 1700, 1650, 1750, 1, 1, 50),
        Line("Berta", "", 2, 1300, 1250, 1350, 2, 2, 50),
    )
    assert how_sure([first, second], ENGLISH) == [ENGLISH.say("report.sure.first", bot="Anna")]
    close = Line("Berta", "", 2, 1690, 1640, 1740, 1, 2, 50)
    assert "not settled" in how_sure([first, close], ENGLISH)[0]
    assert how_sure([Line("Anna", "")], ENGLISH) == []


def test_a_chart_has_a_line_for_each_version() -> None:
    """A new version begins a line of its own; a single rating is no chart; a name in it is text."""
    points = [Point(0, at, 1500.0 + at, 1400.0, None) for at in range(4)]
    points += [Point(3, at, 1600.0, 1500.0, 1700.0) for at in range(4, 6)]
    drawn = rating_chart(points, "<b>told</b>", ("first", "now"), ["version 1", "version 2"])
    assert drawn is not None
    assert drawn.count("<polyline") == drawn.count("<polygon") == 2
    assert "version 2" in drawn
    assert "<b>" not in drawn
    assert rating_chart(points[:1], "", ("", ""), []) is None


def test_a_name_says_its_language_where_its_letters_do() -> None:
    """Kana are Japanese, Hangul is Korean; of Han or Latin letters alone nobody can know. Nothing in it is markup."""
    assert named("はなび") == '<bdi lang="ja">はなび</bdi>'
    assert named("한국") == '<bdi lang="ko">한국</bdi>'
    assert named("花火") == "<bdi>花火</bdi>"
    assert named("<script>") == "<bdi>&lt;script&gt;</bdi>"


def test_rules_are_read_as_they_are_meant_and_do_nothing() -> None:
    """Markdown becomes headings, tables and code; markup in it is text, and it loads nothing and leads nowhere."""
    text = """# Game

[other](README.ja.md)

![board](../x.png)

See [the file](a.md), [the web](https://example.org/) and [this](javascript:alert(1)).

<script>alert(1)</script> <img src=x>

| a | b |
|---|---|
| 1 | `<b>` |
"""
    told = str(as_markup(text))
    assert told.startswith("<h2>Game</h2>")
    assert "<td>1</td>" in told
    assert "<code>&lt;b&gt;</code>" in told
    assert "other" not in told
    assert "See the file" in told
    assert re.findall("<(?:script|img)", told) == []
    assert re.findall('href="([^"]+)"', told) == ["https://example.org/"]


def test_a_bots_page_shows_what_is_known(site: RunningSite, organiser: Visitor, visitor: Visitor) -> None:
    """Its versions, its results by seat and by opponent, pages of its matches, and each opponent's own page."""
    slug = new_ladder(organiser, "shoot-em-up", "Facts")
    author = Visitor(site.url).sign_up("Facts author")
    author.await_text(author.hand_in(slug, "Known", "bot.py", GOOD.read_bytes() + b"# facts\n"), "It plays now in")
    path = f"/ladders/{slug}/bots/Known"
    text = visitor.await_text(path, 'id="seats-title"')
    assert "Facts author" in text
    assert "version 1" in text
    assert "Against each opponent" in text
    assert re.search(r"It is probably between|It may be in any|It is very likely|too few matches to say", text)
    against = re.search(rf'href="({path}/against/[^"]+)"', text)
    assert against is not None
    duel = visitor.get(against[1])
    assert duel.status_code == 200
    assert "won" in duel.text
    matches = visitor.get(f"{path}/matches")
    assert matches.status_code == 200
    numbers = [int(number) for number in re.findall(rf'/ladders/{slug}/matches/(\d+)"', matches.text)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers
    earlier = visitor.get(f"{path}/matches?before={numbers[-1]}").text
    assert f'/ladders/{slug}/matches/{numbers[-1]}"' not in earlier
    assert visitor.get(f"/ladders/{slug}/matches/{numbers[0]}").status_code == 200


@pytest.mark.parametrize(
    "path", ["bots/nobody", "bots/nobody/matches", "bots/random/against/random", "bots/random/against/nobody"]
)
def test_what_is_not_there_is_not_found(organiser: Visitor, visitor: Visitor, path: str) -> None:
    """Neither a bot that nobody handed in, nor a bot against itself."""
    slug = new_ladder(organiser, "shoot-em-up", "")
    assert visitor.get(f"/ladders/{slug}/{path}").status_code == 404
