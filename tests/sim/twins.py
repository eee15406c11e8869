"""The same games twice: on plain states, and compiled in arrays of records; held against each other at every turn.

Compared, byte for byte: the state, the dice and the source they came from, the events, the legal actions, every text
that a program would be sent, whether the match is over, who has won, and the places.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy

from dohyo.core import flat
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.sim import records
from tests.sim.loops import Loops


class DifferenceError(AssertionError):
    """Plain and compiled do not agree; the message names the field."""


class Twins:
    """`count` games of `game`, played by seeded random actions on both substrates.

    `rules` and `protocol` are the modules to compile, by default the game's own. `logged` says whether the compiled
    form gets event logs, or `None` in their place. `seen` counts what was compared.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int,
        setup: Mapping[str, Any] | None = None,
        seats: int | None = None,
        *,
        rules: Any = None,
        protocol: Any = None,
        logged: bool = True,
    ) -> None:
        self.game, self.count = game, count
        self.seats = game.seats[0] if seats is None else seats
        self.seen: Counter[str] = Counter()
        self.loops = Loops(rules or game.rules, protocol or game.protocol, logged)
        self._random = random.Random(seed)
        self._layouts = {
            "states": game.rules.LAYOUT,
            "sources": game.rules.SOURCE,  # a game may draw in its own way
            "events": flat.event_log(game.rules.EVENTS_A_TURN),
        }
        full = resolve(game.options, setup or {})
        self._plain = {
            "states": [game.new_state(full, self.seats) for _ in range(count)],
            "sources": [game.source(seed + n) for n in range(count)],
            "events": [game.new_events() for _ in range(count)],
        }
        self._compiled = {name: records.blank(layout, count) for name, layout in self._layouts.items()}
        for name in ("states", "sources"):
            for n in range(count):
                records.write(self._layouts[name], self._compiled[name], n, self._plain[name][n])
        self._rows = _rows(game, count, self.seats)
        self._buffer = bytearray(game.protocol.PROMPT_BYTES)

    def play(self, most_turns: int = 1_000_000) -> None:
        """Play until every game is over, or for `most_turns`. Raises `DifferenceError` at the first difference."""
        playing = list(range(self.count))
        for turn in range(most_turns):
            self._compare(self._deal(playing, turn), "events", "sources", "states")
            playing = self._look(playing)
            if not playing:
                break
            self._step(playing)
            self._compare(playing, "events", "states")
        self._judge()

    def _deal(self, playing: list[int], turn: int) -> list[int]:
        """The dice move where they are to; in which games that was."""
        rules, rows = self.game.rules, self._rows
        self.loops.deal(*self._compiled.values(), rows.over, rows.dice, rows.counts, turn)
        counts = rows.counts.tolist()
        dice = rows.dice.tolist() if max(counts) >= 0 else ()
        row = flat.row_of(max(1, rules.DICE))
        rolled = []
        for n in playing:
            state, source, events = (self._plain[name][n] for name in ("states", "sources", "events"))
            events.count = 0
            count = -1
            if rules.needs_dice(state):
                self._equal(n, "whether the dice move", counts[n] >= 0, True)
                source.turn, source.draw = turn, 0
                count = rules.roll(state, source, row)
                rules.deal(state, row, events)
                rolled.append(n)
                self._equal(n, "dice", dice[n][: counts[n]], row[:count])
                self.seen["dice"] += count
            self._equal(n, "number of dice", counts[n], count)
        return rolled

    def _look(self, playing: list[int]) -> list[int]:
        """What everybody is sent and may do, and the random actions chosen from that; which games go on."""
        rules, rows = self.game.rules, self._rows
        self.loops.look(self._compiled["states"], rows.over, rows.options, rows.legal, rows.lengths, rows.texts)
        over, legal, lengths = rows.over.tolist(), rows.legal.tolist(), rows.lengths.tolist()
        options, texts = rows.options.tolist(), rows.texts.tobytes()
        width = len(self._buffer)
        going_on = []
        for n in playing:
            state = self._plain["states"][n]
            self._equal(n, "over", bool(over[n]), bool(rules.over(state)))
            if over[n]:
                continue
            going_on.append(n)
            for seat in range(self.seats):
                acts = bool(rules.acts(state, seat))
                self._equal(n, "acts", legal[n][seat] >= 0, acts)
                if not acts:
                    continue
                mine = list(self.game.legal_actions(state, seat))
                self._equal(n, "legal", options[n][seat][: legal[n][seat]], mine)
                at = (n * self.seats + seat) * width
                text = texts[at : at + lengths[n][seat]]
                self._equal(n, "prompt", text, self._buffer[: self.game.protocol.prompt(state, seat, self._buffer)])
                rows.actions[n, seat] = self._random.choice(mine)
                self.seen["prompts"] += 1
        self.seen["turns"] += len(going_on)
        return going_on

    def _step(self, playing: list[int]) -> None:
        """Every game that goes on plays a turn."""
        self.loops.step(self._compiled["states"], self._compiled["events"], self._rows.over, self._rows.actions)
        actions, step = self._rows.actions.tolist(), self.game.rules.step
        for n in playing:
            events = self._plain["events"][n]
            events.count = 0
            step(self._plain["states"][n], actions[n], events)
            self.seen["events"] += events.count

    def _judge(self) -> None:
        """How the games ended."""
        rules, rows = self.game.rules, self._rows
        self.loops.judge(self._compiled["states"], rows.winners, rows.reasons, rows.places)
        winners, reasons, places = rows.winners.tolist(), rows.reasons.tolist(), rows.places.tolist()
        row = flat.row_of(self.seats)
        for n, state in enumerate(self._plain["states"]):
            self._equal(n, "reason", reasons[n], rules.places(state, row))
            self._equal(n, "places", places[n], row)
            self._equal(n, "winner", winners[n], rules.winner(state))
            self.seen[f"ended by {rules.REASONS[reasons[n]]}"] += 1

    def _compare(self, playing: list[int], *names: str) -> None:
        """Every field of these games, byte for byte; of the events, up to their count."""
        for name in names if playing else ():
            if name == "events" and not self.loops.logged:
                continue
            layout, theirs, mine = self._layouts[name], self._compiled[name], self._plain[name]
            size, width = layout.size, theirs.dtype.itemsize
            packed = theirs.tobytes()
            for n in playing:
                plain = mine[n]
                used = 4 + 4 * flat.EVENT_WIDTH * plain.count if name == "events" else size
                if packed[n * width : n * width + used] != layout.pack(plain)[:used]:
                    self._name_field(n, name)
            self.seen[f"compared {name}"] += len(playing)

    def _name_field(self, n: int, name: str) -> None:
        """Raise for the first field that differs."""
        layout, plain = self._layouts[name], self._plain[name][n]
        other = records.read(layout, self._compiled[name], n)
        for field, _, _ in layout.fields:
            self._equal(n, f"field '{field}' of the {name}", getattr(other, field), getattr(plain, field))
        raise DifferenceError(f"the bytes of the {name} differ in game {n}")

    def _equal(self, game: int, what: str, compiled: Any, plain: Any) -> None:
        if compiled != plain:
            raise DifferenceError(f"{what} differs in game {game}: compiled {compiled!r}, plain {plain!r}")


def _rows(game: Game, count: int, seats: int) -> SimpleNamespace:
    """The arrays that compiled functions fill, one row a game."""

    def whole(*shape: int) -> Any:
        return numpy.zeros((count, *shape), numpy.int64)

    return SimpleNamespace(
        dice=whole(max(1, game.rules.DICE)),
        counts=whole(),
        over=whole(),
        options=whole(seats, game.rules.ACTIONS),
        legal=whole(seats),
        lengths=whole(seats),
        texts=numpy.zeros((count, seats, game.protocol.PROMPT_BYTES), numpy.uint8),
        actions=whole(seats),
        winners=whole(),
        reasons=whole(),
        places=whole(seats),
    )
