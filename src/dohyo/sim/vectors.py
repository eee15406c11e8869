"""Arithmetic on numbers and truth values, one a lane, written as code of LLVM.

How far a number can go is known at every point, by arithmetic on intervals. Vectors are as narrow as that allows, and
what is known beforehand is no code at all. What no vector can do is refused by `NoLanesError`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.core.flat import KINDS, MASK32, WIDTH

LONGEST_ROW = 16  # places of a row that is looked into by a number that differs from lane to lane
WIDE = -(1 << 63), (1 << 63) - 1


class NoLanesError(Exception):
    """A function does what no vectors can."""


class Lanes(NamedTuple):
    """A number a lane: LLVM's vector of integers, and between which numbers all of them are.

    `mask` has the bits that may be set, where more is known of them than that; -1 elsewhere.
    """

    value: Any
    low: int
    high: int
    mask: int = -1


class Mask(NamedTuple):
    """A truth value a lane: LLVM's vector of single bits."""

    value: Any


def fits(low: int, high: int) -> int:
    """How many bits the narrowest vector has whose places hold all numbers from `low` to `high`; 0 if there is none.

    What is never negative is held without a sign.
    """
    for bits in (8, 16, 32, 64):
        if (low >= 0 and high < 1 << bits and bits < 64) or (-(1 << bits - 1) <= low and high < 1 << bits - 1):
            return bits
    return 0


def of_kind(kind: str) -> tuple[int, int]:
    """The smallest and the largest number that a field of this kind holds."""
    if kind not in KINDS or kind == "f8":
        raise NoLanesError(f"a field of the kind {kind}")
    bits = 8 * WIDTH[kind]
    return -(1 << bits - 1), (1 << bits - 1) - 1


RING: Mapping[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}
EXACT: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
ORDER: Mapping[type, tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}


