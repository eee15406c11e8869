"""Tests of the names that files of a folder keep when a contest goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core.bot_spec import HandIn
from dohyo.series.hand_ins import under_old_names
from dohyo.series.roster import BuiltBot
from dohyo.series.spec import Contender

Noted = tuple[str, str]  # a name, and the file that it was noted with


def contender(name: str, file: str) -> Contender:
    """A bot of the folder."""
    return Contender(name, HandIn(f"/bots/{file}"))


def named(begun: list[Noted], joined: list[Noted], found: list[Noted]) -> tuple[dict[str, str], list[str]]:
    """The names under which the files that are `found` now play, and what is told."""
    stored: Any = SimpleNamespace(
        bots=tuple(contender(*each) for each in begun),
        joined=tuple(contender(*each) for each in joined),
        renamed={},
    )
    bot: Any = None
    told: list[str] = []
    built, given = under_old_names(
        stored,
        [  # without a row in the list of names it has that of its file
            BuiltBot(contender(*each), bot, of_folder=True, calls_itself=each[0] == Path(each[1]).stem)
            for each in found
        ],
        lambda key, **details: told.append(key),
    )
    told += [f"{old} > {new}" for old, new in given.items()]
    return {each.contender.path.rpartition("/")[2]: each.contender.name for each in built}, told


@pytest.mark.parametrize(
    ("begun", "joined", "found", "names", "told"),
    [
        # A row for its file was added to the file of names, or corrected: it is called so from now on.
        ([("fay", "fay.py")], [], [("Fay", "fay.py")], {"fay.py": "Fay"}, ["fay > Fay"]),
        ([], [("late", "s9.py")], [("Late", "s9.py")], {"s9.py": "Late"}, ["late > Late"]),
        # The row has gone.
        ([("Fay", "fay.py")], [], [("fay", "fay.py")], {"fay.py": "Fay"}, ["names.stay"]),
        # A second name for the same file is not the first one's.
        ([("ann", "ann.py")], [("ann2", "ann.py")], [("ann", "ann.py")], {"ann.py": "ann"}, []),
        # A stranger's file takes nobody's name.
        ([("ann", "s1.py")], [], [("s1", "s1.py"), ("ann", "ann.py")], {"s1.py": "ann", "ann.py": "ann.py"}, None),
        # One name, two files: it plays from the newer one, and nobody else's name is lost.
        (
            [("ann", "s1.py"), ("bob", "s2.py")],
            [("ann", "s1b.py")],
            [("s1", "s1.py"), ("s1b", "s1b.py"), ("s2", "s2.py")],
            {"s1b.py": "ann", "s2.py": "bob"},
            None,
        ),
        # The newer one is not here any more.
        ([("ann", "s1.py")], [("ann", "s1b.py")], [("s1", "s1.py")], {"s1.py": "ann"}, None),
    ],
)
def test_a_file_keeps_the_name_that_it_had_first(
    begun: list[Noted], joined: list[Noted], found: list[Noted], names: dict[str, str], told: list[str] | None
) -> None:
    """Whatever else lies in the folder; only a file of names calls it otherwise."""
    got, said = named(begun, joined, found)
    assert got == names
    assert told is None or said == told


@pytest.mark.parametrize(
    ("file", "calls_itself", "name"),
    [("ann.cpp", True, "ann"), ("s2.py", False, "ann"), ("s2.py", True, "s2.py"), ("s2", True, "s2")],
)
def test_who_only_says_so_is_nobody_else(file: str, calls_itself: bool, name: str) -> None:
    """Where Ann's file is gone, another with her name is her next version, not one whose `bot.toml` has that name.

    One that the operator calls so is, too.
    """
    stored: Any = SimpleNamespace(bots=(contender("ann", "ann.py"),), joined=(), renamed={})
    bot: Any = None
    new = BuiltBot(contender("ann", file), bot, of_folder=True, calls_itself=calls_itself)
    (built,), _ = under_old_names(stored, [new], lambda key, **details: None)
    assert built.contender.name == name
