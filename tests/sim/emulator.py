"""An emulator of PTX, NVIDIA's assembly: one thread of a kernel, an instruction after the other, in Python.

So what the compiler has made of the rules for a card is executed where there is none: with its widths, its wrapping,
its addresses. It knows the instructions that the games' kernels consist of, and raises `KeyError` for others.
Source: NVIDIA's "Parallel Thread Execution ISA".
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

Operation = Callable[..., Any]

START = 4096  # the first address; none below is anybody's
BITS = {"%rs": 16, "%rd": 64, "%r": 32, "%p": 1, "%SP": 64, "%fd": 64, "%f": 32}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def quotient(a: Any, b: Any) -> Any:
    """Division; of integers, toward zero."""
    if isinstance(a, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def permuted(a: int, b: int, selector: int) -> int:
    """Four bytes picked from eight, each by four bits; the highest of these spreads the byte's sign."""
    both, out = b << 32 | a, 0
    for place in range(4):
        nibble = selector >> 4 * place & 15
        byte = both >> 8 * (nibble & 7) & 255
        out |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * place
    return out


SIMPLE: dict[str, Operation] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul.lo": lambda a, b: a * b,
    "mul.wide": lambda a, b: a * b,
    "mad.lo": lambda a, b, c: a * b + c,
    "mad.wide": lambda a, b, c: a * b + c,
    "div": quotient,
    "rem": lambda a, b: a - b * quotient(a, b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a: ~a,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    "shl": lambda a, b: a << min(b, 64),
    "shr": lambda a, b: a >> min(b, 64),
    "selp": lambda a, b, p: a if p else b,
    "prmt": permuted,
    "bfi": lambda a, b, at, width: b & ~(((1 << width) - 1) << at) | (a & (1 << width) - 1) << at,
    "mov": lambda a: a,
    "cvta": lambda a: a,
    "cvta.to": lambda a: a,
}


