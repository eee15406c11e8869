"""The protocol check of a bot of Drop-Block: what each kind of mistake is called, at which turn and line."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check import probe, protocol_check
from dohyo.bench.check.check import check_bot
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.system import proc
from tests import skips
from tests.bench.check.mistaken import (
    BEGIN,
    LONG,
    PATIENT,
    SHORT,
    SILENT,
    Make,
    checked_alone,
    made,
    only,
    waits,
    wrong,
)

__all__ = ["made", "waits"]


def test_small_letters(made: Make) -> None:
    """A small letter is told with the capital that was meant, where it was written, and after which input."""
    found = checked_alone(made("say('READY\\n')\nwhile turn(): say('u\\n')"))
    finding = only(found)
    assert (finding.key, finding.turn, finding.line, finding.count) == ("check.case", 1, 2, 5)
    assert finding.details["meant"] == "U"
    assert "'u'" in finding.say()
    assert "U" in finding.advice()
    assert finding.input is not None
    assert finding.input.startswith("0\n0\n0 0 0 0 0 0\n")
    assert finding.input.endswith("EOD\n")


@pytest.mark.parametrize(
    ("written", "key", "told"),
    [
        ("LEFT", "spelling", "L"),
        ("'U'", "spelling", "U"),
        ("42", "malformed", "U  R  D  L  A  N"),
        ("", "empty-line", "U  R  D  L  A  N"),
        ("\\ufeffU", "utf8-mark", "without"),
    ],
)
def test_lines_that_are_no_action(made: Make, written: str, key: str, told: str) -> None:
    """Each kind of line that is no action has its own name, and says what is legal or was meant."""
    finding = only(checked_alone(made(f'say("READY\\n")\nwhile turn(): say("{written}\\n")')))
    assert finding.key == f"check.{key}"
    assert told in finding.say() + finding.advice()


def test_a_forgotten_flush(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that come together when the input is closed stay in a buffer; the remedy is in the bot's language."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # who has set this still hears of it
    bot = made("say('READY\\n')\nwhile turn(): print('U')").replace(" -I ", " ")  # -I would ignore it anyway
    finding = only(checked_alone(bot, SILENT))
    assert (finding.key, finding.turn, finding.details["lines"]) == ("check.flush", 1, protocol_check.TURNS)
    assert "flush=True" in finding.advice()


def test_a_forgotten_flush_of_ready(made: Make) -> None:
    """When the word itself stays in the buffer, that is told, and not that there is no such word."""
    finding = only(checked_alone(made("print('READY')\nwhile turn(): print('U')"), Clock(turn=LONG, ready=SHORT)))
    assert (finding.key, finding.details["lines"]) == ("check.flush", 1 + protocol_check.TURNS)


@pytest.mark.parametrize(
    ("written", "keys", "line"),
    [("u", ["flush", "case"], 2), ("UP", ["flush", "spelling"], 2), ("hm\\nU", ["flush", "debugging"], 2)],
)
@pytest.mark.parametrize("begin", ["say('READY\\n')", "print('READY')"])
def test_a_forgotten_flush_of_bad_answers(made: Make, begin: str, written: str, keys: list[str], line: int) -> None:
    """A forgotten flush is told whatever the lines say; what is wrong with them is told besides, in its turn."""
    clock = SILENT if begin.startswith("say") else Clock(turn=LONG, ready=SHORT)
    found = checked_alone(made(f"{begin}\nwhile turn(): print('{written}')"), clock)
    assert wrong(found) == keys
    bad = found.wrong[1]
    assert (bad.turn, bad.line, bad.count) == (1, line, protocol_check.TURNS)
    assert bad.input is not None
    assert bad.input.startswith("0\n0\n")


def test_a_forgotten_flush_later(made: Make) -> None:
    """A bad answer that stays in a buffer is told at the turn whose input it answers, after a turn that went well."""
    body = "say('READY\\n')\nturn()\nsay('U\\n')\nturn()\nprint('U')\nwhile turn(): print('x y')"
    found = checked_alone(made(body), Clock(turn=SHORT, first=LONG, ready=LONG))
    assert wrong(found) == ["flush", "malformed"]
    assert [(finding.turn, finding.line) for finding in found.wrong] == [(2, None), (3, 4)]
    assert found.wrong[1].input is not None
    assert found.wrong[1].input.startswith("0\n8\n")


def test_input_read_to_its_end_and_a_bad_answer(made: Make) -> None:
    """One answer when the input is closed is told as such when it is no action, too."""
    found = checked_alone(made("say('READY\\n')\nsys.stdin.read()\nsay('up\\n')"), SILENT)
    assert wrong(found) == ["until-end", "spelling"]


def test_a_forgotten_flush_in_c(tmp_path: Path, nobody_left: None) -> None:
    """A program in C++ is built, its forgotten flush found, and the remedy is C++."""
    skips.program("g++")
    source = tmp_path / "bot.cpp"
    source.write_text(
        "#include <cstdio>\n#include <cstring>\nint main() {\n    char word[99];\n"
        '    puts("READY");\n    fflush(stdout);\n'
        '    while (scanf("%98s", word) == 1)\n        if (!strcmp(word, "EOD")) puts("U");\n}\n'
    )
    finding = only(checked_alone(str(source), SILENT))
    assert finding.key == "check.flush"
    assert "std::endl" in finding.advice()


def test_input_read_to_its_end(made: Make) -> None:
    """One answer, when the input is closed after two turns: it was read to the end first."""
    assert wrong(checked_alone(made("say('READY\\n')\nsys.stdin.read()\nsay('U\\n')"), SILENT)) == ["until-end"]


def test_more_lines_awaited_than_sent(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that comes with the next turn's input tells that the bot waits for more lines."""
    monkeypatch.setattr(protocol_check, "NEXT", LONG)
    finding = only(checked_alone(made("say('READY\\n')\nwhile turn(14): say('U\\n')"), SILENT))
    assert (finding.key, finding.turn, finding.details["lines"]) == ("check.waits-for-more", 1, 13)


