"""UCI engines as players: what they are told, and which fault is whose."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import dohyo
from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.replay import Move, Replay
from dohyo.guests.engines.uci import option_of
from dohyo.match.play import play_match
from dohyo.match.processes.bot_process import LONGEST_LINE
from dohyo.match.telling.summary import summarise
from tests.skips import program
from tests.told import detail

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("engine.py")
LONG = Clock(turn=60.0, ready=60.0)


def engine(wrong: str = "", record: str = "", options: str = "") -> str:
    """The word for the engine of these tests."""
    return f"uci:{sys.executable} {ENGINE} '{wrong}' '{record}' {options}"


class First(dohyo.Bot):
    """The first legal action."""

    def act(self, observation: object) -> object:
        """Take it."""
        return observation.legal_actions[0]  # type: ignore[attr-defined]


def play(*bots: object, clock: Clock = LONG, **more: object) -> Replay:
    """A match of chess between these, without a sandbox: they write down what they are told."""
    return play_match("chess", bots, clock=clock, seed=1, sandbox="none", **more)  # type: ignore[arg-type]


def moves(replay: Replay, seat: int) -> list[Move]:
    """A seat's moves."""
    return [move for turn in replay.turns for move in turn.moves if move.seat == seat]


@pytest.fixture(autouse=True)
def finds_dohyo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine imports Dohyo's rules, from where we did."""
    monkeypatch.setenv("PYTHONPATH", str(Path(dohyo.__file__).parents[1]))


