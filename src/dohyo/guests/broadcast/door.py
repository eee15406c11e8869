"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "watch": Command(
            "Watch a contest: the most interesting match, what happens in it, how the standings move.",
            "dohyo.guests.broadcast.command:app",
        )
    }
)
