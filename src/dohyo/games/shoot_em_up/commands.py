"""The program `arena`: combats of one program against the text's random opponent, by commands from a file.

A pure machine (see `dohyo.core.dialogue`). Its output, fed back as input, gives the same output again: what it prints
of the program's and its own making begins with a letter that it ignores when it reads it.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from dohyo.core.dialogue import Command, Finish, Machine, Print, ReadLine, Receive, Request, Send, Start, Stop
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import protocol, rules
from dohyo.games.shoot_em_up.board import board

SECONDS_A_LINE = 10.0
MOST_PAIRS = 100_000  # of a combat; one that does not end would never let the program end
US, OPPONENT = 0, 1

SEED = re.compile(r"G ([0-9]{1,9})")
ROUNDS = re.compile(r"R ([0-9]+)")
EARLIER_OUTPUT = tuple("PHNWLMS/!")

Steps = Generator[Request, Any, None]


class Arena:
    """The state of the dialogue: the generator of random numbers, the program, the combat."""

    def __init__(self) -> None:
        self.generator = rules.generator(1)
        self.combat: Any = None  # a state while one runs
        self.last: list[int | None] = [None, None]  # both robots' last actions, for the board
        self.pairs = 0
        self.started = False
        self.boards = False  # whether a board follows every action of the opponent
        self.silent = False  # inside R
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
            for rest in (yield Finish(SECONDS_A_LINE)):
                if rest.startswith(protocol.COMMENT):
                    yield Print(rest)
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
        elif line in ("+", ".", "B", "B1", "B0"):
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
            yield from self.show()
        else:
            self.boards = line == "B1"

    def play_out(self) -> Steps:
        """The running combat, to its end."""
        while self.combat is not None:
            yield from self.pair()

    def play_rounds(self, rounds: int) -> Generator[Request, Any, int]:
        """Combats of which only the count is told."""
        count = {"W": 0, "L": 0, "E": 0}
        self.silent = True
        for _ in range(rounds):
            status = yield from self.begin()
            if status:
                return status
            yield from self.play_out()
            count[self.outcome] += 1
        self.silent = False
        judgment = "PASS" if 2 * count["W"] > rounds else "FAIL"
        yield Print(f"! ROUNDS {rounds} WINS {count['W']} LOSES {count['L']} ERRORS {count['E']} {judgment}")
        return 0

    # --- a combat

    def begin(self) -> Generator[Request, Any, int]:
        """A new combat; the exit status if the program cannot be started."""
        if not self.started:
            fault = yield Start()
            if fault is not None:
                yield Print(f"! ERROR: the program cannot be started: {fault.detail}")
                return 2
            self.started = True
        self.combat = rules.LAYOUT.new()
        self.combat.limit = MOST_PAIRS
        dice = [0] * rules.DICE
        rules.roll(self.combat, self.generator, dice)
        rules.deal(self.combat, dice, None)
        self.last = [None, None]
        self.pairs = 0
        yield from self.tell(f"P {self.combat.x[US]} {self.combat.y[US]}")
        return 0

    def pair(self) -> Steps:
        """One action of the program, and one of the opponent."""
        s = self.combat
        if self.pairs == MOST_PAIRS:
            yield from self.fail(f"no end after {MOST_PAIRS} pairs of moves", "")
            return
        self.pairs += 1
        action = yield from self.receive_action()
        if action is None:
            return
        self.act(US, action)
        if rules.over(s):
            yield from self.finish("W" if rules.winner(s) == US else "L")
            return
        self.act(OPPONENT, rules.random_action(s, OPPONENT, self.generator))
        if rules.over(s):
            yield from self.finish("W" if rules.winner(s) == US else "L", board=s.ended == rules.SHOT_DOWN)
        else:
            hit = s.was_hit[US]
            yield from self.tell(f"H {s.hit_x[US]} {s.hit_y[US]}" if hit else "N")
            if self.boards and not self.silent:
                yield from self.show()

    def act(self, seat: int, action: int) -> None:
        """Let the rules carry out one action."""
        self.last[seat] = action
        rules.step(self.combat, [action, action], None)

    def finish(self, outcome: str, board: bool = False) -> Steps:
        """The combat is over, and the program is told how."""
        yield from self.tell(outcome)
        if board and self.boards and not self.silent:
            yield from self.show()
        self.outcome = outcome
        self.combat = None

    # --- the program

    def tell(self, line: str) -> Steps:
        """A line to the program, echoed."""
        yield Send(line)
        if not self.silent:
            yield Print(line)

    def receive_action(self) -> Generator[Request, Any, int | None]:
        """The program's next action; none when it failed, and the combat is over with it."""
        while True:
            line = yield Receive(SECONDS_A_LINE)
            if isinstance(line, Fault):
                yield from self.fail(REASONS.get(line.kind, "the program failed") + explain(line), "")
                return None
            if line.startswith((protocol.COMMENT, "M", "S")) and not self.silent:
                yield Print(line)
            if line.startswith(protocol.COMMENT):
                continue
            action = protocol.parse(line, None, US)
            if isinstance(action, Fault):
                yield from self.fail("the program's line is neither a move nor a shot", line)
                return None
            return action

    def fail(self, reason: str, line: str) -> Steps:
        """The program has failed: it is ended, and the combat counts as an error."""
        yield Print(f"! ERROR: {reason}: {line}")
        yield Stop()
        self.started = False
        self.outcome = "E"
        self.combat = None

    def show(self) -> Steps:
        """The board."""
        for row in board(self.combat, self.last):
            yield Print(row)


REASONS = {
    FaultKind.TIMEOUT: f"the program wrote no line within {SECONDS_A_LINE:.0f} seconds",
    FaultKind.EXITED: "the program ended",
    FaultKind.KILLED: "the program was killed",
    FaultKind.CLOSED: "the program closed its output",
    FaultKind.OUTPUT: "the program wrote a line without end",
}


def explain(fault: Fault) -> str:
    """The exit status or the signal, where there is one."""
    if fault.kind is FaultKind.EXITED:
        return f" with exit status {fault.status}"
    if fault.kind is FaultKind.KILLED:
        return f" by signal {fault.status}"
    return ""


ARENA = Command(
    "arena", "combats of a program against the random opponent, by commands on standard input", lambda: Arena().run()
)
