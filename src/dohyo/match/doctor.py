"""What this machine can do for bots: the sandbox that they run in, and the languages that they may be written in."""

from __future__ import annotations

import msgspec

from dohyo.bots.cache import location
from dohyo.bots.tools import FoundTool, Tools
from dohyo.sandbox import strongest
from dohyo.sandbox.machine import Lack, Layer, Machine, lacks, look, survey


class Diagnosis(msgspec.Struct, frozen=True):
    """Facts about the machine, every layer of the sandbox, the number of the layer in use, what is missing for a
    stronger one, and every language."""

    machine: Machine
    layers: list[Layer]
    taken: int
    lacks: list[Lack]
    languages: list[FoundTool]


def diagnose(python: str | None = None) -> Diagnosis:
    """Examine this machine. Raises `OperatorError` if there is no interpreter `python`."""
    machine, layers = look(), survey()
    languages = Tools(location(), python).survey()
    return Diagnosis(machine, layers, strongest().layer, lacks(machine, layers), languages)
