"""Engines that say what positions are worth: how they are asked, what their words mean, what they may do wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay
from dohyo.guests.analysis.by_judge import analyse_by, judge_of
from dohyo.guests.engines import judging, scores
from dohyo.guests.engines.scores import Score, Search
from dohyo.i18n import ENGLISH
from dohyo.laws.matches import finish
from dohyo.match.players.judge import Judged
from dohyo.match.sandboxing import sandbox_of
from tests.skips import program

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("judging_engine.py")
FOOLS = "f2f3", "e7e5", "g2g4", "d8h4"
GAME = games.find("chess")


def engine(wrong: str = "", record: str = "", options: str = "", protocol: str = "uci") -> str:
    """The word for the engine of these tests."""
    return f"{protocol}:{sys.executable} {ENGINE} '{wrong}' '{record}' {options}"


def played(*moves: str) -> Replay:
    """A match of chess with these moves."""
    words, setup = iter(moves), resolve(GAME.options, {})
    return finish(Referee(GAME, setup, 2, 1), setup, 1, lambda *_: Answer(next(words))).replay


@pytest.fixture(scope="module")
def fools() -> Replay:
    """The shortest mate."""
    return played(*FOOLS)


def asked(word: str, replay: Replay, *positions: Sequence[str]) -> list[Judged]:
    """What an engine says of positions after these moves."""
    found = []
    with judge_of(GAME, replay, word, None, sandbox_of("none")) as judge:
        for moves in positions:
            start = GAME.new_state(dict(replay.header.setup), 2)
            state, actions = GAME.rules.LAYOUT.copy(start), [GAME.protocol.read(move) for move in moves]
            for action in actions:
                GAME.rules.step(state, [action] * 2, None)
            found.append(judge.judge(start, [one or 0 for one in actions], state, 0.01))
    return found


def text(found: Judged) -> str:
    """Its best move."""
    return GAME.protocol.text(found.best)


def test_how_an_engine_is_asked(fools: Replay, tmp_path: Path) -> None:
    """By start and moves, for so long; it is told to say how many games it would win, and to end."""
    record = tmp_path / "told.txt"
    (found,) = asked(engine("", str(record), "option.Hash=8 go.depth=5"), fools, FOOLS[:2])
    _, _, told = record.read_text().rpartition("uci\n")
    assert told.splitlines() == [
        "setoption name Hash value 8",
        "ucinewgame",
        "isready",
        "setoption name UCI_ShowWDL value true",
        "position startpos moves f2f3 e7e5",
        "isready",
        "go movetime 10 depth 5",
    ]
    assert (found.chance, text(found), found.depth, found.mate) == (0.4, "g1h3", 7, None)
    assert found.low == 0.4 < found.high == pytest.approx(scores.chance_of(800))


def test_mates_and_scores_in_pawns(fools: Replay) -> None:
    """A mate is a win, by the engine's word; without wdl a score is a chance by the curve."""
    first, mate = asked(engine("centipawns"), fools, (), FOOLS[:3])
    assert first.chance == pytest.approx(1 / (1 + 10 ** (-20 / 400)))
    assert (mate.chance, mate.mate, text(mate)) == (1.0, 1, "d8h4")


def test_what_belongs_to_an_earlier_search_is_dropped(fools: Replay) -> None:
    """An engine that says something twice is no step behind."""
    found = asked(engine("twice"), fools, (), FOOLS[:1])
    assert [text(one) for one in found] == ["e2e4", "e7e5"]
    assert [one.chance for one in found] == [0.525, 0.55]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("illegal", "its best move is not allowed there: 'e1e8'"),
        ("nonsense", "its best move is not allowed there: ''"),
        ("no-score", "it tells no score"),
        ("exit", "exit status 3"),
        ("flood", "more output than anybody reads"),
        ("hang", "no line 'bestmove' in time"),
    ],
)
def test_an_engine_that_goes_wrong(fools: Replay, monkeypatch: pytest.MonkeyPatch, wrong: str, said: str) -> None:
    """One sentence, and no program is left running; nobody waits for long."""
    if wrong == "hang":
        monkeypatch.setattr(judging, "GRACE", 0.01)
    with pytest.raises(OperatorError) as raised:
        asked(engine(wrong), fools, (), FOOLS[:1])
    sentence = raised.value.say(ENGLISH)
    assert raised.value.key == "judge-failed"
    assert said in sentence


