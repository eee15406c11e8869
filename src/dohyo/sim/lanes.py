"""Rollouts of `LANES` games at once by each instruction: random play by vectors, of rules that can be played so.

Theory of operation
-------------------
What a turn is, the flat functions say that all loops run (`dohyo.sim.turns` and the rules); `dohyo.sim.predicated`
makes code of them that plays a turn in all lanes. The states of some slots are brought into vectors, played on by so
many turns, and brought back. A lane whose game ends goes on with the next one within the same turn. As most turns end
some lane's game, and to begin one in all lanes costs as much as in one, each lane's next game is there beforehand;
when a lane needs one that is not there, all lanes get theirs.

Each lane has its own numbers, and draws them in the order in which the plain loop does: all states are the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dohyo.core.cheap_random import below, match_seed
from dohyo.core.flat import WIDTH, flat
from dohyo.core.game import Game, Turns, no_dice
from dohyo.sim import turns
from dohyo.sim.compiled import digest_over, import_numba
from dohyo.sim.lanes_code import Beginning, Given, LargeError, RollCode, Shape
from dohyo.sim.turns import Games, begin, begin_blank, clear, mover_of, roll_on
from dohyo.sim.whole_program import CompiledLoop

OWN = ("lanes.py", "lanes_code.py", "predicated.py", "vectors.py")
VERSION = str([zlib.crc32(Path(__file__).with_name(name).read_bytes()) for name in OWN])  # of what writes the code

LANES_TOGETHER = 64
QUARTER = 4 * 256  # bits of a quarter of AVX2's registers
MANY = 1 << 30  # turns of a game, and of a rollout, that are counted in 32 bits

# Left open here, and supplied when it is compiled.
LANES: Any = None
DEALS: Any = None  # 1 where the dice move before a game's first turn
needs_dice: Any = None
play_lanes: Any = None
acts: Any = None
count_legal: Any = None
kth_legal: Any = None
step: Any = None
SEATS: Any = None


@flat
def roll_lanes_span(first: int, last: int, games: Games, scratch: Any, wins: Any, steps: int) -> None:
    """`roll_span` by random play, in lanes where so many slots are left."""
    slots = games.slots
    may = steps < MANY and (1 if needs_dice(games.blank[0]) else 0) == DEALS
    at = first
    while at < last:
        end = at + LANES if at + LANES < last else last
        together = may and at + LANES <= last
        for each in range(at, end):
            clear(each, games)
            if slots[each].ended == 1:
                begin(each, games, scratch[0].dice)
            if slots[each].turn >= MANY:
                together = False
        if together:
            together = play_lanes(
                at, games.states, games.blank, games.sources, slots, wins, games.low, games.high, steps
            )
        if not together:
            for each in range(at, end):
                roll_on(each, games, scratch[0], wins, steps)
        at = end


@flat
def lanes_turn(s: Any, slot: Any, actions: Any) -> None:
    """A turn of random play, as `dohyo.sim.turns.roll_on` plays it, in a game in which one moves at a time."""
    mover = mover_of(s, SEATS)
    k = below(slot, count_legal(s, mover, None))
    actions[mover] = kth_legal(s, mover, k, None)
    step(s, actions, None)


@flat
def lanes_begin(s: Any, source: Any, slot: Any, dice: Any, low: int, high: int, at: int, game: int) -> None:
    """Begin this game of the slot `at`, as `dohyo.sim.turns.begin` does, in a state that is the blank one."""
    begin_blank(s, source, slot, dice, match_seed(low, high, at, game))


@flat
def deals_first(s: Any) -> bool:
    """What stands for `needs_dice` where a game begins, in one whose dice move then."""
    return True


@flat
def deals_never(s: Any) -> bool:
    """The same, of a game without dice."""
    return False


BEGINNING = Beginning(lanes_begin, deals_first, deals_never)


class LanesLoop(CompiledLoop):
    """The loop of rollouts in lanes; the plain one, where Numba cannot compile it."""

    together = LANES_TOGETHER
    times_as_fast = 4
    is_told = False  # it comes by itself, in the middle of what somebody does, and takes some seconds

    def __init__(self, plain: CompiledLoop, game: Game, parts: Mapping[str, Any], shape: Shape) -> None:
        """`parts` stand for the names that loops leave open."""
        self.plain = plain
        what = digest_over([lanes_turn, lanes_begin], parts, (), f"{VERSION} {shape}")
        super().__init__([roll_lanes_span], parts, (), {"play_lanes": player(game, parts, shape)}, what)

    @property
    def is_plain(self) -> bool:
        """Whether the plain loop plays in its place."""
        return self._made is self.plain

    def _compiled(self, arguments: Any) -> Any:
        try:
            return super()._compiled(arguments)
        except Exception:  # as there: another version of Numba could fail in any way
            return self.plain


def in_lanes(plain: CompiledLoop, game: Game, parts: Mapping[str, Any]) -> LanesLoop | None:
    """The loop of rollouts in lanes; none where the rules cannot be played so, or this processor gains nothing.

    `parts` stand for the names that the plain loop of random play leaves open.
    """
    if not parts["SEATS"] or game.turns is not Turns.ALTERNATING:
        return None
    parts = {**parts, "LANES": LANES_TOGETHER, "DEALS": int(game.rules.needs_dice is not no_dice)}
    try:
        if import_numba().config.DISABLE_JIT or not processor_has("avx2") or plain.has_changed:
            return None
        return LanesLoop(plain, game, parts, shape_of(game, parts))
    except Exception:  # there may be no Numba, rules may be written in any way, and the plain loop plays them all
        return None


def processor_has(feature: str) -> bool:
    """Whether this processor can do what LLVM calls so; lanes have been measured from `avx2` on, 256 bits."""
    from llvmlite import binding  # type: ignore[import-untyped]

    return bool(binding.get_host_cpu_features().get(feature))


def shape_of(game: Game, parts: Mapping[str, Any]) -> Shape:
    """How this processor plays the game in lanes. Raises `NoLanesError` for rules that cannot be played so.

    With AVX-512, vectors may be longer than registers. Without it there are half as many registers of half the size:
    most time goes into moving what does not fit, unless all of a state's largest numbers fit into a quarter of them.
    """
    kinds = {name: 8 * WIDTH[kind] for name, kind, _ in game.rules.LAYOUT.fields}
    lanes = LANES_TOGETHER if processor_has("avx512bw") else QUARTER // max(kinds.values())
    small = {name for name, bits in kinds.items() if bits >= 32}
    while True:
        try:
            return tried(game, parts, Shape(lanes, LANES_TOGETHER // lanes, tuple(sorted(small))))
        except LargeError as error:
            small -= error.fields


def tried(game: Game, parts: Mapping[str, Any], shape: Shape) -> Shape:
    """This shape, after the code was written once. Raises `NoLanesError`."""
    from llvmlite import ir

    number = ir.IntType(64)
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), [number] * len(Given._fields)), "trial")
    write_roll(game, parts, shape, ir.IRBuilder(function.append_basic_block()), Given(*function.args))
    return shape


def write_roll(game: Game, parts: Mapping[str, Any], shape: Shape, builder: Any, given: Given) -> Any:
    """Write the code of `play_lanes`; its result. Raises `NoLanesError` for rules that cannot be played so."""
    return RollCode(game.rules, parts, turns.SLOT, builder, shape).write(given, lanes_turn, BEGINNING)


def player(game: Game, parts: Mapping[str, Any], shape: Shape) -> Any:
    """What compiled functions call as `play_lanes`."""
    from numba.core import types
    from numba.extending import intrinsic

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(place: int) -> Any:
            array = context.make_array(signature.args[place])(context, builder, arguments[place])
            return builder.ptrtoint(array.data, context.get_value_type(types.intp))

        at, low, high, steps = (arguments[place] for place in (0, 6, 7, 8))
        states, blank, sources, slots, wins = (address(place) for place in range(1, 6))
        given = Given(at, states, blank, sources, slots, wins, low, high, steps)
        return write_roll(game, parts, shape, builder, given)

    def play(
        typing: Any,
        at: Any,
        states: Any,
        blank: Any,
        sources: Any,
        slots: Any,
        wins: Any,
        low: Any,
        high: Any,
        steps: Any,
    ) -> Any:
        number = types.intp
        return types.boolean(number, states, blank, sources, slots, wins, number, number, number), emit

    return intrinsic(play)
