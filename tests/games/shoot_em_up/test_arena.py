"""The program `arena`, by script: what each command prints, and what it sends."""

from __future__ import annotations

import pytest

from dohyo.core.dialogue import Print, ReadLine, Start
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import commands
from dohyo.games.shoot_em_up.commands import ARENA, Arena
from tests.games.shoot_em_up.scripted import End, Script, Talks, arena

NO_COMMAND = "! ERROR: no such command"
BOARD = [
    "!",
    "! ...-......",
    "! ....-.....",
    "! .....-....",
    "! ......-...",
    "! .......-..",
    "! ........O.",
    "! .....Y....",
    "! .....+....",
    "! .....+....",
    "! .....+....",
]
FIRST = ["G 55", "-TEST 1", "P 5 6", "B1", "+", "S 0 1", "N", *BOARD]


def kinds(lines: list[str]) -> str:
    """The first characters of lines, boards left out."""
    return "".join(line[:1] for line in lines if not line.startswith("!"))


def test_example_of_the_text() -> None:
    """G 55, -TEST 1, B1, + give the text's own beginning, board and all."""
    assert arena("G 55\n-TEST 1\nB1\n+\n", "S 0 1") == FIRST


def test_every_command_is_echoed_and_the_rest_of_the_input_dropped() -> None:
    """Lines that begin with P H N W L M S / ! are earlier output."""
    lines = ["* hello", "", "G 7", "x", NO_COMMAND]
    dropped = "P 1 2\nH 0 1\nN\nW\nL\nM 0 0\nS 1 1\n/ x\n! y\nNonsense\nLast\n/\n!"
    assert arena("\n".join(["* hello", "", "G 7", dropped, "x"]), "M 0 0") == lines


@pytest.mark.parametrize(
    "line",
    [
        "G", "G ", "G x", "G 1234567890", "G  1", "G 1 ", "G 1\r", "G -1", "R", "R ", "R x", "R  1", "R 1 ", "R -1",
        "R 1.5", "B2", "B ", "B1 ", "++", "+ ", "..", ". ", "+\r", " ", " +", "x", "g 1", "r 1", "b", "\u00ff", "\t",
        "R \u0661", "G \u0661",
    ],
)  # fmt: skip
def test_anything_else_is_an_error(line: str) -> None:
    """Echo, then ! ERROR; nothing happens, with a combat or without."""
    assert arena(f"{line}\n") == [line, NO_COMMAND]
    assert arena(f"G 55\n-a\n{line}\n", "M 0 0") == ["G 55", "-a", "P 5 6", line, NO_COMMAND]


@pytest.mark.parametrize("line", ["+", ".", "B", "B1", "B0", "D", "Dump it"])
def test_without_a_combat_nothing_is_carried_out(line: str) -> None:
    """Unless a combat is in progress only G, R and - are executed; the rest is echoed."""
    talks = Talks(lambda: Script([b"M 0 0\n"]))
    assert talks.lines(f"{line}\n".encode()) == [line.encode()]
    assert talks.started == []


def test_boards_are_not_switched_on_without_a_combat() -> None:
    """B1 outside a combat is ignored, B0 as well."""
    assert "!" not in arena("B1\n-a\n+\n", "M 0 0")
    assert "!" in arena("-a\nB1\n+\n.\nB0\n-b\n+\n", "M 0 0")[-11:]


def test_seed_is_one_without_g_and_runs_on() -> None:
    """Without G the seed is 1; the numbers run on over combats, and G begins them anew."""
    first, second = arena("-a\n.\n-b\n", "M 0 0"), arena("G 1\n-a\n.\nG 1\n-b\n", "M 0 0")
    assert first[1] == second[2] == second[-1]
    assert first[-1] != first[1]
    assert arena("G 0\n-a\n", "M 0 0")[2] == arena("G 123459876\n-a\n", "M 0 0")[2]
    assert arena("G 000000055\n-a\n", "M 0 0")[2] == "P 5 6"


def test_combat_runs_to_its_end() -> None:
    """`.` plays pairs until W or L; after that nothing runs."""
    lines = arena("G 55\n-a\n.\n+\n.\nB\n", "M 0 0")
    assert lines[-4:] == ["L", "+", ".", "B"]
    assert kinds(lines[3:-4]).replace("MN", "").replace("MH", "") == ".M"


