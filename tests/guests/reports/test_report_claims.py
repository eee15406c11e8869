"""What a contest's report claims: who may be best, which version that is, what seats are worth, who is innocent."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from dohyo.guests.reports.certainty import clearly_apart, sentences
from dohyo.guests.reports.content import Share
from dohyo.guests.reports.sections import _how_often
from dohyo.i18n import ENGLISH
from dohyo.series.store import open_store
from tests.guests.reports.pages import content_of, page_of
from tests.series.made_contests import BEGUN, hold

SURE = ((1900.0, 1950.0), (1500.0, 1600.0), (1700.0, 1800.0), (1000.0, 1100.0))  # intervals, none of which overlap


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a ladder whose best bot was replaced by another version, whose second left, the third staying."""
    where = tmp_path_factory.mktemp("versions") / "versions.db"
    hold(where, kind="ladder", names=("bob", "bob", "ann", "eve"), batches=5, calm=True)
    with open_store(str(where)) as store:
        contest = store.contest(None)
        first, second, third, fourth = store.entrants(contest.id)
        changed = [
            msgspec.structs.replace(first, until=1),
            msgspec.structs.replace(second, since=1, follows=0),
            msgspec.structs.replace(third, until=4),
            fourth,
        ]
        store.enter(contest.id, changed, BEGUN)
    return where


def test_versions_are_numbered(versions: Path) -> None:
    """Versions of a bot are told apart wherever it is named, even if their files are the same."""
    known = content_of(versions)
    assert known.names == {0: "bob (version 1)", 1: "bob (version 2)", 2: "ann", 3: "eve"}
    page = page_of(versions)
    assert ">bob v1</text>" in page
    assert ">bob v2</text>" in page


def test_only_who_still_plays_may_be_best(versions: Path) -> None:
    """Neither a replaced version nor a bot that has left is named as the best, however good it was."""
    known = content_of(versions)
    assert {known.names[row.entrant] for row in known.present} == {"bob (version 2)", "eve"}
    for row, (low, high) in zip(sorted(known.rows, key=lambda row: row.entrant), SURE, strict=True):
        row.low, row.high = low, high
        row.first = 1 + sum(other[0] > high for other in SURE)
    told = sentences(known, ENGLISH)
    assert told[0] == (
        "Of those that still play, the best is bob (version 2): its 95 % interval lies wholly above all others."
    )
    assert told[1].endswith("not overlapping: 1 of 1.")
    known = content_of(versions)
    for row in known.rows:
        row.low, row.high, row.first = 1000.0, 1100.0, 1
    assert sentences(known, ENGLISH)[0].endswith("best is not settled: by the 95 % intervals it may be any of them.")


@pytest.mark.parametrize(
    ("best", "worst", "seats", "is_clear"),
    [
        (Share(18, 1, 17), Share(17, 1, 18), 2, False),  # 51 % of 36 matches
        (Share(5, 0, 0), Share(0, 0, 5), 2, False),  # happens once in 16 times
        (Share(6, 0, 0), Share(0, 0, 6), 2, True),
        (Share(5200, 0, 4800), Share(4800, 0, 5200), 2, True),
        (Share(0, 9, 0), Share(0, 9, 0), 2, False),
        (Share(0, 0, 0), Share(0, 0, 0), 2, False),
        (Share(60, 0, 48), Share(48, 0, 60), 4, False),
        (Share(600, 0, 300), Share(300, 0, 600), 4, True),
    ],
)
def test_seats_differ_only_where_chance_does_not_do_it(best: Share, worst: Share, seats: int, is_clear: bool) -> None:
    """A difference between seats is told where equal ones would hardly show it."""
    assert clearly_apart(best, worst, seats) == is_clear


def test_the_innocent_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few bots that never misbehaved are named, of many it is said how many they are."""
    hold(tmp_path / "duels.db", names=("quick", "steady", "lazy"), rounds=20)
    assert "Never misbehaved: quick, steady." in page_of(tmp_path / "duels.db")
    monkeypatch.setattr("dohyo.guests.reports.sections.MAX_INNOCENT", 1)
    assert "Bots that never misbehaved: 2." in page_of(tmp_path / "duels.db")


def test_a_share_has_two_sides() -> None:
    """A share's other side adds up with it to all there is."""
    share = Share(3, 2, 5)
    assert share.value == 0.4
    assert share.turned.value == 0.6
    assert Share().value is None


def test_what_too_few_matches_do_not_tell_is_not_told(tmp_path: Path) -> None:
    """Ends of intervals that lie far off are replaced by words, in the table and in the sentences."""
    hold(tmp_path / "few.db", kind="swiss", rounds=1, names=("ann", "bob", "eve", "joe"), calm=True)
    page, told = page_of(tmp_path / "few.db"), sentences(content_of(tmp_path / "few.db"), ENGLISH)
    assert page.count("not known yet</span>") == 4
    assert "there are not enough matches yet to tell" in page
    assert any("no better than ± 800 Elo" in sentence for sentence in told)
    assert not re.search(
        r"-\d{3,}|[3-9]\d{3}</span>", re.sub(r"<svg.*?</svg>|<style.*?</style>", "", page, flags=re.S)
    )
    assert "未定</span>" in page_of(tmp_path / "few.db", "ja")


@pytest.mark.parametrize(
    ("faults", "matches", "said"),
    [
        (15806, 100, "158 in each match"),
        (14, 10, "1.4 in each match"),
        (4, 4, "1 in each match"),
        (1, 300, "once in 300 matches"),
        (3, 4, "once in 1.3 matches"),
    ],
)
def test_how_often_a_bot_misbehaves(faults: int, matches: int, said: str) -> None:
    """Many faults are told by match, few by how many matches there are to one."""
    assert _how_often(faults, matches, ENGLISH) == said


def test_places_against_elo_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the order of places is not that of Elo, a sentence below the table names the bots."""
    monkeypatch.setattr(
        "dohyo.guests.reports.page.why_not_by_elo", lambda table, names, language: f"{names[0]} {table.placed_by}"
    )
    hold(tmp_path / "order.db", names=("ann", "bob", "eve"), rounds=1)
    assert '<p class="note">ann points</p>' in page_of(tmp_path / "order.db")
