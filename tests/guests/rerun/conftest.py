"""What the tests of `dohyo rerun` share with those of other commands."""

from __future__ import annotations

from tests.cli.conftest import folder, typed

__all__ = ["folder", "typed"]
