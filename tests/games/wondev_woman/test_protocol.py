"""Wondev Woman, what is sent and what may come back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.faults import KEPT, Fault, FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.wondev_woman import GAME, legality, protocol
from dohyo.games.wondev_woman.legality import ACTIONS, GIVE_UP, NO_MOVE, OUT
from dohyo.games.wondev_woman.setup import reseat
from tests.games.wondev_woman.boards import action, board, leave, listed, play, prompt, with_fog

BRONZE = with_fog("00.00/01234/00000/00000/00000", "0,0/0,4/1,1/4,4")


# --- the input


def test_first_input_tells_the_size_and_the_number_of_units() -> None:
    """A first input begins with the size and the number of units; then rows, units, the count and the actions."""
    lines = GAME.prompt(BRONZE, 0).decode()
    assert lines.startswith("5\n2\n00.00\n01234\n00000\n00000\n00000\n0 0\n0 4\n1 1\n-1 -1\n")
    assert lines.endswith("\n")
    assert lines.splitlines()[11:] == [str(len(listed(BRONZE))), *listed(BRONZE)]
    assert prompt(board(units="1,2/3,4"))[:9] == ["5", "1", "00000", "00000", "00000", "00000", "00000", "1 2", "3 4"]


def test_each_player_is_told_the_size_once() -> None:
    """Only the first input of each player has the two lines; a program that takes a match up is told again."""
    s = board()
    play(s, "MOVE&BUILD 0 E W")
    assert prompt(s, 1)[:3] == ["5", "1", "10000"]
    play(s, "MOVE&BUILD 0 W E")
    assert prompt(s, 0)[0] == "10000"
    assert prompt(s, 1)[0] == "10000"
    reseat(s)
    assert prompt(s, 0)[:3] == ["5", "1", "10000"]


def test_own_units_come_first_for_either_player() -> None:
    """Player 1 is sent its own units, then those of player 0, in the order of their numbers."""
    s = board(units="0,0/1,1/2,2/3,3", league="wood1")
    assert prompt(s, 0)[7:11] == ["0 0", "1 1", "2 2", "3 3"]
    assert prompt(s, 1)[7:11] == ["2 2", "3 3", "0 0", "1 1"]


def test_no_legal_action_is_sent_as_zero() -> None:
    """The count may be 0, and nothing follows it."""
    assert prompt(board("02000/22000/00000/00000/00000"))[-1] == "0"


def test_longest_input_fits() -> None:
    """With as many actions as there can be, the text reaches nothing that is kept behind it."""
    s = board("0000000/" * 6 + "0000000", "2,3/4,3/2,2/4,4", "wood1")
    lines = prompt(s)
    assert lines[-len(listed(s)) :] == listed(s)
    longest = 2 * 8 * 8  # an enemy beside a unit allows three pushes in the place of eight moves
    text = 2 * 2 + 7 * 8 + 4 * len("-1 -1\n") + len("128\n") + longest * len("PUSH&BUILD 0 NW NW\n")
    assert text + protocol.LINE_BYTES <= protocol.CHOICES_AT
    assert longest <= legality.CHOICES_AT


@pytest.mark.parametrize("league", ["wood3", "wood1", "bronze"])
def test_actions_are_listed_alike_in_both_forms(league: str) -> None:
    """The lines that plain Python remembers are those that the compiled form writes, in the whole of some matches."""
    assert vars(protocol.put_actions)["__twin__"] is protocol.put_actions_by_loop
    random = Random(league)
    for seed in range(3):
        referee = Referee(GAME, resolve(GAME.options, {"league": league}), 2, seed)
        while not referee.over:
            s, (seat,) = referee.state, referee.pending()
            written = []
            for put in (protocol.put_actions, protocol.put_actions_by_loop):
                buffer = bytearray(protocol.PROMPT_BYTES)
                written.append(bytes(buffer[: put(s, seat, protocol.view(s, seat), buffer, 3)]))
            assert written[0] == written[1]
            lines = written[0][3:].decode().splitlines()[1:]
            referee.submit({seat: Answer(random.choice(lines) if lines else "")})


# --- the reply


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("MOVE&BUILD 0 S E", "MOVE&BUILD 0 S E"),
        ("move&build 0 s e", "MOVE&BUILD 0 S E"),
        ("Move&Build 1 n nE", "MOVE&BUILD 1 N NE"),
        ("PUSH&BUILD 0 se Se", "PUSH&BUILD 0 SE SE"),
        ("MOVE&BUILD 0 S E ", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD 0 S E\t", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD 0 S E\r", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD\t0 \t S   E", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD 0 S E hello, world", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD 0 S E\tMOVE&BUILD 1 N N", "MOVE&BUILD 0 S E"),
        ("MOVE&BUILD 0 S SE E", "MOVE&BUILD 0 S SE"),
        ("MOVE&BUILD 0 SW SW", "MOVE&BUILD 0 SW SW"),
        ("ACCEPT-DEFEAT", "ACCEPT-DEFEAT"),
        ("ACCEPT-DEFEAT gg", "ACCEPT-DEFEAT"),
    ],
)
def test_reply_that_can_be_read(reply: str, meant: str) -> None:
    """Case, spaces, tabs and a text behind the action are free; the word for pushing is in capitals."""
    assert protocol.parse(reply, BRONZE, 0) == action(meant)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " ",
        " MOVE&BUILD 0 S E",
        "\tMOVE&BUILD 0 S E",
        "MOVE&BUILD 0 S Ehello",
        "MOVE&BUILD 0 S E,",
        "MOVE&BUILD 0 S NEE",
        "MOVE&BUILD 0 S EN",
        "MOVE&BUILD 0 SE",
        "MOVE&BUILD 0 S",
        "MOVE&BUILD 0 S ",
        "MOVE&BUILD 00 S E",
        "MOVE&BUILD 10 S E",
        "MOVE&BUILD -1 S E",
        "MOVE&BUILD \u0661 S E",
        "MOVE&BUILD 0\u00a0S E",
        "MOVE&BUILD 0 \u017f E",
        "MOVE&BUILD x S E",
        "MOVE&BUILD0 S E",
        "MOVE&BUILD 0S E",
        "MOVEBUILD 0 S E",
        "MOVE 0 S E",
        "push&build 0 SE SE",
        "Push&Build 0 SE SE",
        "PUSH&BUILD0SESE",
        "OUT",
        "NO-MOVE",
        "accept-defeat",
        "ACCEPT-DEFEATgg",
        "null",
    ],
)
def test_reply_that_cannot_be_read(reply: str) -> None:
    """Anything before the action, glued to it or missing from it makes the line unreadable; so do other digits."""
    fault = protocol.parse(reply, BRONZE, 0)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED


def verdict(league: str, reply: str) -> tuple[FaultKind | None, str]:
    """The kind of fault that a first reply is, and what was carried out."""
    units = "0,0/4,4" if league in ("wood3", "wood2") else "0,0/0,4/1,1/4,4"
    given = {"league": league, "grid": "00000/00000/00000/00000/00000", "units": units}
    referee = Referee(GAME, resolve(GAME.options, given), 2, 0)
    move = referee.submit({0: Answer(reply)}).moves[0]
    assert referee.state.out[0] == (move.action in ("OUT", "ACCEPT-DEFEAT", "NO-MOVE"))
    return (move.faults[0].kind if move.faults else None), move.action


@pytest.mark.parametrize(
    ("league", "reply", "kind"),
    [
        ("wood2", "MOVE&BUILD 0 S E", None),
        ("wood2", "MOVE&BUILD 1 S E", FaultKind.ILLEGAL),
        ("wood2", "PUSH&BUILD 0 S S", FaultKind.ILLEGAL),
        ("wood3", "PUSH&BUILD 0 S S", FaultKind.ILLEGAL),
        ("wood1", "PUSH&BUILD 0 SE S", None),
        ("wood1", "PUSH&BUILD 0 SE N", FaultKind.ILLEGAL),
        ("bronze", "MOVE&BUILD 1 N E", None),
        ("bronze", "MOVE&BUILD 2 N E", FaultKind.ILLEGAL),
        ("bronze", "MOVE&BUILD 9 N E", FaultKind.ILLEGAL),
        ("bronze", "MOVE&BUILD 0 N E", FaultKind.ILLEGAL),
        ("bronze", "MOVE&BUILD 0 SE E", FaultKind.ILLEGAL),
        ("bronze", "hello", FaultKind.MALFORMED),
    ],
)
def test_illegal_and_unreadable_replies_take_a_player_out(league: str, reply: str, kind: FaultKind | None) -> None:
    """What is not in the list is illegal: a unit that is not there, pushing in a league without it, a closed way."""
    found, carried_out = verdict(league, reply)
    assert found is kind
    assert (carried_out == "OUT") == (kind is not None)


def test_giving_up_is_no_fault() -> None:
    """ACCEPT-DEFEAT takes the player out, and its record stays clean."""
    assert verdict("bronze", "ACCEPT-DEFEAT well played") == (None, "ACCEPT-DEFEAT")


@pytest.mark.parametrize("reply", ["", "MOVE&BUILD 0 S E", "ACCEPT-DEFEAT", "no more moves"])
def test_player_without_a_legal_action_is_out_whatever_it_says(reply: str) -> None:
    """With an empty list every line means the same, and is no fault."""
    assert protocol.parse(reply, board("02000/22000/00000/00000/00000"), 0) == NO_MOVE


@given(st.text())
def test_any_line_gets_a_verdict(reply: str) -> None:
    """Whatever a program prints, there is an action or a fault, and a text to show."""
    found = protocol.parse(reply, BRONZE, 0)
    assert isinstance(found, Fault) or 0 <= found < ACTIONS
    assert isinstance(protocol.message(reply), str)


def test_long_line_is_told_in_short() -> None:
    """The fault of an endless line names its beginning."""
    fault = protocol.parse("x" * 5000, BRONZE, 0)
    assert isinstance(fault, Fault)
    assert fault.values == {"written": "x" * KEPT}


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("MOVE&BUILD 0 S E  hello,  world ", "hello,  world"),
        ("PUSH&BUILD 0 S E\t!", "!"),
        ("MOVE&BUILD 0 S E", ""),
        ("ACCEPT-DEFEAT gg", "gg"),
        ("ACCEPT-DEFEAT", ""),
        ("hello", ""),
    ],
)
def test_text_behind_an_action_is_the_message(reply: str, shown: str) -> None:
    """What follows the action is shown to those who watch; a line that cannot be read has no message."""
    assert protocol.message(reply) == shown


def test_every_action_reads_back() -> None:
    """An action's text stands for it alone, those that are never offered too."""
    for number in range(ACTIONS):
        assert GAME.protocol.read(protocol.text(number)) == number
    assert GAME.protocol.read("MOVE&BUILD 2 N N") is None
    assert [protocol.text(number) for number in (GIVE_UP, NO_MOVE, OUT)] == ["ACCEPT-DEFEAT", "NO-MOVE", "OUT"]


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_takes_the_player_out_for_good(kind: FaultKind) -> None:
    """Late, crashed or unreadable: the rules answer OUT, and the program is not asked again."""
    assert protocol.answer(BRONZE, 0, Fault(kind)) == OUT
    assert GAME.protocol.stops(Fault(kind))
    s = board()
    leave(s)
    assert s.out[0] == 1
