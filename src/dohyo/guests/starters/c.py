"""The starter in C."""

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
    Word,
)
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, kind_of, text

LONGEST = 65536  # bytes of a line that the starter keeps


class C(Writer):
    """Structs of fixed size, and functions that fill them."""

    key = "c"
    row = "c"
    main = "main.c"
    compile = ('gcc -std=gnu17 -O2 -Wall -Wextra -o "$build/bot" main.c -lm',)
    run = '"$build/bot"'
    debug = (
        "gcc -g -fsanitize=address,undefined -o /tmp/bot main.c && "
        "gdb -ex 'break decide' -ex 'run < test/input.txt' /tmp/bot"
    )
    start_of = "start->"

    def source(self) -> str:
        """The program."""
        start = self.starter.start
        return text(
            [
                self.title,
                ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>"],
                self.answers("static const char *ANSWERS[] = {", "};") if self.starter.answers else [],
                *(self._record(record) for record in self.records),
                self._struct("Start", "What is sent once, before the first turn.", start) if start else [],
                self._struct("Turn", "What is sent in each turn.", self.starter.turn),
                self._bot(),
                self._decide(),
                self._read_line(),
                *(self._record_reader(record) for record in self.records if record is not PLACE),
                self._finder() if self.has(Places) else [],
                self._reader("start", start) if start else [],
                self._reader("turn", self.starter.turn),
                self._main(),
            ]
        )

    def count(self, part: TextRows | Records) -> str:
        """How many lines there are, as an expression."""
        return f"start->{part.count}" if isinstance(part.count, str) else str(part.count)

    def _declared(self, item: Number | Word) -> str:
        return {"number": f"int {item.name};", "letter": f"char {item.name};"}.get(
            kind_of(item), f"char {item.name}[{getattr(item, 'most', 0) + 1}];"
        )

    def _record(self, record: Record) -> list[str]:
        fields = self.noted((self._declared(item), item.meaning) for item in record.items)
        return [*self.note(record.meaning), "typedef struct {", *self.inside(fields), f"}} {record.name};"]

    def _member(self, member: Member) -> list[tuple[str, str]]:
        name, part = member.name, member.part
        counted = [] if isinstance(getattr(part, "count", None), int) else [(f"int {name}_count;", "how many")]
        match part:
            case NamedLine():
                return [(self._declared(part.item), member.meaning)]
            case NamedRows():
                rows = f"[{part.rows}]" if part.rows > 1 else ""
                kind, letters = ("char", f"[{part.width + 1}]") if part.width else ("int", "")
                declared = f"{kind} {name}{rows}[{part.columns}]{letters};"
                return [(declared, member.meaning), *(counted if part.varies else [])]
            case TextRows():
                return [(f"char {name}[{part.most}][{part.width + 1}];", member.meaning), *counted]
            case NumberRows():
                return [(f"int {name}[{part.rows}][{part.columns}];", member.meaning)]
            case Records():
                return [(f"{part.record.name} {name}[{part.most}];", member.meaning), *counted]
            case Places(single=False):
                return [(f"{PLACE.name} {name}[{part.most}];", member.meaning), *counted]
            case Places():
                return [(f"{PLACE.name} {name};", member.meaning)]
            case Line():
                item = next(item for item in part.items if item.name == name)
                return [(self._declared(item), member.meaning)]
        return [(f"{'char' if member.kind == 'letter' else 'int'} {name};", member.meaning)]

    def _struct(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        fields = self.noted(field for member in self.members(parts) for field in self._member(member))
        return [*self.note(meaning), "typedef struct {", *self.inside(fields), f"}} {name};"]

    def _bot(self) -> list[str]:
        fields = ["Start start;"] if self.starter.start else []
        return [
            *self.note("What your bot remembers from turn to turn belongs here."),
            "typedef struct {",
            *self.inside([*fields, "unsigned long long random;  // changed by each number that is drawn"]),
            "} Bot;",
            "",
            "// A random number from 0 to n - 1.",
            "static int draw(Bot *bot, int n) {",
            *self.inside([f"bot->random = bot->random * {FACTOR} % {MODULUS};", "return bot->random % n;"]),
            "}",
        ]

    def _decide(self) -> list[str]:
        if self.listed is None:
            count = "sizeof ANSWERS / sizeof ANSWERS[0]"
            body = ["(void)turn;  // not looked at yet", f"return ANSWERS[draw(bot, {count})];"]
        elif isinstance(self.listed, NamedRows):
            name = self.listed.name
            body = [f"return turn->{name}[draw(bot, turn->{name}_count)];"]
        else:
            name, record = self.listed.name, self.listed.record
            form = " ".join("%d" if isinstance(item, Number) else "%s" for item in record.items)
            values = ", ".join(f"any->{item.name}" for item in record.items)
            body = [
                "static char answer[64];",
                f'if (turn->{name}_count == 0) return "{self.starter.otherwise}";',
                f"const {record.name} *any = &turn->{name}[draw(bot, turn->{name}_count)];",
                f'snprintf(answer, sizeof answer, "{form}", {values});',
                "return answer;",
            ]
        lines = [*self.help, *body]
        return ["static const char *decide(Bot *bot, const Turn *turn) {", *self.inside(lines), "}"]

    def _read_line(self) -> list[str]:
        return [
            f"static char line[{LONGEST}];",
            "",
            "// Read the next line, without its end. Ends the program where the input ends: the match is over.",
            "static void read_line(void) {",
            *self.inside(
                [
                    "if (!fgets(line, sizeof line, stdin)) exit(0);",
                    "if (!strchr(line, '\\n')) {  // a longer line: the rest is skipped",
                    "    int c;",
                    "    while ((c = getchar()) != '\\n' && c != EOF) continue;",
                    "}",
                    'line[strcspn(line, "\\r\\n")] = 0;',
                ]
            ),
            "}",
        ]

    def _scanned(self, items: Sequence[Number | Word], of: str) -> str:
        forms, places = [], []
        for item in items:
            kind = kind_of(item)
            forms.append({"number": "%d", "letter": " %c"}.get(kind, f"%{getattr(item, 'most', 0)}s"))
            places.append(f"{'' if kind == 'word' else '&'}{of}{item.name}")
        form = " ".join(forms).replace("  ", " ")
        return f'sscanf(line, "{form}", {", ".join(places)});'

    def _record_reader(self, record: Record) -> list[str]:
        name = record.name.lower()
        return [
            f"static {record.name} read_{name}(void) {{",
            *self.inside([f"{record.name} {name};", "read_line();"]),
            *self.inside([self._scanned(record.items, f"{name}."), f"return {name};"]),
            "}",
        ]

    def _finder(self) -> list[str]:
        width = next(part.width for part in self.starter.turn if isinstance(part, TextRows))
        return [
            "// Find the squares with one of the letters; returns how many, of which at most `most` are written.",
            f"static int find(char rows[][{width + 1}], int count, const char *letters, Place *found, int most) {{",
            *self.inside(
                [
                    "int places = 0;",
                    "for (int row = 0; row < count; row++) {",
                    "    for (int column = 0; rows[row][column] && places < most; column++) {",
                    "        if (strchr(letters, rows[row][column])) found[places++] = (Place){row, column};",
                    "    }",
                    "}",
                    "return places;",
                ]
            ),
            "}",
        ]

    def _reader(self, name: str, parts: Sequence[Part]) -> list[str]:
        given = "const Start *start, " if self.uses_start and name == "turn" else ""
        lines = [line for part in parts for line in self._read(part, f"{name}->")]
        head = f"static void read_{name}({given}{name.capitalize()} *{name}) {{"
        return [head, *self.inside(lines), "}"]

    def _read(self, part: Part, of: str) -> list[str]:
        match part:
            case Line():
                return ["read_line();", self._scanned(part.items, of)]
            case FixedLine():
                return [f"read_line();  // {part.text}"]
            case TextRows(count=None):
                count = f"{of}{part.name}_count"
                return [
                    f"{count} = 0;  // up to an empty line",
                    f"for (read_line(); line[0] && {count} < {part.most}; read_line()) {{",
                    f'    snprintf({of}{part.name}[{count}++], {part.width + 1}, "%.{part.width}s", line);',
                    "}",
                ]
            case TextRows():
                body = ["read_line();"]
                body.append(f'snprintf({of}{part.name}[i], {part.width + 1}, "%.{part.width}s", line);')
                return self._repeated(part, of, body)
            case NumberRows():
                return [
                    f"for (int i = 0; i < {part.rows}; i++) {{",
                    "    read_line();",
                    "    char *at = line;",
                    f"    for (int j = 0; j < {part.columns}; j++) {of}{part.name}[i][j] = strtol(at, &at, 10);",
                    "}",
                ]
            case Records():
                return self._repeated(part, of, [f"{of}{part.name}[i] = read_{part.record.name.lower()}();"])
            case Places():
                rows = f'{of}{part.of}, {of}{part.of}_count, "{part.letters}"'
                if part.single:
                    place = f"{of}{part.name}"
                    return [f"if (!find({rows}, &{place}, 1)) {place} = (Place){{-1, -1}};"]
                return [f"{of}{part.name}_count = find({rows}, {of}{part.name}, {part.most});"]
            case NamedLine() | NamedRows():
                return self._read_named(part, of)
            case Messages():
                lines = ["read_line();", f"memset({of.removesuffix('->')}, 0, sizeof *{of.removesuffix('->')});"]
                lines.append(f"{of}kind = line[0];")
                for each in part.each:
                    if each.numbers:
                        scanned = self._scanned(each.numbers, of).replace("line,", "line + 1,")
                        lines.append(f"if ({of}kind == '{each.letter}') {scanned}")
                return lines

    def _read_named(self, part: NamedLine | NamedRows, of: str) -> list[str]:
        """The words behind the name in front of a line, one after the other."""
        if isinstance(part, NamedLine):
            return ["read_line();", self._scanned((part.item,), of).replace('"%', '"%*s %').replace('" %', '"%*s %')]
        row = "[i]" if part.rows > 1 else ""
        place = f"{of}{part.name}{row}"
        if part.varies:
            count = f"{of}{part.name}_count"
            return [
                "read_line();",
                'strtok(line, " ");  // the name',
                f"{count} = 0;",
                f'for (char *word; {count} < {part.columns} && (word = strtok(NULL, " ")); {count}++) {{',
                f'    snprintf({place}[{count}], sizeof {place}[0], "%s", word);',
                "}",
            ]
        each = f'{place}[j] = atoi(strtok(NULL, " "));'
        if part.width:
            each = f'snprintf({place}[j], sizeof {place}[j], "%s", strtok(NULL, " "));'
        body = ["read_line();", 'strtok(line, " ");  // the name', f"for (int j = 0; j < {part.columns}; j++) {each}"]
        if part.rows == 1:
            return body
        return [f"for (int i = 0; i < {part.rows}; i++) {{", *self.inside(body), "}"]

    def _repeated(self, part: TextRows | Records, of: str, body: list[str]) -> list[str]:
        """A loop over as many lines as there are, which are counted where their number varies."""
        count = self.count(part)
        before = []
        if isinstance(part.count, str):
            before = [f"{of}{part.name}_count = {count};"]
        elif part.count is None:
            before = ["read_line();", f"{of}{part.name}_count = atoi(line);"]
        most = count if isinstance(part.count, int) else f"{of}{part.name}_count"
        if len(body) == 1:
            return [*before, f"for (int i = 0; i < {most}; i++) {body[0]}"]
        return [*before, f"for (int i = 0; i < {most}; i++) {{", *self.inside(body), "}"]

    def _main(self) -> list[str]:
        ready = self.game.protocol.READY
        say = "puts(decide(&bot, &turn));"
        answer = [say, "fflush(stdout);"]
        if self.messages:
            answer = [f'if (!strchr("{self.answered}", turn.kind)) continue;', *answer]
        return [
            "int main(void) {",
            *self.inside(
                [
                    *([f'puts("{ready}");', "fflush(stdout);"] if ready else []),
                    "static Bot bot;",
                    "static Turn turn;",
                    "// A seed of each match's own, so that a match can be played again exactly.",
                    'const char *seed = getenv("DOHYO_SEED");',
                    f"bot.random = (seed ? strtoull(seed, NULL, 10) : 1) % {MODULUS - 1} + 1;",
                    *(["read_start(&bot.start);"] if self.starter.start else []),
                    "for (;;) {",
                    f"    read_turn({'&bot.start, ' if self.uses_start else ''}&turn);",
                    *self.inside(answer),
                    "}",
                ]
            ),
            "}",
        ]
