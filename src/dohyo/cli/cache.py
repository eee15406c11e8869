"""`dohyo cache`: what Dohyo keeps outside of the folders in which one works, and how it is emptied."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import Language, application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson
from dohyo.i18n import ENGLISH, Speaker

if TYPE_CHECKING:
    from dohyo.match.kept import Kept

app = application()

EXAMPLES = """\b
Examples:
  dohyo cache
  dohyo cache clear
  dohyo cache clear last

Results are never in it: contests, replays and sites are where you put them.
'dohyo help docs/uninstall.md' has the rest."""

Kinds = Annotated[
    list[str] | None,
    says("What to empty. Without it: all that is made again when it is needed.", "[KIND]...", is_bare=True),
]
Force = Annotated[bool, says("Also while something of Dohyo's runs: what it plays may break off.")]
UNITS = ("B", "kB", "MB", "GB", "TB")


@app.callback(invoke_without_command=True, epilog=EXAMPLES)
def cache(
    context: typer.Context,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Show what Dohyo keeps outside of your folders, and empty it."""
    if as_json and context.invoked_subcommand is not None:
        raise OperatorError("cache-json-before", command=context.invoked_subcommand)
    if context.invoked_subcommand is None:
        from dohyo.match.kept import survey

        found = survey()
        if as_json:
            _print_json(found)
        else:
            _print(found, Speaker(str(lang)))


@asks(app)
def clear(kind: Kinds = None, force: Force = False, as_json: AsJson = False, *, speaker: Speaker) -> None:
    """Remove what is made again when it is needed.

    The last matches and the notes on your own games go only if they are named, settings never.
    """
    from dohyo.match import kept

    gone = kept.clear(kind or (), force)
    if as_json:
        _print_json(gone)
        return
    for one in gone:
        if one.paths:
            typer.echo(speaker.say("cache-cleared", kind=one.kind, size=size(one.size)))
    if not any(one.paths for one in gone):
        typer.echo(speaker.say("cache-nothing"))


def _print(found: Sequence[Kept], speaker: Speaker) -> None:
    """A line for each kind, and below it where it is."""
    wide = max((len(one.kind) for one in found if one.paths), default=0)
    for one in found:
        if one.paths:
            typer.echo(f"{one.kind:{wide}}  {size(one.size):>9}  {speaker.say(one.says)}")
            for path in _together(one.paths):
                typer.echo(f"{'':{wide}}  {'':9}  {clean.line(path)}")
    if not any(one.paths for one in found):
        typer.echo(speaker.say("cache-nothing"))
        return
    typer.echo("\n" + speaker.say("cache.how"))


def _together(paths: Sequence[str]) -> list[str]:
    """Places as a person reads them: those in one folder as {a,b}, the home folder as ~."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(os.path.dirname(path), []).append(os.path.basename(path))
    home = os.path.expanduser("~")
    told = []
    for folder, names in folders.items():
        shown = "~" + folder.removeprefix(home) if (folder + os.sep).startswith(home + os.sep) else folder
        told.append(os.path.join(shown, names[0] if len(names) == 1 else "{" + ",".join(names) + "}"))
    return told


def _print_json(found: Sequence[Kept]) -> None:
    kinds = [
        {
            "kind": one.kind,
            "about": ENGLISH.say(one.says),
            "bytes": one.size,
            "paths": one.paths,
            "goes": one.goes,
        }
        for one in found
    ]
    sys.stdout.write(clean.document({"kinds": kinds, "bytes": sum(one.size for one in found)}))


def size(count: int) -> str:
    """So many bytes as a person reads them."""
    number, at = float(count), 0
    while number >= 1000 and at < len(UNITS) - 1:
        number, at = number / 1000, at + 1
    return f"{number:.0f} {UNITS[at]}" if at == 0 or number >= 10 else f"{number:.1f} {UNITS[at]}"
