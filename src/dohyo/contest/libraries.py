"""NumPy and SciPy, as the statistics use them. Importing this raises `OperatorError` where they are not installed."""

from __future__ import annotations

from typing import Any, TypeAlias

from dohyo.core.errors import OperatorError

try:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import linalg, sparse, special  # type: ignore[import-untyped]
except ImportError as error:
    raise OperatorError("needs-stats") from error

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Floats", "Ints", "linalg", "np", "sparse", "special"]
