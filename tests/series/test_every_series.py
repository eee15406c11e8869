"""Every series goes on: contests, a comparison and a tuning, killed at a write of a store."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.bots import Bot
from dohyo.core.contest import Entrant, Version
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.version import rules_of
from dohyo.series import formats
from dohyo.series.compare import Terms, Trial
from dohyo.series.compare_folder import ComparisonFolder
from dohyo.series.loop import Loop
from dohyo.series.results import Orders, Silent
from dohyo.series.roster import BuiltBot, Roster
from dohyo.series.sequential import Hypotheses
from dohyo.series.spec import Contender, Spec, as_stored
from dohyo.series.store import Store, open_store

DUEL = games.find("wondev-woman")
WRITES = ("schedule", "record", "cut", "enter", "set_state", "begin")
KILLED = 77  # the exit status of a process that ends itself
BOTS = [Bot(name, (f"/{name}",), "/", name * 64, "") for name in "abcd"]


class Played:
    """An executor whose matches end by their own seed and seats, a few at a time in an order of their own."""

    workers = 3

    def __init__(self) -> None:
        self.keys: list[tuple[int, tuple[str, ...]]] = []

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders."""
        waiting, rest = [], iter(orders)
        dice = random.Random(3)
        while True:
            while len(waiting) < 5 and (order := next(rest, None)) is not None:
                waiting.append(order)
            if not waiting:
                return
            order = waiting.pop(dice.randrange(len(waiting)))
            seated = tuple(bot.name for bot in order.bots)
            self.keys.append((order.seed, seated))
            lucky = random.Random(f"{order.seed} {sorted(seated)}").random() < 0.8
            yield MatchReport(order.key, places=tuple(1 if (name == min(seated)) == lucky else 2 for name in seated))

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Played:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


def contest(format_: str) -> Callable[[Path, Played], object]:
    """A contest of this format; what came of it."""

    def play(place: Path, executor: Played) -> object:
        spec = Spec(game=DUEL.name, format=format_, rounds=3, seed=7, setup={}, options={}, bots=())
        built = [BuiltBot(Contender(bot.name), bot) for bot in BOTS]
        with open_store(str(place / "c.db"), create=True) as store:
            known = store.begin("c", DUEL.name, as_stored(spec), 0.0)
            store.lease(known.id)
            entrants = [Entrant(at, Version(bot.name, bot.digest)) for at, bot in enumerate(BOTS)]
            if not store.entrants(known.id):
                store.enter(known.id, entrants, 0.0)
            roster = Roster(store, known, DUEL, spec, built)

            def make(_: Roster) -> formats.Format:
                return formats.make(format_, seats=DUEL.seats, rounds=3, seed=7, entrants=len(BOTS))

            loop = Loop(store, known, make, roster, Orders(store, known, DUEL, spec, roster))
            loop.reopen()
            loop.take_up()
            assert loop.run(executor, Silent())
            results = [(each.fixture, each.places) for each in store.played(known.id)]
            assert list(store.verify()) == []
            return results, loop.format.standing(entrants)

    return play


def comparison(place: Path, executor: Played) -> tuple[list[Any], object]:
    """A comparison that its test ends."""
    terms = Terms(seed=7, hypotheses=Hypotheses(0, 400), sandbox="none")
    with ComparisonFolder(place / "kept") as folder:
        trial = Trial(DUEL, BOTS[:2], terms, folder)
        for _ in trial.play(executor):
            """Each round."""
    with open_store(str(place / "kept" / "comparison.db")) as store:
        known = store.contest()
        assert list(store.verify()) == []
        return [(each.fixture, each.places) for each in store.played(known.id)], trial.known


