"""What a seat is sent, read by the description in `starter.py`: what a bot's class is given of it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo import games
from dohyo.core.described import Description, Place, description_of
from dohyo.core.reader import Reader
from dohyo.core.starter import (
    FixedLine,
    Line,
    Message,
    Messages,
    NamedRows,
    Number,
    NumberRows,
    Places,
    Record,
    Records,
    Starter,
    TextRows,
    Word,
)
from dohyo.games import find
from dohyo.guests.starters.language import language
from dohyo.guests.starters.skeleton import Skeleton
from dohyo.laws.of_readings import described, observed
from tests.conformance.test_starters import games_of

PAIR = Record("Pair", "Two numbers.", (Number("left", ""), Number("right", "")))
ALL_PARTS = Starter(
    start=(Line((Number("size", ""),)),),
    turn=(
        Line((Number("number", ""), Word("sign", "", 1))),
        NumberRows("table", "", 2, 3),
        Records("pairs", "", PAIR, 9, "size"),
        Records("more", "", PAIR, 9),
        TextRows("rows", "", 9, 9, 2),
        Places("me", "", "rows", "s", 1, single=True),
        Places("others", "", "rows", "e", 9),
        FixedLine("END"),
        NamedRows("go", "", 1, 2, 1, varies=True),
    ),
    listed="go",
)
FIRST = ["1", "7 x", "1 2 3", "4 5 6", "3 -4", "2", "1 1", "2 2", "e.s", "..e", "END", "go 0 1"]
SECOND = ["8 y", "0 0 0", "0 0 0", "5 6", "0", "...", "...", "END", "go 1"]
ONE_FILE = '''"""Told: a prompt of its own, and what it is."""
from dohyo.core.flat import Layout
from dohyo.core.starter import Line, NamedRows, Number, Starter
ACTIONS = 2
LAYOUT = Layout("Told", ("turn", "i2", 0), ("ended", "i1", 0))
def is_legal(s, seat, action): return True
def step(s, actions, events):
    s.turn += 1
    s.ended = actions[(s.turn - 1) % 2]
def winner(s): return s.turn % 2
PROMPT_BYTES = 64
def prompt(s, seat, buffer):
    buffer[0] = 48 + s.turn % 10
    text = b"\\ngo 0 1\\n"
    for i in range(len(text)):
        buffer[i + 1] = text[i]
    return len(text) + 1
def starter(setup):
    return Starter(turn=(Line((Number("last_digit", "of the turn"),)), NamedRows("go", "", 1, 2, 1)), listed="go")
'''


def game_with(starter: Starter, **more: Any) -> Any:
    """A game of which nothing is known but what it sends."""
    protocol = SimpleNamespace(read={"0": 0, "1": 1}.get)
    facts = {"name": "any", "options": (), "catalogue": {}, "reading": None, **more}
    return SimpleNamespace(starter=lambda setup: starter, protocol=protocol, **facts)


def take(reader: Reader, lines: list[str]) -> Any:
    """The observation of a prompt, which is whole by its last line and not before."""
    *early, seen = [reader.take(line) for line in lines]
    assert early == [None] * len(early)
    return seen


def test_every_part_is_a_field() -> None:
    """Without a `reading.py` an observation has the description's names; the start stays known; places are found."""
    reader = Reader(game_with(ALL_PARTS))
    seen = take(reader, FIRST)
    assert (seen.size, seen.number, seen.sign, seen.table) == (1, 7, "x", ((1, 2, 3), (4, 5, 6)))
    assert (seen.pairs, seen.more, seen.pairs[0].right) == (((3, -4),), ((1, 1), (2, 2)), -4)
    assert (seen.rows, seen.me, seen.others) == (("e.s", "..e"), Place(0, 2), (Place(0, 0), Place(1, 2)))
    assert (seen.legal_actions, seen.own_turn, seen.lines) == (("0", "1"), 0, tuple(FIRST))
    later = take(reader, SECOND)
    assert (later.size, later.pairs, later.more, later.me) == (1, ((5, 6),), (), (-1, -1))
    assert (later.legal_actions[0].number, later.own_turn) == (1, 1)


def test_what_is_read_makes_the_same_lines() -> None:
    """A description writes what it has read as it was sent."""
    description = Description(ALL_PARTS, lambda word: 0)
    start = {"size": described(description, None, FIRST)["size"]}
    described(description, start, SECOND)
    for wrong in (FIRST[:-1], [*FIRST, "more"]):
        with pytest.raises(AssertionError, match="described as"):
            described(description, None, wrong)
    with pytest.raises(AssertionError, match="more than 9 more"):
        described(description, None, [*FIRST[:5], "10", *["1 1"] * 10, *FIRST[8:]])


