"""The starter in Java, from version 16 on."""

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
    "number": "int",
    "word": "String",
    "letter": "char",
    "texts": "List<String>",
    "numbers": "int[][]",
    "integers": "int[]",
    "words": "String[][]",
}

VALUES = {True: "readValues()", False: "readNumbers()"}  # by whether they are words


class Java(Writer):
    """Records, and methods that read them."""

    key = "java"
    row = "java"
    main = "Main.java"
    compile = ('javac -encoding UTF-8 -d "$build" Main.java',)
    run = 'java -cp "$build" Main'
    debug = (
        "javac -g -d /tmp/bot Main.java && java -cp /tmp/bot "
        "-agentlib:jdwp=transport=dt_socket,server=y,address=5005 Main < test/input.txt"
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
                [
                    "import java.io.BufferedReader;",
                    "import java.io.IOException;",
                    "import java.io.InputStreamReader;",
                    *(["import java.util.ArrayList;"] if self._makes_lists else []),
                    *(["import java.util.List;"] if self._makes_lists or self.has_names else []),
                ],
                *(self._record(record) for record in self.records),
                self._class("Start", "What is sent once, before the first turn.", start) if start else [],
                self._class("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._program(),
            ]
        )

    @property
    def _makes_lists(self) -> bool:
        return self.has(TextRows) or self.has(Records) or self.has(Places)

    def _braced(self, head: str, lines: Sequence[str]) -> list[str]:
        return [f"{head} {{", *self.inside(lines), "}"]

    def _declared(self, name: str, members: Sequence[tuple[str, str]], body: Sequence[str]) -> list[str]:
        """A record: its members with their meanings, and what follows."""
        last = len(members) - 1
        lines = self.noted(
            ((member if at == last else f"{member},", meaning) for at, (member, meaning) in enumerate(members)), 2
        )
        end = [") {", *self.inside(body), "}"] if body else [") {}"]
        return [f"record {name}(", *self.inside(lines, 2), *end]

    def _record(self, record: Record) -> list[str]:
        body = []
        if record is not PLACE:
            values = []
            for at, item in enumerate(record.items):
                read = {"number": f"Integer.parseInt(words[{at}])", "letter": f"words[{at}].charAt(0)"}
                values.append(read.get(kind_of(item), f"words[{at}]"))
            call = f"return new {record.name}({', '.join(values)});"
            if len(call) > 100:
                call = f"return new {record.name}(\n        " + ",\n        ".join(values) + ");"
            read_lines = ['String[] words = line.split(" ");', *call.split("\n")]
            body += self._braced(f"static {record.name} parse(String line)", read_lines)
        if self.answer_record is record:
            words = ' + " " + '.join(item.name for item in record.items)
            body += ["", "@Override", *self._braced("public String toString()", [f"return {words};"])]
        members = [(f"{TYPES[kind_of(item)]} {item.name}", item.meaning) for item in record.items]
        return [*self.note(record.meaning), *self._declared(record.name, members, body)]

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"List<{member.record.name}>"

    def count(self, part: TextRows | Records) -> str:
        """How many lines there are, as an expression."""
        return f"start.{part.count}()" if isinstance(part.count, str) else str(part.count)

    def _class(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        members = [(f"{self._type(member)} {member.name}", member.meaning) for member in self.members(parts)]
        return [*self.note(meaning), *self._declared(name, members, [])]

    def _bot(self) -> list[str]:
        start = self.starter.start
        listed = self.listed
        if listed is None:
            choice = ["return ANSWERS[draw(ANSWERS.length)];"]
        elif isinstance(listed, NamedRows):
            name = f"turn.{listed.name}()"
            choice = [f"return {name}.get(draw({name}.size()));"]
        else:
            name = f"turn.{listed.name}()"
            choice = [
                f'if ({name}.isEmpty()) return "{self.starter.otherwise}";',
                f"return {name}.get(draw({name}.size())).toString();",
            ]
        members = self.answers("static final String[] ANSWERS = {", "};") if self.starter.answers else []
        members += ["final Start start;"] if start else []
        members += ["private long random;  // changed by each number that is drawn", ""]
        first = ["this.start = start;"] if start else []
        first.append(f"random = seed % {MODULUS - 1} + 1;")
        draw = [f"random = random * {FACTOR} % {MODULUS};", "return (int) (random % n);"]
        return [
            *self.note("Your bot: what it remembers from turn to turn are members."),
            *self._braced(
                "class Bot",
                [
                    *members,
                    *self._braced(f"Bot({'Start start, ' if start else ''}long seed)", first),
                    "",
                    *self._braced("String decide(Turn turn)", [*self.help, *choice]),
                    "",
                    "// A random number from 0 to n - 1.",
                    *self._braced("private int draw(int n)", draw),
                ],
            ),
        ]

    def _program(self) -> list[str]:
        start = self.starter.start
        read = [
            "String line = INPUT.readLine();",
            "if (line == null) System.exit(0);  // the match is over",
            "return line;",
        ]
        methods = [
            ["static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));"],
            self._braced("static String readLine() throws IOException", read),
        ]
        methods += self._read_values()
        if self.has(Places):
            methods.append(self._finder())
        if start:
            methods.append(self._reader("start", start))
        methods += [self._reader("turn", self.starter.turn), self._main()]
        return self._braced("public class Main", text(methods).rstrip("\n").split("\n"))

    def _read_values(self) -> list[list[str]]:
        """The methods that read a line with a name in front."""
        if not self.has_names:
            return []
        values = ['String[] words = readLine().split(" ");', "return List.of(words).subList(1, words.length);"]
        numbers = ["return readValues().stream().mapToInt(Integer::parseInt).toArray();"]
        note = "// The words on the next line, behind the name in front of them."
        return [
            [note, *self._braced("static List<String> readValues() throws IOException", values)],
            self._braced("static int[] readNumbers() throws IOException", numbers),
        ]

    def _read_named(self, part: NamedLine | NamedRows) -> list[str]:
        if isinstance(part, NamedLine):
            kind, word = kind_of(part.item), "readValues().get(0)"
            value = {"number": f"Integer.parseInt({word})", "letter": f"{word}.charAt(0)"}.get(kind, word)
            return [f"{TYPES[kind]} {part.item.name} = {value};"]
        if part.rows == 1:
            return [f"{'List<String>' if part.width else 'int[]'} {part.name} = {VALUES[bool(part.width)]};"]
        kind, row = ("String", f"{VALUES[True]}.toArray(new String[0])") if part.width else ("int", VALUES[False])
        return [
            f"{kind}[][] {part.name} = new {kind}[{part.rows}][];",
            f"for (int i = 0; i < {part.rows}; i++) {part.name}[i] = {row};",
        ]

    def _finder(self) -> list[str]:
        body = [
            "List<Place> found = new ArrayList<>();",
            "for (int row = 0; row < rows.size(); row++) {",
            "    for (int column = 0; column < rows.get(row).length(); column++) {",
            "        char square = rows.get(row).charAt(column);",
            "        if (letters.indexOf(square) >= 0) found.add(new Place(row, column));",
            "    }",
            "}",
            "return found;",
        ]
        return self._braced("static List<Place> find(List<String> rows, String letters)", body)

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "Start start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part)]
        values = ", ".join(member.name for member in self.members(parts))
        body = [*lines, f"return new {kind}({values});"]
        return self._braced(f"static {kind} read{kind}({given}) throws IOException", body)

    def _list(self, kind: str, name: str, loop: str, what: str) -> list[str]:
        return [f"List<{kind}> {name} = new ArrayList<>();", f"for ({loop}) {name}.add({what});"]

    def _read(self, part: Part) -> list[str]:
        match part:
            case Line():
                lines = ['String[] words = readLine().split(" ");'] if len(part.items) > 1 else []
                for at, item in enumerate(part.items):
                    word = f"words[{at}]" if lines else "readLine()"
                    kind = kind_of(item)
                    value = {"number": f"Integer.parseInt({word})", "letter": f"{word}.charAt(0)"}.get(kind, word)
                    lines.append(f"{TYPES[kind]} {item.name} = {value};")
                return lines
            case FixedLine():
                return [f"readLine();  // {part.text}"]
            case TextRows(count=None):
                loop = "String row = readLine(); !row.isEmpty(); row = readLine()"
                return ["// up to an empty line", *self._list("String", part.name, loop, "row")]
            case TextRows():
                return self._list("String", part.name, f"int i = 0; i < {self.count(part)}; i++", "readLine()")
            case NumberRows():
                return [
                    f"int[][] {part.name} = new int[{part.rows}][{part.columns}];",
                    f"for (int[] row : {part.name}) {{",
                    '    String[] words = readLine().split(" ");',
                    "    for (int i = 0; i < row.length; i++) row[i] = Integer.parseInt(words[i]);",
                    "}",
                ]
            case Records():
                kind, parsed = part.record.name, f"{part.record.name}.parse(readLine())"
                if part.count is None:
                    loop = "int left = Integer.parseInt(readLine()); left > 0; left--"
                    return self._list(kind, part.name, loop, parsed)
                return self._list(kind, part.name, f"int i = 0; i < {self.count(part)}; i++", parsed)
            case Places():
                found = f'find({part.of}, "{part.letters}")'
                if part.single:
                    listed = f"{part.name}Found"
                    return [
                        f"List<Place> {listed} = {found};",
                        f"Place {part.name} = {listed}.isEmpty() ? new Place(-1, -1) : {listed}.get(0);",
                    ]
                return [f"List<Place> {part.name} = {found};"]
            case NamedLine() | NamedRows():
                return self._read_named(part)
            case Messages():
                return self._read_message(part)

    def _read_message(self, part: Messages) -> list[str]:
        lines = [
            "String line = readLine();",
            'String[] words = line.split(" ");',
            "char kind = line.charAt(0);",
        ]
        for each in part.each:
            for at, number in enumerate(each.numbers, 1):
                value = f"kind == '{each.letter}' ? Integer.parseInt(words[{at}]) : 0"
                lines.append(f"int {number.name} = {value};")
        return lines

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'System.out.println("{ready}");', "System.out.flush();"] if ready else []
        lines += ["Start start = readStart();"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            'long seed = Long.parseLong(System.getenv().getOrDefault("DOHYO_SEED", "1"));',
            f"Bot bot = new Bot({'start, ' if start else ''}seed);",
            "while (true) {",
        ]
        turn = [f"Turn turn = readTurn({'start' if self.uses_start else ''});"]
        turn += [f'if ("{self.answered}".indexOf(turn.kind()) < 0) continue;'] if self.messages else []
        turn += ["System.out.println(bot.decide(turn));", "System.out.flush();"]
        return self._braced(
            "public static void main(String[] arguments) throws IOException", [*lines, *self.inside(turn), "}"]
        )
