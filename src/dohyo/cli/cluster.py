"""`dohyo cluster`: the processes of a cluster on this machine, for contests of many machines."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.application import application
from dohyo.cli.language import Language
from dohyo.core.words import say

app = application(help="Start a cluster, or a part of one: contests then play on many machines.")

PORT = 8786  # Dask's own

Workers = Annotated[int | None, typer.Option(metavar="N", help="Matches at once. Without it: one a core.")]
Host = Annotated[str, typer.Option(metavar="HOST", help="The address of this machine that others reach it at.")]
Port = Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="Where it listens; 0 takes any.")]


@app.callback(invoke_without_command=True)
def cluster(context: typer.Context, lang: Language = None) -> None:
    """Start a cluster, or a part of one: contests then play on many machines."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def local(workers: Workers = None, port: Port = PORT, lang: Language = None) -> None:
    """Start a scheduler and workers on this machine, until Ctrl-C: to try what a cluster is like."""
    from dohyo.run.executors.crew import Crew

    with Crew() as crew:
        address = crew.start_scheduler("127.0.0.1", port)
        number = crew.start_workers(address, workers, "127.0.0.1")
        typer.echo(say("cluster-runs", str(lang), workers=number, address=address))
        crew.watch()


@app.command()
def scheduler(host: Host = "", port: Port = PORT, lang: Language = None) -> None:
    """Start a scheduler, until Ctrl-C. Who reaches it can run programs on its workers: keep strangers away."""
    from dohyo.run.executors.crew import Crew

    with Crew() as crew:
        address = crew.start_scheduler(host, port)
        typer.echo(say("cluster-scheduler-runs", str(lang), address=address))
        crew.watch()


@app.command()
def worker(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The scheduler's, as tcp://HOST:PORT.")],
    workers: Workers = None,
    host: Host = "",
    lang: Language = None,
) -> None:
    """Start workers on this machine for a scheduler, until Ctrl-C, each on its share of the cores."""
    from dohyo.run.executors.cluster import check_address
    from dohyo.run.executors.crew import Crew

    with Crew() as crew:
        number = crew.start_workers(check_address(address), workers, host)
        typer.echo(say("cluster-workers-run", str(lang), workers=number, address=address))
        crew.watch()
