"""Engines that play several matches without being started again: what they are told, and when they are not kept."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dohyo
from dohyo import games
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.referee import Answer
from dohyo.core.replay import Replay
from dohyo.executors import one_match
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.guests.engines import kept as kept_engines
from dohyo.guests.engines.kept import MAX_WAITING, KeptEngines
from dohyo.guests.engines.uci import EngineProcess
from dohyo.match import verdict
from dohyo.match.found_bots import find_named
from dohyo.match.play import play_match
from dohyo.match.players.kept import Kept
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.compare import Terms, Trial

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("engine.py")
LONG = Clock(turn=60.0, ready=60.0)
END = "4k3/8/8/8/8/8/4P3/4K3 w - - 90 60"  # ten turns before the fifty moves are over, unless a pawn moves
FIRST_MATCH, NEXT_MATCH = ["uci", "ucinewgame", "isready"], ["stop", "ucinewgame", "isready"]


class First(dohyo.Bot):
    """The first legal action."""

    def act(self, observation: Any) -> Any:
        """Take it."""
        return observation.legal_actions[0]


@pytest.fixture(autouse=True)
def finds_dohyo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine imports Dohyo's rules, from where we did."""
    monkeypatch.setenv("PYTHONPATH", str(Path(dohyo.__file__).parents[1]))


@pytest.fixture
def kept() -> Iterator[Kept]:
    """Where engines wait; none is left running."""
    engines = Kept()
    yield engines
    engines.close()


def engine(record: Path, wrong: str = "", options: str = "") -> str:
    """The word for the engine of these tests."""
    return f"uci:{sys.executable} {ENGINE} '{wrong}' {record} {options}"


@cache
def found(word: str) -> Bot:
    """The bot, found once, as for a series: its digest has the files that its command names, which it writes to."""
    return find_named(games.find("chess"), [word], None, sandbox_of("none"))[0]


def play(word: str, kept: Kept | None, **more: Any) -> Replay:
    """A match of the engine."""
    terms: dict[str, Any] = {"clock": LONG, "seed": 1, "sandbox": "none", "setup": {"opening": END}}
    return play_match("chess", [found(word), First()], kept=kept, **(terms | more))


def lines(record: Path) -> list[str]:
    """What the engine was told, but for turns."""
    return [line for line in record.read_text().splitlines() if not line.startswith(("position", "go"))]


def assert_kept(record: Path) -> None:
    """One process has played two matches, and may have been told of a third one."""
    assert lines(record)[:6] == [*FIRST_MATCH, *NEXT_MATCH]
    assert lines(record)[6:] in ([], *(NEXT_MATCH[:told] for told in (1, 2, 3)))


def test_an_engine_plays_the_next_match_without_being_started_again(tmp_path: Path, kept: Kept) -> None:
    """It is told of a new match, its replay is as that of one that was started anew, and at the end it is ended."""
    record = tmp_path / "told.txt"
    first, second = (play(engine(record), kept) for _ in range(2))
    assert_kept(record)
    alone = play(engine(tmp_path / "other.txt"), None)
    actions = [[move.action for turn in each.turns for move in turn.moves] for each in (first, second, alone)]
    assert actions[0] == actions[1] == actions[2]
    assert first.result == second.result == alone.result
    (process,) = (process for _, process in kept.of(KeptEngines)._waiting)
    kept.close()
    assert process.process.returncode is not None


def test_each_match_has_its_own_processor_time(tmp_path: Path, kept: Kept) -> None:
    """Of the second match it is what ran in that one: its start, which takes longer, is not in it."""
    first, second = (play(engine(tmp_path / "told.txt"), kept).cpu[0] for _ in range(2))
    assert first is not None
    assert second is not None
    assert second < first