def tuning(place: Path, executor: Played) -> object:
    """A tuning, with its final comparison."""
    pytest.importorskip("dohyo.guests.tune")
    pytest.importorskip("scipy")
    from dohyo.guests.tune.final import final_comparison
    from dohyo.guests.tune.record import Question, Record
    from dohyo.guests.tune.space import read
    from dohyo.guests.tune.tuning import Terms, Tuning

    space = read(["x=0.0..1.0"])
    with Record(str(place / "tune.db")) as record:
        record.ask(Question(DUEL.name, rules_of(DUEL), "a", ("b",), space, 2, 4, {}, "", False))
        tuned = Tuning(DUEL, BOTS[0], BOTS[1:2], space, Terms(seed=4, matches=32, batch=4), record)
        for _ in tuned.play(executor):
            """Each match."""
        assert tuned.best is not None
        final = final_comparison(tuned, tuned.best.values, BOTS[0], 4)
        for _ in final.play(executor):
            """Each round."""
        return tuned.tried, tuned.best, final.known


SERIES = {
    "round-robin": contest("round-robin"),
    "swiss": contest("swiss"),
    "comparison": comparison,
    "tuning": tuning,
}


def killed(play: Callable[[Path, Played], object], place: Path, write: str, at: int, after: bool) -> bool:
    """Play it in a process that kills itself at a write, before or after; whether it came to that."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == KILLED
    try:
        count, method = iter(range(1 << 20)), getattr(Store, write)

        def dying(*given: Any, **named: Any) -> Any:
            if (last := next(count) == at) and not after:
                os._exit(KILLED)
            found = method(*given, **named)
            if last:
                os._exit(KILLED)
            return found

        setattr(Store, write, dying)
        play(place, Played())
        os._exit(0)
    except BaseException:
        os._exit(1)
    return False


def counted(patch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each write of a store comes from now on."""
    writes: Counter[str] = Counter()

    def counting(write: str) -> Callable[..., Any]:
        method = getattr(Store, write)

        def act(*given: Any, **named: Any) -> Any:
            writes[write] += 1
            return method(*given, **named)

        return act

    for write in WRITES:
        patch.setattr(Store, write, counting(write))
    return writes


@pytest.mark.parametrize("name", SERIES)
def test_a_series_that_was_killed_goes_on(name: str, tmp_path: Path, full: bool) -> None:
    """Killed before or after any write of its store, it ends with the same, and no match is stored twice.

    What is stored before a write is what was stored after the one before it: `--full` kills there, too.
    """
    play = SERIES[name]
    (tmp_path / "whole").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        writes = counted(patch)
        whole = play(tmp_path / "whole", Played())
    assert {"schedule", "record", "begin"} <= writes.keys()
    for write, times in writes.items():
        before = [(0, False)] if full else []
        for at, after in (*before, (0, True), *([(2, False)] if write == "record" else [])):
            if at >= times:
                continue
            place = tmp_path / f"{write}-{at}-{after}"
            place.mkdir()
            assert killed(play, place, write, at, after), (write, at, after)
            assert play(place, Played()) == whole, (write, at, after)


@pytest.mark.parametrize("name", SERIES)
def test_a_series_that_is_over_plays_nothing(name: str, tmp_path: Path) -> None:
    """Begun once more, it says the same, without a match."""
    first = SERIES[name](tmp_path, Played())
    executor = Played()
    assert SERIES[name](tmp_path, executor) == first
    assert executor.keys == []


class Backwards(Played):
    """An executor that reports a whole batch before the first of its matches."""

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders, the first one last."""
        return iter([*super().play(orders)][::-1])


def test_a_comparison_whose_batch_is_whole_is_still_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the last match of a batch and the cut, the matches after the decision count for nobody."""
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole = comparison(tmp_path / "whole", Played())
    with monkeypatch.context() as broken:
        broken.setattr(Store, "cut", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            comparison(tmp_path / "killed", Backwards())
    with open_store(str(tmp_path / "killed" / "kept" / "comparison.db")) as store:
        (batch,) = store.progress(store.contest().id)
        assert batch.complete
        assert batch.size > len(whole[0])
    assert comparison(tmp_path / "killed", Played()) == whole
    assert comparison(tmp_path / "killed", Played()) == whole
