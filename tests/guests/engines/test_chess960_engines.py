"""Engines that play Chess960: what they are told of it, how they castle, and who is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import dohyo
from dohyo import games
from dohyo.core import replay_format
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.match.found_bots import find_named
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.compare import Terms, Trial
from tests.cli.conftest import Type, folder, typed
from tests.guests.engines import test_xboard
from tests.guests.engines.test_engines import ENGINE, LONG, First, engine, moves, play
from tests.guests.engines.test_kept_engines import orders_of
from tests.skips import Reason, program, skip_for

pytestmark = pytest.mark.process

__all__ = ["folder", "typed"]  # for a test here
START = "1r2k1r1/p5pp/8/8/8/8/P5PP/1R2K1R1 w GBgb - 90 60"
SETUP = {"variant": "chess960", "opening": START, "draw": "60/2/50"}  # over soon


@pytest.fixture(autouse=True)
def finds_dohyo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines import Dohyo's rules and each other, from where we did."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(dohyo.__file__).parents[1]}:{ENGINE.parents[3]}")


def test_what_a_uci_engine_is_told(tmp_path: Path) -> None:
    """The option before the match, the start with its rooks' columns, castling as the king taking its rook."""
    record = tmp_path / "told.txt"
    replay = play(engine("960 e1g1", str(record)), engine("960 e8b8"), setup=SETUP)
    told = record.read_text().rpartition("uci\n")[2].splitlines()
    assert told[:3] == ["setoption name UCI_Chess960 value true", "ucinewgame", "isready"]
    assert told[3] == f"position fen {START}"
    assert told[5].startswith(f"position fen {START} moves e1g1 e8b8")
    assert [move.action for turn in replay.turns[:2] for move in turn.moves] == ["e1g1", "e8b8"]
    assert not any(move.faults for turn in replay.turns for move in turn.moves)
    again = replay_format.decode(replay_format.encode(replay))
    assert dohyo.verify(again) == len(replay.turns)
    sent = b"".join(recorded.inputs(games.find("chess"), again, 0)).decode()
    assert sent.splitlines() == told[3:]
    text = (games.find("chess").pgn or str)(replay)
    assert "60. O-O {" in text
    assert " O-O-O {" in text.replace("\n", " ")


def test_in_chess_nothing_is_told_of_it(tmp_path: Path) -> None:
    """An engine that could play it is told nothing, and its castling means what it meant."""
    record = tmp_path / "told.txt"
    replay = play(engine("960 e1g1", str(record)), First(), setup={"opening": "4k3/8/8/8/8/8/8/4K2R w K - 90 60"})
    assert "Chess960" not in record.read_text()
    assert moves(replay, 0)[0].action == "e1g1"
    (record := tmp_path / "xboard.txt").touch()
    play(test_xboard.engine("960", str(record)), First(), setup={"opening": START.replace("GBgb", "-")})
    assert "variant" not in record.read_text().replace("accepted variants", "")


def test_what_an_xboard_engine_is_told(tmp_path: Path) -> None:
    """The variant behind `new`, the position, and castling as O-O both ways."""
    record = tmp_path / "told.txt"
    black = test_xboard.engine("960 e8b8", str(record))
    replay = play(engine("960 e1g1"), black, setup=SETUP)
    lines = record.read_text().rpartition("xboard\n")[2].splitlines()
    at = lines.index("new")
    assert lines[at + 1] == "variant fischerandom"
    assert f"setboard {START}" in lines
    assert "usermove O-O" in lines
    assert [move.action for turn in replay.turns[:2] for move in turn.moves] == ["e1g1", "e8b8"]
    assert not any(move.faults for turn in replay.turns for move in turn.moves)


@pytest.mark.parametrize(
    ("word", "key"),
    [(engine(), "uci-no-variant"), (test_xboard.engine(), "xboard-no-variant")],
    ids=["uci", "xboard"],
)
def test_an_engine_that_does_not_play_it_is_refused(word: str, key: str, tmp_path: Path) -> None:
    """Before the first match, in one sentence; in a hand-in it is the engine's fault; and chess it plays."""
    for refused in (
        lambda: play(word, First(), setup={"variant": "chess960"}),
        lambda: find_named(games.find("chess"), [word, word], None, sandbox_of("none"), setup=SETUP),
    ):
        with pytest.raises(OperatorError, match="does not play Chess960") as error:
            refused()
        assert error.value.key == key
    author = tmp_path / "thumb"
    author.mkdir()
    protocol, command = word.split(":", 1)
    (author / "bot.toml").write_text(f'run = "{command}"\nprotocol = "{protocol}"\n')
    replay = play(str(author), First(), setup=SETUP)
    ends = [*(replay.turns[-1].moves if replay.turns else ()), *replay.result.last]
    (fault,) = [fault for move in ends for fault in move.faults]
    assert fault.kind is FaultKind.NOT_READY
    assert fault.code in (FaultCode.NO_OPTION, FaultCode.NO_VARIANT)


def test_it_is_refused_where_it_is_typed(typed: Type) -> None:
    """With exit status 2, by each command that has a setup."""
    setup = ("--setup", "variant=chess960")
    for words in (
        ("check", "chess", engine()),
        ("play", "chess", engine(), "random"),
        ("compare", "chess", engine(), "random", "--seed", "1"),
        ("contest", "run", "--game", "chess", engine(), "random", "--store", "c.db"),
        ("tune", "chess", engine(), "--param", "skill_level=0..20"),
        ("profile", "chess", engine()),
    ):
        status, _, err = typed(*words, *setup)
        assert (status, "has no option UCI_Chess960" in err) == (2, True), words


def test_both_colours_of_each_start() -> None:
    """A comparison plays each start that its seeds draw with both colours."""
    game = games.find("chess")
    words = [engine("960"), engine("960 e1g1")]
    found = find_named(game, words, None, sandbox_of("none"), setup={"variant": "chess960"})
    trial = Trial(game, found, Terms(seats=2, rounds=3, seed=1, setup={"variant": "chess960"}))
    assert not trial.is_repeated
    orders = orders_of(trial)
    starts = [game.draw_setup(order.setup, order.seed)["opening"] for order in orders]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3
    assert [order.bots[0].name for order in orders[:2]] == [order.bots[1].name for order in orders[:2]][::-1]


def test_a_real_engine(tmp_path: Path) -> None:
    """Stockfish against itself plays whole matches without a fault, and python-chess reads them all."""
    try:
        import chess.pgn
    except ImportError:
        skip_for(Reason.PEER, "python-chess is not installed")
    import io

    fish = f"uci:{program('stockfish')} go.nodes=100"
    for seed in range(2):
        replay = dohyo.play("chess", [fish, fish], seed=seed, setup={"variant": "chess960"}, clock=LONG)
        assert not any(move.faults for turn in replay.turns for move in turn.moves)
        read = chess.pgn.read_game(io.StringIO((games.find("chess").pgn or str)(replay)))
        assert read is not None
        assert not read.errors
        assert read.headers.is_chess960()
        assert [move.uci() for move in read.mainline_moves()] == [turn.moves[0].action for turn in replay.turns]
