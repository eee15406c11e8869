"""The program `arena` with programs that are a script: no processes, thousands of dialogues a minute."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence

from dohyo.core.dialogue import CloseInput, Machine, Print, ReadLine, Receive, Send, Start, Stop
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up.commands import Arena
from dohyo.guests.game_programs.dialogue import content, text


class End(enum.Enum):
    """How a program ends its output; what it wrote before still comes."""

    EXIT = Fault(FaultKind.EXITED, status=3)
    CRASH = Fault(FaultKind.KILLED, status=11)
    CLOSE = Fault(FaultKind.CLOSED)


class Script:
    """A program: what it writes for each line that it is sent, in turn, over and over; and how it may end.

    `asides` is for lines that ask for nothing (W, L, D). After `life` lines of input it ends in the way of `end`, and
    goes on writing `flood` for ever if there is one. `last` is what it writes when its input ends.
    """

    def __init__(
        self,
        answers: Sequence[bytes],
        asides: bytes = b"",
        last: bytes = b"",
        life: int | None = None,
        end: End = End.EXIT,
        flood: bytes = b"",
    ) -> None:
        self.answers, self.asides, self.last = answers, asides, last
        self.life, self.end, self.flood = life, end, flood
        self.sent: list[bytes] = []
        self._output = bytearray()
        self._asked = 0
        self._ended = False

    def send(self, line: bytes) -> None:
        """A line of input."""
        if self._ended:
            return
        self.sent.append(line)
        if line[:1] in b"PHN":
            self._output += self.answers[self._asked % len(self.answers)]
            self._asked += 1
        else:
            self._output += self.asides
        self._ended = self.life is not None and len(self.sent) >= self.life

    def receive(self) -> bytes | Fault:
        """Its next line; why there is none."""
        if self._ended and self.flood and b"\n" not in self._output:
            self._output += self.flood
        line, newline, rest = self._output.partition(b"\n")
        if newline:
            self._output = rest
            return bytes(line)
        if self._ended and line:
            self._output.clear()
            return bytes(line)
        return self.end.value if self._ended else Fault(FaultKind.TIMEOUT)

    def close_input(self) -> None:
        """No more input."""
        if not self._ended:
            self._output += self.last
            self._ended, self.end, self.flood = True, End.EXIT, b""


class Talks:
    """A dialogue of the arena with scripts: what it prints, and what every program was sent."""

    def __init__(self, program: Callable[[], Script | Fault]) -> None:
        self._program = program
        self.started: list[Script] = []

    def run(self, commands: bytes) -> bytes:
        """Everything that the arena prints for these commands."""
        return b"".join(line + b"\n" for line in self.lines(commands))

    def lines(self, commands: bytes, machine: Machine | None = None) -> list[bytes]:
        """The same, line by line."""
        waiting = commands.removesuffix(b"\n").split(b"\n") if commands else []
        dialogue = machine or Arena().run()
        printed: list[bytes] = []
        living: Script | None = None
        try:
            request = next(dialogue)
            while True:
                answer: object = None
                match request:
                    case ReadLine():
                        answer = text(waiting.pop(0)) if waiting else None
                    case Print(line):
                        printed.append(content(line))
                    case Start():
                        assert living is None
                        program = self._program()
                        if isinstance(program, Fault):
                            answer = program
                        else:
                            living = program
                            self.started.append(program)
                    case Send(line):
                        assert living is not None
                        living.send(content(line))
                    case Receive():
                        assert living is not None
                        if request.after is not None:
                            living.send(content(request.after))
                        came = living.receive()
                        answer = came if isinstance(came, Fault) else text(came)
                    case CloseInput():
                        assert living is not None
                        living.close_input()
                    case Stop():
                        assert living is not None
                        living = None
                request = dialogue.send(answer)
        except StopIteration as end:
            self.status: int = end.value
        assert living is None
        return printed


def arena(commands: str, *answers: str, **more: object) -> list[str]:
    """What the arena prints for these commands with a program that gives these answers in turn."""
    program = Script([f"{answer}\n".encode() for answer in answers], **more)  # type: ignore[arg-type]
    return [line.decode() for line in Talks(lambda: program).lines(commands.encode())]
