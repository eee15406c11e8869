"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest

GUEST = Guest(languages={"c#": "dohyo.guests.dotnet.rows:CSHARP", ".net": "dohyo.guests.dotnet.rows:PROGRAM"})
