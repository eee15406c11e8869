"""The filter of system calls, run in a simulation of the kernel's machine."""

from __future__ import annotations

import struct
from functools import cache

from dohyo.sandbox import seccomp


@cache
def instructions(content: bytes) -> list[tuple[int, int, int, int]]:
    """A filter's instructions as numbers."""
    return list(struct.iter_unpack("=HBBI", content))


def run(content: bytes, machine: int, number: int, first: int = 0, second: int = 0, third: int = 0) -> int:
    """What the filter says of a call: the kernel's machine, for the instructions that the filter is made of."""
    return walk(content, machine, number, first, second, third)[0]


def walk(content: bytes, machine: int, number: int, *arguments: int) -> tuple[int, set[int]]:
    """The same, and the places in the kernel's `struct seccomp_data` that it looked at on its way."""
    memory = struct.pack("=IIQQQQQQQ", number, machine, 0, *[*arguments, 0, 0, 0, 0, 0, 0][:6])
    steps = instructions(content)
    place = accumulator = 0
    looked: set[int] = set()
    while True:
        code, jump, other, constant = steps[place]
        place += 1
        if code == 0x06:
            return constant, looked
        if code == 0x20:
            looked.add(constant)
            (accumulator,) = struct.unpack_from("=I", memory, constant)
            continue
        if code == 0x05:
            place += constant
            continue
        holds = {
            0x15: accumulator == constant,
            0x35: accumulator >= constant,
            0x45: bool(accumulator & constant),
        }[code]
        place += jump if holds else other


def refused(error: int) -> int:
    """What the filter returns for a call that fails with `error`."""
    return seccomp.ERRNO | error
