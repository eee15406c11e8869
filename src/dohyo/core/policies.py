"""Flat policies, `policy(s, seat, options, count, luck)`: weaker forms, and one asked in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from dohyo.core.cheap_random import LUCK, below, mixed
from dohyo.core.flat import MASK32, Layout, flat, row_of

if TYPE_CHECKING:
    from dohyo.core.game import Game, State

Function = TypeVar("Function", bound=Callable[..., Any])
Field = tuple[str, str, int]  # of a layout: its name, its kind, its length


def flat_in(*room: Field) -> Callable[[Function], Function]:
    """Mark a flat policy that thinks in fields of its own: `(name, kind, length)` each, as of a `Layout`.

    Whoever runs it has them in the `luck` that it is given. What stands in them before a call is unknown.
    """

    def mark(function: Function) -> Function:
        function.__room__ = room  # type: ignore[attr-defined]
        return flat(function)

    return mark


def room_of(*policies: Any, given: Sequence[Field] = ()) -> tuple[Field, ...]:
    """The fields that these policies think in, behind those `given`, each once.

    Raises `ValueError` for a name that stands for two kinds of fields.
    """
    found: dict[str, Field] = {}
    for each in (*given, *(field for policy in policies for field in getattr(policy, "__room__", ()))):
        if found.setdefault(each[0], each) != each:
            raise ValueError(f"two policies think in a field {each[0]!r}, and mean different ones")
    return tuple(found.values())


# What stands for these in a function that `graded` has made; no name that anything else leaves open.
_GRADED_POLICY: Any = None
_GRADED_SHARE: Any = None


@flat
def _graded(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    if below(luck, 100) < _GRADED_SHARE:
        return _GRADED_POLICY(s, seat, options, count, luck)  # type: ignore[no-any-return]
    return options[below(luck, count)]  # type: ignore[no-any-return]


@cache
def graded(policy: Callable[..., int], share: int) -> Callable[..., int]:
    """The policy that plays as `policy` in `share` of 100 decisions, each by lot, and any legal action in the others.

    It is flat if that one is, and thinks in the same fields. Raises `ValueError` for a share outside of 0 to 100.
    """
    if not 0 <= share <= 100:
        raise ValueError(f"a policy plays as itself in 0 to 100 of 100 decisions, not in {share}")
    given = {"below": below, "_GRADED_POLICY": policy, "_GRADED_SHARE": share}
    made = FunctionType(_graded.__code__, given, _graded.__name__)
    made.__module__ = _graded.__module__
    return flat_in(*room_of(policy))(made)


def ungraded(policy: Callable[..., Any]) -> Callable[..., Any]:
    """The policy that this one is a weaker form of; itself, if it is none."""
    found: Callable[..., Any] = policy.__globals__.get("_GRADED_POLICY") or policy
    return found


class Asked:
    """A flat policy that is asked state by state, in plain Python; what it draws follows from `seed`."""

    def __init__(self, game: Game, policy: Callable[..., int], seed: int = 0) -> None:
        self._game, self._policy = game, policy
        self._luck = Layout("Asked", *LUCK.fields, *room_of(policy)).new()
        self._options = row_of(game.rules.ACTIONS)
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Draw anew, as one that was made with this seed."""
        self._luck.word = mixed((seed & MASK32) ^ mixed(seed >> 32 & MASK32))

    def choose(self, state: State, seat: int) -> int:
        """The action of a seat that acts; the state stays as it is.

        What the policy returns that is no action at all counts as the first legal one, as in a compiled loop.
        """
        rules = self._game.rules
        s = rules.LAYOUT.copy(state)
        count = rules.legal(s, seat, self._options)
        action = self._policy(s, seat, self._options, count, self._luck)
        return int(action) if 0 <= action < rules.ACTIONS else self._options[0]
