"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "cluster": Command(
            "Start a cluster, or a part of one: contests on many machines.",
            "dohyo.guests.cluster.command:app",
            group="contest",
            place=3,
        )
    },
    executors={"cluster": "dohyo.guests.cluster.executor:reach"},
    caches={"parcels": "cache.parcels"},
)
