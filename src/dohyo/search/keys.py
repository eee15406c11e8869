"""A key of 124 bits for a state, by a flat function that is made for the fields of its layout.

Every number of the state goes into it, at its full width, the same plain and compiled. Two different states with one
key: of a billion different states, by chance once in some 10^19 such searches. So what was noted under a key is taken
to be about the state.
"""

from __future__ import annotations

from collections.abc import Callable
from math import frexp
from typing import Any

from dohyo.core.flat import Layout, flat

ALL62 = (1 << 62) - 1
WORD = 62  # bits that are mixed in at a time
BITS = {"i4": 32, "i2": 16, "i1": 8}
LOW = 0xFFFFFFFF
A, B = 0x1D8E4E27C47D124F, 0x2C6FE96EE78B6955  # odd, and otherwise without a pattern
BEGIN_A, BEGIN_B = 0x1319_8A2E_0370_7344, 0x2409_3822_299F_31D0


@flat
def mix_a(h: int, x: int) -> int:
    """Take a number into the first half of a key: what wraps in compiled code is cut off in plain Python."""
    h = (h ^ x) * A & ALL62
    return h ^ h >> 31


@flat
def mix_b(h: int, x: int) -> int:
    """Mix a number into the second half of a key."""
    h = ((h ^ h >> 29) + x) * B & ALL62
    return h ^ h >> 33


@flat
def whole_part(x: float) -> int:
    """A double's digits as a whole number; a double that is none has no digits."""
    if x - x != 0.0:
        return 1 if x > 0 else 2 if x < 0 else 3
    mantissa, _ = frexp(x)
    return int(mantissa * 9007199254740992.0)


@flat
def exponent(x: float) -> int:
    """A double's power of two."""
    if x - x != 0.0:
        return 5000
    _, power = frexp(x)
    return power


def key_of(layout: Layout) -> Callable[[Any, Any], None]:
    """A flat function (state, record) that writes the state's key into the record's fields `a` and `b`."""
    lines = ["def key(s, record):", f"    a = {BEGIN_A}", f"    b = {BEGIN_B}"]
    singles: list[tuple[str, int]] = []
    for name, kind, length in layout.fields:
        if kind in BITS:
            bits = BITS[kind]
            at_once = WORD // bits
            whole = length - length % at_once
            if whole:
                lines.append(f"    for i in range(0, {whole}, {at_once}):")
                lines += _mixed(_joined([(f"s.{name}[i + {j}]", bits) for j in range(at_once)]), 8)
            singles += [(f"s.{name}[{i}]", bits) for i in range(whole, length)] if length else [(f"s.{name}", bits)]
        elif length:
            lines.append(f"    for i in range({length}):")
            lines += _wide(f"s.{name}[i]", kind, 8)
        else:
            lines += _wide(f"s.{name}", kind, 4)
    while singles:
        word: list[tuple[str, int]] = []
        while singles and sum(bits for _, bits in word) + singles[0][1] <= WORD:
            word.append(singles.pop(0))
        lines += _mixed(_joined(word), 4)
    lines += ["    record.a = a", "    record.b = b", ""]
    names: dict[str, Any] = {"mix_a": mix_a, "mix_b": mix_b, "whole_part": whole_part, "exponent": exponent}
    names["__name__"] = __name__  # a module that is there when compiled code is read again
    exec(compile("\n".join(lines), f"<key of {layout.name}>", "exec"), names)  # our own text, with names of fields
    key: Callable[[Any, Any], None] = flat(names["key"])
    return key


def _joined(parts: list[tuple[str, int]]) -> str:
    """An expression for some numbers side by side in one."""
    text, at = [], 0
    for part, bits in parts:
        text.append(f"({part} & {(1 << bits) - 1}) << {at}")
        at += bits
    return " | ".join(text)


def _wide(part: str, kind: str, indent: int) -> list[str]:
    """Lines that take in a number of 64 bits, in two halves, or a double."""
    if kind == "f8":
        return _mixed(f"whole_part({part})", indent) + _mixed(f"exponent({part})", indent)
    return _mixed(f"{part} & {LOW}", indent) + _mixed(f"{part} >> 32 & {LOW}", indent)


def _mixed(expression: str, indent: int) -> list[str]:
    """Lines that take in an expression."""
    begin = " " * indent
    return [f"{begin}x = {expression}", f"{begin}a = mix_a(a, x)", f"{begin}b = mix_b(b, x)"]
