"""What every command of ours is made with: typer, without what would make each start slow or loud."""

from __future__ import annotations

from typing import Any

import typer


def application(**settings: Any) -> typer.Typer:
    """A typer application in plain text, without frames, that leaves our tracebacks as they are."""
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


def command_of(app: typer.Typer) -> Any:
    """The application as a command that typer can run."""
    return typer.main.get_command(app)
