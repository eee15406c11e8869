"""A tuning: who meets whom on which seed, what it ends with, how it goes on, what it refuses."""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.version import Rules, version_of_game
from dohyo.guests.tune.begin import prepare, with_known_defaults
from dohyo.guests.tune.final import Outcome, final_comparison, outcome_of
from dohyo.guests.tune.model import Model
from dohyo.guests.tune.record import Question, Record
from dohyo.guests.tune.request import TuneRequest
from dohyo.guests.tune.space import read
from dohyo.guests.tune.tuning import Terms, Tuning, curve, numbers, surface
from dohyo.sandbox import choose
from dohyo.series.store import open_store
from tests.guests.tune.drawn import BOT, DUEL, OTHER, Drawn, Strength, bump, run, tuning

ONE_FILE = Path(__file__).parents[3] / "examples"


def question(**changed: Any) -> Question:
    """What a tuning is about."""
    usual: dict[str, Any] = {
        "game": "g",
        "rules": Rules(1, ""),
        "bot": "b",
        "opponents": (),
        "parameters": read(["a=1..6"]),
    }
    more = {"seats": 2, "seed": 4, "setup": {"x": [1]}, "clock": "", "pondering": False}
    return Question(**{**usual, **more, **changed})


def test_it_ends_near_the_top_and_says_so() -> None:
    """On a bump of 600 Elo, 160 matches find the top; a parameter without effect is seen to have little."""
    tuned = run(tuning(Record(None), ("a=0.0..1.0", "b=x,y"), matches=160), Drawn(bump))
    assert tuned.best is not None
    assert abs(float(tuned.best.values["a"]) - 0.7) < 0.1
    assert tuned.best.score > 0.85
    assert tuned.matches == 160
    along = curve(tuned, 0)
    assert along[0].score < 0.75 < max(point.score for point in along)
    assert len(curve(tuned, 1)) == 2
    assert numbers(tuned) == [0]


def test_candidates_of_a_generation_meet_the_same() -> None:
    """All of a generation play one seed, each on every seat against each opponent; generations differ."""
    executor = Drawn(bump)
    tuned = Tuning(DUEL, BOT, [BOT, OTHER], read(["a=0.0..1.0"]), Terms(seed=4, matches=100, batch=4), Record(None))
    run(tuned, executor)
    seeds = defaultdict(set)
    met = defaultdict(list)
    for order in executor.played:
        (candidate,) = (bot.name for bot in order.bots if len(bot.command) > 1)
        generation = candidate.partition(".")[0]
        seeds[generation].add(order.seed)
        met[candidate].append(tuple(len(bot.command) > 1 or bot.command[0] for bot in order.bots))
    assert all(len(each) == 1 for each in seeds.values())
    assert len({seed for each in seeds.values() for seed in each}) == len(seeds) > 3
    every = sorted([(True, "/bump"), ("/bump", True), (True, "/other"), ("/other", True)], key=str)
    assert all(sorted(each, key=str) == every for each in met.values())
    assert not any(len(order.bots[seat].command) > 2 for order in executor.played for seat in (0, 1))


def test_the_order_of_reports_does_not_count() -> None:
    """With workers that are quicker or slower, the same seed ends with the same values."""
    one, other = (run(tuning(Record(None)), Drawn(bump, reverse=reverse)) for reverse in (False, True))
    assert one.tried == other.tried
    assert one.best == other.best
    assert run(tuning(Record(None), seed=5), Drawn(bump)).tried != one.tried


@pytest.mark.parametrize("most", [0, 7, 24, 61])
def test_it_goes_on_where_it_was_stopped(most: int, tmp_path: Path) -> None:
    """Stopped at any match, it plays the others only, and ends as if it had not been stopped."""
    path = str(tmp_path / "tune.db")
    whole = run(tuning(Record(None)), Drawn(bump))
    with Record(path) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=most))
    executor = Drawn(bump)
    with Record(path) as record:
        record.ask(question())
        again = run(tuning(record), executor)
    assert len(executor.played) == 80 - most
    assert (again.tried, again.best) == (whole.tried, whole.best)
    with Record(path) as record:  # more matches later: what was played still counts
        more = Drawn(bump)
        assert run(tuning(record, matches=100), more).matches == 100
    assert len(more.played) == 20


