"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "tune": Command(
            "Find better values for a bot's parameters by playing.",
            "dohyo.guests.tune.command:app",
            group="improve",
            place=7,
        )
    },
    formats={"generations": "dohyo.guests.tune.generations:Generations"},
)
