"""A tuning whose matches tell nothing ends soon and says why; a match that does not end is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from dohyo.core import parameters
from dohyo.executors import MatchOrder, MatchReport
from dohyo.guests.tune.begin import Prepared
from dohyo.guests.tune.effects import without_effect
from dohyo.guests.tune.faults import ENOUGH, ManyFaultsError
from dohyo.guests.tune.output import TuningOutput
from dohyo.guests.tune.record import Record
from dohyo.guests.tune.tuning import Tuning
from dohyo.guests.tune.waiting import SaysWhatWaits
from dohyo.i18n import Speaker
from tests.guests.tune.drawn import BOT, Drawn, bump, run, tuning
from tests.guests.tune.test_tuning import question


class Faulty(Drawn):
    """The candidates' side, or the opponents', has a fault in every match but each `other` one."""

    def __init__(self, kind: str = "malformed", other: int = 0, candidates: bool = True) -> None:
        super().__init__(bump)
        self.kind, self.other, self.candidates = kind, other, candidates

    def report(self, order: MatchOrder) -> MatchReport:
        if self.other and len(self.played) % self.other == 0:
            return super().report(order)
        own = [bool(parameters.given(bot.command)) == self.candidates for bot in order.bots]
        faults = tuple((self.kind,) if one else () for one in own)
        return msgspec.structs.replace(super().report(order), faults=faults)


@pytest.mark.parametrize("candidates", [True, False])
def test_ten_faults_of_a_kind_end_it(candidates: bool, tmp_path: Path) -> None:
    """Where every match has it, ten are played and no more; all of them are kept, and the same goes on."""
    path = str(tmp_path / "tune.db")
    with Record(path) as record:
        record.ask(question())
        executor = Faulty(candidates=candidates)
        with pytest.raises(ManyFaultsError) as caught:
            run(tuning(record), executor)
    assert len(executor.played) == ENOUGH
    assert caught.value.key == ("tune-faults" if candidates else "tune-faults-of-others")
    assert caught.value.seed == executor.played[-1].seed
    assert [bot.name for bot in caught.value.bots] == [bot.name for bot in executor.played[-1].bots]
    assert "malformed" in caught.value.say()
    assert "{" not in caught.value.say(Speaker("ja"))
    with Record(path) as record:
        assert record.played == ENOUGH
        record.ask(question())
        assert run(tuning(record), Drawn(bump)).matches == 80


def test_values_with_which_a_bot_fails_are_part_of_the_search() -> None:
    """Where half of the matches have a fault, or each has another one, it goes on to its end."""
    assert run(tuning(Record(None)), Faulty(other=2)).matches == 80

    class Changing(Faulty):
        def report(self, order: MatchOrder) -> MatchReport:
            self.kind = ("timeout", "malformed")[len(self.played) % 2]
            return super().report(order)

    assert run(tuning(Record(None)), Changing()).matches == 80


def test_it_ends_while_it_looks_for_effects() -> None:
    """Ten matches before the first generation are as many."""
    executor = Faulty()
    with pytest.raises(ManyFaultsError):
        without_effect(tuning(Record(None), ("a=0.0..1.0", "b=1..9", "c=1..9", "d=1..9", "e=1..9")), executor)
    assert len(executor.played) == ENOUGH


class Clock:
    """A clock that somebody sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Slow(Drawn):
    """Before each report, so many seconds go by; somebody looks at the clock in between."""

    def __init__(self, clock: Clock, seconds: Iterable[float]) -> None:
        super().__init__(bump)
        self.clock, self.seconds = clock, iter(seconds)
        self.watch: SaysWhatWaits | None = None

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        for order in [*orders]:
            for _ in range(int(next(self.seconds, 0))):
                self.clock.now += 1
                assert self.watch is not None
                self.watch.look()
            yield self.report(order)


def test_a_match_that_does_not_end_is_said_after_a_minute() -> None:
    """After one minute without an end, then two, four and so on, by a made clock. Shorter waits are not told."""
    clock, told = Clock(), []
    slow = Slow(clock, [59, 59, 250, 61, 3])
    slow.watch = SaysWhatWaits(slow, lambda order, seconds: told.append((order.key, seconds)), clock)
    orders = [MatchOrder(str(at), "wondev-woman", (BOT, BOT), at) for at in range(5)]
    assert [report.key for report in slow.watch.play(orders)] == ["0", "1", "2", "3", "4"]
    assert told == [("2", 60), ("2", 120), ("2", 240), ("3", 60)]


def test_nobody_waits_for_what_is_not_played() -> None:
    """Between two generations nothing is under way, however long the model takes."""
    clock, told = Clock(), []
    quick = Drawn(bump)
    watch = SaysWhatWaits(quick, lambda order, seconds: told.append(order), clock)
    [*watch.play([MatchOrder("0", "wondev-woman", (BOT, BOT), 1)])]
    clock.now += 1000
    watch.look()
    assert told == []


@pytest.mark.parametrize("as_json", [False, True])
def test_the_sentence_names_the_match(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """It says for how long, how to play that match alone, and how to stop."""
    tuned = tuning(Record(None))
    shown = TuningOutput(Prepared(tuned, BOT, ["./bot", "./bot"]), 4, None, Speaker(), as_json)
    order = MatchOrder("3", "wondev-woman", (tuned.candidate({"a": "0.25"}), BOT), 17)
    shown._say_waits(order, 121.0)
    printed = capsys.readouterr()
    said = printed.err if as_json else printed.out
    assert said.startswith("No match has ended for 2 min.")
    assert "dohyo play wondev-woman './bot DOHYO_PARAM_A=0.25' ./bot --seed 17" in said


class BrokenError(Exception):
    """A defect of ours."""


def always_wins(values: dict[str, str]) -> float:
    """A bot with values is stronger by far than one without."""
    return 4000.0 * bool(values)


def test_what_a_crash_left_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an earlier version ended in an error of the model, the same command goes on with all that was played."""
    from dohyo.guests.tune.model import Model

    path = str(tmp_path / "tune.db")
    fit, fits = Model.fit, []

    def breaks(*given: object) -> None:
        fits.append(given)
        if len(fits) == 3:
            raise BrokenError
        fit(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, Record(path) as record:
        patch.setattr(Model, "fit", breaks)
        record.ask(question())
        broken = tuning(record, matches=120)
        with pytest.raises(BrokenError):
            run(broken, Drawn(bump))
    executor = Drawn(bump)
    with Record(path) as record:
        record.ask(question())
        before = record.played
        again = run(tuning(record, matches=120), executor)
    assert before > 40
    assert len(executor.played) == 120 - before
    whole = run(tuning(Record(None), matches=120), Drawn(bump))
    assert (again.tried, again.best) == (whole.tried, whole.best)


@pytest.mark.parametrize("value", ["5e-324", "0.7", "1"])
def test_a_record_in_which_all_is_the_same_is_taken_up(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values that an earlier version chose, all the same, all won: the search goes on."""
    path = str(tmp_path / "tune.db")
    with Record(path) as record, monkeypatch.context() as patch:
        patch.setattr(Tuning, "_choose", lambda *_: [{"a": value}] * 12)
        record.ask(question())
        run(tuning(record), Drawn(always_wins, most=30))
    with Record(path) as record:
        record.ask(question())
        again = run(tuning(record), Drawn(always_wins))
    assert again.is_over
    assert [one.values["a"] for one in again.tried[:12]] == [value] * 12
    assert again.best is not None
    assert 0 <= float(again.best.values["a"]) <= 1
    assert 0.5 < again.best.score <= 1
