"""Brackets and hills in plain text: a tree if it is narrow enough, otherwise its rounds as lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from dohyo import clean
from dohyo.i18n import Speaker
from dohyo.series.formats.brackets import ABSENT, BYE, FINAL, LOSERS, MAIN, MAYBE, OPEN, OVER, WINNERS, is_tree

if TYPE_CHECKING:
    from dohyo.series.formats.brackets import Bracket, Pairing, Round, Slot
    from dohyo.series.formats.hills import Hill

NAME = 24  # letters of a name
CAPS = (24, 16, 12, 9)  # cells for a name in a tree: the first number with which the tree is narrow enough
MAX_PAIRINGS = 32  # of a round that is drawn
MAX_REIGNS = 30
UNKNOWN = "?"
LINES = 5  # cells between two rounds

Names = Mapping[int, str]


def bracket_lines(bracket: Bracket, names: Names, width: int, speaker: Speaker) -> Iterator[str]:
    """The whole bracket, side after side, with notes for reading it."""
    lists = False
    left_out = 0
    for side in bracket.sides():
        shown = [each for each in side if len(each.pairings) <= MAX_PAIRINGS]
        left_out += len(side) - len(shown)
        if not shown:
            continue
        yield speaker.say(f"bracket.{'finals' if side[0].side == FINAL else side[0].side}")
        as_tree = side[0].side != FINAL and is_tree(shown)
        tree = _tree(shown, bracket, names, width, speaker) if as_tree else None
        lists |= tree is None
        yield from tree if tree is not None else _lists(shown, bracket, names, speaker)
        yield ""
    if bracket.champion is not None:
        yield speaker.say("bracket.champion-is", bot=names[bracket.champion])
    yield speaker.sentences(_notes(bracket, lists, left_out, speaker))


def _notes(bracket: Bracket, lists: bool, left_out: int, speaker: Speaker) -> Iterator[str]:
    yield speaker.say("bracket.note")
    pairings = [pairing for each in bracket.rounds for pairing in each.pairings]
    if any(slot.entrant is None for pairing in pairings for slot in pairing.slots):
        yield speaker.say("bracket.note.unknown")
    if lists:
        yield speaker.say("bracket.note.list")
    if any(pairing.level for pairing in pairings):
        yield speaker.say("bracket.note.level", how=speaker.say(f"bracket.by.{bracket.ties_by}"))
    if left_out:
        yield speaker.say("bracket.left-out", count=left_out, most=MAX_PAIRINGS)


def round_name(each: Round, bracket: Bracket, speaker: Speaker) -> str:
    """What a round is called."""
    if each.side == FINAL:
        return speaker.say("bracket.final-again" if each.number > 1 else "bracket.finals")
    last = [other for other in bracket.rounds if other.side == each.side][-1]
    if each is last and each.side == MAIN and len(each.pairings) == 1:
        return speaker.say("bracket.final")
    return speaker.say("bracket.round", at=each.number)


def count(beaten: float) -> str:
    """How many opponents somebody was placed before."""
    return f"{beaten:.1f}".removesuffix(".0")


def _score(pairing: Pairing, slot: Slot, speaker: Speaker) -> str:
    """What is printed after a name."""
    if pairing.state == BYE:
        return speaker.say("bracket.bye")
    if pairing.state == ABSENT:
        return "" if slot.goes_on else speaker.say("bracket.absent")
    if pairing.state == OPEN:
        return count(slot.beaten) if pairing.played else "-"
    if pairing.state != OVER:
        return ""
    return count(slot.beaten) + ("=" if pairing.level and slot.goes_on else "")


# --- a tree


def _tree(
    rounds: Sequence[Round], bracket: Bracket, names: Names, width: int, speaker: Speaker
) -> Iterator[str] | None:
    """The rounds as columns, joined by lines; none if they are too wide."""
    for cap in CAPS:
        made = _Canvas(rounds, bracket, names, cap, speaker)
        if made.width <= width:
            return made.lines()
    return None


class _Canvas:
    """A tree on lines of text: texts and lines between them, by column and row."""

    def __init__(self, rounds: Sequence[Round], bracket: Bracket, names: Names, cap: int, speaker: Speaker) -> None:
        self._rounds = rounds
        self._speaker = speaker
        self._names = names
        self._cap = cap
        self._longest = max(cell_len(self._cut(name)) for name in names.values())
        self._cursor = 0
        self._texts: list[dict[int, str]] = [{} for _ in range(len(rounds) + 1)]
        self._joints: list[dict[int, str]] = [{} for _ in rounds]
        for at in range(len(rounds[-1].pairings)):
            self._end(at)
        last = {MAIN: "champion", WINNERS: "winner", LOSERS: "winner"}.get(rounds[0].side, "champion")
        self._heads = [round_name(each, bracket, speaker) for each in rounds]
        self._heads.append(speaker.say(f"bracket.{last}"))
        self._widths = [
            max(map(cell_len, (head, *texts.values()))) for head, texts in zip(self._heads, self._texts, strict=True)
        ]
        self.width = sum(self._widths) + LINES * len(rounds)

    def lines(self) -> Iterator[str]:
        """Row after row, under a row of headings."""
        gaps = [" " * LINES] * len(self._rounds)
        yield self._row(self._heads, gaps)
        for row in range(self._cursor):
            texts = [column.get(row, "") for column in self._texts]
            joints = [f" {joints.get(row, '   ')} " for joints in self._joints]
            line = self._row(texts, joints)
            if line or row + 1 < self._cursor:
                yield line

    def _row(self, texts: Sequence[str], joints: Sequence[str]) -> str:
        padded = [text + " " * (width - cell_len(text)) for text, width in zip(texts, self._widths, strict=True)]
        return "".join(a + b for a, b in zip(padded, (*joints, ""), strict=True)).rstrip()

    def _end(self, at: int) -> None:
        """The last round's pairing, and its winner."""
        row = self._place(len(self._rounds) - 1, at)
        if row is not None:
            pairing = self._rounds[-1].pairings[at]
            on = [slot for slot in pairing.slots if slot.goes_on]
            self._texts[-1][row] = self._name(on[0].entrant if on else None)

    def _place(self, column: int, at: int) -> int | None:
        """Put a pairing, and all that leads to it, onto the next free rows; the row on which it leads on."""
        pairing = self._rounds[column].pairings[at]
        rows: list[int] = []
        for slot in pairing.slots:
            row = self._place(column - 1, slot.source) if column and slot.source is not None else None
            if row is None:
                row = rows[-1] + 2 if rows else self._cursor
                self._cursor = max(self._cursor, row + 2)
            rows.append(row)
            self._texts[column][row] = self._told(pairing, slot)
        if not rows:
            return None
        if len(rows) == 1:
            self._joints[column][rows[0]] = "───"
            return rows[0]
        first, last = rows[0], rows[-1]
        middle = (first + last) // 2
        for row in range(first, last + 1):
            self._joints[column][row] = " │ "
        self._joints[column][first], self._joints[column][last] = "─╮ ", "─╯ "
        self._joints[column][middle] = " ├─"
        return middle

    def _told(self, pairing: Pairing, slot: Slot) -> str:
        seed = f"{slot.seed:>2} " if slot.seed else " " * 3
        name = self._name(slot.entrant)
        score = _score(pairing, slot, self._speaker)
        if not score:
            return seed + name
        room = max(self._longest - cell_len(name), 0)
        return f"{seed}{name}{' ' * room} {score}"

    def _name(self, entrant: int | None) -> str:
        return UNKNOWN if entrant is None else self._cut(self._names[entrant])

    def _cut(self, name: str) -> str:
        """A name, cut to the cells that there are for it."""
        return name if cell_len(name) <= self._cap else set_cell_size(name, self._cap - 1).rstrip() + clean.CUT


