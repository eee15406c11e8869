"""The program `arena`: combats of one program against the text's random opponent, by commands from a file.

Theory of operation
-------------------
A pure state machine (see `dohyo.core.dialogue`). If its output is used as input, it gives exactly the same output
again. This holds because each line of the output is one of two kinds, distinguished by the first character:

* a command of the operator, which is printed once, before its results. `D` lines are such commands, and at the same
  time lines that the program was sent;
* what the program was sent (P H N W L), what it wrote (M S and comments), and our own messages (!). As input, such a
  line is ignored, because the commands produce it again.

So nothing else may ever be printed: a program's line that begins otherwise appears only after our own `!`. And what
is printed must not depend on when a program's lines arrive, only on their order: one line is read when a move is due,
and the rest at the end of the input.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from dohyo.core.dialogue import CloseInput, Command, Machine, Print, ReadLine, Receive, Request, Send, Start, Stop
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import protocol, rules
from dohyo.games.shoot_em_up.board import board
from dohyo.games.shoot_em_up.outcome import CATALOGUE
from dohyo.i18n import ENGLISH

SECONDS_A_LINE = 10.0
MAX_PAIRS = 100_000  # of a combat; one that does not end would never let the program end
MAX_COMMENTS = 100_000  # lines before a move; a program that writes nothing else would never let this one end
US, OPPONENT = 0, 1

SEED = re.compile(r"G ([0-9]{1,9})")
ROUNDS = re.compile(r"R ([0-9]{1,4000})")  # more digits Python does not read
IN_COMBAT = ("+", ".", "B", "B1", "B0")
EARLIER_OUTPUT = tuple("PHNWLMS/!")

Steps = Generator[Request, Any, None]


class Arena:
    """The state of the dialogue: the generator of random numbers, the program, the combat."""

    def __init__(self) -> None:
        self.generator = rules.generator(1)
        self.combat: Any = None  # a state while one runs
        self.pairs = 0
        self.started = False
        self.boards = False  # whether a board follows every action of the opponent
        self.silent = False  # inside R
        self.hint = ""  # inside R: how its first combat with an error is seen again
        self.receive = RECEIVE  # how the program's next action is asked for
        self.outcome = ""  # of the last combat: "W", "L" or "E"

    # --- commands

    def run(self) -> Machine:
        """Read commands to the end of input; the exit status."""
        while (line := (yield ReadLine())) is not None:
            if line.startswith(EARLIER_OUTPUT):
                continue
            if line.startswith("-") or ROUNDS.fullmatch(line):
                yield from self.play_out()
            yield Print(line)
            status = yield from self.carry_out(line)
            if status:
                return status
        if self.started:
            yield from self.end_program()
        return 0

    def carry_out(self, line: str) -> Generator[Request, Any, int]:
        """One command, after it has been echoed; the exit status if the program cannot be started."""
        if seed := SEED.fullmatch(line):
            self.generator = rules.generator(int(seed[1]))
        elif rounds := ROUNDS.fullmatch(line):
            return (yield from self.play_rounds(int(rounds[1])))
        elif line.startswith("-"):
            return (yield from self.begin())
        elif line.startswith("D"):
            if self.combat is not None:
                yield Send(line)
        elif line in IN_COMBAT:
            if self.combat is not None:
                yield from self.in_combat(line)
        elif line and not line.startswith("*"):
            yield Print("! ERROR: no such command")
        return 0

    def in_combat(self, line: str) -> Steps:
        """The commands that mean something only while a combat runs."""
        if line == "+":
            yield from self.pair()
        elif line == ".":
            yield from self.play_out()
        elif line == "B":
            yield from self.show(self.combat)
        else:
            self.boards = line == "B1"

    def play_out(self) -> Steps:
        """The running combat, to its end."""
        while self.combat is not None:
            yield from self.pair()

    def play_rounds(self, rounds: int) -> Generator[Request, Any, int]:
        """Combats of which only the counts are printed."""
        count = {"W": 0, "L": 0, "E": 0}
        self.silent = True
        for number in range(1, rounds + 1):
            self.hint = "" if count["E"] else how_to_see(number, rounds)
            status = yield from self.begin()
            if status:
                return status
            yield from self.play_out()
            count[self.outcome] += 1
        self.silent, self.hint = False, ""
        judgment = "PASS" if 2 * count["W"] > rounds else "FAIL"
        yield Print(f"! ROUNDS {rounds} WINS {count['W']} LOSES {count['L']} ERRORS {count['E']} {judgment}")
        return 0

    # --- a combat

    def begin(self) -> Generator[Request, Any, int]:
        """A new combat; the exit status if the program cannot be started."""
        if not self.started:
            fault = yield Start()
            if fault is not None:
                yield Print(f"! ERROR: the program cannot be started: {ENGLISH.say_any(fault.told)}")
                return 2
            self.started = True
        self.combat = rules.LAYOUT.new()
        self.combat.limit = MAX_PAIRS + 1  # never reached: there is no draw here
        dice = [0] * rules.DICE
        rules.roll(self.combat, self.generator, dice)
        rules.deal(self.combat, dice, None)
        self.pairs = 0
        yield from self.tell(f"P {self.combat.x[US]} {self.combat.y[US]}")
        return 0

    def pair(self) -> Steps:
        """One action of the program, and one of the opponent."""
        s = self.combat
        self.pairs += 1
        line = yield self.receive
        self.receive = RECEIVE
        action = ACTION_OF.get(line)
        if action is None or not self.silent:  # a fast path for the usual case in R, here and below
            action = yield from self.action_in(line)
        if action is None:
            return
        rules.step(s, (action, action), None)
        if rules.over(s):
            yield from self.finish("W" if rules.winner(s) == US else "L")
            return
        reaction = rules.random_action(s, OPPONENT, self.generator)
        rules.step(s, (reaction, reaction), None)
        if rules.over(s):
            yield from self.finish("L")
            yield from self.show_if_wanted(s)
            return
        answer = HIT_LINES[s.hit_x[US], s.hit_y[US]] if s.was_hit[US] else NOTHING_LINE
        if self.silent:
            self.receive = AFTER[answer.line]  # nothing comes between this line and the next action
        else:
            yield answer
            yield Print(answer.line)
            yield from self.show_if_wanted(s)
        if self.pairs == MAX_PAIRS:
            yield from self.fail(f"no end after {MAX_PAIRS} pairs of moves")

    def finish(self, outcome: str) -> Steps:
        """The combat is over, and the program is sent the result."""
        yield from self.tell(outcome)
        self.outcome = outcome
        self.combat = None

    # --- the program

    def tell(self, line: str) -> Steps:
        """A line to the program, echoed."""
        yield Send(line)
        if not self.silent:
            yield Print(line)

    def action_in(self, line: str | Fault) -> Generator[Request, Any, int | None]:
        """The action in the program's line or the ones after it; none when it failed, and the combat with it."""
        for comments in range(MAX_COMMENTS + 1):
            if comments:
                line = yield RECEIVE
            if isinstance(line, Fault):
                yield from self.fail(reason_of(line))
                return None
            if not self.silent and line.startswith(ECHOED):
                yield Print(line)
            action = ACTION_OF.get(line)
            if action is not None:
                return action
            if not line.startswith(protocol.COMMENT):
                if line:
                    yield from self.fail("the program's line is neither a move nor a shot", line)
                else:
                    yield from self.fail("the program wrote an empty line in the place of a move or a shot")
                return None
        yield from self.fail(f"more than {MAX_COMMENTS} lines of the program before a move")
        return None

    def fail(self, reason: str, line: str = "") -> Steps:
        """The program has failed: it is ended, and the combat counts as an error."""
        yield Print(f"! ERROR: {reason}: {line}" if line else f"! ERROR: {reason}")
        if self.hint:
            yield Print(self.hint)
        yield Stop()
        self.started = False
        self.receive = RECEIVE
        self.outcome = "E"
        self.combat = None

    def end_program(self) -> Steps:
        """The program's input ends; what it still writes is printed."""
        yield CloseInput()
        for _ in range(MAX_COMMENTS):
            line = yield RECEIVE
            if isinstance(line, Fault):
                break
            if line.startswith(protocol.COMMENT):
                yield Print(line)
        yield Stop()

    # --- the board

    def show_if_wanted(self, s: Any) -> Steps:
        """The board after an action of the opponent."""
        if self.boards and not self.silent:
            yield from self.show(s)

    def show(self, s: Any) -> Steps:
        """The board."""
        for row in board(s):
            yield Print(row)


