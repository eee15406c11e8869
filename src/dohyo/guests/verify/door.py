"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "verify": Command(
            "Tell whether results can be trusted: a store (matches are played again), signed results, a replay.",
            "dohyo.guests.verify.command:app",
        ),
        "contest verify": Command(
            "Look whether all that a store holds is what was played: its rows, its tallies, its replays, its bots.",
            "dohyo.guests.verify.contest_command:app",
        ),
    }
)
