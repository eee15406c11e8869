"""Flat functions by vectors: on each lane what the plain function returns, or a refusal."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core.flat import emit, flat, popcount

binding = pytest.importorskip("llvmlite.binding")

from dohyo.sim.predicated import Cell, Predicated, Record  # noqa: E402 - behind what may not be there
from dohyo.sim.vectors import Lanes, NoLanesError, Vectors, of_kind  # noqa: E402

COUNT = 16
ROUNDS = 40
NEAR = (-129, -128, -127, -2, -1, 0, 1, 2, 3, 7, 9, 16, 31, 126, 127, 128, 255, 256, 32767, -32768, 65535)
FAR = (2147483646, 2147483647, 2147483648, 4294967295, -2147483648, 1 << 40, -(1 << 40))
TABLE = tuple((7 * k) % 300 - 20 for k in range(40))
STEPS = (-1, -1, 0, 0, 1, 5)
LANES = 10  # of these functions' own, whatever it is elsewhere
WIDTH: Any = None  # left open


@flat
def by_branches(a: int, b: int) -> int:
    if a < 0:
        return -a if b > 0 else b - 1
    if a == b or (a > 100 and not b < 7):
        return a + 3 * b
    total = 0
    for k in range(5):
        if k == a:
            return total
        total += k * b
    return total


@flat
def by_bits(a: int, b: int) -> int:
    x = (a & 0xFFFFFFFF) * 747796405 + 2891336453 & 0xFFFFFFFF
    y = ((x >> ((x >> 28) + 4)) ^ x) * 277803737 & 0xFFFFFFFF
    return ((y * (b & 31)) >> 32) + (a >> 3 ^ ~b | 5) + popcount(x & 0x0F0F0F)


@flat
def by_tables(a: int, b: int) -> int:
    return TABLE[a & 31] * 2 + STEPS[(b & 255) % 6] + (a & 0x7FFFFFFF) % 2147483647 + (b & 0xFFFF) // 10


@flat
def with_a_mersenne_prime(a: int, b: int) -> int:
    low = (a & 0x7FFFFFFF) * 16807 % 2147483647
    return low * 16807 % 2147483647 + (b & 0xFFFFFFFFFFFF) % 127 + 0x7FFFFFFF % 127


@flat
def by_cells(s: Any, a: int, b: int) -> int:
    p, q = a & 1, 1 - (a & 1)
    s.row[p] += b & 3
    s.small = a
    if s.small > s.row[q] and moved(s, q, b):
        s.word = (s.word + a) & 0xFFFF
    s.row[q], s.row[p] = s.row[p], s.row[q] - 1
    emit(None, 1, a, b, 0)
    return s.small + len(s.row) + s.word


@flat
def moved(s: Any, q: int, b: int) -> bool:
    s.row[q] = b & 7
    return b > 3


@flat
def after_a_return(s: Any, a: int, b: int) -> int:
    if a > 3:
        return 1
    if b > 0:
        s.small = b
        if s.row[0] > 5:
            s.row[0] = 5
        elif a == b:
            return s.small  # type: ignore[no-any-return]
        s.word = (s.word + (1 if s.word < 9 else 0)) & 0xFFFF
    return 2


@flat
def without_an_end(a: int, b: int) -> int:
    while a > b:
        a -= 1
    return a


@flat
def over_what_differs(a: int, b: int) -> int:
    total = 0
    for k in range(a & 3):
        total += k
    return total


@flat
def divided_by_what_differs(a: int, b: int) -> int:
    return a // b


@flat
def by_names(a: int, b: int) -> int:
    return 100 * LANES + WIDTH  # type: ignore[no-any-return]


@flat
def by_one(a: int, b: int) -> int:
    return (a & 255) % 1 + (a & 255) // 1


@flat
def very_long(a: int, b: int) -> int:
    for _ in range(64):
        for _ in range(64):
            for _ in range(64):
                a += b
    return a


@flat
def beyond_a_row(s: Any, a: int, b: int) -> int:
    return s.row[a]  # type: ignore[no-any-return]


def compiled(
    function: Callable[..., int], fields: bool, parts: Mapping[str, Any] | None = None
) -> Callable[[list[int], list[int], Sequence[list[int]]], Any]:
    """The function over rows of `COUNT` numbers; with `fields` over a record of four more, which it may change."""
    from llvmlite import ir

    number = ir.IntType(64)
    rows = 7 if fields else 3
    module = ir.Module()
    written = ir.Function(module, ir.FunctionType(ir.VoidType(), [number.as_pointer()] * rows), "lanes")
    builder = ir.IRBuilder(written.append_basic_block())
    vectors = Vectors(builder, COUNT)
    spots = [builder.bitcast(each, vectors.kind(64).as_pointer()) for each in written.args]

    def loaded(row: int, low: int, high: int) -> Any:
        found = builder.load(spots[row], align=8)
        bits = Cell(None, low, high).bits
        return Lanes(builder.trunc(found, vectors.kind(bits)) if bits < 64 else found, low, high)

    bounds = [of_kind("i1"), of_kind("i1"), of_kind("i1"), (0, 0xFFFF)]
    cells = [Cell(loaded(3 + k, *each), *each) for k, each in enumerate(bounds)] if fields else []
    state = [Record({"row": cells[:2], "small": cells[2], "word": cells[3]})] if fields else []
    result = Predicated(vectors, parts or {}).call(
        function, [*state, loaded(0, *of_kind("i8")), loaded(1, *of_kind("i8"))]
    )
    for value, spot in zip([result, *(cell.content for cell in cells)], spots[2:], strict=True):
        builder.store(vectors.at_width(value, 64), spot, align=8)
    builder.ret_void()
    return run_by(str(module))


def run_by(text: str) -> Callable[..., Any]:
    """What calls the code with rows of numbers; it returns them as they are then."""
    from numba.core.registry import cpu_target  # it makes LLVM ready

    assert cpu_target.target_context is not None
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten()
    )
    engine = binding.create_mcjit_compiler(binding.parse_assembly(text), machine)
    engine.finalize_object()

    def run(*rows: Sequence[int]) -> list[list[int]]:
        held = [(ctypes.c_int64 * COUNT)(*row) for row in rows]
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(held))(engine.get_function_address("lanes"))(*held)
        return [list(row) for row in held]

    return run


def numbers(lots: random.Random) -> list[int]:
    """A number a lane, many of them where a width ends."""
    return [lots.choice((*NEAR, *NEAR, *FAR, lots.randrange(-300, 300))) for _ in range(COUNT)]


@pytest.mark.parametrize("function", [by_branches, by_bits, by_tables, by_one, with_a_mersenne_prime])
def test_each_lane_has_what_the_function_returns(function: Callable[[int, int], int]) -> None:
    """Branches, early returns, loops, bits, tables and rests, at the ends of all widths."""
    run, lots = compiled(function, False), random.Random(1)
    for _ in range(ROUNDS):
        a, b = numbers(lots), numbers(lots)
        found = run(a, b, [0] * COUNT)[2]
        assert found == [function(one, other) for one, other in zip(a, b, strict=True)]


@pytest.mark.parametrize("function", [by_cells, after_a_return])
def test_each_lane_has_its_own_state(function: Callable[..., int]) -> None:
    """Writes under a mask, also within a call, and at a place that differs from lane to lane."""
    run, lots = compiled(function, True), random.Random(2)
    for _ in range(ROUNDS):
        a, b = ([lots.randrange(-128, 128) for _ in range(COUNT)] for _ in range(2))
        fields = [[lots.randrange(-100, 100) for _ in range(COUNT)] for _ in range(3)] + [list(range(COUNT))]
        found = run(a, b, [0] * COUNT, *fields)[2:]
        for lane in range(COUNT):
            first, second, small, word = (row[lane] for row in fields)
            s = SimpleNamespace(row=[first, second], small=small, word=word)
            wanted = [function(s, a[lane], b[lane]), *s.row, s.small, s.word]
            assert [row[lane] for row in found] == wanted


@pytest.mark.parametrize("function", [without_an_end, very_long, over_what_differs, divided_by_what_differs])
def test_what_no_vector_can_do_is_refused(function: Callable[..., int]) -> None:
    """Loops of unknown length, or too many in each other; divisions that Python and vectors round differently."""
    with pytest.raises(NoLanesError):
        compiled(function, False)


def test_a_module_s_own_names_are_its_own() -> None:
    """Only what a module leaves open is supplied to it."""
    run = compiled(by_names, False, {"LANES": 64, "WIDTH": 7})
    assert run([0] * COUNT, [0] * COUNT, [0] * COUNT)[2] == [1007] * COUNT


def test_a_place_that_may_be_outside_of_a_row_is_refused() -> None:
    """Python counts such places from the end, or raises; a vector would do neither."""
    with pytest.raises(NoLanesError, match="outside"):
        compiled(beyond_a_row, True)


def test_a_function_whose_source_is_another_is_refused() -> None:
    """What was defined anew in a running process is not what its file says."""

    def moved_on(a: int, b: int) -> int:
        return a - b

    changed = flat(lambda a, b: a)
    with pytest.raises(NoLanesError):
        compiled(changed, False)
    twin = flat(moved_on)
    for change in ({"co_code": by_branches.__code__.co_code}, {"co_consts": (1,)}):
        twin.__code__ = moved_on.__code__.replace(**change)  # type: ignore[arg-type]
        with pytest.raises(NoLanesError, match="changed"):
            compiled(twin, False)
