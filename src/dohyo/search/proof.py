"""Results that are proven: what a position is worth if both seats play as well as can be, as far as that is known.

A state and a limit in, what was proven out. The search itself is in `proof_numbers.py`.
"""

from __future__ import annotations

import enum
import time
from typing import Any

import msgspec

from dohyo.core.game import Chance, Game, Information, State, Turns
from dohyo.search import proof_numbers
from dohyo.search.backend import Backend, PlainBackend, field, put_field, rules_of, whole
from dohyo.search.keys import key_of
from dohyo.search.of_program import backend_of
from dohyo.search.proof_numbers import MOST_PLIES, PLIES, SEATS
from dohyo.search.uct import end_of

ENTRIES = 1 << 19  # of the table: 16 MiB
AT_ONCE = 1000  # positions that are looked at for one question, before the other one's turn
BUNDLE_SECONDS = 0.002  # how long compiled code runs between two checks of the clock
FIRST_BUNDLE, MOST_IN_A_BUNDLE = 64, 1 << 16
PARTS = ("acts", "legal", "step", "over", "places")  # of the rules


class Result(enum.IntEnum):
    """How a match ends for a seat."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class ProvenAction(msgspec.Struct, frozen=True):
    """A legal action, and what was proven of it for the seat that takes it; `result` and `plies` as in `Proven`."""

    action: int
    result: Result | None = None
    plies: int | None = None


class Proven(msgspec.Struct, frozen=True):
    """What was proven of a position.

    `result` is what `seat`, whose turn it is, gets if both play as well as can be; none where that is not known.
    `plies`: the match then ends within so many turns from here, if the winner plays as the proof does; it may be able
    to win sooner. `actions` are all legal ones, in the rules' order. `positions` were looked at. A match that is over
    has no actions, and the result is that of seat 0.
    """

    seat: int
    result: Result | None
    plies: int | None
    actions: tuple[ProvenAction, ...]
    positions: int

    @property
    def is_whole(self) -> bool:
        """Whether the position's result is proven, and that of every action."""
        return self.result is not None and all(one.result is not None for one in self.actions)

    def of(self, action: int) -> ProvenAction:
        """What was proven of one action. Raises `ValueError` for one that is not legal."""
        for one in self.actions:
            if one.action == action:
                return one
        raise ValueError(f"{action} is not legal here")


def is_provable(game: Game, seats: int = SEATS) -> bool:
    """Whether results of a game's positions can be proven: two seats that take turns, see all, and roll no dice after
    the start."""
    return (
        game.referee is None
        and seats == SEATS
        and game.seats[0] <= SEATS <= game.seats[1]
        and game.turns is Turns.ALTERNATING
        and game.chance is not Chance.EVERY_TURN
        and game.information is Information.PERFECT
    )


