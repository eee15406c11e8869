"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "verify": Command(
            "Tell whether results can be trusted: a store, results, a replay.",
            "dohyo.guests.verify.command:app",
            group="contest",
            place=2,
        ),
        "contest verify": Command(
            "Look whether all that a store holds is what was played.",
            "dohyo.guests.verify.contest_command:app",
            group="store",
            place=1,
        ),
    }
)
