"""Who says messages: a language, and a game's own sentences where it has some."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from typing import Any, NamedTuple

from dohyo import clean
from dohyo.i18n.catalogue import USUAL, Catalogue, has, sentence
from dohyo.i18n.messages import Message

NOTHING: Catalogue = {}
QUOTED = 80  # characters of a text that a sentence quotes
LARGEST = 1e15  # of a number with a point: more digits are nobody's
# What filling a sentence raises if its values do not fit: a place without a value, a text where a number is needed.
UNFIT = (KeyError, IndexError, ValueError, TypeError, AttributeError)


class Speaker(NamedTuple):
    """Says messages in a language. `own` holds the sentences of a game, which are looked at first.

    What is put into a sentence is cleaned (`dohyo.clean`): a sentence is one line, whatever it quotes. In a sentence
    `{written}` is a value, `{written:quoted}` a text as a programmer would write it, `{turns:turn|turns}` the form of
    a word beside a number, `{status:signal}` the name of a signal.
    """

    language: str = USUAL
    own: Catalogue = NOTHING

    def knowing(self, own: Catalogue) -> Speaker:
        """This speaker with a game's own sentences, which are looked at first."""
        return Speaker(self.language, own)

    def say(self, told: str | Message, /, **values: object) -> str:
        """The sentence of a message, or of a key and values. Raises `KeyError` for a key that is nowhere."""
        message = told if isinstance(told, Message) else Message(told, values)
        found = sentence(message.key, self.language, self.own)
        return found.format(**self._filling(message)) if message.values else found

    def listed(self, words: Iterable[str]) -> str:
        """Words one after the other, with what stands between them in this language."""
        return self.say("fact.and").join(words)

    def sentences(self, told: Iterable[str]) -> str:
        """Whole sentences one after the other; those that say nothing are left out.

        English parts them by a blank, Japanese by nothing: there the full stop is wide enough.
        """
        between = sentence("joined.sentences", self.language).partition("{first}")[2].partition("{then}")[0]
        return between.join(filter(None, told))

    def labelled(self, label: str, text: str = "") -> str:
        """A text behind what it is called and a colon; without one, a heading."""
        return f"{label}{self.say('joined.colon')}{text}".rstrip()

    def duration(self, seconds: float | None, digits: str = ".2f") -> str:
        """A time with its unit; a dash for none. `digits` is the form of whole seconds and more."""
        if seconds is None:
            return "-"
        if seconds >= 1:
            return self.say("time.s", value=f"{seconds:{digits}}")
        milliseconds = seconds * 1000
        return self.say("time.ms", value=f"{milliseconds:.0f}" if milliseconds >= 10 else f"{milliseconds:.2g}")

    def say_any(self, message: Message) -> str:
        """The sentence of a message that may come from a stranger: never an error, always one clean line.

        A key without a sentence is shown as it stands; so are values that do not fit their sentence.
        """
        if has(message.key, self.own):
            try:  # also without values: a stranger's message may lack what its sentence needs
                return sentence(message.key, self.language, self.own).format(**self._filling(message))
            except UNFIT:
                pass
        values = ", ".join(
            f"{name}={self.say_any(value) if isinstance(value, Message) else value}"
            for name, value in message.values.items()
        )
        return clean.line(f"{message.key} ({values})" if values else message.key)

    def _filling(self, message: Message) -> dict[str, Any]:
        return {name: self._place(value) for name, value in message.values.items()}

    def _place(self, value: object) -> object:
        if isinstance(value, Message):
            return self.say_any(value)
        if isinstance(value, str):
            return _Text(value)
        if isinstance(value, float):
            return max(-LARGEST, min(value, LARGEST))
        return _Count(value) if type(value) is int else value


class _Text(str):
    """A text of anybody's, cleaned where it is put into a sentence."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if spec != "quoted":
            return clean.line(str(self))
        return clean.line(repr(str(self[:QUOTED])) + ("..." if len(self) > QUOTED else ""))


class _Count(int):
    """A number that chooses the form of the word beside it: `{turns} {turns:turn|turns}`."""

    def __format__(self, spec: str) -> str:
        if spec == "signal":
            return signal_name(int(self))
        one, either, many = spec.partition("|")
        return (one if self == 1 else many) if either else super().__format__(spec)


def signal_name(number: int) -> str:
    """A signal's name; its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


ENGLISH = Speaker()
