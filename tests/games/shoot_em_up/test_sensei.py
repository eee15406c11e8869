"""The sensei: what it believes of an opponent that it cannot see is right, and it hardly ever loses to it."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dohyo import bots
from dohyo.core.faults import Fault
from dohyo.games.shoot_em_up import GAME, protocol, rules
from dohyo.games.shoot_em_up.rules import ACTIONS, LIVES, MOVES, WIDTH, X_OF, Y_OF
from dohyo.search import ahead
from dohyo.search.bot import AHEAD, ONLY_PLAIN
from dohyo.search.of_program import FOLDER
from tests.games import thinking
from tests.games.shoot_em_up.test_bots import ASKED, SERIES, Gunner

SOURCE = Path(GAME.folder) / "bots" / "sensei" / "sensei.py"
MODULES = ("arena_tables", "race", "shooter", "belief", "sensei")
SQUARES = WIDTH * WIDTH
NOTHING = -1
US, OPPONENT = 0, 1
PAIRS = 10  # that the slow filter follows
ONE_WORKER = pytest.mark.xdist_group("sensei-shoot-em-up")  # which builds the bot, and not each of them


class Bot(NamedTuple):
    """The bot's own modules, from the folder that it was built in."""

    belief: Any
    race: Any
    shooter: Any
    sensei: Any
    folder: Path


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The bot is built, and plays in the arena as a program in a sandbox; the cache with the build, and what came."""
    cache = tmp_path_factory.mktemp("cache")
    done = subprocess.run(
        [sys.executable, "-m", "dohyo", "arena", "sensei"],
        input="G 3\n-one\n+\nD what\n.\nR 8\n",
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(GAME.folder).parents[2]),
            "DOHYO_CACHE": str(cache),
            "DOHYO_BUILD_SECONDS": thinking.UNHURRIED,
        },
    )
    return cache, done.stdout.splitlines()


@pytest.fixture(scope="module")
def bot(output: tuple[Path, list[str]]) -> Iterator[Bot]:
    """The modules of the bot, which find each other by their folder."""
    (program,) = (output[0] / "builds").rglob("sensei.py")
    sys.path.insert(0, str(program.parent))
    try:
        found = {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(program.parent))
    yield Bot(found["belief"], found["race"], found["shooter"], found["sensei"], program.parent)
    for name in MODULES:
        sys.modules.pop(name, None)


class Combat:
    """A combat against the random opponent, and what our seat is told of it."""

    def __init__(self, seed: int) -> None:
        self.source = rules.generator(seed)
        self.state = rules.LAYOUT.new()
        self.state.limit = 100_000
        dice = [0] * rules.DICE
        for _ in range(9):  # the first numbers of neighbouring seeds are alike
            rules.draw(self.source, ACTIONS)
        rules.roll(self.state, self.source, dice)
        rules.deal(self.state, dice, None)

    def square(self, seat: int) -> int:
        """Where a robot is."""
        return int(self.state.y[seat] * WIDTH + self.state.x[seat])

    def play(self, action: int) -> int | None:
        """A pair of actions; the line of a hit on us, `NOTHING`, or none when the combat is over."""
        s = self.state
        rules.step(s, (action, action), None)
        if not rules.over(s):
            answer = rules.random_action(s, OPPONENT, self.source)
            rules.step(s, (answer, answer), None)
        return None if rules.over(s) else line_of_hit(s)


def line_of_hit(s: Any) -> int:
    """Along which line of ours we were hit."""
    if not s.was_hit[US]:
        return NOTHING
    steps = list(zip(X_OF, Y_OF, strict=True))
    return steps.index((s.hit_x[US], s.hit_y[US]), MOVES) - MOVES


def anything(s: Any, lots: random.Random) -> int:
    """An action of ours that does not leave the board."""
    while True:
        action = lots.randrange(ACTIONS)
        x, y = s.x[US] + X_OF[action], s.y[US] + Y_OF[action]
        if action >= MOVES or (0 <= x < WIDTH and 0 <= y < WIDTH):
            return action


def chance_of(known: Any, s: Any) -> float:
    """How likely a belief holds the opponent as it truly is."""
    row = known.empty if s.shot[OPPONENT] else known.ready
    return float(row[s.hits[OPPONENT] * SQUARES + s.y[OPPONENT] * WIDTH + s.x[OPPONENT]])


# --- a second filter: slow, by the rules' own step alone ------------------------------------------------------------


def followed(worlds: dict[bytes, float], action: int, told: int) -> dict[bytes, float]:
    """Every state that may be, with its chance, after a pair of actions of which we were told so much."""
    found: dict[bytes, float] = defaultdict(float)
    layout = rules.LAYOUT
    for packed, chance in worlds.items():
        ours = layout.unpack(packed)
        rules.step(ours, (action, action), None)
        if rules.over(ours):
            continue
        after = []
        for answer in range(ACTIONS):
            s = layout.copy(ours)
            rules.step(s, (answer, answer), None)
            if s.ended != rules.LEFT_BOARD:
                after.append(s)
        for s in after:
            if not rules.over(s) and line_of_hit(s) == told:
                s.shot[OPPONENT] = min(s.shot[OPPONENT], 1)  # where it shot to, nobody asks any more
                s.power[:] = [0, 0]
                found[layout.pack(s)] += chance / len(after)
    whole = sum(found.values())
    return {packed: chance / whole for packed, chance in found.items()}


@ONE_WORKER
@pytest.mark.parametrize("seed", [1, 2])
def test_belief_is_that_of_a_filter_made_of_the_rules_alone(bot: Bot, seed: int) -> None:
    """Every state's chance is the same, pair after pair, where the rules play all that could have happened."""
    combat, lots = Combat(seed), random.Random(seed)
    known = bot.belief.begin(combat.square(US))
    worlds = {}
    for square in range(SQUARES):
        s = rules.LAYOUT.copy(combat.state)
        s.x[OPPONENT], s.y[OPPONENT] = square % WIDTH, square // WIDTH
        worlds[rules.LAYOUT.pack(s)] = 1 / SQUARES
    for _ in range(PAIRS):
        action = anything(combat.state, lots)
        told = combat.play(action)
        assert told is not None
        worlds = followed(worlds, action, told)
        bot.belief.learn(known, action, told)
        seen = 0.0
        for packed, chance in worlds.items():
            s = rules.LAYOUT.unpack(packed)
            seen += chance
            assert chance_of(known, s) == pytest.approx(chance, rel=1e-9, abs=1e-15)
        assert sum(known.ready) + sum(known.empty) == pytest.approx(seen)
        assert (known.place, known.hits) == (combat.square(US), combat.state.hits[US])