RECEIVE = Receive(SECONDS_A_LINE)
ECHOED = (protocol.COMMENT, "M", "S")  # how lines of the program begin that are printed unchanged
ACTION_OF = {protocol.text(action): action for action in range(rules.ACTIONS)}
HIT_LINES = {(x, y): Send(f"H {x} {y}") for x in (-1, 0, 1) for y in (-1, 0, 1)}
NOTHING_LINE = Send("N")
AFTER = {send.line: Receive(SECONDS_A_LINE, send.line) for send in (*HIT_LINES.values(), NOTHING_LINE)}

REASONS = {
    FaultKind.TIMEOUT: f"the program wrote no line within {SECONDS_A_LINE:.0f} seconds",
    FaultKind.EXITED: "the program ended with exit status {status}",
    FaultKind.KILLED: "the program was killed by signal {status}",
    FaultKind.CLOSED: "the program closed its output",
    FaultKind.OUTPUT: "the program wrote a line that is too long",
    FaultKind.MEMORY: "the program used more memory than it may",
    FaultKind.TASKS: "the program started more processes and threads than it may",
    FaultKind.DISK: "the program wrote more to its disk than it may",
}


def how_to_see(number: int, rounds: int) -> str:
    """The commands that show combat `number` of `R rounds` again, with the same random numbers."""
    before = f"R {number - 1}, - and ." if number > 1 else "- and ."
    return f"! COMBAT {number} OF {rounds}: to see it, write {before} in the place of R {rounds}"


def reason_of(fault: Fault) -> str:
    """What happened to the program, in words."""
    return REASONS.get(fault.kind, f"the program failed ({fault.kind})").format(status=fault.status)


ARENA = Command(
    "arena",
    "combats of a program against the random opponent, by commands on standard input",
    lambda: Arena().run(),
    catalogue=CATALOGUE,
)
