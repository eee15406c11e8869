"""The one program that all starters are, whatever their language: a game's description is walked once.

What happens is said here: a type is declared, a field of it, a line is read into it, an answer is chosen. How each of
these is written, `language.py` has of the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from dohyo.guests.starters.language import Items
from dohyo.guests.starters.templates import STEP, Values, fill, fill_line
from dohyo.guests.starters.writer import FACTOR, MODULUS, PLACE, Member, Writer, kind_of, plain

LONG = 87  # characters of a record's name and of all its items as they are read: too many for one line
LISTS = {"integers": "number", "texts": "word", "numbers": "integers", "words": "texts"}  # each kind is a list of one


class Skeleton(Writer):
    """A starter, put together of a language's templates."""

    def source(self) -> str:
        """The program."""
        return "".join(f"{self._indented(line)}\n" for line in fill(self.language.program, self.gaps()))

    def _indented(self, line: str) -> str:
        """A line of a template as the language indents it."""
        inner = line.lstrip(" ")
        deep, rest = divmod(len(line) - len(inner), STEP)
        return self.language.indentation * deep + " " * rest + inner

    def gaps(self) -> Values:
        """What the program's template is filled with."""
        say, start, turn = self.language, self.starter.start, self.starter.turn
        listed, answer = self.listed, self.answer_record
        types = [self.record_lines(record) for record in self.records]
        types += [self.struct_lines("Start", "What is sent once, before the first turn.", start)] if start else []
        readers = [self.reader_lines("start", start)] if start else []
        widths = [part.width for part in turn if isinstance(part, TextRows)]
        return {
            "title": self.title,
            "game": self.game.title,
            "types": self.apart([*types, self.struct_lines("Turn", "What is sent in each turn.", turn)]),
            "record_readers": self.apart(self.record_lines(record, say.record_reader) for record in self.records),
            "readers": self.apart([*readers, self.reader_lines("turn", turn)]),
            "ready": self.game.protocol.READY,
            "start": bool(start),
            "start_parameter": say.start_parameter if start else "",
            "start_argument": say.start_argument if start else "",
            "turn_argument": say.turn_argument if self.uses_start else "",
            "names": self.has(NamedLine) or self.has(NamedRows),
            "lists": self.has(TextRows) or self.has(Records) or self.has(Places),
            "numbers": self.reads_numbers,
            "places": self.has(Places),
            "bytes": str(widths[0] + 1) if widths else "",
            "messages": self.messages is not None,
            "letters": self.answered,
            "advice": self.advice,
            "help": self.help,
            "answers": self.answers(),
            "any_answer": listed is None,
            "any_word": isinstance(listed, NamedRows),
            "any_record": answer is not None,
            "record": answer.name if answer else "",
            "form": self.each_item(say.form, answer.items if answer else (), "any"),
            "shown": self.each_item(say.shown, answer.items if answer else (), "any"),
            "listed": self.member(listed.name) if listed else "",
            "otherwise": self.escaped(self.starter.otherwise),
            "factor": str(FACTOR),
            "modulus": str(MODULUS),
            "range": str(MODULUS - 1),
        }

    def apart(self, blocks: Iterable[Sequence[str]]) -> list[str]:
        """Blocks of lines with empty lines between them."""
        between = [""] * self.language.empty_lines
        return [line for block in blocks if block for line in (*between, *block)][len(between) :]

    # --- types

    def record_lines(self, record: Record, template: str | None = None) -> list[str]:
        """A record, or what reads it."""
        members = [Member(item.name, kind_of(item), plain(item.meaning), None, item) for item in record.items]
        gaps = self.declared(record.name, plain(record.meaning), members, record)
        if template is not None:
            return fill(template if gaps["parse"] else "", gaps)
        return fill(self.language.record, gaps)

    def struct_lines(self, name: str, meaning: str, parts: Sequence[Part]) -> list[str]:
        """What is sent at the start or in a turn."""
        return fill(self.language.record, self.declared(name, meaning, list(self.members(parts)), None))

    def declared(self, name: str, meaning: str, members: Sequence[Member], record: Record | None) -> Values:
        """What a type's template is filled with: a record's, or that of the `?struct` which is sent.

        With `?parse`, it is read from a line, of which the items are `$parsed` and `$names`; `?long` if these are.
        With `?text`, it is an answer, whose items are `$shown`, as `$form`. A `?place` is neither.
        """
        say, short, items = self.language, name.lower(), record.items if record else ()
        parsed = self.each_item(say.parsed, items, short)
        return {
            "name": name,
            "short": short,
            "note": self.note(meaning),
            "about": meaning,
            "fields": self.field_lines(members),
            "names": ", ".join(item.name for item in items),
            "parsed": parsed,
            "parsed_lines": parsed.replace(", ", ",\n"),
            "scanned": self.each_item(say.scan_form, items, short),
            "shown": self.each_item(say.shown, items, short),
            "form": self.each_item(say.form, items, short),
            "struct": record is None,
            "place": record is PLACE,
            "parse": record is not None and record is not PLACE,
            "text": record is not None and record is self.answer_record,
            "long": len(parsed) + len(name) > LONG,
        }

    def field_lines(self, members: Sequence[Member]) -> list[str]:
        """Members with their meanings behind them, or where the language has them."""
        say, fields = self.language, []
        if "$about" in say.field:
            return [line for member in members for line in self.field(member)]
        for at, member in enumerate(members, 1):
            for line in self.field(member):
                code, _, meaning = line.partition(f" {say.comment} ")
                fields.append((code if at == len(members) else code + say.field_end, meaning or member.meaning))
        return self.noted(fields)

    def field(self, member: Member) -> list[str]:
        """A member, and what the language has beside it."""
        say = self.language
        zeros = say.zeros or (say.message_zeros if self.messages else {})
        gaps = {
            **self.of_part(member.part, ""),
            **self._named(member.name, ""),
            "type": self.type_of(member),
            "zero": zeros.get(member.kind, ""),
            "about": member.meaning.replace("\n", say.about_between),
            "letter": member.kind == "letter",
        }
        return fill(say.fields.get(type(member.part).__name__, say.field), gaps)

    def type_of(self, member: Member) -> str:
        """The type of a member."""
        if member.record is None:
            return self.type_of_kind(member.kind)
        return member.record.name if member.kind == "record" else self.list_of(member.record.name)

    def type_of_kind(self, kind: str) -> str:
        """The type of a number, a word, a list of them, or a list of lists."""
        types = self.language.types
        return types[kind] if kind in types else self.list_of(self.type_of_kind(LISTS[kind]))

    def list_of(self, item: str) -> str:
        """The type of a list."""
        return fill_line(self.language.list_type, {"item": item})

    # --- reading

    def reader_lines(self, name: str, parts: Sequence[Part]) -> list[str]:
        """The function that reads the start, or a turn."""
        gaps: Values = {
            "name": name,
            "kind": name.capitalize(),
            "parameter": self.language.turn_parameter if self.uses_start and name == "turn" else "",
            "body": [line for part in parts for line in self.read(part, name)],
            "members": ", ".join(member.name for member in self.members(parts)),
            "message": self.messages is not None and name == "turn",
        }
        return fill(self.language.reader, gaps)

    def read(self, part: Part, of: str) -> list[str]:
        """Read a part of what is sent at the start or in a turn."""
        say = self.language
        gaps = self.of_part(part, of)
        match part:
            case Line():
                return self.read_items(part.items, of)
            case FixedLine():
                return fill(say.fixed, {"text": part.text})
            case TextRows():
                rows = say.until_empty if part.count is None else say.text_rows or say.repeat
                return fill(rows, {**gaps, "what": say.line})
            case NumberRows():
                return fill(say.number_rows or say.repeat, {**gaps, "what": say.number_row})
            case Records():
                return fill(say.repeat, {**gaps, "what": fill_line(say.parsed_line, {**gaps, "line": say.line})})
            case Places():
                return self.read_places(part, of)
            case NamedLine():
                return self.read_named_line(part, of)
            case NamedRows():
                return self.read_named_rows(part, gaps)
            case Messages():
                return self.read_message(part, of)

    def read_items(self, items: Sequence[Number | Word], of: str) -> list[str]:
        """The numbers and words of a line."""
        say = self.language
        words = self.words_of(items, of)
        gaps = [self.of_item(item, at, of, words) for at, item in enumerate(items)]
        if len(items) == 1 and isinstance(items[0], Number) and self.number_line:
            return fill(say.let, {**gaps[0], "value": self.number_line})
        if say.scan:
            return fill(say.scan, self.scanned_items(items, of))
        if len(items) == 1:
            return fill(self.let_item, {**gaps[0], "value": self.value_of(kind_of(items[0]), say.line)})
        names = ", ".join(item.name for item in items)
        lines = fill(say.split, {"line": say.line, "names": names, "words": words})
        return [*lines, *(line for item in gaps if item["value"] != item["to"] for line in fill(self.let_item, item))]

    def words_of(self, items: Sequence[Number | Word], of: str) -> str:
        """How the words of a line are called: otherwise than those of another line, or of rows of numbers."""
        parts = self.starter.start if of == "start" else self.starter.turn
        lines = [part.items for part in parts if isinstance(part, Line)]
        others = sum(len(line) > 1 for line in lines[: lines.index(tuple(items))])
        others += any(isinstance(part, NumberRows) for part in parts)
        return f"words{others + 1}" if others else "words"

    def read_named_line(self, part: NamedLine, of: str) -> list[str]:
        """A number or a word behind a name."""
        say, kind = self.language, kind_of(part.item)
        value = self.value_of(kind, fill_line(say.named_word, {"type": say.types[kind]}))
        gaps = {**self.of_item(part.item, 0, of), **self.scanned_items([part.item], of)}
        gaps["value"] = say.named_number if say.named_number and kind == "number" else value
        return fill(say.scan_named or self.let_item, gaps)

    def read_named_rows(self, part: NamedRows, gaps: Values) -> list[str]:
        """Lists behind names, of words or numbers."""
        say = self.language
        what = say.named_words if part.width else say.named_numbers
        if part.rows == 1:
            kind = self.type_of_kind("texts" if part.width else "integers")
            return fill(say.named_row or say.let, {**gaps, "type": kind, "value": what, "row": gaps["to"]})
        body = fill(say.named_row, {**gaps, "row": f"{gaps['to']}[i]"})
        return fill(say.named_rows or say.repeat, {**gaps, "what": what, "body": body})

    def read_places(self, part: Places, of: str) -> list[str]:
        """Places, which are found in rows that were read."""
        say, parts = self.language, (*self.starter.start, *self.starter.turn)
        rows = next(each for each in parts if isinstance(each, TextRows) and each.name == part.of)
        gaps = {**self.of_part(part, of), "rows": self._named(part.of, of)["to"]}
        gaps |= {"fixed": isinstance(rows.count, int), "count": str(rows.count)}
        gaps["letters"] = self.escaped(part.letters)
        return fill(say.place if part.single else say.places, gaps)

    def read_message(self, part: Messages, of: str) -> list[str]:
        """A line of one of several kinds."""
        say = self.language
        numbers = [number for each in part.each for number in each.numbers]
        lines = fill(say.message_line, {"zeros": self.each_item(say.zeros_of, numbers, of), "of": of})
        told = [each for each in part.each if each.numbers]
        for each in told:
            gaps: Values = {"of": of, "letter": each.letter, "first": each is told[0]}
            items = [{**gaps, **self.of_item(number, at, of)} for at, number in enumerate(each.numbers, 1)]
            read = [line for item in items for line in fill(say.message_number, item)]
            gaps = {**gaps, **self.scanned_items(each.numbers, of)}
            lines += fill(say.message, {**gaps, "numbers": read})
        return lines

    # --- what templates are filled with

    @property
    def reads_numbers(self) -> bool:
        """Whether a number stands alone on a line."""
        counts = [part.count for part in self.starter.turn if isinstance(part, Records)]
        return self.has(Line) or None in counts

    @property
    def number_line(self) -> str:
        """The number on the next line; none where it is read as other items are."""
        say = self.language
        return say.number_line or ("" if say.scan else self.value_of("number", say.line))

    @property
    def let_item(self) -> str:
        """The template by which something becomes a number or a word."""
        return self.language.let_item or self.language.let

    def value_of(self, kind: str, word: str) -> str:
        """A word of the input as a number, a letter, or itself."""
        return fill_line(self.language.value.get(kind, "$word"), {"word": word})

    def each_item(self, template: Items, items: Iterable[Number | Word], of: str) -> str:
        """A template for each of the items, and what stands between two of them."""
        each = (fill_line(template.of(kind_of(item)), self.of_item(item, at, of)) for at, item in enumerate(items))
        return template.between.join(each)

    def scanned_items(self, items: Sequence[Number | Word], of: str) -> dict[str, str]:
        """What a template that reads items at once is filled with."""
        say = self.language
        return {"items": self.each_item(say.scanned, items, of), "form": self.each_item(say.scan_form, items, of)}

    def of_item(self, item: Number | Word, at: int, of: str, words: str = "words") -> dict[str, str]:
        """What a template is filled with for a number or a word, the one at this place of a line's words."""
        kind = kind_of(item)
        gaps = {**self._named(item.name, of), "at": str(at), "words": words, "type": self.language.types[kind]}
        gaps["most"] = str(getattr(item, "most", ""))
        return {**gaps, "value": self.value_of(kind, fill_line(self.language.word, gaps))}

    def of_part(self, part: object, of: str) -> dict[str, str | bool]:
        """What a template for a part is filled with: its names, and what is known of its lines."""
        say, width = self.language, getattr(part, "width", 0)
        count = getattr(part, "count", getattr(part, "rows", None))
        searched = {each.of for each in self.starter.turn if isinstance(each, Places)}
        known = fill_line(say.told, self._named(count, "start")) if isinstance(count, str) else str(count)
        item = part.record.name if isinstance(part, Records) else say.types["word" if width else "number"]
        return {
            **self._named(getattr(part, "name", ""), of),
            **{fact: str(getattr(part, fact, "")) for fact in ("rows", "columns", "width", "most")},
            "bytes": str((width or getattr(part, "most", 0)) + 1),
            "words": bool(width),
            "several": getattr(part, "rows", 1) > 1,
            "varies": getattr(part, "varies", False),
            "single": getattr(part, "single", False),
            "searched": getattr(part, "name", "") in searched,
            "told": count is None,
            "sent": isinstance(count, str),
            "fixed": isinstance(count, int),
            "count": self.number_line if count is None else known,
            "item": item,
            "short": item.lower(),
        }

    def _named(self, name: str, of: str) -> dict[str, str]:
        named = {"name": name, "member": self.member(name), "of": of}
        return {**named, "to": fill_line(self.language.to, named)}
