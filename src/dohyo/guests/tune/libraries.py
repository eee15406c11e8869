"""NumPy, and the model that needs SciPy. Importing this raises `OperatorError` where they are not installed."""

from __future__ import annotations

from typing import TypeAlias

from dohyo.core.errors import OperatorError

try:
    import numpy as np
    from numpy.typing import NDArray

    from dohyo.guests.tune.model import Model
except ImportError as error:
    raise OperatorError("needs-tune") from error

Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Floats", "Model", "np"]
