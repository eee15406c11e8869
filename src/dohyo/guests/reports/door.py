"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "contest report": Command(
            "Write a page to look at in a browser: standings with intervals, who beat whom, seats, faults, times.",
            "dohyo.guests.reports.command:report_app",
        ),
        "contest site": Command(
            "Write the report, a page for each bot, and each match with its replay,"
            " as plain files for any web server.",
            "dohyo.guests.reports.command:site_app",
        ),
    }
)
