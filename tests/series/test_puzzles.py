"""Puzzles as values and files: held to the rules, read within bounds, rated by who solves them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Referee
from dohyo.i18n import ENGLISH
from dohyo.series.puzzles import file
from dohyo.series.puzzles.file import Attempt, Written, is_puzzle_file, read
from dohyo.series.puzzles.puzzle import Other, Puzzle, as_replay, position_of
from dohyo.series.puzzles.ratings import PuzzleRatings
from dohyo.series.puzzles.telling import judged
from tests.guests.puzzles.positions import GAME, LAYOUT, drawn, puzzle_of


@pytest.fixture
def puzzle() -> Puzzle:
    """Some position with some legal action as its solution."""
    (state,) = drawn(1, range(4, 5))
    return puzzle_of(state, GAME.legal_actions(state, state.turn % 2)[0])


def test_a_puzzle_is_read_as_it_was_written(tmp_path: Path, puzzle: Puzzle) -> None:
    """With its tries and the matches that were looked through, also when it is added to later."""
    path = str(tmp_path / "p.jsonl")
    with Written(path) as written:
        written.add(puzzle)
        written.add_looked("a match")
    with Written(path) as written:
        assert written.known.puzzles == [puzzle]
        written.add_attempt(Attempt("0" * 16, "ada", True))
    found = read(path)
    assert (found.puzzles, found.looked, found.left_out) == ([puzzle], {"a match"}, 0)
    assert found.attempts == [Attempt("0" * 16, "ada", True)]
    assert is_puzzle_file(path)


@pytest.mark.parametrize(
    "line",
    [
        b"no JSON",
        b'{"puzzle": 3}',
        b'{"puzzle": {"game": "connectx"}}',
        b'{"try": {"puzzle": "../../x", "by": "ada", "solved": true}}',
        b"[" * 5000,
        b'{"puzzle": ' + b'{"state": ' * 40 + b"1" + b"}" * 41,
        b'{"looked": "' + b"x" * 5000 + b'"}',
        b'"' + b"x" * (file.MAX_LINE + 1) + b'"',
        b"\xff\xfe",
    ],
    ids=range(9),
)
def test_a_strangers_line_that_cannot_be_read_is_left_out(tmp_path: Path, puzzle: Puzzle, line: bytes) -> None:
    """It is counted, and those around it are read."""
    path = tmp_path / "p.jsonl"
    whole = msgspec.json.encode({"puzzle": puzzle})
    path.write_bytes(b"\n".join([b'{"dohyo-puzzles": 1}', whole, line, whole]))
    found = read(str(path))
    assert (len(found.puzzles), found.left_out) == (2, 1)
    assert not found.attempts


def test_no_seat_is_given_anothers_action() -> None:
    """Where all act at once, a stranger's file may name an answer: it is not played through the rules to tell it."""
    game = games.find("battlesnake")
    setup = resolve(game.options, {})
    state = Referee(game, setup, 2, 1).state
    right, wrong, *_ = map(game.protocol.text, game.legal_actions(state, 0))
    position = position_of(
        Puzzle(
            game=game.name,
            rules=game.version,
            setup=setup,
            seats=2,
            seat=0,
            state=game.rules.LAYOUT.as_dict(state),
            solution=right,
            how="proven",
            others=(Other(wrong, "loss", "anything"),),
        )
    )
    said = judged(position, wrong, ENGLISH).told["why"]
    assert said
    assert "anything" not in said


