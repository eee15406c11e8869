"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "puzzles": Command(
            "Find puzzles in recorded matches, and solve them in a browser.",
            "dohyo.guests.puzzles.command:app",
            group="play",
            place=4,
        )
    },
    analyses={"puzzles": "dohyo.guests.puzzles.worker"},
)