class Proof:
    """Proves wins, draws and losses, where two seats take turns, see all, and no dice roll after the start.

    A result is proven only if nothing in it rests on a horizon: each line was followed to the end of the match. Where
    it cannot be, nothing is said. It needs no value of positions; it is the stronger the fewer actions there are, and
    the more of them force an answer. Where a seat wins by it, the way there need not be the shortest.

    Positions are known again by 124 bits of a hash over all fields of the state. A game that counts its turns in the
    state has few positions that come twice, and is searched slowly; but nothing false is proven.

    `entries`, a power of two, is how many positions the table has room for. Raises `ValueError` for another kind of
    game, `OperatorError` for `compiled` without the extra `fast`.
    """

    def __init__(self, game: Game, *, compiled: bool = False, entries: int = ENTRIES) -> None:
        if not is_provable(game):
            raise ValueError(f"{game.name} is not a game of two seats that take turns, see all, and roll no dice")
        if entries < 2 or entries & (entries - 1):
            raise ValueError(f"`entries` is {entries}, and must be a power of two")
        self.game = game
        self._layout = game.rules.LAYOUT
        self._backend: Backend = backend_of(compiled)
        self.compiled = not isinstance(self._backend, PlainBackend)
        self._table_layout, self._entries = proof_numbers.table_layout(entries), entries
        rules = rules_of(game, SEATS)
        parts = {name: rules[name] for name in PARTS}
        parts |= {"key": key_of(self._layout), "count_legal": game.rules.count_legal}
        self._work = self._backend.over(self._layout, proof_numbers.work, parts)
        self._questions = tuple(_Question(self, seat) for seat in range(SEATS))
        self._generation = 0
        self._forget()
        self._bundle = FIRST_BUNDLE if self.compiled else 1
        if self.compiled:  # what is called now is compiled: it does nothing
            self._questions[0].go_on(0)

    def prove(
        self,
        state: State,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        until: float | None = None,
        keep: bool = False,
    ) -> Proven | None:
        """What can be proven of a position; none if it is nothing at all, or the dice of the start are not rolled.

        It takes `seconds`, lasts `until` a moment of `time.monotonic`, or looks at `playouts` positions, or a few
        more, whatever comes first; it ends when all is proven. The position's result comes first, then its actions'.
        The same number of positions proves the same, compiled or not. With `keep`, what earlier calls have found is
        used: for positions of one match. Raises `ValueError` if no limit is given.
        """
        end = end_of(seconds, until, playouts)
        if not keep:
            self._forget()
        self._generation += 1
        put_field(self._table, "generation", self._generation)
        if self.game.rules.needs_dice(state):  # they are still to be rolled at the start
            return None
        if self.game.rules.over(state):
            return Proven(0, self._ended(state, 0), 0, (), 0)
        return _Attempt(self, state, end, playouts).proven()

    def _forget(self) -> None:
        """Begin with an empty table."""
        self._table = self._backend.blank(self._table_layout, 1)[0]
        put_field(self._table, "mask", self._entries - 1)

    def _ended(self, state: State, seat: int) -> Result:
        """What a seat has got in a match that is over."""
        ranks = [0] * SEATS
        self.game.rules.places(state, ranks)
        return Result((ranks[seat] < ranks[1 - seat]) - (ranks[seat] > ranks[1 - seat]))

    def _row(self, state: State) -> Any:
        """A state as a row that the flat functions take. Raises `ValueError` for one that no match can come to."""
        return self._backend.worlds(self._layout, whole(self._backend, self.game, SEATS, [state]))

    def _resize(self, count: int, took: float) -> None:
        """Choose the size of the next bundle for the wanted time."""
        wanted = int(count * BUNDLE_SECONDS / max(took, 1e-6))
        self._bundle = max(FIRST_BUNDLE, min(wanted, 2 * self._bundle, MOST_IN_A_BUNDLE))


class _Question:
    """Whether a seat wins: its stack, and the positions from the root on."""

    def __init__(self, proof: Proof, seat: int) -> None:
        self._proof = proof
        self.seat = seat
        self.stack = proof._backend.blank(proof_numbers.stack_layout(proof.game.rules.ACTIONS), 1)[0]
        self._states = proof._backend.blank(proof._layout, PLIES + 2)
        self._nothing = proof._backend.blank(proof._layout, 1)
        put_field(self.stack, "seat", seat)
        put_field(self.stack, "done", 1)

    def begin(self, row: Any) -> None:
        """Ask it of a position."""
        self._call(proof_numbers.BEGIN, row, 0)

    def go_on(self, most: int) -> bool:
        """Search until so many positions were looked at since the beginning; whether nothing is left to search."""
        return bool(self._call(proof_numbers.GO_ON, self._nothing, most))

    def glance(self, row: Any) -> list[tuple[Result | None, int]]:
        """What is known of each action of a position, and within how many plies from after it."""
        count = self._call(proof_numbers.GLANCE, row, 0)
        numbers = (field(self.stack, name)[:count] for name in ("proof", "disproof", "plies"))
        return [(_settled(proof, disproof), int(plies)) for proof, disproof, plies in zip(*numbers, strict=True)]

    @property
    def nodes(self) -> int:
        """Positions that were looked at since the beginning."""
        return int(field(self.stack, "nodes"))

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to search."""
        return bool(field(self.stack, "done"))

    @property
    def answer(self) -> tuple[Result | None, int]:
        """WIN if the seat wins, LOSS if it does not, even if nobody does; and within how many plies."""
        if not self.is_done:
            return None, 0
        proof, disproof, plies = (int(number) for number in field(self.stack, "found"))
        return _settled(proof, disproof), plies

    def _call(self, task: int, row: Any, most: int) -> int:
        return int(self._proof._work(task, row, self._states, self.stack, self._proof._table, most))


def _settled(proof: int, disproof: int) -> Result | None:
    """What a position's two numbers say of the seat that is asked about."""
    return Result.WIN if proof == 0 else Result.LOSS if disproof == 0 else None