def test_leaving_the_board_loses_at_once() -> None:
    """L, no move of the opponent, no board even with B1; B then shows nothing."""
    lines = arena("G 55\n-a\nB1\n.\nB\n", "M 0 1")
    assert kinds(lines[4:]).replace("H", "N") == ".MNMNMNMLB"
    assert lines[-3:] == ["M 0 1", "L", "B"]


def test_third_hit_of_ours_wins_without_a_board() -> None:
    """W at once: the opponent does not move, and B1 shows nothing behind it."""
    lines = winning_combat()
    at = lines.index("W")
    assert lines[at - 1].startswith("S")
    assert lines[at + 1 :] == ["* over"]


def winning_combat() -> list[str]:
    """A combat that a program wins which shoots up and down in turn, with boards."""
    for seed in range(100):
        lines = arena(f"G {seed}\n-a\nB1\n.\n* over\n", "S 0 -1", "M 0 0", "S 0 1", "M 0 0", "S 1 0", "M 0 0")
        if "W" in lines:
            return lines
    raise AssertionError


def test_last_board_is_shown_behind_l() -> None:
    """When the opponent's shot was the third hit, B1 still shows the board, behind L."""
    lines = arena("G 55\n-a\nB1\n.\n* over\n", "M 0 0")
    assert lines[-13:-11] == ["L", "!"]
    assert len([line for line in lines[-11:-1] if len(line) == 12]) == 10
    assert sum("-" in line for line in lines[-11:-1]) > 0


def test_board_is_shown_when_asked() -> None:
    """B shows where both are, before anybody has acted too; the next B the same again."""
    lines = arena("G 55\n-a\nB\nB\n", "M 0 0")
    empty = "! .........."
    shown = ["!", *[empty] * 5, "! ........O.", "! .....Y....", *[empty] * 3]
    assert lines[3:] == ["B", *shown, "B", *shown]


def test_powerless_shots_are_drawn() -> None:
    """The second of two shots in a row still leaves its marks."""
    lines = arena("G 55\n-a\n+\n+\nB\n", "S 0 1")
    assert "".join(lines[-11:]).count("+") >= 2


def test_boards_stay_on_until_switched_off() -> None:
    """B1 holds over combats; B0 ends it."""
    lines = arena("G 55\n-a\nB1\n.\n-b\n+\nB0\n+\n", "S 0 1", "M 0 0")
    second = lines[lines.index("-b") :]
    assert "!" in second[: second.index("B0")]
    assert "!" not in second[second.index("B0") :]


def test_next_combat_plays_the_running_one_out_first() -> None:
    """`-` in a combat: it is played out as with `.`, then the line is echoed and carried out."""
    lines = arena("G 55\n-a\n+\n-b\n", "M 0 0")
    dotted = arena("G 55\n-a\n+\n.\n-b\n", "M 0 0")
    dotted.remove(".")
    assert lines == dotted
    assert lines[lines.index("-b") - 1] == "L"


def test_rounds_play_the_running_combat_out_first() -> None:
    """R in a combat: the same, and what is played out is told."""
    lines = arena("G 55\n-a\n+\nR 1\n", "M 0 0")
    assert lines[-3:-1] == ["L", "R 1"]
    assert lines[-1].startswith("! ROUNDS 1 WINS 0 LOSES 1 ERRORS 0 FAIL")


def test_rounds_are_silent_and_counted() -> None:
    """No line of the combats is shown, boards neither; wins, losses and errors add up."""
    lines = arena("-a\nB1\n.\nR 20\n", "S 0 1", "M 0 0", "S 0 -1", "M 0 0")
    assert lines[-2] == "R 20"
    words = lines[-1].split()
    assert words[:3] == ["!", "ROUNDS", "20"]
    assert words[3::2] == ["WINS", "LOSES", "ERRORS", words[9]]
    assert sum(map(int, words[4:9:2])) == 20


