"""The starter in Kotlin, from version 1.3 on."""

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
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, camel, kind_of, text

TYPES = {
    "number": "Int",
    "word": "String",
    "letter": "Char",
    "texts": "List<String>",
    "numbers": "List<List<Int>>",
    "integers": "List<Int>",
    "words": "List<List<String>>",
}


class Kotlin(Writer):
    """Data classes, and functions that read them."""

    key = "kotlin"
    row = "kotlin"
    main = "Main.kt"
    compile = ('kotlinc -nowarn Main.kt -include-runtime -d "$build/bot.jar"',)
    run = 'java -jar "$build/bot.jar"'
    debug = (
        "kotlinc Main.kt -include-runtime -d /tmp/bot.jar && "
        "java -agentlib:jdwp=transport=dt_socket,server=y,address=5005 -jar /tmp/bot.jar < test/input.txt"
    )

    def spell(self, name: str) -> str:
        """Names are in camel case."""
        return camel(name)

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                self.title,
                ["import kotlin.system.exitProcess"],
                self.answers("val ANSWERS = listOf(", ")") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._class("Start", "What is sent once, before the first turn.", start) if start else [],
                self._class("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._next_line(),
                self._read_values() if self.has_names else [],
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def answers(self, opening: str, closing: str) -> list[str]:
        """The list of constant answers; Kotlin 1.3 has no comma at the end of a list."""
        lines = super().answers(opening, closing)
        return [line.removesuffix(",") if at == len(lines) - 2 else line for at, line in enumerate(lines)]

    def _braced(self, head: str, lines: Sequence[str]) -> list[str]:
        return [f"{head} {{", *self.inside(lines), "}"]

    def _declared(self, name: str, members: Sequence[tuple[str, str]], body: Sequence[str]) -> list[str]:
        last = len(members) - 1
        lines = self.noted(
            (f"val {member}{',' if at < last else ''}", meaning) for at, (member, meaning) in enumerate(members)
        )
        end = [") {", *self.inside(body), "}"] if body else [")"]
        return [f"data class {name}(", *self.inside(lines), *end]

    def _record(self, record: Record) -> list[str]:
        body = []
        if self.answer_record is record:
            words = " ".join(f"${item.name}" for item in record.items)
            body += [f'override fun toString() = "{words}"', ""]
        if record is not PLACE:
            values = []
            for at, item in enumerate(record.items):
                read = {"number": f"words[{at}].toInt()", "letter": f"words[{at}][0]"}
                values.append(read.get(kind_of(item), f"words[{at}]"))
            parse = ['val words = line.split(" ")', f"return {record.name}({', '.join(values)})"]
            parse = self._braced(f"fun parse(line: String): {record.name}", parse)
            body += self._braced("companion object", parse)
        members = [(f"{item.name}: {TYPES[kind_of(item)]}", item.meaning) for item in record.items]
        return [*self.note(record.meaning), *self._declared(record.name, members, body)]

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"List<{member.record.name}>"

    def _class(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        members = [(f"{member.name}: {self._type(member)}", member.meaning) for member in self.members(parts)]
        return [*self.note(meaning), *self._declared(name, members, [])]

    def _bot(self) -> list[str]:
        listed = self.listed
        if listed is None:
            choice = ["return ANSWERS[draw(ANSWERS.size)]"]
        elif isinstance(listed, NamedRows):
            name = f"turn.{listed.name}"
            choice = [f"return {name}[draw({name}.size)]"]
        else:
            name = f"turn.{listed.name}"
            choice = [
                f'if ({name}.isEmpty()) return "{self.starter.otherwise}"',
                f"return {name}[draw({name}.size)].toString()",
            ]
        draw = [f"random = random * {FACTOR} % {MODULUS}", "return (random % n).toInt()"]
        given = "val start: Start, seed: Long" if self.starter.start else "seed: Long"
        return [
            *self.note("Your bot: what it remembers from turn to turn are members."),
            *self._braced(
                f"class Bot({given})",
                [
                    f"private var random = seed % {MODULUS - 1} + 1  // changed by each number that is drawn",
                    "",
                    *self._braced("fun decide(turn: Turn): String", [*self.help, *choice]),
                    "",
                    "// A random number from 0 to n - 1.",
                    *self._braced("private fun draw(n: Int): Int", draw),
                ],
            ),
        ]

    def _next_line(self) -> list[str]:
        return [
            "// The next line. Ends the program where the input ends: the match is over.",
            "fun nextLine(): String = readLine() ?: exitProcess(0)",
        ]

    def _read_values(self) -> list[str]:
        return [
            "// The words on the next line, behind the name in front of them.",
            'fun readValues(): List<String> = nextLine().split(" ").drop(1)',
        ]

    def _read_named(self, part: NamedLine | NamedRows) -> str:
        if isinstance(part, NamedLine):
            word = "readValues()[0]"
            value = {"number": f"{word}.toInt()", "letter": f"{word}[0]"}.get(kind_of(part.item), word)
            return f"val {part.item.name} = {value}"
        row = "readValues()" if part.width else "readValues().map { it.toInt() }"
        return f"val {part.name} = {row if part.rows == 1 else f'List({part.rows}) {{ {row} }}'}"

    def _finder(self) -> list[str]:
        body = [
            "val found = mutableListOf<Place>()",
            "for ((row, squares) in rows.withIndex()) {",
            "    for ((column, square) in squares.withIndex()) {",
            "        if (square in letters) found.add(Place(row, column))",
            "    }",
            "}",
            "return found",
        ]
        return self._braced("fun find(rows: List<String>, letters: String): List<Place>", body)

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "start: Start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part)]
        values = ", ".join(member.name for member in self.members(parts))
        return self._braced(f"fun read{kind}({given}): {kind}", [*lines, f"return {kind}({values})"])

    def _read(self, part: Part) -> list[str]:
        match part:
            case Line():
                lines = ['val words = nextLine().split(" ")'] if len(part.items) > 1 else []
                for at, item in enumerate(part.items):
                    word = f"words[{at}]" if lines else "nextLine()"
                    kind = kind_of(item)
                    value = {"number": f"{word}.toInt()", "letter": f"{word}[0]"}.get(kind, word)
                    lines.append(f"val {item.name} = {value}")
                return lines
            case FixedLine():
                return [f"nextLine()  // {part.text}"]
            case TextRows(count=None):
                generated = 'generateSequence { nextLine() }.takeWhile { it != "" }.toList()'
                return [f"val {part.name} = {generated}  // up to an empty line"]
            case TextRows():
                return [f"val {part.name} = List({self.count(part)}) {{ nextLine() }}"]
            case NumberRows():
                row = 'nextLine().split(" ").map { it.toInt() }'
                return [f"val {part.name} = List({part.rows}) {{ {row} }}"]
            case Records():
                count = "nextLine().toInt()" if part.count is None else self.count(part)
                return [f"val {part.name} = List({count}) {{ {part.record.name}.parse(nextLine()) }}"]
            case Places():
                found = f'find({part.of}, "{part.letters}")'
                return [f"val {part.name} = {found}{'.firstOrNull() ?: Place(-1, -1)' if part.single else ''}"]
            case NamedLine() | NamedRows():
                return [self._read_named(part)]
            case Messages():
                lines = ["val line = nextLine()", 'val words = line.split(" ")', "val kind = line[0]"]
                for each in part.each:
                    for at, number in enumerate(each.numbers, 1):
                        value = f"if (kind == '{each.letter}') words[{at}].toInt() else 0"
                        lines.append(f"val {number.name} = {value}")
                return lines

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'println("{ready}")', "System.out.flush()"] if ready else []
        lines += ["val start = readStart()"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            'val seed = (System.getenv("DOHYO_SEED") ?: "1").toLong()',
            f"val bot = Bot({'start, ' if start else ''}seed)",
            "while (true) {",
        ]
        turn = [f"val turn = readTurn({'start' if self.uses_start else ''})"]
        turn += [f'if (turn.kind !in "{self.answered}") continue'] if self.messages else []
        turn += ["println(bot.decide(turn))", "System.out.flush()"]
        return self._braced("fun main()", [*lines, *self.inside(turn), "}"])