class _Attempt:
    """To prove what can be of one position, within a limit."""

    def __init__(self, proof: Proof, state: State, end: float, playouts: int | None) -> None:
        self._proof, self._state, self._end, self._left = proof, state, end, playouts
        self._positions = 0
        rules = proof.game.rules
        self._seat = 0 if rules.acts(state, 0) else 1
        self._actions = list(proof.game.legal_actions(state, self._seat))

    def proven(self) -> Proven | None:
        """What could be proven; none if it is nothing."""
        row = self._proof._row(self._state)
        for question in self._proof._questions:
            question.begin(row)
            self._spend(question.nodes)
        whole_result = self._ask(MOST_PLIES << 32)
        known = self._known(row)
        self._settle(known, [action for action, (result, _) in known.items() if result is None])
        result, plies = self._together(whole_result, known)
        if result is None and all(found is None for found, _ in known.values()):
            return None
        actions = (
            ProvenAction(action, found, None if found is None else within)
            for action, (found, within) in known.items()
        )
        return Proven(self._seat, result, None if result is None else plies, tuple(actions), self._positions)

    # --- searching

    def _ask(self, most: int) -> tuple[Result | None, int]:
        """Both questions in turn, of the position in hand, until so many positions were looked at."""
        asked = 0
        questions = [self._proof._questions[seat] for seat in (self._seat, 1 - self._seat)]
        while (found := self._answered())[0] is None and asked < most:
            open_ones = [question for question in questions if not question.is_done]
            if not open_ones:
                break
            for question in open_ones:
                before = question.nodes
                if not self._advance(question, before + AT_ONCE):
                    return self._answered()
                asked += question.nodes - before
        return found

    def _advance(self, question: _Question, target: int) -> bool:
        """Search for one question up to a number of its positions; whether there is time left."""
        proof = self._proof
        while not question.is_done and (before := question.nodes) < target:
            begin = time.monotonic()
            if begin >= self._end or (self._left is not None and self._left <= 0):
                return False
            some = min(proof._bundle, target - before, target if self._left is None else self._left)
            question.go_on(before + some)
            self._spend(question.nodes - before)
            if proof.compiled:
                proof._resize(some, time.monotonic() - begin)
        return True

    def _spend(self, positions: int) -> None:
        self._positions += positions
        if self._left is not None:
            self._left -= positions

    def _answered(self) -> tuple[Result | None, int]:
        """What both questions together say of their position, for the seat that is to move in the first one."""
        (mine, soon), (theirs, late) = (self._proof._questions[seat].answer for seat in (self._seat, 1 - self._seat))
        return _both(mine, soon, theirs, late)

    # --- actions

    def _known(self, row: Any) -> dict[int, tuple[Result | None, int]]:
        """What is known of each action now, and within how many plies of the position."""
        each = []
        for seat in (self._seat, 1 - self._seat):
            question = self._proof._questions[seat]
            each.append(question.glance(row))
            self._spend(question.nodes)
        found = {}
        for action, (mine, soon), (theirs, late) in zip(self._actions, *each, strict=True):
            result, plies = _both(mine, soon, theirs, late)
            found[action] = result, plies + 1
        return found

    def _settle(self, known: dict[int, tuple[Result | None, int]], missing: list[int]) -> None:
        """Ask both of the states after the actions that are missing: each for a while, then each for longer."""
        most = 2 * AT_ONCE
        rules, layout = self._proof.game.rules, self._proof.game.rules.LAYOUT
        stuck: set[int] = set()
        while missing and self._is_time():
            for action in missing:
                if not self._is_time():
                    return
                after = layout.copy(self._state)
                rules.step(after, [action] * SEATS, None)
                row = self._proof._row(after)
                for question in self._proof._questions:
                    question.begin(row)
                    self._spend(question.nodes)
                result, plies = self._ask(most)
                known[action] = result, plies + 1
                if result is None and all(question.is_done for question in self._proof._questions):
                    stuck.add(action)
            missing = [action for action in missing if known[action][0] is None and action not in stuck]
            most *= 2

    def _is_time(self) -> bool:
        return time.monotonic() < self._end and (self._left is None or self._left > 0)

    def _together(
        self, found: tuple[Result | None, int], known: dict[int, tuple[Result | None, int]]
    ) -> tuple[Result | None, int]:
        """The position's result: what was proven of it, or what follows from its actions, whichever is quicker."""
        wins = [plies for result, plies in known.values() if result is Result.WIN]
        if wins:
            return Result.WIN, min(wins)
        if found[0] is not None or any(result is None for result, _ in known.values()):
            return found
        best = max(result for result, _ in known.values() if result is not None)
        return best, max(plies for result, plies in known.values() if result is best)


def _both(mine: Result | None, soon: int, theirs: Result | None, late: int) -> tuple[Result | None, int]:
    """What follows for a seat from whether it wins, and whether the other one does; and within how many plies."""
    if mine is Result.WIN:
        return Result.WIN, soon
    if theirs is Result.WIN:
        return Result.LOSS, late
    if mine is Result.LOSS and theirs is Result.LOSS:
        return Result.DRAW, max(soon, late)
    return None, 0
