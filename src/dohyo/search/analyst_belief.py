"""What a seat could know in a match whose truth is at hand: for its analysis, never for who plays it.

The worlds of a turn are made as `dohyo.search.belief` makes them, with help: turn by turn, dice fall as they did (but
for the dice before the first turn, of which a seat was told a part at most: see `redealing`); where too few worlds
fit, the others' true actions are tried too; and where none fits, the true state stands for all.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import Layout, flat
from dohyo.core.game import Game, State
from dohyo.search.backend import backend_of, field, parts_of, put_field, workspace_of
from dohyo.search.belief import ENOUGH, NONE, WORLDS, is_as_told
from dohyo.search.playout import PLAYED
from dohyo.search.redealing import Deal, redeals

# The names that are left open here: the rules', and `put`, see `dohyo.search.playout`.
acts: Any = None
legal: Any = None
needs_dice: Any = None
roll: Any = None
deal: Any = None
step: Any = None
over: Any = None
put: Any = None

SOME, FIRST = 500, 20  # tries between two looks at the clock, and before the first where time is short
MAX_TRIES = 200_000, 500  # in a turn, compiled and in plain Python
MORE = 5  # times as many for the first worlds: all that the dice put down at the start has to fit
PART = 10  # of them are tried, before numbers of the deal are looked at one by one
LED = 100, 10  # ways that the others' first turns may have gone, for a deal, compiled and in plain Python
TRUTH = 70  # of 100 others' actions, where no other way leads on


def turn_layout(dice: int, seats: int, prompt_bytes: int) -> Layout:
    """The fields of what is known of a turn, and of what the seat was sent after it."""
    return Layout(
        "Known",
        ("seat", "i8", 0),  # whose knowledge it is
        ("played", "i8", 0),  # 1: a turn was played; 0: the dice's move before the first one
        ("lead", "i8", 0),  # turns of others alone after that move, before the seat is asked for the first time
        ("rolled", "i8", 0),  # how many numbers of the dice are known; -1: they are to be rolled, if there are any
        ("asked", "i8", 0),  # 1: the seat acts next
        ("length", "i8", 0),  # of the text that it was sent
        ("truth", "i8", 0),  # of 100 others' actions so many are the true ones, where they are legal
        ("actions", "i8", seats),  # by seat: its action; -1 for who did not act
        ("dice", "i8", max(dice, 1)),
        ("sent", "i2", prompt_bytes),
    )


@flat
def follow_worlds(
    worlds: Any,
    count: int,
    found: Any,
    already: int,
    wanted: int,
    tries: int,
    states: Any,
    source: Any,
    scratch: Any,
    known: Any,
    text: Any,
) -> int:
    """Fill `found`, behind what is there `already`, with worlds that may follow on the first `count` worlds.

    Returns how many there are then, `wanted` at most.
    """
    made = already
    for _tried in range(tries):
        if made >= wanted:
            break
        put(states, PLAYED, worlds, below(scratch, count))
        s = states[PLAYED]
        if known.played == 1:
            play_known(s, scratch, known)
        if needs_dice(s) and (known.played == 0 or not over(s)):
            if known.rolled == NONE:
                roll(s, source, scratch.dice)
                deal(s, scratch.dice, None)
            else:
                deal(s, known.dice, None)
        for _ in range(known.lead):
            if not over(s):
                play_known(s, scratch, known)
        if is_so(s, known, text):
            put(found, made, states, PLAYED)
            made += 1
    return made


@flat
def play_known(s: Any, scratch: Any, known: Any) -> None:
    """Play a turn: the seat's own action as it was, the others' any legal one."""
    for seat in range(scratch.seats):
        if acts(s, seat):
            scratch.actions[seat] = known.actions[seat]
            if seat != known.seat:
                count = legal(s, seat, scratch.options)
                true = False
                if known.truth > 0 and below(scratch, 100) < known.truth:
                    for i in range(count):
                        if scratch.options[i] == known.actions[seat]:
                            true = True
                if not true and count > 0:
                    scratch.actions[seat] = scratch.options[below(scratch, count)]
    step(s, scratch.actions, None)


@flat
def is_so(s: Any, known: Any, text: Any) -> bool:
    """Whether the seat would have been sent just this in a state, or nothing."""
    if over(s):
        return False
    if not acts(s, known.seat):
        return known.asked == 0  # type: ignore[no-any-return]
    return known.asked == 1 and is_as_told(s, known, text)


class AnalystBelief:
    """The worlds that a seat may take for the true one, turn by turn, or the true one where none is found.

    `worlds` are the states before the next turn, for `Search.assess`. `is_true` says that no other world was found
    that fits, and the true state stands there alone: then the seat is treated as if it knew everything. Worlds of
    later turns follow from that. `seconds` limits how long worlds are looked for in a turn; without it, the same
    worlds are found each time.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        seat: int,
        *,
        compiled: bool = True,
        size: int = WORLDS,
        seed: int = 0,
        beside: AnalystBelief | None = None,
    ):
        """`beside` is that of another seat of the same match: both use the same machine code, which is large.

        Raises `OperatorError` for `compiled` without the extra `fast`.
        """
        self.game, self.seat, self.size, self.is_true = game, seat, size, True
        self._seats = seats
        self._layout = game.rules.LAYOUT
        self._backend = backend_of(compiled)
        dice = {name: getattr(game.rules, name) for name in ("needs_dice", "roll", "deal")}  # at the start, too
        parts = {**parts_of(game, seats, None, None, None), **dice, "prompt": game.protocol.prompt}
        self._follow: Any = beside._follow if beside else self._backend.over(self._layout, follow_worlds, parts)
        self._workspace = workspace_of(self._backend, game, seats, seed)
        self._rows = [self._backend.blank(self._layout, size) for _ in range(2)]
        length = game.protocol.PROMPT_BYTES
        self._known = self._backend.blank(turn_layout(game.rules.DICE, seats, length), 1)[0]
        self._text = bytearray(length)
        self._count = 0
        kind = 0 if compiled else 1
        self._most, self._led = MAX_TRIES[kind], LED[kind]
        self._dice: Sequence[int] = ()
        self._lead: int | None = 0
        put_field(self._known, "seat", seat)
        self.seconds: float | None = None
        if compiled and not beside:
            self._follow(*self._rows[:1], 0, self._rows[1], 0, 0, 0, *self._workspace, self._known, self._text)

    @property
    def worlds(self) -> Any:
        """The states that fit, as a row of them."""
        return self._rows[0][: self._count]

    def begin(self, start: State, dice: Sequence[int], before: State) -> None:
        """The match begins: `start` is the state before the first dice, `before` the true one after them."""
        self._replace(start)
        self._start = self._true = start
        self._dice, self._lead = dice, 0
        self._first(before)

    def follow(self, actions: Sequence[int | None], dice: Sequence[int], before: State) -> None:
        """A turn was played with these actions, one for each seat; `before` is the true state before the next one."""
        row = field(self._known, "actions")
        for seat, action in enumerate(actions):
            row[seat] = NONE if action is None else action
        if self._lead is not None and not dice and actions[self.seat] is None:
            self._lead += 1
            self._first(before)
            return
        if self._lead is not None:
            self._replace(self._true)  # never asked until now, or dice came in between
        self._lead = None
        self._told(before)
        self._take_dice(dice)
        self._set(played=1, lead=0, truth=0)
        if self._go_on(self._most) < ENOUGH:
            self._set(truth=TRUTH)
            if not self._go_on(self._most // 10 + 1):
                self._replace(before)

    def _first(self, before: State) -> None:
        """Make the first worlds, if the seat is asked now: only then does it learn something."""
        self._true = before
        if not self._told(before):
            return
        lead, self._lead = self._lead, None
        self._set(played=0, rolled=NONE, lead=lead or 0, truth=0)
        few = self._dice and self._go_on(self._most // PART) < ENOUGH
        if not self._dice or (few and not self._redeal() and self._go_on(MORE * self._most) < ENOUGH):
            self._take_dice(self._dice)
            self._set(truth=TRUTH)
            if not self._go_on(self._most // 10 + 1):
                self._replace(before)

    def _redeal(self) -> bool:
        """Make the first worlds by drawing anew what the seat was not told of the deal; whether that worked."""
        self._replace(self._start)
        (start, found), given = self._rows, (*self._workspace, self._known, self._text)
        end = None if self.seconds is None else time.monotonic() + self.seconds
        tries = self._led if field(self._known, "lead") else 1
        made = 0

        def add(deal: Deal, already: int) -> int:
            self._take_dice(deal)
            return int(self._follow(start, 1, found, already, already + 1, tries, *given))

        for deal in redeals(self.game, self._seats, self._start, self._dice, lambda deal: add(deal, 0) > 0, end):
            made = add(deal, made)
            if made == self.size or (made >= ENOUGH and end is not None and time.monotonic() >= end):
                break
        if made >= ENOUGH:
            self._rows.reverse()
            self._count, self.is_true = made, False
            return True
        self._set(rolled=NONE)
        return False

    def _go_on(self, tries: int) -> int:
        """Make the worlds of the next turn; returns how many there are. With none, the old ones stay."""
        before, after = self._rows
        given = (*self._workspace, self._known, self._text)
        end = None if self.seconds is None else time.monotonic() + self.seconds
        made = tried = 0
        while tried < tries and made < self.size:
            some = min(SOME if end is None else max(FIRST, min(SOME, tried)), tries - tried)
            made = int(self._follow(before, self._count, after, made, self.size, some, *given))
            tried += some
            if (made >= ENOUGH and 10 * tried >= tries) or (end is not None and time.monotonic() >= end):
                break
        if made:
            self._rows.reverse()
            self._count, self.is_true = made, False
        return made

    def _replace(self, state: State) -> None:
        """This state is the only world."""
        self._rows[0] = self._backend.blank(self._layout, self.size)
        self._rows[0][0] = self._backend.worlds(self._layout, [state])[0]
        self._count, self.is_true = 1, True

    def _set(self, **fields: int) -> None:
        """Write fields of what is known."""
        for name, value in fields.items():
            put_field(self._known, name, value)

    def _told(self, before: State) -> bool:
        """Note what the seat is sent in a state; returns whether it is sent anything."""
        asked = bool(self.game.rules.acts(before, self.seat)) and not self.game.rules.over(before)
        put_field(self._known, "asked", int(asked))
        if asked:
            sent = self.game.prompt(before, self.seat)
            put_field(self._known, "length", len(sent))
            field(self._known, "sent")[: len(sent)] = list(sent)
        return asked

    def _take_dice(self, dice: Sequence[int]) -> None:
        """Note how the dice fell."""
        put_field(self._known, "rolled", len(dice))
        field(self._known, "dice")[: len(dice)] = list(dice)


def beliefs_of(game: Game, seats: int, followed: Iterable[int], *, compiled: bool = True) -> list[AnalystBelief]:
    """One for each of these seats of a match of so many, in their order. Raises what `AnalystBelief` raises."""
    found: list[AnalystBelief] = []
    for seat in followed:
        found.append(AnalystBelief(game, seats, seat, compiled=compiled, beside=found[0] if found else None))
    return found