@pytest.mark.parametrize(
    ("wins", "rounds", "judgment"), [(0, 0, "FAIL"), (5, 10, "FAIL"), (6, 11, "PASS"), (5, 9, "PASS")]
)
def test_more_than_half_passes(wins: int, rounds: int, judgment: str) -> None:
    """PASS when 2w > n, else FAIL."""
    machine = Arena()
    outcomes = iter("W" * wins + "L" * (rounds - wins))

    def begin():  # type: ignore[no-untyped-def]
        machine.outcome = next(outcomes)
        yield from ()

    machine.begin = begin  # type: ignore[method-assign]
    lines = Talks(lambda: Script([b""])).lines(f"R {rounds}".encode(), machine.run())
    assert lines[-1].decode() == f"! ROUNDS {rounds} WINS {wins} LOSES {rounds - wins} ERRORS 0 {judgment}"


def test_no_rounds() -> None:
    """R 0 fails, and starts no program."""
    talks = Talks(lambda: Script([b"M 0 0\n"]))
    assert talks.lines(b"R 0\n") == [b"R 0", b"! ROUNDS 0 WINS 0 LOSES 0 ERRORS 0 FAIL"]
    assert talks.started == []


def test_debugging_lines_go_to_the_program_as_they_are() -> None:
    """A D line stands once, as the echo and as what is sent; only in a combat is it sent."""
    talks = Talks(lambda: Script([b"M 0 0\n"], asides=b"/ aye\n"))
    lines = talks.lines(b"Dbefore\nG 55\n-a\nD now\nD\n+\n")
    assert lines == [b"Dbefore", b"G 55", b"-a", b"P 5 6", b"D now", b"D", b"+", b"M 0 0", b"N", b"/ aye", b"/ aye"]
    assert talks.started[0].sent == [b"P 5 6", b"D now", b"D", b"N"]


def test_comments_are_shown_when_the_next_move_is_read() -> None:
    """A line is read only while a move is due, and at the end of input."""
    program = {"asides": b"/ over\n", "last": b"/ bye\nM 0 0\nnoise\n/ really"}
    lines = arena("G 55\n-a\n.\n-b\n+\n", "/ one\n/ two\nM 0 1", **program)
    over = lines.index("L")
    assert lines[3:8] == [".", "/ one", "/ two", "M 0 1", "N"]
    assert lines[over : over + 2] == ["L", "-b"]
    assert lines[over + 3 : over + 5] == ["+", "/ over"]
    assert lines[-2:] == ["/ bye", "/ really"]


def test_comments_are_not_shown_in_rounds() -> None:
    """Those that wait behind W or L are lost with the silent read as well."""
    lines = arena("G 55\n-a\n.\nR 2\n", "/ thinking\nM 0 1", asides=b"/ over\n")
    assert not [line for line in lines[lines.index("R 2") :] if line.startswith("/ thinking")]
    assert lines[lines.index("L") + 1] == "R 2"
    assert lines[-1] == "/ over"


@pytest.mark.parametrize("bad", ["M 2 0", "S 0 0", "M 0 0 ", "M 0 0\r", "Move", "S"])
def test_bad_move_stands_raw_and_in_the_error(bad: str) -> None:
    """A bad line that begins with M or S is shown as it came, then with the reason; no L follows."""
    lines = arena("G 55\n-a\n.\n+\n", bad)
    assert lines == ["G 55", "-a", "P 5 6", ".", bad, f"! ERROR: {NEITHER}: {bad}", "+"]


@pytest.mark.parametrize("bad", ["x", "P 1 1", "N", "! ROUNDS", "D", "-", "G 1", " M 0 0", "\x00", "m 0 0"])
def test_other_bad_line_stands_in_the_error_only(bad: str) -> None:
    """A line that begins with anything else could be taken for a command, or for what we say."""
    lines = arena("G 55\n-a\n.\n", bad)
    assert lines == ["G 55", "-a", "P 5 6", ".", f"! ERROR: {NEITHER}: {bad}"]


def test_an_empty_line_is_told_as_one() -> None:
    """It is named, rather than shown: nothing stands behind a colon."""
    error = "! ERROR: the program wrote an empty line in the place of a move or a shot"
    assert arena("G 55\n-a\n.\n", "") == ["G 55", "-a", "P 5 6", ".", error]


