"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "rerun": Command(
            "Feed a bot the input of a recorded match: does it answer the same?",
            "dohyo.guests.rerun.command:app",
            group="improve",
            place=5,
        )
    }
)
