"""aBOTcalypse's sample bot `sensei`: what it makes of views, how long it lives, and that it plays as a program."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Answer, Referee
from dohyo.games.abotcalypse import GAME
from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, LAYOUT, POST, WIDTH, holds_rock
from dohyo.games.abotcalypse.rules import step
from dohyo.match.play import play_match
from dohyo.search import ahead
from dohyo.search.bot import AHEAD
from dohyo.search.of_program import FOLDER as FOLDER_OF_CACHE
from tests.games import thinking
from tests.games.abotcalypse.boards import board, play, where

FOLDER = Path(GAME.folder) / "bots" / "sensei"
OTHERS = ("shelter", "builder", "builder", "thrower", "rest", "random", "shelter")
TURNS = 90
UNHURRIED = Clock(turn=60)
ONE_WORKER = pytest.mark.xdist_group("sensei-abotcalypse")  # which builds the bot, and not each of them


@pytest.fixture(scope="session")
def sensei(survival: ModuleType) -> ModuleType:
    """The bot's main module."""
    found: ModuleType = survival.module("sensei")
    return found


# --- what it sees


def looked_at(
    survival: ModuleType, sensei: ModuleType, rules: str, seed: int, kinds: Sequence[str] = OTHERS
) -> Iterator[tuple[Any, Any, Any]]:
    """A game in which bot 0 walks about among others: after each view its sight, the view, and the real state."""
    others = [survival.living(kind, seed) for kind in kinds]
    referee = Referee(GAME, resolve(GAME.options, {"rules": rules, "turns": TURNS}), 1 + len(kinds), seed)
    sight = sensei.Sight()
    for turn in range(TURNS):
        if referee.over or 0 not in referee.pending():
            return
        now = sight.look(referee.prompt(0).decode())
        yield sight, now, referee.state
        step = (1 if seed % 2 else -1) if turn % 3 == 0 else 0
        words = {1: "move right", -1: "move left", 0: ("rest", "drop down")[turn % 2]}[step]
        x = referee.state.x[0]
        answers = {
            seat: Answer(others[seat - 1](referee.prompt(seat).decode())) for seat in referee.pending() if seat
        }
        referee.submit({0: Answer(words), **answers})
        sight.told(referee.state.x[0] - x)


@pytest.mark.parametrize("rules", ["post", "classic"])
def test_the_state_is_what_the_view_shows(survival: ModuleType, sensei: ModuleType, rules: str) -> None:
    """Rocks, bots and itself stand in its state where they stand on the board, as far as it sees, in every turn."""
    views = 0
    for seed in range(1, 7):
        for sight, now, s in looked_at(survival, sensei, rules, seed):
            views += 1
            found = sight.state(now, near=WIDTH, most=WIDTH)
            by = s.x[0] - now.x
            shown = {(x, y) for x in now.columns() for y in range(max(0, now.low), min(WIDTH, now.high + 1))}
            hidden = {(int(x) - by, int(y)) for x, y in zip(s.meteor_x[: s.meteors], s.meteor_y, strict=False)}
            for x, y in shown - hidden:
                assert holds_rock(found, x, y) == holds_rock(s, x + by, y), (seed, s.turn, x, y)
            bots = {(s.x[b] - by, s.y[b]) for b in range(s.bots) if s.status[b] == ALIVE}
            assert {(found.x[b], found.y[b]) for b in range(found.bots)} >= (bots & shown) - hidden, (seed, s.turn)
            assert {(found.x[b], found.y[b]) for b in range(found.bots)} <= bots, (seed, s.turn)
            me = found.bots // 2
            assert (found.x[me] + by, found.y[me]) == where(s, 0), (seed, s.turn)
            if s.x[0] < 19 or s.x[0] > 80:
                assert by == 0
    assert views > 100


