"""Hints for a person: what is proven or searched is said, and no more than the seat could find out."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.game import Game, State
from dohyo.core.options import resolve
from dohyo.core.playback import moments, state_at
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.guests.analysis.hint_worker import hint, worlds_of
from dohyo.i18n import ENGLISH
from dohyo.match.people.desk import Question
from dohyo.match.people.hints import Hint, HintOrder, Hints, so_far
from dohyo.search import belief
from dohyo.system import interpreter
from tests.laws.matches import play
from tests.laws.test_beliefs import HIDING, alike


def after(name: str, lines: Sequence[str], **setup: object) -> Question:
    """The question to whoever is asked after these lines."""
    game = games.find(name)
    referee = Referee(game, game.draw_setup(resolve(game.options, setup, game.catalogue), 1), 2, 1)
    for line in lines:
        (seat,) = referee.pending()
        referee.submit({seat: Answer(line)})
    return Question(referee, referee.pending()[0])


def asked(question: Question, seconds: float = 0.4) -> Hint:
    """The hint in plain Python."""
    match = so_far(question)
    return hint(decode(match), HintOrder(len(match), question.seat, seconds, False, "en"))


def worlds_in(game: Game, replay: Replay, turn: int, seat: int) -> tuple[list[State], State]:
    """The positions that a seat's hint in a turn goes by, and the true one."""
    state = state_at(game, replay, turn)
    rolled = replace(replay.turns[turn], moves=(), digest=game.rules.LAYOUT.digest(state))
    known = replace(replay, turns=[*replay.turns[:turn], *([rolled] if rolled.dice else [])])
    order = HintOrder(0, seat, 600.0, False, "en")
    return worlds_of(game, known, list(moments(game, known)), state, order), state


def test_a_win_is_seen() -> None:
    """Four in a row are there for the taking."""
    assert asked(after("connectx", ["0", "1", "0", "1", "0", "1"])).action == "0"


def test_where_all_actions_lose_none_is_called_good() -> None:
    """Three of the other's in the middle of a row are open on both sides: each action loses, as is said."""
    question = after("connectx", ["0", "2", "0", "3", "6", "4"])
    assert asked(question, 2.0).said.startswith("All actions are alike, as far as a search sees; one of them: ")


def test_what_is_full_is_not_named() -> None:
    """What is named can be played."""
    question = after("connectx", [str(column) for column in (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1)])
    assert len(question.referee.game.legal_actions(question.referee.state, question.seat)) == 5
    assert asked(question, 0.2).action in {"", "2", "3", "4", "5", "6"}


def test_in_a_game_with_secrets_the_truth_is_not_used() -> None:
    """The search takes each card for possible that the other one may have, not the true one alone."""
    game = games.find("kuhn-poker")
    for seed in range(4):
        referee = Referee(game, resolve(game.options, {}, game.catalogue), 2, seed)
        question = Question(referee, referee.pending()[0])
        match = decode(so_far(question))
        order = HintOrder(0, question.seat, 1.0, False, "en")
        worlds = worlds_of(game, match, list(moments(game, match)), referee.state, order)
        own, other = referee.state.card[question.seat], 1 - question.seat
        assert {world.card[question.seat] for world in worlds} == {own}
        assert {world.card[other] for world in worlds} == {1, 2, 3} - {own}
        assert asked(question, 0.2).said


@pytest.mark.parametrize("game", ["kuhn-poker", "wondev-woman"])
def test_where_no_positions_were_found_nothing_is_said(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """A search that starts from the true state would tell what the seat cannot know."""
    monkeypatch.setattr(belief.Belief, "_try", lambda *_, **__: 0)
    monkeypatch.setattr(belief, "closest", lambda *_: None)
    question = after(game, [])
    for _ in range(0 if game == "kuhn-poker" else 4):
        rules, referee, seat = question.referee.game, question.referee, question.seat
        referee.submit({seat: Answer(rules.protocol.text(rules.legal_actions(referee.state, seat)[-1]))})
        question = Question(referee, referee.pending()[0])
    assert asked(question).said.startswith("No hint: no positions were found")


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_hint_knows_nothing_that_the_seat_was_not_told(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    """In two matches that look alike to a seat, whatever dice fell and others did, it gets the same hint."""
    monkeypatch.setattr(belief, "MAX_TRIES", (200, 200))
    one, other, seat, _ = alike(game)
    found = []
    for replay in (one, other):
        last = max(at for at, one in enumerate(moments(game, replay)) if one.actions[seat] is not None)
        worlds, _ = worlds_in(game, replay, last, seat)
        found.append([game.rules.LAYOUT.pack(world) for world in worlds])
    assert found[0] == found[1]


def test_dice_that_a_seat_is_not_told_are_rolled_anew() -> None:
    """The next meteor of aBOTcalypse is hidden: in a few positions it falls as in the true one, and not in all."""
    game = games.find("abotcalypse")
    replay = play(game, 2).replay
    worlds, truth = worlds_in(game, replay, 3, replay.turns[3].moves[0].seat)
    assert len(worlds) > 8
    assert sum(world.next_x == truth.next_x for world in worlds) < len(worlds) / 2


def test_a_match_that_began_elsewhere_tells_nothing_that_is_hidden() -> None:
    """Its first state is the true one, with all that is hidden: there is no hint."""
    game = games.find("kuhn-poker")
    state = Referee(game, resolve(game.options, {}, game.catalogue), 2, 1).state
    question = Question(Referee(game, resolve(game.options, {}, game.catalogue), 2, 1, state), 0)
    assert asked(question).said.startswith("No hint: no positions were found")


@pytest.mark.parametrize("league", ["wood1", "bronze"])
def test_a_seat_that_was_told_a_part_of_the_deal_gets_a_hint(league: str) -> None:
    """What it was told of the map and the units stays; units that it does not see may be elsewhere."""
    question = after("wondev-woman", [], league=league)
    game, seat, match = question.referee.game, question.seat, so_far(question)
    order = HintOrder(len(match), seat, 60.0, False, "en")
    replay, truth = decode(match), question.referee.state
    worlds = worlds_of(game, replay, list(moments(game, replay)), truth, order)
    assert {game.prompt(world, seat) for world in worlds} == {game.prompt(truth, seat)}
    assert (len({tuple(world.at) for world in worlds}) > 1) == (league == "bronze")
    assert asked(question, 5.0).action


def test_a_process_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there is no hint, and the process is gone; so it is with one that says something else."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    question = after("connectx", [])
    for code in (
        "import sys; sys.stdin.buffer.read(); sys.stdin.buffer.readlines()\nwhile True: pass",
        "print('x')",
        "",
    ):
        monkeypatch.setattr(interpreter, "module", lambda *_, code=code: interpreter.alone(code))
        found = Hints("none", beside=0.3).ask(question, 0.1, ENGLISH)
        assert found == Hint(ENGLISH.say("hint.late" if "while" in code else "hint.none"))


def test_closed_hints_start_nothing() -> None:
    """After the end of whoever gives them."""
    hints = Hints("none")
    hints.close()
    assert hints.ask(after("connectx", []), 0.1, ENGLISH).action == ""
