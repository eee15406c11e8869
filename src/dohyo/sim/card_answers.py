"""What a game answers to an illegal action, found out beforehand: a card cannot ask."""

from __future__ import annotations

import dis
from types import FunctionType

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.sim import kernels

DEFAULT_ANSWER = ("dohyo.core.game", "protocol_defaults.<locals>.answer")


def constant_answer(game: Game) -> int:
    """The game's own answer to an illegal action, where that is always the same, or the first legal action.

    `kernels.NO_ANSWER` where it is neither: then the host has to ask the game.
    """
    answer = game.protocol.answer
    if (getattr(answer, "__module__", ""), getattr(answer, "__qualname__", "")) == DEFAULT_ANSWER:
        return next(iter(game.rules.CONCESSIONS), kernels.FIRST_LEGAL)
    if not isinstance(answer, FunctionType) or answer.__closure__:
        return kernels.NO_ANSWER
    if _names_read(answer) & {*answer.__code__.co_varnames[:2]} or {"code", "values"} & {*answer.__code__.co_names}:
        return kernels.NO_ANSWER  # it looks at the state, the seat, or what was wrong with the action
    return int(answer(None, 0, Fault(FaultKind.ILLEGAL)))


def _names_read(function: FunctionType) -> set[str]:
    """The arguments and variables that a function uses."""
    used = [step.argval for step in dis.get_instructions(function) if "FAST" in step.opname]
    return {name for each in used for name in (each if isinstance(each, tuple) else (each,))}