@ONE_WORKER
def test_truth_is_always_believed_possible_and_chances_come_true(bot: Bot, full: bool) -> None:
    """Over seeded combats: the true state never has the chance 0, and we are hit as often as it was likely."""
    lots = random.Random(5)
    expected, happened, variance = 0.0, 0, 0.0
    for seed in range(1, 101 if full else 9):
        combat = Combat(seed)
        known = bot.belief.begin(combat.square(US))
        told: int | None = NOTHING
        while told is not None:
            assert chance_of(known, combat.state) > 0
            action = anything(combat.state, lots)
            chance = chance_of_peace(bot, known, action)
            told = combat.play(action)
            expected += chance
            happened += told == NOTHING
            variance += chance * (1 - chance)
            if told is not None:
                bot.belief.learn(known, action, told)
    assert variance > 10
    assert abs(expected - happened) < 4 * variance**0.5


def chance_of_peace(bot: Bot, known: Any, action: int) -> float:
    """How likely the combat goes on after a pair of actions, and we are not hit."""
    ahead = bot.belief.LAYOUT.copy(known)
    bot.belief.step(ahead, [action], None)
    return float(sum(ahead.ready) + sum(ahead.empty))


@ONE_WORKER
def test_what_cannot_be_is_survived(bot: Bot) -> None:
    """Told of hits that the random opponent could not make, it believes anything that fits, and goes on."""
    known = bot.belief.begin(0)
    for told in (7, 7, NOTHING):  # an empty gun has hit
        bot.belief.learn(known, 4, told)
        assert sum(known.ready) + sum(known.empty) == pytest.approx(1)
    known.hits = 0
    bot.belief.learn(known, 4, 0)  # from beyond the edge: then nothing fits, and it may be anywhere
    assert sum(known.ready) + sum(known.empty) == pytest.approx(1)


# --- the opponent that shoots ---------------------------------------------------------------------------------------


