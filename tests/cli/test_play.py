"""`dohyo play`: the closing table, the files, what scripts read."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from rich.console import Console

import dohyo
from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH, Message, Speaker
from dohyo.match import play as playing
from dohyo.match.telling.fault_words import LONGEST_REASON
from dohyo.match.telling.summary import Misstep, SeatSummary, Summary
from dohyo.system import proc
from dohyo.system.proc import fair_mode
from dohyo.terminal.faults import tell_what_to_see
from dohyo.terminal.summary import advice_for_silence, busy_advice
from tests.cli.conftest import Type
from tests.cli.typed import type_alone

FOUR = ("./still",) * 4
SHORT = ("--setup", "turns=12")
ROGUES = ("./quitter", "./mumbler", "./sleeper", "./mute")


def rows(out: str) -> dict[int, str]:
    """The lines of the closing table by seat."""
    found = (re.match(r" +[\d-]+ +(\d+)  (.*)", line) for line in out.splitlines())
    return {int(match[1]): match[2] for match in found if match}


def test_a_match_in_a_process_of_its_own(folder: Path) -> None:
    """Four real bots play; the table has a line for each, and nothing is complained of."""
    status, out, err = type_alone("play", "drop-block", *FOUR, *SHORT, "--seed", "7", cwd=folder)
    assert (status, err) == (0, "")
    assert out.startswith("Drop-Block: turn limit, after 12 turns\n")
    assert sorted(rows(out)) == [0, 1, 2, 3]
    assert all(re.match(r"still +still standing +- +[\d.]+ ms +[\d.]+ ms", row) for row in rows(out).values())
    assert "The same command plays the same match again" in out


def test_the_clock_and_pauses_stand_in_the_replay(typed: Type) -> None:
    """What was said behind the seconds is recorded, and told of the replay; so is that nobody pondered."""
    clock = "60,bank=2,grace=0.5,strikes=1"
    words = ("play", "drop-block", *FOUR, *SHORT, "--clock", clock, "--no-pondering", "--save", "m.replay")
    assert typed(*words).status == 0
    header = dohyo.load("m.replay").header
    assert header.clock == Clock(turn=60, bank=2, grace=0.5, strikes=1, mode=fair_mode())
    assert not header.pondering
    assert "a reserve of 2 s, 0.5 s of grace (strikes: 1);" in typed("replay", "m.replay").out


def test_without_a_seed_the_match_can_still_be_repeated(typed: Type) -> None:
    """A new seed is drawn each time, told, and gives the same deal again."""
    drawn = [typed("play", "drop-block", *FOUR, *SHORT, "--save", f"{n}.replay").out for n in range(2)]
    seeds = [re.search(r"--seed (\d+)", out)[1] for out in drawn]  # type: ignore[index]
    assert seeds[0] != seeds[1]
    typed("play", "drop-block", *FOUR, *SHORT, "--seed", seeds[0], "--save", "again.replay")
    again = typed("play", "drop-block", *FOUR, *SHORT, "--seed", seeds[0]).out
    assert "--seed" not in again, "it was typed"
    assert "The same command plays the same match again, if the bots do." in again
    deals = [dohyo.load(name).turns[0].dice for name in ("0.replay", "1.replay", "again.replay")]
    assert deals[0] == deals[2] != deals[1]


def test_what_became_of_each_bot(typed: Type) -> None:
    """A program that was stopped says when and why; faults are counted by kind; only answers are timed."""
    status, out, _ = typed("play", "drop-block", *ROGUES, *SHORT, "--clock", "0.2", "--seed", "1")
    assert status == 0
    seats = rows(out)
    assert re.match(r"quitter +still standing; stopped in turn 0: exited, status 3 +exited ", seats[0])
    assert re.match(r"mumbler +still standing +malformed, 3 times ", seats[1])
    assert re.match(r"sleeper +still standing; stopped in turn 2: time-out +time-out ", seats[2])
    assert re.match(r"mute +still standing; stopped in turn 3: not ready +not ready +- +-$", seats[3])


def test_falls_are_told(typed: Type) -> None:
    """The best stands first; one that fell says in which turn."""
    setup = ("--setup", "players=0,0,U/0,9,U/9,0,U/17,17,U", "--setup", "blocks=2,0,0,1" + ",0" * 32)
    _, out, _ = typed("play", "drop-block", *FOUR, *SHORT, *setup)
    lines = [line.split(maxsplit=3) for line in out.splitlines() if re.match(r" +\d+ +\d", line)]
    assert [(place, seat) for place, seat, *_ in lines] == [("1", "2"), ("1", "3"), ("3", "0"), ("4", "1")]
    assert "fell in turn 1 " in lines[2][3]
    assert "fell in turn 0 " in lines[3][3]


def test_faults_on_demand(typed: Type) -> None:
    """With --faults each fault stands with what was written, standard error, and the very input."""
    _, out, _ = typed("play", "drop-block", *ROGUES, *SHORT, "--clock", "0.2", "--seed", "1", "--faults")
    exited, mumbled, late, mute = (
        out.split(mark)[1].split("\nturn ")[0]
        for mark in ("turn 0, seat 0", "turn 1, seat 1", "turn 2, seat 2", "turn 3, seat 3")
    )
    assert exited.startswith(", quitter: exited, status 3\n")
    assert "I give up" in exited
    assert re.search(
        r"it had been sent:\n    0\n    0\n(    0 0 0 0 0 0\n){6}(    \d+ \d+ [URDL] 0\n){4}    EOD", exited
    )
    assert "'[red]u[/red]'" in mumbled
    assert "it had been sent:\n    1\n    1\n" in mumbled
    assert "time-out" in late
    assert "it had been sent:\n    2\n    2\n" in late
    assert "it had not been asked" in mute
    hint = typed("play", "drop-block", *ROGUES, *SHORT, "--clock", "0.2", "--save", "m.replay").out
    assert "dohyo replay m.replay --faults" in hint


def test_strict(typed: Type) -> None:
    """With --strict, and only then, a bot that misbehaved makes the exit status 1."""
    mumbling = ("./mumbler", *FOUR[1:])
    assert typed("play", "drop-block", *mumbling, *SHORT).status == 0
    assert typed("play", "drop-block", *mumbling, *SHORT, "--strict").status == 1
    assert typed("play", "drop-block", *FOUR, *SHORT, "--strict").status == 0


def test_json(typed: Type) -> None:
    """With --json there is one document, and nothing else; inputs are in it on demand."""
    words = ("play", "drop-block", "./mumbler", *FOUR[1:], *SHORT, "--seed", "5", "--json", "--save", "m.replay")
    status, out, err = typed(*words)
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert told["game"] == "drop-block"
    assert told["seed"] == 5
    assert told["setup"]["turns"] == 12
    assert told["turns"] == 12
    assert told["reason"] == "drop-block.turn-limit"
    assert told["saved"] == "m.replay"
    assert [seat["place"] for seat in told["seats"]] == [1, 1, 1, 1]
    faults = told["seats"][0]["faults"]
    assert [(fault["turn"], fault["kind"]) for fault in faults] == [
        (0, "malformed"),
        (4, "malformed"),
        (8, "malformed"),
    ]
    assert "input" not in faults[0]
    assert json.loads(typed(*words, "--faults").out)["seats"][0]["faults"][1]["input"].startswith("0\n4\n")


def test_files(typed: Type, folder: Path) -> None:
    """The replay is compressed when its name says so, verifies, and the page holds it; both places are told."""
    typed("play", "drop-block", *FOUR, *SHORT, "--seed", "3", "--save", "m.replay")
    out = typed("play", "drop-block", *FOUR, *SHORT, "--seed", "3", "--save", "m.zst", "--html", "m.html").out
    assert "m.zst" in out
    assert "m.html" in out
    plain, packed = (folder / "m.replay").read_bytes(), (folder / "m.zst").read_bytes()
    assert plain.startswith(b'{"dohyo":1,')
    assert packed.startswith(b"\x28\xb5\x2f\xfd")
    assert dohyo.load("m.replay").turns[-1].digest == dohyo.load("m.zst").turns[-1].digest
    assert dohyo.verify(dohyo.load("m.zst")) == 12
    assert (folder / "m.html").read_text().startswith("<!doctype html>")
    assert not list(folder.glob(".dohyo-*"))


def test_from_another_match(typed: Type) -> None:
    """A match that is taken up begins with that turn's state, keeps the setup, and takes other bots."""
    typed("play", "drop-block", *FOUR, *SHORT, "--seed", "3", "--save", "m.replay")
    out = typed("play", "drop-block", "./mumbler", *FOUR[1:], "--from", "m.replay@8", "--save", "n.replay").out
    assert "after 4 turns from turn 8 on" in out
    first, second = dohyo.load("m.replay"), dohyo.load("n.replay")
    assert second.header.setup == first.header.setup
    assert second.turns[-1].digest == first.turns[-1].digest
    assert "Continued from another replay at turn 8." in typed("replay", "n.replay").out
    assert typed("replay", "n.replay", "--verify").status == 0


