"""Commands that guests bring (`dohyo.doors`), beside our own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from typer.core import TyperGroup

from dohyo import doors
from dohyo.cli.options import command_of
from dohyo.core import notices
from dohyo.core.errors import OperatorError


@cache
def below(parent: str) -> dict[str, doors.Command]:
    """The guests' commands below this one of ours, by their last word; those of `dohyo` itself below ""."""
    found = {}
    for name, command in doors.brought("commands").items():
        before, _, last = name.rpartition(" ")
        if before == parent:
            found[last] = command
    return found


def more() -> dict[str, doors.Commands]:
    """Commands of `dohyo` whose names their guests find out, by name; that takes time, so only if it is needed."""
    found: dict[str, doors.Commands] = {}
    for brought in doors.brought("more_commands").values():
        try:
            names = doors.load(brought.names)
        except OperatorError as error:
            notices.tell(error.key, **error.message.values)
            continue
        found = {**dict.fromkeys(names(), brought), **found}
    return found


def epilog_of(parent: str) -> str | None:
    """What guests add to the help of a command of ours."""
    return "\n\n".join(filter(None, (command.epilog for command in below(parent).values()))) or None


class WithGuests(TyperGroup):
    """A command of ours with commands below it, and those of guests. Words that none has may be claimed by one."""

    parent = ""

    def __init__(self, **words: Any) -> None:
        """Have the guests' commands among ours."""
        super().__init__(**words)
        for name, each in below(self.parent).items():
            if name in self.commands:  # ours
                continue
            try:
                command = command_of(doors.load(each.app))
            except OperatorError as error:
                notices.tell(error.key, **error.message.values)
                continue
            command.hidden = each.hidden
            self.add_command(command, name)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Find the command in these words."""
        own = _own_words(args)
        for name, command in below(self.parent).items():
            if command.claims and doors.says_yes(command.claims, args[own:]):
                args = [*args[:own], name, "--", *args[own:]]
                break
        return super().parse_args(ctx, args)


def _own_words(args: Sequence[str]) -> int:
    """How many words stand before the others that are an option of the command itself."""
    if args and args[0] == "--lang":
        return min(2, len(args))
    return 1 if args and args[0].startswith("--lang=") else 0