@pytest.mark.parametrize(("most", "fits"), [(80, 1), (61, 3), (24, 4), (0, 4)])
def test_what_is_stored_is_not_learned_step_by_step(
    most: int, fits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going on fits the model before the first match that is played, and not for each stored generation."""
    path, counted = str(tmp_path / "tune.db"), []
    with Record(path) as record:
        record.ask(question())
        whole = run(tuning(record), Drawn(bump, most=most))
        assert whole.generations == 0 or whole.best is not None
    fit = Model.fit
    monkeypatch.setattr(Model, "fit", lambda *given: (counted.append(given), fit(*given)))
    with Record(path) as record:
        executor = Drawn(bump)
        known = [one.best is not None for one in tuning(record).play(executor) if executor.played]
    assert len(executor.played) == 80 - most
    assert len(counted) == fits
    if whole.generations:  # what is best so far is known while the rest is played
        assert all(known)


def test_a_record_is_of_one_question(tmp_path: Path) -> None:
    """Nothing that was played for another bot, seed, range or setup is counted; the sentence says what differs."""
    path = str(tmp_path / "tune.db")
    with Record(path) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=0))
    other: dict[str, Any] = {"bot": "c", "seed": 5, "parameters": read(["a=1..7"]), "setup": {}, "opponents": ("o",)}
    for name, value in other.items():
        with Record(path) as record:
            with pytest.raises(OperatorError, match=rf"\({name} differs\)"):
                record.ask(question(**{name: value}))
            record.ask(question(setup={"x": (1,)}))  # the same, in another type


def test_edited_rules_are_another_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played by a game's rules before they were edited does not count, whatever version they have."""
    (tmp_path / "edited_once.py").write_bytes((ONE_FILE / "tic_tac_toe.py").read_bytes())
    (tmp_path / "bot").write_text("#!/bin/sh\nread line\n")
    (tmp_path / "bot").chmod(0o755)
    monkeypatch.setenv("DOHYO_GAMES", str(tmp_path / "edited_once.py"))
    asked = TuneRequest(game="edited-once", bot=str(tmp_path / "bot"), param=["a=1..6"], seed=4)
    for edited in (b"", b"", b"# edited\n"):
        with open(tmp_path / "edited_once.py", "ab") as file:
            file.write(edited)
        version_of_game.cache_clear()  # as in another process
        with Record(str(tmp_path / "tune.db")) as record:
            if edited:
                with pytest.raises(OperatorError, match=r"\(rules differs\)"):
                    prepare(asked, games.find("edited-once"), Terms(), choose("none"), record)
            else:
                ready = prepare(asked, games.find("edited-once"), Terms(), choose("none"), record)
                run(ready.tuning, Drawn(lambda _: 0, most=0))
    version_of_game.cache_clear()


def test_force_begins_again(tmp_path: Path) -> None:
    """With force another tuning takes its place, once it begins; a file that is none of a tuning stays even so."""
    path = tmp_path / "tune.db"
    with Record(str(path)) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=7))
    with Record(str(path), force=True):
        pass
    with Record(str(path)) as record:
        assert record.played == 7  # nothing is lost before it begins
    with Record(str(path), force=True) as record:
        record.ask(question(seed=5))
        run(tuning(record), Drawn(bump, most=0))
    with Record(str(path)) as record:
        record.ask(question(seed=5))
        assert record.played == 0
    path.unlink()
    path.write_bytes(b"import random\n")
    with pytest.raises(OperatorError) as caught:
        Record(str(path), force=True)
    assert (caught.value.key, path.read_bytes()) == ("tune-store-other", b"import random\n")


def test_what_is_not_a_record_is_left_alone(tmp_path: Path) -> None:
    """Files of others are refused and unchanged; so is one that a process has, and the store of a contest."""
    path = tmp_path / "tune.db"
    for content in (b"hello", b"\xff\n", b"[" * 9999):
        path.write_bytes(content)
        with pytest.raises(OperatorError) as caught:
            Record(str(path))
        assert caught.value.key == "tune-store-other"
        assert path.read_bytes() == content
    with pytest.raises(OperatorError):
        Record(str(tmp_path))
    path.unlink()
    with Record(str(path)) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=1))
        with pytest.raises(OperatorError) as caught:
            Record(str(path))
        assert caught.value.key == "tune-store-used"
    with open_store(str(tmp_path / "c.db"), create=True) as store:
        store.begin("c", "wondev-woman", {}, 0.0)
    with pytest.raises(OperatorError) as caught:
        Record(str(tmp_path / "c.db"))
    assert caught.value.key == "tune-store-other"


