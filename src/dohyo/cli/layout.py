"""Commands as typer has them, with a help of ours: commands and options stand below headings, the usual ones first.

A command's group is a word of its door (`doors.Command.group`), an option's heading stands in its field
(`core.asked.says(group=...)`). Both are kept where typer keeps such a heading, as `rich_help_panel`, so that whoever
walks the tree of commands finds them. What is written of them says `help_lists`, which only the help imports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from dohyo.cli.help_lists import Listed, Row

LONGEST = 1000  # characters of a command's sentence: it is never cut


class Told(TyperCommand):
    """A command whose options stand below headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options for `--help`."""
        from dohyo.cli.help_lists import write_parameters

        write_parameters(self, ctx, formatter)


class Grouped(TyperGroup):
    """A command with commands below it, which its help lists in groups, before its options.

    `headings` are those of the groups, by the groups' words.
    """

    headings: ClassVar[Mapping[str, str]] = {}

    def rows(self, context: Any) -> list[Row]:
        """The commands that people are told of."""
        from dohyo.cli.help_lists import Row

        made = ((name, self.get_command(context, name)) for name in self.list_commands(context))
        return [
            Row(name, command.get_short_help_str(LONGEST), getattr(command, "rich_help_panel", None) or "", at)
            for at, (name, command) in enumerate(made)
            if command is not None and not command.hidden
        ]

    def listed(self, context: Any) -> list[Listed]:
        """The commands that people are told of, in their groups."""
        from dohyo.cli.help_lists import grouped

        return grouped(self.rows(context), self.headings)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write commands and options for `--help`."""
        from dohyo.cli.help_lists import write_commands, write_parameters

        write_commands(self, ctx, formatter)
        write_parameters(self, ctx, formatter)