NEITHER = "the program's line is neither a move nor a shot"


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (End.EXIT, "the program ended with exit status 3"),
        (End.CRASH, "the program was killed by signal 11"),
        (End.CLOSE, "the program closed its output"),
    ],
)
def test_program_that_ends_is_an_error(end: End, reason: str) -> None:
    """An error without a line, and without a colon for one; what was written before still counts."""
    lines = arena("G 55\n-a\n+\n+\n", "M 0 0", life=1, end=end)
    assert lines == ["G 55", "-a", "P 5 6", "+", "M 0 0", "N", "+", f"! ERROR: {reason}"]


def test_program_that_says_nothing_is_an_error() -> None:
    """After ten seconds without a line."""
    program = Script([b""])
    assert Talks(lambda: program).lines(b"-a\n+\n")[-1] == b"! ERROR: the program wrote no line within 10 seconds"


def test_unknown_fault_is_told() -> None:
    """A reason that this program has no words for is named all the same."""
    assert commands.reason_of(Fault(FaultKind.NOT_READY)) == "the program failed (not-ready)"


def test_program_is_started_afresh_after_an_error() -> None:
    """At the next combat; the errors of R count, and are told."""
    talks = Talks(lambda: Script([b"M 0 0\n", b"oops\n/ behind\n"]))
    lines = [line.decode() for line in talks.lines(b"-a\n.\n+\nR 3\n-b\n+\n")]
    assert len(talks.started) == 5
    error = f"! ERROR: {NEITHER}: oops"
    first = "! COMBAT 1 OF 3: to see it, write - and . in the place of R 3"
    rounds = "! ROUNDS 3 WINS 0 LOSES 0 ERRORS 3 FAIL"
    assert lines[-14:-6] == [error, "+", "R 3", error, first, error, error, rounds]
    assert kinds(lines[-6:]).replace("H", "N") == "-P+MN/"
    assert lines[-1] == "/ behind"


def test_one_process_serves_a_series() -> None:
    """Without an error the program is started once, at the first combat."""
    talks = Talks(lambda: Script([b"M 0 1\n"]))
    talks.lines(b"G 1\n* nothing yet\n-a\n.\n-b\n.\nR 5\n")
    assert len(talks.started) == 1
    assert sum(line.startswith(b"P") for line in talks.started[0].sent) == 7


def test_several_lines_at_once_answer_later_turns() -> None:
    """A program may write ahead; its lines are read one a move."""
    lines = arena("G 55\n-a\n+\n+\n", "M 0 0\nM 1 0\n/ ahead\nM 0 1", "/ late\nM 0 0")
    assert lines[3:9] == ["+", "M 0 0", "N", "+", "M 1 0", "N"]
    assert lines[9:] == ["/ ahead", "/ late", "/ ahead"]


def test_running_combat_is_not_played_out_at_the_end_of_input() -> None:
    """The program's input is closed instead."""
    assert arena("G 55\n-a\n", "M 0 0") == ["G 55", "-a", "P 5 6"]


def test_last_line_without_a_newline_counts() -> None:
    """The end of input ends a line as well."""
    assert arena("G 55\n-a\n+", "M 0 0") == arena("G 55\n-a\n+\n", "M 0 0")


def test_program_that_cannot_be_started() -> None:
    """The combat is echoed, one line says why, and the exit status is 2; nothing more is read."""
    talks = Talks(lambda: Fault(FaultKind.EXITED, "no such\nfile"))
    assert talks.lines(b"G 55\n-a\n+\n* more\n") == [
        b"G 55", b"-a", b"! ERROR: the program cannot be started: no such\xef\xbf\xbdfile"
    ]  # fmt: skip
    assert talks.status == 2
    assert talks.lines(b"R 5\nR 5\n") == [b"R 5", b"! ERROR: the program cannot be started: no such\xef\xbf\xbdfile"]