@pytest.mark.parametrize(
    "name",
    [
        '0.0 {"a":"x"}',
        '0.0 {"a":"nan"}',
        f'0.0 {{"a":"0.{"1" * 60}"}}',
        '0.0 {"b":"1"}',
        '0.0 {"a":"1","b":"1"}',
        "x",
    ],
)
def test_a_record_that_somebody_wrote(name: str, tmp_path: Path) -> None:
    """Values that are none of the parameters' are refused; nothing is played."""
    path, executor = str(tmp_path / "tune.db"), Drawn(bump)
    with Record(path) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=0))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("update bots set name = ? where name like '0.0 %'", [name])
    with Record(path) as record, pytest.raises(OperatorError) as caught:
        run(tuning(record), executor)
    assert caught.value.key in ("tune-store-differs", "store-damaged")
    assert not executor.played


@pytest.mark.parametrize("value", ["1e300", "1.1", "-0.1", "nan", "inf"])
def test_each_candidate_of_a_record_is_one_that_a_tuning_chooses(value: str) -> None:
    """Its values are in the ranges that were typed, also of those behind the last one that is counted: all play."""
    tuned, even = tuning(Record(None)), {"a": "0.5"}
    series: Any = SimpleNamespace(values=lambda number: [even, {"a": value}])
    with pytest.raises(OperatorError) as caught:
        tuned._generation(series, 0, 1)
    assert caught.value.key == "tune-store-differs"
    series = SimpleNamespace(values=lambda number: [even, {"a": "1"}, {"a": "0.0"}])
    assert tuned._generation(series, 0, 1) == [even]


class Disturbed(Drawn):
    """Dohyo was stopped during the matches of every third candidate."""

    def report(self, order: MatchOrder) -> MatchReport:
        report = super().report(order)
        is_disturbed = int(order.key) // 2 % 3 == 0
        return msgspec.structs.replace(report, error="stopped", disturbed=True) if is_disturbed else report


class Failing(Drawn):
    """A match that cannot be played."""

    def report(self, order: MatchOrder) -> MatchReport:
        return MatchReport(order.key, error="The disk is full.", mend=True)


def test_a_disturbed_round_says_nothing(tmp_path: Path) -> None:
    """It counts for nobody, and is not played for ever."""
    tuned = run(tuning(Record(str(tmp_path / "t"))), Disturbed(bump))
    assert tuned.left_out > 10
    assert len(tuned.tried) + tuned.left_out == 40
    assert tuned.best is not None
    tuned.record.close()


def test_a_match_that_cannot_be_played_ends_it(tmp_path: Path) -> None:
    """The operator's trouble is a sentence, and no result is kept of it."""
    with Record(str(tmp_path / "t")) as record, pytest.raises(OperatorError, match="The disk is full"):
        run(tuning(record), Failing(bump))


def test_impossible_terms() -> None:
    """Too few matches, no candidate in a generation, a seed that none is."""
    for terms, key in (({"matches": 31}, "tune-matches"), ({"batch": 0}, "tune-batch"), ({"seed": -1}, "bad-seed")):
        with pytest.raises(OperatorError) as caught:
            tuning(Record(None), **terms)
        assert caught.value.key == key


def test_the_final_comparison_is_on_new_seeds(tmp_path: Path) -> None:
    """It plays a fixed number of pairs on seeds that the tuning has not, and none twice when it is resumed."""
    with Record(str(tmp_path / "t")) as record:
        executor = Drawn(bump)
        tuned = run(tuning(record), executor)
        before = {order.seed for order in executor.played}
        assert tuned.best is not None
        first = final_comparison(tuned, tuned.best.values, BOT, 12)
        known = [*first.play(final := Drawn(bump))][-1]
        assert known.verdict.clusters == 12
        assert known.verdict.elo_low > 0
        assert len(final.played) == 24
        assert before.isdisjoint(order.seed for order in final.played)
        again = final_comparison(tuned, tuned.best.values, BOT, 15)
        assert [*again.play(more := Drawn(bump))][-1].verdict.clusters == 15
        assert len(more.played) == 6
        other = final_comparison(tuned, {"a": "0.5"}, BOT, 2)
        [*other.play(others := Drawn(bump))]
        assert {order.seed for order in others.played}.isdisjoint(order.seed for order in final.played)


