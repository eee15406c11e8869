"""The starter in Go, laid out as gofmt does it."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.starter import (
    FixedLine,
    Line,
    Messages,
    NamedLine,
    NamedRows,
    Number,
    NumberRows,
    Part,
    Places,
    Record,
    Records,
    TextRows,
)
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, WIDTH, Member, Writer, kind_of, pascal, text

TYPES = {
    "number": "int",
    "word": "string",
    "letter": "string",
    "texts": "[]string",
    "numbers": "[][]int",
    "integers": "[]int",
    "words": "[][]string",
}


class Go(Writer):
    """Structs, and functions that read them."""

    key = "go"
    row = "go"
    main = "main.go"
    compile = ('go build -o "$build/bot" .',)
    run = '"$build/bot"'
    debug = "dlv debug --redirect stdin:test/input.txt ."
    tab = "\t"

    def name(self, name: str) -> str:
        """Members begin with a capital letter."""
        return pascal(name)

    def files(self) -> dict[str, str]:
        """The program and its module."""
        return {**super().files(), "go.mod": "module bot\n\ngo 1.18\n"}

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                self.title,
                ["package main"],
                self._imports(),
                self.answers("var answers = []string{", "}") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._struct("Start", "What is sent once, before the first turn.", start) if start else [],
                self._struct("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                ["var input = bufio.NewReader(os.Stdin)"],
                self._read_line(),
                self._read_number(),
                *self._read_values(),
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def _imports(self) -> list[str]:
        names = ["bufio", "fmt", "os", "strconv", "strings"]
        return ["import (", *self.inside([f'"{name}"' for name in names]), ")"]

    def _braced(self, head: str, lines: Sequence[str]) -> list[str]:
        return [f"{head} {{", *self.inside(lines), "}"]

    def _fields(self, fields: Sequence[tuple[str, str, str]]) -> list[str]:
        """Names, types and meanings, in columns; what does not fit stands in lines above."""
        lines: list[str] = []
        columns: list[tuple[str, str, str]] = []
        for name, kind, meaning in fields:
            if "\n" in meaning or len(name) + len(kind) + len(meaning) > WIDTH - 15:
                lines += [*self._columns(columns), *self.note(meaning), f"{name} {kind}", ""]
                columns = []
            else:
                columns.append((name, kind, meaning))
        lines += self._columns(columns)
        return lines if lines[-1] else lines[:-1]

    def _columns(self, fields: Sequence[tuple[str, str, str]]) -> list[str]:
        """Names, types and meanings, in columns."""
        if not fields:
            return []
        names, kinds = (max(len(field[at]) for field in fields) for at in (0, 1))
        return [f"{name:{names}} {kind:{kinds}} // {meaning}" for name, kind, meaning in fields]

    def _record(self, record: Record) -> list[str]:
        fields = [(pascal(item.name), TYPES[kind_of(item)], item.meaning) for item in record.items]
        name = record.name
        lines = [*self.note(record.meaning), *self._braced(f"type {name} struct", self._fields(fields))]
        if record is not PLACE:
            short = name.lower()
            into = ", ".join(f"&{short}.{pascal(item.name)}" for item in record.items)
            body = [f"var {short} {name}", f"fmt.Sscan(line, {into})", f"return {short}"]
            lines += ["", *self._braced(f"func parse{name}(line string) {name}", body)]
        if self.answer_record is record:
            form = " ".join("%d" if isinstance(item, Number) else "%s" for item in record.items)
            short = name.lower()
            values = ", ".join(f"{short}.{pascal(item.name)}" for item in record.items)
            body = [f'return fmt.Sprintf("{form}", {values})']
            lines += ["", *self._braced(f"func ({short} {name}) String() string", body)]
        return lines

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"[]{member.record.name}"

    def _struct(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        fields = [(pascal(member.name), self._type(member), member.meaning) for member in self.members(parts)]
        return [*self.note(meaning), *self._braced(f"type {name} struct", self._fields(fields))]

    def _bot(self) -> list[str]:
        start = self.starter.start
        listed = self.listed
        if listed is None:
            choice = ["return answers[bot.draw(len(answers))]"]
        elif isinstance(listed, NamedRows):
            name = f"turn.{pascal(listed.name)}"
            choice = [f"return {name}[bot.draw(len({name}))]"]
        else:
            name = f"turn.{pascal(listed.name)}"
            empty = self._braced(f"if len({name}) == 0", [f'return "{self.starter.otherwise}"'])
            choice = [*empty, f"return {name}[bot.draw(len({name}))].String()"]
        random = "random uint64 // changed by each number that is drawn"
        members = ["start  Start", random] if start else [random]
        draw = [f"bot.random = bot.random * {FACTOR} % {MODULUS}", "return int(bot.random % uint64(n))"]
        return [
            *self.note("Your bot: what it remembers from turn to turn are its fields."),
            *self._braced("type Bot struct", members),
            "",
            *self._braced("func (bot *Bot) decide(turn Turn) string", [*self.help, *choice]),
            "",
            "// A random number from 0 to n - 1.",
            *self._braced("func (bot *Bot) draw(n int) int", draw),
        ]

    def _read_line(self) -> list[str]:
        body = [
            "line, err := input.ReadString('\\n')",
            *self._braced("if err != nil", ["os.Exit(0)"]),
            'return strings.TrimRight(line, "\\r\\n")',
        ]
        note = "// The next line. Ends the program where the input ends: the match is over."
        return [note, *self._braced("func readLine() string", body)]

    def _read_number(self) -> list[str]:
        body = [
            "number, err := strconv.Atoi(word)",
            *self._braced("if err != nil", ["panic(err)"]),
            "return number",
        ]
        return self._braced("func number(word string) int", body)

    def _read_values(self) -> list[list[str]]:
        """The functions that read a line with a name in front."""
        if not self.has_names:
            return []
        words = self._braced("func readValues() []string", ["return strings.Fields(readLine())[1:]"])
        loop = self._braced("for _, word := range words", ["numbers = append(numbers, number(word))"])
        body = ["var numbers []int", *loop, "return numbers"]
        note = "// The words on the next line, behind the name in front of them."
        return [[note, *words], self._braced("func numbers(words []string) []int", body)]

    def _read_named(self, part: NamedLine | NamedRows, of: str) -> list[str]:
        if isinstance(part, NamedLine):
            word = "readValues()[0]"
            return [
                f"{of}.{pascal(part.item.name)} = {f'number({word})' if kind_of(part.item) == 'number' else word}"
            ]
        name, row = f"{of}.{pascal(part.name)}", "readValues()" if part.width else "numbers(readValues())"
        return [f"{name} = {row}"] if part.rows == 1 else self._repeat(part.rows, f"{name} = append({name}, {row})")

    def _finder(self) -> list[str]:
        body = [
            "var found []Place",
            "for row, squares := range rows {",
            "\tfor column, square := range squares {",
            "\t\tif strings.ContainsRune(letters, square) {",
            "\t\t\tfound = append(found, Place{row, column})",
            "\t\t}",
            "\t}",
            "}",
            "return found",
        ]
        return self._braced("func find(rows []string, letters string) []Place", body)

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "start Start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part, name)]
        return self._braced(f"func read{kind}({given}) {kind}", [f"var {name} {kind}", *lines, f"return {name}"])

    def _repeat(self, count: object, line: str) -> list[str]:
        return self._braced(f"for i := 0; i < {count}; i++", [line])

    def _read(self, part: Part, of: str) -> list[str]:
        match part:
            case Line(items=(Number() as item,)):
                return [f"{of}.{pascal(item.name)} = number(readLine())"]
            case Line(items=items):
                return [f"fmt.Sscan(readLine(), {', '.join(f'&{of}.{pascal(item.name)}' for item in items)})"]
            case FixedLine():
                return [f"readLine() // {part.text}"]
            case TextRows(count=None):
                rows = f"{of}.{pascal(part.name)}"
                loop = 'for row := readLine(); row != ""; row = readLine()'
                return ["// up to an empty line", *self._braced(loop, [f"{rows} = append({rows}, row)"])]
            case TextRows():
                rows = f"{of}.{pascal(part.name)}"
                return self._repeat(self.count(part), f"{rows} = append({rows}, readLine())")
            case NumberRows():
                rows = f"{of}.{pascal(part.name)}"
                inner = self._braced(
                    "for _, word := range strings.Fields(readLine())", ["row = append(row, number(word))"]
                )
                body = ["var row []int", *inner, f"{rows} = append({rows}, row)"]
                return self._braced(f"for i := 0; i < {part.rows}; i++", body)
            case Records():
                name = f"{of}.{pascal(part.name)}"
                line = f"{name} = append({name}, parse{part.record.name}(readLine()))"
                if part.count is None:
                    return self._braced("for left := number(readLine()); left > 0; left--", [line])
                return self._repeat(self.count(part), line)
            case Places():
                name, found = f"{of}.{pascal(part.name)}", f'find({of}.{pascal(part.of)}, "{part.letters}")'
                if part.single:
                    first = self._braced(f"if found := {found}; len(found) > 0", [f"{name} = found[0]"])
                    return [f"{name} = Place{{-1, -1}}", *first]
                return [f"{name} = {found}"]
            case NamedLine() | NamedRows():
                return self._read_named(part, of)
            case Messages():
                lines = ["words := strings.Fields(readLine())", f"{of}.Kind = words[0][:1]"]
                for each in part.each:
                    if each.numbers:
                        body = [
                            f"{of}.{pascal(number.name)} = number(words[{at}])"
                            for at, number in enumerate(each.numbers, 1)
                        ]
                        lines += self._braced(f'if {of}.Kind == "{each.letter}"', body)
                return lines

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'fmt.Println("{ready}")'] if ready else []
        lines += ["start := readStart()"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            'seed, err := strconv.ParseUint(os.Getenv("DOHYO_SEED"), 10, 64)',
            *self._braced("if err != nil", ["seed = 1"]),
            f"bot := Bot{{{'start: start, ' if start else ''}random: seed%{MODULUS - 1} + 1}}",
        ]
        answer = ["fmt.Println(bot.decide(turn)) // not buffered, so there is nothing to flush"]
        if self.messages:
            answer = self._braced(f'if strings.Contains("{self.answered}", turn.Kind)', answer)
        turn = [f"turn := readTurn({'start' if self.uses_start else ''})", *answer]
        return self._braced("func main()", [*lines, *self._braced("for", turn)])
