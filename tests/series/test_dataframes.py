"""Results as data frames, by whichever library is there; what a notebook asks for."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo import clean, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.replay import Header, Move, Replay, Result, Seat, Turn
from dohyo.sandbox import choose
from dohyo.series import dataframes
from dohyo.series.spec import Spec, as_stored
from dohyo.series.standings import Row, Standings
from dohyo.series.store import open_store
from dohyo.series.store.records import PublishedRating
from tests.series.store.played import AT, NAMES, entries, result, table
from tests.skips import Reason, skip_for

PAGE = Path(__file__).parents[2] / "docs" / "notebooks.md"
MATCH = Replay(
    Header(game="drop-block", rules=1, setup={}, seats=(Seat("a"), Seat("b\x1b[31m")), seed=1, software="test"),
    [
        Turn(4, (), (Move(0, "U", 0.5), Move(1, "N", None))),
        Turn(5, (), (Move(0, "N", 0.25, "up", (Fault(FaultKind.MALFORMED, "'up' is none"),), "x\x07y"),)),
        Turn(6, (), (Move(1, "N", 1.0, None, (Fault(FaultKind.TIMEOUT, "late"),)),)),
        Turn(7, (), (Move(1, "N", 0.1, "?", (Fault(FaultKind.MALFORMED, "a note", note=True),)),)),
    ],
    Result((1, 2), 0, "drop-block.last-standing"),
)

Libraries = Callable[..., None]


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> Libraries:
    """Says which libraries are installed; each makes a frame that is its name and the columns."""
    for name in dataframes.LIBRARIES:
        monkeypatch.delitem(sys.modules, name, raising=False)

    def install(*names: str, imported: str = "") -> None:
        def find(name: str) -> ModuleSpec | None:
            return ModuleSpec(name, None) if name in names else None

        def load(name: str) -> Any:
            made = ModuleType(name)
            made.DataFrame = lambda columns: (name, columns)  # type: ignore[attr-defined]
            return made

        monkeypatch.setattr(dataframes.importlib.util, "find_spec", find)
        monkeypatch.setattr(dataframes.importlib, "import_module", load)
        if imported:
            monkeypatch.setitem(sys.modules, imported, ModuleType(imported))

    return install


def test_a_seat_that_is_not_there_is_no_row() -> None:
    """A replay that somebody made up is refused in one sentence; its line shows nothing that a terminal obeys."""
    forged = Replay(MATCH.header, [Turn(0, (), (Move(9, "U", 0.5),))], MATCH.result)
    with pytest.raises(ReplayError, match="no seat 9"):
        dataframes.moves_of(forged)
    named = msgspec.structs.replace(MATCH.header, game="x\x1b[2J\ny")
    assert repr(Replay(named, [], MATCH.result)).isprintable()


def test_it_is_made_by_the_library_that_is_used_or_there(libraries: Libraries) -> None:
    """The one that the notebook has imported, else one that is installed, else the remedy in one sentence."""
    libraries("pandas", "polars")
    assert dataframes.chosen() == "pandas"
    assert dataframes.chosen("polars") == "polars"
    libraries("pandas", "polars", imported="polars")
    assert dataframes.chosen() == "polars"
    libraries("polars")
    assert dataframes.chosen() == "polars"
    with pytest.raises(OperatorError, match="needs pandas, which is not installed here"):
        dataframes.chosen("pandas")
    with pytest.raises(ValueError, match="one of pandas, polars, not by 'excel'"):
        dataframes.chosen("excel")
    libraries()
    with pytest.raises(OperatorError, match=r"needs .*pandas.*; install it: pip install pandas"):
        dataframes.chosen()


def test_a_replay_is_a_row_for_each_move() -> None:
    """What came, what was carried out, the time, and the fault that counts; texts without control signs."""
    columns = dataframes.moves_of(MATCH)
    assert list(columns) == list(dataframes.MOVES)
    assert columns["turn"] == [4, 4, 5, 6, 7]
    assert columns["action"] == ["U", "N", "N", "N", "N"]
    assert columns["reply"] == ["U", None, "up", None, "?"]
    assert columns["seconds"] == [0.5, None, 0.25, 1.0, 0.1]
    assert columns["fault"] == [None, None, "malformed", "timeout", None]
    assert columns["detail"] == [None, None, "'up' is none", "late", None]
    assert columns["bot"][0] == "a"
    assert not any("\x1b" in text or "\x07" in text for name in ("bot", "stderr") for text in columns[name])


def test_a_replay_makes_its_frame_and_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """`to_frame` is there where `dohyo` made the replay; its text is short, since a notebook stores it too."""
    assert callable(dohyo.load)  # whoever has a replay has asked for such a name
    assert repr(MATCH) == "<Replay of drop-block, seed 1: 4 turns, last player standing, places (1, 2)>"
    whole, shows = dataframes.moves_of(MATCH), MATCH.shown_by
    monkeypatch.setattr(dataframes, "frame", lambda columns, library: (library, columns))
    assert MATCH.to_frame("polars") == ("polars", whole)
    assert shows is not None
    monkeypatch.setattr(Replay, "shown_by", None)
    assert MATCH._repr_html_() is None
    with pytest.raises(TypeError, match=r"dohyo\.play"):
        MATCH.to_frame()


def test_why_a_match_ended_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the language of the environment, also of a game that no name finds; its key where nobody has a sentence."""
    assert callable(dohyo.load)  # as above
    key, told = "drop-block.last-standing", MATCH.result.reason
    assert (MATCH.result.reason_key, told) == (key, "last player standing")
    stored = msgspec.json.encode(MATCH.result)
    assert msgspec.json.decode(stored)["reason"] == key
    assert msgspec.json.decode(stored, type=Result) == MATCH.result
    monkeypatch.setenv("DOHYO_LANG", "ja")
    assert MATCH.result.reason != told
    monkeypatch.setenv("DOHYO_LANG", "en")
    strange = Replay(msgspec.structs.replace(MATCH.header, game="?"), [], Result((1, 2), 0, "nobody's\x1b[31m"))
    assert strange.result.reason == clean.line("nobody's\x1b[31m")
    assert "\x1b" not in strange.result.reason
    assert Replay(strange.header, [], Result((), None, "unfinished")).result.reason == "interrupted before the end"
    game = games.load(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
    bots = [type("First", (dohyo.Bot,), {"act": lambda self, seen: seen.legal_actions[0]})] * 2
    result = dohyo.play(game, bots, seed=1, sandbox="none").result
    assert (result.reason_key, result.reason) == ("tic-tac-toe.reason.1", "three in a row")


def test_standings_are_a_row_for_each_bot(libraries: Libraries) -> None:
    """With the number of its faults; nothing that only a table's words need."""
    rows = [
        Row(
            place=1,
            entrant=1,
            bot="x",
            digest="d",
            points=3.0,
            elo=1510.0,
            matches=2,
            firsts=1,
            won=4,
            drawn=0,
            lost=2,
            faults={"timeout": 2, "illegal": 1},
        ),
        Row(place=2, entrant=0, bot="y", digest="e", points=1.0),
    ]
    libraries("pandas")
    name, columns = Standings(rows=rows, rated=True).to_frame()
    assert name == "pandas"
    assert columns["bot"] == ["x", "y"]
    assert columns["faults"] == [3, 0]
    assert [columns[name][0] for name in ("matches", "firsts", "beaten", "level", "ahead")] == [2, 1, 4, 0, 2]
    assert not {"won", "drawn", "lost"} & set(columns)  # of two matches nobody wins four
    assert columns["elo"] == [1510.0, None]
    assert "remark" not in columns


def test_a_contest_in_frames(tmp_path: Path) -> None:
    """Matches by seat, those of one bot, and ratings batch by batch; of nobody and nothing in one sentence."""
    where = str(tmp_path / "results.db")
    with open_store(where, create=True) as store:
        spec = Spec(game="drop-block", format="ladder", rounds=1, seed=1, setup={}, options={}, bots=())
        contest = store.begin("spring", "drop-block", as_stored(spec), AT)
        store.enter(contest.id, entries(), AT)
        store.lease(contest.id)
        store.schedule(contest.id, [table(0), table(1)])
        store.record(contest.id, [result(table(0)), result(table(1))])
        store.rate(contest.id, 0, [PublishedRating(0, 1510.0, 1400.0, None, 25.0, 8.0)])
    matches = dohyo.matches(where)
    assert len(matches) == 8
    assert matches.columns["bot"][:4] == [NAMES[seat] for seat in (3, 1, 2, 0)]
    assert matches.columns["faults"][0] == "timeout:1 illegal:1"
    assert matches.columns["ended"][0].timestamp() == AT
    assert len(dohyo.matches(where, "spring", bot="hunter")) == 8
    ratings = dohyo.ratings(where)
    assert [column[0] for column in ratings.columns.values()][:3] == [0, 0, "hunter"]
    assert (ratings.columns["elo"], ratings.columns["high"]) == ([1510.0], [None])
    for library in dataframes.LIBRARIES:
        if importlib.util.find_spec(library) is not None:
            assert matches.to_frame(library).shape == (8, 20)
            assert ratings.to_frame(library).shape == (1, 9)
    with pytest.raises(OperatorError, match="No bot 'nobody'"):
        dohyo.matches(where, bot="nobody")
    with pytest.raises(OperatorError, match="There is no store"):
        dohyo.ratings(tmp_path / "none.db")


def test_a_comparison_is_a_row_for_each_baseline(libraries: Libraries, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dohyo.compare` plays as the command does, and says who is better."""
    pytest.importorskip("scipy")
    from dohyo.executors import pool
    from dohyo.executors.in_process import InProcess

    monkeypatch.setattr(pool, "Pool", lambda workers: InProcess())
    result = dohyo.compare(
        "shoot-em-up", "gunner", "random", seed=1, rounds=1, clock=Clock(turn=60), setup={"pairs": 20}, sandbox="none"
    )
    assert (result.candidate, result.matches, result.seed) == ("gunner", 2, 1)
    assert result.decision == "undecided"
    libraries("pandas")
    _, columns = result.to_frame()
    assert columns["baseline"] == ["random"]
    assert columns["won"][0] + columns["tied"][0] + columns["lost"][0] == columns["matches"][0] == 2
    assert columns["low"][0] < columns["elo"][0] < columns["high"][0]


def test_the_code_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With both libraries, each block of the page runs, one after the other."""
    for name in dataframes.LIBRARIES:
        if importlib.util.find_spec(name) is None:
            skip_for(Reason.MISSING, f"{name} is not installed")
    from dohyo.executors import pool
    from dohyo.executors.in_process import InProcess

    monkeypatch.setattr(pool, "Pool", lambda workers: InProcess())
    monkeypatch.setenv("DOHYO_LANG", "en")
    names: dict[str, Any] = {"__name__": "notebook"}
    for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(text.replace("rounds=20", "rounds=1"), str(PAGE), "exec"), names)
    assert len(names["moves"]) == sum(len(turn.moves) for turn in names["replay"].turns)


def test_a_comparison_takes_a_word_for_its_sandbox() -> None:
    """A `Sandbox` cannot travel to the processes that play: it is refused, and not taken for another one."""
    with pytest.raises(OperatorError) as refused:
        dohyo.compare("wondev-woman", "random", "random", rounds=1, sandbox=choose("none"))  # type: ignore[arg-type]
    assert refused.value.key == "unknown-sandbox"
