"""The box: strangers' programs run in it, so that they harm neither the machine nor each other.

It rewrites how a program is started; who starts programs need not know it (`dohyo.core.house`).
"""

from dohyo.sandbox.choice import MODES, WEAKEST_REQUIRED, Box, Layer, at_layer, choose, strongest, survey
from dohyo.sandbox.limits import FOR_BUILDING, FOR_READING, Limits
from dohyo.sandbox.machine import Lack, Machine, lacks, look

__all__ = [
    "FOR_BUILDING",
    "FOR_READING",
    "MODES",
    "WEAKEST_REQUIRED",
    "Box",
    "Lack",
    "Layer",
    "Limits",
    "Machine",
    "at_layer",
    "choose",
    "lacks",
    "look",
    "strongest",
    "survey",
]
