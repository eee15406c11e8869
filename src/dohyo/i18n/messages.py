"""What is told, as data: the key of a sentence, and the values of its places.

Whatever can be said of a match, a bot or a mistake is a `Message` until somebody reads it; then a `Speaker` says it
in a language. Messages are kept in replays, which strangers write: so a key and a text have a longest length, there
are so many values and no more, and messages stand in messages to a certain depth.
"""

from __future__ import annotations

import errno
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.i18n.catalogue import has

LONGEST = 2000  # characters of a text among the values, and of a key
MAX_VALUES = 32
DEEPEST = 8  # messages within each other
WHOLE = 1 << 63  # whole numbers are smaller than that, and at least minus that
CUT = "..."

Text = Annotated[str, Meta(max_length=LONGEST + len(CUT))]
Whole = Annotated[int, Meta(ge=-WHOLE, le=WHOLE - 1)]
Name = Annotated[str, Meta(max_length=60)]


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """The key of a sentence in the catalogues, and the values of its places: texts, numbers, and other messages.

    Other values become texts when a message is made, and long texts are cut. An error becomes its own message, one of
    the system what the system says. A key
    that is in no catalogue is shown as it stands. Raises `ValueError` for messages too deep within each other.
    """

    key: Text
    values: Values = {}

    def __hash__(self) -> int:
        return hash(self.key)

    def __post_init__(self) -> None:
        """Make of it what can be kept."""
        if (key := text_of(self.key)) != self.key:
            msgspec.structs.force_setattr(self, "key", key)
        if self.values:
            msgspec.structs.force_setattr(self, "values", kept(self.values))
            if _is_too_deep(self):
                raise ValueError("messages too deep in each other")


if TYPE_CHECKING:
    Values = Mapping[str, Any]  # as they are given; a message then keeps them as below
else:
    Value = Message | Whole | float | bool | Text | None
    Values = Annotated[dict[Name, Value], Meta(max_length=MAX_VALUES)]


def kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as a message can hold them."""
    return {name: value if _is_kept(value) else _kept(value) for name, value in values.items()}


def _is_kept(value: Any) -> bool:
    """Whether a message holds this value as it is; most are such, and a stranger's replay may have millions."""
    kind = type(value)
    if kind is str:
        return len(value) <= LONGEST and value.isascii()
    return kind is Message or (kind is int and -WHOLE <= value < WHOLE)


def _kept(value: Any) -> Any:
    if value is None or isinstance(value, bool | Message):
        return value
    if isinstance(value, int) and -WHOLE <= value < WHOLE:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(message := getattr(value, "message", None), Message):  # an error's
        return message
    if isinstance(value, OSError) and has(key := f"system.{errno.errorcode.get(value.errno or 0)}"):
        return Message(key)
    try:
        return text_of(str((value.strerror if isinstance(value, OSError) else None) or value))
    except (ValueError, RecursionError):  # a number of too many digits to be written out, lists without end
        return CUT


def text_of(text: str) -> str:
    """A text as it can be kept: not too long, and no halves of characters."""
    text = text if len(text) <= LONGEST + len(CUT) else text[:LONGEST] + CUT
    return text if text.isascii() else clean.storable(text)


def _is_too_deep(message: Message) -> bool:
    """Whether more than `DEEPEST` messages are within each other, itself the first."""
    layer = [message]
    for _ in range(DEEPEST):
        layer = [value for one in layer for value in one.values.values() if isinstance(value, Message)]
        if not layer:
            return False
    return True
