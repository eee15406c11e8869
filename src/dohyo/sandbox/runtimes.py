"""What interpreters have to be told of a limit on memory, so that they collect their garbage before they reach it.

In the box they cannot see the control group; they would take the whole machine's memory for theirs, and a bot would
be stopped for garbage that was never collected.
"""

from __future__ import annotations

from dohyo.languages import with_memory as told

__all__ = ["told"]
