"""The lists of `--help`: commands in their groups, options below their headings; and what `dohyo` alone says.

The generated reference has the same lists. Where there are few options, they are one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.core.request_fields import OUTPUT, SHARED

OPTIONS, ARGUMENTS, COMMANDS = "Options", "Arguments", "Commands"  # typer's own words for its lists
MORE = "More"  # the group of commands whose guest says a group that there is not
FEW = 9  # options that are seen at once, without headings
FIRST = 5  # commands that `dohyo` alone says a sentence of
OTHERS = "All others"
ALL = "'dohyo --help' has a sentence on each, 'dohyo help COMMAND' explains one. New here? 'dohyo help tutorial'."

Record = tuple[str, str]


class Row(NamedTuple):
    """A command in a list: its name, its sentence, the word of its group, and its place there."""

    name: str
    says: str
    group: str
    place: int


class Listed(NamedTuple):
    """Rows below a heading."""

    heading: str
    rows: list[Record]


def grouped(rows: Iterable[Row], headings: Mapping[str, str]) -> list[Listed]:
    """Commands below the heading of their group, in the order of the headings, each in its place.

    Without headings it is one list.
    """
    found: dict[str, list[Row]] = {heading: [] for heading in headings.values()}
    for row in rows:
        heading = headings.get(row.group, MORE) if headings else COMMANDS
        found.setdefault(heading, []).append(row)
    in_order = {heading: sorted(some, key=lambda row: row.place) for heading, some in found.items() if some}
    return [Listed(heading, [(row.name, row.says) for row in some]) for heading, some in in_order.items()]


def arguments_of(command: Any, context: Any) -> list[Record]:
    """What stands without an option, as the help says it."""
    told = (each for each in command.get_params(context) if each.param_type_name == "argument")
    return [record for each in told if (record := each.get_help_record(context)) is not None]


def options_of(command: Any, context: Any) -> list[Listed]:
    """A command's options below their headings: the usual ones first, last what every command has."""
    found: dict[str, list[Record]] = {OPTIONS: []}
    for each in command.get_params(context):
        if each.param_type_name != "option" or (record := each.get_help_record(context)) is None:
            continue
        heading = OUTPUT if each.name in ("help", "lang") else each.rich_help_panel or OPTIONS
        found.setdefault(heading, []).append(record)
    if sum(map(len, found.values())) <= FEW:
        return [Listed(OPTIONS, [record for records in found.values() for record in records])]
    known = list(SHARED)
    places = {heading: known.index(heading) + 1 if heading in known else 0 for heading in found}
    places[OPTIONS] = -1
    return [Listed(heading, found[heading]) for heading in sorted(found, key=places.__getitem__) if found[heading]]


def _write(listed: Sequence[Listed], formatter: Any, wide: int = 0) -> None:
    """Write the lists; their rows begin to speak at one column, if it is said how `wide` names are."""
    for each in listed:
        with formatter.section(each.heading):
            formatter.write_dl([(name.ljust(wide), said) for name, said in each.rows])


def write_parameters(command: Any, context: Any, formatter: Any) -> None:
    """Write a command's arguments and options."""
    if arguments := arguments_of(command, context):
        _write([Listed(ARGUMENTS, arguments)], formatter)
    _write(options_of(command, context), formatter)


def write_commands(group: Any, context: Any, formatter: Any) -> None:
    """Write the commands below one."""
    listed = group.listed(context)
    _write(listed, formatter, max((len(name) for each in listed for name, _ in each.rows), default=0))


def overview(groups: Sequence[Listed], context: Any, translated: Callable[[str], str]) -> str:
    """What `dohyo` alone says: the commands to begin with, the others by name; it fits into a small terminal."""
    start = groups[0].rows
    first = [*start, *(each.rows[0] for each in groups[1:])][: max(FIRST, len(start))]
    begun = {name for name, _ in first}
    names = [", ".join(name for name, _ in each.rows if name not in begun) for each in groups[1:]]
    others = [(translated(each.heading), those) for each, those in zip(groups[1:], names, strict=True)]
    formatter = context.make_formatter()
    formatter.write_text(context.command.help)
    _write([Listed(groups[0].heading, first), Listed(OTHERS, others)], formatter)
    formatter.write_paragraph()
    formatter.write_text(translated(ALL))
    return str(formatter.getvalue()).rstrip("\n")