def test_a_match_taken_up_numbers_its_turns_on(typed: Type) -> None:
    """Lines, faults, boards and a further --from of a match taken up at turn 6 count from there."""
    typed("play", "drop-block", *FOUR, *SHORT, "--seed", "3", "--save", "m.replay")
    from_six = ("--from", "m.replay@6", "--save", "n.replay")
    out = typed("play", "drop-block", "./mumbler", *FOUR[1:], *from_six, "--watch").out
    numbers = [line for line in out.splitlines() if line.startswith("turn ")]
    assert numbers == [f"turn {turn}" for turn in range(6, 12)]
    assert typed("replay", "n.replay", "--watch").out.count("\nturn 11\n") == 1
    second = dohyo.load("n.replay")
    assert (second.header.first, [turn.turn for turn in second.turns]) == (6, list(range(6, 12)))
    faults = typed("replay", "n.replay", "--faults").out
    assert [line[:15] for line in faults.splitlines() if line.startswith("turn ")] == ["turn 8, seat 0,"]
    assert json.loads(typed("replay", "n.replay", "--json").out)["first"] == 6
    assert "no turn 5; take one from 6 to 12" in typed("play", "drop-block", *FOUR, "--from", "n.replay@5").err
    typed("play", "drop-block", *FOUR, "--from", "n.replay@9", "--save", "o.replay")
    third = dohyo.load("o.replay")
    assert third.header.first == 9
    assert third.turns[-1].digest == second.turns[-1].digest