def test_more_lines_awaited_by_a_bot_that_writes_more_lines(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line besides an earlier answer is not taken for the answer that a bot owes which waits for more lines."""
    monkeypatch.setattr(protocol_check, "NEXT", LONG)
    body = "say('READY\\n')\nturn()\nsay('hm\\nU\\n')\nwhile turn(14): say('U\\n')"
    found = checked_alone(made(body), Clock(turn=SHORT, first=LONG, ready=LONG))
    assert wrong(found) == ["debugging", "waits-for-more"]


def silent_at_first(times: int, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many times nothing is seen of what comes after line `after`; and then what comes has a minute."""
    waits, read_line = [0.0] * times, probe.Probe.read_line

    def nothing_at_first(probe: probe.Probe, seconds: float, behind: float = 0.0) -> bytes | Fault:
        if waits and probe.line == after and seconds > 0:
            probe.seconds = waits.pop()
            return Fault(FaultKind.TIMEOUT)
        return read_line(probe, seconds, behind)

    monkeypatch.setattr(probe.Probe, "read_line", nothing_at_first)
    monkeypatch.setattr(protocol_check, "NEXT", LONG)
    monkeypatch.setattr(protocol_check, "TIMES", LONG / SHORT)


@pytest.mark.parametrize("times", [2, 3])  # its answer comes with the next turn's input, or when its input is closed
def test_a_slow_answer_for_which_more_input_did_nothing(
    made: Make, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """A bot that answers without more input, too, is slow, whatever it had been sent when its answer came."""
    silent_at_first(times, 1, monkeypatch)
    finding = only(checked_alone(made("say('READY\\n')\nwhile turn(): say('U\\n')"), SILENT))
    assert (finding.key, finding.turn, finding.line) == ("check.too-slow", 1, 2)
    assert finding.details["seconds"] >= SHORT


@pytest.mark.parametrize("times", [2, 3])
def test_slow_to_be_ready(made: Make, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The same before the first turn: it does not wait for input that gets ready without any."""
    silent_at_first(times, 0, monkeypatch)
    bot = made("say('READY\\n')\nwhile turn(): say('U\\n')")
    assert wrong(checked_alone(bot, Clock(turn=LONG, ready=SHORT))) == ["ready-late"]


@pytest.mark.parametrize(("silent", "key"), [(0, "no-ready"), (3, "flush")])
def test_no_bot_holds_the_check(made: Make, monkeypatch: pytest.MonkeyPatch, silent: int, key: str) -> None:
    """A bot of which some line comes at the last moment of every wait is given up all the same.

    It does so at once, or says its word when its input has ended; then it is asked again, and never says it.
    """
    waited: list[float] = []

    def trickles(probe: probe.Probe, seconds: float, behind: float = 0.0) -> bytes | Fault:
        waited.append(seconds)
        assert sum(waited) < 10 * LONG
        probe.seconds = seconds
        if len(waited) <= silent:
            return Fault(FaultKind.TIMEOUT)
        probe.line += 1
        return b"READY" if len(waited) == silent + 1 > 1 else b"x"

    monkeypatch.setattr(probe.Probe, "read_line", trickles)
    assert wrong(checked_alone(made("turn(1000)"), Clock(turn=SHORT, ready=SHORT)))[0] == key


def reads(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that has read so many lines answers: found out at once, where it is not how that is found out."""
    monkeypatch.setattr(protocol_check.ProtocolCheck, "_answers", lambda check, lines: len(lines) >= count)


def test_fewer_lines_read_than_sent(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that crashes over unread lines: how many it reads, which is the first one left, where it crashed."""
    monkeypatch.setattr(protocol_check, "LONGER", 2.0)  # it has answered once already: so long it does not take again
    found = checked_alone(made("say('READY\\n')\nwhile True:\n    number = int(turn(12)[0])\n    say('U\\n')"))
    assert wrong(found) == ["reads-too-few", "exited"]
    few, crashed = found.wrong
    assert (few.turn, few.details["read"], few.details["left"]) == (1, 12, "'EOD'")
    assert few.input is not None
    assert few.input.startswith("0\n0\n")  # the turn whose line was left over, not the one in which it crashed
    assert (crashed.turn, crashed.input and crashed.input[:4]) == (2, "0\n4\n")
    assert "bot.py:" in crashed.say()
    assert "ValueError: invalid literal for int() with base 10: 'EOD" in crashed.say()
    assert "Traceback" in crashed.errors


def test_fewer_lines_read_and_then_a_flood(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that answers without end over lines that it left unread: the lines are told first, one turn, no more."""
    reads(11, monkeypatch)
    found = checked_alone(made("say('READY\\n')\nturn(11)\nsay('U\\n')\nlines()\nwhile True: say('U\\n' * 1000)"))
    assert wrong(found) == ["reads-too-few", "output"]
    assert found.wrong[0].details["read"] == 11


@pytest.mark.parametrize(("needed", "keys"), [(0, ["exited"]), (1, ["reads-too-few", "exited"]), (13, ["exited"])])
def test_how_many_lines_are_read(made: Make, monkeypatch: pytest.MonkeyPatch, needed: int, keys: list[str]) -> None:
    """Lines left unread are told of a bot that reads at all, down to its first line; not of one that reads them."""
    reads(needed, monkeypatch)
    found = checked_alone(made("say('READY\\n')\nturn()\nsay('U\\n')\nturn()\nraise ValueError"))
    assert wrong(found) == keys
    assert keys == ["exited"] or found.wrong[0].details["read"] == needed


def test_fewer_lines_read_without_harm(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that leaves a line unread and copes with it is warned, and fit all the same."""
    monkeypatch.setattr(protocol_check, "SHORT", LONG)
    reads(12, monkeypatch)
    body = "say('READY\\n')\nturn(12)\nsay('U\\n')\nwhile turn(13): say('U\\n')"
    found = checked_alone(made(body))
    assert found.fit
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warned.key, warned.details["read"], warned.turn) == ("check.reads-too-few", 12, 1)


def test_lines_for_a_bot_that_never_says_ready(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a ready word, a bot that is sent fewer and fewer lines gets them at once."""
    awaited: list[probe.Probe] = []

    def await_reading(waiting: probe.Probe) -> None:
        awaited.append(waiting)

    monkeypatch.setattr(probe.Probe, "await_reading", await_reading)
    bot = made("print(wondev()[0], flush=True)\nwondev()\nraise ValueError")
    found = check_bot(games.find("wondev-woman"), bot, clock=PATIENT, matches=0)
    assert wrong(found) == ["exited"]
    assert len(awaited) == 1  # the process that is asked for turns


def test_a_long_line_on_standard_error(made: Make) -> None:
    """A line of 60 KB on standard error is cut where it is told, in the sentence and below it."""
    finding = only(checked_alone(made("say('READY\\n')\nturn()\nsys.exit('x' * 60000)")))
    assert finding.key == "check.exited"
    assert len(finding.say()) < 400
    assert finding.errors == "x" * 1000 + "..."


def test_debugging(made: Make) -> None:
    """Other lines beside the answer are debugging output; before READY they are worth a warning."""
    found = checked_alone(made("say('hello\\nREADY\\n')\nwhile turn(): say('thinking\\nU\\n')"))
    finding = only(found)
    assert (finding.key, finding.turn, finding.line, finding.written) == ("check.debugging", 1, 3, "thinking")
    assert "standard error" in finding.advice()
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert warned.key == "check.before-ready"
    assert "'hello'" in warned.say()


def test_output_before_any_input(made: Make) -> None:
    """A line that nobody asked for is told, and so is a flood of them."""
    early = made("say('READY\\nU\\n')\nwhile turn(): say('U\\n')")
    assert "unasked" in wrong(checked_alone(early))
    flood = made("say('READY\\n' + 'U\\n' * 1000)\nwhile True: say('U\\n' * 1000)")
    assert wrong(checked_alone(flood)) == ["output"]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("say('Ready\\n')\nturn()", "ready-spelling"),
        ("turn()\nsay('READY\\n')\nturn()", "ready-after-input"),
        ("while turn(): say('U\\n')", "no-ready"),
        ("turn(1000)", "no-ready"),
        ("raise KeyError('no file')", "ended-before-ready"),
    ],
)
def test_not_ready(made: Make, monkeypatch: pytest.MonkeyPatch, body: str, key: str) -> None:
    """Why a bot did not say in time that it is ready: misspelt, too late, not at all, or it had ended."""
    monkeypatch.setattr(protocol_check, "NEXT", SHORT if key == "no-ready" else LONG)
    limits = Clock(turn=LONG, ready=SHORT if "turn" in body and key != "ready-spelling" else 2.0)
    finding = only(checked_alone(made(body), limits))
    assert finding.key == f"check.{key}"
    if key == "ended-before-ready":
        assert "KeyError: 'no file'" in finding.say()


def test_ready_too_late(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is ready too late is told so, and asked for turns all the same."""
    monkeypatch.setattr(protocol_check, "LATE", LONG)
    monkeypatch.setattr(protocol_check, "LATEST", LONG)
    bot = made("say('READY\\n')\nwhile turn(): say('u\\n')")
    assert wrong(checked_alone(bot, Clock(turn=LONG, ready=1e-9))) == ["ready-late", "case"]


@pytest.mark.parametrize(
    ("body", "key", "turn", "told"),
    [
        ("turn()\nsay('U\\n')", "one-turn", 2, "loop"),
        ("turn()", "ended", 1, "go on"),
        ("[(turn(), say('U\\n')) for _ in range(3)]", "ended-later", 4, "3 answers"),
        ("turn()\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "killed", 1, "SIGSEGV"),
        ("turn()\nimport os\nos.close(1)\nturn(1000)", "closed", 1, "closed"),
    ],
)
def test_programs_that_end(made: Make, body: str, key: str, turn: int, told: str) -> None:
    """A program that ends, is killed or closes its output is told by that name, in the turn in which it happened."""
    limits = SILENT if key == "closed" else PATIENT
    finding = only(checked_alone(made(f"say('READY\\n')\n{body}"), limits))
    assert (finding.key, finding.turn) == (f"check.{key}", turn)
    assert told in finding.say() + finding.advice()


def test_no_newline(made: Make) -> None:
    """An answer without its newline is never complete."""
    finding = only(checked_alone(made("say('READY\\n')\nwhile turn(): say('U')"), Clock(turn=2.0, ready=LONG)))
    assert (finding.key, finding.turn, finding.line) == ("check.no-newline", 1, 2)


def test_silence(made: Make) -> None:
    """A bot that never answers is told that nothing helped, with the last lines of its standard error."""
    body = "say('READY\\n')\nprint('reading', file=sys.stderr, flush=True)\nwhile turn(): pass"
    finding = only(checked_alone(made(body), SILENT))
    assert finding.key == "check.no-answer"
    assert finding.errors == "reading"


def test_too_slow(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that comes after the limit is too slow, and nothing else."""
    monkeypatch.setattr(protocol_check, "LATE", LONG)
    finding = only(checked_alone(made("say('READY\\n')\nwhile turn(): say('U\\n')"), Clock(turn=1e-9, ready=LONG)))
    assert (finding.key, finding.turn) == ("check.too-slow", 1)
    assert "that were charged; a turn may take" in finding.say()  # not by the watch, which shows more


THINKING = """
import time
def think(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass
say('READY\\n')
for number in range(9):
    turn()
    {thinks}
    say('U\\n')
"""


@pytest.mark.parametrize(
    ("thinks", "late", "key"), [("think(1e9)", SHORT, "no-answer"), ("think(0.4 * (number == 1))", LONG, "too-slow")]
)
def test_where_it_was(made: Make, monkeypatch: pytest.MonkeyPatch, thinks: str, late: float, key: str) -> None:
    """Of an endless loop and of a slow turn the place is told, and the stack is shown."""
    monkeypatch.setattr(protocol_check, "LATE", late)
    monkeypatch.setattr(protocol_check, "LATEST", late)
    bot = made(THINKING.format(thinks=thinks)).replace(" -I ", " ")  # which would ignore the environment
    finding = only(checked_alone(bot, Clock(turn=0.2, first=LONG if key == "too-slow" else 0.2, ready=LONG)))
    line = len((BEGIN + THINKING.partition("    while")[0]).splitlines()) + 1
    assert (finding.key, finding.turn) == (f"check.{key}", 2 if key == "too-slow" else 1)
    assert finding.details["place"] == f"bot.py:{line}, in think"
    assert f"it was at bot.py:{line}, in think" in finding.say()
    assert f"line {line} in think" in finding.errors
    assert ("loop that never ends" in finding.advice()) == (key == "no-answer")


def test_by_processor_time_only_who_uses_it_is_slow(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hours by the watch are nothing; five times the limit in processor time is too slow."""
    if lacks := proc.missing("cpu"):
        skips.skip_for(skips.Reason.KERNEL, f"clocks by processor time need {lacks}")
    monkeypatch.setattr(protocol_check, "LATE", LONG)
    burn = "end = time.process_time() + 0.5\n    while time.process_time() < end: pass"
    slow = f"import time\nsay('READY\\n')\nwhile turn():\n    {burn}\n    say('U\\n')"
    finding = only(checked_alone(made(slow), Clock(turn=0.1, ready=LONG, mode="cpu", wall=LONG)))
    assert (finding.key, finding.turn) == ("check.too-slow", 1)
    hours = count(step=3600 * 10**9)
    monkeypatch.setattr(probe, "monotonic_ns", lambda: next(hours))
    good = made("say('READY\\n')\nwhile turn(): say('U\\n')")
    assert not [
        found
        for found in checked_alone(good, Clock(turn=LONG, ready=LONG, mode="cpu", wall=1e9)).findings
        if found.severity == "wrong"
    ]


def test_interrupted(made: Make, monkeypatch: pytest.MonkeyPatch, nobody_left: None) -> None:
    """An interrupt in the midst of the protocol check ends it, and nobody is left running."""

    def interrupt(check: protocol_check.ProtocolCheck, *_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(protocol_check.ProtocolCheck, "_judge_lines", interrupt)
    with pytest.raises(KeyboardInterrupt):
        checked_alone(made("say('READY\\n')\nwhile turn(): say('U\\n')"))
