"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "coach": Command(
            "Say what costs a bot the most points over all its matches.",
            "dohyo.guests.coach.command:app",
            group="improve",
            place=3,
        )
    }
)
