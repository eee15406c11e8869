"""Drop-Block's sensei: what it knows of a match is true, what it expects of hunters too, and it plays whole games."""

from __future__ import annotations

import importlib
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.replay import faults_of
from dohyo.games.drop_block import GAME, rules
from dohyo.games.drop_block.careful import careful
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.trapping import trap
from dohyo.match.play import play_match
from dohyo.search.bot import AHEAD
from tests.games import thinking
from tests.games.drop_block.board import board

BOTS = Path(GAME.folder) / "bots"
MODULES = ("plans", "beam", "thinking", "watching", "sensei", "hunter")
PATIENT = Clock(turn=100, ready=100)
FEW = 3 + rules.ACTIONS  # trials: the last plan, the careful player's, and each letter first


class Sensei(NamedTuple):
    """The bot's modules, imported as they are when it runs in its folder; and the hunter's."""

    plans: ModuleType
    beam: ModuleType
    thinking: ModuleType
    watching: ModuleType
    sensei: ModuleType
    hunter: ModuleType


@pytest.fixture(scope="module")
def bot() -> Iterator[Sensei]:
    """See `Sensei`."""
    folders = [str(BOTS / "sensei"), str(BOTS)]
    sys.path[:0] = folders[:1]
    sys.path.append(folders[1])  # behind Python's own: there is a `random.py` too
    try:
        yield Sensei(*map(importlib.import_module, MODULES))
    finally:
        for folder in folders:
            sys.path.remove(folder)
        for name in MODULES:
            sys.modules.pop(name, None)


def dealt(seed: int) -> Any:
    """A state before its first turn."""
    s = GAME.new_state(resolve(GAME.options, {}), rules.SEATS)
    dice = [0] * rules.DICE
    rules.roll(s, GAME.source(seed), dice)
    rules.deal(s, dice, None)
    return s


def told(s: Any, seat: int) -> list[list[str]]:
    """The words of a prompt's lines."""
    return [line.split() for line in GAME.prompt(s, seat).decode().splitlines()]


def after(s: Any, action: int) -> Any:
    """The state after a turn."""
    following = rules.LAYOUT.copy(s)
    rules.step(following, [action] * rules.SEATS, None)
    return following


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_out_which_number_is_the_row(bot: Sensei, seed: int) -> None:
    """Where columns are told first, both boards are possible until a step is seen; then each is the true one."""
    draw, s = random.Random(seed), dealt(seed)
    s.column_first = 1
    matches, known, kept = [bot.watching.Match() for _ in range(rules.SEATS)], 0, [vars_of(s)]
    while not rules.over(s) and s.turn < 200:
        seat, action = s.turn % rules.SEATS, draw.choice([0, 1, 2, 3, 5])
        boards = matches[seat].see(told(s, seat))
        matches[seat].answered = action
        possible = [matches[seat].other] if matches[seat].other else boards
        true = [one | {"column_first": 0} for one in kept[-len(possible) :]]
        assert [vars_of(one) for one in possible] == true, s.turn
        known += len(possible) == rules.SEATS
        s = after(s, action)
        kept.append(vars_of(s))
    assert known > 180


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_board_since_its_last_turn_is_the_referee_s(bot: Sensei, seed: int) -> None:
    """Of a random match, each seat works out all boards from those of its own turns, with who fell when."""
    draw = random.Random(seed)
    true = [dealt(seed)]
    matches = [bot.watching.Match() for _ in range(rules.SEATS)]
    while not rules.over(true[-1]):
        s = true[-1]
        seat, action = s.turn % rules.SEATS, draw.choice([0, 1, 2, 3, 4, 4, 5])
        boards = matches[seat].see(told(s, seat))
        matches[seat].answered = action
        assert matches[seat].me == seat
        assert len(boards) == (rules.SEATS if s.turn >= rules.SEATS else 1)
        assert [vars_of(one) for one in boards] == [vars_of(one) for one in true[-len(boards) :]]
        true.append(after(s, action))
    assert rules.standing(true[-1]) < rules.SEATS


def vars_of(s: Any) -> dict[str, Any]:
    """The fields of a state."""
    return rules.LAYOUT.as_dict(s)


def test_what_no_letters_lead_to_is_taken_as_it_is(bot: Sensei) -> None:
    """A board that cannot follow on the last one is all that there is."""
    match = bot.watching.Match()
    match.see(told(dealt(1), 0))
    other = dealt(2)
    other.turn = rules.SEATS
    (only,) = match.see(told(other, 0))
    assert vars_of(only) == vars_of(other)


