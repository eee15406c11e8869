"""The old names of `dohyo.search.backend`, for bots that were written for earlier versions."""

from __future__ import annotations

from dohyo.search.backend import backend_of as rooms_of
from dohyo.search.backend import field, put_field

__all__ = ["field", "put_field", "rooms_of"]