def test_the_real_way_of_a_meteor_is_among_those_it_may_go(survival: ModuleType, sensei: ModuleType) -> None:
    """Of every meteor in sight it knows the square, and its true angle and place are among what it deems possible."""
    seen = missed = few = 0
    for seed in range(1, 7):
        for sight, now, s in looked_at(survival, sensei, "post", seed, ["rest"]):
            by = s.x[0] - now.x
            squares = set(now.find("@"))
            for m in range(s.meteors):
                at = (int(s.meteor_x[m]) - by, int(s.meteor_y[m]))
                assert now.shows(*at) == (at in squares)
                if at in squares:
                    ways = sight.ways[at]
                    true = (s.meteor_angle[m], s.meteor_x[m] - by)
                    seen += 1
                    few += len(ways) <= 12
                    missed += not any(angle == true[0] and abs(x - true[1]) < 1e-6 for angle, _, x, _ in ways)
    assert seen > 150
    assert missed <= seen // 100  # two in one square are told as one
    assert few > seen // 2


# --- how it plays


def test_outlives_random(survival: ModuleType, sensei: ModuleType) -> None:
    """Among bots that do anything it lives longer than each of them, in plain Python and in few worlds."""
    for seed in range(3):
        foresight = sensei.Foresight(compiled=False, worlds=6)
        bots = [sensei.Sensei(foresight, seed).decide, *(survival.living("random", 10 * seed + b) for b in range(4))]
        referee = Referee(GAME, resolve(GAME.options, {"turns": 40}), len(bots), seed)
        while not referee.over:
            turn = referee.submit({b: Answer(bots[b](referee.prompt(b).decode())) for b in referee.pending()})
            assert not [fault for move in turn.moves if move.seat == 0 for fault in move.faults]
        scores = referee.result().scores or ()
        assert scores[0] > max(scores[1:])


def test_throws_that_it_thinks_of_kill(sensei: ModuleType) -> None:
    """From a tower: at least one that reaches the enemy on the floor, and each kills it if it rests."""
    s = board((50, 3), (53, 0), x50=3)
    throws = sensei.throws_of(s, 0)
    assert throws
    for throw in throws:
        assert throw + 1000 * sensei.HUNT in sensei.plans_of(s, 0)
        after = LAYOUT.copy(s)
        after.next_angle, after.next_x = -90, 99
        step(after, [throw, 0], None)
        assert after.status[1] != ALIVE
    assert not sensei.throws_of(board((50, 0), (53, 0)), 0)


@pytest.mark.parametrize("x", [50, 3])
def test_steps_out_of_a_meteors_way(sensei: ModuleType, x: int) -> None:
    """One that comes straight down on it, it sees in time, however far it wants to go."""
    s = board((x, 0))
    bot = sensei.Sensei(sensei.Foresight(compiled=False, worlds=4))
    for turn in range(60):
        play(s, bot.decide(GAME.prompt(s, 0).decode()), meteor=(-90, s.x[0]) if turn < 10 else (-180, 0))
        assert where(s, 0) is not None, turn


@pytest.mark.parametrize("rules", ["post", "classic"])
def test_kills_who_rests_in_sight(sensei: ModuleType, rules: str) -> None:
    """It comes near an enemy that never does anything, and kills it, in both rule sets."""
    s = board((50, 0), (42, 0))
    s.rules = CLASSIC if rules == "classic" else POST
    bot = sensei.Sensei(sensei.Foresight(compiled=False, worlds=4))
    for _ in range(60):
        play(s, bot.decide(GAME.prompt(s, 0).decode()), meteor=(-180, 0))
        if s.status[1] != ALIVE:
            return
    pytest.fail("it lives")


@pytest.mark.parametrize("rules", [POST, CLASSIC])
@pytest.mark.parametrize("enemy", [(40, 0), (40, 3), (3, 0)])
def test_a_station_is_a_square_from_which_its_throw_kills(
    sensei: ModuleType, rules: int, enemy: tuple[int, int]
) -> None:
    """From there the throw flies over the walls of a shelter and hits who is in it."""
    s = board((50, 0), enemy)
    s.rules = rules
    for x in range(enemy[0] - 1, enemy[0] + 2):
        s.height[x] = 5
        s.rocks[2 * x] = (1 << 5) - 1
    s.x[0], s.y[0], action = sensei.station(s, 0)
    assert s.y[0] > s.y[1]
    s.height[s.x[0]] = max(s.height[s.x[0]], s.y[0])
    s.next_angle, s.next_x = -180, 0
    step(s, [action, 0], None)
    assert s.status[0] == ALIVE
    assert s.status[1] != ALIVE


