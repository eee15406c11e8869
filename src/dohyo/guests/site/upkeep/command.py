"""`dohyo site`: what whoever runs a site does beside running it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import Language, application
from dohyo.core.asked import says
from dohyo.i18n import Speaker

app = application(help="Copy a contest site into a file, and make it of one.")

Folder = Annotated[str, says("The site's folder.", "FOLDER", is_bare=True)]


@app.callback(invoke_without_command=True)
def site(context: typer.Context, lang: Language = None) -> None:
    """Copy a contest site into a file, and make it of one."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@asks(app)
def backup(
    folder: Folder,
    file: Annotated[str, says("The file to write, a tar.", "FILE", is_bare=True)],
    files: Annotated[
        str | None, says("The folder that the site was given with --files. Without it: in the folder.", "PLACE")
    ] = None,
    force: Annotated[bool, says("Overwrite a file, also an older copy.")] = False,
    *,
    speaker: Speaker,
) -> None:
    """Copy a whole site into one file, also while it runs."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.guests.site.folder import SiteFolder
    from dohyo.guests.site.upkeep.backup import back_up

    check_outputs([("FILE", file)], force)  # an older copy, too: what is in it is nowhere else
    copied = back_up(SiteFolder(Path(folder).absolute(), place=files or ""), Path(file))
    typer.echo(speaker.say("serve-backed-up", path=file, count=copied.files))
    if copied.missing:
        typer.echo(speaker.say("serve-backup-missing", count=copied.missing), err=True)


@asks(app)
def restore(
    file: Annotated[str, says("A file that 'dohyo site backup' has written.", "FILE", is_bare=True)],
    folder: Annotated[str, says("Where the site shall be: a new folder, or an empty one.", "FOLDER", is_bare=True)],
    *,
    speaker: Speaker,
) -> None:
    """Make a site of its copy, after everything in it was checked."""
    from dohyo.guests.site.folder import SiteFolder
    from dohyo.guests.site.upkeep.backup import restore as restored

    found = restored(Path(file), SiteFolder(Path(folder).absolute()))
    typer.echo(speaker.say("serve-restored", folder=folder, count=found.files, missing=found.missing))