@ONE_WORKER
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_shooter_is_always_among_the_cases(bot: Bot, seed: int) -> None:
    """Whatever we do, the gunner is one of the robots that we think possible, as often hit and with that gun."""
    s, lots, gunner = Combat(seed).state, random.Random(seed), Gunner()
    known = bot.belief.begin(s.y[US] * WIDTH + s.x[US])
    for _ in range(20):
        action = anything(s, lots)
        rules.step(s, (action, action), None)
        if rules.over(s):
            break
        gunner.send(GAME.prompt(s, OPPONENT))
        answer = GAME.protocol.read(bytes(gunner.receive()).decode())
        rules.step(s, (answer, answer), None)
        if rules.over(s):
            break
        bot.belief.learn(known, action, line_of_hit(s))
        square = s.y[OPPONENT] * WIDTH + s.x[OPPONENT]
        true = (square, s.hits[OPPONENT], int(s.shot[OPPONENT] == 0))
        cases = [(known.square[i], known.wounds[i], known.gun[i]) for i in range(known.cases)]
        assert true in cases
        assert sum(known.mass[: known.cases]) == pytest.approx(1)


@ONE_WORKER
def test_lines_between_squares_are_those_of_the_rules(bot: Bot) -> None:
    """For each pair of squares: the line that crosses the other, if there is one."""
    for square in range(SQUARES):
        across, down = square % WIDTH, square // WIDTH
        for other in range(SQUARES):
            x, y = other % WIDTH - across, other // WIDTH - down
            hits = [line for line in range(8) if rules.is_ahead(x, y, X_OF[MOVES + line], Y_OF[MOVES + line])]
            assert bot.shooter.line_between(square, other) == (hits[0] if hits else NOTHING)


@ONE_WORKER
def test_one_who_hits_more_than_chance_is_a_shooter_and_peace_is_not(bot: Bot) -> None:
    """Two hits along one line raise the doubt, forty quiet actions lower it."""
    hit, quiet = bot.belief.begin(0), bot.belief.begin(0)
    for told in (NOTHING, 4, NOTHING, 4):
        bot.belief.learn(hit, 4, told)
    for _ in range(40):
        bot.belief.learn(quiet, 4, NOTHING)
    assert hit.doubt > 10 * bot.belief.DOUBT
    assert quiet.doubt < 0.6 * bot.belief.DOUBT


@ONE_WORKER
def test_race_tells_better_from_worse(bot: Bot) -> None:
    """Hits on us, an empty gun, and the middle of the board are bad; hits on it, and to know its line, are good."""
    at, afresh = bot.race.at_race, bot.race.AFRESH
    for ours in range(LIVES):
        for its in range(LIVES):
            here = afresh[at(0, 0, ours, its)]
            assert 0 < here < bot.race.UNIT
            assert its == LIVES - 1 or here < afresh[at(0, 1, ours, its)]
            assert here < afresh[at(44, 0, ours, its)]
            assert bot.race.FROM_HERE[at(0, 0, ours, its)] < here  # we shoot before it can go anywhere
            assert ours == LIVES - 1 or here < afresh[at(0, 0, ours + 1, its)]
            assert its == LIVES - 1 or here > afresh[at(0, 0, ours, its + 1)]
    assert afresh[at(0, 0, 0, 0)] == afresh[at(99, 0, 0, 0)]


# --- how it plays --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planner(bot: Bot) -> Any:
    """The sensei's plans without a process: by the search that the build has compiled ahead of time."""
    pytest.importorskip("numba")
    with ahead.loading(bot.folder / FOLDER):
        return bot.sensei.Planner(bot.sensei.make(True))


@ONE_WORKER
@pytest.mark.parametrize("doubt", [0.0, 0.5])
def test_plain_search_plans_the_same(bot: Bot, planner: Any, doubt: float) -> None:
    """A combat does not depend on when the compiled form was there."""
    plain = bot.sensei.make(False)
    known = bot.belief.begin(37)
    for told in (NOTHING, NOTHING, 3, NOTHING):
        known.doubt = doubt
        plain.depth = planner.beam.depth = 2
        first, second = (beam.choose(known, 0, playouts=1) for beam in (plain, planner.beam))
        assert (first.action, first.value) == (second.action, second.value)
        bot.belief.learn(known, first.action, told)