def test_a_file_of_very_many_lines_takes_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines are not all there at once, and of too many only the first are looked at; the others are counted."""
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"dohyo-puzzles": 1}\n' + b"ab\n" * 200_000 + b"c")
    monkeypatch.setattr(file, "MAX_LINES", 10)
    tracemalloc.start()
    try:
        assert read(str(path)).left_out == 200_001
        assert tracemalloc.get_traced_memory()[1] < 4 * path.stat().st_size
    finally:
        tracemalloc.stop()


def test_of_too_many_puzzles_the_first_are_read(
    tmp_path: Path, puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are counted as left out, and tries behind them are read."""
    path = tmp_path / "p.jsonl"
    whole = msgspec.json.encode({"puzzle": puzzle})
    tried = msgspec.json.encode({"try": Attempt("0" * 16, "ada", True)})
    path.write_bytes(b"\n".join([b'{"dohyo-puzzles": 1}', whole, whole, whole, tried, b""]))
    monkeypatch.setattr(file, "MAX_PUZZLES", 2)
    found = read(str(path))
    assert (len(found.puzzles), len(found.attempts), found.left_out) == (2, 1, 1)


def test_another_file_is_refused_and_not_added_to(tmp_path: Path) -> None:
    """Whatever does not say in its first line that it holds puzzles."""
    path = tmp_path / "notes.txt"
    path.write_text("mine\n")
    for opens in (read, Written):
        with pytest.raises(OperatorError, match="holds no puzzles"):
            opens(str(path))
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": 99},
        {"seats": 7},
        {"seat": 1},
        {"setup": {"rows": 99}},
        {"setup": {"colour": "red"}},
        {"state": {}},
        {"solution": "9"},
        {"solution": "rm -rf"},
        {"game": "no-such-game"},
    ],
)
def test_what_the_rules_do_not_take_is_refused(puzzle: Puzzle, changes: dict[str, Any]) -> None:
    """Before any rule is run over it."""
    with pytest.raises(OperatorError):
        position_of(msgspec.structs.replace(puzzle, **changes))


@pytest.mark.parametrize(("field", "value"), [("rows", 127), ("ended", 1), ("filled", [9] * 10), ("turn", -5)])
def test_a_state_that_no_match_comes_to_is_refused(puzzle: Puzzle, field: str, value: Any) -> None:
    """Numbers outside their ranges, a match that is over, a seat that is not to move."""
    state = {**puzzle.state, field: value}
    with pytest.raises(OperatorError):
        position_of(msgspec.structs.replace(puzzle, state=state))


def test_its_replay_is_one(puzzle: Puzzle) -> None:
    """What is made of it for bots follows from the rules, and begins with its position."""
    position = position_of(puzzle)
    replay = as_replay(position)
    assert verify(GAME, replay) == 1
    assert LAYOUT.from_dict(replay.header.start or {}).turn == position.state.turn
    assert position_of(puzzle).id == position.id


def test_who_solves_more_is_rated_higher_and_only_first_tries_count() -> None:
    """A rating says how sure it is; few tries say nothing that could be told."""
    tries = [Attempt(f"{at:016x}", who, who == "ada" or at % 4 == 0) for at in range(60) for who in ("ada", "bob")]
    ratings = PuzzleRatings(tries)
    ada, bob = ratings.of_solver("ada"), ratings.of_solver("bob")
    assert ada is not None
    assert bob is not None
    assert ada.low > bob.high
    assert bob.is_known
    again = PuzzleRatings([*tries, *(msgspec.structs.replace(one, solved=True) for one in tries)])
    assert again.of_solver("bob") == bob
    few = PuzzleRatings(tries[:4]).of_solver("bob")
    assert few is not None
    assert not few.is_known
    hard, easy = ratings.of_puzzle(f"{1:016x}"), ratings.of_puzzle(f"{4:016x}")
    assert hard is not None
    assert easy is not None
    assert hard.points > easy.points


def test_a_bot_of_the_same_name_is_somebody_else() -> None:
    """People and bots are rated apart."""
    ratings = PuzzleRatings([Attempt("0" * 16, "ada", True), Attempt("0" * 16, "ada", False, is_bot=True)])
    person, bot = ratings.of_solver("ada"), ratings.of_solver("ada", is_bot=True)
    assert person is not None
    assert bot is not None
    assert person.points > bot.points
