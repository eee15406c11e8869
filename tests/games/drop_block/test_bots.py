"""The sample bots: each in its language, as real programs, on what the contest's referee really sent."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dohyo import bots
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.flat import Layout
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay, faults_of
from dohyo.games.drop_block import GAME
from dohyo.games.drop_block.careful import FIELDS
from dohyo.games.drop_block.survival import SKILLED, survival
from dohyo.match.play import play_match
from tests import skips
from tests.conformance.recordings import SLICES, recorded_games

FOLDER = Path(GAME.folder) / "bots"
NEEDS = {".py": None, ".cpp": "g++", ".java": "javac", ".js": "node"}
ALL = sorted(path.name for path in FOLDER.iterdir() if path.is_file())
RANDOM = [name for name in ALL if name.lower().startswith("random.")]

ORDERS = ("row-column", "column-row")
MIND = Layout("Mind", *FIELDS)
PATIENCE = 100  # seconds until a bot counts as hanging; no test depends on how much less it takes
SLOW = Clock(turn=PATIENCE, ready=PATIENCE)


@cache
def inputs() -> list[bytes]:
    """What players were sent in a recorded game of 1000 turns; in some they had fallen, or were stunned."""
    games = recorded_games(SLICES / "drop-block.jsonl.gz")
    longest = max(games, key=lambda game: len(game["inputs"]))
    return [f"{text}\n".encode() for text in longest["inputs"]]


def resolved(name: str) -> Bot:
    """A sample bot, built; skips the test where its language is missing."""
    need = NEEDS[Path(name).suffix]
    if need is not None:
        skips.program(need)
    return bots.resolve([str(FOLDER / name)])[0]


def answers(bot: Bot, said: bytes, seed: int | None = 1) -> bytes:
    """What the bot prints for this input, to the last byte; it must end by itself, content and without complaint."""
    environment = {name: value for name, value in os.environ.items() if name != "DOHYO_SEED"}
    if seed is not None:
        environment["DOHYO_SEED"] = str(seed)
    done = subprocess.run(
        bot.command, cwd=bot.folder, env=environment, input=said, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def four(name: str, seed: int) -> Replay:
    """A short match of four of them."""
    resolved(name)
    return play_match(GAME, [str(FOLDER / name)] * 4, seed=seed, setup={"turns": 100}, clock=SLOW)


@cache
def one(name: str) -> Replay:
    """One such match, for all tests that look at it."""
    return four(name, 7)


def letters(replay: Replay) -> str:
    """All that was answered."""
    return "".join(move.action for turn in replay.turns for move in turn.moves)


def test_every_language_is_there() -> None:
    """A newcomer finds `random` in four languages, and `hunter` and `trapper` in one."""
    assert {Path(name).suffix for name in RANDOM} == set(NEEDS)
    assert set(ALL) - set(RANDOM) == {"hunter.py", "trapper.py"}


@pytest.mark.parametrize("name", ALL)
def test_it_speaks_the_protocol_to_the_byte(name: str) -> None:
    """READY, then one of the six letters and a newline for each input, nothing else; the end of input ends it."""
    said = answers(resolved(name), b"".join(inputs()))
    assert re.fullmatch(rb"READY\n([URDLAN]\n){%d}" % len(inputs()), said), said[:200]


@pytest.mark.parametrize("name", ALL)
def test_an_input_that_breaks_off_ends_it_quietly(name: str) -> None:
    """Wherever in a turn the input ends, the bot has answered the turns before, and ends without complaint."""
    bot = resolved(name)
    for line in (0, 1, 5, 10, 12):
        begun = b"".join(inputs()[1].splitlines(keepends=True)[:line])
        assert re.fullmatch(rb"READY\n[URDLAN]\n", answers(bot, inputs()[0] + begun)), f"broken off at line {line}"


@pytest.mark.parametrize("name", ALL)
def test_it_answers_before_the_next_input(name: str) -> None:
    """In a match, where each input comes only after the answer to the last, no bot commits a fault."""
    replay = one(name)
    assert [faults_of(replay.turns, seat) for seat in range(4)] == [[]] * 4
    assert not replay.result.last


@pytest.mark.parametrize("name", RANDOM)
def test_random_draws_each_letter_equally_often(name: str) -> None:
    """The six letters come equally often: chi-square of 3000 letters below what one seed in 5000 exceeds."""
    bot = resolved(name)
    said = b"".join(answers(bot, b"".join(inputs()[:1000]), seed).split(b"\n", 1)[1] for seed in (1, 2, 3))
    count = Counter(said.split())
    expected = count.total() / 6
    assert count.total() == 3000
    assert sum((count[letter] - expected) ** 2 / expected for letter in (b"U", b"R", b"D", b"L", b"A", b"N")) < 24


@pytest.mark.parametrize("name", RANDOM)
def test_without_a_seed_random_never_plays_the_same_again(name: str) -> None:
    """Where nobody gives a seed, chance does."""
    bot, said = resolved(name), b"".join(inputs()[:100])
    assert answers(bot, said, None) != answers(bot, said, None)


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    """A match can be played again letter by letter; with another seed it is another match."""
    first, again, other = one(name), four(name, 7), four(name, 8)
    assert [turn.digest for turn in again.turns] == [turn.digest for turn in first.turns]
    assert letters(other) != letters(first)


@pytest.mark.parametrize("name", RANDOM)
def test_the_seats_of_a_match_draw_different_letters(name: str) -> None:
    """Each seat has a seed of its own: four of the same bot do not move in step."""
    said = letters(one(name))
    assert len({said[seat::4][: len(said) // 4] for seat in range(4)}) == 4


@pytest.mark.parametrize("name", ["hunter.py", "trapper.py"])
def test_it_finds_out_which_number_is_the_row(name: str) -> None:
    """Told in either order, a match gets the same answers from the first step on that it has seen."""
    referee = Referee(GAME, resolve(GAME.options, {}), 4, seed=6)
    told: dict[str, list[bytes]] = {order: [] for order in ORDERS}
    draw, known_at = random.Random(6), 0
    while not referee.over and len(told["row-column"]) < 40:
        (seat,) = referee.pending()
        if seat == 2:
            for first, order in enumerate(ORDERS):
                referee.state.column_first = first
                told[order].append(referee.prompt(seat))
        before = list(zip(referee.state.row, referee.state.column, strict=True))
        referee.submit({seat: Answer(draw.choice("URDLN"))})
        known_at = known_at or (before != list(zip(referee.state.row, referee.state.column, strict=True))) * len(
            told["row-column"]
        )
    row, column = (answers(resolved(name), b"".join(told[order])).split() for order in ORDERS)
    assert len(row) == 41
    assert 0 < known_at < 3
    assert row[known_at + 1 :] == column[known_at + 1 :]
    assert len(set(row)) > 3


def test_hunter_thinks_no_longer_where_blocks_fall_late() -> None:
    """It looks as often at blocks that fall in 99 turns, as a setup may have them, as at those of an attack."""

    class Counting(list[int]):
        looks = 0

        def __getitem__(self, at: Any) -> Any:
            Counting.looks += 1
            return super().__getitem__(at)

    def looks(falls: int) -> int:
        Counting.looks = 0
        setup = {"players": "4,4,U/4,13,D/13,4,L/13,13,R", "blocks": ",".join([str(falls)] * 36)}
        state = GAME.new_state(resolve(GAME.options, setup), 4)
        state.block = Counting(state.block)
        for who in range(4):
            survival(state, who, SKILLED, MIND.new())
        return Counting.looks

    assert looks(99) <= 2 * looks(23)


@pytest.mark.parametrize("order", ORDERS)
def test_hunter_beats_three_randoms(order: str, root: Path, full: bool) -> None:
    """It wins most of some matches, and at least 85 % of 200 at full size, from all seats, in both orders."""
    matches, least = (200, 170) if full else (6, 4)
    words = ["drop-block", "hunter", "random", "random", "random", "--matches", str(matches), "--seed", "1"]
    words += ["--setup", f"position_order={order}"]
    done = subprocess.run(
        [sys.executable, root / "benchmarks" / "strength.py", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    closing = re.fullmatch(r"wins=(\d+) share=[\d.]+ low=[\d.]+ high=[\d.]+", done.stdout.splitlines()[-1])
    assert closing, done.stdout
    assert int(closing[1]) >= least, done.stdout
    assert "faults: none" in done.stdout
