"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "rerun": Command(
            "Feed a bot what a seat was sent in a match, and show where its answers differ.",
            "dohyo.guests.rerun.command:app",
        )
    }
)
