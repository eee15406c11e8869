"""What a game offers to whoever plays it: legal actions as a collection, prompts, clocks, being found by name."""

from __future__ import annotations

import importlib
import inspect
import pydoc
import re
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

import dohyo
from dohyo import classics, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, usual_seats
from dohyo.core.options import resolve
from dohyo.languages.language import Language
from dohyo.series.store.records import Block
from tests.core.heap import HEAP


def test_legal_actions_are_a_collection() -> None:
    """One iterates over them, counts them, asks whether an action is in; nothing of the buffer behind them shows."""
    state = HEAP.new_state(resolve(HEAP.options, {"sticks": 2}), 2)
    legal = HEAP.legal_actions(state, 0)
    assert list(legal) == [1, 2]
    assert len(legal) == 2
    assert (legal[0], legal[-1], legal[:]) == (1, 2, [1, 2])
    assert 2 in legal
    assert 0 not in legal
    assert 3 not in legal
    assert "2" not in legal
    with pytest.raises(IndexError):
        legal[2]
    state.sticks = 1
    assert list(legal) == [1, 2], "a collection holds what was legal when it was asked for"


def test_a_prompt_is_bytes_of_its_own() -> None:
    """What a seat is sent does not change with the next prompt."""
    state = HEAP.new_state(resolve(HEAP.options, {"sticks": 12}), 2)
    first = HEAP.prompt(state, 0)
    state.sticks = 3
    assert (first, HEAP.prompt(state, 0)) == (b"12\n0\n", b"3\n0\n")


def test_the_first_turn_may_take_longer() -> None:
    """A clock has one limit for a player's first turn, if it says so, and one for all others."""
    assert [Clock(turn=0.5, first=2.0).limit(is_first) for is_first in (True, False)] == [2.0, 0.5]
    assert [Clock(turn=0.5).limit(is_first) for is_first in (True, False)] == [0.5, 0.5]


def test_games_are_found_by_their_names() -> None:
    """Every game is found under its name; an unknown one is refused with those that there are."""
    for name, game in games.all_games().items():
        assert games.find(name) is game
        assert name == game.name
        assert list(game.clocks), "a game has a clock"
        assert game.seats[0] <= game.seats[1]
    with pytest.raises(OperatorError, match=r"no game 'drop-blok' \('drop-block'\?\)") as caught:
        games.find("drop-blok")
    assert "drop-block" in str(caught.value)


@pytest.mark.parametrize("name", sorted({*games.all_games(), *classics.NAMES}))
def test_a_state_without_a_setup_has_the_usual_one(name: str) -> None:
    """What a setup lacks has its option's default."""
    game = games.find(name)
    seats = usual_seats(game)
    usual = game.new_state(resolve(game.options, {}, game.catalogue), seats)
    layout = game.rules.LAYOUT
    assert layout.pack(game.new_state({}, seats)) == layout.pack(usual)


def test_a_setup_that_lacks_something_is_checked_and_a_whole_one_is_taken_as_it_is() -> None:
    """Matches begin with whole setups, and pay for no second reading."""
    with pytest.raises(OperatorError, match="stick"):
        HEAP.new_state({"stick": 3}, 2)
    assert HEAP.new_state({option.name: 3 for option in HEAP.options} | {"other": 1}, 2).sticks == 3


def structs(kind: type) -> list[type]:
    """All kinds below this one that are loaded, and are Dohyo's."""
    below = [each for one in kind.__subclasses__() for each in (one, *structs(one))]
    return [one for one in below if one.__module__.startswith("dohyo.")]


def load_all_structs() -> None:
    """Load each module that defines a struct, below this one or another kind of struct."""
    folder = Path(dohyo.__file__).parent
    defines = re.compile(r"^class \w+\((?:[^)]*\b)?(?:msgspec\.Struct|Struct|Request)\b", re.MULTILINE)
    for path in sorted(folder.rglob("*.py")):
        if defines.search(path.read_text(encoding="utf-8")):
            parts = path.relative_to(folder).with_suffix("").parts
            with suppress(ImportError):  # of an extra that is not installed here
                importlib.import_module(".".join(("dohyo", *(part for part in parts if part != "__init__"))))


def test_help_tells_of_every_struct() -> None:
    """`help(type(game))` reads all annotations, also those of what is loaded only by those who need it."""
    assert "adjudicator" in pydoc.render_doc(type(games.find("drop-block")), renderer=pydoc.plaintext)
    load_all_structs()
    found = structs(msgspec.Struct)
    assert {Game, Language, Block} <= set(found)
    assert "CheckReport" in {one.__name__ for one in found}  # which nothing here has loaded otherwise
    for one in found:
        assert inspect.signature(one).parameters is not None, one
