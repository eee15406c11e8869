"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "demo": Command(
            "Show what Dohyo does: build bots, play, write replays to look at.",
            "dohyo.guests.demo.command:app",
            epilog="'dohyo demo' shows what it does.",
            group="start",
            place=1,
        )
    }
)