def test_clock(typed: Type) -> None:
    """A preset or seconds set the time for a turn, and the replay says so."""
    for word, seconds in (("finals", 0.1), ("0.25", 0.25)):
        typed("play", "drop-block", *FOUR, *SHORT, "--clock", word, "--save", "m.replay")
        assert dohyo.load("m.replay").header.clock.turn == seconds  # type: ignore[union-attr]
        assert f"{seconds} s per turn" in typed("replay", "m.replay").out


def test_the_first_turn_has_its_own_limit(typed: Type) -> None:
    """Where it has one, it stands below the times, of which the worst may be of that turn; else there is no line."""
    told = "A turn may take 50 ms, a bot's first one 1.00 s."
    assert told in typed("play", "wondev-woman", "random", "random").out.splitlines()
    assert "A turn may take" not in typed("play", "wondev-woman", "random", "random", "--clock", "60").out


def test_bots_of_one_name_are_told_apart(typed: Type, folder: Path) -> None:
    """Where two different bots bear one name, each has the part of its path that tells them apart beside it."""
    for place in ("old", "new"):
        (folder / place).mkdir()
        (folder / place / "twin.sh").write_text(f"echo READY # {place}\ncat >&2")
    out = typed("play", "drop-block", "old/twin.sh", "new/twin.sh", *FOUR[2:], "--setup", "turns=0").out
    assert "twin (old/twin.sh)" in out
    assert "twin (new/twin.sh)" in out
    assert "still (" not in out


LATE = "import sys\nprint('READY'{})\nfor line in sys.stdin:\n    print('N')\n"


@pytest.mark.parametrize(
    ("flush", "told"),
    [
        ("", "No line READY came from 'late': was it too slow, or does it not flush"),
        (", flush=True", "No answer came from 'late': was it too slow, or does it not flush"),
    ],
)
def test_a_forgotten_flush_is_named(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch, flush: str, told: str
) -> None:
    """A bot that never answered is sent to `check`, with its language's word for flushing."""
    (folder / "late.py").write_text(LATE.format(flush))
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    clock = "0.2" if not flush else "1.5"  # the time for being ready is longer, and Python must come that far
    words = ("drop-block", "late.py", "./still", "./still", "./still", "--clock", clock, "--setup", "turns=3")
    out = typed("play", *words).out
    assert told in out
    assert "print(answer, flush=True)" in out
    assert "dohyo check drop-block BOT" in out
    assert "check drop-block" not in typed("play", "drop-block", *("./still",) * 4, "--setup", "turns=3").out


