"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Export, Guest

FORMS = ("csv", "headers", "json", "jsonl", "markdown", "ordo", "parquet", "pgn")

GUEST = Guest(exports=dict.fromkeys(FORMS, Export("dohyo.guests.exports.command:write")))
