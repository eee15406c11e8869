"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "watch": Command(
            "Watch a contest: its most interesting match, and the standings.",
            "dohyo.guests.broadcast.command:app",
            group="play",
            place=3,
        )
    }
)