def test_a_view_without_an_edge_is_of_the_middle_of_the_board(survival: ModuleType, sensei: ModuleType) -> None:
    """However far it has gone by its own count, it believes to stand where no edge would be in sight."""
    s = board((25, 0))
    sight = sensei.Sight()
    for _ in range(40):
        now = sight.look(GAME.prompt(s, 0).decode())
        assert 20 <= now.x <= 79
        assert not sight.state(now).meteors
        sight.told(1)
        play(s, "move right", meteor=(-180, 0))


def test_an_enemy_below_the_floor_does_not_stop_it(sensei: ModuleType) -> None:
    """In the classic rules a hit may bring one there, in the worlds that it thinks through too."""
    s = board((50, 0), (52, 0))
    s.rules, s.y[1], s.next_x = CLASSIC, -1, sensei.NOWHERE
    assert sensei.Foresight(compiled=False, worlds=6).choose(s, 0).playouts


# --- compiled ahead of time


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """A contest by the command: its cache, the folder that the bot was built in, what the bot said in each match."""
    pytest.importorskip("numba")
    cache = tmp_path_factory.mktemp("cache")
    folder = tmp_path_factory.mktemp("contest")
    near = ("--setup", "turns=12", "--setup", "columns=50,53")  # then it has to look ahead from its first turn
    said = thinking.said_in_a_contest(folder, "abotcalypse", "a=random", *near, cache=cache)
    (program,) = (cache / "builds").rglob("sensei.py")
    return cache, program.parent, said


@ONE_WORKER
def test_in_a_contest_it_thinks_compiled_from_its_first_turn(built: tuple[Path, Path, list[str]]) -> None:
    """By the command, with its usual sandbox and clock, each match's sensei says so, and how many plans it tried."""
    assert len(built[2]) == 2
    for said in built[2]:
        (line,) = said.splitlines()
        assert line.startswith(AHEAD), line
        assert int(line.removeprefix(f"{AHEAD}; ").split()[0]) >= 1


@ONE_WORKER
def test_it_imports_no_compiler(built: tuple[Path, Path, list[str]]) -> None:
    """Built, it plays without Numba, LLVM and NumPy."""
    s = board((50, 0), (53, 0))
    view = GAME.prompt(s, 0).decode()
    assert thinking.imported(built[1] / "sensei.py", f"{view}\n\n" * 3) == set()


@ONE_WORKER
def test_what_was_compiled_chooses_as_the_plain_form(built: tuple[Path, Path, list[str]], sensei: ModuleType) -> None:
    """The same actions, of the same value, among enemies and rocks."""
    with ahead.loading(built[1] / FOLDER_OF_CACHE):
        compiled = sensei.Foresight(compiled=True, worlds=6)
    plain = sensei.Foresight(compiled=False, worlds=6)
    for at, enemy in (((50, 0), (53, 0)), ((3, 5), (5, 0)), ((97, 0), (96, 2)), ((20, 2), (40, 0))):
        s = board(at, enemy, **{f"x{at[0]}": at[1], f"x{enemy[0]}": enemy[1]})
        first, second = compiled.choose(s, 0), plain.choose(s, 0)
        assert (first.action, first.value, first.playouts) == (second.action, second.value, second.playouts)


def test_plays_as_a_program_in_a_sandbox(tmp_path: Path, full: bool) -> None:
    """Started as it comes, but for what is compiled beforehand, it answers every view without a fault."""
    folder, turns = tmp_path / "sensei", 12 if full else 5
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "cache"))
    toml = folder / "bot.toml"
    toml.write_text("".join(line for line in toml.read_text().splitlines(True) if not line.startswith("build")))
    replay = play_match(GAME, [str(folder), "rest", "random"], seed=4, setup={"turns": turns}, clock=UNHURRIED)
    mine = [move for turn in replay.turns for move in turn.moves if move.seat == 0]
    assert len(mine) == turns
    assert not [fault for move in mine for fault in move.faults]
    verify(GAME, replay)
