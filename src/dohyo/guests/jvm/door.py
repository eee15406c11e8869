"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest

GUEST = Guest(
    languages={
        "java": "dohyo.guests.jvm.rows:JAVA",
        "java archive": "dohyo.guests.jvm.rows:ARCHIVE",
        "kotlin": "dohyo.guests.jvm.rows:KOTLIN",
        "scala": "dohyo.guests.jvm.rows:SCALA",
    }
)
