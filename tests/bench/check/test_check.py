"""The check of a bot: protocol check and matches together, every game, the operator's mistakes; nobody is left."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from dohyo import bots, games
from dohyo.bench.check import check as checking
from dohyo.bench.check import protocol_check
from dohyo.bench.check.check import _add_times, check_bot
from dohyo.bench.check.findings import CheckReport, Finding
from dohyo.core import replay_format as replays
from dohyo.core.clock import Clock, Mode
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.executors import MatchOrder
from dohyo.executors.one_match import play_order
from dohyo.i18n import Speaker
from dohyo.match.play import play_match
from dohyo.match.telling.own_times import Taken
from dohyo.match.telling.summary import summarise
from dohyo.terminal import check as terminal_check
from tests import skips
from tests.bench.check.mistaken import (
    DROP_BLOCK,
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
from tests.match.conftest import Bot

__all__ = ["made", "waits"]

ABOTCALYPSE = games.find("abotcalypse")
WONDEV_WOMAN = games.find("wondev-woman")


def test_a_good_bot(bot: Bot) -> None:
    """A bot that does nothing wrong is fit, was played from two seats, and its times stand beside the limits."""
    found = check_bot(DROP_BLOCK, bot(), clock=Clock(turn=LONG, first=2 * LONG, ready=LONG), setup={"turns": 12})
    assert wrong(found) == []
    assert found.fit
    assert [finding.key for finding in found.findings if finding.severity == "fine"] == [
        "check.started",
        "check.ready",
        "check.answers",
        "check.played",
    ]
    assert found.matches == 2
    assert found.turns == 3 + 2 * 3  # of twelve turns a seat has three: alone, and in each match
    assert (found.limit, found.first_limit) == (LONG, 2 * LONG)
    assert found.median is not None
    assert found.longest is not None
    assert found.share is not None
    assert found.median <= found.longest < LONG  # of nine turns at most three are the first ones of a process
    assert 0 < found.share < 1


@pytest.mark.parametrize("game", sorted(games.all_games()))
def test_every_game(game: str, nobody_left: None) -> None:
    """The sample bot of every game is fit."""
    options = {option.name for option in games.find(game).options}
    short = {name: 8 for name in ("turns", "pairs") if name in options}
    found = check_bot(games.find(game), "random", clock=PATIENT, setup=short, matches=1)
    assert wrong(found) == []
    assert found.turns > 0


def test_bytes_that_are_no_text(made: Make) -> None:
    """What is not UTF-8 is told, alone and in matches; UTF-16 by its own name."""
    latin = made("say('READY\\n')\nwhile turn(): sys.stdout.buffer.write(b'\\xe9\\n'); sys.stdout.flush()")
    finding = only(check_bot(DROP_BLOCK, latin, clock=PATIENT, setup={"turns": 8}, matches=1))
    assert (finding.key, finding.count) == ("check.encoding", 2 + 2)
    assert "'\\xe9'" in finding.say()
    wide = made("say('READY\\n')\nwhile turn(): sys.stdout.buffer.write('U\\n'.encode('utf-16')); sys.stdout.flush()")
    assert "utf16" in wrong(checked_alone(wide))


def test_two_answers(made: Make) -> None:
    """A second answer in one turn is told with its line, counted in every turn; of matches only what follows."""
    bot = made("say('READY\\n')\nwhile turn(): say('U\\nR\\n')")
    finding = only(check_bot(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 8}, matches=1))
    assert (finding.key, finding.turn, finding.line, finding.written) == ("check.two-answers", 1, 3, "R")
    assert finding.count == 2


def test_debugging_is_told_once(made: Make) -> None:
    """In a match each of two lines counts as an answer; what the protocol check has found is not told again."""
    bot = made("say('READY\\n')\nwhile turn(): say('thinking\\nU\\n')")
    assert only(check_bot(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 8}, matches=1)).key == "check.debugging"


def test_one_line_too_many(made: Make) -> None:
    """A line that was printed once is told once; that the answers are one behind after it, once, as a warning."""
    bot = made("say('READY\\nI am ok\\n')\nwhile turn(): say('U\\n')")
    found = check_bot(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 40, "idle": "yes"})
    finding = only(found)
    assert finding.key in ("check.unasked", "check.debugging")
    assert (finding.written, finding.count) == ("I am ok", 1)
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warned.key, warned.match, warned.count) == ("check.behind", 1, 1)


def test_one_line_too_many_in_matches(made: Make) -> None:
    """Where only a match shows a line too many, that is told once there, and what follows from it once."""
    late = "say('READY\\n')\nfor n in range(100): turn(); say('U\\n' if n != 6 else 'U\\nR\\n')"
    found = check_bot(DROP_BLOCK, made(late), clock=PATIENT, setup={"turns": 60, "idle": "yes"}, matches=1)
    finding = only(found)
    assert (finding.key, finding.match, finding.count) == ("check.two-answers", 1, 1)
    assert [finding.key for finding in found.findings if finding.severity == "warning"] == ["check.behind"]


def test_a_forgotten_flush_in_another_game(made: Make) -> None:
    """In Shoot-Em-Up a forgotten flush is told before what is wrong with the lines, too."""
    found = check_bot(games.find("shoot-em-up"), made("while lines(): print('S 1')"), clock=SILENT, matches=0)
    assert wrong(found) == ["flush", "malformed"]
    assert found.wrong[1].input == found.wrong[0].input


def test_what_only_follows_from_two_answers(made: Make) -> None:
    """An answer that is not legal where it came to stand, behind one too many, is not told besides."""
    bot = made("while True: say((wondev()[0] + '\\n') * 2)")
    found = check_bot(WONDEV_WOMAN, bot, clock=PATIENT)
    assert wrong(found) == ["two-answers"]
    assert [finding.key for finding in found.findings if finding.severity == "warning"] == ["check.behind"]


def watched(*seconds: float) -> list[Taken]:
    """Turns of a process whose processor time nobody has measured."""
    return [Taken(one, None) for one in seconds]


def turns(*pairs: tuple[float, float]) -> list[Taken]:
    """Turns of a process: what each was charged, and what it ran."""
    return [Taken(*pair) for pair in pairs]


@pytest.mark.parametrize(("mode", "share"), [("fair", 0.5), ("wall", 0.71)])
def test_what_a_machine_makes_a_bot_wait_is_no_warning(mode: Mode, share: float) -> None:
    """By a fair clock, turns that took most of their limit without computing are told, and are no warning.

    Those that computed are one. By a wall clock all count.
    """
    found = CheckReport("g", "b", limit=0.1, first_limit=1.0)
    usual = [(0.0004, 0.0002)] * 60
    _add_times(found, [turns((0.9, 0.01), *usual, (0.071, 0.0002), (0.05, 0.001))], mode)
    told = [(finding.key, finding.severity) for finding in found.findings]
    warned = [("check.slow-first", "warning"), ("check.slow", "warning")]
    assert told == ([("check.unsure", "fine")] if mode == "fair" else warned)
    assert found.share == (share if mode == "fair" else 0.9)
    if mode == "fair":
        assert found.findings[0].details == {"count": 2, "seconds": 0.9, "ran": 0.01}
    computed = CheckReport("g", "b", limit=0.1, first_limit=1.0)
    _add_times(computed, [turns((0.01, 0.01), *usual, (0.071, 0.0701))], mode)
    assert [finding.key for finding in computed.findings if finding.severity == "warning"] == ["check.slow"]


def test_a_bot_that_sleeps_in_every_turn_is_warned() -> None:
    """Who takes most of its limit in most of its turns does so by itself, whether it computes or sleeps."""
    found = CheckReport("g", "b", limit=0.1, first_limit=1.0)
    _add_times(found, [turns((0.01, 0.01), *[(0.07, 0.0001)] * 20)], "fair")
    assert [finding.key for finding in found.findings] == ["check.slow"]


@pytest.mark.parametrize("charged", [0.13, 0.02])
def test_the_turn_that_was_late_took_all_of_its_limit(charged: float) -> None:
    """However little it ran, and however little it was charged, where only the limit by wall time has ended it."""
    found = CheckReport("g", "b", limit=0.1, first_limit=1.0)
    late = Taken(charged, 0.0004, late=True)
    _add_times(found, [[Taken(0.01, 0.01), *[Taken(0.0004, 0.0002)] * 60, late]], "fair")
    assert (found.share, found.longest, found.turns) == (max(charged, 0.1) / 0.1, max(charged, 0.1), 62)
    assert found.findings == []


@pytest.mark.parametrize("late", ["time.sleep(1000)", "time.sleep(2); say(wondev()[0] + '\\n')"])
def test_a_bot_that_is_late_is_told_no_share_of_a_quick_one(
    made: Make, late: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Already the protocol check finds it late: that turn is one of its times, too."""
    monkeypatch.setattr(protocol_check, "LATEST", SHORT)  # what it says at its end is not waited for
    bot = made(f"import time\nfor _ in range(3): say(wondev()[0] + '\\n')\nwondev()\n{late}")
    found = check_bot(WONDEV_WOMAN, bot, clock=Clock(turn=1.0, first=LONG, ready=LONG, mode="fair"), matches=1)
    assert not found.fit
    assert (found.share or 0) >= 1
    assert (found.longest or 0) >= 1.0


