"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "contest report": Command(
            "Write a page: standings, who beat whom, seats, faults, times.",
            "dohyo.guests.reports.command:report_app",
            group="look",
            place=3,
        ),
        "contest site": Command(
            "Write report, bots and matches as files for any web server.",
            "dohyo.guests.reports.command:site_app",
            group="out",
            place=2,
        ),
    }
)
