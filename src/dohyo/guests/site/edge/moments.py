"""How a moment is written: the same for everybody, as a site's people may live anywhere."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(at: float) -> str:
    """A moment as HTML writes it, to the minute (UTC)."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%MZ")