def test_the_longest_turn_leaves_out_the_first(made: Make) -> None:
    """A slow first turn is the first, not the longest; who had no other turn has no longest."""
    found = CheckReport("game", "bot", limit=0.05, first_limit=1.0)
    _add_times(found, [watched(0.306, 0.01), watched(0.2, 0.02, 0.01)], "fair")
    assert (found.first, found.longest, found.turns) == (0.306, 0.02, 5)
    assert found.share == 0.02 / 0.05
    _add_times(found, [watched(0.3), []], "fair")
    assert (found.first, found.longest) == (0.3, None)


def test_each_share_is_its_own() -> None:
    """A first turn and a later one that take much of what each is allowed are told apart, each with its share."""
    found = CheckReport("g", "b", limit=0.05, first_limit=1.0)
    _add_times(found, [watched(0.9, 0.03)], "fair")
    shares = {finding.key: finding.details["share"] for finding in found.findings}
    assert shares == {"check.slow-first": "90%", "check.slow": "60%"}


@pytest.mark.parametrize(("body", "key"), [("", "silent-turn"), ("echo rest; sleep 1000 &", "held-open")])
def test_a_process_a_turn(tmp_path: Path, nobody_left: None, body: str, key: str) -> None:
    """A process that lives for a turn is told by name that it printed nothing, or that its output was held open."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.sh").write_text(f"{body}\n")
    (tmp_path / "bot" / "command.txt").write_text("sh bot.sh\n")
    limits = PATIENT if not body else Clock(turn=2.0, ready=LONG)  # all of it passes while the output is open
    # In a sandbox nothing would hold the output open: all of it ends with its first process.
    options = {"setup": {"turns": 1}, "matches": 1, "sandbox": "none"}
    found = check_bot(ABOTCALYPSE, str(tmp_path / "bot"), clock=limits, **options)  # type: ignore[arg-type]
    assert wrong(found) == [key]
    assert only(found).remedy == f"check.{key}.do"
    assert not found.fit


def test_a_crash_where_nothing_is_legal(made: Make) -> None:
    """Who crashes only where nothing is legal for it, and is out anyway, is warned and fit all the same."""
    bot = made("while True: say(wondev()[0] + '\\n')")  # an empty list has no first action
    found = check_bot(WONDEV_WOMAN, bot, clock=PATIENT, setup={"league": "wood2"}, seed=1, matches=1)
    assert wrong(found) == []
    assert found.fit
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warned.key, warned.remedy) == ("check.exited", "check.nothing-legal")


def test_who_is_out_already_misbehaves_no_more(made: Make) -> None:
    """What a crash is that changes nothing: a note in the replay, no fault of the match, none of a contest's."""
    (bot,) = bots.resolve([made("while True: say(wondev()[0] + '\\n')")])
    order = MatchOrder("k", "wondev-woman", (bot, bot), 1, {"league": "wood2"}, PATIENT, sandbox="none")
    report = play_order(order)
    assert (report.error, report.faults) == ("", ())
    summary = summarise(replays.decode(report.replay))
    notes = [fault for seat in summary.seats for fault in seat.faults]
    assert notes
    assert all(fault.note and fault.kind is FaultKind.EXITED for fault in notes)
    assert not summary.has_faults