class Vectors:
    """Writes the code of arithmetic on numbers and truth values, one a lane; what is known beforehand is none."""

    def __init__(self, builder: Any, count: int) -> None:
        from llvmlite import ir  # type: ignore[import-untyped]

        self.ir, self.builder, self.count = ir, builder, count

    # --- what numbers are

    def kind(self, bits: int) -> Any:
        """The type of vectors of so many bits a lane."""
        return self.ir.VectorType(self.ir.IntType(bits), self.count)

    def constant(self, number: int, bits: int) -> Any:
        """A vector of this number."""
        number &= (1 << bits) - 1
        return self.ir.Constant(
            self.kind(bits), [number - (1 << bits) if number >> bits - 1 else number] * self.count
        )

    def splat(self, scalar: Any) -> Any:
        """A vector of this number of LLVM's, on all lanes."""
        kind = self.ir.VectorType(scalar.type, self.count)
        first = self.builder.insert_element(
            self.ir.Constant(kind, self.ir.Undefined), scalar, self.ir.Constant(self.ir.IntType(32), 0)
        )
        zeros = self.ir.Constant(self.ir.VectorType(self.ir.IntType(32), self.count), [0] * self.count)
        return self.builder.shuffle_vector(first, self.ir.Constant(kind, self.ir.Undefined), zeros)

    def lanes(self, value: Any) -> Lanes:
        """A number or truth value as numbers."""
        if isinstance(value, Lanes):
            return value
        if isinstance(value, Mask):
            return Lanes(self.builder.zext(value.value, self.kind(8)), 0, 1)
        if isinstance(value, int):
            bits = fits(int(value), int(value))
            if not bits:
                raise NoLanesError(f"the number {value}")
            return Lanes(self.constant(int(value), bits), int(value), int(value))
        raise NoLanesError(f"{value!r} in the place of a number")

    def at_width(self, value: Any, bits: int) -> Any:
        """A number's vector of so many bits, the lower ones where it had more."""
        if isinstance(value, int):
            return self.constant(int(value), bits)
        given = self.lanes(value)
        has = given.value.type.element.width
        if has == bits:
            return given.value
        if has > bits:
            return self.builder.trunc(given.value, self.kind(bits))
        return (self.builder.zext if given.low >= 0 else self.builder.sext)(given.value, self.kind(bits))

    def bounds(self, value: Any) -> tuple[int, int]:
        """Between which numbers it lies."""
        if isinstance(value, Lanes):
            return value.low, value.high
        if isinstance(value, Mask):
            return 0, 1
        if not isinstance(value, int):
            raise NoLanesError(f"{value!r} in the place of a number")
        return int(value), int(value)

    def truth(self, value: Any) -> Any:
        """A number or truth value as a truth value: `True`, `False`, or a mask."""
        if isinstance(value, Mask | bool):
            return value
        if value is None or isinstance(value, int):
            return bool(value)
        return self.compare(ast.NotEq, value, 0)

    # --- truth values

    def both(self, one: Any, other: Any) -> Any:
        """Where both are true."""
        if isinstance(one, bool) or isinstance(other, bool):
            known, rest = (one, other) if isinstance(one, bool) else (other, one)
            return rest if known else False
        return one if one is other else Mask(self.builder.and_(one.value, other.value))

    def either(self, one: Any, other: Any) -> Any:
        """Where one of them is true."""
        if isinstance(one, bool) or isinstance(other, bool):
            known, rest = (one, other) if isinstance(one, bool) else (other, one)
            return True if known else rest
        return one if one is other else Mask(self.builder.or_(one.value, other.value))

    def opposite(self, one: Any) -> Any:
        """Where it is not true."""
        return not one if isinstance(one, bool) else Mask(self.builder.not_(one.value))

    def any(self, one: Any) -> Any:
        """Whether a mask is true on some lane: LLVM's single bit."""
        if isinstance(one, bool):
            return self.ir.Constant(self.ir.IntType(1), int(one))
        whole = self.ir.IntType(self.count)
        return self.builder.icmp_unsigned("!=", self.builder.bitcast(one.value, whole), self.ir.Constant(whole, 0))

    def select(self, where: Any, one: Any, other: Any) -> Any:
        """`one` where that is true, `other` elsewhere."""
        if isinstance(where, bool):
            return one if where else other
        if one is other or (isinstance(one, int) and isinstance(other, int) and one == other):
            return one
        if isinstance(one, Mask | bool) and isinstance(other, Mask | bool):
            return self.either(self.both(where, one), self.both(self.opposite(where), other))
        (low, high), (least, most) = self.bounds(one), self.bounds(other)
        low, high = min(low, least), max(high, most)
        bits = self._width(low, high, one, other)
        chosen = self.builder.select(where.value, self.at_width(one, bits), self.at_width(other, bits))
        return Lanes(chosen, low, high)

    def compare(self, kind: type, one: Any, other: Any) -> Any:
        """Where the comparison holds."""
        if kind not in ORDER:
            raise NoLanesError(f"the comparison {kind.__name__}")
        sign, exact = ORDER[kind]
        (low, high), (least, most) = self.bounds(one), self.bounds(other)
        if low == high and least == most:
            return exact(low, least)
        if kind in (ast.Eq, ast.NotEq):
            if high < least or most < low:
                return kind is ast.NotEq
        elif exact(low, least) == exact(low, most) == exact(high, least) == exact(high, most):
            return exact(low, least)
        bits = fits(min(low, least), max(high, most))
        sides = self.at_width(one, bits), self.at_width(other, bits)
        is_signed = min(low, least) < 0
        return Mask((self.builder.icmp_signed if is_signed else self.builder.icmp_unsigned)(sign, *sides))

    # --- numbers

    def _width(self, low: int, high: int, *of: Any) -> int:
        """How wide a result is: as narrow as the narrowest number it comes of, if it fits.

        To bring vectors to another width costs more than to count with wide ones, if that is all that is done there.
        """
        widths = [each.value.type.element.width for each in of if isinstance(each, Lanes)]
        return max(fits(low, high), min(widths, default=0))

    def operation(self, kind: type, one: Any, other: Any, wanted: int = 64) -> Any:
        """The result of an operation; its lower `wanted` bits, where the others are not asked for."""
        if isinstance(one, bool | Mask) and isinstance(other, bool | Mask) and kind in (ast.BitAnd, ast.BitOr):
            return (self.both if kind is ast.BitAnd else self.either)(one, other)
        if isinstance(one, int) and isinstance(other, int):
            return EXACT[kind](int(one), int(other))
        if kind in (ast.Mod, ast.FloorDiv):
            return self._divided(kind, one, other)
        low, high = _interval(kind, self.bounds(one), self.bounds(other))
        if kind is ast.RShift:
            return self._shifted_down(one, other, low, high)
        bits = self._width(low, high, one, other)
        if not 0 < fits(low, high) <= wanted:
            bits = wanted
            low, high = WIDE if bits == 64 else (0, (1 << bits) - 1)
        if kind is ast.LShift:
            by = self._shift(other, bits)
            return Lanes(self.builder.shl(self.at_width(one, bits), by), low, high)
        if kind is ast.BitAnd and isinstance(other, int) and self._leaves(one, other):
            return one
        made = getattr(self.builder, RING[kind])(self.at_width(one, bits), self.at_width(other, bits))
        masks = [
            each if isinstance(each, int) else each.mask for each in (one, other) if isinstance(each, int | Lanes)
        ]
        known = [each for each in masks if each >= 0]
        return Lanes(made, low, high, min(known, key=int.bit_count) if kind is ast.BitAnd and known else -1)

    def upper_half(self, one: Any, other: Any) -> Any:
        """`one * other >> 32`.

        Processors multiply every second number of 32 bits of a vector: so the even ones first, and then the others.
        """
        bounds = self.bounds(one), self.bounds(other)
        if min(*bounds[0], *bounds[1]) < 0 or fits(0, bounds[0][1]) > 32 or fits(0, bounds[1][1]) > 32:
            return self.operation(ast.RShift, self.operation(ast.Mult, one, other), 32)
        builder, pairs = self.builder, self.ir.VectorType(self.ir.IntType(64), self.count // 2)
        lower, by = (self.ir.Constant(pairs, [number] * (self.count // 2)) for number in (MASK32, 32))
        wide = [builder.bitcast(self.at_width(each, 32), pairs) for each in (one, other)]
        even = builder.mul(*(builder.and_(each, lower) for each in wide))
        odd = builder.mul(*(builder.lshr(each, by) for each in wide))
        upper = builder.or_(builder.lshr(even, by), builder.and_(odd, builder.not_(lower)))
        high = bounds[0][1] * bounds[1][1] >> 32
        return Lanes(builder.bitcast(upper, self.kind(32)), 0, high)

    def _leaves(self, one: Any, mask: int) -> bool:
        """Whether `one & mask` is `one`."""
        low, high = self.bounds(one)
        return low >= 0 and mask & (mask + 1) == 0 and high <= mask

    def _shift(self, by: Any, bits: int) -> Any:
        low, high = self.bounds(by)
        if low < 0 or high >= bits:
            raise NoLanesError(f"a shift by {low} to {high} of {bits} bits")
        return self.at_width(by, bits)

    def _shifted_down(self, one: Any, other: Any, low: int, high: int) -> Any:
        given = self.lanes(one)
        bits = given.value.type.element.width
        if isinstance(other, int) and other >= bits:
            return 0 if given.low >= 0 else self._shifted_down(one, bits - 1, low, high)
        made = (self.builder.lshr if given.low >= 0 else self.builder.ashr)(given.value, self._shift(other, bits))
        return Lanes(made, low, high)

    def narrowed(self, given: Lanes) -> Lanes:
        """The same numbers, as narrow as they can be."""
        bits = fits(given.low, given.high)
        return Lanes(self.at_width(given, bits), given.low, given.high)

    def _divided(self, kind: type, one: Any, other: Any) -> Any:
        given = self.lanes(one)
        if given.low < 0 or not isinstance(other, int) or other <= 0:
            raise NoLanesError("a division that is not of a number from 0 on, by a positive constant")
        if other == 1:
            return 0 if kind is ast.Mod else one
        if given.high < other:
            return one if kind is ast.Mod else 0
        if kind is ast.Mod and other & (other + 1) == 0:
            return self._folded(given, other)
        low, high = (0, other - 1) if kind is ast.Mod else (given.low // other, given.high // other)
        bits = given.value.type.element.width
        made = (self.builder.urem if kind is ast.Mod else self.builder.udiv)(given.value, self.constant(other, bits))
        return self.narrowed(Lanes(made, low, high))

    def _folded(self, given: Lanes, modulus: int) -> Lanes:
        """The rest by a number that is one less than a power of two: its digits in that base, added up."""
        by = modulus.bit_length()
        while given.high >= 2 * modulus:
            lower = self.operation(ast.BitAnd, given, modulus)
            given = self.operation(ast.Add, self.operation(ast.RShift, given, by), lower)
        given = self.narrowed(given)
        less = self.operation(ast.Sub, given, modulus)
        rest = self.select(self.compare(ast.GtE, given, modulus), less, given)
        return self.narrowed(Lanes(self.at_width(rest, 64), 0, modulus - 1))

    def looked_up(self, table: Sequence[int], at: Any) -> Any:
        """What stands in a table at each lane's place."""
        if isinstance(at, int):
            return table[at]
        low, high = self.bounds(at)
        if low < 0:
            raise NoLanesError("a table's place that may be negative")
        reached = [int(number) for number in table[low : high + 1]]
        if not reached:
            raise NoLanesError("a place behind a table's end")
        changes = [k for k in range(1, len(reached)) if reached[k] != reached[k - 1]]
        if len(changes) > LONGEST_ROW:
            return self._gathered(reached, self.operation(ast.Sub, at, low))
        found: Any = reached[0]
        for k in changes:
            found = self.select(self.compare(ast.GtE, at, low + k), reached[k], found)
        return found

    def _gathered(self, table: Sequence[int], at: Any) -> Any:
        """The same from memory, by instructions that gather."""
        low, high = min(table), max(table)
        ir, builder = self.ir, self.builder
        number = ir.IntType(32 if fits(low, high) <= 32 else 64)
        kind = ir.ArrayType(number, len(table))
        held = ir.GlobalVariable(builder.module, kind, builder.module.get_unique_name("dohyo.lanes.table"))
        held.linkage, held.global_constant = "internal", True
        signed = [value - (1 << number.width) if value >> number.width - 1 > 0 else value for value in table]
        held.initializer = ir.Constant(kind, signed)
        places = at if self.bounds(at)[1] < len(table) else self.select(self.compare(ast.Lt, at, len(table)), at, 0)
        first = builder.bitcast(held, number.as_pointer())
        pointers = ir.instructions.GEPInstr(builder.block, first, [ir.Constant(ir.IntType(32), 0)], True, "")
        pointers.indices = [self.at_width(places, 32)]  # that it can be a vector, llvmlite does not know
        pointers.operands = [first, *pointers.indices]
        pointers.type = ir.VectorType(number.as_pointer(), self.count)
        builder._insert(pointers)
        vector = ir.VectorType(number, self.count)
        truths = ir.VectorType(ir.IntType(1), self.count)
        name = f"llvm.masked.gather.v{self.count}i{number.width}.v{self.count}p0"
        gather = builder.module.declare_intrinsic(
            name, (), ir.FunctionType(vector, [pointers.type, ir.IntType(32), truths, vector])
        )
        everywhere = ir.Constant(truths, [1] * self.count)
        four = ir.Constant(ir.IntType(32), number.width // 8)
        got = builder.call(gather, [pointers, four, everywhere, ir.Constant(vector, [0] * self.count)])
        return Lanes(got, low, high)

    def popcount(self, bits: Any) -> Any:
        """How many bits are set."""
        given = self.lanes(bits)
        if given.low < 0:
            raise NoLanesError("bits of a number that may be negative")
        kind = given.value.type
        name = f"llvm.ctpop.v{self.count}i{kind.element.width}"
        count = self.builder.module.declare_intrinsic(name, (), self.ir.FunctionType(kind, [kind]))
        most = given.high.bit_length() if given.mask < 0 else given.mask.bit_count()
        return Lanes(self.builder.call(count, [given.value]), 0, most)


def _interval(kind: type, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Between which numbers the result of an operation lies."""
    if kind in (ast.Add, ast.Sub, ast.Mult, ast.LShift, ast.RShift):
        if kind in (ast.LShift, ast.RShift) and not 0 <= other[0] <= other[1] <= 63:
            raise NoLanesError(f"a shift by {other[0]} to {other[1]}")
        ends = [EXACT[kind](a, b) for a in one for b in other]
        return min(ends), max(ends)
    if one[0] >= 0 and other[0] >= 0:
        if kind is ast.BitAnd:
            return 0, min(one[1], other[1])
        return 0, (1 << max(one[1], other[1]).bit_length()) - 1
    if kind is ast.BitAnd and (one[0] >= 0 or other[0] >= 0):
        return 0, one[1] if one[0] >= 0 else other[1]
    size = max(number.bit_length() for number in (*one, *other)) + 1
    return -(1 << size - 1), (1 << size - 1) - 1
