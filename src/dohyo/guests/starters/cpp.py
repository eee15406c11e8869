"""The starter in C++."""

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
from dohyo.guests.starters.writer import MODULUS, PLACE, Member, Writer, kind_of, text

TYPES = {
    "number": "int",
    "word": "std::string",
    "letter": "char",
    "texts": "std::vector<std::string>",
    "integers": "std::vector<int>",
    "numbers": "std::vector<std::vector<int>>",
    "words": "std::vector<std::vector<std::string>>",
}
ZEROS = {"number": " = 0", "letter": " = ' '"}


class Cpp(Writer):
    """Structs with vectors, and functions that read them."""

    key = "cpp"
    row = "c++"
    main = "main.cpp"
    compile = ('g++ -std=gnu++17 -O2 -Wall -Wextra -o "$build/bot" main.cpp',)
    run = '"$build/bot"'
    debug = (
        "g++ -g -fsanitize=address,undefined -o /tmp/bot main.cpp && "
        "gdb -ex 'break Bot::decide' -ex 'run < test/input.txt' /tmp/bot"
    )

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        opening = "const std::vector<std::string> ANSWERS = {"
        return text(
            [
                self.title,
                [f"#include <{name}>" for name in ("cstdlib", "iostream", "random", "sstream", "string", "vector")],
                self.answers(opening, "};") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._struct("Start", "What is sent once, before the first turn.", start) if start else [],
                self._struct("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._read_line(),
                self._read_values() if self.has_names else [],
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def _record(self, record: Record) -> list[str]:
        lines = self.noted(
            (f"{TYPES[kind_of(item)]} {item.name}{ZEROS.get(kind_of(item), '')};", item.meaning)
            for item in record.items
        )
        name = record.name.lower()
        if record is not PLACE:
            read = "".join(f" >> {name}.{item.name}" for item in record.items)
            body = ["std::istringstream words(line);", f"{record.name} {name};", f"words{read};", f"return {name};"]
            lines += ["", f"static {record.name} parse(const std::string& line) {{", *self.inside(body), "}"]
        if self.answer_record is record:
            words = ' + " " + '.join(
                f"std::to_string({item.name})" if isinstance(item, Number) else item.name for item in record.items
            )
            lines += ["", f"std::string text() const {{ return {words}; }}"]
        return [*self.note(record.meaning), f"struct {record.name} {{", *self.inside(lines), "};"]

    def _type(self, member: Member) -> str:
        if member.record is None:
            return TYPES[member.kind]
        return member.record.name if member.kind == "record" else f"std::vector<{member.record.name}>"

    def _struct(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        lines = self.noted(
            (f"{self._type(member)} {member.name}{ZEROS.get(member.kind, '')};", member.meaning)
            for member in self.members(parts)
        )
        return [*self.note(meaning), f"struct {name} {{", *self.inside(lines), "};"]

    def _bot(self) -> list[str]:
        listed = self.listed
        if listed is None:
            turn, choice = "[[maybe_unused]] const Turn& turn", ["return ANSWERS[random() % ANSWERS.size()];"]
        elif isinstance(listed, NamedRows):
            turn = "const Turn& turn"
            choice = [f"return turn.{listed.name}[random() % turn.{listed.name}.size()];"]
        else:
            turn = "const Turn& turn"
            choice = [
                f'if (turn.{listed.name}.empty()) return "{self.starter.otherwise}";',
                f"return turn.{listed.name}[random() % turn.{listed.name}.size()].text();",
            ]
        return [
            *self.note("Your bot: what it remembers from turn to turn are members."),
            "struct Bot {",
            *self.inside(["Start start;"] if self.starter.start else []),
            *self.inside(["std::minstd_rand random;", "", f"std::string decide({turn}) {{"]),
            *self.inside([*self.help, *choice], 2),
            "    }",
            "};",
        ]

    def _read_line(self) -> list[str]:
        return [
            "// The next line. Ends the program where the input ends: the match is over.",
            "std::string read_line() {",
            *self.inside(
                [
                    "std::string line;",
                    "if (!std::getline(std::cin, line)) std::exit(0);",
                    "if (!line.empty() && line.back() == '\\r') line.pop_back();",
                    "return line;",
                ]
            ),
            "}",
        ]

    def _read_values(self) -> list[str]:
        body = [
            "std::istringstream words(read_line());",
            "std::string name;",
            "words >> name;",
            "std::vector<T> values;",
            "for (T value; words >> value;) values.push_back(value);",
            "return values;",
        ]
        return [
            "// The values on the next line, behind the name in front of them.",
            "template <class T> std::vector<T> read_values() {",
            *self.inside(body),
            "}",
        ]

    def _read_named(self, part: NamedLine | NamedRows, of: str) -> str:
        if isinstance(part, NamedLine):
            return f"{of}.{part.item.name} = read_values<{TYPES[kind_of(part.item)]}>()[0];"
        values = f"read_values<{'std::string' if part.width else 'int'}>()"
        if part.rows == 1:
            return f"{of}.{part.name} = {values};"
        return f"for (int i = 0; i < {part.rows}; i++) {of}.{part.name}.push_back({values});"

    def _finder(self) -> list[str]:
        return [
            "std::vector<Place> find(const std::vector<std::string>& rows, const std::string& letters) {",
            *self.inside(
                [
                    "std::vector<Place> found;",
                    "for (int row = 0; row < int(rows.size()); row++) {",
                    "    for (int column = 0; column < int(rows[row].size()); column++) {",
                    "        const char square = rows[row][column];",
                    "        if (letters.find(square) != std::string::npos) found.push_back({row, column});",
                    "    }",
                    "}",
                    "return found;",
                ]
            ),
            "}",
        ]

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "const Start& start" if self.uses_start and name == "turn" else ""
        kind = name.capitalize()
        lines = [line for part in parts for line in self._read(part, name)]
        return [f"{kind} read_{name}({given}) {{", *self.inside([f"{kind} {name};", *lines, f"return {name};"]), "}"]

    def _read(self, part: Part, of: str) -> list[str]:
        match part:
            case Line(items=(Number() as item,)):
                return [f"{of}.{item.name} = std::stoi(read_line());"]
            case Line(items=items):
                read = "".join(f" >> {of}.{item.name}" for item in items)
                return [f"std::istringstream(read_line()){read};"]
            case FixedLine():
                return [f"read_line();  // {part.text}"]
            case TextRows(count=None):
                push = f"{of}.{part.name}.push_back(row);"
                return [
                    "// up to an empty line",
                    f"for (std::string row = read_line(); !row.empty(); row = read_line()) {push}",
                ]
            case TextRows():
                return [f"for (int i = 0; i < {self.count(part)}; i++) {of}.{part.name}.push_back(read_line());"]
            case NumberRows():
                return [
                    f"{of}.{part.name}.assign({part.rows}, std::vector<int>({part.columns}));",
                    f"for (std::vector<int>& row : {of}.{part.name}) {{",
                    "    std::istringstream words(read_line());",
                    "    for (int& number : row) words >> number;",
                    "}",
                ]
            case Records():
                push = f"{of}.{part.name}.push_back({part.record.name}::parse(read_line()));"
                if part.count is None:
                    return [
                        f"const int {part.name} = std::stoi(read_line());",
                        f"for (int i = 0; i < {part.name}; i++) {push}",
                    ]
                return [f"for (int i = 0; i < {self.count(part)}; i++) {push}"]
            case Places():
                found = f'find({of}.{part.of}, "{part.letters}")'
                if part.single:
                    name = f"{of}.{part.name}"
                    return [
                        f"const std::vector<Place> {part.name} = {found};",
                        f"{name} = {part.name}.empty() ? Place{{-1, -1}} : {part.name}[0];",
                    ]
                return [f"{of}.{part.name} = {found};"]
            case NamedLine() | NamedRows():
                return [self._read_named(part, of)]
            case Messages():
                return self._read_message(part, of)

    def _read_message(self, part: Messages, of: str) -> list[str]:
        lines = ["std::istringstream words(read_line());", f"words >> {of}.kind;"]
        for each in part.each:
            if each.numbers:
                read = "".join(f" >> {of}.{number.name}" for number in each.numbers)
                lines.append(f"if ({of}.kind == '{each.letter}') words{read};")
        return lines

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        members = ["read_start()"] if self.starter.start else []
        lines = [f'std::cout << "{ready}" << std::endl;'] if ready else []
        seed = f"std::minstd_rand((seed ? std::strtoull(seed, nullptr, 10) : 1) % {MODULUS - 1} + 1)"
        lines += [
            'const char* seed = std::getenv("DOHYO_SEED");  // of each match\'s own: it can be played again exactly',
            f"Bot bot{{{', '.join([*members, seed])}}};",
            "for (;;) {",
            f"    const Turn turn = read_turn({'bot.start' if self.uses_start else ''});",
        ]
        if self.messages:
            lines.append(f'    if (std::string("{self.answered}").find(turn.kind) == std::string::npos) continue;')
        lines += ['    std::cout << bot.decide(turn) << std::endl;  // endl flushes, "\\n" would not', "}"]
        return ["int main() {", *self.inside(lines), "}"]
