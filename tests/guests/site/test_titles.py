"""Titles of ladders and contests: no two that are played have the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import open_site
from dohyo.series.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A site's database."""
    opened = open_site(str(tmp_path / "site.db"))
    yield opened
    opened.close()


@pytest.fixture
def teacher(database: Database) -> Person:
    """Who makes ladders."""
    return accounts.sign_up(database, "Ann", "correct horse", "here")


def refused(database: Database, by: Person, title: str) -> str:
    """The key of the error with which such a title is refused; empty where it is taken."""
    try:
        ladders.make(database, by, "othello", title)
    except OperatorError as error:
        return error.key
    return ""


def test_no_two_have_one_title(database: Database, teacher: Person) -> None:
    """Capitals and blanks tell nobody apart; of one that is retired the title is free."""
    cup = ladders.make(database, teacher, "hex", "Spring cup")
    assert refused(database, teacher, "Spring cup") == "serve-title-taken"
    assert refused(database, teacher, "spring  CUP") == "serve-title-taken"
    assert refused(database, teacher, "Autumn cup") == ""
    ladders.change(database, teacher, cup, "retire", lambda ladder: {"retired": time()})
    assert refused(database, teacher, "Spring cup") == ""
    with pytest.raises(OperatorError, match="There is a ladder or contest 'Spring cup' here already"):
        ladders.change(database, teacher, cup, "return", lambda ladder: {"retired": None})
    ladders.change(database, teacher, cup, "rename", lambda ladder: {"title": "Old cup"})
    ladders.change(database, teacher, cup, "return", lambda ladder: {"retired": None})


def test_one_that_is_renamed_takes_nobodys_title(database: Database, teacher: Person) -> None:
    """Its own it keeps, also written otherwise."""
    cup = ladders.make(database, teacher, "hex", "Spring cup")
    ladders.make(database, teacher, "othello", "Autumn cup")
    with pytest.raises(OperatorError) as error:
        ladders.change(database, teacher, cup, "rename", lambda ladder: {"title": "Autumn Cup"})
    assert error.value.key == "serve-title-taken"
    ladders.change(database, teacher, cup, "rename", lambda ladder: {"title": "Spring Cup"})
    assert [each.title for each in ladders.every(database)] == ["Spring Cup", "Autumn cup"]


def test_those_without_a_title_are_numbered(database: Database, teacher: Person) -> None:
    """They are called like the game, as their addresses are."""
    for _ in range(3):
        ladders.make(database, teacher, "othello")
    assert [each.title for each in ladders.every(database)] == ["Othello", "Othello 2", "Othello 3"]
    assert [each.slug for each in ladders.every(database)] == ["othello", "othello-2", "othello-3"]
