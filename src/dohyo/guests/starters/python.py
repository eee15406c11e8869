"""The starter in Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dohyo.core.starter import (
    FixedLine,
    Line,
    Messages,
    NamedLine,
    NamedRows,
    NumberRows,
    Part,
    Places,
    Record,
    Records,
    TextRows,
    Word,
)
from dohyo.guests.starters.writer import PLACE, Member, Writer, text

TYPES = {
    "number": "int",
    "word": "str",
    "letter": "str",
    "texts": "list[str]",
    "integers": "list[int]",
    "numbers": "list[list[int]]",
    "words": "list[list[str]]",
}


class Python(Writer):
    """Dataclasses, and functions that read them."""

    key = "python"
    row = "python"
    main = "main.py"
    run = "python3 main.py"
    debug = "dohyo rerun ../m.replay 0 . --debugger pdb"
    comment = "#"

    def _in_column(self, fields: Sequence[tuple[str, str]]) -> list[str]:
        return [f"{code}  # {meaning}" for code, meaning in fields]  # as Python's formatters leave it

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                [
                    f'"""A bot for {self.game.title}.',
                    "",
                    "`decide` is yours; the rest reads the input and writes the answers. See README.md.",
                    '"""',
                    "",
                    *(["import os", "import random", "import sys", "from dataclasses import dataclass"]),
                    *self._constants(),
                ],
                *([*self._record(record)] for record in self.records),
                self._class("Start", "What is sent once, before the first turn.", start) if start else [],
                self._class("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._read_line(),
                self._read_values() if self.has_names else [],
                *self._finders(),
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
                ['if __name__ == "__main__":', "    main()"],
            ],
            between=2,
        )

    def _constants(self) -> list[str]:
        seed = 'RANDOM = random.Random(int(os.environ.get("DOHYO_SEED", "1")))  # a seed of each match\'s own'
        answers = self.answers("ANSWERS = [", "]") if self.starter.answers else []
        return ["", *answers, seed]

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"list[{member.record.name}]"

    def _class(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        zero = " = 0" if self.messages else ""
        members = list(self.members(parts))
        defaults = [zero if member.kind == "number" else "" for member in members]
        fields = self.noted(
            (f"{member.name}: {self._type(member)}{default}", member.meaning)
            for member, default in zip(members, defaults, strict=True)
        )
        return ["@dataclass", f"class {name}:", *self.inside([f'"""{meaning}"""', "", *fields])]

    def _record(self, record: Record) -> list[str]:
        fields = self.noted(
            (f"{item.name}: {'str' if isinstance(item, Word) else 'int'}", item.meaning) for item in record.items
        )
        lines = [f'"""{record.meaning}"""', "", *fields]
        if record is not PLACE:
            names = ", ".join(item.name for item in record.items)
            values = ", ".join(item.name if isinstance(item, Word) else f"int({item.name})" for item in record.items)
            lines += ["", "@staticmethod", f'def parse(line: str) -> "{record.name}":']
            lines += [f"    {names} = line.split()", f"    return {record.name}({values})"]
        if self.answer_record is record:
            words = " ".join(f"{{self.{item.name}}}" for item in record.items)
            lines += ["", "def __str__(self) -> str:", f'    return f"{words}"']
        return ["@dataclass", f"class {record.name}:", *self.inside(lines)]

    def _bot(self) -> list[str]:
        start = self.starter.start
        if isinstance(self.listed, NamedRows):
            choice = [f"return RANDOM.choice(turn.{self.listed.name})"]
        elif self.listed is not None:
            choice = [
                f"if not turn.{self.listed.name}:",
                f'    return "{self.starter.otherwise}"',
                f"return str(RANDOM.choice(turn.{self.listed.name}))",
            ]
        else:
            choice = ["return RANDOM.choice(ANSWERS)"]
        first = ["def __init__(self, start: Start) -> None:", "    self.start = start", ""] if start else []
        about = ['"""What to answer:', "", *self.starter.help, '"""']
        return [
            "class Bot:",
            *self.inside(['"""Your bot: what it remembers from turn to turn are members of `self`."""', "", *first]),
            *self.inside(["def decide(self, turn: Turn) -> str:", *self.inside([*about, *choice])]),
        ]

    def _read_line(self) -> list[str]:
        return [
            "def read_line() -> str:",
            "    line = sys.stdin.readline()",
            "    if not line:",
            "        sys.exit()  # the match is over",
            '    return line.rstrip("\\r\\n")',
        ]

    def _read_values(self) -> list[str]:
        return [
            "def read_values() -> list[str]:",
            "    _, *values = read_line().split()  # without the name in front of them",
            "    return values",
        ]

    def _read_named(self, part: NamedLine | NamedRows) -> str:
        if isinstance(part, NamedLine):
            word = "read_values()[0]"
            return f"{part.item.name} = {word if isinstance(part.item, Word) else f'int({word})'}"
        row = "read_values()" if part.width else "[int(value) for value in read_values()]"
        return f"{part.name} = {row if part.rows == 1 else f'[{row} for _ in range({part.rows})]'}"

    def _finders(self) -> Iterable[list[str]]:
        if self.has(Places):
            yield [
                "def find(rows: list[str], letters: str) -> list[Place]:",
                "    return [",
                "        Place(row, column)",
                "        for row, squares in enumerate(rows)",
                "        for column, square in enumerate(squares)",
                "        if square in letters",
                "    ]",
            ]

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "start: Start" if self.uses_start and name == "turn" else ""
        lines = [line for part in parts for line in self._read(part)]
        if self.messages is None or name == "start":
            values = ", ".join(member.name for member in self.members(parts))
            lines.append(f"return {name.capitalize()}({values})")
        return [f"def read_{name}({given}) -> {name.capitalize()}:", *self.inside(lines)]

    def _read(self, part: Part) -> list[str]:
        match part:
            case Line(items=(item,)):
                return [f"{item.name} = {'read_line()' if isinstance(item, Word) else 'int(read_line())'}"]
            case Line(items=items):
                names = ", ".join(item.name for item in items)
                numbers = [f"{item.name} = int({item.name})" for item in items if not isinstance(item, Word)]
                return [f"{names} = read_line().split()", *numbers]
            case FixedLine():
                return [f"read_line()  # {part.text}"]
            case TextRows(count=None):
                return [f'{part.name} = list(iter(read_line, ""))  # up to an empty line']
            case TextRows():
                return [f"{part.name} = [read_line() for _ in range({self.count(part)})]"]
            case NumberRows():
                return [f"{part.name} = [[int(word) for word in read_line().split()] for _ in range({part.rows})]"]
            case Records():
                count = "int(read_line())" if part.count is None else self.count(part)
                return [f"{part.name} = [{part.record.name}.parse(read_line()) for _ in range({count})]"]
            case Places():
                found = f'find({part.of}, "{part.letters}")'
                return [f"{part.name} = {f'next(iter({found}), Place(-1, -1))' if part.single else found}"]
            case NamedLine() | NamedRows():
                return [self._read_named(part)]
            case Messages():
                return self._read_message(part)

    def _read_message(self, part: Messages) -> list[str]:
        lines = ["line = read_line()", "turn = Turn(line[0])"]
        word = "if"
        for each in part.each:
            if each.numbers:
                names = ", ".join(f"turn.{number.name}" for number in each.numbers)
                numbers = "map(int, line.split()[1:])"
                lines += [f'{word} turn.kind == "{each.letter}":', f"    {names} = {numbers}"]
                word = "elif"
        return [*lines, "return turn"]

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        lines = [f'print("{ready}", flush=True)'] if ready else []
        start = self.starter.start
        lines += ["start = read_start()"] if start else []
        lines += [f"bot = Bot({'start' if start else ''})", "while True:"]
        given = "start" if self.uses_start else ""
        answer = "print(bot.decide(turn), flush=True)"
        turn = [f"turn = read_turn({given})"]
        turn += [f'if turn.kind in "{self.answered}":', f"    {answer}"] if self.messages else [answer]
        return ["def main() -> None:", *self.inside([*lines, *self.inside(turn)])]