def test_the_careful_player_answers_as_the_hunter_does(bot: Sensei) -> None:
    """On the boards of a match between hunters who now and then answer at random, letter by letter."""
    draw = random.Random(4)
    s, mind = dealt(4), bot.plans.MIND.new()
    answered = set()
    for _ in range(160):
        p = s.turn % rules.SEATS
        before = vars_of(s)
        action = careful(s, p, mind)
        assert vars_of(s) == before  # the letters that it tried are taken back
        assert action == bot.hunter.choose(p, [s]), s.turn
        answered.add(action)
        s = after(s, draw.randrange(rules.ACTIONS) if draw.random() < 0.2 else action)
        if rules.over(s):
            s = dealt(s.turn)
    assert len(answered) == rules.ACTIONS


def test_its_plans_find_what_drops_a_stunned_enemy(bot: Sensei) -> None:
    """Who stands stunned in the middle of the block ahead is attacked, and the match is won by that."""
    s = board("1,1,R/1,5,U/-/-")
    s.stun[1] = 2
    foresight = bot.sensei.Foresight(False)
    foresight.compiled = True  # the plain form of what is compiled
    choice = foresight.choose(s, 0, playouts=FEW)
    assert LETTERS[choice.action] == "A"
    assert choice.value > 0.9


def test_it_learns_whom_not_to_rely_on(bot: Sensei) -> None:
    """Letters that a careful player would not have answered are counted, and only what is answered freely."""
    s = board("1,1,R/1,9,U/9,1,U/9,9,U")
    foresight = bot.sensei.Foresight(False)
    mind = foresight._mind
    s.turn, s.stun[3] = rules.SEATS + 1, 1
    boards, careless = [s], rules.NOTHING
    for p in (1, 2, 3):
        right = careful(boards[-1], p, mind)
        boards.append(after(boards[-1], careless if p == 2 else right))
    bot.plans.take_note(boards, len(boards), foresight._board, mind)
    assert (mind.watched, mind.expected[: rules.SEATS]) == ([0, 1, 1, 0], [0, 1, 0, 0])
    assert not bot.plans.is_reliable(s, 0, mind)


def test_it_tells_trappers_from_hunters(bot: Sensei) -> None:
    """Who answers as a trapper does is expected to go on so, and relied upon; a first letter says nothing."""
    s, foresight = dealt(3), bot.sensei.Foresight(False)
    mind, boards = foresight._mind, [s]
    while boards[-1].turn < 8 * rules.SEATS:
        s = boards[-1]
        p = s.turn % rules.SEATS
        wrong = s.turn < rules.SEATS and p == 1
        boards.append(after(s, rules.NOTHING if wrong else trap(s, p, mind) if p == 1 else careful(s, p, mind)))
    bot.plans.take_note(boards, len(boards), foresight._board, mind)
    assert [bot.plans.model_of(p, mind) for p in range(rules.SEATS)] == [0, 1, 0, 0]
    assert bot.plans.is_reliable(boards[-1], 0, mind)
    assert bot.plans.expect(boards[-1], 1, mind) == trap(boards[-1], 1, mind)


def follow(bot: Sensei, s: Any, me: int, mind: Any) -> Any:
    """The board after the letters of the trial, answered as is expected of the others."""
    now = rules.LAYOUT.copy(s)
    for letter in mind.trial:
        if letter != bot.plans.OPEN:
            bot.beam.answer_all(now, me, letter, mind)
    return now