def test_an_engine_that_is_not_ready(fools: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for one that does not come through its handshake."""
    monkeypatch.setattr("dohyo.guests.engines.uci.READY", 0.01)
    late = "dohyo.guests.engines.uci.EngineProcess._is_late"
    monkeypatch.setattr(late, lambda engine, now, is_done: (True, False))
    with pytest.raises(OperatorError, match="no line 'uciok' in time"):
        asked(engine("mute"), fools, ())


def test_a_match_as_an_engine_sees_it(fools: Replay) -> None:
    """The move that allowed the mate is named, with what it should have been; its own name cannot colour a screen."""
    with judge_of(GAME, fools, engine(), None, sandbox_of("none")) as judge:
        found = analyse_by(fools, judge, seconds=2.0)
    assert found.judge is not None
    assert found.judge.name == "Fool \N{REPLACEMENT CHARACTER}red"
    (point,) = found.points
    assert (point.turn, point.seat, point.played, point.better) == (2, 0, "g2g4", "g1h3")
    assert (point.left, point.kept) == (0.0, 0.4)
    assert point.said is not None
    assert (point.said.before, point.said.mate_left, point.said.depth) == (0.4, -1, 7)
    assert [one.chance[0] for one in found.chances] == [0.525, pytest.approx(0.45), 0.4, 0.0]


# --- XBoard's protocol


def test_how_an_xboard_engine_is_asked(fools: Replay, tmp_path: Path) -> None:
    """By the board; its thoughts are read until its time is over."""
    record = tmp_path / "told.txt"
    first, mate = asked(engine("", str(record), "go.depth=4", "xboard"), fools, (), FOOLS[:3])
    told = record.read_text()
    assert "new\neasy\npost\nsd 4\nforce\nping 2\nanalyze\nexit\nping 3\n" in told
    assert "force\nsetboard rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\nping 4\nanalyze\n" in told
    assert (first.chance, text(first)) == (pytest.approx(scores.chance_of(20)), "e2e4")
    assert (first.low, first.high) == (0.5, first.chance)
    assert (mate.chance, mate.mate, text(mate)) == (1.0, 1, "d8h4")


def test_an_xboard_engine_that_cannot(fools: Replay) -> None:
    """Without the feature it is not asked."""
    with pytest.raises(OperatorError, match="has no feature 'analyze'"):
        asked(engine("no-analyze", protocol="xboard"), fools, ())


# --- words for it


@pytest.mark.parametrize(
    ("line", "score"),
    [
        (b"info depth 3 score cp 0", Score(0.5, 3)),
        (b"info depth 3 score cp 0 wdl 250 500 250 pv e2e4", Score(0.5, 3)),
        (b"info depth 3 score cp 0 wdl 900 500 250", Score(0.5, 3)),  # of more games than there are
        (b"info depth 3 score mate -2 upperbound", Score(0.0, 3, -2, True)),
        (b"info score cp -99999999", Score(scores.chance_of(-scores.FAR), 0)),
        (b"info depth 3 score cp x", None),
        (b"info depth 3 multipv 12 score cp 5", None),
        (b"info nodes 12 pv score cp 5", None),
    ],
)
def test_a_line_of_info(line: bytes, score: Score | None) -> None:
    """What is no score of the main line is none."""
    assert scores.of_uci(line) == score


def test_the_latest_score_of_a_search() -> None:
    """The last one that is no mere bound; the bounds hold the latest few."""
    search = Search()
    assert search.last is None
    for score in (Score(0.9, 1), Score(0.4, 2), Score(0.5, 3), Score(0.6, 4), Score(0.7, 4, None, True)):
        search.add(score)
    assert search.last == Score(0.6, 4)
    assert search.bounds == (0.4, 0.6)


def test_a_bot_that_says_no_scores(fools: Replay) -> None:
    """One sentence says who does."""
    with (
        pytest.raises(
            OperatorError, match="'random' says no scores; --by takes an engine: uci:PROGRAM, xboard:PROGRAM"
        ),
        judge_of(GAME, fools, "random", None, sandbox_of("none")),
    ):
        pass


def test_stockfish_sees_the_mate(fools: Replay) -> None:
    """A real engine, in the sandbox."""
    fish = f"uci:{program('stockfish')} option.Hash=16"
    with judge_of(GAME, fools, fish, None, sandbox_of("auto")) as judge:
        found = analyse_by(fools, judge, seconds=3.0)
    assert (2, "g2g4") in {(point.turn, point.played) for point in found.points}
    assert all(point.loss >= 0.1 for point in found.points)
