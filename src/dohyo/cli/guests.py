"""Commands that guests bring (`dohyo.doors`), beside our own."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from dohyo import doors
from dohyo.cli.layout import Grouped
from dohyo.cli.options import application, command_of
from dohyo.core import notices
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.cli.help_lists import Row


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


class MadeWhenAsked(UserDict[str, Any]):
    """Commands by their names, each made when it is looked up: that imports it, and takes long."""

    def __init__(self, makers: Mapping[str, Callable[[], Any]]) -> None:
        """Know how each is made."""
        super().__init__(dict.fromkeys(makers))
        self._makers = makers

    def __getitem__(self, name: str) -> Any:
        """The command of that name."""
        if self.data[name] is None:
            self.data[name] = self._makers[name]()
        return self.data[name]


class WithGuests(Grouped):
    """A command of ours with commands below it, and those of guests. Words that none has may be claimed by one.

    `ours` says how each of our own is made.
    """

    parent: ClassVar[str] = ""
    ours: ClassVar[Mapping[str, Callable[[], Any]]] = {}

    def __init__(self, **words: Any) -> None:
        """Have our commands before the guests'; of one name, ours is meant."""
        theirs = {name: partial(_made, each) for name, each in below(self.parent).items()}
        super().__init__(**{**words, "commands": MadeWhenAsked({**self.ours, **theirs, **self.ours})})

    def rows(self, context: Any) -> list[Row]:
        """The commands that people are told of; a guest's door says its place."""
        places = {name: each.place for name, each in below(self.parent).items() if name not in self.ours}
        return [row._replace(place=places.get(row.name, row.place)) for row in super().rows(context)]

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Find the command in these words."""
        own = _own_words(args)
        names_one = any(word in self.commands for word in args[own : own + 1])
        for name, command in below(self.parent).items():
            if not names_one and command.claims and doors.says_yes(command.claims, args[own:]):
                args = [*args[:own], name, "--", *args[own:]]
                break
        return super().parse_args(ctx, args)


def _own_words(args: Sequence[str]) -> int:
    """How many words stand before the others that are an option of the command itself."""
    if args and args[0] == "--lang":
        return min(2, len(args))
    return 1 if args and args[0].startswith("--lang=") else 0


def _made(each: doors.Command) -> Any:
    """A guest's command; of one that cannot be imported, one that says so when it is typed."""
    try:
        command = command_of(doors.load(each.app))
    except OperatorError as error:
        command = _broken(each.says, error)
    command.hidden = each.hidden
    command.rich_help_panel = each.group
    return command


def _broken(says: str, error: OperatorError) -> Any:
    app = application()
    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}

    @app.command(help=says, context_settings=anything)
    def refuse() -> None:
        raise error

    return command_of(app)