@pytest.mark.parametrize("way", [0, 1])
def test_what_its_beam_finds_comes_true(bot: Sensei, way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters that it writes down lead to the board that it likes best, if all answer as expected."""
    monkeypatch.setattr(bot.beam, "WIDTH", 3)
    s, foresight = board("1,1,R/10,9,U/-/16,3,L"), bot.sensei.Foresight(False)
    mind, beam, pool = foresight._mind, foresight._beam, foresight._pool
    mind.doubtful = way
    bot.beam.begin(pool, s, beam)
    for layer in range(1, 4):
        assert bot.beam.widen(pool, 0, beam, mind) == bot.beam.GOING_ON
        assert sum(letter != bot.plans.OPEN for letter in mind.trial) == layer
        assert vars_of(follow(bot, s, 0, mind)) == vars_of(pool[0])


def hunted(bot: Sensei, s: Any, foresight: Any, layers: int) -> int:
    """How it stands after so many layers of a new search for player 0."""
    foresight._beam.state = bot.beam.NEW
    for _ in range(layers):
        bot.beam.hunt(s, 0, foresight._board, foresight._pool, foresight._beam, foresight._mind)
    return int(foresight._beam.state)


def test_its_beam_wins_where_a_win_is(bot: Sensei) -> None:
    """An enemy that stays stunned for long is caught by turning and attacking; an unreliable one is not."""
    s, foresight = board("1,1,U/1,7,U/-/-"), bot.sensei.Foresight(False)
    s.stun[1] = 3
    mind = foresight._mind
    mind.worth = -1.0
    assert hunted(bot, s, foresight, 3) == bot.beam.WON
    assert "".join(LETTERS[letter] for letter in mind.plan[:2]) == "RA"
    assert rules.winner(follow(bot, s, 0, mind)) == 0
    assert mind.worth >= bot.beam.ENOUGH
    assert hunted(bot, s, foresight, 1) == bot.beam.STUCK  # enough is enough
    mind.worth, mind.watched[1] = -1.0, 1
    assert hunted(bot, s, foresight, 1) == bot.beam.STUCK


def test_stunned_it_searches_nothing(bot: Sensei) -> None:
    """There is no layer to search then: who asks would else ask until the time is over."""
    s, foresight = board("1,1,U/1,7,U/-/-"), bot.sensei.Foresight(False)
    s.stun[0] = 1
    assert foresight.choose(s, 0).action == rules.NOTHING
    assert foresight._beam.state == bot.beam.STUCK


def test_whose_way_to_play_is_not_known_is_taken_both_ways(bot: Sensei) -> None:
    """A plan is worth what it comes to in the worse case, until an answer tells which it is."""
    s, foresight = board("4,4,R/4,9,L/12,4,U/12,13,U"), bot.sensei.Foresight(False)
    mind, found = foresight._mind, []
    mind.trial[:] = [bot.plans.OPEN] * bot.plans.LENGTH
    for way in (bot.plans.CAREFUL, bot.plans.TRAPPER):
        mind.doubtful = way
        found.append(bot.plans.play_out(s, 0, foresight._board, mind, bot.plans.RISK))
    assert found[0] != found[1]
    assert bot.plans.worth_of_plan(s, 0, foresight._board, mind) == min(found)


def test_plain_it_beats_three_randoms(bot: Sensei) -> None:
    """Without a compiler it wins at least 3 of 4 matches, from all four seats."""
    won = 0
    for seat in range(rules.SEATS):
        s, draw, foresight = dealt(seat + 1), random.Random(seat), bot.sensei.Foresight(False)
        while not rules.over(s):
            p = s.turn % rules.SEATS
            s = after(s, foresight.choose(s, p).action if p == seat else draw.randrange(rules.ACTIONS))
        won += rules.winner(s) == seat
    assert won >= 3


def test_in_a_contest_it_thinks_compiled_from_its_first_turn(tmp_path: Path) -> None:
    """By the command, with its usual sandbox and clock, each match's sensei says that it looks ahead, and how far."""
    pytest.importorskip("numba")
    words = ("a=random", "b=random", "c=random", "--setup", "turns=16", "--sandbox", "auto")
    matches = thinking.said_in_a_contest(tmp_path, "drop-block", *words)
    assert len(matches) == 4
    for match in matches:
        said = match.splitlines()
        assert len(said) == 1, said
        assert said[0].startswith(AHEAD), said
        assert int(said[0].removeprefix(f"{AHEAD}; ").split()[0]) >= 1


def test_it_plays_in_the_box_without_a_fault(tmp_path: Path, full: bool) -> None:
    """Four of it, of which none was compiled before; at full size, built as it is."""
    folder = tmp_path / "sensei"
    shutil.copytree(BOTS / "sensei", folder, ignore=shutil.ignore_patterns("__pycache__"))
    if not full:
        toml = folder / "bot.toml"
        toml.write_text(toml.read_text().replace("python sensei.py --warm", "true"))  # without a build it is warmed
    replay = play_match(GAME, [str(folder)] * 4, seed=1, setup={"turns": 40 if full else 8}, clock=PATIENT)
    assert [faults_of(replay.turns, seat) for seat in range(rules.SEATS)] == [[]] * rules.SEATS
    assert not replay.result.last