# --- lists


def _lists(rounds: Sequence[Round], bracket: Bracket, names: Names, speaker: Speaker) -> Iterator[str]:
    """Round after round, one line for each pairing."""
    for each in rounds:
        if each.side != FINAL or each.number > 1:
            yield "  " + round_name(each, bracket, speaker)
        for pairing in each.pairings:
            if pairing.slots:
                yield "    " + _pairing(pairing, names, speaker)


def _pairing(pairing: Pairing, names: Names, speaker: Speaker) -> str:
    parts = []
    for slot in pairing.slots:
        mark = "> " if slot.goes_on and pairing.state != BYE else ""
        seed = f"{slot.seed} " if slot.seed else ""
        name = UNKNOWN if slot.entrant is None else names[slot.entrant]
        score = _score(pairing, slot, speaker)
        parts.append(f"{mark}{seed}{name}{' ' + score if score else ''}")
    told = speaker.listed(parts)
    if pairing.state == OPEN:
        told += f" ({speaker.say('bracket.played', played=pairing.played, matches=pairing.matches)})"
    elif pairing.state not in (OVER, BYE, ABSENT):
        told += f" ({speaker.say('bracket.maybe' if pairing.state == MAYBE else 'bracket.later')})"
    return told


# --- king of the hill


def hill_rows(hill: Hill, names: Names, speaker: Speaker) -> tuple[list[str], list[tuple[str, str, str, str, str]]]:
    """The headings of a table of the last reigns, and its rows."""
    headings = [speaker.say(f"hill.column.{name}") for name in ("from", "to", "holder", "won", "others")]
    rows = []
    for reign in hill.reigns[-MAX_REIGNS:]:
        won = sum(reign.firsts.get(bot, 0) for bot in reign.holders)
        others = sorted(((-n, bot) for bot, n in reign.firsts.items() if bot not in reign.holders))
        rows.append(
            (
                str(reign.first),
                str(reign.last),
                speaker.listed(names[bot] for bot in reign.holders),
                speaker.say("hill.of", count=won, matches=reign.matches),
                speaker.listed(f"{names[bot]} {-n}" for n, bot in others),
            )
        )
    return headings, rows


def hill_notes(hill: Hill, names: Names, playing: Sequence[int], speaker: Speaker) -> Iterator[str]:
    """Notes about it: what is omitted, who came late, who waits for a seat."""
    if len(hill.reigns) > MAX_REIGNS:
        yield speaker.say("hill.earlier", count=len(hill.reigns) - MAX_REIGNS)
    for match, bot in hill.late:
        yield speaker.say("hill.late", bot=names[bot], match=match)
    for bot in playing:
        if bot not in hill.entered:
            yield speaker.say("hill.waits", bot=names[bot])
    yield speaker.say("hill.note")