def test_combat_without_end_ends_as_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many pairs, in R as well; there is no draw."""
    monkeypatch.setattr(commands, "MAX_PAIRS", 3)
    error = "! ERROR: no end after 3 pairs of moves"
    hint = "! COMBAT 1 OF 2: to see it, write - and . in the place of R 2"
    lines = arena("G 55\n-a\nB1\n.\n+\n", "M 0 0")
    assert kinds(lines[4:]).replace("H", "N") == ".MNMNMN+"
    assert (lines[-13], lines[-2:]) == ("!", [error, "+"])
    assert arena("G 55\nR 2\n", "M 0 0")[1:] == ["R 2", error, hint, error, "! ROUNDS 2 WINS 0 LOSES 0 ERRORS 2 FAIL"]


def test_flood_of_comments_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that comments for ever is an error before a move, and is no longer listened to at the end."""
    monkeypatch.setattr(commands, "MAX_COMMENTS", 5)
    lines = arena("G 55\n-a\n+\n", "M 0 0\n/ x", life=1, flood=b"/ flood\n")
    assert lines[4:] == ["M 0 0", "N", "/ x", *["/ flood"] * 4]
    lines = arena("G 55\n-a\n+\n", "/ x", life=1, flood=b"/ flood\n")
    assert lines[4:] == ["/ x", *["/ flood"] * 5, "! ERROR: more than 5 lines of the program before a move"]


def test_never_moving_never_wins() -> None:
    """Standing still and not shooting loses all combats."""
    assert arena("G 55\nR 10\n", "M 0 0")[-1] == "! ROUNDS 10 WINS 0 LOSES 10 ERRORS 0 FAIL"


def test_bad_move_in_rounds_stands_in_the_error_only() -> None:
    """R shows no line of the program raw, a bad M or S neither."""
    error = f"! ERROR: {NEITHER}: M 2 0"
    hint = "! COMBAT 1 OF 1: to see it, write - and . in the place of R 1"
    assert arena("R 1\n", "M 2 0") == ["R 1", error, hint, "! ROUNDS 1 WINS 0 LOSES 0 ERRORS 1 FAIL"]


@pytest.mark.parametrize("command", ["-b", "R 1"])
def test_what_is_played_out_first_is_shown_with_its_boards(command: str) -> None:
    """A running combat is played out as with `.`, boards and all; R itself is silent after it."""
    lines = arena(f"G 55\n-a\nB1\n+\n{command}\n", "M 0 0")
    dotted = arena("G 55\n-a\nB1\n+\n.\n", "M 0 0")
    dotted.remove(".")
    assert lines[: len(dotted) + 1] == [*dotted, command]
    assert "!" not in lines[len(dotted) :]


def test_boards_are_on_again_after_rounds() -> None:
    """B1 holds over R, which shows none."""
    lines = arena("-a\nB1\n.\nR 2\n-b\n+\n", "M 0 0")
    assert "!" in lines[lines.index("-b") :]


def test_seed_in_a_combat_counts_at_once() -> None:
    """G in a combat changes what the opponent does next, and the combat goes on."""
    told = {seed: arena(f"G 55\n-a\nB1\nG {seed}\n+\n+\n+\n", "M 0 0") for seed in ("55", "7", "8")}
    assert told["7"] == arena("G 55\n-a\nB1\nG 7\n+\n+\n+\n", "M 0 0")
    assert len({tuple(lines[5:]) for lines in told.values()}) == 3


def test_crash_between_combats_is_an_error_of_the_next() -> None:
    """A program that ends after W or L is missed only when a move is due; the combat after that has a new one."""
    talks = Talks(lambda: Script([b"M 0 1\n"], life=5, asides=b"/ bye\n"))
    lines = [line.decode() for line in talks.lines(b"G 55\n-a\n.\n-b\n+\n-c\n+\n")]
    over = lines.index("L")
    assert lines[over + 1 : over + 6] == ["-b", lines[over + 2], "+", "/ bye", ENDED]
    assert (lines[over + 6], lines[over + 9]) == ("-c", "M 0 1")
    assert len(talks.started) == 2


ENDED = "! ERROR: the program ended with exit status 3"


def test_limits_are_those_of_the_text() -> None:
    """A line may take ten seconds, a combat 100,000 pairs."""
    assert commands.RECEIVE.seconds == 10
    assert commands.MAX_PAIRS == 100_000


def test_arena_is_declared_by_its_game() -> None:
    """The command is called arena, and makes a new machine each time."""
    assert ARENA.name == "arena"
    machine = ARENA.machine()
    assert isinstance(next(machine), ReadLine)
    assert isinstance(machine.send("-x"), Print)
    assert isinstance(machine.send(None), Start)
    machine.close()
    assert isinstance(next(ARENA.machine()), ReadLine)
