"""Contests of a folder of bots, for any game: who is found, what a machine is answered, where results go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo.core.dialogue import Command, Entrant, Entrants, Examine, Keep, Machine, Play, Played, Print, Takes
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Replay
from dohyo.games.drop_block import GAME
from dohyo.guests.game_programs import folder_contest
from dohyo.guests.game_programs.folder_contest import FolderContest, reserve
from dohyo.i18n import Message, Speaker
from dohyo.match import folder_bots
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.match.play import play_match
from tests.match.conftest import Bot

LONG = 60.0
STILL = "#!/bin/sh\nwhile read -r line; do :; done\n"


class KeptOutput:
    """Keeps what is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.seen: list[str] = []
        self.notes: list[str] = []

    def print(self, line: str) -> None:
        """A line to stay."""
        self.lines.append(line)

    def note(self, line: str) -> None:
        """Where the results go is another test's."""
        self.notes.append(line)

    def show(self, line: str) -> None:
        """How far things are."""
        self.seen.append(line)

    def tick(self, line: Callable[[], str]) -> None:
        """The same after a turn."""
        self.seen.append(line())


@pytest.fixture
def hill(tmp_path: Path, bot: Bot) -> Path:
    """A folder with four bots of Drop-Block; the third crashes in its second turn."""
    (tmp_path / "hill").mkdir()
    for name, turn in (
        ("a", "echo A"),
        ("b", "echo N"),
        ("c", '[ "$seen" ] && exit 3; seen=1; echo N'),
        ("d", "echo U"),
    ):
        Path(bot(turn)).rename(tmp_path / "hill" / name)
    return tmp_path / "hill"


def contest(
    machine: Callable[[], Machine], hill: Path, output: KeptOutput | None = None, **options: Any
) -> tuple[FolderContest, KeptOutput, int]:
    """A contest that another game could declare: its record, what it told, its exit status."""
    output = output or KeptOutput()
    sentences = {"en": {"fun": "{what} is fun"}, "ja": {"fun": "{what}は楽しい"}}
    command = Command("fun", "a test", machine, takes=Takes.FOLDER, catalogue=sentences)
    place = hill.parent / "out"
    place.mkdir(exist_ok=True)
    held = FolderContest(GAME, command, str(hill), place, output, clock=LONG, **options)
    return held, output, held.run(machine())


def test_any_game_can_have_one(hill: Path) -> None:
    """A machine of another game is answered: the bots, a match's outcome by name, sentences, files."""
    answers: list[Any] = []

    def machine() -> Generator[Any, Any, int]:
        answers.append((yield Entrants()))
        answers.append((yield Examine("b", {"turns": 8})))
        answers.append((yield Play(("d", "c", "b", "a"), 3, 11, {"turns": 12})))
        answers.append((yield Message("fun", {"what": Message("fault.exited")})))
        yield Print("a line")
        yield Keep("kept.txt", "first\n")
        yield Keep("kept.txt", "日本\n")
        return 5

    held, output, status = contest(machine, hill)
    found, findings, played, _ = answers
    assert status == 5
    assert found == [Entrant(name) for name in "abcd"]
    assert findings == []
    assert output.lines == ["exited is fun", "a line"]
    assert (hill.parent / "out" / "kept.txt").read_text() == "日本\n"
    replay = dohyo.load(hill.parent / "out" / "game-03.replay.zst")
    assert (replay.header.seed, replay.header.setup["turns"]) == (11, 12)
    assert [seat.name for seat in replay.header.seats] == ["d", "c", "b", "a"]
    assert isinstance(played, Played)
    assert set(played.scores) == set(played.fates) == {"a", "b", "c", "d"}
    assert [(lapse.bot, lapse.kind, lapse.answered) for lapse in played.lapses] == [("c", FaultKind.EXITED, False)]
    assert replay.turns[played.lapses[0].turn].moves[0].faults
    assert [outcome.played for outcome in held.record.matches] == [played]
    assert output.seen[-1] == f"game 3, turn {replay.played}: 1 of 4 bots in play"


def test_sentences_in_japanese(hill: Path) -> None:
    """A sentence and those within it are in the operator's language."""

    def machine() -> Generator[Any, Any, int]:
        yield Message("fun", {"what": Message("fault.exited")})
        return 0

    assert contest(machine, hill, speaker=Speaker("ja"))[1].lines == ["途中で終了は楽しい"]


def test_sentences_of_the_game_are_there_beside_those_of_its_program(hill: Path) -> None:
    """A program that brings sentences of its own can also say the game's, in each language."""

    def machine() -> Generator[Any, Any, int]:
        yield Message("fun", {"what": Message("drop-block.stood")})
        return 0

    for language in ("en", "ja"):
        stood = GAME.catalogue[language]["drop-block.stood"]
        assert stood in contest(machine, hill, speaker=Speaker(language))[1].lines[0]


def test_examination_tells_what_is_wrong(hill: Path) -> None:
    """A bot that crashes is found out in sentences, where nobody's score counts."""
    findings: list[str] = []

    def machine() -> Generator[Any, Any, int]:
        yield Entrants()
        findings.extend((yield Examine("c", {"turns": 20})))
        return 0

    contest(machine, hill)
    assert len(findings) == 1
    assert "turn 2: " in findings[0]
    assert "exit status 3" in findings[0]
    assert list((hill.parent / "out").iterdir()) == []


