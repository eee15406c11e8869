"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "analyse": Command(
            "Say why a match went as it did, and which decisions cost the most.",
            "dohyo.guests.analysis.command:app",
            group="improve",
            place=4,
        )
    },
    analyses={
        "match": "dohyo.guests.analysis.worker",
        "positions": "dohyo.guests.analysis.positions",
        "python": "dohyo.guests.analysis.calling:analyse_match",
    },
    hints={"match": "dohyo.guests.analysis.hint_worker"},
)
