"""The starter in Rust, a package of Cargo."""

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
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, kind_of, text

TYPES = {
    "number": "i32",
    "word": "String",
    "letter": "char",
    "texts": "Vec<String>",
    "numbers": "Vec<Vec<i32>>",
    "integers": "Vec<i32>",
    "words": "Vec<Vec<String>>",
}
READ = {"number": ".parse().unwrap()", "word": ".to_string()", "letter": ".parse().unwrap()"}
CARGO = '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n'
LOCK = 'version = 3\n\n[[package]]\nname = "bot"\nversion = "0.1.0"\n'


class Rust(Writer):
    """Structs, and functions that read them."""

    key = "rust"
    row = "rust"
    main = "src/main.rs"
    compile = ('cargo build --release --offline --quiet --target-dir "$build"',)
    run = '"$build/release/bot"'
    debug = (
        "cargo build --target-dir /tmp/bot && "
        "rust-gdb -ex 'break bot::Bot::decide' -ex 'run < test/input.txt' /tmp/bot/debug/bot"
    )

    def files(self) -> dict[str, str]:
        """The program and its package."""
        return {**super().files(), "Cargo.toml": CARGO, "Cargo.lock": LOCK}

    def count(self, part: TextRows | Records) -> str:
        """How many lines there are, as an expression."""
        return f"start.{part.count}" if isinstance(part.count, str) else str(part.count)

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        number = len(self.starter.answers)
        return text(
            [
                [
                    *self.title,
                    "#![allow(dead_code, unused_variables)] // until your bot looks at all that it is sent",
                ],
                self._uses(),
                self.answers(f"const ANSWERS: [&str; {number}] = [", "];") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._struct("Start", "What is sent once, before the first turn.", start) if start else [],
                self._struct("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._read_line(),
                *self._helpers(),
                *self._read_values(),
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def _uses(self) -> list[str]:
        fmt = ["use std::fmt;"] if self.answer_record is not None else []
        return ["use std::env;", *fmt, "use std::io::{self, Write};", "use std::process;"]

    def _braced(self, head: str, lines: Sequence[str], end: str = "") -> list[str]:
        return [f"{head} {{", *self.inside(lines), f"}}{end}"]

    def _record(self, record: Record) -> list[str]:
        fields = self.noted((f"{item.name}: {TYPES[kind_of(item)]},", item.meaning) for item in record.items)
        name = record.name
        derived = ", ".join(["Debug", "Clone", *(["Copy"] if record is PLACE else []), "PartialEq"])
        lines = [*self.note(record.meaning), f"#[derive({derived})]", *self._braced(f"struct {name}", fields)]
        if record is not PLACE:
            values = [f"{item.name}: words[{at}]{READ[kind_of(item)]}," for at, item in enumerate(record.items)]
            body = ["let words: Vec<&str> = line.split_whitespace().collect();", *self._braced(name, values)]
            lines += ["", *self._braced(f"impl {name}", self._braced(f"fn parse(line: &str) -> {name}", body))]
        if self.answer_record is record:
            form = " ".join("{}" for _ in record.items)
            values = [f"self.{item.name}" for item in record.items]
            body = [f'write!(f, "{form}", {", ".join(values)})']
            shown = self._braced("fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result", body)
            lines += ["", *self._braced(f"impl fmt::Display for {name}", shown)]
        return lines

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"Vec<{member.record.name}>"

    def _struct(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        fields = self.noted(
            (f"{member.name}: {self._type(member)},", member.meaning) for member in self.members(parts)
        )
        return [*self.note(meaning), "#[derive(Debug, Clone)]", *self._braced(f"struct {name}", fields)]

    def _bot(self) -> list[str]:
        listed = self.listed
        if listed is None:
            choice = ["ANSWERS[self.draw(ANSWERS.len())].to_string()"]
        elif isinstance(listed, NamedRows):
            name = f"turn.{listed.name}"
            choice = [f"{name}[self.draw({name}.len())].to_string()"]
        else:
            name = f"turn.{listed.name}"
            empty = self._braced(f"if {name}.is_empty()", [f'return "{self.starter.otherwise}".to_string();'])
            choice = [*empty, f"{name}[self.draw({name}.len())].to_string()"]
        start = ["start: Start,"] if self.starter.start else []
        draw = [f"self.random = self.random * {FACTOR} % {MODULUS};", "(self.random % n as u64) as usize"]
        return [
            *self.note("Your bot: what it remembers from turn to turn are its fields."),
            *self._braced("struct Bot", [*start, "random: u64, // changed by each number that is drawn"]),
            "",
            *self._braced(
                "impl Bot",
                [
                    *self._braced("fn decide(&mut self, turn: &Turn) -> String", [*self.help, *choice]),
                    "",
                    "// A random number from 0 to n - 1.",
                    *self._braced("fn draw(&mut self, n: usize) -> usize", draw),
                ],
            ),
        ]

    def _read_line(self) -> list[str]:
        body = [
            "let mut line = String::new();",
            *self._braced("if io::stdin().read_line(&mut line).unwrap() == 0", ["process::exit(0);"]),
            "line.trim_end().to_string()",
        ]
        note = "// The next line. Ends the program where the input ends: the match is over."
        return [note, *self._braced("fn read_line() -> String", body)]

    def _helpers(self) -> list[list[str]]:
        say = ['println!("{}", line);', "io::stdout().flush().unwrap();"]
        found = [self._braced("fn say(line: &str)", say)]
        if self.has(Line) or any(isinstance(part, Records) and part.count is None for part in self.starter.turn):
            found.append(self._braced("fn read_number() -> i32", ["read_line().parse().unwrap()"]))
        return found

    def _read_values(self) -> list[list[str]]:
        """The functions that read a line with a name in front."""
        if not self.has_names:
            return []
        words = ["read_line().split_whitespace().skip(1).map(|word| word.to_string()).collect()"]
        numbers = ["read_values().iter().map(|word| word.parse().unwrap()).collect()"]
        note = "// The words on the next line, behind the name in front of them."
        return [
            [note, *self._braced("fn read_values() -> Vec<String>", words)],
            self._braced("fn read_numbers() -> Vec<i32>", numbers),
        ]

    def _read_named(self, part: NamedLine | NamedRows) -> str:
        if isinstance(part, NamedLine):
            kind = kind_of(part.item)
            value = "read_numbers()[0]" if kind == "number" else f"read_values()[0]{READ[kind]}"
            return f"let {part.item.name}: {TYPES[kind]} = {value};"
        row = "read_values()" if part.width else "read_numbers()"
        return f"let {part.name} = {row if part.rows == 1 else f'(0..{part.rows}).map(|_| {row}).collect()'};"

    def _finder(self) -> list[str]:
        body = [
            "let mut found = Vec::new();",
            "for (row, squares) in rows.iter().enumerate() {",
            "    for (column, square) in squares.chars().enumerate() {",
            "        if letters.contains(square) {",
            "            found.push(Place { row: row as i32, column: column as i32 });",
            "        }",
            "    }",
            "}",
            "found",
        ]
        return self._braced("fn find(rows: &[String], letters: &str) -> Vec<Place>", body)

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "start: &Start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part)]
        if self.messages is None or name == "start":
            lines.append(f"{kind} {{ {', '.join(member.name for member in self.members(parts))} }}")
        return self._braced(f"fn read_{name}({given}) -> {kind}", lines)

    def _read(self, part: Part) -> list[str]:
        match part:
            case Line(items=(Number(name=name),)):
                return [f"let {name} = read_number();"]
            case Line(items=items):
                lines = ["let line = read_line();", "let words: Vec<&str> = line.split_whitespace().collect();"]
                for at, item in enumerate(items):
                    kind = kind_of(item)
                    lines.append(f"let {item.name}: {TYPES[kind]} = words[{at}]{READ[kind]};")
                return lines
            case FixedLine():
                return [f"read_line(); // {part.text}"]
            case TextRows(count=None):
                loop = [
                    "let row = read_line();",
                    *self._braced("if row.is_empty()", ["break; // the end of the view"]),
                    f"{part.name}.push(row);",
                ]
                return [f"let mut {part.name} = Vec::new();", *self._braced("loop", loop)]
            case TextRows():
                return [f"let {part.name} = (0..{self.count(part)}).map(|_| read_line()).collect();"]
            case NumberRows():
                row = "read_line().split_whitespace().map(|word| word.parse().unwrap()).collect()"
                return [f"let {part.name} = (0..{part.rows})", f"    .map(|_| {row})", "    .collect();"]
            case Records():
                count = "read_number()" if part.count is None else self.count(part)
                return [f"let {part.name} = (0..{count}).map(|_| {part.record.name}::parse(&read_line())).collect();"]
            case Places():
                found = f'find(&{part.of}, "{part.letters}")'
                if part.single:
                    nowhere = "Place { row: -1, column: -1 }"
                    return [f"let {part.name} = {found}.first().copied().unwrap_or({nowhere});"]
                return [f"let {part.name} = {found};"]
            case NamedLine() | NamedRows():
                return [self._read_named(part)]
            case Messages():
                return self._read_message(part)

    def _read_message(self, part: Messages) -> list[str]:
        numbers = [number.name for each in part.each for number in each.numbers]
        values = ", ".join(f"{name}: 0" for name in numbers)
        lines = [
            "let line = read_line();",
            "let words: Vec<&str> = line.split_whitespace().collect();",
            f"let mut turn = Turn {{ kind: line.chars().next().unwrap(), {values} }};",
        ]
        for each in part.each:
            if each.numbers:
                body = [
                    f"turn.{number.name} = words[{at}].parse().unwrap();" for at, number in enumerate(each.numbers, 1)
                ]
                lines += self._braced(f"if turn.kind == '{each.letter}'", body)
        return [*lines, "turn"]

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        start = self.starter.start
        lines = [f'say("{ready}");'] if ready else []
        lines += ["let start = read_start();"] if start else []
        lines += [
            "// A seed of each match's own, so that a match can be played again exactly.",
            'let seed: u64 = env::var("DOHYO_SEED").map_or(1, |seed| seed.parse().unwrap());',
            f"let random = seed % {MODULUS - 1} + 1;",
            f"let mut bot = Bot {{ {'start, ' if start else ''}random }};",
        ]
        turn = [f"let turn = read_turn({'&bot.start' if self.uses_start else ''});"]
        say = ["say(&bot.decide(&turn));"]
        turn += self._braced(f'if "{self.answered}".contains(turn.kind)', say) if self.messages else say
        return self._braced("fn main()", [*lines, *self._braced("loop", turn)])
