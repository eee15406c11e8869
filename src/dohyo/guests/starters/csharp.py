"""The starter in C#, in the words that Mono's compiler knows too."""

from __future__ import annotations

from collections.abc import Sequence

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
)
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, kind_of, pascal, text

TYPES = {
    "number": "int",
    "word": "string",
    "letter": "char",
    "texts": "string[]",
    "numbers": "int[][]",
    "integers": "int[]",
    "words": "string[][]",
}


class CSharp(Writer):
    """Classes with fields, and methods that read them."""

    key = "csharp"
    row = "c#"
    main = "Program.cs"
    compile = (
        "if command -v dotnet > /dev/null; then",
        '    dotnet new console --force --output "$build/bot" > /dev/null',
        '    cp Program.cs "$build/bot/Program.cs"',
        '    dotnet build "$build/bot" -c Release -o "$build/out" --nologo -v:quiet',
        "else",
        '    mcs -nologo -optimize+ -out:"$build/bot.exe" Program.cs',
        "fi",
    )
    run = 'if [ -f "$build/bot.exe" ]; then mono "$build/bot.exe"; else dotnet "$build/out/bot.dll"; fi'
    debug = "mcs -debug -out:/tmp/bot.exe Program.cs && mono --debug /tmp/bot.exe < test/input.txt"

    decide = "Decide"

    def name(self, name: str) -> str:
        """Members begin with a capital letter."""
        return pascal(name)

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                self.title,
                ["using System;", "using System.Collections.Generic;", "using System.Linq;"],
                *(self._record(record) for record in self.records),
                self._class("Start", "What is sent once, before the first turn.", start) if start else [],
                self._class("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._program(),
            ]
        )

    def _braced(self, head: str, lines: Sequence[str]) -> list[str]:
        return [head, "{", *self.inside(lines), "}"]

    def _record(self, record: Record) -> list[str]:
        lines = self.noted(
            (f"public {TYPES[kind_of(item)]} {pascal(item.name)};", item.meaning) for item in record.items
        )
        if record is not PLACE:
            values = []
            for at, item in enumerate(record.items):
                read = {"number": f"int.Parse(words[{at}])", "letter": f"words[{at}][0]"}
                values.append(f"{pascal(item.name)} = {read.get(kind_of(item), f'words[{at}]')},")
            body = ["string[] words = line.Split(' ');", f"return new {record.name}", "{", *self.inside(values), "};"]
            lines += ["", *self._braced(f"public static {record.name} Parse(string line)", body)]
        if self.answer_record is record:
            words = " ".join(f"{{{pascal(item.name)}}}" for item in record.items)
            lines += ["", "public override string ToString()", "{", f'    return $"{words}";', "}"]
        return [*self.note(record.meaning), *self._braced(f"sealed class {record.name}", lines)]

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"{member.record.name}[]"

    def _class(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        lines = self.noted(
            (f"public {self._type(member)} {pascal(member.name)};", member.meaning) for member in self.members(parts)
        )
        return [*self.note(meaning), *self._braced(f"sealed class {name}", lines)]

    def _bot(self) -> list[str]:
        start = self.starter.start
        listed = self.listed
        if listed is None:
            choice = ["return Answers[Draw(Answers.Length)];"]
        elif isinstance(listed, NamedRows):
            name = pascal(listed.name)
            choice = [f"return turn.{name}[Draw(turn.{name}.Length)];"]
        else:
            name = pascal(listed.name)
            choice = [
                f'if (turn.{name}.Length == 0) return "{self.starter.otherwise}";',
                f"return turn.{name}[Draw(turn.{name}.Length)].ToString();",
            ]
        members = self.answers("static readonly string[] Answers = {", "};") if self.starter.answers else []
        members += ["public readonly Start Start;"] if start else []
        members += ["long random;  // changed by each number that is drawn", ""]
        given = "Start start, long seed" if start else "long seed"
        first = ["Start = start;"] if start else []
        first.append(f"random = seed % {MODULUS - 1} + 1;")
        draw = [f"random = random * {FACTOR} % {MODULUS};", "return (int)(random % n);"]
        return [
            *self.note("Your bot: what it remembers from turn to turn are members."),
            *self._braced(
                "sealed class Bot",
                [
                    *members,
                    *self._braced(f"public Bot({given})", first),
                    "",
                    *self._braced("public string Decide(Turn turn)", [*self.help, *choice]),
                    "",
                    "// A random number from 0 to n - 1.",
                    *self._braced("int Draw(int n)", draw),
                ],
            ),
        ]

    def _program(self) -> list[str]:
        start = self.starter.start
        read = [
            "string line = Console.ReadLine();",
            "if (line == null) Environment.Exit(0);  // the match is over",
            "return line;",
        ]
        methods = [self._braced("static string ReadLine()", read)]
        if self.has_names:
            values = ["return ReadLine().Split(' ').Skip(1).ToArray();  // without the name in front of them"]
            methods.append(self._braced("static string[] ReadValues()", values))
        if self.has(Places):
            methods.append(self._finder())
        if start:
            methods.append(self._reader("start", start))
        methods += [self._reader("turn", self.starter.turn), self._main()]
        return self._braced("static class Program", text(methods).rstrip("\n").split("\n"))

    def _finder(self) -> list[str]:
        body = [
            "var found = new List<Place>();",
            "for (int row = 0; row < rows.Length; row++)",
            "{",
            "    for (int column = 0; column < rows[row].Length; column++)",
            "    {",
            "        char square = rows[row][column];",
            "        if (letters.IndexOf(square) >= 0) found.Add(new Place { Row = row, Column = column });",
            "    }",
            "}",
            "return found.ToArray();",
        ]
        return self._braced("static Place[] Find(string[] rows, string letters)", body)

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "Start start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part, name)]
        body = [f"var {name} = new {kind}();", *lines, f"return {name};"]
        return self._braced(f"static {kind} Read{kind}({given})", body)

    def _read_named(self, part: NamedLine | NamedRows, of: str) -> str:
        if isinstance(part, NamedLine):
            word = "ReadValues()[0]"
            value = {"number": f"int.Parse({word})", "letter": f"{word}[0]"}.get(kind_of(part.item), word)
            return f"{of}.{pascal(part.item.name)} = {value};"
        row = "ReadValues()" if part.width else "ReadValues().Select(int.Parse).ToArray()"
        return f"{of}.{pascal(part.name)} = {row if part.rows == 1 else self._repeat(part.rows, row)};"

    def _repeat(self, count: object, what: str) -> str:
        return f"Enumerable.Range(0, {count}).Select(_ => {what}).ToArray()"

    def _read(self, part: Part, of: str) -> list[str]:
        match part:
            case Line():
                lines = ["string[] words = ReadLine().Split(' ');"] if len(part.items) > 1 else []
                for at, item in enumerate(part.items):
                    word = f"words[{at}]" if lines else "ReadLine()"
                    value = {"number": f"int.Parse({word})", "letter": f"{word}[0]"}.get(kind_of(item), word)
                    lines.append(f"{of}.{pascal(item.name)} = {value};")
                return lines
            case FixedLine():
                return [f"ReadLine();  // {part.text}"]
            case TextRows(count=None):
                rows = part.name
                return [
                    f"var {rows} = new List<string>();  // up to an empty line",
                    f'for (string row = ReadLine(); row != ""; row = ReadLine()) {rows}.Add(row);',
                    f"{of}.{pascal(rows)} = {rows}.ToArray();",
                ]
            case TextRows():
                return [f"{of}.{pascal(part.name)} = {self._repeat(self.count(part), 'ReadLine()')};"]
            case NumberRows():
                row = "ReadLine().Split(' ').Select(int.Parse).ToArray()"
                return [f"{of}.{pascal(part.name)} = {self._repeat(part.rows, row)};"]
            case Records():
                count = "int.Parse(ReadLine())" if part.count is None else self.count(part)
                return [f"{of}.{pascal(part.name)} = {self._repeat(count, f'{part.record.name}.Parse(ReadLine())')};"]
            case Places():
                found = f'Find({of}.{pascal(part.of)}, "{part.letters}")'
                if part.single:
                    found += ".FirstOrDefault() ?? new Place { Row = -1, Column = -1 }"
                return [f"{of}.{pascal(part.name)} = {found};"]
            case NamedLine() | NamedRows():
                return [self._read_named(part, of)]
            case Messages():
                lines = ["string line = ReadLine();", "string[] words = line.Split(' ');", f"{of}.Kind = line[0];"]
                for each in part.each:
                    if each.numbers:
                        body = [
                            f"{of}.{pascal(number.name)} = int.Parse(words[{at}]);"
                            for at, number in enumerate(each.numbers, 1)
                        ]
                        lines += self._braced(f"if ({of}.Kind == '{each.letter}')", body)
                return lines

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'Console.WriteLine("{ready}");', "Console.Out.Flush();"] if ready else []
        lines += ["Start start = ReadStart();"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            'long seed = long.Parse(Environment.GetEnvironmentVariable("DOHYO_SEED") ?? "1");',
            f"var bot = new Bot({'start, ' if start else ''}seed);",
            "while (true)",
        ]
        turn = [f"Turn turn = ReadTurn({'start' if self.uses_start else ''});"]
        turn += [f'if ("{self.answered}".IndexOf(turn.Kind) < 0) continue;'] if self.messages else []
        turn += ["Console.WriteLine(bot.Decide(turn));", "Console.Out.Flush();"]
        return self._braced("static void Main()", [*lines, "{", *self.inside(turn), "}"])