def test_no_test_ends_the_final_comparison() -> None:
    """However clear it is, all the pairs that were asked for are played."""
    with Record(None) as record:
        comparison = final_comparison(tuning(record), {"a": "0.7"}, BOT, 1200)
        *_, known = comparison.play(Drawn(lambda values: 4000.0 * bool(values)))
    assert (known.verdict.clusters, known.verdict.better, known.won) == (1200, None, 2400)


@pytest.mark.parametrize(
    ("strength", "rounds", "outcome"),
    [
        (bump, 20, "better"),
        (lambda values: -bump(values), 20, "worse"),
        (lambda _: 0, 20, "no-difference"),
        (bump, 0, "not-compared"),
        (bump, 30, "open"),
    ],
)
def test_what_a_tuning_comes_to(strength: Strength, rounds: int, outcome: Outcome) -> None:
    """Values are better or worse where the whole interval says so, and nothing is said before the end."""
    tuned = run(tuning(Record(None)), Drawn(bump))
    assert tuned.best is not None
    comparison = final_comparison(tuned, tuned.best.values, BOT, max(rounds, 1))
    for _ in zip(range(20), comparison.play(Drawn(strength)), strict=False):
        pass
    assert outcome_of(tuned, comparison, rounds) == outcome


def test_the_defaults_may_be_best() -> None:
    """Where they are, there is nothing to compare; while the search goes on, nobody knows."""
    words, first = ("a=x,y:default=x",), Drawn(lambda values: 600 * ("x" in values.values()))
    tuned = run(tuning(Record(None), words, matches=32), first)
    assert outcome_of(tuned, None, 20) == "is-default"
    stopped = run(tuning(Record(None)), Drawn(bump, most=60))
    assert stopped.best is not None
    assert outcome_of(stopped, None, 20) == "open"


def test_defaults_that_the_bot_itself_says() -> None:
    """A default may stand in the bot's command or bot.toml; a place for a value needs one."""
    space = read(["a=0.0..1.0", "b=x,y"])
    known = with_known_defaults(space, BOT.given(("{a}", "DOHYO_PARAM_A=0.25", "DOHYO_PARAM_B=q")))
    assert [one.default for one in known] == ["0.25", ""]
    with pytest.raises(OperatorError, match=r"--param a=0\.0\.\.1\.0:default=VALUE"):
        with_known_defaults(space, BOT.given(("--a={a}",)))


def test_a_surface_is_over_two_numbers() -> None:
    """The expected score over two numbers is highest near the top."""
    tuned = run(tuning(Record(None), ("a=0.0..1.0", "c=1..9"), matches=120), Drawn(bump))
    assert sorted(numbers(tuned)) == [0, 1]
    rows = surface(tuned, 0, 1)
    assert max(max(row) for row in rows) - min(min(row) for row in rows) > 0.2


def test_a_contest_that_is_called_like_a_tuning_is_never_deleted(tmp_path: Path) -> None:
    """Where a store holds anything else, also a contest of that name, `force` refuses it, too."""
    ours, theirs = str(tmp_path / "tune.db"), str(tmp_path / "league.db")
    with Record(ours) as record:
        record.ask(question())
        run(tuning(record), Drawn(bump, most=1))
    with open_store(ours) as store:
        plain = store.contest("tune").spec
    for name, format_ in (("tune", "swiss"), ("effects", "round-robin"), ("autumn", "generations")):
        with open_store(theirs, create=True) as store:
            for begun, of_begun in {"tune": "generations", name: format_}.items():
                store.begin(begun, "wondev-woman", {**plain, "format": of_begun}, 0.0)
        with pytest.raises(OperatorError) as caught:
            Record(theirs, force=True)
        assert (caught.value.key, name) == ("tune-store-other", name)
        os.unlink(theirs)