@pytest.mark.parametrize(
    ("at", "line", "why"),
    [
        (0, "one", "invalid literal"),
        (1, "7", "2 belong on the line, not 1"),
        (2, "1 2", "3 belong on the line, not 2"),
        (4, "3 4 5", "2 belong on the line, not 3"),
        (10, "EOD", "it should be 'END'"),
        (11, "go 2", "'2' is no action"),
    ],
)
def test_another_line_is_named(at: int, line: str, why: str) -> None:
    """A line that is not as the game describes it is said, with its number and what is wrong with it."""
    reader = Reader(game_with(ALL_PARTS))
    with pytest.raises(ValueError, match=f"^line {at + 1} of what was sent, '{line}', is not as .*{why}"):
        take(reader, [*FIRST[:at], line])


def test_a_name_stands_for_one_thing() -> None:
    """No field may be there twice, or hide what every observation has."""
    for name in ("number", "lines", "legal_actions", "state"):
        twice = Line((Number("number", ""), Number(name, "")))
        with pytest.raises(ValueError, match=f"'{name}' is in the description twice"):
            Reader(game_with(Starter(turn=(twice,))))


def test_a_reading_needs_something_to_read() -> None:
    """A `reading.py` that reads no lines by itself needs the description."""
    game = game_with(ALL_PARTS, reading=SimpleNamespace(observation_of=lambda sent, before, answered: sent))
    assert take(Reader(game), FIRST).size == 1
    game.starter = None
    with pytest.raises(TypeError, match="the reading of the game any has no `read`, and no `starter`"):
        Reader(game)


def test_a_message_may_want_no_answer() -> None:
    """The lines of `arena`'s operator, and those that end a combat, are no turns: a bot's class is not asked then."""
    reader = Reader(find("shoot-em-up"))
    seen = take(reader, ["P 3 4"])
    assert (seen.x, seen.y, seen.own_turn) == (3, 4, 0)
    reader.answered("M 1 0")
    assert [reader.take(line) for line in ("D look out", "D")] == [None, None]
    seen = take(reader, ["H 0 -1"])
    assert (seen.x, seen.own_turn, seen.hits, seen.hit_from) == (4, 1, 1, (0, -1))
    assert reader.take("L") is None
    assert take(reader, ["P 9 9"]).hits == 0
    numbers = Message("A", "", (Number("x", ""),))
    other = Reader(game_with(Starter(turn=(Messages((numbers, Message("B", ""))),))))
    assert [(take(other, [line]).kind, take(other, [line]).x) for line in ("A 5", "B")] == [("A", 5), ("B", 0)]
    with pytest.raises(ValueError, match="it should begin with one of A, B"):
        other.take("C")


def test_a_file_of_rules_may_describe_its_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a prompt of its own and `starter`, a game in one file has programs to begin from and named fields."""
    file = tmp_path / "told_game.py"
    file.write_text(ONE_FILE)
    monkeypatch.setitem(sys.modules, "told_game", None)  # whatever is there afterwards goes with this
    del sys.modules["told_game"]
    game = games.load(file)
    state = game.new_state({}, 2)
    state.turn = 13
    seen: Any = observed(game, Reader(game), game.prompt(state, 1))
    assert (seen.last_digit, seen.legal_actions) == (3, ("0", "1"))
    assert game.starter is not None
    assert "last_digit: int  # of the turn" in Skeleton(language("python"), game, game.starter({})).source()


def test_drop_blocks_protocol_writes_what_was_recorded(full: bool) -> None:
    """What an original referee sent, read by the description, is a state of which the protocol writes the same."""
    game, count = find("drop-block"), 0
    for recording in games_of("drop-block", full):
        reader = Reader(game, {"position_order": "column-row"})
        for text in recording["inputs"][:: 1 if full else 7]:
            seen = take(reader, text.split("\n"))
            assert game.prompt(seen.state(), seen.seat).decode() == f"{text}\n"
            count += 1
    assert count > 500


def test_wondev_womans_observation_is_what_was_recorded(full: bool) -> None:
    """Of each recorded input an observation has the board, the units and the actions, as they stand there."""
    game, count = find("wondev-woman"), 0
    for recording in games_of("wondev-woman", full):
        told = {"league": recording["league"]}
        reader, beginning, before = Reader(game, told), recording["init"], None
        description = description_of(game, {})
        for turn in recording["turns"][:: 1 if full else 7]:
            lines = [str(line) for line in (*beginning, *turn["input"])]
            seen = take(reader, lines)
            values = described(description, before, lines)
            before, beginning = {"size": seen.size, "units": seen.units}, []
            board, (own, enemies) = lines[-len(turn["input"]) :][: seen.size], (values["own"], values["enemies"])
            assert ["".join("." if height < 0 else str(height) for height in row) for row in seen.heights] == board
            assert (seen.own, [cell or (-1, -1) for cell in seen.enemies]) == (own, list(enemies))
            assert seen.legal_actions == values["legal_actions"] or [*seen.legal_actions] == ["NO-MOVE"]
            count += 1
    assert count > 150