def test_a_check_that_ends_where_the_bot_is_out(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends when it has fallen is warned already in the protocol check, and plays its matches all the same."""
    monkeypatch.setattr(Game, "is_out", lambda game, state, seat: True)
    bot = made("say('READY\\n'); turn(); say('N\\n'); turn()")
    found = check_bot(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 8}, matches=1)
    assert found.fit
    assert found.matches == 1
    assert {finding.remedy for finding in found.findings if finding.severity == "warning"} == {"check.nothing-legal"}


def test_who_is_out_may_not_flood(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot does to the machine is a fault when it is out too, as in a match."""
    monkeypatch.setattr(Game, "is_out", lambda game, state, seat: True)
    found = check_bot(DROP_BLOCK, made("say('READY\\n'); turn(); say('N\\n' * 500_000)"), clock=PATIENT, matches=0)
    assert (wrong(found), found.fit) == (["output"], False)


def test_wondev_woman_sizes_read_again(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two numbers that come only once, awaited in every turn: found in the second one, with its input."""
    monkeypatch.setattr(protocol_check, "NEXT", LONG)
    bot = made("while True: say(wondev(again=True)[0] + '\\n')")
    found = check_bot(WONDEV_WOMAN, bot, clock=Clock(turn=SHORT, first=LONG), matches=0)
    finding = found.wrong[-1]
    assert finding.turn == 2
    assert finding.key in ("check.waits-for-more", "check.exited")
    assert finding.input is not None
    assert re.fullmatch("[0-9.]{5,7}", finding.input.splitlines()[0])


def test_wondev_woman_actions_not_read(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that leaves the list of actions unread is told the line at which it stops reading."""
    monkeypatch.setattr(protocol_check, "LONGER", 2.0)
    found = check_bot(
        WONDEV_WOMAN, made("while True: say(wondev(actions=False)[0] + '\\n')"), clock=PATIENT, matches=0
    )
    assert wrong(found)[-2:] == ["reads-too-few", "exited"]
    assert re.fullmatch(r"'(MOVE|PUSH)&BUILD \d \w+ \w+'", found.wrong[-2].details["left"])


def test_wondev_woman_misspelt(made: Make) -> None:
    """Of many legal actions the nearest is named; one mistake does not end the check."""
    bot = made("while True: say(wondev()[0].replace('&BUILD', '') + '\\n')")
    finding = only(check_bot(WONDEV_WOMAN, bot, clock=PATIENT, setup={"league": "wood3"}, matches=0))
    assert (finding.key, finding.count) == ("check.spelling", protocol_check.TURNS)
    assert finding.details["meant"].startswith("MOVE&BUILD 0 ")


def test_wondev_woman_not_allowed(made: Make) -> None:
    """An action that can be read, but is not legal here, is told with some that are."""
    finding = check_bot(
        WONDEV_WOMAN, made("while wondev(): say('PUSH&BUILD 0 N N\\n')"), clock=PATIENT, matches=0
    ).wrong[0]
    assert finding.key == "check.illegal"
    assert "MOVE&BUILD" in finding.advice()


def test_a_match_shows_more(made: Make) -> None:
    """What goes wrong only in a match is told with the match, its turn and the bot's own, and that turn's input."""
    body = (
        "say('READY\\n')\nfor n in range(100):\n    turn()\n    if n == 6: sys.exit('out of ideas')\n    say('U\\n')"
    )
    found = check_bot(DROP_BLOCK, made(body), clock=PATIENT, setup={"idle": "yes"}, matches=1)
    finding = only(found)
    assert (finding.key, finding.match, finding.turn, finding.replay_turn) == ("check.exited", 1, 7, 24)
    assert finding.where() == "match 1, turn 24 (its turn 7)"
    assert finding.where(Speaker("ja")) == "試合 1、ターン 24(自分のターン 7)"
    assert "out of ideas" in finding.say()
    assert finding.input is not None
    assert finding.input.startswith("0\n24\n")


def test_lines_that_draw_nothing(made: Make) -> None:
    """Lines that begin like an annotation and are none are counted, in one warning; others are not."""
    body = "say('READY\\n')\nwhile True:\n    turn()\n"
    body += "    print('@mark 5', '@mark 5 5', '@nobody', file=sys.stderr, sep='\\n', flush=True)\n    say('N\\n')\n"
    found = check_bot(DROP_BLOCK, made(body), clock=PATIENT, matches=1, setup={"turns": 12}, sandbox="none")
    (warning,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warning.key, warning.count, warning.details) == ("check.annotation", 3, {"written": "'@mark 5'"})
    assert (found.fit, any(finding.key == "check.played" for finding in found.findings)) == (True, True)


def test_a_match_is_cut_short(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that takes too long ends early, and its turns count."""
    monkeypatch.setattr(checking, "MATCH_SECONDS", 0.0)
    found = check_bot(DROP_BLOCK, bot(), clock=PATIENT, matches=1)
    assert found.fit
    keys = [finding.key for finding in found.findings]
    assert "check.cut-short" in keys
    assert "check.played" not in keys
    (seen,) = [finding for finding in found.findings if finding.key == "check.played-part"]
    assert (seen.details["whole"] + seen.details["cut"], seen.details["cut"] > 0) == (found.matches, True)
    assert found.turns > protocol_check.TURNS


@pytest.mark.parametrize("times", [1, 2])
def test_a_match_that_was_disturbed(made: Make, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found in a match in which Dohyo stood still, the second time too, is a warning and keeps nobody out."""
    tried: list[Replay] = []

    def disturbed(*arguments: Any, **options: Any) -> Replay:
        tried.append(play_match(*arguments, **options))
        return msgspec.structs.replace(tried[-1], disturbed=1.5 if len(tried) <= times else 0.0)

    monkeypatch.setattr(checking, "play_match", disturbed)
    bot = made("say('READY\\n')\nfor n in range(100):\n    turn()\n    if n == 6: sys.exit()\n    say('U\\n')")
    found = check_bot(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 60, "idle": "yes"}, matches=1)
    assert len(tried) == 2
    if times == 1:
        assert (wrong(found), len(found.failed)) == (["ended-later"], 1)
    else:
        assert (found.fit, found.failed) == (True, [])
        warned = [finding.key for finding in found.findings if finding.severity == "warning"]
        assert warned == ["check.disturbed", "check.ended-later"]
        assert found.findings[-2].say().startswith("Dohyo itself was stopped for 1.5 s in a match")


def test_operators_mistakes(tmp_path: Path) -> None:
    """A bot that is not there or does not build, a wrong seed, clock or setup are the operator's mistakes."""
    with pytest.raises(OperatorError, match="no bot"):
        check_bot(DROP_BLOCK, "nowhere.py")
    for wrongly in ({"seed": -1}, {"clock": "slow"}, {"setup": {"turn": 1}}):
        with pytest.raises(OperatorError):
            check_bot(DROP_BLOCK, "random", **wrongly)  # type: ignore[arg-type]
    skips.program("g++")
    (tmp_path / "broken.cpp").write_text("int main() { return x; }")
    with pytest.raises(BuildError, match="does not build"):
        check_bot(DROP_BLOCK, str(tmp_path / "broken.cpp"))


def test_a_file_that_was_not_handed_in_is_told(tmp_path: Path) -> None:
    """Whoever reads a file that lies beside a lone source is told that a bot sees what was handed in, and no more."""
    (tmp_path / "data.txt").write_text("x")
    (tmp_path / "bot.py").write_text("print('READY', flush=True)\ninput()\nprint(open('data.txt').read())\n")
    found = check_bot(DROP_BLOCK, str(tmp_path / "bot.py"), clock=PATIENT, matches=0)
    assert wrong(found) == ["exited"]
    assert "Hand in the folder" in found.wrong[0].advice()


def test_standard_error_of_a_good_bot_is_mentioned(bot: Bot) -> None:
    """That it wrote there is said once, with the last line; of a bot that wrote nothing, nothing is said."""
    talking = check_bot(DROP_BLOCK, bot("echo here I am >&2; echo A"), setup={"turns": 12})
    (told,) = [finding for finding in talking.findings if finding.key == "check.stderr"]
    assert (told.severity, told.count) == ("fine", 1)
    assert "here I am" in told.say()
    assert "--watch" in told.advice()


def test_the_table_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns no cell is broken: what is wrong stands below the table, whole; a wide one has all columns."""
    a_finding = Finding("check.annotation", "wrong", {"written": "'board 3'" * 6})
    reports = [
        CheckReport("drop-block", "kadai-2026-student-number-104", "python", turns=12, median=0.1, longest=1.25),
        CheckReport("drop-block", "other", "python", [a_finding], turns=7, median=0.1),
    ]
    for width, is_narrow in ((80, True), (300, False)):
        file = io.StringIO()
        out = Console(width=width, file=file)
        monkeypatch.setattr(terminal_check, "console", lambda out=out: out)
        terminal_check.print_table(reports, DROP_BLOCK, Speaker())
        lines = file.getvalue().splitlines()
        assert ("What is wrong" not in lines[0]) == is_narrow
        assert len(lines[1].split()) == (7 if is_narrow else 10)
        assert any(line.startswith("other:") for line in lines) == is_narrow
