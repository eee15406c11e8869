"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Commands, Guest

GUEST = Guest(
    more_commands={
        "game programs": Commands(
            "Games bring programs of their own: 'dohyo games' lists them.",
            names="dohyo.guests.game_programs.command:names",
            app="dohyo.guests.game_programs.command:application_of",
        )
    }
)
