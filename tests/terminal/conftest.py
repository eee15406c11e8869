"""What these tests share with those of commands."""

from __future__ import annotations

from tests.cli.conftest import folder, typed

__all__ = ["folder", "typed"]