def test_only_a_silent_bot_is_asked_for_its_flush(typed: Type, folder: Path) -> None:
    """A bot that computed all the time, or whose answer came too late, was too slow: nothing is said of flushing."""
    bot = SeatSummary(0, "it", "python", "", None, None, Message(""), None, [], 1, 1.0, 1.0, 0, None)
    late = Misstep(0, FaultKind.TIMEOUT, seconds=1.0, code=FaultCode.ANSWER_LATE)
    silent = Misstep(0, FaultKind.TIMEOUT, seconds=1.0, code=FaultCode.NO_ANSWER)
    game = games.find("drop-block")
    for stopped, cpu, of_turn, asks in (
        (late, 0.05, None, False),
        (silent, 0.05, None, True),
        (silent, 1.3, None, False),
        (silent, None, None, True),
        (silent, 1.3, 0.1, True),  # it prepared for long, and waited then
        (silent, 1.3, 0.9, False),
        (Misstep(0, FaultKind.NOT_READY, code=FaultCode.READY_LATE), 0.1, None, False),
    ):
        seat = msgspec.structs.replace(bot, stopped=msgspec.structs.replace(stopped, cpu=of_turn), cpu=cpu)
        for language, word in (("en", "flush"), ("ja", "フラッシュ")):
            assert (word in advice_for_silence(seat, game, Speaker(language))) is asks, (stopped, cpu, of_turn)


@pytest.mark.parametrize(
    ("words", "mode"), [((), "fair"), (("--clock", "60"), "fair"), (("--clock", "60,mode=wall"), "wall")]
)
def test_a_match_counts_as_contests_do(typed: Type, folder: Path, words: tuple[str, ...], mode: str) -> None:
    """Without a word about it, time counts as in check and in contests; who asks for the wall clock has it."""
    typed("play", "drop-block", *["still"] * 4, "--setup", "turns=4", *words, "--save", "m.replay")
    clock = dohyo.load(folder / "m.replay").header.clock
    assert clock is not None
    assert clock.mode == (mode if not proc.missing("fair") else "wall")


@pytest.mark.parametrize(
    ("times", "late", "tries"), [(0, True, 1), (1, True, 2), (3, True, 3), (1, False, 1), (0, False, 1)]
)
def test_a_standstill_is_no_verdict(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch, times: int, late: bool, tries: int
) -> None:
    """A match in which a bot was late while Dohyo stood still is played again, or no verdict; others stay."""
    tried: list[Replay] = []
    real = playing.play_match

    def stopped(*arguments: Any, **options: Any) -> Replay:
        replay = real(*arguments, **options)
        if late:
            (move,) = (move for move in replay.turns[0].moves)
            replay.turns[0] = msgspec.structs.replace(
                replay.turns[0], moves=(msgspec.structs.replace(move, faults=(Fault(FaultKind.TIMEOUT),)),)
            )
        tried.append(msgspec.structs.replace(replay, disturbed=0.9 if len(tried) < times else 0.0))
        return tried[-1]

    monkeypatch.setattr(playing, "play_match", stopped)
    done = typed("play", "drop-block", *["still"] * 4, "--setup", "turns=4", "--clock", "60")
    assert len(tried) == tries
    assert ("no verdict" in done.out) == (times == 3)
    assert done.err.count("played again") == tries - 1