def late_for(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Let an engine's time be over when this word is what it is waited for; however long its start has taken."""
    late = "dohyo.guests.engines.uci.EngineProcess._is_late"
    monkeypatch.setattr(late, lambda engine, now, is_done: (engine._awaited == word, False))


END = "4k3/8/8/8/8/8/4P3/4K3 w - - 90 60"  # ten turns before the fifty moves are over, unless a pawn moves


def test_what_an_engine_is_told(tmp_path: Path) -> None:
    """The handshake with its options, the position with all moves, its time; at the end quit."""
    record = tmp_path / "told.txt"
    replay = play(
        engine("", str(record), "'option.Skill Level=5' option.Clear_Hash="), First(), setup={"opening": END}
    )
    asked, _, told = record.read_text().rpartition("uci\n")
    assert asked.splitlines() == ["uci", "ucinewgame", "isready"]  # before the match, for its options
    lines = ["uci", *told.splitlines()]
    assert lines[:5] == [
        "uci",
        "setoption name Skill Level value 5",
        "setoption name Clear Hash",
        "ucinewgame",
        "isready",
    ]
    assert lines[5:7] == [f"position fen {END}", "go movetime 59950"]
    played = [turn.moves[0].action for turn in replay.turns[:2]]
    assert lines[7] == f"position fen {END} moves {' '.join(played)}"
    assert lines[-1] == "quit"
    first = moves(replay, 0)[0]
    assert first.comments.splitlines()[0] == "info string hello"
    assert first.comments.splitlines()[1].startswith("info depth 1 seldepth 2 multipv 1 score cp 12")
    assert len(first.comments.splitlines()) == 2
    assert first.reply is None
    assert not any(move.faults for move in moves(replay, 0))
    assert replay.result.reason != "unfinished"


def test_time_for_the_match(tmp_path: Path) -> None:
    """With 60+2 an engine is told both sides' time and the increment; what is left is in the replay."""
    record = tmp_path / "told.txt"
    clock = Clock(turn=0.0, bank=60.0, increment=2.0, moves=40)
    replay = play(First(), engine("", str(record), "go.nodes=500 go.depth=3"), clock=clock, setup={"opening": END})
    words = next(line for line in record.read_text().splitlines() if line.startswith("go ")).split()
    told = dict(zip(words[1::2], map(int, words[2::2]), strict=True))
    white, black = moves(replay, 0)[0], moves(replay, 1)[0]
    assert told["btime"] == 62000
    assert told["wtime"] == int((white.bank or 0) * 1000) > 62000
    assert (told["winc"], told["binc"], told["movestogo"], told["nodes"], told["depth"]) == (2000, 2000, 40, 500, 3)
    assert black.bank == pytest.approx(64.0 - (black.seconds or 0), abs=1e-5)


FAULTS = {
    "mute": (FaultKind.NOT_READY, FaultCode.NO_READY, "no line 'uciok' in time"),
    "unready": (FaultKind.NOT_READY, FaultCode.NO_READY, "no line 'readyok' in time"),
    "dead": (FaultKind.EXITED, FaultCode.EXIT, "exit status 5, before it was ready"),
    "endless": (FaultKind.OUTPUT, FaultCode.FLOOD, "more output than anybody reads, before it was ready"),
    "illegal": (FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, "e1e8"),
    "malformed": (FaultKind.MALFORMED, FaultCode.NO_ACTION, "'castle' is no action"),
    "none": (FaultKind.MALFORMED, FaultCode.EMPTY_LINE, "an empty line"),
    "exit": (FaultKind.EXITED, FaultCode.EXIT, "exit status 3"),
    "killed": (FaultKind.KILLED, FaultCode.SIGNAL, "signal SIGSEGV"),
    "closed": (FaultKind.CLOSED, FaultCode.CLOSED, "closed its standard output and went on running"),
    "late": (FaultKind.TIMEOUT, FaultCode.NO_ANSWER, "no answer in time"),
    "flood": (FaultKind.OUTPUT, FaultCode.FLOOD, "more output than anybody reads"),
    "long": (FaultKind.OUTPUT, FaultCode.FLOOD, "more output than anybody reads"),
}


def test_castling_as_in_chess960() -> None:
    """The king that takes its own rook castles, with a note that counts for nobody; a rook's move stays its move."""
    castle = "4k3/8/8/8/8/8/8/4K2R w K - 90 60"
    replay = play(engine("castling"), First(), setup={"opening": castle})
    first = moves(replay, 0)[0]
    assert first.action == "e1g1"
    (note,) = first.faults
    assert (note.kind, note.note, note.code) == (FaultKind.ILLEGAL, True, FaultCode.CASTLING)
    assert note.values == {"line": "e1h1", "move": "e1g1"}
    assert "キャスリング" in detail(note, "ja")
    assert not summarise(replay).has_faults
    rook = play(engine("castling"), First(), setup={"opening": "4k3/8/8/8/8/8/4K3/4R3 w - - 90 60"})
    assert moves(rook, 0)[0].action == "e1h1"
    assert not moves(rook, 0)[0].faults


def test_an_option_is_read_in_one_pass() -> None:
    """The name may have several words, also "type"; a line of blanks as long as a line may be takes no time."""
    option = option_of("option name Skill  Level type spin default 3 min 0 max 20")
    assert option is not None
    assert (option.name, option.kind, option.takes("20"), option.takes("21")) == ("Skill Level", "spin", True, False)
    assert (named := option_of("option name type type check")) is not None
    assert (named.name, named.kind) == ("type", "check")
    wrong = ["option name x", "option name type spin", "option name x type", "info option name x type spin"]
    assert not [line for line in wrong if option_of(line)]
    assert option_of(f"option name{' ' * LONGEST_LINE}x") is None


@pytest.mark.parametrize("wrong", FAULTS)
def test_faults(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to go wrong has its own verdict, as a bot's of another kind; the other side wins."""
    if wrong == "mute":
        monkeypatch.setattr("dohyo.guests.engines.uci.READY", 0.3)
    elif wrong == "unready":
        late_for(monkeypatch, "readyok")
    short = 0.3 if wrong in ("mute", "late") else 60.0
    clock = Clock(turn=1.0 if wrong in ("late", "closed") else 60.0, first=60.0, ready=short)
    replay = play(engine(wrong), First(), clock=clock)
    faults = [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    faults += [fault for move in replay.result.last for fault in move.faults]
    kind, code, told = FAULTS[wrong]
    assert [(fault.kind, fault.code, detail(fault)) for fault in faults] == [(kind, code, told)]
    assert replay.result.winner == 1


@pytest.mark.parametrize(
    ("option", "key", "told"),
    [
        ("option.Skil_Level=5", "uci-no-option", "has no option 'skil_level' ('option.Skill_Level'?)"),
        ("option.Foo=3", "uci-no-option", "has no option 'foo'; its own command"),
        ("option.Skill_Level=21", "uci-option-value", "'option.Skill_Level' of the engine"),
        ("option.Style=loud", "uci-option-value", "does not take 'loud'"),
    ],
)
def test_an_option_that_cannot_be_set(option: str, key: str, told: str) -> None:
    """It is refused before the match, with the engine's own spelling of what was probably meant."""
    with pytest.raises(OperatorError) as error:
        play(engine("late", options=option), First())
    assert error.value.key == key
    assert told in str(error.value)


def test_an_option_of_an_author(tmp_path: Path) -> None:
    """In a hand-in it is the engine's fault in its match, and nobody else's mistake."""
    folder = of_folder(tmp_path, "5", "Skil_Level")
    replay = play(folder, First())
    (fault,) = [fault for move in (*replay.turns[0].moves, *replay.result.last) for fault in move.faults]
    assert (fault.kind, fault.code) == (FaultKind.NOT_READY, FaultCode.NO_OPTION)


def test_an_option_of_an_author_whose_folder_is_named_as_an_engine(tmp_path: Path) -> None:
    """The same where the operator names the folder as an engine, with an option: no author stops the command."""
    folder = of_folder(tmp_path, "5", "Skil_Level")
    replay = play(f"uci:{folder} option.Style=dull", First())
    (fault,) = [fault for move in (*replay.turns[0].moves, *replay.result.last) for fault in move.faults]
    assert (fault.kind, fault.code) == (FaultKind.NOT_READY, FaultCode.NO_OPTION)


def test_no_engine_plays_another_game() -> None:
    """In a game without positions for engines it is refused before the match."""
    with pytest.raises(OperatorError) as error:
        dohyo.play("othello", [engine(), First()], seed=1, sandbox="none")
    assert error.value.key == "game-without-engines"


def test_against_a_class_and_in_a_sandbox(tmp_path: Path) -> None:
    """An engine in whatever sandbox there is plays against an object of this process; two of them play the same."""

    folder = of_folder(tmp_path, "5")
    played = [
        dohyo.play("chess", [First(), folder], seed=seed, setup={"opening": END}, clock=LONG) for seed in (1, 2)
    ]
    assert not any(move.faults for replay in played for turn in replay.turns for move in turn.moves)
    assert [turn.moves[0].action for turn in played[0].turns] == [turn.moves[0].action for turn in played[1].turns]


def of_folder(tmp_path: Path, skill: str, option: str = "Skill_Level") -> str:
    """A folder with the engine, whose author says that it is one."""
    folder = tmp_path / "thumb"
    folder.mkdir()
    (folder / "engine.py").write_text(ENGINE.read_text())
    toml = f'run = "python3 engine.py"\npython = "dohyo"\nprotocol = "uci"\nparams = {{ {option} = {skill} }}\n'
    (folder / "bot.toml").write_text(toml)
    return str(folder)


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("uci:", "uci-no-program"),
        ("uci:option.Hash=4", "uci-no-program"),
        ("uci:cat option.=4", "uci-option"),
        ("uci:cat option.Hash", "uci-option"),
        ("uci:cat go.mate=4", "uci-go"),
        ("uci:cat go.nodes=x", "uci-go"),
        ("uci:no-such-engine", "bot-unknown"),
    ],
)
def test_words_that_name_no_engine(word: str, key: str) -> None:
    """Each is one sentence."""
    with pytest.raises(OperatorError) as error:
        play(word, First())
    assert error.value.key == key


def test_a_folder_that_says_so(tmp_path: Path) -> None:
    """`protocol` and `params` of bot.toml are the same as the operator's words."""
    folder = of_folder(tmp_path, "21")
    replay = dohyo.play("chess", [folder, First()], seed=1, clock=LONG)
    details = [detail(fault) for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert details == ["its option 'Skill Level' does not take '21'"]
    toml = Path(folder, "bot.toml")
    toml.write_text(toml.read_text().replace('"uci"', '"gtp"'))
    with pytest.raises(OperatorError, match="protocol"):
        dohyo.play("chess", [folder, First()], seed=0)


def test_a_real_engine() -> None:
    """Stockfish against itself at so many nodes: the same match twice, in the sandbox, from a random opening."""
    fish = f"uci:{program('stockfish')} go.nodes=200"
    played = [
        dohyo.play("chess", [fish, f"{fish} option.Hash=2"], seed=5, setup={"opening": "random"}, clock=LONG)
        for _ in range(2)
    ]
    first, second = ([move.action for turn in replay.turns for move in turn.moves] for replay in played)
    assert first == second
    assert not any(move.faults for turn in played[0].turns for move in turn.moves)
    text = (games.find("chess").pgn or str)(played[0])
    assert '[White "stockfish go_nodes=200"]' in text
    assert "{" in text


def test_a_comparison_says_when_all_matches_begin_alike(tmp_path: Path) -> None:
    """Engines play the same again: with openings, which are drawn, it says nothing."""
    from dohyo.match.found_bots import find_named
    from dohyo.match.sandboxing import sandbox_of
    from dohyo.series.compare import Terms, Trial

    game = games.find("chess")
    found = find_named(
        game, [f"a={engine()}", f"b={engine(options='option.Style=bright')}"], None, sandbox_of("none")
    )
    assert [bot.name for bot in found] == ["a", "b"]
    assert found[1].command[-2:] == ("DOHYO_PROTOCOL=uci", "DOHYO_PARAM_STYLE=bright")
    for opening, is_repeated in (("usual", True), ("random", False)):
        terms = Terms(seats=2, rounds=1, seed=1, setup={"opening": opening})
        assert Trial(game, found, terms).is_repeated is is_repeated


def test_a_contest_and_its_archives(tmp_path: Path) -> None:
    """What an archive holds of an engine means the same engine again."""
    from dohyo.bots import archive
    from dohyo.bots.typed_words import resolve

    (first,) = resolve(["uci:python3 -c pass option.Hash=1"])
    packed = archive.pack(first, {})
    (second,) = resolve([archive.unpack_ours(packed)])
    with pytest.raises(OperatorError, match="words from an archive start no program"):
        archive.unpack(packed)
    assert (first.digest, first.command) == (second.digest, second.command)
    assert first.protocol == second.protocol == "uci"
    assert first.name == "python3 -c pass hash=1"


def test_a_rerun_of_an_engine(tmp_path: Path) -> None:
    """It is told the positions of the recorded match, and answers the same."""
    from dohyo.bench.rerun import Rerun
    from dohyo.bots.typed_words import resolve
    from dohyo.match.sandboxing import sandbox_of

    record = tmp_path / "told.txt"
    replay = play(First(), engine(), setup={"opening": END})
    (bot,) = resolve([engine("", str(record))])
    with Rerun(games.find("chess"), replay, 1, bot, sandbox_of("none")) as rerun:
        compared = rerun.feed(until=3)
    assert [one.before.action for one in compared] == [one.now.action for one in compared]
    told = [line for line in record.read_text().splitlines() if line.startswith("position")]
    assert told[-1].split(" moves ")[1].split() == [turn.moves[0].action for turn in replay.turns[:3]]


def test_check_knows_an_engine(tmp_path: Path) -> None:
    """It tells the engine's name and options; of a program that is one and is not called so, what to write."""
    from dohyo.bench.check.check import check_bot

    game = games.find("chess")
    report = check_bot(game, engine(), clock=LONG, sandbox="none", matches=0)
    assert [(one.key, one.details["name"], one.details["options"]) for one in report.findings] == [
        ("check.uci", "Thumb 1", 3)
    ]
    report = check_bot(game, engine("dead").removeprefix("uci:"), clock=0.2, sandbox="none", matches=0)
    assert "check.speaks-uci" not in [one.key for one in report.findings]
    report = check_bot(game, engine().removeprefix("uci:"), clock=0.2, sandbox="none", matches=0)
    assert report.findings[-1].key == "check.speaks-uci"
    report = check_bot(game, of_folder(tmp_path, "3", "Hash"), clock=LONG, sandbox="none")
    assert "check.uci-not-ready" in [one.key for one in report.findings]
    assert report.matches == 0
