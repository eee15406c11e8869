"""Flat functions of which Numba would make slow code, and what stands in their place on a processor.

Numba takes a record byte by byte from one place to another, and a processor that reads a number soon after waits
until all its bytes have arrived. And it writes the numbers of a plane one by one, where a few instructions make all
of them from the bits of a board. And it writes the mover's action to a row that the rules read at once, at a place
that LLVM does not know to be the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from dohyo.core.flat import put_bits
from dohyo.sim.records import put_record

VERSION = zlib.crc32(Path(__file__).read_bytes())  # of what is here: code compiled with another is not used


KEEPS = "dohyo_keeps_literals"  # an attribute of functions that Numba compiles for each constant apart


def instead_of(function: FunctionType) -> Any:
    """What compiled functions call in the place of this one; none where Numba compiles it as it is."""
    made = _MADE.get((function.__module__, function.__qualname__))
    return made() if made is not None else None


def wants_literals(callee: Any) -> bool:
    """Whether what a function calls makes other code for constants than for numbers that are known only later: so
    does `put_bits`, and whatever was made to hand them on to it."""
    return callee is _MADE[put_bits.__module__, put_bits.__qualname__]() or bool(getattr(callee, KEEPS, False))


@cache
def _whole_record() -> Any:
    """`put_record`."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        states, _, others, _ = signature.args
        to, at = (
            _place(context, builder, kind, context.make_array(kind)(context, builder, array), place)
            for kind, array, place in ((states, *arguments[:2]), (others, *arguments[2:]))
        )
        size = context.get_constant(types.intp, states.dtype.size)
        cgutils.raw_memcpy(builder, to, at, size, 1)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    def put(typing: Any, states: Any, to: Any, others: Any, at: Any) -> Any:
        return types.none(states, types.intp, others, types.intp), emit

    return intrinsic(put)


@cache
def _all_bits() -> Any:
    """`put_bits`; at once where the pattern consists of constants, else number by number."""
    from numba.core import types
    from numba.extending import intrinsic

    def put(
        typing: Any,
        bits: Any,
        first: Any,
        row_step: Any,
        column_step: Any,
        rows: Any,
        columns: Any,
        out: Any,
        start: Any,
    ) -> Any:
        pattern = (first, row_step, column_step, rows, columns)
        known = out.layout == "C" and all(isinstance(each, types.IntegerLiteral) for each in pattern)
        numbers = tuple(each.literal_value for each in pattern) if known else ()
        if numbers and not all(0 <= cell < 64 for cell in _cells(*numbers)):
            raise ValueError(f"put_bits(bits, {', '.join(map(str, numbers))}, ...) asks for bits beyond 0 to 63")
        # The constants stay in the signature: by that Numba knows the code that was made for them from any other.
        told = pattern if numbers else [types.int64] * 5
        signature = types.none(types.int64, *told, out, types.intp)
        return signature, lambda *given: _emit(numbers, *given)

    return intrinsic(prefer_literal=True)(put)


@cache
def _row_of_one() -> Any:
    """`with_movers`: a row whose places are all one number, which needs no memory."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = context.make_array(signature.args[0])(context, builder, arguments[0]).shape
        row = context.make_array(signature.return_type)(context, builder)
        spot = cgutils.alloca_once(builder, arguments[2].type)  # type: ignore[no-untyped-call]
        builder.store(arguments[2], spot)
        context.populate_array(
            row,
            data=spot,
            shape=cgutils.unpack_tuple(builder, places, 1),  # type: ignore[no-untyped-call]
            strides=[context.get_constant(types.intp, 0)],
            itemsize=context.get_constant(types.intp, 8),
            meminfo=None,
        )
        return row._getvalue()

    def put(typing: Any, actions: Any, mover: Any, action: Any) -> Any:
        return types.Array(types.int64, 1, "A")(actions, types.intp, types.int64), emit

    return intrinsic(put)


def _emit(pattern: tuple[int, ...], context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The code of `put_bits`."""
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import cgutils

    bits, first, row_step, column_step, rows, columns, out, start = arguments
    kind = signature.args[6]
    array = context.make_array(kind)(context, builder, out)

    def number(flags: Any) -> Any:
        whole = context.get_data_type(kind.dtype)
        wanted = ir.VectorType(whole, flags.type.count) if isinstance(flags.type, ir.VectorType) else whole
        return (builder.uitofp if isinstance(whole, (ir.FloatType, ir.DoubleType)) else builder.zext)(flags, wanted)

    if pattern and _cells(*pattern):
        flags = _flags(builder, bits, _cells(*pattern))
        to = builder.bitcast(_place(context, builder, kind, array, start), number(flags).type.as_pointer())
        builder.store(number(flags), to, align=1)
        return context.get_dummy_value()
    with cgutils.for_range(builder, rows) as row, cgutils.for_range(builder, columns) as column:
        by = builder.add(first, builder.add(builder.mul(row.index, row_step), builder.mul(column.index, column_step)))
        flag = builder.trunc(builder.ashr(bits, by), ir.IntType(1))
        at = builder.add(start, builder.add(builder.mul(row.index, columns), column.index))
        builder.store(number(flag), _place(context, builder, kind, array, at), align=1)
    return context.get_dummy_value()


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """The address of an array's place, which is not negative."""
    from numba.core import cgutils

    return cgutils.get_item_pointer(context, builder, kind, array, [at], wraparound=False)  # type: ignore[no-untyped-call]


def _cells(first: int, row_step: int, column_step: int, rows: int, columns: int) -> list[int]:
    """The numbers of the bits, in order."""
    return [first + row * row_step + column * column_step for row in range(rows) for column in range(columns)]


def _flags(builder: Any, bits: Any, cells: list[int]) -> Any:
    """A vector of i1: the bits with these numbers. Each is looked for in a copy of the byte that has it."""
    from llvmlite import ir

    byte = ir.IntType(8)
    eight, many = ir.VectorType(byte, 8), ir.VectorType(byte, len(cells))
    numbers = ir.Constant(ir.VectorType(ir.IntType(32), len(cells)), [cell // 8 for cell in cells])
    copies = builder.shuffle_vector(builder.bitcast(bits, eight), ir.Constant(eight, ir.Undefined), numbers)
    masks = ir.Constant(many, [1 << cell % 8 for cell in cells])
    return builder.icmp_unsigned("!=", builder.and_(copies, masks), ir.Constant(many, [0] * len(cells)))


_MADE: dict[tuple[str, str], Callable[[], Any]] = {
    (put_record.__module__, put_record.__qualname__): _whole_record,
    (put_bits.__module__, put_bits.__qualname__): _all_bits,
    ("dohyo.sim.turns", "with_movers"): _row_of_one,
}
