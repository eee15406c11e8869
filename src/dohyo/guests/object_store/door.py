"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest

GUEST = Guest(files={"s3": "dohyo.guests.object_store.files:reach"})
