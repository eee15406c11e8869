"""Hints for a person: what is proven or searched is said, and no more than the seat could find out."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest

from dohyo import games
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay_format import decode
from dohyo.guests.analysis.hint_worker import hint, worlds_of
from dohyo.i18n import ENGLISH
from dohyo.match.people.desk import Question
from dohyo.match.people.hints import Hint, HintOrder, Hints, so_far
from dohyo.search import belief
from dohyo.system import interpreter


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
def test_where_only_the_truth_was_found_nothing_is_said(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """A search that starts from the true state, or from what followed on it, would tell what the seat cannot know."""
    monkeypatch.setattr(belief, "MAX_TRIES", (0, 0))
    question = after(game, [])
    for _ in range(0 if game == "kuhn-poker" else 4):
        rules, referee, seat = question.referee.game, question.referee, question.seat
        referee.submit({seat: Answer(rules.protocol.text(rules.legal_actions(referee.state, seat)[-1]))})
        question = Question(referee, referee.pending()[0])
    assert asked(question) == Hint(ENGLISH.say("hint.none"))


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
        assert Hints("none", beside=0.3).ask(question, 0.1, ENGLISH) == Hint(ENGLISH.say("hint.none"))


def test_closed_hints_start_nothing() -> None:
    """After the end of whoever gives them."""
    hints = Hints("none")
    hints.close()
    assert hints.ask(after("connectx", []), 0.1, ENGLISH).action == ""