class Machine:
    """A kernel, and the memory that it sees."""

    def __init__(self, ptx: str, size: int = 1 << 20) -> None:
        self.memory = bytearray(size)
        self.executed: Counter[str] = Counter()  # by the first part of the instruction's name
        self._free = START
        self._symbols: dict[str, int] = {}
        self._code: list[tuple[str, str, list[str]]] = []  # the predicate, the instruction, what it is about
        self._labels: dict[str, int] = {}
        head, body = ptx.split(".visible .entry", 1)
        for name, values in re.findall(r"^\.(?:const|global)\b[^;=]*?([\w$]+)\[\d+\]\s*=\s*\{([^}]*)\};", head, re.M):
            self._symbols[name] = self.give(bytes(int(value) & 255 for value in values.split(",")))
        parameters, body = body.split("{", 1)
        self._parameters = re.findall(r"\.param\s+\S+(?:\s+\S+)*?\s+([\w$]+)\s*(?=[,\n)])", parameters)
        self._parse(body)

    def give(self, content: bytes) -> int:
        """Put these bytes into memory; their address."""
        at = self._free
        self.memory[at : at + len(content)] = content
        self._free = at + (len(content) + 31) // 16 * 16
        return at

    def array(self, values: Any) -> list[int]:
        """A NumPy array in memory: the parameters that stand for it in a kernel's call; the address is the fifth."""
        at = self.give(values.tobytes())
        return [0, 0, values.size, values.itemsize, at, *values.shape, *values.strides]

    def _parse(self, body: str) -> None:
        for text in body.splitlines():
            line = text.split("//")[0].strip()
            if depot := re.match(r"\.local .*?([\w$]+)\[(\d+)\];", line):
                self._symbols[depot[1]] = self.give(b"\x4d" * int(depot[2]))  # nobody may count on what is there
            elif label := re.match(r"(\$\w+):", line):
                self._labels[label[1]] = len(self._code)
            elif found := re.match(r"(?:@(!?%p\d+)\s+)?([a-z][\w.]*)\s*(.*);", line):
                parts = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+", found[3])
                self._code.append((found[1] or "", found[2], parts))

    # --- running

    def run(self, thread: int, arguments: Sequence[int]) -> None:
        """Run the thread with this number, of a block that is large enough."""
        assert len(arguments) == len(self._parameters), self._parameters
        self._given = dict(zip(self._parameters, arguments, strict=True))
        self._registers = {"%tid.x": thread, "%ctaid.x": 0, "%ntid.x": 1 << 16}
        at = 0
        while at < len(self._code):
            predicate, name, parts = self._code[at]
            kind, _, rest = name.partition(".")
            self.executed[kind] += 1
            at += 1
            if predicate and self._registers[predicate.lstrip("!")] == (predicate[0] == "!"):
                continue
            if kind == "bra":
                at = self._labels[parts[0]]
            elif kind == "ret":
                return
            else:
                self._execute(kind, rest, parts)

    def _execute(self, kind: str, rest: str, parts: list[str]) -> None:
        if kind in ("ld", "st"):
            self._access(kind, rest, parts)
        elif kind == "atom":
            assert rest == "global.add.u64"
            at = self._address(parts[1])
            before = int.from_bytes(self.memory[at : at + 8], "little")
            self._set(parts[0], before)
            self.memory[at : at + 8] = (before + self._value(parts[2], "u64") & (1 << 64) - 1).to_bytes(8, "little")
        elif kind == "setp":
            relation, kind_of = rest.split(".")
            a, b = (self._value(part, kind_of) for part in parts[1:])
            self._set(parts[0], int(COMPARE[relation](a, b)))
        elif kind == "cvt":
            to, of = rest.split(".")[-2:]
            value = self._value(parts[1], of)
            self._set(parts[0], float(value) if to in ("f32", "f64") else as_type(int(value), to))
        elif kind == "mov" and "{" in "".join(parts):
            self._move_vector(rest, parts)
        else:
            self._compute(kind, rest, parts)

    def _compute(self, kind: str, rest: str, parts: list[str]) -> None:
        *more, of = rest.split(".")
        more = [word for word in more if word in ("lo", "hi", "wide", "to")]
        types = [of] * (len(parts) - 1)
        if kind in ("shl", "shr"):
            types[1] = "u32"
        elif kind == "selp":
            types[2] = "pred"
        elif kind == "bfi":
            types[2:] = ["u32", "u32"]
        values = [self._value(part, type_) for part, type_ in zip(parts[1:], types, strict=True)]
        if more == ["hi"]:
            self._set(parts[0], values[0] * values[1] >> int(of[1:]))
        else:
            self._set(parts[0], SIMPLE[".".join([kind, *more])](*values))

    def _move_vector(self, rest: str, parts: list[str]) -> None:
        to, of = (part.strip("{}").replace(" ", "").split(",") for part in parts)
        width = int(rest[1:]) // max(len(to), len(of))
        whole = sum((self._value(part, f"u{int(rest[1:]) // len(of)}")) << width * k for k, part in enumerate(of))
        for k, part in enumerate(to):
            self._set(part, whole >> width * k)

    def _access(self, kind: str, rest: str, parts: list[str]) -> None:
        space, of = rest.split(".")[0], rest.split(".")[-1]  # without a space: an address in any of them
        memory, registers = parts if kind == "st" else parts[::-1]
        if space == "param":
            name, _, offset = memory.strip("[]").partition("+")
            assert not offset
            self._set(registers, as_type(self._given[name], of))
            return
        at, size = self._address(memory), int(of[1:]) // 8
        for part in registers.strip("{}").replace(" ", "").split(","):
            assert START <= at <= len(self.memory) - size
            assert at % size == 0, "an address is not aligned"
            if kind == "st":
                self.memory[at : at + size] = self._value(part, f"u{8 * size}").to_bytes(size, "little")
            else:
                self._set(part, int.from_bytes(self.memory[at : at + size], "little", signed=of[0] == "s"))
            at += size

    def _address(self, text: str) -> int:
        base, _, offset = text.strip("[]").partition("+")
        return self._value(base, "u64") + int(offset or 0)

    def _value(self, text: str, of: str) -> Any:
        if of == "f64":
            return struct.unpack("<d", struct.pack("<Q", self._value(text, "u64")))[0]
        if of == "f32":
            return struct.unpack("<f", struct.pack("<I", self._value(text, "u32")))[0]
        if text in self._registers:
            return as_type(self._registers[text], of)
        if text in self._symbols:
            return self._symbols[text]
        return int(text[2:], 16) if text.startswith(("0d", "0f")) else as_type(int(text, 0), of)

    def _set(self, register: str, value: Any) -> None:
        match = re.match(r"%[a-zA-Z]+", register)
        assert match is not None
        if isinstance(value, float):
            wide = match[0] != "%f"
            value = struct.unpack("<Q" if wide else "<I", struct.pack("<d" if wide else "<f", value))[0]
        self._registers[register] = value & (1 << BITS[match[0].rstrip("L")]) - 1


def as_type(value: int, of: str) -> int:
    """The number that the lowest bits are in a type as PTX names it: s8, u16, b64, pred."""
    width = 1 if of == "pred" else int(of[1:])
    value &= (1 << width) - 1
    return value - (1 << width) if of[0] == "s" and value >> (width - 1) else value