def test_long_words_of_a_compiler_are_cut(tmp_path: Path) -> None:
    """Of what a build printed, the beginning and the end are told."""
    bad = tmp_path / "hill" / "bad"
    bad.mkdir(parents=True)
    (bad / "command.txt").write_text("seq 1 500; exit 3\ncat\n")
    refused: list[str] = []

    def machine() -> Generator[Any, Any, int]:
        for entrant in (yield Entrants()):
            refused.append("\n".join([entrant.refusal, *(f"    {line}" for line in entrant.log)]))
        return 0

    contest(machine, tmp_path / "hill")
    lines = refused[0].splitlines()
    assert [lines[1], lines[20], lines[21], lines[22], lines[-1]] == [
        "    1",
        "    20",
        "    [...]",
        "    481",
        "    500",
    ]


class Impatient(KeptOutput):
    """Somebody who presses Ctrl-C after a turn."""

    def __init__(self, turn: int) -> None:
        super().__init__()
        self.turn = turn

    def tick(self, line: Callable[[], str]) -> None:
        """Press it when it is time to."""
        super().tick(line)
        if len(self.seen) == self.turn + 1:  # the first line was about building
            raise KeyboardInterrupt


@pytest.mark.parametrize("turn", [5, 12])
def test_interrupted_match(hill: Path, turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its replay is kept; the machine is told so unless the match was over already; no other match is played."""
    monkeypatch.setattr("dohyo.match.loops.driver._played", {})  # whatever was played before: no compiled loop yet
    monkeypatch.setattr(PythonLoop, "max_turns", 1)  # so that somebody can press Ctrl-C after each turn
    answers: list[Played | None] = []

    def machine() -> Generator[Any, Any, int]:
        yield Entrants()
        for number in (1, 2):
            answers.append((yield Play(("a", "b", "a", "b"), number, 11, {"turns": 12})))
        yield Print("the end")
        return 0

    held, output, _ = contest(machine, hill, Impatient(turn))
    assert isinstance(held.interrupt, KeyboardInterrupt)
    assert [answer is None for answer in answers] == [turn < 12, True]
    assert output.lines == ["the end"]
    (outcome,) = held.record.matches
    replay = dohyo.load(outcome.replay)
    assert (replay.played, replay.result.unfinished) == (turn, turn < 12)
    assert outcome.played == answers[0]


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_disturbed_match(hill: Path, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match in which we stood still is played three times at most; whether the last did too is in its outcome.

    That it was played again is said once, at the end, and counted in the record.
    """
    tried: list[Replay] = []

    def disturbed(*arguments: Any, **options: Any) -> Replay:
        tried.append(play_match(*arguments, **options))
        return msgspec.structs.replace(tried[-1], disturbed=1.5 if len(tried) <= times else 0.0)

    monkeypatch.setattr(folder_contest, "play_match", disturbed)

    def machine() -> Generator[Any, Any, int]:
        yield Entrants()
        yield Play(("a", "b", "a", "b"), 1, 11, {"turns": 12})
        return 0

    held, output, _ = contest(machine, hill)
    ((played,),) = ([outcome.played for outcome in held.record.matches],)
    assert played is not None
    assert (len(tried), played.disturbed) == (min(times + 1, 3), 1.5 if times == 3 else 0.0)
    assert held.record.again == bool(times)
    assert sum("too busy" in note for note in output.notes) == bool(times)


# --- who is found


def test_entries_that_are_bots(tmp_path: Path) -> None:
    """Folders, sources and executables, in order of name; hidden things, texts and results are none."""
    for name in ("b.sh", "c", "notes.txt", ".d.sh", "data.csv"):
        (tmp_path / name).write_text(STILL)
    (tmp_path / "c").chmod(0o755)
    for name in ("A", "__pycache__", "fun-1", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.sh").write_text(STILL)
    (tmp_path / "fun-1" / "bots").mkdir()
    (tmp_path / "fun-1" / "game-01.replay.zst").write_bytes(b"")
    (tmp_path / "gone").symlink_to("nowhere")
    found = folder_bots.find(str(tmp_path), 9, None, str(tmp_path / "out"))
    assert [bot.name for bot in found.bots] == ["A", "b", "c"]
    assert list(found.skipped) == [".d.sh", "__pycache__", "data.csv", "fun-1", "notes.txt"]
    assert list(found.refused) == ["gone"]


def test_every_bot_has_a_name_of_its_own(tmp_path: Path) -> None:
    """Bots that share a name get their files' names besides, whatever those are."""
    for name, own in (("x", "a"), ("y", "a"), ("z", "a (x)")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(f'name = "{own}"\nrun = "sh bot.sh"\n')
        (tmp_path / name / "bot.sh").write_text(STILL)
    assert [bot.name for bot in folder_bots.find(str(tmp_path), 9, None).bots] == ["a (x)", "a (y)", "a (x)'"]


def test_interpreter_of_bots_in_python(tmp_path: Path) -> None:
    """It is the operator's choice; one that is not there is told at once, and is no bot's fault."""
    (tmp_path / "bot.py").write_text("print(1)\n")
    (bot,) = folder_bots.find(str(tmp_path), 9, sys.executable).bots
    assert bot.command[0] == sys.executable
    with pytest.raises(OperatorError, match="no-such-python"):
        folder_bots.find(str(tmp_path), 9, "no-such-python")


# --- where results go


def test_folder_for_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new one with the next free number; or the one that is named, if nothing is in it."""
    monkeypatch.chdir(tmp_path)
    Path("fun-2").write_text("a file")
    assert [str(reserve(None, "fun")) for _ in range(3)] == ["fun-1", "fun-3", "fun-4"]
    assert reserve("deep/down", "fun").is_dir()
    assert reserve("deep/down", "fun") == Path("deep/down")
    with pytest.raises(OperatorError, match="'deep' is not empty"):
        reserve("deep", "fun")
    with pytest.raises(OperatorError, match="fun-2"):
        reserve("fun-2", "fun")
