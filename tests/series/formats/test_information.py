"""What a format says of itself is true of it, and nobody else names formats."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.contest import Fixture
from dohyo.i18n import Speaker
from dohyo.series.formats import Format, all_formats
from dohyo.series.telling.words import format_in
from tests.series.formats.contests import Case, batches, bots, play
from tests.series.formats.test_laws import OPTIONS, all_of, cases

# Who asks formats, and may not know them by name.
ASKERS = ("bench", "cli", "executors", "guests", "match", "series", "web")
# What of the package of formats others may import: what all formats are made of, and what is drawn; and the one
# format that a command of its own plays.
SHARED = ("base", "brackets", "comparison", "hills", "named", "points", "seeds")


def named(what: str) -> list[str]:
    """The formats that say this of themselves."""
    return [name for name, format_ in all_formats().items() if getattr(format_.info, what)]


def with_rounds(case: Case, rounds: int) -> Case:
    """The same contest with so many rounds."""
    return msgspec.structs.replace(case, rounds=rounds)


@pytest.mark.parametrize("name", sorted(all_formats()))
def test_a_format_bears_the_name_that_it_is_found_by(name: str) -> None:
    """A format's name stands in its information, and in the format at work."""
    assert all_formats()[name].info.name == name
    assert issubclass(all_formats()[name], Format)


NAMED = re.compile(r"^\| `([a-z-]+)`\((.+?)\) \|", re.M)


def test_formats_are_called_in_japanese_as_their_page_calls_them(root: Path) -> None:
    """Reports in Japanese say the page's word for a format; in English a format is called as it is typed."""
    told = dict(NAMED.findall((root / "docs" / "formats.ja.md").read_text(encoding="utf-8")))
    for name in all_formats():
        if name in told:
            assert format_in(name, Speaker("ja")) == told.pop(name)
        assert format_in(name, Speaker("en")) == name
    assert told == {}
    assert format_in("of-a-guest", Speaker("ja")) == "of-a-guest"


@given(cases(*named("ends"), coming_and_going=False))
def test_the_number_of_matches_is_known_before_they_are_played(case: Case) -> None:
    """Where a format tells its number of matches it is the right one, at every moment, if nobody comes or goes."""
    contest = case.make()
    contest.enter(case.entrants)
    told, sizes = [contest.matches_in_all([])], []
    for batch in batches(case, contest):
        sizes.append(len(batch))
        told.append(contest.matches_in_all(sizes))
    assert {number for number in told if number is not None} <= {sum(sizes)}


@pytest.mark.parametrize("name", sorted(all_formats()))
def test_a_format_without_end_tells_no_number_of_matches(name: str) -> None:
    """What does not end by itself has no number of matches."""
    contest = Case(name, (4, 4) if name == "king-of-the-hill" else (2, 2), 2, bots(4), OPTIONS.get(name, {})).make()
    if not contest.info.ends:
        assert contest.matches_in_all([]) is None
        assert contest.matches_in_all([8, 8]) is None


@given(cases(), st.integers(0, 3), st.integers(1, 40))
def test_an_open_batch_counts_where_a_format_says_so(case: Case, skipped: int, played: int) -> None:
    """With results of an open batch a standing is another one only where the format counts them; nothing is kept."""
    contest = case.make()
    for at, batch in enumerate(batches(case, contest)):
        if at == skipped:
            before = contest.standing(case.entrants)
            so_far = [result for result in play(batch, case)[:played] if result.places]
            now = contest.standing(case.entrants, so_far)
            if contest.info.counts_open_batch:
                assert sum(row.matches for row in now) == (
                    sum(row.matches for row in before) + sum(len(result.places) for result in so_far)
                )
            else:
                assert now == before
            assert contest.standing(case.entrants) == before
            return


@given(cases(*named("extends")), st.integers(1, 3))
def test_more_rounds_begin_with_the_ones_there_were(case: Case, more: int) -> None:
    """A contest that can be extended has the same first matches with more rounds, and more of them."""
    longer = with_rounds(case, case.rounds + more)
    contest = longer.make()
    contest.enter(case.entrants)
    known: list[Fixture] = []
    for batch in batches(case):
        contest.take(play(batch, case))
        known += batch
    added = [fixture for batch in batches(longer, contest) for fixture in batch]
    assert len({(fixture.seats, fixture.seed) for fixture in known + added}) == len(known) + len(added)
    if not any(entrant.until or entrant.absences or entrant.since for entrant in case.entrants):
        keys = [(fixture.seats, fixture.seed) for fixture in all_of(longer)]
        assert [(fixture.seats, fixture.seed) for fixture in known + added] == keys


@given(cases(*named("evens_out"), coming_and_going=False))
def test_matches_even_out_where_a_format_says_so(case: Case) -> None:
    """Where it says that matches even out, everybody has played equally often in the end."""
    sat = Counter(bot for fixture in all_of(case) for bot in fixture.seats)
    assert len({sat[entrant.number] for entrant in case.entrants}) == 1


@given(cases(*named("seats_all"), coming_and_going=False))
def test_a_match_seats_all_where_a_format_says_so(case: Case) -> None:
    """Where it says that matches seat all, each does."""
    assert {frozenset(fixture.seats) for fixture in all_of(case)} == {frozenset(range(len(case.entrants)))}


@given(cases(), st.integers(2, 5))
def test_a_format_draws_what_it_says(case: Case, stop: int) -> None:
    """A bracket or a hill is there at every moment where a format says that it draws one, and nowhere else."""
    contest, results = case.make(), []
    for at, batch in enumerate(batches(case, contest)):
        results += play(batch, case)
        if at == stop:
            break
    draws = contest.info.draws
    assert (contest.bracket(case.entrants) is not None) == (draws == "bracket")
    assert (contest.hill(results) is not None) == (draws == "hill")


@given(cases())
def test_ratings_of_matchmaking_are_told_where_bots_are_paired_by_them(case: Case) -> None:
    """A format that pairs by strength says what it takes a bot's strength for; the others take it for nothing."""
    contest = case.make()
    contest.enter(case.entrants)
    assert (contest.rating(0) is not None) == contest.info.paired


def test_places_that_go_by_strength_are_those_of_formats_that_pair_by_it() -> None:
    """Places by rating or by league follow from the ratings that are fitted to all results, others do not."""
    for format_ in all_formats().values():
        assert format_.info.paired == (format_.info.placed_by in ("rating", "league"))


def test_who_asks_formats_does_not_know_them_by_name(root: Path) -> None:
    """Above the formats no code holds a format's name or imports one: what is to be known a format says of itself.

    Where other programs' words are read, names are theirs; a site's contests are ladders, by their name.
    """
    names = set(all_formats())
    for path in (path for part in ASKERS for path in sorted((root / "src" / "dohyo" / part).rglob("*.py"))):
        if path.parent.name == "formats":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and {"arenas", "site", "site_client"}.isdisjoint(path.parts):
                assert node.value not in names, f"{path}:{node.lineno}: {node.value}"
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dohyo.series.formats."):
                assert node.module in [f"dohyo.series.formats.{each}" for each in SHARED], f"{path}:{node.lineno}"
