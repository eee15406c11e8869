"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

HERE = "dohyo.guests.site_client.command"
GUEST = Guest(
    commands={
        "login": Command(
            "Sign in to a contest site with a token.",
            f"{HERE}:login_app",
            group="site",
            place=1,
        ),
        "submit": Command(
            "Hand in a bot to a contest site, and tell what its check found.",
            f"{HERE}:submit_app",
            group="site",
            place=2,
        ),
        "status": Command(
            "Tell how your bots on a contest site stand.",
            f"{HERE}:status_app",
            group="site",
            place=3,
        ),
        "connect": Command(
            "Let a bot play on a contest site, and stay on this machine.",
            "dohyo.guests.site_client.connecting.command:app",
            group="site",
            place=5,
        ),
        "pull": Command(
            "Fetch the replay of a match from a contest site.",
            f"{HERE}:pull_app",
            group="site",
            place=4,
        ),
    },
)