def test_a_late_bot_on_a_busy_machine_is_told_of_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a wall clock, and only where the load is known to be more than the processors, and somebody was late."""
    late = [Misstep(1, FaultKind.TIMEOUT)]
    for load, mode, faults, told in (
        (64.0, "wall", late, True),
        (0.5, "wall", late, False),
        (64.0, "fair", late, False),
        (64.0, "wall", [], False),
    ):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, 0.0, 0.0))
        seat = SeatSummary(0, "a", "", "", 1, None, Message("fate"), None, faults, 1, 0.1, 0.1, 1, None)
        found = Summary("g", 1, {}, {"mode": mode}, 1, "", 0, 1, False, "", None, [seat], 0.0)
        assert ("mode=fair" in busy_advice(found, ENGLISH)) is told


def test_why_a_bot_was_stopped(typed: Type, folder: Path) -> None:
    """Under the table is what a bot that was stopped wrote itself, in one line and cleaned."""
    trace = 'Traceback (most recent call last):\\n  File \\"np.py\\", line 1, in <module>\\n'
    error = f"{trace}ModuleNotFoundError: \\033[1mno"
    (folder / "np").write_text(f'#!/bin/sh\nprintf "{error}\\n" >&2\nexit 1\n')
    (folder / "np").chmod(0o755)
    out = typed("play", "drop-block", "./np", "./still", "./quitter", "./still", *SHORT, "--seed", "1").out
    (said,) = (line for line in out.splitlines() if line.startswith("np (seat 0): "))
    assert "np.py:1: ModuleNotFoundError: " in said
    assert "\033" not in said
    assert "\nquitter (seat 2): I give up\n" in out
    assert "still (seat" not in out


def test_a_bot_where_the_game_belongs(typed: Type, folder: Path) -> None:
    """A folder with the name of no game is taken for a bot, as by `compare`: all games are named, classics too."""
    (folder / "ww").mkdir()
    (folder / "climber").mkdir()
    found = {typed(command, "ww", "climber").err.replace(command, "play") for command in ("play", "compare")}
    (said,) = found
    assert said.startswith(
        "'dohyo play' needs a game before 'ww', which is none: 'dohyo play GAME ww'; GAME is one of"
    )
    assert "chess" in said
    assert "'dohyo games'" in said


@pytest.mark.parametrize("answer", ["HELLO", "\\033[1mHELLO"])
def test_what_was_wrong_with_an_answer(typed: Type, folder: Path, answer: str) -> None:
    """Under the table is why an answer that stopped a bot was malformed, cleaned and in a line that is not long."""
    for name, said in (("wrong", answer), ("long", "X" * 9000)):
        (folder / name).write_text(f'#!/bin/sh\nprintf "{said}\\n"\nsleep 60\n')
        (folder / name).chmod(0o755)
    out = typed("play", "wondev-woman", "./wrong", "./long", "--seed", "1").out
    told = dict(re.findall(r"^(wrong|long) \(seat \d\): (.*)$", out, re.MULTILINE))
    assert "HELLO" in told["wrong"]
    assert "XXX" in told["long"]
    assert all(len(said) <= LONGEST_REASON and "\033" not in said for said in told.values())


def test_a_command_that_is_printed_can_be_typed(typed: Type, folder: Path) -> None:
    """Where the replay's path has spaces, what shows its faults and what bots wrote is quoted as a shell takes it."""
    (folder / "my dir").mkdir()
    words = ("play", "drop-block", "./quitter", *["./still"] * 3, *SHORT, "--seed", "1", "--save")
    out = typed(*words, "my dir/a b.replay").out
    assert "'dohyo replay 'my dir/a b.replay' --faults'" in out
    seat = SeatSummary(0, "a", "", "", 1, None, Message("fate"), None, [], 1, 0.1, 0.1, 1, None, wrote=True)
    found = Summary("g", 1, {}, {}, 1, "", 0, 1, False, "", None, [seat], 0.0)
    shown = Console(file=io.StringIO(), width=200)
    tell_what_to_see(found, games.find("drop-block"), shown, ENGLISH, "my dir/a b.replay", in_full=False)
    assert "dohyo replay 'my dir/a b.replay' --watch" in cast(io.StringIO, shown.file).getvalue()


@pytest.mark.parametrize(("said", "is_told"), [("", True), ("a.cpp:5, in pick", False)])
def test_a_signal_that_says_nothing_has_its_hint(said: str, is_told: bool) -> None:
    """Where a compiled bot is killed and its standard error does not say where, a debug build is named."""
    fault = Misstep(3, FaultKind.KILLED, status=11)
    seat = SeatSummary(
        0, "a", "c++", "", 1, None, Message("fate"), fault, [fault], 1, 0.1, 0.1, 1, None, wrote=False, said=said
    )
    found = Summary("g", 1, {}, {}, 1, "", 0, 1, False, "", None, [seat], 0.0)
    shown = Console(file=io.StringIO(), width=200)
    tell_what_to_see(found, games.find("drop-block"), shown, ENGLISH, "last", in_full=False)
    text = cast(io.StringIO, shown.file).getvalue()
    assert ("'dohyo rerun last 0 --build debug'" in text) is is_told
