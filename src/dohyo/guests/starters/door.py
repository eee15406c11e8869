"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "new": Command("Make a folder to begin from, with what works at once.", "dohyo.guests.starters.command:app")
    }
)
