"""Bounds strangers' JSON and TOML before it is decoded, by what may become of it: values, and lists in lists.

A text of two bytes may become a list of 56, and lists in lists exhaust the stack of whoever walks through them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

AT_ONCE = 1 << 20  # bytes of JSON that are looked at
_SIGNS = re.compile(rb"[\[{\]}]")
_VALUES = (b",", b":", b"[", b"{")  # each begins a value or a key, or ends the one before
FREE = 1000  # values that JSON of any size may have

# A name of TOML in parts, behind what is no part of one: texts (which may be parts) and remarks.
_TOML_TEXTS = re.compile(
    "|".join((r"#[^\n]*", r'"""(?:[^\\]|\\.)*?"""', r"'''.*?'''", r'"(?:[^"\\\n]|\\.)*+"', r"'[^'\n]*'")), re.DOTALL
)
_TOML_PARTS = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){16}")


class TooMuchError(ValueError):
    """Strangers' data would take too much memory; the text says what of it there is too much of, in English."""


def check_json(json: str | bytes, most: int, deepest: int, each: int) -> None:
    """Raise `TooMuchError` before JSON is decoded that is larger than `most` bytes or characters, deeper than
    `deepest`, or has more than one value for `each` of its bytes.

    A value takes about 60 bytes, so what is decoded takes at most `60 / each` times as much as the JSON, and its
    texts.
    """
    if len(json) > most:
        raise TooMuchError(f"more than {most >> 20} MiB" if most >> 20 else f"more than {most} bytes")
    content = json.encode("utf-8", "surrogatepass") if isinstance(json, str) else json
    left, depth = FREE + len(content) // each, 0
    for piece in _outside_texts(content):
        left -= sum(map(piece.count, _VALUES))
        if left < 0:
            raise TooMuchError("too many values for its size")
        depth, greatest = _depths(piece, depth)
        if greatest > deepest:
            raise TooMuchError("lists in lists in lists")


def check_values(json: bytes, most: int) -> None:
    """Raise `TooMuchError` before JSON of any size is decoded that has more values and keys than `most`."""
    left = most
    for piece in _outside_texts(json):
        left -= sum(map(piece.count, _VALUES))
        if left < 0:
            raise TooMuchError(f"more than {most} values")


def _outside_texts(content: bytes) -> Iterator[bytes]:
    """What of JSON is outside its texts, in pieces: their memory does not grow with the content's."""
    content = content.replace(rb"\\", b"").replace(rb"\"", b"")  # now each quote begins or ends a text
    within = 0
    for start in range(0, len(content), AT_ONCE):
        parts = content[start : start + AT_ONCE].split(b'"')
        yield b"".join(parts[within::2])
        within = (within + len(parts) - 1) % 2


def _depths(piece: bytes, depth: int) -> tuple[int, int]:
    """How deep it is behind a piece of JSON that begins at `depth`, and the greatest depth there."""
    greatest = depth
    for sign in _SIGNS.findall(piece):
        if sign in b"[{":
            depth += 1
            greatest = max(greatest, depth)
        else:
            depth -= 1
    return depth, greatest


def read_toml(content: bytes) -> dict[str, Any]:
    """The table in a file of TOML, which the caller has read up to a limit.

    Raises `ValueError` for no text, no TOML, and a key of more than 16 parts, for which Python's own reader takes the
    square of their number; `RecursionError` for too many tables in each other.
    """
    import tomllib

    text = content.decode()
    if _TOML_PARTS.search(_TOML_TEXTS.sub(lambda found: "" if found[0].startswith("#") else "text", text)):
        raise TooMuchError("a key of more than 16 parts")
    return tomllib.loads(text)


def depth_of(json: str | bytes) -> int:
    """The greatest depth of nested lists and objects in JSON; for what is not JSON, any number."""
    content = json.encode("utf-8", "surrogatepass") if isinstance(json, str) else json
    depth = most = 0
    for piece in _outside_texts(content):
        depth, greatest = _depths(piece, depth)
        most = max(most, greatest)
    return most


def is_too_deep(json: bytes, most: int) -> bool:
    """Whether JSON has lists and objects nested more than `most` deep; for what is not JSON, either."""
    return json.count(b"[") + json.count(b"{") > most and depth_of(json) > most


def is_deeper(value: Any, most: int) -> bool:
    """Whether a value has lists and dicts nested more than `most` deep."""
    layer = [value]
    for _ in range(most + 1):
        inner = [each for each in layer if isinstance(each, list | dict)]
        if not inner:
            return False
        layer = [part for each in inner for part in (each.values() if isinstance(each, dict) else each)]
    return True