@ONE_WORKER
def test_wins_against_the_random_opponent(bot: Bot, planner: Any, full: bool) -> None:
    """At least 19 of 20 combats; 99.8 % of 10,000 with --full."""
    combats = 10_000 if full else 20
    won = sum(wins(bot, planner, Combat(seed)) for seed in range(1, combats + 1))
    assert won >= (0.998 if full else 0.95) * combats


def wins(bot: Bot, planner: Any, combat: Combat) -> bool:
    """Play a combat to its end; whether the sensei has won it."""
    robot = bot.sensei.Robot(planner, combat.square(US))
    told: int | None = NOTHING
    while told is not None:
        action = GAME.protocol.read(robot.act())
        assert action is not None
        told = combat.play(action)
        if told is not None:
            robot.hear(told)
    assert combat.state.ended == rules.SHOT_DOWN
    return rules.winner(combat.state) == US


@ONE_WORKER
@pytest.mark.parametrize("seat", [0, 1])
def test_wins_against_the_gunner(bot: Bot, planner: Any, seat: int) -> None:
    """Whoever opens: at least 6 of 10 duels with a robot that does not act at random."""
    won = 0
    for seed in range(1, 11):
        s = duel(bot, planner, seat, seed)
        won += rules.winner(s) == seat
        assert s.ended in (rules.SHOT_DOWN, rules.PAIR_LIMIT)
    assert won >= 6


def duel(bot: Bot, planner: Any, seat: int, seed: int) -> Any:
    """How a duel with the gunner ends, the sensei on this seat."""
    s = Combat(seed).state
    s.limit = 500
    robot, gunner = bot.sensei.Robot(planner, s.y[seat] * WIDTH + s.x[seat]), Gunner()
    while not rules.over(s):
        mover = s.turn % 2
        line = GAME.prompt(s, mover)
        if mover != seat:
            gunner.send(line)
            reply = gunner.receive()
            assert not isinstance(reply, Fault)
            answer = reply.decode()
        else:
            what, *numbers = line.decode().split()
            if what != "P":
                robot.hear(bot.sensei.LINE_OF[int(numbers[0]), int(numbers[1])] if what == "H" else NOTHING)
            answer = robot.act()
        action = GAME.protocol.read(answer)
        assert action is not None
        rules.step(s, (action, action), None)
    return s


# --- as a program --------------------------------------------------------------------------------------------------


@ONE_WORKER
def test_program_serves_the_arena(output: tuple[Path, list[str]]) -> None:
    """Built, and as a process in a sandbox: no error, not one combat lost, and it tells what it believes."""
    cache, lines = output
    assert any(line.startswith("/ at ") and "its hits" in line for line in lines)
    assert not [line for line in lines if line.startswith("! ERROR")]
    assert lines[-1] == "! ROUNDS 8 WINS 8 LOSES 0 ERRORS 0 PASS"
    assert list(cache.rglob(FOLDER)), "the build has not tried to compile"


@ONE_WORKER
def test_in_a_contest_it_thinks_compiled_from_its_first_turn(output: tuple[Path, list[str]], tmp_path: Path) -> None:
    """By the command, with its usual sandbox and clock, each match's sensei says once that it is compiled."""
    pytest.importorskip("numba")
    said = thinking.said_in_a_contest(tmp_path, "shoot-em-up", "a=random", cache=output[0])
    assert said == [f"{AHEAD}\n"] * 2


@ONE_WORKER
def test_it_imports_no_compiler(bot: Bot) -> None:
    """Built, it plays without Numba, LLVM and NumPy."""
    pytest.importorskip("numba")
    assert thinking.imported(bot.folder / "sensei.py", SERIES) == set()


def test_program_without_a_build_serves_a_series() -> None:
    """Straight from its source: one action for each P, H and N, and an end with the input."""
    done = subprocess.run(
        [sys.executable, str(SOURCE)],
        input=SERIES,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stderr == f"{ONLY_PLAIN}\n"
    lines = [line for line in done.stdout.splitlines() if not line.startswith("/")]
    assert len(lines) == ASKED
    assert not [line for line in lines if isinstance(protocol.parse(line, None, 0), Fault)]


def test_is_a_sample() -> None:
    """It goes by its name."""
    assert "sensei" in bots.samples(Path(GAME.folder) / "bots")
