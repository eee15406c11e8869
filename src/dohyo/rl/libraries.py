"""The libraries for which there are environments: an extra, which may not be installed."""

from __future__ import annotations

import importlib

from dohyo.core.errors import OperatorError


def require(*names: str) -> None:
    """Import these modules. Raises `OperatorError` for one that is not installed."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise OperatorError("needs-rl", library=name) from error
