"""The starter in JavaScript, for Node, with types in JSDoc that editors understand."""

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
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, camel, kind_of, text

TYPES = {
    "number": "number",
    "word": "string",
    "letter": "string",
    "texts": "string[]",
    "numbers": "number[][]",
    "integers": "number[]",
    "words": "string[][]",
}


class JavaScript(Writer):
    """Plain objects whose types are documented, and functions that read them."""

    key = "javascript"
    row = "javascript"
    main = "main.js"
    run = "node main.js"
    debug = "node --inspect-brk main.js < test/input.txt"
    tab = "  "

    def spell(self, name: str) -> str:
        """Names are in camel case."""
        return camel(name)

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                self.title,
                ['"use strict";', 'const readline = require("readline");'],
                self.answers("const ANSWERS = [", "];") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._type_of("Start", "What is sent once, before the first turn.", start) if start else [],
                self._type_of("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._read_line(),
                self._read_values() if self.has_names else [],
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def _braced(self, head: str, lines: Sequence[str]) -> list[str]:
        return [f"{head} {{", *self.inside(lines), "}"]

    def _typedef(self, name: str, meaning: str, members: Sequence[tuple[str, str, str]]) -> list[str]:
        lines = [f" * {meaning}", f" * @typedef {{Object}} {name}"]
        for member, kind, about in members:
            first, *rest = about.split("\n")
            lines += [f" * @property {{{kind}}} {member} - {first}", *(f" *   {line}" for line in rest)]
        return ["/**", *lines, " */"]

    def _record(self, record: Record) -> list[str]:
        members = [(camel(item.name), TYPES[kind_of(item)], item.meaning) for item in record.items]
        lines = self._typedef(record.name, record.meaning, members)
        if record is PLACE:
            return lines
        names = ", ".join(camel(item.name) for item in record.items)
        values = ", ".join(
            f"{camel(item.name)}: Number({camel(item.name)})" if isinstance(item, Number) else camel(item.name)
            for item in record.items
        )
        body = [f'const [{names}] = line.split(" ");', f"return {{ {values} }};"]
        lines += [f"/** @returns {{{record.name}}} */"]
        lines = [*lines[:-1], "", lines[-1], *self._braced(f"function parse{record.name}(line)", body)]
        if self.answer_record is record:
            words = " ".join(f"${{{record.name.lower()}.{camel(item.name)}}}" for item in record.items)
            lines += ["", *self._braced(f"function textOf({record.name.lower()})", [f"return `{words}`;"])]
        return lines

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"{member.record.name}[]"

    def _type_of(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        members = [(camel(each.name), self._type(each), each.meaning) for each in self.members(parts)]
        return self._typedef(name, meaning, members)

    def _bot(self) -> list[str]:
        start = self.starter.start
        listed = self.listed
        if listed is None:
            choice = ["return ANSWERS[this.draw(ANSWERS.length)];"]
        elif isinstance(listed, NamedRows):
            name = f"turn.{camel(listed.name)}"
            choice = [f"return {name}[this.draw({name}.length)];"]
        else:
            name = f"turn.{camel(listed.name)}"
            choice = [
                f'if ({name}.length === 0) return "{self.starter.otherwise}";',
                f"return textOf({name}[this.draw({name}.length)]);",
            ]
        first = ["this.start = start;"] if start else []
        first.append(f"this.random = (seed % {MODULUS - 1}) + 1; // changed by each number that is drawn")
        draw = [f"this.random = (this.random * {FACTOR}) % {MODULUS};", "return this.random % n;"]
        return [
            *self.note("Your bot: what it remembers from turn to turn are members of `this`."),
            *self._braced(
                "class Bot",
                [
                    *self._braced(f"constructor({'start, ' if start else ''}seed)", first),
                    "",
                    "/** @param {Turn} turn */",
                    *self._braced("decide(turn)", [*self.help, *choice]),
                    "",
                    "// A random number from 0 to n - 1.",
                    *self._braced("draw(n)", draw),
                ],
            ),
        ]

    def _read_line(self) -> list[str]:
        body = [
            "const { value, done } = await lines.next();",
            "if (done) process.exit(0);",
            "return value;",
        ]
        return [
            "const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();",
            "",
            "// The next line. Ends the program where the input ends: the match is over.",
            *self._braced("async function readLine()", body),
        ]

    def _read_values(self) -> list[str]:
        body = self._braced("async function readValues()", ['return (await readLine()).split(" ").slice(1);'])
        return ["// The words on the next line, behind the name in front of them.", *body]

    def _read_named(self, part: NamedLine | NamedRows) -> list[str]:
        if isinstance(part, NamedLine):
            word = "(await readValues())[0]"
            value = f"Number({word})" if isinstance(part.item, Number) else word
            return [f"const {camel(part.item.name)} = {value};"]
        row = "await readValues()" if part.width else "(await readValues()).map(Number)"
        return (
            [f"const {camel(part.name)} = {row};"]
            if part.rows == 1
            else self._repeat(camel(part.name), part.rows, row)
        )

    def _finder(self) -> list[str]:
        body = [
            "const found = [];",
            "rows.forEach((squares, row) => {",
            "  [...squares].forEach((square, column) => {",
            "    if (letters.includes(square)) found.push({ row, column });",
            "  });",
            "});",
            "return found;",
        ]
        return ["/** @returns {Place[]} */", *self._braced("function find(rows, letters)", body)]

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part)]
        if self.messages is None or name == "start":
            lines.append(f"return {{ {', '.join(camel(member.name) for member in self.members(parts))} }};")
        head = f"async function read{kind}({given})"
        return [f"/** @returns {{Promise<{kind}>}} */", *self._braced(head, lines)]

    def _repeat(self, name: str, count: object, what: str) -> list[str]:
        return [f"const {name} = [];", f"for (let i = 0; i < {count}; i++) {name}.push({what});"]

    def _read(self, part: Part) -> list[str]:
        match part:
            case Line(items=(item,)):
                read = "Number(await readLine())" if isinstance(item, Number) else "await readLine()"
                return [f"const {camel(item.name)} = {read};"]
            case Line(items=items):
                lines = ['const words = (await readLine()).split(" ");']
                for at, item in enumerate(items):
                    value = f"Number(words[{at}])" if isinstance(item, Number) else f"words[{at}]"
                    lines.append(f"const {camel(item.name)} = {value};")
                return lines
            case FixedLine():
                return [f"await readLine(); // {part.text}"]
            case TextRows(count=None):
                push = f"{camel(part.name)}.push(row);"
                return [
                    f"const {camel(part.name)} = []; // up to an empty line",
                    f'for (let row = await readLine(); row !== ""; row = await readLine()) {push}',
                ]
            case TextRows():
                return self._repeat(camel(part.name), self.count(part), "await readLine()")
            case NumberRows():
                return self._repeat(camel(part.name), part.rows, '(await readLine()).split(" ").map(Number)')
            case Records():
                name, parsed = camel(part.name), f"parse{part.record.name}(await readLine())"
                if part.count is None:
                    loop = "for (let left = Number(await readLine()); left > 0; left--)"
                    return [f"const {name} = [];", f"{loop} {name}.push({parsed});"]
                return self._repeat(name, self.count(part), parsed)
            case Places():
                found = f'find({camel(part.of)}, "{part.letters}")'
                single = "[0] ?? { row: -1, column: -1 }" if part.single else ""
                return [f"const {camel(part.name)} = {found}{single};"]
            case NamedLine() | NamedRows():
                return self._read_named(part)
            case Messages():
                names = ", ".join(f"{number.name}: 0" for each in part.each for number in each.numbers)
                lines = [
                    'const [word, ...words] = (await readLine()).split(" ");',
                    f"const turn = {{ kind: word[0], {names} }};",
                ]
                for each in part.each:
                    if each.numbers:
                        names = ", ".join(f"turn.{number.name}" for number in each.numbers)
                        lines.append(f'if (turn.kind === "{each.letter}") [{names}] = words.map(Number);')
                return [*lines, "return turn;"]

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'console.log("{ready}");'] if ready else []
        lines += ["const start = await readStart();"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            f"const bot = new Bot({'start, ' if start else ''}Number(process.env.DOHYO_SEED ?? 1));",
        ]
        turn = [f"const turn = await readTurn({'start' if self.uses_start else ''});"]
        condition = f'if ("{self.answered}".includes(turn.kind)) ' if self.messages else ""
        turn += [f"{condition}console.log(bot.decide(turn)); // written at once: there is nothing to flush"]
        return [*self._braced("async function main()", [*lines, *self._braced("for (;;)", turn)]), "", "main();"]
