"""The box: strangers' programs run in it, so that they harm neither the machine nor each other.

It rewrites how a program is started; who starts programs need not know it (`dohyo.core.house`).
"""

from dohyo.box.choice import MODES, Box, Layer, at_layer, choose, strongest, survey
from dohyo.box.limits import FOR_BUILDING, Limits

__all__ = ["FOR_BUILDING", "MODES", "Box", "Layer", "Limits", "at_layer", "choose", "strongest", "survey"]
