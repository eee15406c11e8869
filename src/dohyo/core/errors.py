"""Every exception of Dohyo.

    DohyoError
    ├── OperatorError      the person at the keyboard erred: one sentence with the remedy, exit status 2
    │   ├── MachineError   the machine, not a bot: a full disk, no sandbox; the same for every bot
    │   └── HandInError    one bot's author, and nobody else: the others play on
    │       └── BuildError     its source does not build: the compiler's own words travel along
    └── ReplayError        a replay does not say what it should: cut off, changed, or of a newer version

Whose an error is, its type says, and no text. Where one bot is looked at by itself (in a folder of hand-ins, say),
whatever is no `MachineError` is about that bot. Where several are (in a match), what is a `HandInError` is one bot's,
and the rest the operator's.

A bot's misbehaviour is never an exception; it is a `dohyo.core.faults.Fault`. Anything else that is raised is
a defect of ours.
"""

from __future__ import annotations

from dohyo.i18n import ENGLISH, Message, Speaker


class DohyoError(Exception):
    """An error whose sentence is in the catalogues (`dohyo.i18n`), so that it can be said in each language there.

    `message` is that sentence's key, and the values of its places.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.message = Message(key, values)

    @property
    def key(self) -> str:
        """The key of the sentence."""
        return self.message.key

    def say(self, speaker: Speaker = ENGLISH) -> str:
        """The sentence, in the speaker's language."""
        return speaker.say(self.message)

    def __str__(self) -> str:
        return self.say()


class OperatorError(DohyoError):
    """The operator's mistake: the sentence says what is wrong and how to correct it."""


class MachineError(OperatorError):
    """The machine cannot do what was asked: no bot is to blame, and every other one would meet the same."""


class HandInError(OperatorError):
    """A bot cannot be used, by what its author handed in: no other bot is concerned."""


class BuildError(HandInError):
    """A bot's source does not build.

    `log` is what the compiler printed, to be shown below the sentence.
    """

    def __init__(self, key: str, /, log: str = "", **values: object) -> None:
        super().__init__(key, **values)
        self.log = log


class ReplayError(OperatorError):
    """A replay that cannot be trusted or read."""
