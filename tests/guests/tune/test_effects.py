"""Which parameters seem to change nothing: what is played to see it, and when it is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Header, Move, Replay, Result, Seat, Turn
from dohyo.core.replay_format import encode
from dohyo.executors import MatchOrder, MatchReport
from dohyo.guests.tune.effects import TRIES, without_effect
from dohyo.guests.tune.record import Record
from tests.guests.tune.drawn import Drawn, bump, run, tuning
from tests.guests.tune.test_tuning import question

Answer = Callable[[dict[str, str], int], str]  # of a bot with these values, in this turn
PARAMS = ("a=0.0..1.0:default=0.2", "b=1..9", "mode=x,y,z")


class Answering(Drawn):
    """Plays matches of four turns: the candidate answers by its values; others always the same, or by chance."""

    def __init__(self, answer: Answer, *, noisy: bool = False, faulty: bool = False, error: str = "") -> None:
        super().__init__(bump)
        self.answer, self.noisy, self.faulty, self.error = answer, noisy, faulty, error

    def report(self, order: MatchOrder) -> MatchReport:
        """What comes of a match."""
        if self.error:
            return MatchReport(order.key, error=self.error, mend=True)
        tried = [bool(parameters.given(bot.command)) for bot in order.bots]
        turns, state = [], ""
        for number in range(4):
            words = [self._word(order, seat, number) for seat in range(2)]
            state += " ".join(words)
            moves = tuple(Move(seat, word, 0.1) for seat, word in enumerate(words))
            turns.append(Turn(number, (), moves, state))
        header = Header(
            game=order.game, rules=1, setup={}, seats=(Seat("a"), Seat("b")), seed=order.seed, software="t"
        )
        content = encode(Replay(header, turns, Result((1, 2), 0, "over")), compressed=True)
        is_faulty = self.faulty and int(order.key) % 2 == 0
        faults = tuple(("timeout",) if is_faulty and own else () for own in tried)
        return MatchReport(order.key, content, places=(1, 2), faults=faults)

    def _word(self, order: MatchOrder, seat: int, turn: int) -> str:
        _, values = parameters.parted(order.bots[seat].command)
        if values:
            return self.answer({name.removeprefix("DOHYO_PARAM_"): value for name, value in values.items()}, turn)
        return str(random.random()) if self.noisy and turn == 2 else "same"


def reads_a(values: dict[str, str], turn: int) -> str:
    """What a bot answers that reads one parameter only."""
    return "high" if turn == 3 and float(values.get("A", "0.2")) > 0.5 else "low"


def number_of(order: MatchOrder) -> str:
    """Which candidate plays: the number of its batch, and its own in it."""
    (found,) = (bot.name.partition(" ")[0] for bot in order.bots if bot.name[:1].isdigit())
    return found


def test_what_is_never_read_is_named() -> None:
    """A parameter that no answer follows is named, after matches on different seats and seeds; no other is."""
    tuned, executor = tuning(Record(None), PARAMS), Answering(reads_a)
    assert without_effect(tuned, executor) == ("b", "mode")
    # First come two values of `a`, two of `b`, three of `mode`; `a` changes an answer, and is not tried again.
    of_b = {"0.2", "0.3", *(f"{number}.{at}" for number in range(1, TRIES) for at in (0, 1))}
    tries = [order for order in executor.played if number_of(order) in of_b]
    assert len(tries) == 2 * TRIES
    assert len({order.seed for order in tries}) == TRIES
    assert {bool(parameters.given(order.bots[0].command)) for order in tries} == {True, False}
    for one, other in zip(tries[::2], tries[1::2], strict=True):
        assert one.seed == other.seed
        (first,), (second,) = (
            [set(parameters.given(bot.command)) for bot in order.bots if parameters.given(bot.command)]
            for order in (one, other)
        )
        assert {word.partition("=")[0] for word in first ^ second} == {"DOHYO_PARAM_B"}
    assert len(executor.played) == (2 + 2 + 3) + (TRIES - 1) * (2 + 3)


def test_what_matters_with_other_values_only_has_an_effect() -> None:
    """A parameter that some value of another one turns off is tried with further values of that one."""
    executor = Answering(lambda values, _: values.get("B", "0") if values.get("MODE", "x") != "x" else "x")
    assert without_effect(tuning(Record(None), PARAMS), executor) == ("a",)


@pytest.mark.parametrize("trouble", ["noisy", "faulty"])
def test_nothing_is_said_where_nothing_can_be_seen(trouble: str) -> None:
    """Where somebody else answers differently first, or the bot fails in every other one, nothing is proved."""
    executor = Answering(lambda *_: "word", **{trouble: True})  # type: ignore[arg-type]
    assert without_effect(tuning(Record(None), PARAMS), executor) == ()


def test_dice_of_its_own_look_like_an_effect() -> None:
    """A bot that never answers the same twice is not said to ignore its parameters."""
    executor = Answering(lambda *_: str(random.random()))
    assert without_effect(tuning(Record(None), PARAMS), executor) == ()


def test_it_is_looked_for_once(tmp_path: Path) -> None:
    """The record knows what was seen; a tuning that is under way without that goes on without it."""
    path = str(tmp_path / "tune.db")
    with Record(path) as record:
        record.ask(question(parameters=tuning(Record(None), PARAMS).space))
        assert without_effect(tuning(record, PARAMS), Answering(reads_a)) == ("b", "mode")
    with Record(path) as record:
        assert without_effect(tuning(record, PARAMS), executor := Answering(reads_a)) == ("b", "mode")
        assert executor.played == []
        assert not record.played
    older = Record(None)
    run(tuning(older, PARAMS), Drawn(bump, most=30))
    assert without_effect(tuning(older, PARAMS), executor) == ()
    assert executor.played == []


def test_a_match_that_cannot_be_played_ends_it() -> None:
    """The operator's trouble is a sentence."""
    with pytest.raises(OperatorError, match="The disk is full"):
        without_effect(tuning(Record(None)), Answering(reads_a, error="The disk is full."))
