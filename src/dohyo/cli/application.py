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
    """The application as a command that typer can run, its parameters taken as the words that they are."""
    command = typer.main.get_command(app)
    for parameter in command.get_params(typer.Context(command, **command.context_settings)):
        vars(parameter)["_runtime_param"] = Word()
    return command


class Word:
    """Takes what was given as it is: texts, lists of texts, flags are all that commands here ask for.

    In place of typer's own conversion, which imports pydantic at the first parameter of any command: that takes
    longer than all the rest of a start. Should typer convert elsewhere one day, it does so again, and a test tells.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as it was given; nothing given for many is none of them."""
        return () if value is None and (param.multiple or param.nargs == -1) else value