@pytest.mark.parametrize("wrong", ["illegal", "exit"])
def test_a_fault_ends_the_process(tmp_path: Path, kept: Kept, wrong: str) -> None:
    """Whatever it was, the next match has a new one."""
    record = tmp_path / "told.txt"
    for _ in range(2):
        replay = play(engine(record, wrong), kept)
        assert [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert lines(record).count("uci") == 2
    assert "stop" not in lines(record)


def test_so_does_a_fault_that_ends_no_match(tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of an answer beside which something is wrong."""
    sound = EngineProcess.answer

    def answer(self: EngineProcess, now: int) -> Answer | None:
        found = sound(self, now)
        if found is not None:
            found.faults = (*found.faults, verdict.early("bestmove a2a3"))
        return found

    monkeypatch.setattr(EngineProcess, "answer", answer)
    record = tmp_path / "told.txt"
    for _ in range(2):
        assert play(engine(record), kept).result.places
    assert lines(record).count("uci") == 2
    assert "stop" not in lines(record)


@pytest.mark.parametrize("wrong", ["dies-later", "silent-later"])
def test_one_that_takes_no_second_match_is_started_again(
    tmp_path: Path, kept: Kept, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That we kept it is no fault of the engine's: a new one plays the match, and is not kept after it."""
    monkeypatch.setattr(kept_engines, "LONGEST_WAIT", 50_000_000)
    record = tmp_path / "told.txt"
    for _ in range(3):
        replay = play(engine(record, wrong), kept)
        assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert lines(record).count("uci") == 3
    assert lines(record).count("stop") == 1


def test_only_the_same_engine_is_taken(tmp_path: Path, kept: Kept) -> None:
    """Other options, another name and another clock are another engine's; and few wait at a time."""
    record = tmp_path / "told.txt"
    play(engine(record), kept)
    play(engine(record, options="option.Skill_Level=5"), kept)
    play(f"other={engine(record)}", kept)
    play(engine(record), kept, clock=Clock(turn=50.0, ready=60.0))
    assert lines(record).count("uci") == 4 + 1  # once for the options that it has
    assert len(kept.of(KeptEngines)._waiting) == MAX_WAITING


def test_nothing_waits_for_ever(tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many matches a process ends, with what it has piled up."""
    monkeypatch.setattr(kept_engines, "MAX_MATCHES", 2)
    record = tmp_path / "told.txt"
    for _ in range(3):
        play(engine(record), kept)
    assert lines(record).count("uci") == 2


class NotedError(Exception):
    """All orders were taken."""


def orders_of(trial: Trial) -> list[MatchOrder]:
    """The orders that a comparison gives first; none is played."""
    noted: list[MatchOrder] = []

    class Notes:
        """In the place of an executor."""

        def play(self, given: Iterable[MatchOrder]) -> Iterator[MatchReport]:
            """Note them, and end."""
            noted.extend(given)
            raise NotedError

    with suppress(NotedError):
        list(trial.play(Notes()))  # type: ignore[arg-type]
    return noted


def orders(restart: bool, record: Path) -> tuple[Trial, list[MatchOrder]]:
    """A comparison of a pair, and its orders."""
    game = games.find("chess")
    found = find_named(game, [engine(record), "random"], None, sandbox_of("none"))
    terms = Terms(setup={"opening": END}, clock=LONG, sandbox="none", rounds=1, restart=restart)
    return Trial(game, found, terms), orders_of(Trial(game, found, terms))


def test_a_comparison_keeps_its_engines_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    """They end with the executor; an order by itself, as a contest gives it, keeps none."""
    assert not MatchOrder("1", "chess", (), 1).keeps_engines
    record = tmp_path / "told.txt"
    assert not any(order.keeps_engines for order in orders(True, record)[1])
    trial, given = orders(False, record)
    assert all(order.keeps_engines for order in given)
    record.write_text("")
    with InProcess() as executor:
        assert sum(1 for _ in trial.play(executor)) == 1
        assert len(one_match._kept().of(KeptEngines)._waiting) == 1
    assert not one_match._kept().of(KeptEngines)._waiting
    assert_kept(record)


def test_who_waits_is_paused_while_others_play(tmp_path: Path) -> None:
    """It takes no processor from them, whatever it does; then it plays on as before."""
    record, others = tmp_path / "told.txt", tmp_path / "other.txt"
    (first, last), (between, _) = orders(False, record)[1], orders(False, others)[1]
    record.write_text("")
    try:
        assert not one_match.play_order(first, "here").error
        ((_, waits),) = one_match._kept().of(KeptEngines)._waiting
        assert not one_match.play_order(between, "here").error
        assert waits.is_paused
        assert not one_match.play_order(last, "here").error
        assert_kept(record)
    finally:
        one_match.end_kept()
