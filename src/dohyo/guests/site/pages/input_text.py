"""What a program of a game reads and writes, in words, from the game's own description of it (`core/starter.py`).

Beside it stands what the first program to move is really sent, in a match by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core.descriptions import input_in
from dohyo.core.game import Game, LegalActions
from dohyo.core.referee import Referee
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
    Records,
    Starter,
    TextRows,
    Word,
)
from dohyo.i18n import Speaker

SEED = 1
LONGEST = 20_000  # characters of an input that is shown
MAX_WORDS = 40  # legal actions that are shown


class Told(msgspec.Struct, frozen=True):
    """Some lines of the input: how they look, how many they are, what they say, and what stands on each of them."""

    form: str
    count: str = ""
    meaning: str = ""
    own: list[tuple[str, str]] = []


class Parts(msgspec.Struct, frozen=True):
    """The input before the first turn and in each turn, and what may be answered."""

    start: list[Told]
    turn: list[Told]
    answers: list[str]


class Example(msgspec.Struct, frozen=True):
    """What a seat is sent first, and what it may answer then; `more` legal actions are not shown."""

    seat: int
    sent: str
    answers: list[str]
    more: int


def input_parts(game: Game, setup: Mapping[str, Any], speaker: Speaker) -> Parts | None:
    """What a program of a game is sent and answers; none of a game that does not describe it."""
    if game.starter is None:
        return None
    starter = game.starter(setup)
    teller = _Teller(game, speaker)
    helped = [teller.meaning(f"help.{at}", each) for at, each in enumerate(starter.help, 1)]
    return Parts(
        start=[told for part in starter.start for told in teller.told(part, starter)],
        turn=[told for part in starter.turn for told in teller.told(part, starter)],
        answers=[each for each in helped if each],
    )


class _Teller:
    """Says in a language what a game's description says."""

    def __init__(self, game: Game, speaker: Speaker) -> None:
        self._game, self._speaker = game, speaker

    def meaning(self, name: str, said: Any) -> str:
        """What is said of something, in the language, if the game has it so."""
        return input_in(self._game, name, said, self._speaker)

    def _say(self, key: str, **values: object) -> str:
        return self._speaker.say(f"serve.input.{key}", **values)

    def _items(self, items: tuple[Number | Word, ...]) -> list[tuple[str, str]]:
        return [(item.name, self.meaning(item.name, item.meaning)) for item in items]

    def _lines(self, count: int | str | None) -> str:
        return self._say("lines" if isinstance(count, int) else "lines-as", count=count)

    def told(self, part: Part, starter: Starter) -> Iterator[Told]:
        """What is told of a part of the description."""
        match part:
            case Line(items=(item,)):
                yield Told(item.name, meaning=self.meaning(item.name, item.meaning))
            case Line():
                yield Told(" ".join(item.name for item in part.items), own=self._items(part.items))
            case FixedLine():
                yield Told(part.text, meaning=self._say("fixed"))
            case TextRows():
                many = self._say("up-to-empty") if part.count is None else self._lines(part.count)
                yield Told(part.name, many, self.meaning(part.name, part.meaning))
            case NumberRows():
                many = f"{self._lines(part.rows)} {self._say('numbers', count=part.columns)}"
                yield Told(part.name, many, self.meaning(part.name, part.meaning))
            case Records():
                yield from self._records(part)
            case NamedLine():
                yield Told(f"{part.word} ...", meaning=self.meaning(part.word, part.item.meaning))
            case NamedRows():
                yield self._named_rows(part)
            case Messages():
                for each in part.each:
                    form = " ".join([each.letter, *(number.name for number in each.numbers)])
                    quiet = "" if each.answered else self._say("unanswered")
                    meaning = self.meaning(f"line.{each.letter}", each.meaning)
                    yield Told(form, quiet, meaning, self._items(each.numbers))
            case Places():
                pass

    def _records(self, part: Records) -> Iterator[Told]:
        if part.count is None:
            yield Told(self._say("number"), meaning=self._say("how-many", name=part.name))
        many = self._say("so-many") if part.count is None else self._lines(part.count)
        form = " ".join(item.name for item in part.record.items)
        yield Told(form, many, self.meaning(part.name, part.meaning), self._items(part.record.items))

    def _named_rows(self, part: NamedRows) -> Told:
        each = self._say("at-most" if part.varies else "words" if part.width else "numbers", count=part.columns)
        many = f"{self._lines(part.rows)} {each}" if part.rows > 1 else each
        return Told(f"{part.word} ...", many, self.meaning(part.word, part.meaning))


def spoken(game: Game, speaker: Speaker) -> list[str]:
    """What every program of a game has to heed, however its input looks."""
    protocol = game.protocol
    told = [speaker.say("serve.input.how")]
    if protocol.READY:
        told.append(speaker.say("serve.input.ready", line=protocol.READY))
    if protocol.COMMENT:
        told.append(speaker.say("serve.input.comments", begin=protocol.COMMENT))
    if protocol.CLOSING:
        told.append(speaker.say("serve.input.closing"))
    return told


def first_input(game: Game, setup: Mapping[str, Any], seats: int) -> Example | None:
    """What the first seat to move is sent in a match by these rules; none where that cannot be shown."""
    try:
        referee = Referee(game, game.draw_setup(setup, SEED), seats, SEED)
        seat = next(iter(referee.pending()))
        sent = clean.block(referee.prompt(seat).decode("utf-8", "replace").rstrip("\n"), LONGEST)
        is_listed = game.starter is not None and bool(game.starter(setup).listed)  # then it is part of what is sent
        actions = () if is_listed else LegalActions(game.rules, referee.state, seat)
        legal = [game.protocol.text(action) for action in actions]
    except Exception:  # rules may be a stranger's: a page without an example is better than none
        return None
    answers = [clean.line(word, 60) for word in legal[:MAX_WORDS]]
    return Example(seat, sent, answers, len(legal) - len(answers))
